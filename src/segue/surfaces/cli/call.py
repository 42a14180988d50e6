"""Any operation by its name, JSON in and JSON out: for programs that speak no HTTP."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from segue.errors import BadInput, NotFound
from segue.model import wire
from segue.model.thread import Provenance
from segue.service.operations import OPERATIONS, Operation
from segue.surfaces.cli.operation_calls import server_of
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import provenance, workspace_of

_LARGEST = 64_000_000


def do_call(args: argparse.Namespace, out: Output) -> None:
    out.as_json = True
    if args.list:
        out.result({"operations": [{"name": one.name, "writes": one.writes} for one in OPERATIONS]}, "")
        return
    operation = _operation(args.operation)
    values = _parameters()
    by = _by(args, values)
    server = server_of(args)
    if server is not None:
        out.result(server.call(operation.name, values, by, args.key), "")
        return
    from segue.service.signatures import perform

    out.result(perform(operation, workspace_of(args), values, by, args.key), "")


def _operation(name: str | None) -> Operation:
    found = next((one for one in OPERATIONS if one.name == name), None)
    if found is None:
        raise NotFound(f"There is no operation {name!r}.", "`segue call --list` shows them.")
    from segue.service.signatures import signature

    known = signature(found)
    if known.body or known.answer is bytes or found.name == "thread.events":
        raise BadInput(f"{name} does not speak JSON alone.", f"Use `segue {found.command}`.")
    return found


def _by(args: argparse.Namespace, said: dict[str, Any]) -> Provenance:
    """Who acts: taken out of what was said, else as the flags say."""
    from segue.service.signatures import ACTORS

    who = {name: said.pop(name) for name in ACTORS if name in said}
    for name, given in who.items():
        if not isinstance(given, str):
            raise BadInput(f"{name} must be a text.", "Leave it out, or name who acts and through what.")
    vars(args).update(who)
    return provenance(args)


def _parameters() -> dict[str, Any]:
    data = b"" if sys.stdin.isatty() else sys.stdin.buffer.read(_LARGEST + 1)
    if len(data) > _LARGEST:
        raise BadInput("The parameters are too large.", "Put large texts into artifacts.")
    said = wire.decode(data) if data.strip() else {}
    if not isinstance(said, dict):
        raise BadInput("The parameters are a JSON object.", "Write {} where there are none.")
    return said

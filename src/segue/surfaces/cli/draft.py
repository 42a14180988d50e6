"""Rich handoffs by hand: write one, look at it, approve or reject it."""

from __future__ import annotations

import argparse
import os
from typing import Any

from segue.model.thread import AGENT, Provenance
from segue.service.boundary import drafts
from segue.surfaces.cli.operation_calls import act, ask, server_of
from segue.surfaces.cli.output import Output, somebody_is_here
from segue.surfaces.cli.parsing import own_session, provenance, read_text

_SHORTEST, _ID = 8, 64
"""Characters of a draft's id: as few as name it here, and all."""
_WITHHELD = "(The text is more sensitive than a server may carry; it is shown on its machine.)"


def do_write(args: argparse.Namespace, out: Output) -> int:
    text = read_text(args.file)
    agent, session_id = own_session(args)
    here = {} if server_of(args) else {"directory": os.getcwd()}
    done = ask(
        args,
        "draft.write",
        provenance(args, agent),
        text=text,
        host=agent,
        session_id=session_id,
        sensitivity=args.sensitivity,
        **here,
    )
    findings = [
        f"{f['severity']} {f['where']}: {f['message']}\n  hint: {f['hint']}" for f in done["lint"]["findings"]
    ]
    if not done["written"]:
        out.result(done, "\n".join([*findings, "Not taken: mend the errors and write it again."]))
        return 1
    waits = (
        "A person makes it current: `segue draft approve`."
        if done["approval"] == "pending"
        else "It is current now."
    )
    told = f"{done['artifact_id']}  {done['approval']}. {waits}"
    if "replaces" in done:
        told += f" It replaces {done['replaces']}, which waited; `segue artifact get` still shows that one."
    for row in done.get("findings", []):
        out.note(f"{row['severity']} {row['where']}: {row['message']}\n  hint: {row['hint']}")
    out.result(done, "\n".join([*findings, told]))
    return 0


def do_show(args: argparse.Namespace, out: Output) -> None:
    found = ask(args, "draft.show")
    lines = [current(found["current"])]
    if "pending" in found:
        lines += ["", described(found["pending"]), "", found["pending"].get("text", _WITHHELD)]
    out.result(found, "\n".join(lines))


def current(status: dict[str, Any]) -> str:
    """The current handoff, in a line."""
    if not status["exists"]:
        return "There is no current handoff."
    kind = (
        "rich" if status["rich"] else "mechanical" if status["recorded"] else "nobody approved it: not given"
    )
    kind += ", edited since approval: the approved text is given" if status["edited"] else ""
    return f"handoff {status['path']} ({kind}, {status['sensitivity']}, {measured(status)})"


def described(pending: dict[str, Any]) -> str:
    """A draft that waits, in a line."""
    return f"draft waiting for approval: {pending['path']} ({pending['sensitivity']}, {measured(pending)})"


def measured(text: dict[str, Any]) -> str:
    """Size, hash and age of a handoff or a draft."""
    age = "" if text["age_ms"] is None else f", {text['age_ms'] // 60_000} minutes old"
    return f"{text['tokens']} tokens, {text['bytes']} bytes, sha256 {text['sha256'][:16]}{age}"


def do_approve(args: argparse.Namespace, out: Output) -> None:
    by = provenance(args)
    expect = _full_id(args, args.expect) if args.expect else _reviewed(args, by, out)
    done = ask(args, "draft.approve", by, clear=args.clear, expect=expect)
    out.result(done, f"The handoff is current: sha256 {done['sha256']}.")


def _full_id(args: argparse.Namespace, beginning: str) -> str:
    """The id of the waiting draft, of which a person gave the beginning."""
    if not _SHORTEST <= len(beginning) < _ID:
        return beginning
    waiting = ask(args, "draft.show").get("pending")
    if waiting is None:
        return beginning
    whole = str(waiting["artifact_id"])
    if not whole.startswith(beginning):
        raise drafts.replaced(whole, beginning)
    return whole


def _reviewed(args: argparse.Namespace, by: Provenance, out: Output) -> str:
    """The id of the waiting draft, once the person at the terminal has seen it and agreed; an agent, whom nobody asks,
    hears from the service that it may not."""
    from segue.errors import BadInput, NotFound
    from segue.surfaces.cli import review

    waiting = ask(args, "draft.show").get("pending")
    if waiting is None:
        raise NotFound("No draft waits for approval.", "`segue draft write FILE` takes one.")
    if by.kind == AGENT:
        return str(waiting["artifact_id"])
    if "text" not in waiting or not somebody_is_here():
        raise BadInput(
            "An approval names the draft that was reviewed.",
            "`segue draft show` shows it with its id; then `segue draft approve ID`.",
        )
    out.note(f"{described(waiting)}\n\n{waiting['text']}")
    review.agreed("Make this the current handoff?")
    return str(waiting["artifact_id"])


def do_reject(args: argparse.Namespace, out: Output) -> None:
    done = act(args, "draft.reject", reason=args.reason)
    out.result(done, f"{done['artifact_id']} was set aside.")

"""Parsing the words of a command: argparse with our errors, our common flags and our manners."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn

from segue.errors import BadInput, NotFound
from segue.model.thread import Provenance
from segue.service import workspace as workspaces
from segue.service.workspace import Workspace
from segue.surfaces.cli.output import Output

Do = Callable[[argparse.Namespace, Output], int | None]


class Parser(argparse.ArgumentParser):
    """Raises our error instead of leaving the process, so that `--json` holds for usage errors too."""

    def __init__(self, **options: Any) -> None:
        options.setdefault("formatter_class", argparse.RawDescriptionHelpFormatter)
        super().__init__(**options)

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message[:1].upper()}{message[1:]}.", f"`{self.prog} --help` shows the usage.")


def add_common(parser: argparse.ArgumentParser) -> None:
    """The flags every command has. Suppressed defaults let them stand before or after the verb."""
    group = parser.add_argument_group("everywhere")
    group.add_argument(
        "--json", action="store_true", default=argparse.SUPPRESS, help="print one JSON document"
    )
    group.add_argument(
        "--workspace",
        metavar="DIR",
        default=argparse.SUPPRESS,
        help="the workspace (default: the one around here)",
    )


class Verbs:
    """The verbs of one noun."""

    def __init__(self, parser: argparse.ArgumentParser, required: bool = True) -> None:
        self._subparsers = parser.add_subparsers(
            title="verbs", metavar="VERB", required=required, parser_class=Parser
        )

    def add(self, name: str, do: Do, summary: str) -> argparse.ArgumentParser:
        """One verb; its parser, to add arguments to."""
        parser: argparse.ArgumentParser = self._subparsers.add_parser(
            name, help=summary, description=f"{summary[:1].upper()}{summary[1:]}."
        )
        add_common(parser)
        parser.set_defaults(do=do)
        return parser


def add_provenance(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--actor-id", default="user", metavar="WHO", help="who acts (default: user)")
    parser.add_argument("--origin", default="cli", metavar="WHERE", help="through what (default: cli)")


def provenance(args: argparse.Namespace) -> Provenance:
    return Provenance(args.actor_id, args.origin)


def workspace_of(args: argparse.Namespace) -> Workspace:
    return workspaces.find(getattr(args, "workspace", None))


def read_text(path: str, limit: int) -> str:
    """The text of a file, or of standard input for `-`. What is not UTF-8 is replaced, never refused."""
    data = read_bytes(path, limit)
    return data.decode(errors="replace")


def read_bytes(path: str, limit: int) -> bytes:
    try:
        if path == "-":
            data = sys.stdin.buffer.read(limit + 1)
        else:
            if not os.path.isfile(path) and os.path.exists(path):
                raise BadInput(f"{path} is not a regular file.")
            with open(path, "rb") as file:
                data = file.read(limit + 1)
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}.") from None
    except OSError as fault:
        raise BadInput(f"{path} cannot be read: {fault.strerror}.") from None
    if len(data) > limit:
        raise BadInput(
            f"{path} is larger than {limit // 1_000_000} MB.", "Store it with `segue artifact put`."
        )
    return data

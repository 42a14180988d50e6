"""Parsing the words of a command: argparse with our errors, our common flags and our manners."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any, NoReturn

from segue.errors import BadInput, NotFound
from segue.model.thread import Provenance
from segue.service import workspace as workspaces
from segue.service.workspace import Workspace

SERVER = "SEGUE_SERVER"


class _Formatter(argparse.RawDescriptionHelpFormatter):
    """Knows its width, so that argparse need not import shutil (3 ms) for every command."""

    def __init__(self, prog: str) -> None:
        try:
            width = os.get_terminal_size().columns - 2
        except OSError:
            width = 110
        super().__init__(prog, width=min(width, 110))


class Parser(argparse.ArgumentParser):
    """Raises our error instead of leaving the process, so that `--json` holds for usage errors too."""

    def __init__(self, **options: Any) -> None:
        # A command may give a common flag another meaning: `serve` takes several workspaces.
        super().__init__(formatter_class=_Formatter, conflict_handler="resolve", **options)

    def error(self, message: str) -> NoReturn:
        raise BadInput(f"{message[:1].upper()}{message[1:]}.", f"`{self.prog} --help` shows the usage.")


def _server(url: str) -> str:
    """An address, however wrong. None at all, as from an empty variable, would silently mean this machine."""
    if not url.strip():
        raise BadInput("--server names no server.", "Give its address, or leave --server out.")
    return url


class _NotElsewhere(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> NoReturn:
        raise BadInput(f"`{parser.prog}` works on this machine.", "Leave --server out.")


def add_common(parser: Parser, local: bool) -> None:
    """The flags every command has. Suppressed defaults let them stand before or after the verb. For a `local` command,
    which is about this machine, there is no server to do it on."""
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
    if local:
        parser.add_argument("--server", action=_NotElsewhere, help=argparse.SUPPRESS)
        return
    group.add_argument(
        "--server",
        metavar="URL",
        type=_server,
        default=argparse.SUPPRESS,
        help=f"a server's workspace instead ({SERVER}; the token in SEGUE_TOKEN)",
    )


def provenance(args: argparse.Namespace, agent: str = "") -> Provenance:
    """Who acts: as the flags say, and the agent, where the command is about a session of its own."""
    from segue.service.actors import acting  # 2 ms, which reading need not wait for

    return acting("cli", args.actor_id, agent, args.origin)


def own_session(args: argparse.Namespace) -> tuple[str, str]:
    """The agent and the session that are meant: as the flags say, else those this process runs in; empty where
    neither tells."""
    agent, session_id = args.agent or "", args.session or ""
    if agent and session_id:
        return agent, session_id
    from segue.service.sessions.own import own

    around = own(local_workspace_of(args).folder)
    if around is None or agent not in ("", around.agent):
        return agent, session_id
    return around.agent, session_id or around.session_id


def workspace_of(args: argparse.Namespace) -> Workspace:
    """The workspace named on the command line, else the one around here. Whoever asks for it works on this
    machine, so a command that was told to use a server raises BadInput."""
    if getattr(args, "server", None):
        raise BadInput("This command works on this machine.", "Leave --server out.")
    return local_workspace_of(args)


def local_workspace_of(args: argparse.Namespace) -> Workspace:
    """The workspace of this machine, for a command that does part of its work here and part on a server."""
    given = getattr(args, "workspace", None)
    return workspaces.find() if given is None else workspaces.named(given)


def read_text(path: str, limit: int) -> str:
    """The text of a file, or of standard input for `-`, without a byte order mark. What is not UTF-8 is replaced,
    never refused."""
    data = read_bytes(path, limit)
    return data.decode("utf-8-sig", errors="replace")


def read_bytes(path: str, limit: int) -> bytes:
    named = "Standard input" if path == "-" else path
    try:
        if path == "-":
            data = sys.stdin.buffer.read(limit + 1)
        else:
            if not os.path.isfile(path) and os.path.exists(path):
                raise BadInput(f"{path} is not a regular file.", "Name a file; `-` reads standard input.")
            with open(path, "rb") as file:
                data = file.read(limit + 1)
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}.", "Check the path; `-` reads standard input.") from None
    except OSError as fault:
        raise BadInput(
            f"{named} cannot be read: {fault.strerror}.", "Check the path and its permissions."
        ) from None
    if len(data) > limit:
        raise BadInput(
            f"{named} is larger than {limit // 1_000_000} MB.", "Store it with `segue artifact put`."
        )
    return data

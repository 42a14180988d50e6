"""Parsing the words of a command: argparse with our errors, told by a table what each command is called, says of itself
and takes. `commands.txt` is that table, and says how to read it.

Only the command that was asked for gets a parser: argparse takes 10 ms to build those of all verbs.
"""

from __future__ import annotations

import argparse
import os
import sys
from functools import cache
from typing import Any, NoReturn

from segue.errors import BadInput, NotFound
from segue.model.thread import Provenance
from segue.model.value import NamedTuple
from segue.service import workspace as workspaces
from segue.service.workspace import Workspace

SERVER = "SEGUE_SERVER"
LARGEST = 4_000_000
"""Bytes of a handoff that is read from a file."""
LOCAL = frozenset(("demo", "store", "install", "uninstall", "trust", "serve", "mcp"))
"""Commands about this machine, which no server does for it."""
_TYPES: dict[str, Any] = {"int": int, "float": float, "str": str}


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


class Row(NamedTuple):
    """A flag, or an argument, which has no names. `words` are what the help calls its values; `least` of them are needed."""

    names: tuple[str, ...]
    words: tuple[str, ...]
    least: int
    many: bool
    """Whether it has several values."""
    listed: bool
    """Whether each of them is given as a list of words, even where there is only one."""
    dest: str
    target: str
    """What the table says behind `>`, or the flag's own name."""
    default: str | None
    help: str
    one_of: str
    """`|` for flags of which only one may be given, `||` where one of them must."""


class Command(NamedTuple):
    """A noun, or one of its verbs."""

    summary: str
    module: str
    lines: list[str]
    verbs: dict[str, Command]


class _Group(NamedTuple):
    """Flags that several commands take. With a `prefix` each is given as a list of words, under a name that begins so."""

    prefix: str
    lines: list[str]


@cache
def _table() -> tuple[dict[str, Command], dict[str, _Group]]:
    commands: dict[str, Command] = {}
    groups: dict[str, _Group] = {}
    noun, lines = Command("", "", [], {}), list[str]()
    place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "commands.txt")
    with open(place, encoding="utf-8") as file:
        for line in file:
            name, _, summary = line.strip().partition("  ")
            if not name or name.startswith(";"):
                continue
            if line.startswith("    "):
                lines.append(line.strip())
                continue
            lines = []
            if name.startswith("@"):
                name, _, prefix = name[1:].partition(" > ")
                groups[name] = _Group(prefix, lines)
            elif line.startswith("  "):
                verb, _, module = name.partition(" @")
                noun.verbs[verb] = Command(summary, f"{noun.module}.{module}".rstrip("."), lines, {})
            else:
                name, _, module = name.partition(" @")
                noun = commands[name] = Command(summary, module or name, lines, {})
    return commands, groups


def nouns() -> dict[str, Command]:
    return _table()[0]


def group(name: str) -> list[Row]:
    """The flags of a group."""
    found = _table()[1][name]
    return [_row(line, found.prefix) for line in found.lines]


def parser_of(noun: str, verb: str = "") -> Parser:
    """The parser of a command."""
    command = nouns()[noun].verbs[verb] if verb else nouns()[noun]
    about = "\n".join(line[2:] for line in command.lines if line.startswith(":"))
    about = f"{command.summary[:1].upper()}{command.summary[1:]}." if verb else about
    parser = Parser(prog=f"segue {noun} {verb}".rstrip(), description=about)
    add_common(parser, noun in LOCAL)
    if command.verbs:
        rows = (f"\n  {name:<12}  {one.summary}" for name, one in command.verbs.items())
        parser.epilog = f"verbs:{''.join(rows)}"
    exclusive = None
    for line in (line for line in command.lines if not line.startswith(":")):
        for row in group(line[1:]) if line.startswith("@") else [_row(line)]:
            if row.one_of and exclusive is None:
                exclusive = parser.add_mutually_exclusive_group(required=row.one_of == "||")
            elif not row.one_of:
                exclusive = None
            _add(exclusive or parser, row)
    return parser


def _row(line: str, prefix: str = "") -> Row:
    usage, _, help = line.partition("  ")
    one_of = usage.partition(" ")[0] if usage.startswith("|") else ""
    usage, _, target = usage.removeprefix(one_of).strip().partition(" > ")
    usage, has_default, default = usage.partition(" = ")
    parts = usage.split()
    names = tuple(part.rstrip(",") for part in parts if part.startswith("--"))
    words = [part.removesuffix("...") for part in parts[len(names) :]]
    many = usage.endswith(("...", "...]"))
    optional = bool(words) and words[-1].startswith("[") and words[-1].endswith("]")
    if optional:
        words[-1] = words[-1][1:-1].removesuffix("...")
    stem = (names or words)[0].removeprefix("--").removeprefix("[no-]").lower().replace("-", "_")
    return Row(
        names,
        tuple(words),
        len(words) - optional,
        many,
        bool(prefix) or (bool(names) and len(words) > 1),
        prefix + stem if prefix else target or stem,
        target or stem,
        default.strip('"') if has_default else None,
        help,
        one_of,
    )


def _add(parser: argparse._ActionsContainer, row: Row) -> None:
    """Tells argparse of a row."""
    names = [name.replace("[no-]", "") for name in row.names]
    options: dict[str, Any] = {"help": row.help or None}
    if not row.words:
        switch = "store_true" if names == [*row.names] else argparse.BooleanOptionalAction
        parser.add_argument(*names, action=switch, dest=row.dest, **options)
        return
    *before, last = row.words
    last, _, kind = last.rpartition(":") if last.endswith((":int", ":float")) else (last, "", "str")
    options["type"] = _TYPES[kind]
    if last.startswith("{"):
        options["choices"] = last[1:-1].split(",")
    else:
        options["metavar"] = last
    if row.default is not None:
        options["default"] = _TYPES[kind](row.default)
    if not names:
        nargs = {(1, False): None, (0, False): "?", (0, True): "*", (1, True): "+"}[row.least, row.many]
        parser.add_argument(row.dest, nargs=nargs, **options)
        return
    if row.many or row.listed:
        options |= {"action": "append", "default": []}
    if row.listed and row.least < len(row.words):
        options |= {"nargs": "+", "metavar": (" ".join(before), last)}
    elif row.listed:
        options |= {"nargs": len(row.words), "metavar": row.words}
    parser.add_argument(*names, dest=row.dest, **options)


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


def read_text(path: str, limit: int = LARGEST) -> str:
    """The text of a file, or of standard input for `-`, without a byte order mark. What is not UTF-8 is replaced,
    never refused."""
    data = read_bytes(path, limit)
    return data.decode("utf-8-sig", errors="replace")


def read_bytes(path: str, limit: int = LARGEST) -> bytes:
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

"""From words to an operation: picks the noun's module, lets it parse the rest, turns errors into exit codes.

Only the module of the noun at hand is imported. Whatever happens, standard output carries the answer
and nothing else; with `--json`, an error is an answer too.
"""

from __future__ import annotations

import importlib
import os
import sys
from io import TextIOWrapper
from typing import Protocol, TextIO, cast

from segue.errors import BadInput, SegueError, Unavailable
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Parser, add_common


class Command(Protocol):
    """The shape of every module the table names."""

    def configure(self, parser: Parser) -> None:
        """Adds arguments; each leaf sets `do` to a function of (args, out)."""


COMMANDS: dict[str, tuple[str, str]] = {
    "demo": ("segue.surfaces.cli.demo", "see it all work on a sample, in a temporary directory"),
    "handoff": ("segue.surfaces.cli.handoff", "hand the latest session to the next agent: the main job"),
    "models": ("segue.surfaces.cli.models", "what models are here for --model, and whether they work"),
    "brief": ("segue.surfaces.cli.brief", "tell a session for a model's eyes: in order, with pointers"),
    "sessions": ("segue.surfaces.cli.sessions", "open other programs' sessions: list, show, search, import"),
    "thread": ("segue.surfaces.cli.thread", "keep threads: post, branch, hand off, compile, search"),
    "artifact": ("segue.surfaces.cli.artifact", "store and fetch content-addressed blobs"),
    "store": ("segue.surfaces.cli.store", "move log and artifacts to other stores: PostgreSQL, S3, and back"),
    "change": (
        "segue.surfaces.cli.change",
        "track changes across sessions: records, handoff blocks, approval",
    ),
    "lint": ("segue.surfaces.cli.lint", "judge a handoff: what is wrong with it, and how it would be better"),
    "ground": ("segue.surfaces.cli.ground", "check a text, statement by statement, against its session"),
    "install": ("segue.surfaces.cli.install", "put segue into an agent: hooks and a handoff command"),
    "uninstall": ("segue.surfaces.cli.uninstall", "take it out again, without a trace"),
    "trust": (
        "segue.surfaces.cli.trust",
        "accept a workspace that you did not make here; hooks are silent in others",
    ),
    "draft": ("segue.surfaces.cli.draft", "write, show, approve or reject a rich handoff"),
    "replay": ("segue.surfaces.cli.replay", "print the current handoff for a session, once"),
    "ack": ("segue.surfaces.cli.ack", "record that a session has read its handoff"),
    "status": ("segue.surfaces.cli.status", "where this workspace stands"),
    "verify": ("segue.surfaces.cli.verify", "re-derive hashes, links and blobs, and say what is wrong"),
    "doctor": ("segue.surfaces.cli.doctor", "what is broken here and how to mend it"),
    "serve": ("segue.surfaces.cli.serve", "serve workspaces over HTTP, to any language and any machine"),
    "mcp": ("segue.surfaces.cli.mcp", "serve this workspace to an agent over MCP"),
    "forget": ("segue.surfaces.cli.forget", "remove a message, a thread, an artifact or a session for good"),
    "gc": ("segue.surfaces.cli.gc", "remove what was kept longer than the settings say"),
    "rebuild": ("segue.surfaces.cli.rebuild", "make every cache again from the frames"),
    "call": ("segue.surfaces.cli.call", "any operation by its name, JSON in and out: for programs"),
}

LOCAL = frozenset(("demo", "store", "install", "uninstall", "trust", "serve", "mcp"))
"""Commands about this machine, which no server does for it."""
_GLOBAL = {"--workspace": "DIR", "--server": "URL"}


def run(argv: list[str]) -> int:
    """Runs one command line and returns its exit code."""
    as_json = "--json" in argv[: argv.index("--") if "--" in argv else None]
    out = Output(_opened(), sys.stderr, as_json)
    try:
        return _dispatch(argv, out)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130
    except Exception as fault:
        if os.environ.get("SEGUE_DEBUG") == "1":
            raise
        return out.fail(_spoken(fault))


def _opened() -> TextIO | None:
    """Standard output, in UTF-8 whatever the locale; None where it is closed. What else is closed leads nowhere, so
    that nothing opened later takes its number and gets what was meant for it."""
    closed = [name for name in ("stdin", "stdout", "stderr") if getattr(sys, name) is None]
    for name in closed:
        setattr(sys, name, open(os.devnull, "r" if name == "stdin" else "w", encoding="utf-8"))  # noqa: SIM115
    if "stdout" in closed:
        return None
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.encoding.lower() != "utf-8":
        sys.stdout.reconfigure(encoding="utf-8")
    return sys.stdout


def _spoken(fault: Exception) -> SegueError:
    """Any failure as an error a person can read; what nobody foresaw is ours to mend."""
    if isinstance(fault, SegueError):
        return fault
    if isinstance(fault, OSError):
        return Unavailable(f"The system refused: {fault}.", "Check space and permissions, then try again.")
    said = " ".join(str(fault).split())[:200].rstrip(".")
    return Unavailable(
        f"Something went wrong that segue did not foresee: {type(fault).__name__}{said and f': {said}'}.",
        "SEGUE_DEBUG=1 shows the details; please report them.",
        "unforeseen",
    )


def _dispatch(argv: list[str], out: Output) -> int:
    flags, rest = _leading(argv)
    if not rest or rest[0] in ("-h", "--help", "help"):
        out.text(_overview())
        return 0 if rest else 2
    if rest[0] in ("-V", "--version"):
        from segue import __version__

        out.text(f"segue {__version__}")
        return 0
    noun = rest[0]
    if noun not in COMMANDS:
        raise BadInput(f"There is no command {noun!r}.", _nearest(noun))
    module = cast(Command, importlib.import_module(COMMANDS[noun][0]))
    more, words = _leading(rest[1:])
    parser = Parser(words, noun in LOCAL, prog=f"segue {noun}", description=module.__doc__)
    add_common(parser)
    module.configure(parser)
    args = parser.parse([*flags, *more])
    return args.do(args, out) or 0


def _leading(argv: list[str]) -> tuple[list[str], list[str]]:
    """Flags that go with every command may stand before the noun or the verb; they are moved behind it."""
    moved: list[str] = []
    rest = list(argv)
    while rest and (rest[0] == "--json" or rest[0].partition("=")[0] in _GLOBAL):
        moved.append(rest.pop(0))
        if moved[-1] in _GLOBAL and rest:
            moved.append(rest.pop(0))
    return moved, rest


def _overview() -> str:
    width = max(map(len, COMMANDS))
    rows = "\n".join(f"  {noun:<{width}}  {summary}" for noun, (_, summary) in COMMANDS.items())
    return (
        "segue hands work from one agent session to the next without losing the thread.\n\n"
        f"usage: segue COMMAND …\n\n{rows}\n\n"
        "`segue COMMAND --help` tells more. --json and --workspace DIR go with every command,\n"
        "--server URL with those that are not about this machine.\n"
        "exit: 0 done · 1 the answer is no · 2 wrong usage · 3 the log moved · 4 refused · 5 store unreachable"
    )


def _nearest(word: str) -> str:
    import difflib  # 4 ms

    close = difflib.get_close_matches(word, COMMANDS, 1)
    return f"Did you mean `segue {close[0]}`?" if close else "`segue --help` lists the commands."

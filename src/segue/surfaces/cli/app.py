"""From words to an operation: looks the command up, lets its parser read the rest, turns errors into exit codes.

Only the module of the command at hand is imported. Whatever happens, standard output carries the answer
and nothing else; with `--json`, an error is an answer too.
"""

from __future__ import annotations

import importlib
import os
import sys
from io import TextIOWrapper
from typing import TextIO

from segue.errors import BadInput, SegueError, Unavailable
from segue.surfaces.cli import parsing
from segue.surfaces.cli.output import Output

_GLOBAL = {"--workspace": "DIR", "--server": "URL"}


def run(argv: list[str]) -> int:
    """Runs one command line and returns its exit code."""
    as_json = "--json" in argv[: argv.index("--") if "--" in argv else None]
    out = Output(_open_streams(), sys.stderr, as_json)
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
        return out.fail(_as_error(fault))


def _open_streams() -> TextIO | None:
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


def _as_error(fault: Exception) -> SegueError:
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
    command = parsing.nouns().get(noun)
    if command is None:
        raise BadInput(f"There is no command {noun!r}.", _nearest(noun))
    more, words = _leading(rest[1:])
    verb = words[0] if words and words[0] in command.verbs else ""
    module = importlib.import_module(f"{__package__}.{(command.verbs[verb] if verb else command).module}")
    do = getattr(module, f"do_{verb or noun}".replace("-", "_"), None)
    bare = words[0] if words and not verb and not words[0].startswith("-") else ""
    if command.verbs and (bare or do is None) and not {"-h", "--help"} & {*words}:
        wrong = f"has no verb {bare!r}" if bare else "needs a verb"
        raise BadInput(f"segue {noun} {wrong}.", f"`segue {noun} --help` lists them.")
    args = parsing.parser_of(noun, verb).parse_args([*flags, *more, *words[bool(verb) :]])
    return do(args, out) or 0 if do else 2


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
    known = parsing.nouns()
    width = max(map(len, known))
    rows = "\n".join(f"  {noun:<{width}}  {one.summary}" for noun, one in known.items())
    return (
        "segue hands work from one agent session to the next without losing the thread.\n\n"
        f"usage: segue COMMAND …\n\n{rows}\n\n"
        "`segue COMMAND --help` tells more. --json and --workspace DIR go with every command,\n"
        "--server URL with those that are not about this machine.\n"
        "exit: 0 done · 1 the answer is no · 2 wrong usage · 3 the log moved · 4 refused · 5 store unreachable"
    )


def _nearest(word: str) -> str:
    import difflib  # 4 ms

    close = difflib.get_close_matches(word, parsing.nouns(), 1)
    return f"Did you mean `segue {close[0]}`?" if close else "`segue --help` lists the commands."

"""Slips: command lines that were wrongly written, told apart from work that failed.

Only the program that was called, or the shell that was to call it, can say so, before anything was
run: its first complaint is of the usage, and it names what was typed. The same words further down,
or of what nobody typed, are the failure of something that ran.
"""

from __future__ import annotations

from collections.abc import Sequence

from segue.extract.commands import shell
from segue.extract.commands.command_line import Simple
from segue.extract.text.prose import phrases, word_set

_TYPED = phrases(
    "unexpected argument|unknown flag|unknown shorthand flag|unknown option|unknown switch|"
    "unknown command|unknown argument|unrecognized argument|unrecognized option|unrecognized command|"
    "unrecognized subcommand|no such option|no such command|invalid option|invalid argument|"
    "illegal option|flag provided but not defined|no test target named|no bin target named|"
    "no example target named|cannot specify"
)
"""Complaints of what was typed, which they name."""
_LACKING = (
    "must provide `",
    "missing required",
    "the following required arguments",
    "the following arguments are required",
    "flag needs an argument",
    "help requested",
)
"""Complaints of what was not typed."""
_NO_LIBRARY = "no library targets found"
_UNREADABLE = (
    "syntax error near unexpected token",
    "unexpected eof while looking for",
    "parse error near",
    "no matches found:",
)
"""What a shell says of a line that it cannot take apart."""
_SHELLS = word_set("bash sh zsh dash eval")
_LABELS = word_set("error fatal flag __main__.py")
_MARKS = "'\"`‘’“”,.:;()[]<>"
_MAKES = word_set("create add new init tag branch clone worktree remote mkdir createdb")


def wrongly_written(commands: list[Simple], lines: Sequence[str]) -> bool:
    """The complaints in `lines` say that the line itself was wrong."""
    if not lines:
        return False
    first = lines[0].lower()
    if shell.bare(first.partition(":")[0]) in _SHELLS:
        return any(fault in first for fault in _UNREADABLE)
    tools = {tool.lower() for tool in shell.tools(commands)}
    said = _without_labels(first, tools)
    for complaint in _TYPED:
        if said.startswith(complaint):
            return _is_typed(said[len(complaint) :], commands)
    if said.startswith(_NO_LIBRARY):
        return any("--lib" in simple.words for simple in commands)
    if said.startswith("usage:"):
        return _speaks_of(said, tools) and _named_are_typed(lines[1:], tools, commands)
    if said.startswith(_LACKING):
        checks = any(simple.words and shell.is_check(simple.words) for simple in commands)
        return not checks or any(_speaks_of(line.lower(), tools) for line in lines)
    return False


def there_already(commands: list[Simple], lines: Sequence[str]) -> bool:
    """What was to be made exists; nothing is left to be done about it."""
    makes = any(not _MAKES.isdisjoint(simple.words[:4]) for simple in commands)
    return makes and any("already exists" in line.lower() for line in lines)


def _without_labels(line: str, tools: set[str]) -> str:
    """A line without the names of who speaks before it."""
    label, colon, rest = line.partition(": ")
    while colon and (label in _LABELS or shell.bare(label.split(" ", 1)[0]) in tools):
        line = rest
        label, colon, rest = line.partition(": ")
    return line


def _speaks_of(line: str, tools: set[str]) -> bool:
    usage = line.partition("usage:")[2].split()
    return bool(usage) and shell.bare(usage[0].strip(_MARKS)) in tools


def _named_are_typed(lines: Sequence[str], tools: set[str], commands: list[Simple]) -> bool:
    """What the complaints after a word on the usage name was typed, as far as they name anything."""
    for line in lines:
        said = _without_labels(line.lower(), tools)
        for complaint in _TYPED:
            if said.startswith(complaint):
                return _is_typed(said[len(complaint) :], commands)
    return True


def _is_typed(rest: str, commands: list[Simple]) -> bool:
    """The first thing that the rest of a complaint names stands in the command line."""
    names = (word.strip(_MARKS).lstrip("-") for word in rest.split())
    name = next((name for name in names if name and name not in ("s", "to")), "").split("=", 1)[0]
    typed = [word.lower() for simple in commands for word in simple.words[1:]]
    in_bundle = len(name) == 1 and any(word[:1] == "-" and name in word for word in typed)
    return in_bundle or any(name == word.strip(_MARKS).lstrip("-").split("=", 1)[0] for word in typed)

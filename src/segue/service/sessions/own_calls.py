"""Whether a call of an agent is one of segue: its program in a shell, a tool of its server, a look at its own files.

A command line is cut where the shell would cut it, no further: at separators outside of quotes and here-documents.
What of it names nothing but our files and the session's own transcript is ours as well.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator, Sequence
from functools import lru_cache

from segue.agents import own
from segue.model.entry import Entry
from segue.model.patterns import compiled

_PROGRAM = "segue"
_CUT = compiled(
    r"""(?P<skip>\\.|'[^']*'|"(?:\\.|[^"\\])*"|\$\([^()]*\))"""
    r"""|<<-?\s*(?P<quote>['"]?)(?P<word>\w+)(?P=quote)[^\n]{0,300}\n.*?(?:^\s*(?P=word)\s*$|\Z)"""
    r"""|(?P<cut>&&|\|\||;|(?<![<>&])&(?![>&])|\n)""",
    re.DOTALL | re.MULTILINE,
)
_BEFORE = compiled(
    r"-.*|\d+[smh]?|env|exec|command|which|type|nice|nohup|time|timeout|sudo|uv|uvx|run|pipx|python[\d.]*|py"
)
"""Words that may stand before the program: flags, programs that run another or look for it."""
_VARIABLE = compiled(r"\w+=.*", re.DOTALL)
_KEPT = compiled(r"""\w+=(?P<quote>"?)\$\((?P<command>[^()]*)\)(?P=quote)""")
"""A variable that keeps what a command prints."""
_PIPE = compiled(r"(?<!\|)\|(?!\|)")
_BETWEEN = compiled(r"""[\s'"<>|;&()]+""")
"""What stands between words, whatever they are."""
_OPENED = compiled(r"(?:\(\s*|(?:[{!]|if|elif|then|else|do|while|until)\s+)+")
"""What the shell reads before a command, to group it or to decide by it."""
_CLOSED = frozenset(("fi", "done", "esac", "}"))
_IDLE = {"source", ".", "for"} | frozenset(
    ("cd", "pushd", "popd", "echo", "printf", "export", "set", "true", ":", "sleep", "pwd", "exit")
)
_SPEAKS = _IDLE.union(
    ("git", "gh", "grep", "rg", "find", "ls", "cat", "mv", "cp", "ln", "rm", "mkdir", "touch")
)
"""Programs that run nothing they are given: what names us there is text or a file."""
_HANDS_OVER = frozenset(("handoff", "draft"))
"""Commands and groups of tools that have to do with making a handoff."""
_WITH_VALUE = frozenset(("--workspace", "--server"))
"""Flags before the command that take the word behind them."""
_LOOKS_OF_GIT = frozenset(("status", "log", "diff", "show", "branch", "rev-parse", "ls-files"))
_LOOKING_TOOLS = frozenset(("read", "search", "web", "todo"))


def is_ours(call: Entry) -> bool:
    """True for a call that does nothing but run segue, or look at what segue brought along."""
    if own.is_tool(call.tool):
        return True
    if call.command:
        return not without_ours(call.command, call.file, call.cwd)
    paths = [*call.paths, *(edit.path for edit in call.edits)]
    if paths:
        return all(own.is_own(path, call.file) for path in paths)
    return call.tool_kind == "other" and _names_us(call)


def written_by(call: Entry) -> tuple[str, ...] | None:
    """The files that a call writes which does nothing else but look; None for one that does more."""
    if call.command:
        from segue.extract.commands.command_line import simple_commands  # 7 ms, and few sessions ask for it
        from segue.extract.commands.tools import only_looks

        commands = simple_commands(call.command)
        others = [one for one in commands if not _is_look_of_git(one.words)]
        looks = [one._replace(writes=()) for one in others]
        return (
            tuple(path for one in commands for path in one.writes) if not looks or only_looks(looks) else None
        )
    if call.edits:
        return tuple(edit.path for edit in call.edits)
    return () if call.tool_kind in _LOOKING_TOOLS else None


def is_given(path: str, call: Entry) -> bool:
    """True for a file that a call of ours is told to read."""
    words = (word.removeprefix("./") for part in _parts(call.command) for word in _words(part))
    return any(path == word or path.endswith(f"/{word}") for word in words if word)


def _is_look_of_git(words: tuple[str, ...]) -> bool:
    return words[:1] == ("git",) and len(words) > 1 and words[1] in _LOOKS_OF_GIT


def hands_over(call: Entry) -> bool:
    """True for a call of ours that has to do with making a handoff; others look something up, or keep a record."""
    if not call.command:
        return not _HANDS_OVER.isdisjoint(call.tool.split("_"))
    return not _HANDS_OVER.isdisjoint(_verbs(call.command))


def _verbs(line: str) -> Iterator[str]:
    """What segue is told to do in a command line, and in those that are given to other programs there."""
    for part in _parts(line):
        for command in _PIPE.split(_KEPT.sub(r"\g<command>", part)):
            words = _words(command)
            yield _verb(words)
            for inner in _lines_in(words):
                yield from _verbs(inner)


def _verb(words: Sequence[str]) -> str:
    """What segue is told to do; empty where it is not run."""
    place = next((n for n, word in enumerate(words, 1) if os.path.basename(word) == _PROGRAM), len(words))
    value = False
    for word in words[place:]:
        if not value and not word.startswith("-"):
            return word
        value = word in _WITH_VALUE
    return ""


def _lines_in(words: Sequence[str]) -> list[str]:
    """Command lines that a program is given to run, or whose output it is given."""
    if not words or words[0] in _SPEAKS - _IDLE:
        return []
    printed = words[0] in _IDLE
    lines = (word[2:-1] if word.startswith("$(") else "" if printed else word for word in words[1:])
    return [line for line in lines if " " in line and _PROGRAM in line]


def _names_us(call: Entry) -> bool:
    """True for a call that looks up a tool of ours, or loads a skill."""
    words = re.findall(r"[\w:$/.-]+", call.text)
    loads = "skill" in call.tool.lower() and any(own.is_command(f"/{word}") for word in words)
    return loads or any(map(own.is_tool, words))


@lru_cache(64)
def without_ours(command: str, transcript: str = "", directory: str = "") -> str:
    """A command line without the parts that run segue, and without our files and the transcript of its session; empty
    where the rest does nothing of its own. `directory` is where it was run."""
    signs = (*own.SIGNS, *filter(None, [transcript.rpartition("/")[2]]))
    if not any(sign in command for sign in signs):
        return command
    rest: list[str] = []
    given: set[str] = set()
    changed = False
    for part in _parts(command):
        left = "" if _runs_us(part) else _without_names(part, transcript, directory)
        if left:
            rest.append(left)
        else:
            given.update(word for word in _words(part) if "/" in word or "." in word)
        changed = changed or left != part
        directory = _moved(part, directory)
    work = [part for part in rest if not _is_idle(part) and given.isdisjoint(_words(part))]
    return command if not changed else "; ".join(rest) if work else ""


def _without_names(part: str, transcript: str, directory: str) -> str:
    """A pipeline without the words that name what is ours; empty where it names nothing else and is run for that."""

    def is_ours(path: str) -> bool:
        return own.is_own(_resolved(path, directory), transcript)

    if not any(is_ours(word) for word in _BETWEEN.split(part) if word):
        return part
    from segue.extract.commands.command_line import simple_commands  # 7 ms, and few sessions ask for it
    from segue.extract.commands.effects import effects

    commands = simple_commands(part)
    named = [word for one in commands for word in one.words[1:] if is_ours(word)]
    written = [path for one in commands for path in one.writes if is_ours(path)]
    worked_on = (one.path for one in effects(commands, directory, _resolved))
    if (named or (written and _is_idle(part))) and all(map(is_ours, worked_on)):
        return ""
    for word in (*named, *written):
        part = re.sub(rf"""\s*(?:\d?>>?\s*|\s)(["']?){re.escape(word)}\1(?=["'\s|)]|$)""", "", part)
    return part


def _moved(part: str, directory: str) -> str:
    """Where a shell stands after a part."""
    words = _words(part)
    return _resolved(words[1], directory) if words[:1] == ["cd"] and len(words) == 2 else directory


def _resolved(path: str, directory: str) -> str:
    return path if path.startswith(("/", "~", "$")) else os.path.normpath(os.path.join(directory, path))


def _parts(command: str) -> Iterator[str]:
    """The pipelines of a command line, without what groups them."""
    start = 0
    for found in _CUT.finditer(command):
        if found["cut"]:
            yield from filter(None, [_ungrouped(command[start : found.start()])])
            start = found.end()
    yield from filter(None, [_ungrouped(command[start:])])


def _ungrouped(part: str) -> str:
    part = part.strip()
    if opened := _OPENED.match(part):
        part = part[opened.end() :]
    while part.endswith(")") and part.count(")") > part.count("("):
        part = part[:-1].rstrip()
    return "" if part in _CLOSED else part


def _runs_us(pipeline: str) -> bool:
    if kept := _KEPT.fullmatch(pipeline):
        return _is_all_ours(kept["command"])
    return any(map(_begins_with_us, _PIPE.split(pipeline)))


def _begins_with_us(command: str) -> bool:
    """Whether a command runs segue, by itself or through programs that run another."""
    words = _words(command)
    if any(map(_is_all_ours, _lines_in(words))):
        return words[0].endswith("sh") or not _HANDS_OVER.isdisjoint(_verbs(command))
    for word in words:
        if os.path.basename(word) == _PROGRAM:
            return True
        if not _VARIABLE.fullmatch(word) and not _BEFORE.fullmatch(os.path.basename(word)):
            return words[0] not in _SPEAKS and _verb(words) in _HANDS_OVER
    return False


def _is_all_ours(command: str) -> bool:
    return bool(command.strip()) and not without_ours(command)


def _is_idle(pipeline: str) -> bool:
    """True for a part that changes nothing but the shell."""
    words = _words(pipeline)
    return not words or words[0] in _IDLE or words[0].startswith("#") or all("=" in word for word in words)


@lru_cache(256)
def _words(command: str) -> Sequence[str]:
    try:
        return shlex.split(command.partition("<<")[0])
    except ValueError:
        return command.split()

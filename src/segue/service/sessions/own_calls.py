"""Whether a call of an agent is one of segue: its program in a shell, a tool of its server, a look at its own files.

A command line is cut where the shell would cut it, no further: at separators outside of quotes and here-documents.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Iterator

from segue.agents import own
from segue.model.entry import Entry

_PROGRAM = "segue"
_SIGNS = (_PROGRAM, "handoff")
"""One of which stands in every command that runs segue or looks at its files."""
_CUT = re.compile(
    r"""(?P<skip>\\.|'[^']*'|"(?:\\.|[^"\\])*"|\$\([^()]*\))"""
    r"""|<<-?\s*(?P<quote>['"]?)(?P<word>\w+)(?P=quote)[^\n]{0,300}\n.*?(?:^\s*(?P=word)\s*$|\Z)"""
    r"""|(?P<cut>&&|\|\||;|(?<![<>&])&(?![>&])|\n)""",
    re.DOTALL | re.MULTILINE,
)
_BEFORE = (
    r"-.*|\d+[smh]?|env|exec|command|which|type|nice|nohup|time|timeout|sudo|uv|uvx|run|pipx|python[\d.]*|py"
)
"""Words that may stand before the program: flags, programs that run another or look for it."""
_VARIABLE = re.compile(r"\w+=.*", re.DOTALL)
_KEPT = r"""\w+=(?P<quote>"?)\$\((?P<command>[^()]*)\)(?P=quote)"""
"""A variable that keeps what a command prints."""
_ASKS = re.compile(r"\bhand(?:ing)?\b(?:[ -]\w+){0,3}?[ -](?:off|over)\b")
_CLAUSE = r"[.,;!?](?:\s|$)|[。，；！？、]|\n"
"""Where a sentence, or a part of one, ends and another begins."""
_PIPE = r"(?<!\|)\|(?!\|)"
_SHELL = r"(?:\S*/)?(?:ba|z|da)?sh -\w*c"
_IDLE = frozenset(
    ("cd", "pushd", "popd", "echo", "printf", "export", "set", "true", ":", "sleep", "pwd", "exit")
)
_HANDS_OVER = frozenset(("handoff", "draft"))
"""Commands and groups of tools that have to do with making a handoff."""
_WITH_VALUE = frozenset(("--workspace", "--server"))
"""Flags before the command that take the word behind them."""
_LOOKS = frozenset(("cat", "head", "tail", "less", "sed", "nl", "bat", "ls", "wc"))
_LOOKS_OF_GIT = frozenset(("status", "log", "diff", "show", "branch", "rev-parse", "ls-files"))
_LOOKING_TOOLS = frozenset(("read", "search", "web", "todo"))


def is_ours(call: Entry) -> bool:
    """True for a call that does nothing but run segue, or look at what segue brought along."""
    if own.is_tool(call.tool):
        return True
    if call.command:
        return any(sign in call.command for sign in _SIGNS) and not without_ours(call.command)
    paths = [*call.paths, *(edit.path for edit in call.edits)]
    if paths:
        return all(map(own.is_file, paths))
    return call.tool_kind == "other" and _names_us(call)


def names_us(prompt: str) -> bool:
    """True for a prompt that names us or says to hand off."""
    words = prompt.lower()
    return any(sign in words for sign in _SIGNS) or ("hand" in words and _ASKS.search(words) is not None)


def asks_for_us_alone(prompt: str) -> bool:
    """True for a prompt of one clause that names us: it has no room for anything else that holds."""
    return names_us(prompt) and re.search(_CLAUSE, prompt.strip().rstrip(".!?。！？")) is None


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
    return any(
        _verb(command) in _HANDS_OVER
        for part in _parts(call.command)
        for command in re.split(_PIPE, re.sub(_KEPT, r"\g<command>", part))
    )


def _verb(command: str) -> str:
    """What segue is told to do; empty where it is not run."""
    words = _words(command)
    if len(words) == 3 and re.fullmatch(_SHELL, " ".join(words[:2])):
        words = _words(words[2])
    place = next((n for n, word in enumerate(words, 1) if os.path.basename(word) == _PROGRAM), len(words))
    value = False
    for word in words[place:]:
        if not value and not word.startswith("-"):
            return word
        value = word in _WITH_VALUE
    return ""


def _names_us(call: Entry) -> bool:
    """True for a call that looks up a tool of ours, or loads a skill."""
    words = re.findall(r"[\w:$/.-]+", call.text)
    loads = "skill" in call.tool.lower() and any(own.is_command(f"/{word}") for word in words)
    return loads or any(map(own.is_tool, words))


def without_ours(command: str) -> str:
    """A command line without the parts that run segue; empty where the rest does nothing of its own."""
    parts = list(_parts(command))
    ours = [part for part in parts if _runs_us(part) or _looks_at_ours(part)]
    if not ours:
        return command
    given = {word for part in ours for word in _words(part) if "/" in word or "." in word}
    rest = [part for part in parts if part not in ours]
    work = [part for part in rest if not _is_idle(part) and given.isdisjoint(_words(part))]
    return "; ".join(rest) if work else ""


def _parts(command: str) -> Iterator[str]:
    """The pipelines of a command line."""
    start = 0
    for found in _CUT.finditer(command):
        if found["cut"]:
            yield from filter(None, [command[start : found.start()].strip()])
            start = found.end()
    yield from filter(None, [command[start:].strip()])


def _runs_us(pipeline: str) -> bool:
    if kept := re.fullmatch(_KEPT, pipeline):
        return _is_all_ours(kept["command"])
    return any(map(_begins_with_us, re.split(_PIPE, pipeline)))


def _begins_with_us(command: str) -> bool:
    words = _words(command)
    if len(words) == 3 and re.fullmatch(_SHELL, " ".join(words[:2])):
        return _is_all_ours(words[2])
    for word in words:
        if os.path.basename(word) == _PROGRAM:
            return True
        if not _VARIABLE.fullmatch(word) and not re.fullmatch(_BEFORE, os.path.basename(word)):
            return False
    return False


def _is_all_ours(command: str) -> bool:
    return bool(command.strip()) and not without_ours(command)


def _looks_at_ours(pipeline: str) -> bool:
    words = _words(pipeline)
    named = [word for word in words[1:] if "/" in word or own.is_file(word)]
    return words[:1] != [] and words[0] in _LOOKS and bool(named) and all(map(own.is_file, named))


def _is_idle(pipeline: str) -> bool:
    """True for a part that changes nothing but the shell."""
    words = _words(pipeline)
    return not words or words[0] in _IDLE or words[0].startswith("#") or all("=" in word for word in words)


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command.partition("<<")[0])
    except ValueError:
        return command.split()

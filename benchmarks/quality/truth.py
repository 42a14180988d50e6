"""What a handoff at a cut should have kept, known from what happened before and after it.

Nothing here is understood by its wording. A file or a command is needed when the next calls used it and it was
known before; a file was changed when a tool changed it; a command fails when the harness said so of its last run;
a person's words are what a person said.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from transcript import Step

HORIZON = 40
"""Calls after the cut that tell what was needed."""
PROMPTS = 8
"""Prompts before the cut that should be there, the newest ones."""
REPORTS = 4
"""Last messages of turns, likewise: what was done, found and decided stands there."""
_LOOKS = frozenset(
    re.findall(
        r"\w+",
        "cd ls cat head tail grep rg find sed awk wc echo pwd which sleep true test export mkdir rm cp mv git gh",
    )
)
"""Programs that any successor runs unasked, in whatever project: naming them helps nobody."""
_WORD = re.compile(r"\w[\w./-]{3,}")

Key = tuple[str, ...]


class Truth(NamedTuple):
    """`files` and `commands` were needed next, `changed` before the cut, `failing` at it; `said` are the words of
    prompts, `reported` those of the agent at the end of a turn."""

    files: frozenset[str]
    commands: frozenset[Key]
    changed: frozenset[str]
    failing: frozenset[Key]
    said: tuple[frozenset[str], ...]
    reported: tuple[frozenset[str], ...]


def truth(before: Sequence[Step], after: Sequence[Step]) -> Truth:
    known = "\n".join(step.text for step in before if step.kind in ("person", "agent"))
    files, commands = _used(step for step in before if step.kind == "call")
    needed, run = _used([step for step in after if step.kind == "call"][:HORIZON])
    return Truth(
        frozenset(one for one in needed if one in files or one in known),
        frozenset(run & commands),
        frozenset(file_key(path) for step in before if step.edits for path in step.paths),
        failing(before),
        _texts(prompts(before)[-PROMPTS:]),
        _texts(reports(before)[-REPORTS:]),
    )


def _texts(texts: Iterable[str]) -> tuple[frozenset[str], ...]:
    return tuple(words for text in texts if len(words := words_of(text)) > 2)


def prompts(steps: Iterable[Step]) -> list[str]:
    """What the person said, each once, at its last place."""
    said = {step.text.strip(): step.line for step in steps if step.kind == "person" and step.text.strip()}
    return sorted(said, key=lambda text: said[text])


def reports(steps: Iterable[Step]) -> list[str]:
    """The last message of every turn; of the last one, too, though it may not be over."""
    found: list[str] = []
    last = ""
    for step in steps:
        if step.kind == "agent":
            last = step.text.strip() or last
        elif step.kind == "person" and step.text.strip() and last:
            found.append(last)
            last = ""
    return [*found, last] if last else found


def failing(steps: Iterable[Step]) -> frozenset[Key]:
    """Commands whose last run failed."""
    calls = {step.call_id: step for step in steps if step.kind == "call" and step.command}
    last: dict[Key, bool] = {}
    for step in steps:
        call = calls.get(step.call_id) if step.kind == "result" else None
        if call is not None and step.failed is not None and (keys := command_keys(call.command)):
            last[keys[-1]] = step.failed
    return frozenset(key for key, failed in last.items() if failed)


def file_key(path: str) -> str:
    """The last two parts of a path: what a reader recognises it by, wherever the project lies."""
    return "/".join([part for part in path.split("/") if part not in ("", ".", "..", "~")][-2:])


def command_keys(command: str) -> list[Key]:
    """Program and first argument of every command of a line that does something."""
    keys = []
    for part in re.split(r"&&|\|\||[;|\n]", command.split("<<")[0]):
        try:
            words = [word for word in shlex.split(part) if "=" not in word]
        except ValueError:
            continue
        plain = [word for word in words if not word.startswith("-")]
        if plain and plain[0] not in _LOOKS and re.fullmatch(r"[\w./-]+", plain[0]):
            keys.append(tuple(plain[:2]))
    return keys


def words_of(text: str) -> frozenset[str]:
    """The longer words at the beginning of a text."""
    return frozenset(word.lower().rstrip("./-") for word in _WORD.findall(text)[:30])


def _used(calls: Iterable[Step]) -> tuple[set[str], set[Key]]:
    files: set[str] = set()
    commands: set[Key] = set()
    for call in calls:
        files |= {file_key(path) for path in call.paths}
        commands |= set(command_keys(call.command))
    return files - {""}, commands

"""The talk of person and agent, kept as it was while a session is read; `words` understands it.

Bounded by forgetting the middle of endless sessions.
"""

from __future__ import annotations

from typing import ClassVar

from segue.extract.text.prose import ends
from segue.model.facts import Quote, Word
from segue.model.value import NamedTuple

_PROMPT_LIMIT = 12_000
_MOST = 4000
"""Prompts that are kept."""
_TOLD = 400
_TOLD_LIMIT = 4000
_EDIT, _EDITS = 200, 4
"""Characters of an edit, and edits after a prompt, that may show what it changed."""


class Said(NamedTuple):
    text: str
    line: int
    id: str
    via: str


class Spoken(NamedTuple):
    """What came of a talk: what the person asked for, and their words, those that a later one replaced marked."""

    prompts: list[Quote]
    words: list[Word]


class Talk:
    REMEMBERS: ClassVar = {
        "said": list[Said],
        "told": list[tuple[int, str]],
        "_changes": list[tuple[int, str, str]],
    }

    def __init__(self) -> None:
        self.said: list[Said] = []
        """What the person said, in order."""
        self.told: list[tuple[int, str]] = []
        """What the agent said of late, by line: a person may paste it."""
        self._changes: list[tuple[int, str, str]] = []
        """What the agent's first edits after a prompt took away and put there, with the line of the prompt."""

    def hear(self, text: str, line: int, native_id: str, via: str) -> None:
        """The person said this."""
        text = text.strip()
        if not text:
            return
        if len(self.said) >= _MOST:
            del self.said[_MOST // 8 : _MOST // 4]
        self.said.append(Said(ends(text, _PROMPT_LIMIT), line, native_id, via))

    def overhear(self, text: str, line: int) -> None:
        """The agent said this."""
        self.told.append((line, ends(text, _TOLD_LIMIT)))
        if len(self.told) > 2 * _TOLD:
            del self.told[:_TOLD]

    def changed(self, old: str, new: str) -> None:
        """The agent put one text in the place of another."""
        if not self.said or not 0 < len(old) <= _EDIT or not 0 < len(new) <= _EDIT:
            return
        line, made = self.said[-1].line, self._changes
        if len(made) < _EDITS or made[-_EDITS][0] != line:
            made.append((line, old, new))
        if len(made) > 2 * _TOLD:
            del made[:_TOLD]

    def changes(self) -> dict[int, list[tuple[str, str]]]:
        """The edits by the line of the prompt they followed."""
        found: dict[int, list[tuple[str, str]]] = {}
        for line, old, new in self._changes:
            found.setdefault(line, []).append((old, new))
        return found

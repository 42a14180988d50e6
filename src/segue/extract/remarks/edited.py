"""Statements about code that an edit took away since: `the registry uses the old plugin`, and then it did not.

What a sentence quotes as code, and a later edit found and did not leave, is so no more. An edit that puts there what
the sentence names behind it only does what the sentence tells.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from msgspec.structs import replace

from segue.extract.text.prose import plainly, sentences, word_set
from segue.model.entry import Edit
from segue.model.facts import FileFact, Note
from segue.model.value import NamedTuple

_MOST = 160
"""Edits that are kept, the latest."""
_LONGEST = 900
"""Characters of what an edit put there, beyond which that may be cut, and nobody knows whether something is missing."""
_SHORTEST_CODE, _SHORTEST = 4, 36
"""Characters of what is quoted to be something by itself, and of a statement to be worth telling."""
_AROUND = "<>/()[]{}.,;:*\"'"
_BECAME = (" to ", "→", "->", "=>", " with ", " by ")
"""What stands between what was and what it became."""
_IS = word_set(
    "is are uses use using has have had expects renders calls sets points returns defines lists still"
)
_CHANGES = word_set(
    "remove removing removed drop dropping replace replacing change changing switch switching rename delete move should must needs need fix"
)


class Made(NamedTuple):
    line: int
    path: str
    old: str
    new: str


class Edits:
    """Keeps what the latest edits took away and put there."""

    REMEMBERS: ClassVar = {"made": list[Made]}

    def __init__(self) -> None:
        self.made: list[Made] = []

    def changed(self, edit: Edit, line: int) -> None:
        if edit.old and len(edit.new) < _LONGEST:
            self.made.append(Made(line, edit.path, edit.old, edit.new))
            if len(self.made) > 2 * _MOST:
                del self.made[:_MOST]


def lasting(notes: Sequence[Note], made: Sequence[Made], mended: str) -> list[Note]:
    """The statements without the sentences that quote what is no more; a finding is told as `mended`."""
    if not made:
        return list(notes)
    kept: list[Note] = []
    taken = "\n".join(edit.old for edit in made)
    for note in notes:
        line = note.evidence[0].line if note.evidence and not note.origin else 0
        if not line or not _may_be_gone(note.text, taken) or not _is_gone(note.text, line, made):
            kept.append(note)
        elif note.kind == "finding":
            told = note.text if note.text.startswith(mended) else mended + note.text
            kept.append(replace(note, text=told, score=note.score - 1))
        else:
            spoken = sentences(note.text) or [note.text]
            text = " ".join(said for said in spoken if not _is_gone(said, line, made))
            kept += [replace(note, text=text)] if len(text) >= _SHORTEST else []
    return kept


def explained(files: Sequence[FileFact], made: Sequence[Made]) -> list[FileFact]:
    """The files, without a reason that only tells how they were before."""
    if not made:
        return list(files)
    return [
        replace(file, why="")
        if "`" in file.why and not file.origin and _tells_of_before(file, made)
        else file
        for file in files
    ]


def _tells_of_before(file: FileFact, made: Sequence[Made]) -> bool:
    words = plainly(file.why).replace(",", " ").split()
    if _IS.isdisjoint(words) or not _CHANGES.isdisjoint(words):
        return False
    return _is_gone(file.why, 0, [edit for edit in made if edit.path.endswith(file.path)])


def _may_be_gone(said: str, taken: str) -> bool:
    """A quick look: something that is quoted is in what edits took away, all of them in one text."""
    return "`" in said and any(part.strip(_AROUND) in taken for part in said.split("`")[1::2])


def _is_gone(said: str, line: int, made: Sequence[Made]) -> bool:
    """A later edit took away what is quoted, nothing put it back, and what the edit put there the sentence does not
    name for it: before it only where it does not tell what became what."""
    parts = said.split("`")
    quoted = [code for part in parts[1::2] if len(code := part.strip(_AROUND)) >= _SHORTEST_CODE]
    turned = any(sign in between for between in parts[2:-1:2] for sign in _BECAME)
    for place, code in enumerate(quoted):
        last = next((edit for edit in reversed(made) if edit.line > line and _touches(edit, code)), None)
        others = quoted[place + 1 :] if turned else [other for other in quoted if other != code]
        if last and code not in last.new and not any(other in last.new for other in others):
            return True
    return False


def _touches(edit: Made, code: str) -> bool:
    return code in edit.old or code in edit.new

"""What the texts of a handoff block claim to be there: files, functions and tests, sentence by sentence.

Only what is plainly said to exist is taken. A sentence about something to be made, taken away or missing
claims nothing of the kind, and what stands in quotation marks is somebody else's word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.changes.lint import BLOCK
from segue.model import prose
from segue.model.change import HandoffBlock
from segue.model.value import NamedTuple

_ELSEWHERE = re.compile(r"\"[^\"]*\"|“[^”]*”|\w+://\S+|(?<![\w.`])~?/\S+")
_SENTENCE = re.compile(r"(?<=[.;!?])\s+")
_ABSENT = re.compile(
    r"\b(?:delet|remov|renam|mov|replac|revert|dropp?)(?:e[ds]?|ing|s)?\b|\bdrop\b"
    r"|\b(?:not|no|never|without|missing|lacks?|lost|gone|yet|will|should|would|instead)\b|n't\b",
    re.I,
)
_TO_BE_MADE = re.compile(
    r"\b(?:add|create|write|implement|introduce|generate|draft|extract|split|extend|make|build|new|into|save|capture)\b",
    re.I,
)
_FILE = re.compile(r"(?:.*/)?[^/]*\w\.[A-Za-z]\w{0,9}")
_BRAND = re.compile(r"[A-Z]\w*\.js")
_FUNCTION = re.compile(r"\b(?:\w+(?:\.|::))*([A-Za-z_]\w{2,})\(\)")
_TEST = re.compile(r"\b(test_\w+)\b(?![./-])")


class Claimed(NamedTuple):
    """One text of the block, where it stands, and what it says is there."""

    field: str
    number: int
    text: str
    files: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def where(self) -> str:
        return f"{BLOCK}.{self.field}" + (f", item {self.number}" if self.number else "")


def claimed(block: HandoffBlock) -> list[Claimed]:
    return [_claims(*told) for told in _texts(block)]


def _texts(block: HandoffBlock) -> Iterator[tuple[str, int, str]]:
    yield "progress_summary", 0, block.progress_summary
    for field, texts in (("next_steps", block.next_steps), ("key_context", block.key_context)):
        for number, text in enumerate(texts, 1):
            yield field, number, text


def _claims(field: str, number: int, text: str) -> Claimed:
    text = _ELSEWHERE.sub(" ", text[: prose.LOOKED_AT])
    to_come = field != "progress_summary"
    said = [
        sentence
        for sentence in _SENTENCE.split(text)
        if not _ABSENT.search(sentence) and not (to_come and _TO_BE_MADE.search(sentence))
    ]
    files = [path for sentence in said for path in prose.paths_in(sentence) if _is_file(path)]
    names = [name for sentence in said for find in (_FUNCTION, _TEST) for name in find.findall(sentence)]
    return Claimed(field, number, text, tuple(dict.fromkeys(files)), tuple(dict.fromkeys(names)))


def _is_file(path: str) -> bool:
    return bool(_FILE.fullmatch(path)) and not _BRAND.fullmatch(path) and ".." not in path

"""The files that a packet or document lists, one by one, with what it tells of each."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import get_args

from segue.handoff.item_reading import ParsedItem
from segue.handoff.parse import Parsed
from segue.model.facts import FileAction
from segue.model.packet import ALSO
from segue.model.value import NamedTuple

_CODE = re.compile(r"`([^`]+)`")
_LISTED = re.compile(r"(.+?)(?: \(([^()]*)\))?(?:: .*| — .*)?")
_BETWEEN = re.compile(r", (?![^()]{0,60}\))")
_TOLD_AT_LENGTH = re.compile(r": | — ")
_ACTIONS: dict[str, FileAction] = {action: action for action in get_args(FileAction)}
_DOCUMENT = "Projects and files touched recently"


class ListedFile(NamedTuple):
    """`marks` is what stands in parentheses behind the name, `item` the row it was read from."""

    path: str
    marks: str
    where: str
    item: ParsedItem

    @property
    def action(self) -> FileAction | None:
        """What was done to it; None where nothing is marked."""
        return next(
            (_ACTIONS[word] for word in self.marks.replace(",", " ").split() if word in _ACTIONS), None
        )


def listed(parsed: Parsed) -> Iterator[ListedFile]:
    for item in parsed.items("Files"):
        for name, marks in named_files(item.text) if item.listed and item.group.endswith("/") else ():
            yield ListedFile(posixpath.normpath(item.group + name), marks, f"Files, line {item.line}", item)
    for item in parsed.items(_DOCUMENT):
        match = _CODE.match(item.text)
        if match and item.listed:
            about = item.text[match.end() :].partition(")")[0]
            marks = about.removeprefix(" (") if about.startswith(" (") else ""
            yield ListedFile(match[1], marks, f"{_DOCUMENT}, line {item.line}", item)


def named_files(text: str) -> Iterator[tuple[str, str]]:
    """(name, marks) of the files of a row: one, or several by their names."""
    several = text.startswith(ALSO) or not _TOLD_AT_LENGTH.search(text)
    for name in _BETWEEN.split(text.removeprefix(ALSO)) if several else [text]:
        if match := _LISTED.fullmatch(name[:1000]):
            yield match[1], match[2] or ""

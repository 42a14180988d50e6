"""Whether what a change's block claims is so: its commits and files, judged like those of any handoff, and its names.

A bare name or the end of a path means any file that ends so. Without a repository only whole paths are
looked up; nothing is said about what could not be looked at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice

from segue.changes.drift import Claimed, claimed
from segue.changes.sentences import finding
from segue.handoff.item_reading import ParsedItem
from segue.handoff.parse import Block, Parsed, ParsedSection
from segue.handoff.verify.verdict import verify, wanted
from segue.model.change import Record
from segue.model.finding import Finding
from segue.model.packet import MODIFIED_FILES
from segue.service.changes import git
from segue.service.changes.files import FOLDER
from segue.service.repository.observations import observe

_NAMES = 40
"""Each is one search through the repository; 4 ms in a thousand files."""


def broken_claims(root: str, record: Record) -> list[Finding]:
    """What the block says is there and is not."""
    told = claimed(record.session_context.handoff)
    return [*_handoff(root, told), *_names(root, told)]


def _handoff(root: str, told: Sequence[Claimed]) -> Iterator[Finding]:
    unseen = _unseen(root, told)
    sections = [
        ParsedSection(
            name=text.where,
            known=True,
            line=0,
            body=text.text,
            items=(ParsedItem(text=text.text, state="reported"),),
        )
        for text in told
    ]
    named = Block(name=MODIFIED_FILES, line=0, paths=tuple(unseen), closed=True)
    parsed = Parsed(kind="document", preamble="", sections=tuple(sections), blocks=(named,))
    for found in verify(parsed, None, observe(root, wanted(parsed, None))):
        if found.state == "drifted" and found.kind in ("commit", "file"):
            where = unseen.get(found.where) or found.where.rpartition(",")[0]
            message = f"{found.where} is not there." if found.kind == "file" else found.message
            yield Finding(f"claim-{found.kind}", "warning", where, message, found.hint)


def _unseen(root: str, told: Sequence[Claimed]) -> dict[str, str]:
    """Files that git does not know of, with the text that names each."""
    named = {path: text.where for text in reversed(told) for path in text.files}
    known = git.files(root)
    seen = {end for path in known for cut in _beginnings(path) if (end := path[cut:]) in named}
    return {path: where for path, where in named.items() if path not in seen and (known or "/" in path)}


def _beginnings(path: str) -> list[int]:
    """Where the parts of a path begin."""
    return [0, *(place + 1 for place, mark in enumerate(path) if mark == "/")]


def _names(root: str, told: Sequence[Claimed]) -> Iterator[Finding]:
    if git.asked(root, "rev-parse", "--git-dir") is None:
        return
    places: dict[str, str] = {}
    for text in told:
        for name in text.names:
            places.setdefault(name, text.where)
    for name, where in islice(places.items(), _NAMES):
        if not git.holds(root, name, FOLDER):
            yield finding("claim-name", where=where, name=name)

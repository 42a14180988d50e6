"""Claims against the results of tools: what a claim names has to stand in the result it points to."""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.handoff.item_reading import ParsedItem
from segue.handoff.verify.finding import at, short
from segue.handoff.verify.transcript import Shown, Transcript
from segue.handoff.verify.words import calls
from segue.handoff.wording import says
from segue.model.claim import PROVEN

_CODE = re.compile(r"`([^`]+)`")
_QUOTE = re.compile(r'"(.+)"')
_ADDRESS = re.compile(r"https?://[^\s\"'<>)\]`]*[\w/]")
_ID = re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{7,40}\b|(?<=[Cc]ommit )[0-9a-f]{7,40}\b")
_ID_LIKE = re.compile(r"\b[0-9a-f]{7,40}\b")
_NUMBER = re.compile(r"(?<![\w#.-])\d+(?:[.:]\d+)*(?![\w-])")
_COMMIT = re.compile(
    r"commit (?:([0-9a-f]{7,40})|\([^()]*\))(?: \(([0-9a-f]{7,40}) when it was made\))?(?: on \S+)?(?:: (.+))?"
)
_PUSH = re.compile(r"pushed (\S+) -> (\S+)(?: \(([0-9a-f.]+)(?:, forced)?\))?(?:; .*)?")
_TAKEN_BACK = ("no longer there since ", "reverted by ", "uncommitted changes")
"""How a claim begins that tells of work as gone, at the command that took it; ids in it are of other lines."""


def ids(text: str) -> list[str]:
    """The commits that a claim names."""
    return _ID.findall(text)


def claimed(item: ParsedItem, transcript: Transcript) -> Iterator[str]:
    there = transcript.at(*item.evidence)
    results = [shown for shown in there if shown.by == "result" or shown.kind == "user"]
    if item.state in PROVEN and not results:
        yield f"{at(item)} is no result of a tool"
        return
    text = "\n".join(shown.whole for shown in (results if item.state in PROVEN else there))
    if item.state in ("tested", "built") and results and all(shown.failed for shown in results):
        yield "its record says that it failed"
    yield from _missing(item, there, text, transcript)


def _missing(item: ParsedItem, there: list[Shown], text: str, transcript: Transcript) -> Iterator[str]:
    """What the claim names and the text does not hold."""
    if commit := _COMMIT.fullmatch(item.text):
        made = commit[2] or commit[1]
        yield from _ids([made] if made else [], text)
        if commit[2] and commit[1] and commit[1] not in transcript.ids:
            yield f"no result shows {commit[1]}"
        if commit[3] and not says(text, commit[3]):
            yield f"no commit {short(commit[3])} is there"
        if not any("commit" in shown.command or "git" in shown.command for shown in there):
            yield f"{at(item)} runs no git"
    elif push := _PUSH.fullmatch(item.text):
        for named in (f"{push[1]} -> {push[2]}", push[3] or ""):
            if named and not says(text, named):
                yield f"no push {short(named)} is there"
    else:
        for command in _CODE.findall(_QUOTE.sub(" ", item.text)):
            if not any(calls(shown, command) for shown in there):
                yield f"{at(item)} does not run {short(command)}"
        if not item.text.startswith(_TAKEN_BACK):
            yield from _marks(item.text, text)


def _marks(told: str, text: str) -> Iterator[str]:
    for quote in _QUOTE.findall(told):
        if not says(text, quote):
            yield f"{short(quote)} is not there"
    prose = _CODE.sub(" ", _QUOTE.sub(" ", told))
    for address in _ADDRESS.findall(prose):
        if not re.search(rf"{re.escape(address)}(?![\w-])", text):
            yield f"{address} is not there"
    prose = _ADDRESS.sub(" ", prose)
    yield from _ids(_ID.findall(prose), text)
    for number in _NUMBER.findall(_ID.sub(" ", prose)):
        if not says(text, number):
            yield f"{number} is not there"


def _ids(ids: list[str], text: str) -> Iterator[str]:
    known = _ID_LIKE.findall(text)
    for sought in ids:
        if not any(other.startswith(sought) or sought.startswith(other) for other in known):
            yield f"{sought} is not there"

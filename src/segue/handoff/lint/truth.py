"""Rules that compare a handoff with the session it is about and with the clock."""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.handoff.lint.reading import Reading
from segue.handoff.lint.rule import Given, Hit
from segue.handoff.stamp import read_stamp, stamp
from segue.model import prose

FRESH_MS = 24 * 3600 * 1000
"""A handoff is written for the next session; past this age somebody should look at it again."""
SLACK_MS = 30 * 60 * 1000
"""How much work may follow a body before it is called stale; the tail covers that much."""

_UP_TO = re.compile(r"^Up to \[#(\d{1,12})\](?: at (\S+?))?\.?(?: |$)", re.M)


def no_tail(reading: Reading, given: Given) -> Iterator[Hit]:
    if reading.kind == "document" and not (reading.tail or "").strip():
        yield Hit("the tail", "There is no recent tail.")


def stale_tail(reading: Reading, given: Given) -> Iterator[Hit]:
    covers = _UP_TO.search((reading.tail or "")[:400])
    if covers is None:
        return
    last = given.last_line
    if last is not None and int(covers[1]) < last:
        yield Hit("the tail", f"The tail ends at #{covers[1]}; the session goes on to #{last}.")


def stale(reading: Reading, given: Given) -> Iterator[Hit]:
    written = _written(reading)
    if written is None:
        return
    ended = given.facts.source.ended_ms if given.facts else None
    if ended is not None and written + SLACK_MS < ended:
        yield Hit(
            "the whole", f"It knows the session up to {stamp(written)}; the last entry is of {stamp(ended)}."
        )
    elif given.now_ms is not None and written + FRESH_MS < given.now_ms:
        yield Hit("the whole", f"It is of {stamp(written)}, more than a day ago.")


def dangling_pointer(reading: Reading, given: Given) -> Iterator[Hit]:
    last = given.last_line
    for line, where in reading.places:
        if line < 1:
            yield Hit(where, f"[#{line}] points nowhere: lines count from 1.")
        elif last and line > last:
            yield Hit(where, f"[#{line}] points nowhere: the session has {last} lines.")


def unlisted_file(reading: Reading, given: Given) -> Iterator[Hit]:
    """Files in the middle of an edit that the handoff does not name; without the facts, those that it
    mentions only in passing."""
    if given.facts:
        for file in given.facts.files:
            if file.work_state in ("editing", "partially_done") and not _names(reading.text, file.path):
                yield Hit(_where(reading), f"{file.path} is in the middle of an edit and is not listed.")
        return
    listed = _listed(reading)
    for said in (*reading.progress, *reading.context):
        for path in () if said.quoted else prose.unfinished_paths(said.text):
            if not _names(listed, path):
                yield Hit(
                    said.where, f"{path} is said to be unfinished and is not listed in {_where(reading)}."
                )


def _written(reading: Reading) -> int | None:
    """Until when a handoff knows what happened, as its first lines say."""
    return read_stamp(reading.parsed.preamble[:4000]) if reading.parsed else None


def _where(reading: Reading) -> str:
    return {"packet": "Files", "document": "Projects and files touched recently", "tc": "files_in_progress"}[
        reading.kind
    ]


def _listed(reading: Reading) -> str:
    if reading.parsed:
        section = reading.parsed.section(_where(reading))
        files = "\n".join(f"{item.group}{item.text}" for item in section.items) if section else ""
        return "\n".join((files, section.body if section else "", *reading.parsed.modified_files))
    rows = (reading.block or {}).get("files_in_progress")
    return (
        "\n".join(str(row.get("path")) for row in rows if isinstance(row, dict))
        if isinstance(rows, list)
        else ""
    )


def _names(text: str, path: str) -> bool:
    """The text names the file: its whole path, or its name below its directory as a packet lists it."""
    if path in text:
        return True
    directory, _, name = path.rpartition("/")
    return bool(directory) and f"\n{directory}/\n" in text and f"\n- {name}" in text

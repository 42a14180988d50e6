"""A session on its way to a server: in segue's own format, redacted before it leaves this machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from segue.agents import generic
from segue.redaction.redact import Redactor, redact_entry
from segue.service.session_identity import opening
from segue.service.sessions import Progress, silent

if TYPE_CHECKING:
    from segue.model.entry import Entry
    from segue.service.sessions import Source

_HERE = ("file", "line", "offset")
"""Where an entry stands in a file of this machine: of no use elsewhere."""


def lines(source: Source, progress: Progress = silent) -> Iterator[bytes]:
    """The session as lines of JSON: a header, then its entries."""
    redactor, size = Redactor(), os.path.getsize(source.path) if os.path.isfile(source.path) else 0
    header: dict[str, object] = {generic.HEADER: generic.VERSION, "agent": source.owner}
    told = False
    for entry in source.entries():
        progress(entry.offset, size, source.path)
        clean = redact_entry(entry, redactor)
        if not told:
            about = clean.data if clean.kind == "meta" else {}
            own = {name: value for name, value in about.items() if name != "named_by"}
            yield _line({**own, **header, "id": opening(source).id})
            told = True
            if clean.kind == "meta":
                continue
        yield _line(_portable(clean))


def _portable(entry: Entry) -> dict[str, object]:
    said: dict[str, object] = msgspec.to_builtins(entry) | {"by": entry.by, "via": entry.via}
    return {name: value for name, value in said.items() if name not in _HERE}


def _line(value: dict[str, object]) -> bytes:
    return msgspec.json.encode(value) + b"\n"

"""What goes to a server: a session in segue's own format, and the bundle of its handoff with the files it is about.

Both are of this machine, so both are made here, and redacted before they leave it.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import msgspec

from segue.agents import generic
from segue.model import wire
from segue.model.bundle import FACTS_KEY, handoff_bundle
from segue.redaction.redact import Redactor, redact_entry, taught_by
from segue.service.portable_paths import portable
from segue.service.sessions.identity import opening
from segue.service.sessions.lookup import Progress, silent

if TYPE_CHECKING:
    from segue.model.entry import Entry
    from segue.service.handoffs.draft import Draft
    from segue.service.sessions.lookup import Source
    from segue.service.threads.bundles import Put
    from segue.service.workspace import Workspace

_HERE = ("file", "line", "offset")
"""Where an entry stands in a file of this machine: of no use elsewhere."""


def lines(source: Source, progress: Progress = silent, redactor: Redactor | None = None) -> Iterator[bytes]:
    """The session as lines of JSON: a header, then its entries. The redactor, if one is given, has the receipt."""
    redactor = redactor or Redactor()
    redactor.takes_over(taught_by(source.entries()))
    size = os.path.getsize(source.path) if os.path.isfile(source.path) else 0
    header: dict[str, object] = {generic.HEADER: generic.VERSION, "agent": source.owner}
    if source.place:
        header["path"] = redactor.redact(portable(source.place))
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


def bundle(workspace: Workspace, made: Draft, cut: dict[str, object], put: Put) -> str:
    """The id of the bundle that a commit here would make, with all that it refers to. `put` stores bytes on the
    server and returns their id; `cut` is the place in the session's thread there."""
    from segue.service.handoffs.commit import facts_bytes, references
    from segue.service.threads import bundles

    redactor = Redactor()
    files = [bundles.snapshot(workspace.root, ref, redactor, put) for ref in references(workspace, made)]
    facts = {FACTS_KEY: put(facts_bytes(made))}
    return put(wire.canonical(handoff_bundle(made.text, cut, [], [], files, **facts)))


def _portable(entry: Entry) -> dict[str, object]:
    said: dict[str, object] = msgspec.to_builtins(entry) | {"by": entry.by, "via": entry.via}
    return {name: value for name, value in said.items() if name not in _HERE}


def _line(value: dict[str, object]) -> bytes:
    return msgspec.json.encode(value) + b"\n"

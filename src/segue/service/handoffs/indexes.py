"""The index of a session, made by reading it, or by going on where the last handoff had read to.

What is kept holds no secret: where a text of it is not what redaction leaves of it, or a secret was learnt from a
file, nothing is kept and the session is read from the start the next time too. Whether an index was kept changes no
answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from segue.agents.contract import Changed, Mark
from segue.agents.prefix import fingerprint
from segue.extract.index import Indexer
from segue.model.entry import Entry
from segue.model.memory import Forgotten
from segue.model.turn import Index
from segue.redaction.files import is_sensitive, named
from segue.redaction.redact import Redactor, edits_sensitive_file, hear_entry, redact_entry
from segue.service.handoffs.aside import aside
from segue.service.handoffs.readings import Kept, Reading

_AT_ONCE = 256 * 1024


def index_of(reading: Reading, redactor: Redactor, carried: Sequence[str] = ()) -> Index:
    """The index of a session; `carried` are packets of handoffs before it, oldest first: with such it is read from
    the start, and nothing is kept."""
    if carried:
        return _read(reading.afresh()._replace(shelf=None), redactor, carried)[0]
    try:
        index, new = _read(reading, redactor)
    except (Changed, Forgotten):
        index, new = _read(reading.afresh(), redactor)
    if new is not None and _holds_no_secret(new, redactor):
        reading.keep(new)
    return index


def _read(reading: Reading, redactor: Redactor, carried: Sequence[str] = ()) -> tuple[Index, Kept | None]:
    """The index of the whole session, of which only what follows what is kept is read, and what is worth keeping
    of it now."""
    indexer = Indexer()
    for packet in carried:
        indexer.carry(packet)
    known = 0
    if reading.shelf is not None and reading.kept is not None:
        indexer.recall(reading.kept.index)
        redactor.withheld.update(reading.kept.withheld)
        redactor.overheard.update(reading.kept.overheard)
        known = reading.kept.mark.offset + reading.shelf.worth
    news: list[Kept] = []

    def put_away(mark: Mark) -> None:
        if mark.offset > known and not redactor.learned and not redactor.receipt().total:
            seen = fingerprint(reading.path, mark.offset)
            calls = dict(redactor.withheld), sorted(redactor.overheard)
            news.append(Kept(mark, seen, *calls, indexer.memory()))

    indexer.see(without_sensitive_files(reading.tell(put_away), redactor))
    index = indexer.close(
        reading.agent, reading.path, redactor.redact, partial(aside, redactor) if reading.apart else None
    )
    return index, news[0] if news else None


def _holds_no_secret(new: Kept, redactor: Redactor) -> bool:
    """True for an index that holds nothing a rule, or this session, knows as a secret."""
    clean = Redactor(redactor.learned).redact
    return all(clean(texts) is texts for texts in _joined(_texts(msgspec.to_builtins(new))))


def _joined(texts: Iterable[str]) -> Iterator[str]:
    """The texts, as many at a time as are quickly redacted together."""
    some: list[str] = []
    size = 0
    for text in texts:
        some.append(text)
        size += len(text)
        if size > _AT_ONCE:
            yield "\n\n".join(some)
            some, size = [], 0
    yield "\n\n".join(some)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        yield from value
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)


def without_sensitive_files(entries: Iterable[Entry], redactor: Redactor) -> Iterator[Entry]:
    """The entries, those that show a sensitive file without its contents, its secrets learnt, and so those that any
    other text tells. All other text is redacted later, once every secret is known, and only where it is kept."""
    for entry in entries:
        hear_entry(entry, redactor)
        if edits_sensitive_file(entry):
            entry = redact_entry(entry, redactor)
        elif entry.kind == "tool_call":
            if any(map(is_sensitive, entry.paths)) or (entry.command and named(entry.command)):
                entry = redact_entry(entry, redactor)
        elif entry.kind == "tool_result" and (
            entry.call_id in redactor.withheld or entry.call_id in redactor.overheard
        ):
            entry = redact_entry(entry, redactor)
        yield entry

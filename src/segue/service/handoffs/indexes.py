"""The index of a session, made by reading it, or by going on where the last handoff had read to.

What is kept holds no secret: where a text of it is not what redaction leaves of it, or a secret was learnt from a
file, nothing is kept and the session is read from the start the next time too. Whether an index was kept changes no
answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import msgspec

from segue.agents.contract import Changed, Mark
from segue.agents.prefix import fingerprint
from segue.extract.index import Indexer
from segue.model.memory import Forgotten, recall, remembered
from segue.model.turn import Index
from segue.redaction.redactor import Known, Redactor
from segue.service.handoffs import copies
from segue.service.handoffs.aside import aside
from segue.service.handoffs.readings import Kept, Reading
from segue.service.sessions.own_traces import OwnTraces

_AT_ONCE = 256 * 1024


def index_of(reading: Reading, redactor: Redactor, carried: Sequence[str] = ()) -> Index:
    """The index of a session; `carried` are packets of handoffs before it, oldest first: with such it is read from
    the start, and nothing is kept."""
    if carried:
        return _read(reading.afresh()._replace(shelf=None), redactor, carried)[0]
    try:
        index, packed = _read(reading, redactor)
    except (Changed, Forgotten):
        index, packed = _read(reading.afresh(), redactor)
    if packed and not redactor.learned:
        reading.keep(packed)
    return index


def _read(reading: Reading, redactor: Redactor, carried: Sequence[str] = ()) -> tuple[Index, bytes]:
    """The index of the whole session, of which only what follows what is kept is read, and what is worth keeping
    of it now, if anything."""
    indexer, traces = Indexer(), OwnTraces(reading.asking)
    for packet in carried:
        indexer.carry(packet)
    known = 0
    if reading.shelf is not None and reading.kept is not None:
        indexer.recall(reading.kept.index)
        recall(traces, reading.kept.traces)
        known = reading.kept.mark.offset + reading.shelf.worth
    packed: list[Callable[[], bytes]] = []

    def put_away(mark: Mark) -> None:
        if mark.offset > known and not redactor.learned and not redactor.receipt().total and not packed:
            pack = partial(_packed, mark, reading.path, redactor.known(), indexer, traces)
            packed.append(copies.ahead(pack, apart=reading.apart))

    indexer.see(traces.without(reading.tell(redactor, put_away)))
    index = indexer.close(
        reading.agent, reading.path, redactor.redact, partial(aside, redactor) if reading.apart else None
    )
    return index, packed[0]() if packed else b""


def _packed(mark: Mark, path: str, known: Known, indexer: Indexer, traces: OwnTraces) -> bytes:
    """What can be gone on from at a mark; nothing if it holds what a rule knows as a secret."""
    new = Kept(mark, fingerprint(path, mark.offset), known, indexer.memory(), remembered(traces))
    clean = Redactor().redact
    if all(clean(texts) is texts for texts in _joined(_texts(msgspec.to_builtins(new)))):
        return msgspec.json.encode(new)
    return b""


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

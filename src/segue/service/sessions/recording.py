"""The entries of a session that is being read, kept for whoever asks for them after that: nothing is read twice.

What nobody asks for again is left out: thoughts, what an edit puts into a file, and what a tool other than a shell
answered when it went well. Texts are clipped by the readers, and entries are packed, which takes 50 ms for the 60,000 of
a session of 200 MB and 38 MB instead of 73. They are in memory only, and not redacted: whoever stores or shows them
redacts them, with all secrets of the session known.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec
from msgspec.structs import replace

from segue.agents.locate import PEEKED
from segue.model.entry import Edit, Entry
from segue.redaction.files import is_sensitive

_TOGETHER = 256
_pack = msgspec.msgpack.Encoder().encode
_unpack = msgspec.msgpack.Decoder(list[Entry]).decode


class Recording:
    """Entries in the order they were read, as often as they are asked for."""

    def __init__(self) -> None:
        self._packed: list[bytes | list[Entry]] = []
        self._last: list[Entry] = []
        self._quiet: set[str] = set()
        """Calls without a result yet, of tools whose answer is not quoted."""

    def __iter__(self) -> Iterator[Entry]:
        for some in self._packed:
            yield from _unpack(some) if isinstance(some, bytes) else some
        yield from self._last

    def record(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """The same entries, each kept as it passes."""
        for number, entry in enumerate(entries):
            # The first ones tell what the session is, and are kept as they are.
            self._last.append(entry if number < PEEKED else self._trimmed(entry))
            if len(self._last) == _TOGETHER:
                self._put_away()
            yield entry

    def _put_away(self) -> None:
        try:
            self._packed.append(_pack(self._last))
        except (ValueError, TypeError, OverflowError, RecursionError):  # half a character, a number too large
            self._packed.append(self._last)
        self._last = []

    def _trimmed(self, entry: Entry) -> Entry:
        if entry.kind == "thought":
            return replace(entry, text="")
        if entry.kind == "tool_call":
            if entry.call_id and entry.tool_kind != "shell":
                self._quiet.add(entry.call_id)
            return _without_edits(entry)
        if entry.kind != "tool_result":
            return entry
        entry = _without_edits(entry)
        quiet = entry.call_id in self._quiet and not (entry.is_error or entry.exit_code)
        self._quiet.discard(entry.call_id)
        # What a sensitive file shows is learnt from its text once more, where it is redacted.
        return replace(entry, text="") if quiet and not any(map(is_sensitive, entry.paths)) else entry


def _without_edits(entry: Entry) -> Entry:
    """An entry that says which files were changed, and not how."""
    if not entry.edits or any(is_sensitive(edit.path) for edit in entry.edits):
        return entry
    return replace(entry, edits=tuple(Edit(path=edit.path, action=edit.action) for edit in entry.edits))

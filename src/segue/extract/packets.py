"""Packets of earlier handoffs that a session begins with or is given, set apart until it has been read."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from segue.model.entry import Entry
from segue.model.facts import Evidence
from segue.model.packet import OPENING

if TYPE_CHECKING:
    from segue.extract.carried import Carried

_NOWHERE = Evidence(0)


class Packets:
    REMEMBERS: ClassVar = {"_packets": list[tuple[str, Evidence]]}

    def __init__(self, begin_with: Callable[[str, str, int, bool], None]) -> None:
        self._begin_with = begin_with
        """Told each packet as it comes: its text, the session it was drawn from, the line at which it stands, and whether
        it takes over one that was told before."""
        self._packets: list[tuple[str, Evidence]] = []
        """Oldest first, and where they stand."""

    def taken_from(self, entry: Entry) -> str:
        """The prompt without the packet of an earlier handoff, whose facts are carried on."""
        if OPENING not in entry.text:
            return entry.text
        from segue.extract.carried import apart  # 3 ms

        packet, rest = apart(entry.text)
        if packet:
            self.carry(packet, Evidence(entry.line, entry.native_id))
        return rest

    def carry(self, packet: str, at: Evidence = _NOWHERE) -> None:
        """A packet of an earlier handoff; a later one of the same session takes its place."""
        from segue.extract.carried import apart, source_of

        packet, _ = apart(packet)
        if packet:
            source = source_of(packet)
            others = [known for known in self._packets if source_of(known[0]) != source]
            earlier = [f" of {source_of(known)}]" in packet for known, _ in others]
            takes_over = any(earlier) or len(others) < len(self._packets)
            self._packets = [*others, (packet, at)]
            self._begin_with(packet, source, max(1, at.line), takes_over)

    def close(self, clean: Callable[[str], str]) -> list[Carried]:
        if not self._packets:
            return []
        from segue.extract.carried import carried

        return [carried(clean(packet), at) for packet, at in self._packets]

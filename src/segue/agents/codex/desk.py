"""Where entries are written: at the place of the record being read, in the order they are told."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from segue.agents._record import millis
from segue.model.entry import TEXT_LIMIT, Entry, Kind, clip


class Desk:
    """The entries told so far, and what every part of the story knows: place, folder and model.

    Most things are recorded twice in a row. An entry whose twin may be the next record is held; the
    next record lets it go, told or dropped."""

    def __init__(self, path: str) -> None:
        self.told: list[Entry] = []
        self.held: list[Entry] = []
        self.cwd = ""
        self.model = ""
        self.native_id = ""
        self._path = path
        self._line = self._offset = 0
        self._stamp: object = None

    def turn_to(self, line: int, offset: int, stamp: object, native_id: str) -> None:
        """Takes up the next record."""
        self._line, self._offset, self._stamp, self.native_id = line, offset, stamp, native_id

    def tell(self, kind: Kind, text: str = "", **fields: Any) -> None:
        if len(text) > TEXT_LIMIT:
            text, fields["size"] = clip(text)
        self.told.append(
            Entry(
                kind=kind,
                file=self._path,
                line=self._line,
                offset=self._offset,
                native_id=self.native_id,
                time_ms=self._time(),
                text=text,
                **fields,
            )
        )

    def hold(self, kind: Kind, text: str, **fields: Any) -> None:
        self.tell(kind, text, **fields)
        self.held.append(self.told.pop())

    def let_go(self, dropped: bool = False) -> None:
        """Tells what was held, or drops it because its twin is here."""
        if not dropped:
            self.told += self.held
        self.held.clear()

    def forget(self) -> None:
        """Drops what the present record told."""
        self.told.clear()
        self.held.clear()

    def _time(self) -> int | None:
        """The present record's time. Codex always writes it alike, and most entries ask for it."""
        try:
            return round(datetime.fromisoformat(self._stamp).timestamp() * 1000)  # type: ignore[arg-type]
        except (ValueError, TypeError):
            return millis(self._stamp)

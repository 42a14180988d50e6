"""A progress bar for work that takes longer than a second, on a terminal, on standard error."""

from __future__ import annotations

import sys
import time

from segue.surfaces.cli.printable import printable

_PATIENCE_S = 1.0
_EVERY_S = 0.1
_WIDTH = 30


class Progress:
    """Call it with (done, total, what); it draws when that helps. `with` cleans up after it, come what may."""

    def __init__(self) -> None:
        self._shown = sys.stderr.isatty()
        self._started = self._drawn = time.monotonic()
        self._dirty = False

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *_: object) -> None:
        self.done()

    def __call__(self, done: int, total: int, what: str = "") -> None:
        if not self._shown:
            return
        now = time.monotonic()
        if now - self._started < _PATIENCE_S or now - self._drawn < _EVERY_S:
            return
        self._drawn, self._dirty = now, True
        part = min(done / total, 1.0) if total else 0.0
        bar = "█" * round(part * _WIDTH) + "░" * (_WIDTH - round(part * _WIDTH))
        sys.stderr.write(f"\r{bar} {part:4.0%} {printable(what[-40:]):<40}")
        sys.stderr.flush()

    def done(self) -> None:
        if self._dirty:
            sys.stderr.write("\r" + " " * (_WIDTH + 50) + "\r")
            sys.stderr.flush()
            self._dirty = False

"""Small files that let a hook decide without opening the log: what was looked at, warned of, crossed.

They are hints, never truth: losing them costs a look or a second glance at the log, which alone decides
whether a handoff was replayed.
"""

from __future__ import annotations

import os


def touch(path: str, content: str = "") -> None:
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    os.write(handle, content.encode())
    os.close(handle)


def safe(name: str) -> str:
    """A session id as part of a file name, whatever it holds."""
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in name)[:120].lstrip(".")


class Marks:
    """The marks of one session of one host."""

    def __init__(self, folder: str, host: str, session_id: str) -> None:
        self._folder = folder
        self._state = os.path.join(folder, "boundary")
        self._host = host
        self._name = f"{host}-{safe(session_id)}"

    def _path(self, what: str) -> str:
        return os.path.join(self._state, f"{what}-{self._name}")

    def looked(self) -> None:
        touch(os.path.join(self._state, f"looked-{self._host}"))

    @property
    def fired(self) -> int:
        """How far this session was warned: 0, 1 or 2."""
        return _number(self._path("warned"))

    def fire(self, level: int) -> None:
        touch(self._path("warned"), str(level))

    @property
    def sealed(self) -> bool:
        """True once this session was given, or refused, what it could be given at its start."""
        return os.path.exists(self._path("begun"))

    def begin(self) -> None:
        touch(self._path("begun"))

    def expect(self, transcript: str, size: int) -> None:
        """A compaction will show in this transcript after this place."""
        touch(self._path("before"), f"{size}\n{transcript}")

    def expected(self) -> tuple[str, int] | None:
        """Transcript and place given by `expect`."""
        try:
            with open(self._path("before"), encoding="utf-8", errors="replace") as file:
                size, _, transcript = file.read().partition("\n")
        except OSError:
            return None
        return (transcript, int(size)) if size.isdigit() else None

    def approach(self, transcript: str, size: int) -> None:
        """A compaction may come now."""
        self.expect(transcript, size)
        touch(os.path.join(self._state, f"waiting-{self._host}"))

    def cross(self) -> None:
        """A compaction came."""
        touch(self._path("crossed"))
        touch(os.path.join(self._state, f"waiting-{self._host}"))

    def settle(self) -> None:
        """What had to be said after the boundary was said."""
        for path in (
            self._path("crossed"),
            self._path("before"),
            os.path.join(self._state, f"waiting-{self._host}"),
        ):
            if os.path.exists(path):
                os.unlink(path)

    @property
    def announced(self) -> bool:
        """True when a hook told of a compaction and nothing was said yet."""
        return os.path.exists(self._path("crossed"))


def _number(path: str) -> int:
    try:
        with open(path, encoding="ascii", errors="replace") as file:
            text = file.read(24).strip()
    except OSError:
        return 0
    return int(text) if text.isdigit() else 0

"""Small files that let a hook decide without opening the log: what was looked at, warned of, crossed.

They are hints, never truth: losing them costs a look or a second glance at the log, which alone decides
whether a handoff was replayed.
"""

from __future__ import annotations

import os

from segue.stores import private_files

PATIENCE_S = 15 * 60
"""An announced compaction is expected this long."""
_RUNS = "runs"
_LARGEST = 64 * 1024


def touch(path: str, content: str = "") -> None:
    private_files.make_folder(os.path.dirname(path))
    handle = private_files.open_file(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
    os.write(handle, content.encode())
    os.close(handle)


def safe(name: str) -> str:
    """A session id as part of a file name, whatever it holds."""
    return "".join(c if c.isalnum() or c in "-_." else "_" for c in name)[:120].lstrip(".")


class Marks:
    """The marks of one session of one host."""

    def __init__(self, folder: str, host: str, session_id: str) -> None:
        self._state = os.path.join(folder, "boundary")
        self._name = f"{host}-{safe(session_id)}"
        self._session_id = session_id

    def _path(self, what: str) -> str:
        return os.path.join(self._state, f"{what}-{self._name}")

    def runs_in(self, process: int) -> None:
        """The session goes on in this process of its agent's; 0 where that is not known."""
        touch(self._path(_RUNS), f"{process}\n{self._session_id}")

    def over(self) -> None:
        """The session ended, or its process went on to another one."""
        _drop(self._path(_RUNS))

    def looked(self) -> None:
        touch(self._path("looked"))

    def resting(self, seconds: float, now: float) -> bool:
        """True when somebody looked so recently and nothing is expected or left to say. A compaction that was
        announced and did not come is not waited for forever."""
        if os.path.exists(self._path("crossed")):
            return False
        return _recent(self._path("looked"), seconds, now) and not _recent(
            self._path("waiting"), PATIENCE_S, now
        )

    def first(self, what: str) -> bool:
        """True the first time that something is met with in this session."""
        met = os.path.exists(self._path(what))
        touch(self._path(what))
        return not met

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

    def reopen(self) -> None:
        """The session goes on in another process: what it can be given at a start is decided anew."""
        _drop(self._path("begun"))

    def expect(self, transcript: str, size: int) -> None:
        """A compaction will show in this transcript after this place."""
        touch(self._path("before"), f"{size}\n{transcript}")

    def expected(self) -> tuple[str, int] | None:
        """Transcript and place given by `expect`."""
        try:
            told = private_files.read(self._path("before"), _LARGEST).decode(errors="replace")
        except OSError:
            return None
        size, _, transcript = told.partition("\n")
        return (transcript, int(size)) if size.isdigit() else None

    def approach(self, transcript: str, size: int) -> None:
        """A compaction may come now, and nothing is prepared for it yet."""
        self.expect(transcript, size)
        _drop(*(self._path(what) for what in ("ready", "settled", "maintained")))
        touch(self._path("waiting"))

    def ready(self) -> None:
        """The handoff was brought up to date for a compaction that may come."""
        touch(self._path("ready"))

    @property
    def prepared(self) -> bool:
        """True when the handoff is the one for this boundary: made ready before it, or spoken after it with no work
        since."""
        return os.path.exists(self._path("ready")) or os.path.exists(self._path("settled"))

    def go_on(self) -> None:
        """Work went on after a boundary: the next one needs its own preparation and maintenance."""
        _drop(self._path("settled"), self._path("maintained"))

    def cross(self) -> None:
        """A compaction came."""
        touch(self._path("crossed"))

    def mark_settled(self) -> None:
        """What had to be said after the boundary was said."""
        touch(self._path("settled"))
        _drop(*(self._path(what) for what in ("crossed", "before", "waiting", "ready")))

    def maintain(self) -> bool:
        """True for the one process that shall run the maintenance after this boundary."""
        private_files.make_folder(self._state)
        try:
            os.close(private_files.open_file(self._path("maintained"), os.O_WRONLY | os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return False
        return True

    @property
    def announced(self) -> bool:
        """True when a hook told of a compaction and nothing was said yet."""
        return os.path.exists(self._path("crossed"))


def running(folder: str, host: str) -> list[tuple[int, str]]:
    """The sessions of a host that did not end as far as its hooks told: process and session id."""
    state = os.path.join(folder, "boundary")
    found = []
    for name in sorted(os.listdir(state)) if os.path.isdir(state) else []:
        if name.startswith(f"{_RUNS}-{host}-"):
            try:
                told = private_files.read(os.path.join(state, name), _LARGEST).decode(errors="replace")
            except OSError:
                continue
            process, _, session_id = told[:400].partition("\n")
            if process.isdigit() and session_id:
                found.append((int(process), session_id))
    return found


def _drop(*paths: str) -> None:
    for path in paths:
        try:
            os.unlink(path)
        except FileNotFoundError:
            continue


def _recent(path: str, seconds: float, now: float) -> bool:
    """True for a file touched within so many seconds; a time still to come is a clock that jumped."""
    try:
        return 0 <= now - os.stat(path).st_mtime < seconds
    except OSError:
        return False


def _number(path: str) -> int:
    try:
        text = private_files.read(path, _LARGEST).decode("ascii", "replace").strip()
    except OSError:
        return 0
    return int(text) if text.isascii() and text.isdigit() and len(text) < 24 else 0

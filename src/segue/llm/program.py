"""A program as a function from text to text.

It works in an empty directory of its own, so nothing of the project reaches it, and nothing it writes there stays. Its
environment bears a mark that hooks of segue obey by doing nothing. It leads a process group, which ends with the
call, however the call ends. No shell is involved.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import IO

from segue.errors import Unavailable
from segue.llm.contract import LARGEST
from segue.llm.failures import AGAIN
from segue.model.marks import INSIDE, SUMMARISER
from segue.model.value import NamedTuple

_BLOCK = 65_536
_FATAL = (signal.SIGTERM, signal.SIGHUP)


def find(name: str) -> str:
    """The absolute path of a program: it is started in another directory than the one it was named in."""
    from shutil import which  # 3 ms

    found = which(name)
    if found is None:
        raise Unavailable(
            f"{name} is not installed here.", "Install it, name another --model, or leave it out."
        )
    return os.path.abspath(found)


@contextmanager
def empty_directory(files: Mapping[str, str] | None = None) -> Iterator[str]:
    """A private directory with only these files in it, gone afterwards, also where the process is told to end."""
    with (
        _unwinding(),
        tempfile.TemporaryDirectory(prefix="segue-model-", ignore_cleanup_errors=True) as place,
    ):
        for name, text in (files or {}).items():
            path = os.path.join(place, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        yield place


@contextmanager
def _unwinding() -> Iterator[None]:
    """Meanwhile a signal that would end the process at once, leaving the program alone, ends it like an exit. Whoever
    handles or ignores a signal goes on doing so."""
    import threading

    is_main = threading.current_thread() is threading.main_thread()
    fatal = [one for one in _FATAL if is_main and signal.getsignal(one) is signal.SIG_DFL]

    def exit_on_signal(number: int, _: object) -> None:
        for one in fatal:
            signal.signal(one, signal.SIG_IGN)  # a second one must not interrupt the clearing up
        raise SystemExit(128 + number)

    for one in fatal:
        signal.signal(one, exit_on_signal)
    try:
        yield
    finally:
        for one in fatal:
            signal.signal(one, signal.SIG_DFL)


class Printed(NamedTuple):
    """What a program printed, and its exit status."""

    said: str
    complaint: str
    status: int

    @property
    def last_line(self) -> str:
        """The end of its complaint; nothing where it has none."""
        return (self.complaint.strip().splitlines() or [""])[-1]


def ask(
    words: Sequence[str],
    prompt: str,
    place: str,
    seconds: float,
    env: Mapping[str, str | None] | None = None,
) -> Printed:
    """What the program does with a prompt on its standard input. `env` adds variables, or takes away those it gives None
    for. Raises Unavailable when the program cannot be started, takes too long or says too much."""
    return _run(words, f"{SUMMARISER}\n\n{prompt}", place, seconds, env)


def listing(words: Sequence[str], place: str, seconds: float) -> str:
    """What a program prints of itself: its help, its version, its features."""
    printed = _run(words, "", place, seconds, None)
    return f"{printed.said}\n{printed.complaint}"


def _run(
    words: Sequence[str], given: str, place: str, seconds: float, env: Mapping[str, str | None] | None
) -> Printed:
    name = os.path.basename(words[0])
    changed = {**os.environ, **(env or {}), INSIDE: "1", "PWD": place}
    deadline = time.monotonic() + seconds
    with tempfile.TemporaryFile() as stdin, tempfile.TemporaryFile() as stderr:
        stdin.write(given.encode(errors="replace"))
        stdin.seek(0)
        try:
            process = subprocess.Popen(
                words,
                stdin=stdin,
                stdout=subprocess.PIPE,
                stderr=stderr,
                cwd=place,
                env={variable: value for variable, value in changed.items() if value is not None},
                start_new_session=True,
            )
        except OSError as fault:
            raise Unavailable(
                f"{name} cannot be started: {fault.strerror}.", "Check --model, or leave it out."
            ) from None
        assert process.stdout is not None
        try:
            with process.stdout as stdout:
                said = _read(stdout, deadline)
            status = process.wait(max(0.0, deadline - time.monotonic()))
        except (TimeoutError, subprocess.TimeoutExpired):
            raise Unavailable(f"{name} did not answer within {seconds:g} seconds.", AGAIN) from None
        except OverflowError:
            raise Unavailable(f"{name} said more than {LARGEST:,} bytes.", AGAIN) from None
        finally:
            _end(process)
        stderr.seek(0, os.SEEK_END)
        stderr.seek(max(0, stderr.tell() - _BLOCK))
        return Printed(said.decode(errors="replace"), stderr.read().decode(errors="replace"), status)


def _read(pipe: IO[bytes], deadline: float) -> bytes:
    """All of it; a pipe that a stray child holds open is not waited for beyond the deadline."""
    said = bytearray()
    while True:
        ready, _, _ = select.select([pipe], [], [], max(0.0, deadline - time.monotonic()))
        if not ready:
            raise TimeoutError
        block = os.read(pipe.fileno(), _BLOCK)
        if not block:
            return bytes(said)
        said += block
        if len(said) > LARGEST:
            raise OverflowError


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ends whatever the program started and left in its group."""
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()

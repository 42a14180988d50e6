"""What a command prints: the answer on standard output, everything else on standard error.

Text for people never carries a control character to their terminal but newlines and tabs: whatever a
thread, a file name or a setting holds is shown, not obeyed. JSON has its own escapes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TextIO

from segue.errors import SegueError, Unavailable

_SHOWN = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"}


class Output:
    """Where a command writes. Human text or JSON, decided once."""

    def __init__(self, stdout: TextIO | None, stderr: TextIO, as_json: bool) -> None:
        self._stdout = stdout
        self._stderr = stderr
        self.as_json = as_json

    def require(self) -> TextIO:
        """Where the answer goes. Raises Unavailable where nobody could ever read it."""
        if self._stdout is None:
            raise Unavailable("Standard output is closed.", "Open it, or send it to a file.")
        return self._stdout

    def result(self, value: Mapping[str, object], text: str) -> None:
        """One answer, in the form that was asked for."""
        self.line(json.dumps(value, ensure_ascii=False)) if self.as_json else self.text(text)

    def text(self, text: str) -> None:
        """Text for a person."""
        self.line(text.removesuffix("\n").translate(_SHOWN))

    def line(self, text: str) -> None:
        """One line of the answer, passed on at once so that a reader of a stream sees it."""
        stdout = self.require()
        _write(stdout, text)
        stdout.flush()

    def raw(self, data: bytes) -> None:
        """Bytes as they are."""
        stdout = self.require()
        stdout.flush()
        stdout.buffer.write(data)
        stdout.buffer.flush()

    def note(self, text: str) -> None:
        """Something beside the answer."""
        _write(self._stderr, text.translate(_SHOWN))

    def fail(self, error: SegueError) -> int:
        """Says what went wrong and returns the exit code."""
        if self.as_json and self._stdout is not None:
            body = {"code": error.code, "message": error.message, "hint": error.hint}
            self.line(json.dumps({"error": body}, ensure_ascii=False))
        else:
            self.note(f"segue: {error.message}\nhint: {error.hint}")
        return error.exit_code


def _write(stream: TextIO, text: str) -> None:
    """A line, whatever the stream's encoding: what it cannot hold is written as an escape."""
    try:
        stream.write(text + "\n")
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")

"""What a command prints: the answer on standard output, everything else on standard error."""

from __future__ import annotations

import json
from typing import Any, TextIO

from segue.errors import SegueError


class Output:
    """Where a command writes. Human text or JSON, decided once."""

    def __init__(self, stdout: TextIO, stderr: TextIO, as_json: bool) -> None:
        self._stdout = stdout
        self._stderr = stderr
        self.as_json = as_json

    def result(self, value: dict[str, Any], text: str) -> None:
        """One answer, in the form that was asked for."""
        self.line(json.dumps(value, ensure_ascii=False)) if self.as_json else self.text(text)

    def text(self, text: str) -> None:
        self.line(text.removesuffix("\n"))

    def line(self, text: str) -> None:
        """One line of the answer, passed on at once so that a reader of a stream sees it."""
        self._stdout.write(text + "\n")
        self._stdout.flush()

    def raw(self, data: bytes) -> None:
        """Bytes as they are."""
        self._stdout.flush()
        self._stdout.buffer.write(data)
        self._stdout.buffer.flush()

    def note(self, text: str) -> None:
        """Something beside the answer."""
        self._stderr.write(text + "\n")

    def fail(self, error: SegueError) -> int:
        """Says what went wrong and returns the exit code."""
        if self.as_json:
            body = {"code": error.code, "message": error.message, "hint": error.hint}
            self.line(json.dumps({"error": body}, ensure_ascii=False))
        else:
            self.note(f"segue: {error.message}" + (f"\nhint: {error.hint}" if error.hint else ""))
        return error.exit_code

"""What a command prints: the answer on standard output, everything else on standard error.

Whatever a thread, a file name or a setting holds is shown, not obeyed: text for people carries nothing to their
terminal that they do not see but newlines and tabs, and JSON has escapes for it.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any, TextIO

from segue.errors import SegueError, Unavailable


def somebody_is_here() -> bool:
    """Whether a person can be shown something and asked."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def confirmed(question: str) -> bool:
    """Puts a question to the person at the terminal; the end of the input is no."""
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


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
        self.line(_json(value)) if self.as_json else self.text(text)

    def text(self, text: str) -> None:
        """Text for a person."""
        self.line(_escaped(text.removesuffix("\n")))

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
        _write(self._stderr, _escaped(text))

    def fail(self, error: SegueError) -> int:
        """Says what went wrong and returns the exit code."""
        if self.as_json and self._stdout is not None:
            body = {"code": error.code, "message": error.message, "hint": error.hint}
            self.line(_json({"error": body}))
        else:
            self.note(f"segue: {error.message}\nhint: {error.hint}")
        return error.exit_code


def note_page(found: Mapping[str, Any], out: Output) -> None:
    """Says how to go on where more follows; with `--json` the answer says it itself."""
    if "next_after" in found and not out.as_json:
        out.note(f"segue: more follow: add --after {found['next_after']}.")


def _escaped(text: str) -> str:
    from segue.surfaces.cli.printable import shown  # 2 ms, which a server of MCP does without

    return shown(text)


def _json(value: Mapping[str, object]) -> str:
    import json  # 1 ms

    from segue.surfaces.cli.printable import shown_json

    return shown_json(json.dumps(value, ensure_ascii=False))


def _write(stream: TextIO, text: str) -> None:
    """A line, whatever the stream's encoding: what it cannot hold is written as an escape."""
    try:
        stream.write(text + "\n")
    except UnicodeEncodeError:
        encoding = stream.encoding or "ascii"
        stream.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")

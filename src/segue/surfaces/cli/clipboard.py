"""Putting text on the clipboard with whatever the system has for that."""

from __future__ import annotations

import base64
import os
import subprocess
import sys

from segue.errors import Unavailable

_TOOLS = (
    ("pbcopy",),
    ("wl-copy",),
    ("xclip", "-selection", "clipboard"),
    ("xsel", "--clipboard", "--input"),
    ("clip.exe",),
)


def require() -> None:
    """Raises unless there is something that text could be copied with."""
    if not _tools() and not sys.stderr.isatty():
        raise _no_clipboard()


def copy(text: str) -> str:
    """Copies the text and says through what. Over ssh the terminal itself is asked (OSC 52)."""
    for tool in _tools():
        done = subprocess.run(tool, input=text.encode(), check=False, stderr=subprocess.DEVNULL)
        if done.returncode == 0:
            return tool[0]
    if sys.stderr.isatty():
        sys.stderr.write(f"\x1b]52;c;{base64.b64encode(text.encode()).decode()}\a")
        sys.stderr.flush()
        return "the terminal"
    raise _no_clipboard()


def _tools() -> list[tuple[str, ...]]:
    from shutil import which

    windowed = os.environ.get("DISPLAY")
    return [tool for tool in _TOOLS if which(tool[0]) and (windowed or tool[0] not in ("xclip", "xsel"))]


def _no_clipboard() -> Unavailable:
    return Unavailable("There is no clipboard here.", "Use --out FILE instead of --copy.")

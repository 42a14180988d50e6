"""A person looks at a draft before it goes anywhere: in an editor, or on the screen."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

from segue.errors import BadInput, Refused, SegueError

_FALLBACK = ("sensible-editor", "nano", "vi")


def in_editor(text: str) -> str:
    """The text as the person left it in their editor. An empty file or a failing editor cancels."""
    command = _editor()
    handle, path = tempfile.mkstemp(prefix="segue-handoff-", suffix=".md")
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        try:
            code = subprocess.run([*command, path], check=False).returncode
        except OSError as fault:
            raise BadInput(
                f"The editor {command[0]!r} cannot be started: {fault.strerror}.", "Set $EDITOR."
            ) from None
        if code:
            raise Refused(
                f"The editor left with {code}, so nothing was handed off.", "Run it again when ready."
            )
        with open(path, encoding="utf-8", errors="replace") as file:
            edited = file.read()
    finally:
        os.unlink(path)
    if not edited.strip():
        raise Refused("The packet was emptied, so nothing was handed off.", "Run it again when ready.")
    return edited


@contextmanager
def kept(text: str) -> Iterator[None]:
    """What a person wrote outlives what fails after it: it is kept in a private file, which the hint names."""
    try:
        yield
    except SegueError as fault:
        handle, path = tempfile.mkstemp(prefix="segue-kept-")
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
        raise type(fault)(
            fault.message, f"{fault.hint} What you wrote is kept in {path}.", fault.code
        ) from None


def _editor() -> list[str]:
    from shutil import which

    for name in ("VISUAL", "EDITOR"):
        if os.environ.get(name, "").strip():
            return shlex.split(os.environ[name])
    found = next((program for program in _FALLBACK if which(program)), None)
    if found is None:
        raise BadInput(
            "There is no editor to review with.", "Set $EDITOR, or pass --yes to take the draft as it is."
        )
    return [found]


def on_screen(text: str) -> str:
    """Shows the text and asks: take it, edit it, leave items out where it has some, or cancel."""
    while True:
        items = _items(text.splitlines())
        sys.stderr.write(text if text.endswith("\n") else text + "\n")
        sys.stderr.write(f"\n[Enter] hand it off   [e]dit   {'[s]elect   ' if items else ''}[q]uit > ")
        sys.stderr.flush()
        answer = sys.stdin.readline()
        choice = answer.strip().lower()[:1]
        if choice == "e":
            text = in_editor(text)
        elif choice == "s":
            text = select(text) if items else text
        elif choice == "q" or not answer:
            raise Refused("Cancelled: nothing was handed off.", "Run it again when ready.")
        else:
            return text


def select(text: str) -> str:
    """Lets the person leave items out by number."""
    lines = text.splitlines()
    items = _items(lines)
    for place, number in enumerate(items, 1):
        sys.stderr.write(f"{place:>4}  {lines[number].strip()[:120]}\n")
    sys.stderr.write("leave out (numbers and ranges, like 3 7-9; empty keeps all) > ")
    sys.stderr.flush()
    unwanted = {items[place - 1] for place in _numbers(sys.stdin.readline()) if 1 <= place <= len(items)}
    return "\n".join(line for number, line in enumerate(lines) if number not in unwanted) + "\n"


def _items(lines: list[str]) -> list[int]:
    return [number for number, line in enumerate(lines) if line.lstrip().startswith(("- ", "* "))]


def _numbers(text: str) -> set[int]:
    found: set[int] = set()
    for word in text.replace(",", " ").split():
        first, dash, last = word.partition("-")
        if first.isdigit() and (last.isdigit() or not dash):
            found |= set(range(int(first), int(last if dash else first) + 1))
    return found

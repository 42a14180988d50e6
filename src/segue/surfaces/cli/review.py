"""A person looks at a draft before it goes anywhere: in an editor, or on the screen."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from segue.errors import BadInput, Refused, SegueError
from segue.handoff.selection import Choice, choices, noted, without
from segue.surfaces.cli.output import Output, somebody_is_here
from segue.surfaces.cli.printable import printable

_SPAN = re.compile(r"([0-9]{1,18})(?:-([0-9]{1,18}))?")
_ANSWERS = {
    "": "y", "y": "y", "yes": "y", "e": "e", "edit": "e", "s": "s", "select": "s",
    "n": "q", "no": "q", "q": "q", "quit": "q",
}  # fmt: skip
_FALLBACK = ("sensible-editor", "nano", "vi")


def in_editor(text: str) -> str:
    """The text as the person left it in their editor; a packet says that it was edited. No file, an empty one or a
    failing editor cancels."""
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
        try:
            with open(path, encoding="utf-8", errors="replace") as file:
                edited = file.read()
        except FileNotFoundError:
            raise Refused(
                "The editor removed the draft, so nothing was handed off.", "Run it again when ready."
            ) from None
    finally:
        with suppress(FileNotFoundError):
            os.unlink(path)
    if not edited.strip():
        raise Refused("The packet was emptied, so nothing was handed off.", "Run it again when ready.")
    return edited if edited == text else noted(edited, "a person edited it")


def looked_at(text: str, edit: bool, out: Output) -> tuple[str, bool]:
    """The text as approved, and whether anybody approved it: without a terminal nobody can."""
    if edit:
        return in_editor(text), True
    if somebody_is_here():
        return on_screen(text), True
    out.note("segue: a draft, not committed: nobody is here to review it. --yes commits, --edit reviews.")
    return text, False


@contextmanager
def kept(text: str, written: bool = True) -> Iterator[None]:
    """What a person has `written` outlives what fails after it: it is kept in a private file, which the hint names."""
    try:
        yield
    except SegueError as fault:
        if not written:
            raise
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
            return _words(name, os.environ[name])
    found = next((program for program in _FALLBACK if which(program)), None)
    if found is None:
        raise BadInput(
            "There is no editor to review with.", "Set $EDITOR, or pass --yes to take the draft as it is."
        )
    return [found]


def _words(name: str, command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError as fault:
        raise BadInput(
            f"${name} cannot be read: {command!r} has {str(fault).lower()}.", "Mend it, or pass --yes."
        ) from None


def on_screen(text: str) -> str:
    """Shows the text and asks: take it, edit it, leave items out where it has some, or cancel."""
    while True:
        items = choices(text)
        sys.stderr.write(text if text.endswith("\n") else text + "\n")
        match _choice(selectable=bool(items)):
            case "e":
                text = in_editor(text)
            case "s":
                text = without(text, _unwanted(items))
            case _:
                return text


def _choice(*, selectable: bool) -> str:
    """What the person wants, in a letter: y, e or s. Raises Refused for no; whatever else is asked again."""
    offered = {"y": "[Enter] hand it off", "e": "[e]dit", "s": "[s]elect", "q": "[q]uit"}
    if not selectable:
        del offered["s"]
    while True:
        answer = asked(f"\n{'   '.join(offered.values())} > ")
        meant = _ANSWERS.get(answer, "")
        if meant == "q":
            raise cancelled()
        if meant in offered:
            return meant
        sys.stderr.write(f"{printable(answer)!r} is none of these: Enter, {', '.join([*offered][1:])}.\n")


def agreed(question: str) -> None:
    """Asks; raises Refused for anything but a yes."""
    if asked(f"\n{question} [y/N] ") not in ("y", "yes"):
        raise Refused("Nothing was approved.", "Run it again when ready.")


def asked(question: str) -> str:
    """The answer in lower case. The end of the input cancels."""
    sys.stderr.write(question)
    sys.stderr.flush()
    answer = sys.stdin.readline()
    if not answer:
        raise cancelled()
    return answer.strip().lower()


def cancelled() -> Refused:
    return Refused("Cancelled: nothing was handed off.", "Run it again when ready.")


def _unwanted(items: list[Choice]) -> list[Choice]:
    """The items that the person leaves out, by their numbers."""
    for number, item in enumerate(items, 1):
        sys.stderr.write(f"{number:>4}  {printable(item.text)[:120]}\n")
    while True:
        answer = asked("leave out (numbers and ranges, like 3 7-9; empty or q keeps all) > ")
        if _ANSWERS.get(answer) == "q":
            return []
        try:
            numbers = _numbers(answer, len(items))
        except BadInput as fault:
            sys.stderr.write(f"{fault.message} {fault.hint}\n")
            continue
        return [item for number, item in enumerate(items, 1) if number in numbers]


def _numbers(text: str, last: int) -> set[int]:
    """The numbers that are named. Raises BadInput for what is no number of the list."""
    found: set[int] = set()
    for word in text.replace(",", " ").split():
        span = _SPAN.fullmatch(word)
        if span is None:
            raise BadInput(f"{printable(word)!r} is no number.", "Give numbers and ranges, like 3 7-9.")
        first, end = int(span[1]), int(span[2] or span[1])
        if not 1 <= first <= end <= last:
            raise BadInput(f"There is no {word} in this list.", f"It goes from 1 to {last}.")
        found |= set(range(first, end + 1))
    return found

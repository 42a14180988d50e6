"""A row of commands read back: the line that was run, how it is told to have ended, and what is said around that."""

from __future__ import annotations

import re
from typing import Literal

from segue.model.value import NamedTuple

Outcome = Literal["failed", "ok", "unknown", "running"]

_RUN = re.compile(
    r"`([^`]*)` (?:(exit (\d+)|failed|printed a failure)|(ok)|(outcome not recorded)|(no result seen))(?![\w-])(.*)",
    re.S,
)
_WHY = re.compile(r" \((.*?)\)(?=$|: |, printed nothing)", re.S)
_WHY_FAILED = re.compile(r" \((.*)\)", re.S)
_AROUND = re.compile(r" \((?=[fe])(?:failed before \[#(\d+)\])?(?:; )?(?:edited since \[#(\d+)\])?\)$")
_SINCE = re.compile(
    r"(?:^|; )(?:edited since \[#(\d+)\], not run again|later `([^`]*)` ok \[#(\d+)\]|run again \[#(\d+)\], .*)$",
    re.S,
)
_SILENT = ", printed nothing"


class ToldRun(NamedTuple):
    command: str
    outcome: Outcome
    exit_code: int | None = None
    through: str = ""
    """What is told to stand between the command and the record."""
    printed: str = ""
    silent: bool = False
    failed_before: int = 0
    edited_since: int = 0
    settled_by: str = ""
    settled_line: int = 0
    again: int = 0
    """The line of a later run whose outcome is not known."""


def told_run(text: str) -> ToldRun | None:
    """The run that a row tells of; None where it is not written as one."""
    match = _RUN.fullmatch(text)
    if match is None:
        return None
    command, failed, status, ok, unknown, _, rest = match.groups()
    outcome: Outcome = "failed" if failed else "ok" if ok else "unknown" if unknown else "running"
    around = _AROUND.search(rest)
    rest = rest[: around.start()] if around else rest
    why = (_WHY_FAILED if failed else _WHY).match(rest)
    through = why[1] if why else ""
    since = _SINCE.search(through)
    edited, settled_by, settled, again = since.groups() if since else (None, None, None, None)
    behind = rest[why.end() :] if why else rest
    return ToldRun(
        command=command,
        outcome=outcome,
        exit_code=int(status) if status else None,
        through=through[: since.start()] if since else through,
        printed=behind[2:] if behind.startswith(": ") else "",
        silent=behind == _SILENT,
        failed_before=int(around[1] or 0) if around else 0,
        edited_since=int(edited or (around and around[2]) or 0),
        settled_by=settled_by or "",
        settled_line=int(settled or 0),
        again=int(again or 0),
    )

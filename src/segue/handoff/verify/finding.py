"""How one statement of a handoff stands today."""

from __future__ import annotations

from typing import Literal

from segue.model.value import NamedTuple

CHECK = "Take it as reported, and check it again if it matters."
READ = "Read the transcript there; it is right and the handoff is not."
GIVE = "Give its file: `--transcript FILE`."
_SHOWN = 80

State = Literal["holds", "drifted", "unknown"]
STATES: tuple[State, ...] = ("drifted", "unknown", "holds")


class Finding(NamedTuple):
    """`drifted` is what the world or the transcript refutes, `unknown` what neither can tell."""

    state: State
    kind: str
    where: str
    message: str
    hint: str = ""
    line: int = 0
    """The line of the handoff, where it is about one."""


def short(text: str) -> str:
    """The beginning of a text, as a message quotes it."""
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")

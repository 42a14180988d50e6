"""How one statement of a handoff stands today."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from segue.handoff.item_reading import ParsedItem
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


def short(text: str) -> str:
    """The beginning of a text, as a message quotes it."""
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")


def at(item: ParsedItem) -> str:
    return ", ".join(f"#{line}" for line in item.evidence)


def judged(kind: str, where: str, told: str, faults: Iterable[str]) -> Finding:
    """The finding on one statement: the first fault, or that it holds."""
    fault = next(iter(faults), "")
    if fault:
        return Finding("drifted", kind, where, f"{short(told)}: {fault}.", READ)
    return Finding("holds", kind, where, f"The transcript shows {short(told)}.")

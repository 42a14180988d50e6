"""The control: a handoff that anybody could make from the structure alone, without a rule about words.

The newest prompts, the last report, the files that were changed, the commands with what the harness said of them,
all newest first until the room is used up. A rule of the program under test is worth having where that beats this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from transcript import Step
from truth import command_keys, failing, prompts, reports

_SHORT = 400


def control(before: Sequence[Step], room: int) -> str:
    """A text of at most so many characters."""
    kept: list[str] = []
    for line in _lines(before):
        if len(line) + 1 <= room:
            kept.append(line)
            room -= len(line) + 1
    return "\n".join(kept)


def _lines(before: Sequence[Step]) -> Iterator[str]:
    told = reports(before)
    for text in reversed(prompts(before)[-12:]):
        yield f"User: {' '.join(text.split())[:_SHORT]}"
    for text in told[-1:]:
        yield f"Agent: {' '.join(text.split())[: 3 * _SHORT]}"
    for key in sorted(failing(before)):
        yield f"Failed: {' '.join(key)}"
    calls = [step for step in reversed(before) if step.kind == "call"]
    yield from dict.fromkeys(f"Changed: {path}" for step in calls if step.edits for path in step.paths)
    commands = (key for step in calls for key in command_keys(step.command))
    yield from dict.fromkeys(f"Ran: {' '.join(key)}" for key in commands)
    yield from dict.fromkeys(f"Read: {path}" for step in calls if not step.edits for path in step.paths)
    for text in reversed(told[:-1]):
        yield f"Earlier: {' '.join(text.split())[:_SHORT]}"

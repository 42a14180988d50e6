"""The two records of each call: what the model asked for, and the part that the editor keeps of it."""

from __future__ import annotations

from typing import Any

from segue.agents._record import word
from segue.agents.copilot_vscode.parts import Part, is_call, tool_of
from segue.model.value import NamedTuple

_VSCODE = "__vscode"
"""What the editor puts behind the model's id of a call."""


class Paired(NamedTuple):
    """A call, its part, empty where it has none, and the parts between that and the next one's."""

    call: dict[str, Any]
    part: Part
    beside: list[Part]


class Pairs(NamedTuple):
    """All calls of an answer, the parts before the first one's, and those after the last one's."""

    calls: list[Paired]
    before: list[Part]
    last: list[Part]


def pair(calls: list[dict[str, Any]], parts: list[Part]) -> Pairs:
    met = _met(calls, parts)
    taken = set(met.values())
    beside: dict[int, list[Part]] = {-1: []}
    last = -1
    for index, part in enumerate(parts):
        if index in taken:
            last = index
            beside[last] = []
        else:
            beside[last].append(part)
    told = [
        Paired(call, parts[met[number]], beside[met[number]]) if number in met else Paired(call, {}, [])
        for number, call in enumerate(calls)
    ]
    return Pairs(told, beside[-1], beside[last])


def _met(calls: list[dict[str, Any]], parts: list[Part]) -> dict[int, int]:
    """The place of each call's part, by the call's number: of the same id, else the next of the same tool."""
    own = [
        (index, part)
        for index, part in enumerate(parts)
        if is_call(part) and not part.get("subAgentInvocationId")
    ]
    by_id = {word(part.get("toolCallId")): index for index, part in own}
    met: dict[int, int] = {}
    for number, call in enumerate(calls):
        id = word(call.get("id"))
        index = by_id.pop(id, by_id.pop(id.split(_VSCODE)[0], None))
        if index is not None:
            met[number] = index
    taken = set(met.values())
    of_tool: dict[str, list[int]] = {}
    for index, part in reversed(own):
        if index not in taken:
            of_tool.setdefault(tool_of(part), []).append(index)
    for number, call in enumerate(calls):
        if number not in met and (same := of_tool.get(word(call.get("name")))):
            met[number] = same.pop()
    return met

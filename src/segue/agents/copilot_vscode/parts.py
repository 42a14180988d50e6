"""The parts of a response as the editor keeps them: text, calls, edits, and much that only concerns the screen."""

from __future__ import annotations

import os
import re
from typing import Any

from segue.agents._address import path_of, paths_in
from segue.agents._record import code, flag, items, record, records, word
from segue.agents._toolcall import excerpt
from segue.agents.copilot_vscode.tools import named
from segue.model.entry import Edit
from segue.model.value import NamedTuple

Part = dict[str, Any]

CALLS = ("toolInvocationSerialized", "toolInvocation")
EDITS = ("textEditGroup", "notebookEditGroup", "workspaceEdit", "externalEdit")
_SILENT = """prepareToolInvocation undoStop codeblockUri mcpServersStarting progressMessage progressTask progressTaskSerialized
command extensions pullRequest treeData multiDiffData autoModeResolution clearToPreviousToolInvocation externalEdits
voiceProgress usage reference codeCitation usedContext disabledClaudeHooks move"""
SILENT = tuple(_SILENT.split())
"""Parts that are for the screen alone, or repeat others."""
_DENIED, _SKIPPED = 0, 5
_VSCODE = "__vscode"
"""What the editor puts behind the model's id of a call."""
_FENCE = re.compile(r"\s*`{3,}\s*")
_EXTERNAL = {"create": "created", "delete": "deleted", "rename": "renamed", "edit": "modified"}


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


def parts_of(response: Any) -> list[Part]:
    """The parts of a response; old ones are bare texts."""
    listed = [response] if isinstance(response, str) else items(response)
    return [
        {"value": part} if isinstance(part, str) else part for part in listed if isinstance(part, str | dict)
    ]


def is_call(part: Part) -> bool:
    return part.get("kind") in CALLS


def tool_of(part: Part) -> str:
    return named(word(part.get("toolId")))


def text_of(part: Part) -> str | None:
    """The text of a part, None if it is none. A fence around an edit is none: what it fences is no text."""
    kind = part.get("kind")
    if kind in (None, "markdownContent", "markdownVuln"):
        text = message(part if "value" in part else part.get("content"))
        return "" if _FENCE.fullmatch(text) else text
    if kind == "inlineReference":
        held = record(part.get("inlineReference"))
        name = word(part.get("name")) or word(held.get("name"))
        return f"`{name or os.path.basename(path_of(held.get('location') or held))}`"
    return None


def message(value: Any) -> str:
    """A message of the editor's: a string, or Markdown with its text in `value`."""
    return word(record(value).get("value")) if isinstance(value, dict) else word(value)


def addressed(part: Part) -> tuple[str, ...]:
    """The files that the message about a call links to."""
    return paths_in(record(record(part.get("invocationMessage")).get("uris")))


def is_refused(part: Part) -> bool:
    """Whether the person denied a call or went on without it."""
    confirmed = part.get("isConfirmed")
    reason = code(record(confirmed).get("type"))
    return confirmed is False or (reason is not None and reason in (_DENIED, _SKIPPED))


def command_of(special: Part) -> str:
    """The command as it ran: as the person or the editor changed it, else as the model wrote it."""
    line = record(special.get("commandLine"))
    ways = (line.get("userEdited"), line.get("toolEdited"), line.get("original"), special.get("command"))
    return next((word(way) for way in ways if word(way)), "")


def is_background(part: Part) -> bool:
    """Whether a command was started in the background, or left there."""
    special = record(part.get("toolSpecificData"))
    return special.get("isBackground") is True or special.get("didContinueInBackground") is True


def outcome(part: Part) -> tuple[str, int | None, bool | None]:
    """What a part shows of its call's result: the text, the exit code, and whether it failed."""
    special, details = record(part.get("toolSpecificData")), record(part.get("resultDetails"))
    ended = code(record(special.get("terminalCommandState")).get("exitCode"))
    printed = word(record(special.get("terminalCommandOutput")).get("text"))
    answered = "\n".join(filter(None, (word(out.get("value")) for out in records(details.get("output")))))
    fault = part.get("resultError")
    failed = True if fault else flag(details.get("isError"))
    if failed is None and ended is not None:
        failed = ended != 0
    told = word(special.get("result")) or message(part.get("pastTenseMessage"))
    return printed or answered or word(fault) or told, ended, failed


def edits_of(part: Part) -> list[Edit]:
    """The changes of files that a part made or proposes. What was there before is not kept."""
    kind = part.get("kind")
    if kind == "workspaceEdit":
        return [edit for step in records(part.get("edits")) for edit in _moved(step)]
    path = path_of(part.get("uri"))
    if not path:
        return []
    if kind == "externalEdit":
        action: Any = _EXTERNAL.get(word(part.get("editKind")), "modified")
        return [Edit(path, action)]
    groups = [group if isinstance(group, list) else [group] for group in items(part.get("edits"))]
    new = "\n".join(filter(None, (word(record(edit).get("text")) for group in groups for edit in group)))
    return [Edit(path, new=excerpt(new))]


def _moved(step: Part) -> list[Edit]:
    old, new = path_of(step.get("oldResource")), path_of(step.get("newResource"))
    if old and new:
        return [Edit(new, "renamed", old=old)]
    return [Edit(new, "created")] if new else [Edit(old, "deleted")] if old else []


def pair(calls: list[dict[str, Any]], parts: list[Part]) -> Pairs:
    places = _places(calls, parts)
    taken = set(places.values())
    beside: dict[int, list[Part]] = {-1: []}
    last = -1
    for index, part in enumerate(parts):
        if index in taken:
            last = index
            beside[last] = []
        else:
            beside[last].append(part)
    paired = [
        Paired(call, parts[places[number]], beside[places[number]])
        if number in places
        else Paired(call, {}, [])
        for number, call in enumerate(calls)
    ]
    return Pairs(paired, beside[-1], beside[last])


def _places(calls: list[dict[str, Any]], parts: list[Part]) -> dict[int, int]:
    """The place of each call's part, by the call's number: of the same id, else the next of the same tool."""
    own = [
        (index, part)
        for index, part in enumerate(parts)
        if is_call(part) and not part.get("subAgentInvocationId")
    ]
    by_id = {word(part.get("toolCallId")): index for index, part in own}
    places: dict[int, int] = {}
    for number, call in enumerate(calls):
        id = word(call.get("id"))
        index = by_id.pop(id, by_id.pop(id.split(_VSCODE)[0], None))
        if index is not None:
            places[number] = index
    taken = set(places.values())
    of_tool: dict[str, list[int]] = {}
    for index, part in reversed(own):
        if index not in taken:
            of_tool.setdefault(tool_of(part), []).append(index)
    for number, call in enumerate(calls):
        if number not in places and (same := of_tool.get(word(call.get("name")))):
            places[number] = same.pop()
    return places

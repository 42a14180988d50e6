"""The agent's answer to a request: the model's rounds, with what the editor kept of each call beside them.

The rounds hold what the model said, what it called and what it was shown. They are recorded when the answer is
over, so an answer that was cut short, or is under way, is told by what was on the screen.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import Any

from segue.agents._address import path_of
from segue.agents._record import items, record, records, whole, word
from segue.agents._toolcall import arguments_of
from segue.agents._writer import EntryWriter
from segue.agents.copilot_vscode import parts as screen
from segue.agents.copilot_vscode.parts import Paired, Part
from segue.agents.copilot_vscode.tools import CREATE, INTERNAL, KINDS, TASK, arguments, output
from segue.model.entry import Edit, ToolKind, Usage

_ERRORS = ("ERROR while calling tool", "ERROR: Your input to the tool was invalid")


class Reply:
    def __init__(self, writer: EntryWriter, number: int, request: dict[str, Any], undone: set[str]) -> None:
        result = record(request.get("result"))
        about = record(result.get("metadata"))
        self.question = ""
        """What the person was asked last and has not answered yet."""
        self._writer = writer
        self._number, self._request, self._undone = number, request, undone
        self._rounds = records(about.get("toolCallRounds"))
        self._results = record(about.get("toolCallResults"))
        self._summary = record(about.get("summary"))
        self._usage = _usage(result, about, request)
        self._parts = screen.parts_of(request.get("response"))
        self._edited: set[str] = set()
        """The files that calls changed."""
        self._applied = 0
        """Changes told so far that no call tells."""
        self._thinks = False
        """Whether the rounds tell thoughts, so that the screen repeats them."""

    def add_entries(self) -> None:
        if self._rounds:
            self._by_rounds()
        else:
            self._by_parts(self._parts)
        if self._usage:
            self._writer.add_usage(self._usage, {})

    def _by_rounds(self) -> None:
        calls = [call for one in self._rounds for call in records(one.get("toolCalls"))]
        pairs = screen.pair(calls, self._parts)
        if self._summary and not any(_sums_up(one, self._summary) for one in self._rounds):
            self._writer.add_compaction(word(self._summary.get("text")))
        self._thinks = any(_thinking(one) for one in self._rounds)
        self._show(pairs.before)
        told = iter(pairs.calls)
        for one in self._rounds:
            self._turn(one.get("timestamp"))
            self._speak("thought", _thinking(one))
            self._speak("agent", word(one.get("response")))
            for paired in islice(told, len(records(one.get("toolCalls")))):
                self._call(paired)
            if summary := word(one.get("summary")) or _sums_up(one, self._summary):
                self._writer.add_compaction(summary)
        if records(self._rounds[-1].get("toolCalls")):
            self._speak("agent", "".join(filter(None, map(screen.text_of, pairs.last))).strip())
        self._edits(part for part in self._parts if part.get("kind") in screen.EDITS)

    def _by_parts(self, parts: list[Part]) -> None:
        said: list[str] = []
        taken: set[int] = set()
        for index, part in enumerate(parts):
            text = screen.text_of(part)
            if text is not None:
                said.append(text)
            elif part.get("kind") not in screen.SILENT and index not in taken:
                self._speak("agent", "".join(said).strip())
                said.clear()
                if screen.is_call(part):
                    edits = self._edits_after(parts, index, taken)
                    self._on_screen(part, edits)
                elif part.get("kind") in screen.EDITS:
                    self._edits([part])
                else:
                    self._show([part])
        self._speak("agent", "".join(said).strip())

    def _edits_after(self, parts: list[Part], index: int, taken: set[int]) -> tuple[Edit, ...]:
        """What a call of an editing tool changed: the edits up to the next call."""
        if KINDS.get(screen.tool_of(parts[index])) not in ("write", "edit"):
            return ()
        found: list[Edit] = []
        for place in range(index + 1, len(parts)):
            after = parts[place]
            if screen.is_call(after) and screen.tool_of(after) not in INTERNAL:
                break
            if after.get("kind") in screen.EDITS:
                found += screen.edits_of(after)
                taken.add(place)
        return tuple(found)

    def _show(self, parts: Iterable[Part]) -> None:
        """What stood on the screen beside what the model said and called."""
        for part in parts:
            kind = word(part.get("kind"))
            if screen.text_of(part) is not None or kind in screen.SILENT or kind in screen.EDITS:
                continue
            if screen.is_call(part):
                self._on_screen(part, ())
            elif kind == "thinking":
                self._speak("thought", "" if self._thinks else _joined(part.get("value")))
            elif kind == "confirmation":
                title, text = word(part.get("title")), screen.message(part.get("message"))
                self.question = f"{title}\n{text}".strip()
                self._writer.add("question", self.question)
            elif kind == "questionCarousel":
                self._asked(part)
            elif kind in ("elicitation", "elicitationSerialized"):
                self._elicited(part)
            elif kind == "hook":
                text = word(part.get("stopReason")) or word(part.get("systemMessage"))
                if text:
                    self._writer.add("user", text, by="harness", via="hook")
            elif kind == "systemNotification":
                self._writer.add(
                    "user", screen.message(part.get("content")), by="harness", via="notification"
                )
            else:
                self._writer.add(
                    "other", screen.message(part.get("content")), by="harness", data={"type": kind}
                )

    def _call(self, paired: Paired) -> None:
        """A call of the model's, what ran inside it, and its result."""
        call, part, beside = paired
        id, tool = word(call.get("id")), word(call.get("name"))
        given = arguments_of(call.get("arguments"))
        edits = self._called(id, tool, given, part)
        inner = next((named for one in beside if (named := word(one.get("subAgentInvocationId")))), id)
        if tool == TASK:
            self._writer.add("subagent_start", word(given.get("prompt")), call_id=id, agent_id=inner)
        self._show(beside)
        self._answered(id, tool, part, self._results.get(id), edits)
        if tool == TASK:
            self._writer.add("subagent_end", by="subagent", call_id=id, agent_id=inner)

    def _on_screen(self, part: Part, edits: tuple[Edit, ...]) -> None:
        """A call of which only the editor's side is recorded."""
        tool = screen.tool_of(part)
        if tool in INTERNAL:
            return
        id = word(part.get("toolCallId"))
        given = arguments_of(record(part.get("resultDetails")).get("input"))
        made = self._called(id, tool, given, part, edits)
        self._answered(id, tool, part, None, made)

    def _called(
        self, id: str, tool: str, given: dict[str, Any], part: Part, edits: tuple[Edit, ...] = ()
    ) -> tuple[Edit, ...]:
        """Tells a call; gives the edits it made."""
        kind = _kind(tool, part)
        special = record(part.get("toolSpecificData"))
        given = arguments(
            tool, given or record(special.get("rawInput")) or (special if kind == "task" else {})
        )
        fields: dict[str, Any] = {"model": self._writer.model, **_speaker(part)}
        if kind == "shell" and special:
            fields["command"] = screen.command_of(special)
            fields["cwd"] = path_of(special.get("cwd"))
            fields["background"] = screen.is_background(part)
        elif special.get("kind") == "todoList":
            given = {"todos": special.get("todoList")}
        if edits:
            fields["edits"], fields["paths"] = edits, tuple(dict.fromkeys(edit.path for edit in edits))
        elif not given and kind in ("read", "write", "edit", "search"):
            fields["paths"] = screen.addressed(part)
        elif not given and kind == "other":
            fields["text"] = screen.message(part.get("invocationMessage"))
        self._writer.add_call(kind, id, tool, given, tool == CREATE and not edits, **fields)
        made = next(entry.edits for entry in reversed(self._writer.entries) if entry.kind == "tool_call")
        self._edited |= {edit.path for edit in made}
        return made

    def _answered(self, id: str, tool: str, part: Part, result: Any, edits: tuple[Edit, ...]) -> None:
        kind = _kind(tool, part)
        fields: dict[str, Any] = {"call_id": id, "tool": tool, "tool_kind": kind, **_speaker(part)}
        if screen.is_refused(part) or (edits and {edit.path for edit in edits} <= self._undone):
            self._writer.add("rejection", **{**fields, "by": "person", "via": "rejection"})
            return
        text, ended, failed = screen.outcome(part)
        if result is None and ended is None and not failed and part.get("isComplete") is not True:
            return
        text = output(result) or text
        if text.startswith(_ERRORS):
            failed = True
        background = ended is None and screen.is_background(part)
        told: dict[str, Any] = {"exit_code": ended, "is_error": failed, "background": background}
        self._writer.add("tool_result", text, **fields, **told)

    def _edits(self, parts: Iterable[Part]) -> None:
        """Changes that no call tells, as of an answer whose code the editor applied by itself."""
        for part in parts:
            made = tuple(edit for edit in screen.edits_of(part) if edit.path not in self._edited)
            if not made:
                continue
            paths = tuple(dict.fromkeys(edit.path for edit in made))
            self._applied += 1
            id = f"{self._number}.{self._applied}"
            fields: dict[str, Any] = {"call_id": id, "tool": word(part.get("kind")), "tool_kind": "edit"}
            self._writer.add("tool_call", **fields, paths=paths, edits=made)
            if set(paths) <= self._undone:
                self._writer.add_rejection(id, fields["tool"], "edit")
            elif part.get("done") is not False:
                self._writer.add("tool_result", **fields)

    def _asked(self, part: Part) -> None:
        answers = record(part.get("data"))
        for one in records(part.get("questions")):
            text = screen.message(one.get("message")) or word(one.get("title"))
            choices = [f"- {word(choice.get('label'))}" for choice in records(one.get("options"))]
            self._writer.add("question", "\n".join([text, *choices]))
            if answer := _answer(answers.get(word(one.get("id")))):
                self._writer.add("answer", f"{text}\n{answer}", by="person", via="answer")

    def _elicited(self, part: Part) -> None:
        text = f"{screen.message(part.get('title'))}\n{screen.message(part.get('message'))}".strip()
        self._writer.add("question", text)
        if state := word(part.get("state")):
            self._writer.add("answer", f"{text}\n{state}", by="person", via="answer")

    def _speak(self, kind: Any, text: str) -> None:
        if text.strip():
            self._writer.add_message(kind, text)

    def _turn(self, stamp: Any) -> None:
        started = stamp or self._request.get("timestamp")
        self._writer.start_record(self._number, 0, started, self._writer.at.native_id)


def _kind(tool: str, part: Part) -> ToolKind:
    special = record(part.get("toolSpecificData")).get("kind")
    return "shell" if special == "terminal" else "todo" if special == "todoList" else KINDS.get(tool, "other")


def _speaker(part: Part) -> dict[str, Any]:
    inner = word(part.get("subAgentInvocationId"))
    return {"by": "subagent", "agent_id": inner} if inner else {}


def _thinking(one: dict[str, Any]) -> str:
    return _joined(record(one.get("thinking")).get("text"))


def _joined(text: Any) -> str:
    """A text that may be kept in pieces."""
    return "".join(map(word, text)) if isinstance(text, list) else word(text)


def _sums_up(one: dict[str, Any], summary: dict[str, Any]) -> str:
    """The summary of all up to a round, where that round is the one it was made at."""
    at = word(summary.get("toolCallRoundId"))
    return word(summary.get("text")) if at and at == word(one.get("id")) else ""


def _answer(given: Any) -> str:
    if not isinstance(given, dict):
        return word(given)
    chosen = items(given.get("selectedValues")) or [given.get("selectedValue")]
    return ", ".join(filter(None, map(word, [*chosen, given.get("freeformValue")])))


def _usage(result: dict[str, Any], about: dict[str, Any], request: dict[str, Any]) -> Usage | None:
    """The tokens of the last call of the model, wherever a version keeps them."""
    for held in (record(result.get("usage")), about, request):
        if "promptTokens" in held:
            out = held.get("completionTokens") or held.get("outputTokens")
            return Usage(whole(held.get("promptTokens")), whole(out))
    return None

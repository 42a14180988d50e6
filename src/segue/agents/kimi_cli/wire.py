"""Wire logs: everything that happened, as events."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from segue.agents._document import object_in
from segue.agents._record import At, millis, record, usage, whole, word, words
from segue.agents.kimi_cli.tools import TOOLS, Calls
from segue.model.entry import Entry, Speaker

_SILENT_RECORDS = """
    metadata llm.request llm.tools_snapshot tools.set_active_tools token_counting.measured
    token_counting.turn_recorded runtime.set_binding permission.set_mode plan_mode.enter plan_mode.exit
    full_compaction.complete turn.ended
"""
_SILENT = frozenset(_SILENT_RECORDS.split())
_SILENT_EVENTS = {"step.begin", "step.end"}


class Wire:
    """Turns the records of a wire log into entries, in order."""

    def __init__(self) -> None:
        self.calls = Calls()
        self.prompted: list[str] = []
        self.decided: dict[str, str] = {}
        self.cwd = self.model = self.trigger = ""

    def entries(self, at: At, line: dict[str, Any]) -> Iterator[Entry]:
        at = at._replace(time_ms=millis(line.get("time")))
        kind = word(line.get("type"))
        if kind in ("turn.prompt", "turn.steer"):
            yield from self._prompt(at, line, "prompt" if kind == "turn.prompt" else "queued")
        elif kind == "context.append_message":
            yield from self._message(at, record(line.get("message")))
        elif kind == "context.append_loop_event":
            yield from self._event(at, record(line.get("event")))
        elif kind in ("config.update", "profile.bind"):
            yield from self._config(at, line)
        elif kind == "usage.record":
            yield from _usage(at, line)
        elif kind == "permission.record_approval_result":
            yield from self._approval(at, line)
        elif kind == "turn.cancel":
            yield at.entry("interruption", by="person")
        elif kind == "full_compaction.begin":
            self.trigger = word(line.get("source"))
        elif kind == "context.apply_compaction":
            yield from self._compaction(at, line)
        elif kind not in _SILENT:
            yield at.other(kind or "record", words(line.get("content")))

    def _prompt(self, at: At, line: dict[str, Any], via: str) -> Iterator[Entry]:
        text = words(line.get("input"))
        self.prompted.append(text)
        yield at.entry("user", text, by=_speaker(record(line.get("origin"))), via=via)

    def _message(self, at: At, message: dict[str, Any]) -> Iterator[Entry]:
        text, origin = words(message.get("content")), record(message.get("origin"))
        if message.get("role") != "user":
            yield at.entry("agent", text)
        elif text in self.prompted:
            self.prompted.remove(text)
        elif origin.get("kind") == "injection":
            yield at.entry(
                "user", text, by="harness", via="reminder", data={"variant": word(origin.get("variant"))}
            )
        else:
            yield at.entry("user", text, by=_speaker(origin), via="prompt")

    def _event(self, at: At, event: dict[str, Any]) -> Iterator[Entry]:
        kind = word(event.get("type"))
        at = at._replace(native_id=word(event.get("uuid")) or word(event.get("parentUuid")))
        if kind == "content.part":
            part = record(event.get("part"))
            if part.get("type") == "think":
                yield at.entry("thought", word(part.get("think")), model=self.model)
            else:
                yield at.entry("agent", words(part), model=self.model)
        elif kind == "tool.call":
            yield from self._call(at, event)
        elif kind == "tool.result":
            result = record(event.get("result"))
            # The flag is written only when it is true.
            failed = result.get("isError") is True
            text = words(result.get("output"))
            yield from self.calls.result(at, word(event.get("toolCallId")), text, failed)
        elif kind not in _SILENT_EVENTS:
            yield at.other(kind or "event")

    def _call(self, at: At, event: dict[str, Any]) -> Iterator[Entry]:
        name, display = word(event.get("toolCallId")), record(event.get("display"))
        cwd = word(display.get("cwd"))
        yield from self._moved(at, cwd)
        given = object_in(event.get("args"))
        yield from self.calls.call(at, name, word(event.get("name")), given, cwd=cwd)
        plan = word(display.get("plan"))
        if plan:
            decision = self.decided.get(name, "")
            yield at.entry("plan", plan, call_id=name, data={"outcome": decision} if decision else {})

    def _approval(self, at: At, line: dict[str, Any]) -> Iterator[Entry]:
        name, result = word(line.get("toolCallId")), record(line.get("result"))
        decision = word(result.get("decision"))
        self.decided[name] = "approved" if decision == "approved" else "rejected"
        if decision != "approved":
            words_given = word(result.get("feedback")) or word(result.get("reason"))
            tool = word(line.get("toolName"))
            refused = {"call_id": name, "tool": tool, "tool_kind": TOOLS.get(tool, "other")}
            yield at.entry("rejection", words_given, by="person", via="rejection", **refused)

    def _config(self, at: At, line: dict[str, Any]) -> Iterator[Entry]:
        cwd = word(line.get("cwd")) or word(record(line.get("environmentDisclosure")).get("cwd"))
        yield from self._moved(at, cwd)
        model = word(line.get("modelAlias"))
        if model and model != self.model:
            if self.model:
                yield at.entry("model_change", by="harness", model=model)
            self.model = model
            yield at.meta(model=model)

    def _moved(self, at: At, cwd: str) -> Iterator[Entry]:
        if cwd and not self.cwd:
            self.cwd = cwd
            yield at.meta(cwd=cwd)

    def _compaction(self, at: At, line: dict[str, Any]) -> Iterator[Entry]:
        text = word(line.get("summary")) or word(line.get("contextSummary"))
        before, after = whole(line.get("tokensBefore")), whole(line.get("tokensAfter"))
        return at.compaction(text, trigger=self.trigger, tokens_before=before, tokens_after=after)


def _speaker(origin: dict[str, Any]) -> Speaker:
    kind = origin.get("kind")
    if kind == "system_trigger":
        return "agent" if origin.get("name") == "subagent" else "harness"
    return "person" if kind in ("user", None) else "harness"


def _usage(at: At, line: dict[str, Any]) -> Iterator[Entry]:
    names = ("inputOther", "output", "inputCacheRead", "inputCacheCreation")
    spent = usage(record(line.get("usage")), *names)
    yield at.entry("meta", by="harness", usage=spent, model=word(line.get("model")))

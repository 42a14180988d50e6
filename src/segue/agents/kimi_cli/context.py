"""Message files: OpenAI-style messages, with bookkeeping lines between them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from segue.agents._document import object_in
from segue.agents._record import At, blocks, record, records, whole, with_usage, word, words
from segue.agents._tags import sections, without
from segue.agents.kimi_cli.tools import Calls, content
from segue.model.entry import Entry, Usage

_SYSTEM = {"system": "meta", "system-reminder": "reminder"}
_COMPACTED = "Previous context has been compacted"
_DONE = re.compile(
    r"<system>(?:Command executed successfully|File successfully|\d+ lines read|Found \d+ matches|Thought logged"
    r"|Context gathered successfully)"
)
_FAILED = re.compile(r"<system>(?:ERROR|Command failed|Failed)")


class Context:
    """Turns the lines of a message file into entries, in order."""

    def __init__(self, of_subagent: bool) -> None:
        self.of_subagent = of_subagent
        self.calls = Calls()
        self.tokens = 0

    def entries(self, at: At, line: dict[str, Any]) -> Iterator[Entry]:
        role = line.get("role")
        if role == "_usage":
            self.tokens = whole(line.get("token_count"))
        elif role == "_system_prompt":
            yield at.other("_system_prompt", word(line.get("content")))
        elif role == "user":
            yield from self._user(at, line.get("content"))
        elif role == "assistant":
            yield from self._assistant(at, line)
        elif role == "tool":
            text = words(line.get("content"))
            yield from self.calls.result(at, word(line.get("tool_call_id")), text, _outcome(text))
        elif role != "_checkpoint":
            yield at.other(word(role) or "line", words(line.get("content")))

    def _user(self, at: At, content: Any) -> Iterator[Entry]:
        text = words(content)
        if _COMPACTED in text[:200]:
            yield from at.compaction((text.partition("</system>")[2] or text).strip())
            return
        injected = list(sections(text, tuple(_SYSTEM)))
        for section in injected:
            yield at.entry("user", section.inner.strip(), by="harness", via=_SYSTEM[section.tag])
        own = without(text, injected).strip()
        if own:
            yield at.entry("user", own, by="agent" if self.of_subagent else "person", via="prompt")

    def _assistant(self, at: At, message: dict[str, Any]) -> Iterator[Entry]:
        usage, self.tokens = Usage(input=self.tokens), 0
        yield from with_usage(self._spoken(at, message), usage)

    def _spoken(self, at: At, message: dict[str, Any]) -> Iterator[Entry]:
        for part in blocks(message.get("content")):
            yield from content(at, part)
        for call in records(message.get("tool_calls")):
            function = record(call.get("function"))
            given = object_in(function.get("arguments"))
            yield from self.calls.call(at, word(call.get("id")), word(function.get("name")), given)


def _outcome(text: str) -> bool | None:
    if _FAILED.match(text):
        return True
    return False if _DONE.match(text) else None

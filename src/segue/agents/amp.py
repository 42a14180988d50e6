"""Amp: one document per thread.

**Where**: `~/.local/share/amp/threads/T-<id>.json`, below `XDG_DATA_HOME` where that is set; the same document is
what `amp threads export` prints. Newer versions keep threads on Amp's service only.

**Versions seen**: threads of February 2026 (document revisions 85 and 220).

**Quirks**

- A document has no lines: an entry's `line` is the number of its message, from 1.
- A result is a `run` with a status (`done`, `error`, `cancelled`, `rejected-by-user`) and a result whose shape
  depends on the tool; a command's holds its exit code.
- Prompts and replies are stamped, results are not.
- A command the person runs (`$`) and the summary of a compaction are messages of the role `info`.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from segue.agents._document import load
from segue.agents._record import (
    blocks,
    by_name,
    code,
    failed,
    first_id,
    millis,
    record,
    records,
    usage,
    word,
    words,
)
from segue.agents._toolcall import kinds
from segue.agents._writer import EntryWriter
from segue.agents.contract import Home
from segue.model.entry import Entry, Usage

AGENT = "amp"

KINDS = kinds(
    shell="Bash",
    read="Read read_file",
    write="create_file",
    edit="edit_file undo_edit apply_patch",
    search="Grep glob Glob finder codebase_search_agent list_directory",
    web="web_search read_web_page",
    task="Task oracle librarian",
    todo="todo_write",
)
_ERRORS = {"done": False, "error": True}
_REFUSED = ("rejected-by-user", "rejected")


def places(home: Home, cwd: str | None) -> Iterable[str]:
    root = home.env.get("XDG_DATA_HOME") or f"{home.home}/.local/share"
    return (f"{root}/amp/threads/T-*.json",)


def sniff(path: str, head: bytes) -> int:
    if not head.lstrip().startswith(b"{") or b'"T-' not in head[:4096] or b'"messages"' not in head:
        return 0
    signs = (b'"messageId"', b'"toolUseID"', b'"agentMode"', b'"nextMessageId"', b'"~debug"', b'"userState"')
    return 100 if any(sign in head for sign in signs) else 60


def sessions(path: str) -> Iterable[str]:
    return first_id(read(path))


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    document = load(path)
    thread = record(document.value)
    writer = EntryWriter(path)
    story = _Story(writer)
    story.session(thread, os.path.basename(path).removesuffix(".json"))
    yield from writer.flush()
    messages = records(thread.get("messages"))
    for number, message in enumerate(messages, start=1):
        story.add_message(number, message)
        yield from writer.flush()
    if document.flaw:
        yield msgspec.structs.replace(document.flaw, line=len(messages) + 1)


class _Story:
    def __init__(self, writer: EntryWriter) -> None:
        self._writer = writer
        self._tools: dict[str, str] = {}

    def session(self, thread: dict[str, Any], stem: str) -> None:
        initial = record(record(thread.get("env")).get("initial"))
        tree = next(iter(records(initial.get("trees"))), {})
        self._writer.cwd = word(tree.get("uri")).removeprefix("file://")
        facts = {
            **({"id": word(thread.get("id"))} if word(thread.get("id")) else by_name(stem)),
            "cwd": self._writer.cwd,
            "title": word(thread.get("title")),
            "branch": word(record(tree.get("repository")).get("ref")).removeprefix("refs/heads/"),
            "agent_version": word(record(initial.get("platform")).get("clientVersion")),
            "parent": _parent(thread),
        }
        self._writer.start_record(1, 0, thread.get("created"), facts["id"])
        self._writer.add_meta(facts, cwd=self._writer.cwd)

    def add_message(self, number: int, message: dict[str, Any]) -> None:
        spent = record(message.get("usage"))
        stamp = record(message.get("meta")).get("sentAt") or spent.get("timestamp")
        self._writer.start_record(
            number, 0, stamp if isinstance(stamp, str) else millis(stamp), word(message.get("messageId"))
        )
        role, content = word(message.get("role")), message.get("content")
        listed = blocks(content)
        if role == "assistant":
            self._replied(listed, spent)
            self._ended(record(message.get("state")))
            return
        pictures = sum(block.get("type") == "image" for block in listed)
        data = {"images": pictures} if pictures else {}
        if pictures == len(listed) > 0:
            self._writer.add("user", by="person", via="prompt", data=data)
        for block in listed:
            self._add_input(role, block, data)

    def _add_input(self, role: str, block: dict[str, Any], data: dict[str, Any]) -> None:
        """A block that was given to the agent: the person's words, a result, or a notice."""
        kind = word(block.get("type"))
        if kind == "tool_result":
            self._result(block)
        elif kind == "manual_bash_invocation":
            self._own_shell(block)
        elif kind == "summary":
            summary = record(block.get("summary")).get("summary") or block.get("summary")
            self._writer.add_compaction(words(summary))
        elif kind == "text" and role == "user":
            self._writer.add_user_text(word(block.get("text")), data=data)
        elif kind != "image":
            text = word(block.get("text"))
            self._writer.add("other", text, by="harness", data={"type": f"{role}:{kind}"})

    def _replied(self, blocks: list[dict[str, Any]], spent: dict[str, Any]) -> None:
        self._writer.model = word(spent.get("model")) or self._writer.model
        cost = _usage(spent)
        for block in blocks:
            fields: dict[str, Any] = {"model": self._writer.model, "usage": cost}
            kind, text = word(block.get("type")), word(block.get("text"))
            if kind == "tool_use":
                tool, id = word(block.get("name")), word(block.get("id"))
                self._tools[id] = tool
                given, makes = record(block.get("input")), tool == "create_file"
                self._writer.add_call(KINDS.get(tool, "other"), id, tool, given, makes, **fields)
            elif kind == "thinking" and block.get("thinking"):
                self._writer.add("thought", word(block.get("thinking")), **fields)
            elif kind == "text" and text.strip():
                self._writer.add("agent", text, **fields)
            else:
                continue
            cost = None

    def _ended(self, state: dict[str, Any]) -> None:
        kind = word(state.get("type"))
        if kind == "cancelled":
            self._writer.add("interruption", by="person", reason=kind)
        elif kind == "error":
            text = words(record(state.get("error")).get("message")) or words(state.get("error"))
            self._writer.add("interruption", text, by="harness", reason=kind)

    def _result(self, block: dict[str, Any]) -> None:
        id, run = word(block.get("toolUseID")), record(block.get("run"))
        tool = self._tools.pop(id, "")
        kind = KINDS.get(tool, "other")
        status, result = word(run.get("status")), run.get("result")
        exit_code = code(record(result).get("exitCode"))
        is_error = _ERRORS.get(status)
        if not is_error and exit_code is not None:
            is_error = exit_code != 0
        text = _output(result) or words(record(run.get("error")).get("message")) or words(run.get("error"))
        self._writer.add_result(text, id, tool, kind, exit_code, is_error, status == "in-progress")
        if status in _REFUSED:
            said = words(run.get("reason")) or words(run.get("userInput"))
            self._writer.add_rejection(id, tool, kind, said)

    def _own_shell(self, block: dict[str, Any]) -> None:
        command = word(record(block.get("args")).get("cmd"))
        result = record(record(block.get("toolRun")).get("result"))
        exit_code = code(result.get("exitCode"))
        ended: dict[str, Any] = {"exit_code": exit_code, "is_error": failed(exit_code)}
        ended |= {"command": command, "tool_kind": "shell"}
        self._writer.add("user", command, by="person", via="shell", **ended)
        self._writer.add("user", _output(result), by="harness", via="output", **ended)


def _parent(thread: dict[str, Any]) -> str:
    """The thread this one was forked or handed off from."""
    for relation in records(thread.get("relationships")):
        if relation.get("role") == "child" and relation.get("type") in ("fork", "handoff"):
            return word(relation.get("threadID"))
    return word(thread.get("parentThreadID"))


def _output(result: Any) -> str:
    """A result as text: what the tool printed or read, else the whole as JSON."""
    if not isinstance(result, dict):
        return words(result)
    for key in ("output", "content", "diff", "text"):
        if text := words(result.get(key)):
            return text
    return msgspec.json.encode(result).decode() if result else ""


def _usage(spent: dict[str, Any]) -> Usage | None:
    cached = ("cacheReadInputTokens", "cacheCreationInputTokens")
    return usage(spent, "inputTokens", "outputTokens", *cached, "maxInputTokens") if spent else None

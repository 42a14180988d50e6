"""Continue: one document per session, of the editor extensions and of the command line version `cn`.

**Where**: `~/.continue/sessions/<id>.json` on every system, below `CONTINUE_GLOBAL_DIR` where that is set;
`sessions.json` beside them is an index and not read.

**Versions seen**: a session of `cn` of early 2026; documents of the extensions after their published types. They name no version.

**Quirks**

- A document has no lines: an entry's `line` is the number of its item in `history`, from 1.
- Only thoughts of the extensions bear a time, and tokens are mostly counted for the whole session, so that replies carry none.
- A call's result is its state (`toolCallStates`), older versions' a message of the role `tool`. A call that was
  never run, or was running when the session was last saved, is told without a result.
- `canceled` is a call that the person refused or stopped, which is told as refused, or one that a policy blocked, which is not.
- A command that fails without a word on its error output is `done`: whether a command went well is told only where
  an exit code stands in the text or in the result's status.
- Files, selections and pages that a prompt brings along are `contextItems`; they are the harness's.
- A summary (`conversationSummary`) stands for all up to its item.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec

from segue.agents._address import folder_of, path_of
from segue.agents._document import load
from segue.agents._record import by_file, first_id, items, record, records, whole, word, words
from segue.agents._toolcall import arguments_of, kinds
from segue.agents._writer import EntryWriter
from segue.agents.contract import Home
from segue.model.entry import Entry, Usage

AGENT = "continue"

KINDS = kinds(
    shell="Bash run_terminal_command",
    read="Read read_file read_file_range read_currently_open_file",
    write="Write create_new_file",
    edit="Edit MultiEdit edit_existing_file single_find_and_replace multi_edit",
    search="Search List grep_search file_glob_search ls codebase view_subdirectory",
    web="Fetch search_web fetch_url_content",
    task="Subagent",
    todo="Checklist",
)
_CREATE = ("create_new_file",)
_QUESTION = "AskQuestion"
_ALIASES = {"filepath": "path", "dirpath": "path", "dirPath": "path", "changes": "new", "checklist": "todos"}
"""Continue's names of arguments, and what others call the same."""
_FAILED = {"done": False, "errored": True}
_BLOCKED = "Command blocked by security policy"
_EXITED = re.compile(r"\(exit code (-?\d+)\)")
_STATUS = re.compile(r"Command failed with exit code (-?\d+)")
_ANSWER = re.compile(r'User (?:selected option \d+|provided custom answer|answered): "(.*)"', re.S)
_HISTORY = re.compile(rb'"history"\s*:\s*\[')


def places(home: Home, cwd: str | None) -> Iterable[str]:
    root = home.env.get("CONTINUE_GLOBAL_DIR") or os.path.join(home.home, ".continue")
    return (os.path.join(root, "sessions", "*-*.json"),)


def sniff(path: str, head: bytes) -> int:
    if not head.lstrip().startswith(b"{") or b'"sessionId"' not in head or not _HISTORY.search(head):
        return 0
    return 100 if b'"workspaceDirectory"' in head or b'"contextItems"' in head else 60


def sessions(path: str) -> Iterable[str]:
    return first_id(read(path))


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    document = load(path)
    held = record(document.value)
    writer = EntryWriter(path)
    story = _Story(writer)
    history = records(held.get("history"))
    story.session(path, held, history)
    yield from writer.flush()
    for number, item in enumerate(history, start=1):
        story.add_item(number, item)
        yield from writer.flush()
    if document.flaw:
        yield msgspec.structs.replace(document.flaw, line=len(history) + 1)


class _Story:
    def __init__(self, writer: EntryWriter) -> None:
        self._writer = writer
        self._tools: dict[str, str] = {}
        """Calls that have no result yet."""
        self._asked: dict[str, str] = {}
        self._detached: set[str] = set()
        """Commands that nobody waits for."""

    def session(self, path: str, held: dict[str, Any], history: list[dict[str, Any]]) -> None:
        self._writer.cwd = folder_of(held.get("workspaceDirectory"))
        self._writer.model = word(held.get("chatModelTitle"))
        facts = {
            **({"id": word(held.get("sessionId"))} if word(held.get("sessionId")) else by_file(path)),
            "cwd": self._writer.cwd,
            "title": word(held.get("title")),
            "model": self._writer.model or next(filter(None, map(_model, reversed(history))), ""),
        }
        self._writer.add_meta(facts, cwd=self._writer.cwd)

    def add_item(self, number: int, item: dict[str, Any]) -> None:
        message = record(item.get("message"))
        role, content = word(message.get("role")), message.get("content")
        reasoning = record(item.get("reasoning"))
        self._writer.start_record(number, 0, native_id=word(message.get("id")))
        self._writer.model = _model(item) or self._writer.model
        summary = word(item.get("conversationSummary"))
        if role == "user":
            self._prompted(content, records(item.get("contextItems")))
        elif role == "assistant":
            self._thought(number, word(reasoning.get("text")), reasoning.get("startAt"))
            self._replied(item, message, "" if words(content) == summary else words(content))
        elif role == "thinking":
            self._thought(number, words(content))
        elif role == "tool":
            self._result(word(message.get("toolCallId")), words(content))
        else:
            self._writer.add("other", by="harness", data={"type": role})
        if summary:
            self._writer.add_compaction(summary)

    def _prompted(self, content: Any, brought: list[dict[str, Any]]) -> None:
        pictures = sum(part.get("type") == "imageUrl" for part in records(content))
        data = {"images": pictures} if pictures else {}
        text = words(content)
        if text.strip():
            self._writer.add_user_text(text, data=data)
        elif pictures:
            self._writer.add("user", by="person", via="prompt", data=data)
        for context in brought:
            address = record(context.get("uri"))
            path = path_of(address.get("value")) if address.get("type") == "file" else ""
            shown = word(context.get("content")) or word(context.get("name"))
            paths = (path,) if path else ()
            self._writer.add("user", shown, by="harness", via="environment", paths=paths)

    def _thought(self, number: int, text: str, started: Any = None) -> None:
        if text.strip():
            native_id = self._writer.at.native_id
            self._writer.start_record(number, 0, started, native_id)
            self._writer.add_message("thought", text)
            self._writer.start_record(number, 0, native_id=native_id)

    def _replied(self, item: dict[str, Any], message: dict[str, Any], text: str) -> None:
        usage = _usage(record(message.get("usage")))
        if text.strip():
            self._writer.add_message("agent", text, usage)
            usage = None
        states = records(item.get("toolCallStates")) or records([item.get("toolCallState")])
        by_id = {word(state.get("toolCallId")): state for state in states}
        calls = records(message.get("toolCalls")) or [record(state.get("toolCall")) for state in states]
        for call in calls:
            id = word(call.get("id"))
            state = by_id.get(id, {})
            self._called(id, record(call.get("function")), state, usage)
            usage = None
            self._ended(id, state)

    def _called(
        self, id: str, function: dict[str, Any], state: Mapping[str, Any], usage: Usage | None
    ) -> None:
        tool = word(function.get("name"))
        given = arguments_of(function.get("arguments")) or record(state.get("parsedArgs"))
        named = {_ALIASES.get(key, key): value for key, value in given.items()}
        fields: dict[str, Any] = {"model": self._writer.model, "usage": usage}
        if given.get("waitForCompletion") is False:
            fields["background"] = True
            self._detached.add(id)
        self._tools[id] = tool
        if tool == _QUESTION:
            fields["text"], self._asked[id] = "", word(given.get("question"))
        self._writer.add_call(KINDS.get(tool, "other"), id, tool, named, creates=tool in _CREATE, **fields)
        if tool == _QUESTION:
            choices = [f"- {word(choice)}" for choice in items(given.get("options"))]
            self._writer.add("question", "\n".join([self._asked[id], *choices]), call_id=id)

    def _ended(self, id: str, state: Mapping[str, Any]) -> None:
        status, output = word(state.get("status")), records(state.get("output"))
        text = "\n".join(filter(None, (word(part.get("content")) for part in output)))
        if status == "canceled" and not text.startswith(_BLOCKED):
            tool = self._tools.pop(id, "")
            self._writer.add_rejection(id, tool, KINDS.get(tool, "other"))
        elif status == "canceled":
            self._result(id, text, failed=True)
        elif status in _FAILED:
            said = next((word(part.get("status")) for part in output if part.get("status")), "")
            self._result(id, text, _FAILED[status], said)

    def _result(self, id: str, text: str, failed: bool | None = None, status: str = "") -> None:
        """Tells the result of a call that has none yet."""
        if id not in self._tools:
            return
        tool = self._tools.pop(id)
        kind = KINDS.get(tool, "other")
        ended = None
        if kind == "shell":
            found = _STATUS.match(status) or (_EXITED.search(text[:200]) if failed else None)
            ended = int(found[1][:9]) if found else None
            failed = True if ended else failed or None
        self._writer.add_result(text, id, tool, kind, ended, failed, id in self._detached)
        question, answer = self._asked.pop(id, ""), _ANSWER.fullmatch(text)
        if answer:
            self._writer.add("answer", f"{question}\n{answer[1]}", by="person", via="answer", call_id=id)


def _model(item: dict[str, Any]) -> str:
    """The model of a reply, where its prompts were logged."""
    return next((word(log.get("modelTitle")) for log in reversed(records(item.get("promptLogs")))), "")


def _usage(spent: dict[str, Any]) -> Usage | None:
    if not spent:
        return None
    details = record(spent.get("promptTokensDetails"))
    read, written = whole(details.get("cachedTokens")), whole(details.get("cacheWriteTokens"))
    return Usage(whole(spent.get("promptTokens")), whole(spent.get("completionTokens")), read, written)

"""Droid (Factory): one file per session, messages in Anthropic's blocks.

**Where**: `~/.factory/sessions/<folder with dashes for slashes>/<id>.jsonl`, older ones right in
`~/.factory/sessions/`. Beside each lies `<id>.settings.json` with the model and the tokens of the whole session.

**Versions seen**: format 2, releases up to 0.81.

**Quirks**

- The to-do list is text (`1. [in_progress] …`) and is written twice, by the call and as `todo_state`; it is told once.
- Files that a prompt mentions with `@` follow it as text of their own; they are the harness's.
- Exit codes stand in the output's text. Tokens are kept per session only, so replies carry none.
- A sub-agent is a session of its own that names the calling one; its prompts are the calling agent's.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from segue.agents import _jsonl
from segue.agents._record import blocks, by_file, failed, first_id, flag, record, records, word, words
from segue.agents._toolcall import kinds, todo_state
from segue.agents._writer import EntryWriter, add_block, entries_of
from segue.agents.contract import Home
from segue.model.entry import Entry, Speaker, Todo

AGENT = "droid"

KINDS = kinds(
    shell="Execute",
    read="Read",
    write="Create Write",
    edit="Edit MultiEdit ApplyPatch",
    search="Grep Glob LS",
    web="WebSearch FetchUrl",
    task="Task",
    todo="TodoWrite",
)
_TODO = re.compile(r"(?:\d+[.)]|[-*])[ \t]*\[(\w+)\][ \t]*(.+)")
_MENTIONED = re.compile(r"Contents of (.+?) \(lines? [^)]*\):\n")
_MENTION = 1_000
"""Characters within which the heading of a mentioned file ends."""
_EXITED = (
    re.compile(r"Error: Command failed \(exit code: (-?\d+)\)"),
    re.compile(r"\[Process exited with code (-?\d+)\]\s*\Z"),
)
_START = re.compile(rb'"type"\s*:\s*"session_start"')
_SUCCESS = re.compile(r'\A\{\s*"success"\s*:\s*(true|false)')


def places(home: Home, cwd: str | None) -> Iterable[str]:
    return (f"{home.home}/.factory/sessions/**/*.jsonl",)


def sniff(path: str, head: bytes) -> int:
    first = head.lstrip().split(b"\n", 1)[0]
    if not first.startswith(b"{") or not _START.search(first):
        return 0
    known = b'"sessionTitle"' in first or b'"callingSessionId"' in first or b'"owner"' in first
    return 100 if known or "/.factory/" in path else 60


def sessions(path: str) -> Iterable[str]:
    return first_id(read(path))


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    writer = EntryWriter(path)
    story = _Story(writer, path)
    return entries_of(
        writer,
        _jsonl.records(path),
        by_file(path),
        lambda row: row.get("type") == "session_start",
        story.add_record,
    )


class _Story:
    def __init__(self, writer: EntryWriter, path: str) -> None:
        self._writer, self._path = writer, path
        self._prompter: Speaker = "person"
        self._tools: dict[str, str] = {}
        self._todos: tuple[Todo, ...] = ()

    def add_record(self, line: int, offset: int, row: dict[str, Any]) -> None:
        self._writer.start_record(line, offset, row.get("timestamp"), word(row.get("id")))
        kind, message = word(row.get("type")), record(row.get("message"))
        if kind == "session_start":
            self._session(row)
        elif kind == "message" and message:
            for block in blocks(message.get("content")):
                if block.get("type") == "tool_result":
                    self._result(block)
                elif message.get("role") == "assistant":
                    self._replied(block)
                else:
                    self._prompted(word(block.get("text")))
        elif kind == "todo_state":
            self._listed(row.get("todos"), "")
        elif kind == "compaction_state":
            self._writer.add_compaction(word(row.get("summaryText")) or word(row.get("summary")) or None)
        elif kind != "session_end":
            self._writer.add("other", by="harness", data={"type": kind})

    def _session(self, row: dict[str, Any]) -> None:
        id, parent = word(row.get("id")), word(row.get("callingSessionId"))
        if parent:
            self._prompter = "agent"
        self._writer.cwd, self._writer.model = word(row.get("cwd")), _model(self._path)
        facts = {
            **({"id": id} if id else by_file(self._path)),
            "cwd": self._writer.cwd,
            "title": word(row.get("title")) or word(row.get("sessionTitle")),
            "parent": parent,
            "model": self._writer.model,
        }
        self._writer.add_meta(facts, cwd=self._writer.cwd, model=self._writer.model)

    def _prompted(self, words: str) -> None:
        mentioned = _MENTIONED.match(words[:_MENTION])
        if mentioned:
            self._writer.add("user", words, by="harness", via="environment", paths=(mentioned[1],))
        elif self._prompter == "agent":
            self._writer.add("user", words, by="agent", via="prompt")
        else:
            self._writer.add_user_text(words)

    def _replied(self, block: dict[str, Any]) -> None:
        if block.get("type") != "tool_use":
            add_block(self._writer, block)
            return
        id, tool, given = word(block.get("id")), word(block.get("name")), record(block.get("input"))
        self._tools[id] = tool
        kind = KINDS.get(tool, "other")
        if kind == "todo":
            self._writer.add("tool_call", call_id=id, tool=tool, tool_kind=kind)
            self._listed(given, id)
            return
        self._writer.add_call(kind, id, tool, given, creates=tool == "Create")
        if tool == "ExitSpecMode":
            self._writer.add("plan", word(given.get("plan")), call_id=id)

    def _listed(self, given: Any, call_id: str) -> None:
        """A to-do list, unless it is the one told last."""
        while isinstance(given, dict):
            given = given.get("todos")
        if isinstance(given, list):
            listed = [(word(item.get("status")), word(item.get("content"))) for item in records(given)]
        else:
            lines = (_TODO.match(line.strip()) for line in str(given or "").splitlines())
            listed = [(line[1], line[2]) for line in lines if line]
        items = tuple(Todo(words, todo_state(state)) for state, words in listed)
        if items != self._todos:
            self._todos = items
            self._writer.add("todo", call_id=call_id, todos=items)

    def _result(self, block: dict[str, Any]) -> None:
        id = word(block.get("tool_use_id"))
        tool = self._tools.pop(id, "")
        kind = KINDS.get(tool, "other")
        output = words(block.get("content")) or word(block.get("text"))
        code, is_error = None, flag(block.get("is_error"))
        if kind == "shell":
            found = _EXITED[0].match(output) or _EXITED[1].search(output[-200:])
            code = int(found[1]) if found else None
        elif succeeded := _SUCCESS.match(output):
            is_error = succeeded[1] == "false"
        self._writer.add_result(output, id, tool, kind, code, failed(code) if is_error is None else is_error)


def _model(path: str) -> str:
    """The model as the settings beside the session name it."""
    try:
        with open(f"{path.removesuffix('.jsonl')}.settings.json", "rb") as file:
            return word(record(_jsonl.any_json(file.read(1 << 20))).get("model"))
    except (OSError, ValueError, RecursionError):
        return ""

"""Cursor: the transcripts its agent leaves beside a project.

**Where**: `~/.cursor/projects/<folder with dashes for slashes>/agent-transcripts/<id>.jsonl`, newer ones
`agent-transcripts/<id>/<id>.jsonl`.

**Versions seen**: transcripts of 2026; they name no version.

**Quirks**

- No ids, no times, and mostly no tool results: whether a call succeeded is not recorded. The session is known by the
  name of its file. Where results are recorded they answer the calls of the message before, in order.
- The person's words stand in `<user_query>`; what surrounds it (open files, rules, reminders) is the harness's.
- `[REDACTED]` stands where thinking was; it is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from segue.agents._jsonl import records
from segue.agents._record import by_file, stem, word
from segue.agents._tags import sections
from segue.agents._toolcall import kinds
from segue.agents._writer import Block, Desk, Message, blocks, spoken, text
from segue.agents.contract import Home
from segue.model.entry import Edit, Entry

AGENT = "cursor"

KINDS = kinds(
    shell="Shell Bash run_terminal_cmd",
    read="Read read_file",
    write="Write write",
    edit="StrReplace Edit edit_file search_replace ApplyPatch Delete delete_file",
    search="Grep Glob LS SemanticSearch codebase_search",
    web="WebSearch WebFetch web_search",
    task="Task",
    todo="TodoWrite todo_write",
)
_DELETES = ("Delete", "delete_file")
_THINKING = "[REDACTED]"
_LINE = re.compile(rb'\s*\{\s*"role"\s*:\s*"(?:user|assistant)"\s*,\s*"message"\s*:\s*\{\s*"content"\s*:')


class _Record(msgspec.Struct, gc=False):
    role: str = ""
    message: Message | None = None
    type: str | None = None
    status: str | None = None


_decode = msgspec.json.Decoder(_Record).decode


def places(home: Home, cwd: str | None) -> Iterable[str]:
    folder = cwd.strip("/").replace("/", "-").replace(".", "-") if cwd else "*"
    return (f"{home.home}/.cursor/projects/{folder}/agent-transcripts/**/*.jsonl",)


def sniff(path: str, head: bytes) -> int:
    if not _LINE.match(head):
        return 0
    return 100 if "/agent-transcripts/" in path or b"<user_query>" in head else 75


def sessions(path: str) -> Iterable[str]:
    return (stem(path),)


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    desk = Desk(path)
    desk.add("meta", by="harness", data=by_file(path))
    open_calls: list[tuple[str, str]] = []
    for line, offset, value in records(path, _decode):
        if not isinstance(value, _Record):
            desk.carry(line, offset, value)
        elif value.message:
            desk.turn_to(line, offset)
            reply = value.role == "assistant"
            if reply:
                open_calls.clear()
            for number, block in enumerate(blocks(value.message.content), start=1):
                if block.type == "tool_result":
                    _result(desk, block, open_calls)
                elif reply:
                    _replied(desk, block, f"{line}.{number}", open_calls)
                else:
                    _prompted(desk, block)
        else:
            desk.turn_to(line, offset)
            _ended(desk, value)
        yield from desk.take()


def _prompted(desk: Desk, block: Block) -> None:
    words = block.text or ""
    query = next(sections(words, ("user_query",)), None)
    if not query:
        desk.words(words)
        return
    around = f"{words[: query.start].strip()}\n{words[query.end :].strip()}".strip()
    if around:
        desk.add("user", around, by="harness", via="environment")
    desk.add("user", query.inner.strip(), by="person", via="prompt")


def _replied(desk: Desk, block: Block, place: str, open_calls: list[tuple[str, str]]) -> None:
    if block.type != "tool_use":
        if block.text:
            block.text = block.text.replace(_THINKING, "").strip()
        spoken(desk, block)
        return
    tool, id = block.name or "", block.id or place
    open_calls.append((id, tool))
    given = dict(block.input or {})
    if "search_term" in given:
        given["query"] = given["search_term"]
    if "target_file" in given:
        given["path"] = given["target_file"]
    fields: dict[str, Any] = {}
    if tool in _DELETES:
        fields["edits"] = (Edit(word(given.get("path")), "deleted"),)
    desk.call(KINDS.get(tool, "other"), id, tool, given, **fields)


def _result(desk: Desk, block: Block, open_calls: list[tuple[str, str]]) -> None:
    id, tool = open_calls.pop(0) if open_calls else (block.tool_use_id or "", "")
    desk.answer(text(block), id, tool, KINDS.get(tool, "other"), is_error=block.is_error)


def _ended(desk: Desk, record: _Record) -> None:
    """The end of a turn; only one that went wrong is told."""
    if record.type != "turn_ended":
        desk.add("other", by="harness", data={"type": record.type or record.role})
    elif record.status in ("aborted", "cancelled"):
        desk.add("interruption", by="person", reason=record.status)
    elif record.status == "error":
        desk.add("interruption", by="harness", reason=record.status)

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

from segue.agents import _jsonl
from segue.agents._record import blocks, by_file, flag, record, stem, word, words
from segue.agents._tags import sections
from segue.agents._toolcall import kinds
from segue.agents._writer import EntryWriter, add_block
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
_ALIASES = {"query": "search_term", "path": "target_file"}
_DELETES = ("Delete", "delete_file")
_THINKING = "[REDACTED]"
_LINE = re.compile(rb'\s*\{\s*"role"\s*:\s*"(?:user|assistant)"\s*,\s*"message"\s*:\s*\{\s*"content"\s*:')


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
    writer = EntryWriter(path)
    writer.add("meta", by="harness", data=by_file(path))
    open_calls: list[tuple[str, str]] = []
    for line, offset, value in _jsonl.records(path):
        if isinstance(value, Entry):
            writer.add_foreign(line, offset, value)
        elif message := record(value.get("message")):
            writer.start_record(line, offset)
            reply = value.get("role") == "assistant"
            if reply:
                open_calls.clear()
            for number, block in enumerate(blocks(message.get("content")), start=1):
                if block.get("type") == "tool_result":
                    _result(writer, block, open_calls)
                elif reply:
                    _replied(writer, block, f"{line}.{number}", open_calls)
                else:
                    _prompted(writer, word(block.get("text")))
        else:
            writer.start_record(line, offset)
            _ended(writer, value)
        yield from writer.flush()


def _prompted(writer: EntryWriter, words: str) -> None:
    query = next(sections(words, ("user_query",)), None)
    if not query:
        writer.add_user_text(words)
        return
    around = f"{words[: query.start].strip()}\n{words[query.end :].strip()}".strip()
    if around:
        writer.add("user", around, by="harness", via="environment")
    writer.add("user", query.inner.strip(), by="person", via="prompt")


def _replied(
    writer: EntryWriter, block: dict[str, Any], place: str, open_calls: list[tuple[str, str]]
) -> None:
    if block.get("type") != "tool_use":
        add_block(writer, {**block, "text": word(block.get("text")).replace(_THINKING, "").strip()})
        return
    tool, id, given = (
        word(block.get("name")),
        word(block.get("id")) or place,
        dict(record(block.get("input"))),
    )
    open_calls.append((id, tool))
    given |= {name: given[own] for name, own in _ALIASES.items() if own in given}
    fields: dict[str, Any] = {}
    if tool in _DELETES:
        fields["edits"] = (Edit(word(given.get("path")), "deleted"),)
    writer.add_call(KINDS.get(tool, "other"), id, tool, given, **fields)


def _result(writer: EntryWriter, block: dict[str, Any], open_calls: list[tuple[str, str]]) -> None:
    id, tool = open_calls.pop(0) if open_calls else (word(block.get("tool_use_id")), "")
    text = words(block.get("content")) or word(block.get("text"))
    writer.add_result(text, id, tool, KINDS.get(tool, "other"), is_error=flag(block.get("is_error")))


def _ended(writer: EntryWriter, row: dict[str, Any]) -> None:
    """The end of a turn; only one that went wrong is told."""
    status = word(row.get("status"))
    if row.get("type") != "turn_ended":
        writer.add("other", by="harness", data={"type": word(row.get("type")) or word(row.get("role"))})
    elif status in ("aborted", "cancelled", "error"):
        writer.add("interruption", by="harness" if status == "error" else "person", reason=status)

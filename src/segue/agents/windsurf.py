"""Windsurf: the transcripts that Cascade writes for hooks, one line per step.

**Where**: `~/.windsurf/transcripts/<trajectory id>.jsonl` on every system. Windsurf writes them only where a hook
asks for them (`post_cascade_response_with_transcript`), after each response, and keeps the newest hundred. What it
always keeps (`~/.codeium/windsurf/cascade/*.pb`) is encrypted and not read.

**Versions seen**: a transcript of early 2026; they name no version. The steps in it are those below that carry a command,
a path, a pattern or a change; the other names are known from Cascade alone, and their contents are told as they are.

**Quirks**

- A step has a `type`, a `status`, and an object of the type's name. There are no ids, no models and no thoughts, and
  times are documented but were not seen. A step is a call and its result in one.
- Which folder was open is not said: a session is taken to work where its first command ran, and one without a command
  belongs nowhere.
- What the person runs in the editor's terminal, or looks at in the editor, stands among the agent's steps, and
  nothing tells one from the other: all are told as the agent's.
- A change holds the whole file before and after; what differs is kept. `acknowledgement_type` says whether the
  person took it, `user_rejected` whether a command was refused.
- A status other than `done` and `error` was not seen: such a step is told as a call without a result.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from segue.agents._address import path_of
from segue.agents._jsonl import records
from segue.agents._record import by_file, code, failed, record, stem, word, words
from segue.agents._toolcall import call_fields, excerpt, kinds
from segue.agents._writer import EntryWriter
from segue.agents.contract import Home
from segue.model.entry import Edit, Entry, ToolKind

AGENT = "windsurf"

KINDS = kinds(
    shell="run_command",
    read="view_file view_file_outline view_code_item",
    edit="code_action",
    search="find grep_search code_search find_code_context list_directory",
    web="search_web read_url_content",
    other="list_resources read_resource mcp_tool",
)
_PLACES = ("path", "search_path", "search_directory")
_FAILED = {"done": False, "error": True}
_REFUSED = "ACKNOWLEDGEMENT_TYPE_REJECT"
_STEP = re.compile(rb'"type"\s*:\s*"(user_input|planner_response|code_action|run_command|view_file|find)"')


def places(home: Home, cwd: str | None) -> Iterable[str]:
    return (os.path.join(home.home, ".windsurf", "transcripts", "*.jsonl"),)


def sniff(path: str, head: bytes) -> int:
    first = head.lstrip().split(b"\n", 1)[0]
    step = _STEP.search(first)
    if not first.startswith(b"{") or not step or b'"status"' not in first:
        return 0
    return 100 if re.search(rb'"%s"\s*:\s*\{' % step[1], first) else 0


def sessions(path: str) -> Iterable[str]:
    return (stem(path),)


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    writer = EntryWriter(path)
    writer.add("meta", by="harness", data=by_file(path))
    for line, offset, value in records(path):
        if isinstance(value, Entry) or not isinstance(value.get("type"), str):
            writer.add_foreign(line, offset, value)
        else:
            writer.start_record(line, offset, value.get("timestamp"))
            _add(
                writer, str(line), value["type"], word(value.get("status")), record(value.get(value["type"]))
            )
        yield from writer.flush()


def _add(writer: EntryWriter, id: str, step: str, status: str, held: dict[str, Any]) -> None:
    if step == "user_input":
        writer.add_user_text(word(held.get("user_response")))
    elif step == "planner_response":
        if response := word(held.get("response")).strip():
            writer.add_message("agent", response)
    elif step in KINDS:
        _called(writer, id, step, status, held)
    else:
        text = msgspec.json.encode(held).decode() if held else ""
        writer.add("other", text, by="harness", data={"type": step})


def _called(writer: EntryWriter, id: str, step: str, status: str, held: dict[str, Any]) -> None:
    kind = KINDS[step]
    asks = _asked(step, kind, held)
    if asks.get("cwd") and not writer.cwd:
        writer.cwd = asks["cwd"]
        writer.add_meta({"cwd": writer.cwd}, cwd=writer.cwd)
    writer.add("tool_call", call_id=id, tool=step, tool_kind=kind, **asks)
    if held.get("user_rejected") is True or held.get("acknowledgement_type") == _REFUSED:
        writer.add_rejection(id, step, kind)
        return
    if status not in _FAILED:
        return
    ended = code(held.get("exit_code"))
    is_error = failed(ended) if kind == "shell" and not _FAILED[status] else _FAILED[status]
    writer.add_result(_step_text(held), id, step, kind, exit_code=ended, is_error=is_error)


def _asked(step: str, kind: ToolKind, held: dict[str, Any]) -> dict[str, Any]:
    """What a step was to do. The rest of what it holds came of it."""
    path = next((named for key in _PLACES if (named := path_of(held.get(key)))), "")
    paths = (path,) if path else ()
    if step == "code_action":
        return {"paths": paths, "edits": (_edit(path, held),) if path else ()}
    asks = call_fields(kind, held)
    if kind == "shell":
        return {**asks, "cwd": path_of(held.get("cwd"))}
    return {**asks, "paths": paths} if kind in ("read", "search") else asks


def _edit(path: str, held: dict[str, Any]) -> Edit:
    before, after = word(held.get("original_content")), word(held.get("new_content"))
    if not before:
        return Edit(path, "created", new=excerpt(after))
    old, new = _differing(before.split("\n"), after.split("\n"))
    return Edit(path, old=excerpt(old), new=excerpt(new))


def _differing(before: list[str], after: list[str]) -> tuple[str, str]:
    """The lines of two texts between what they have in common at the start and at the end."""
    shorter = min(len(before), len(after))
    start = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    end = next((n for n in range(shorter - start) if before[-1 - n] != after[-1 - n]), shorter - start)
    return "\n".join(before[start : len(before) - end]), "\n".join(after[start : len(after) - end])


def _step_text(held: dict[str, Any]) -> str:
    """What a step showed: its output, the content it read, or how much it found."""
    shown = words(held.get("output")) or words(held.get("content"))
    found = held.get("total_results")
    return shown or (f"{found} results" if isinstance(found, int) else "")

"""SWE-agent: trajectories of runs on a task.

**Where**: `trajectories/<user>/<run>/<instance>/<instance>.traj` below the folder it was started in;
`$SWE_AGENT_TRAJECTORY_DIR` moves it. No folder of the person's own.

**Versions seen**: 0.x and 1.x, runs, human demonstrations and replays.

**Quirks**

- The file tells everything twice: `trajectory` has the steps, `history` the messages made of them.
  The task is read from the history, the steps from the trajectory. A record is a message before the
  first step, or a step.
- There are no times and no exit codes; an edit that was refused says so in its observation.
- A run that the agent ended by its `submit` has the exit status `submitted`; with a reason behind it, such as
  `submitted (exit_cost)`, it was cut short and handed in as it was.
- Edit commands change the file that is open, which `state` names.
- Messages marked as a demonstration show another task and are carried apart.
"""

from __future__ import annotations

import glob
import itertools
import os
import re
import shlex
from collections.abc import Iterable, Iterator
from typing import Any

from segue.agents import _document
from segue.agents._record import At, by_file, record, records, stem, word, words
from segue.agents._toolcall import EDITOR, excerpt, kinds
from segue.agents.contract import Home
from segue.model.entry import SUBMITTED, Action, Edit, Entry, ToolKind

AGENT = "swe-agent"

_STEPS = re.compile(rb'"trajectory"\s*:\s*\[')
_TOOLS = kinds(
    read="open goto scroll_up scroll_down view",
    write="create",
    edit="edit insert str_replace_editor",
    search="find_file search_dir search_file",
    other="submit",
)
_LINES_EDITED = re.compile(r"edit\s+\d+:\d+\n(.*?)\n?(?:end_of_edit)?\s*$", re.S)
_REFUSED = ("Your proposed edit has introduced new syntax error", "No replacement was performed")
_DONE = ("[File: ", "Text replaced", "File updated", "File created", "The file ")
_LINE = 16_384
"""Characters of a command that are split into words; splitting takes time in the square of them."""
_NO_FILE = ("", "n/a", "none")


def places(home: Home, cwd: str | None) -> Iterable[str]:
    moved = home.env.get("SWE_AGENT_TRAJECTORY_DIR")
    folders = [moved] if moved else []
    folders.append(os.path.join(cwd or home.home, "trajectories"))
    return [os.path.join(glob.escape(folder), "**", "*.traj") for folder in folders]


def sniff(path: str, head: bytes) -> int:
    if path.endswith(".traj") and head.lstrip()[:1] == b"{":
        return 95
    return 85 if _STEPS.search(head) and b'"observation"' in head and b'"action"' in head else 0


def sessions(path: str) -> Iterable[str]:
    return [stem(path)]


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    document = _document.load(path)
    run = record(document.value)
    yield At(path, 1).meta(**_meta(path, run))
    number = 0
    for number, message in enumerate(_before(records(run.get("history"))), 1):
        yield _introduction(At(path, number), message)
    for step in records(run.get("trajectory")):
        number += 1
        yield from _step(At(path, number), step)
    yield from _ending(At(path, max(1, number)), record(run.get("info")))
    if document.flaw:
        yield document.flaw


def _before(history: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The messages before the agent's first own one."""
    for message in history:
        if message.get("role") == "assistant" and not message.get("is_demo"):
            return
        yield message


def _introduction(at: At, message: dict[str, Any]) -> Entry:
    text = words(message.get("content"))
    if message.get("is_demo") or message.get("message_type") == "demonstration":
        return at.other("demonstration", text)
    if message.get("role") == "user":
        return at.entry("user", text, by="person", via="prompt")
    return at.other(word(message.get("role")) or "message", text)


def _step(at: At, step: dict[str, Any]) -> Iterator[Entry]:
    state = _document.object_in(step.get("state"))
    thought = word(step.get("thought")).strip()
    if thought:
        yield at.entry("agent", thought)
    action = word(step.get("action")).strip()
    observation = word(step.get("observation"))
    if not action:
        if observation:
            yield at.other("observation", observation)
        return
    tool, kind, facts = _called(action, word(state.get("open_file")))
    common: dict[str, Any] = {"call_id": str(at.line), "tool": tool, "tool_kind": kind}
    refused = observation.startswith(_REFUSED)
    if refused:
        facts.pop("edits", None)
    yield at.entry("tool_call", cwd=word(state.get("working_dir")), **common, **facts)
    done = kind in ("edit", "write") and observation.startswith(_DONE)
    is_error = True if refused else False if done else None
    yield at.entry("tool_result", observation, is_error=is_error, **common)


def _called(action: str, opened: str) -> tuple[str, ToolKind, dict[str, Any]]:
    """The tool a line calls, its kind, and what it touches."""
    tool = action.split(None, 1)[0]
    if tool not in _TOOLS:
        return "bash", "shell", {"command": action}
    kind, given = _TOOLS[tool], _arguments(action)
    if tool == "str_replace_editor":
        verb, path, *_ = [*given, "", ""]
        kind = EDITOR.get(verb, "edit")
        return tool, kind, _editor(kind, verb, path, given)
    if kind == "search":
        return tool, kind, {"text": given[0] if given else "", "paths": tuple(given[1:2])}
    if tool in ("open", "create"):
        path = given[0] if given else ""
        edits = (Edit(path=path, action="created"),) if tool == "create" and path else ()
        return tool, kind, {"paths": (path,) if path else (), "edits": edits}
    path = "" if opened.lower() in _NO_FILE or kind == "other" else opened
    if kind == "edit" and path:
        old, new = _replaced(tool, action, given)
        edit = Edit(path=path, old=excerpt(old), new=excerpt(new))
        return tool, kind, {"paths": (path,), "edits": (edit,)}
    return tool, kind, {"paths": (path,) if path else ()}


def _replaced(tool: str, action: str, given: list[str]) -> tuple[str, str]:
    """What an edit of the open file takes out and puts in; 0.x names lines, 1.x texts."""
    lines = _LINES_EDITED.match(action)
    if lines:
        return "", lines[1]
    old, new, *_ = [*given, "", ""]
    return ("", old) if tool == "insert" else (old, new)


def _editor(kind: ToolKind, verb: str, path: str, given: list[str]) -> dict[str, Any]:
    if kind == "read" or not path:
        return {"paths": (path,) if path else ()}
    options = dict(itertools.pairwise(given))
    new = options.get("--new_str") or options.get("--file_text") or ""
    action: Action = "created" if verb == "create" else "modified"
    edit = Edit(path=path, action=action, new=excerpt(new), old=excerpt(options.get("--old_str", "")))
    return {"paths": (path,), "edits": (edit,)}


def _arguments(action: str) -> list[str]:
    action = action[:_LINE]
    try:
        return shlex.split(action)[1:]
    except ValueError:
        return action.split()[1:]


def _ending(at: At, info: dict[str, Any]) -> Iterator[Entry]:
    status = word(info.get("exit_status"))
    if word(info.get("submission")):
        yield at.other("submission", word(info.get("submission")), by="agent")
    if status == SUBMITTED:
        yield at.meta(turn_over=SUBMITTED)
    elif status:
        yield at.entry("interruption", by="harness", reason=status)


def _meta(path: str, run: dict[str, Any]) -> dict[str, str]:
    data = by_file(path)
    config = _document.object_in(run.get("replay_config"))
    model = word(record(record(config.get("agent")).get("model")).get("name"))
    return {**data, "model": model} if model else data

"""GitHub Copilot CLI: one folder per session, the events in it.

**Where**: `$COPILOT_HOME/session-state/<id>/events.jsonl`, older versions `session-state/<id>.jsonl`;
`COPILOT_HOME` is `~/.copilot` unless set.

**Versions seen**: 0.0.420 to 1.0.102.

**Quirks**

- A prompt is a sub-agent's when its event names an agent. `parentAgentTaskId` says nothing: versions since 1.0.72
  set it on the person's own prompts too. Prompts with a `source` are the harness's.
- Nearly half of the lines are hooks; only text that a hook adds is told.
- A call is recorded when it is asked for and when it starts; it is told once.
- `success` is the tool's own word. A shell command that ran and failed is a success to Copilot; its exit code decides.
- Shells that go on are polled with `read_bash`; a poll bears the `call_id` of the call that started the shell.
- `session.truncation` drops messages without a summary: a `compaction` without `summary`.
- The plan lives in a file of the session folder; a call that writes it is told as a `plan` too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from segue.agents import _jsonl
from segue.agents._record import by_name, first_id
from segue.agents._writer import EntryWriter, entries_of
from segue.agents.contract import Home
from segue.agents.copilot_cli.story import Story, begins_session
from segue.model.entry import Entry

AGENT = "copilot-cli"

_EDITOR = re.compile(rb'"vscodeVersion"\s*:')
"""Copilot in the editor writes the same events; its sessions are not the CLI's."""
_START = re.compile(rb'"type"\s*:\s*"session\.start"')
_EVENT = re.compile(
    rb'"type"\s*:\s*"(?:session|assistant|user|tool|hook|permission|system)\.(?:resume|turn_start|turn_end|message'
    rb'|execution_start|execution_complete|model_change|start|end|requested|completed)"'
)


def places(home: Home, cwd: str | None) -> Iterable[str]:
    root = home.env.get("COPILOT_HOME") or f"{home.home}/.copilot"
    return (f"{root}/session-state/*/events.jsonl", f"{root}/session-state/*.jsonl")


def sniff(path: str, head: bytes) -> int:
    if not head.lstrip().startswith(b"{") or b'"data"' not in head or _EDITOR.search(head):
        return 0
    if _START.search(head) and b'"sessionId"' in head:
        return 100 if b'"copilotVersion"' in head or b"copilot-agent" in head else 80
    return 70 if _EVENT.search(head) and b'"parentId"' in head and path.endswith("events.jsonl") else 0


def sessions(path: str) -> Iterable[str]:
    return first_id(read(path))


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    writer = EntryWriter(path)
    name = by_name(_named(path))
    return entries_of(writer, _jsonl.records(path), name, begins_session, Story(writer).add_event)


def _named(path: str) -> str:
    """The session's id as the path tells it: the folder's name, or the file's in older versions."""
    parts = path.replace("\\", "/").split("/")
    return parts[-2] if parts[-1] == "events.jsonl" and len(parts) > 1 else parts[-1].removesuffix(".jsonl")

"""Codex (CLI, desktop app, editor extension): one rollout file per thread.

**Where**: `$CODEX_HOME/sessions/<year>/<month>/<day>/rollout-<time>-<thread id>.jsonl`, archived
threads in `$CODEX_HOME/archived_sessions/`; `CODEX_HOME` is `~/.codex` unless set.

**Versions seen**: 0.50 to 0.53, 0.118 to 0.147, 0.166. The bare lines of the first releases, without
an envelope, are understood too.

**Quirks**

- Everything is there twice, as what the model saw and as what the screen showed; it is told once.
- No error flags. Exit codes come from `exec_command_end`, from "Process exited with code N", from JSON
  `metadata.exit_code` and from what code-mode scripts print; where none of them says, the outcome is unknown.
- A process that outlives its call is polled by `write_stdin` or `wait`. Such a poll bears the `call_id` of
  the call it goes on with, so that the last result of a call is how it ended; `background` says that it still ran.
- In code mode commands and patches stand in JavaScript literals. Edits that a script puts together at run
  time come from `patch_apply_end` and stand on the result instead of on the call.
- Compactions before 0.16x leave no readable summary: there is a `compaction` and no `summary`.
- A forked thread or a sub-agent's begins with a copy of its parent's history, stamped with the time of the
  fork; newer versions only name the parent. Either way the entries are the thread's own and `parent` names the
  other; `branch="all"` includes the copy. In a sub-agent's file the prompts are the parent agent's.
- Instructions, environment and notices sent in the user's name are the harness's. System prompts are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from segue.agents._jsonl import records
from segue.agents.codex.story import Story
from segue.agents.codex.wire import Record, decode
from segue.agents.contract import Home
from segue.model.entry import Entry

AGENT = "codex"

_NAME = re.compile(r"rollout-.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$")
_TYPES = re.compile(
    rb'"type"\s*:\s*"(?:session_meta|response_item|event_msg|turn_context|compacted|world_state)"[\s\S]{0,200}?"payload"\s*:'
)
_BARE = re.compile(
    rb'\{(?=[^\n]*"id"\s*:)(?=[^\n]*"timestamp"\s*:)(?=[^\n]*"instructions"\s*:)(?![^\n]*"type"\s*:)'
)
"""The first line of the first releases, before records had types."""


def places(home: Home, cwd: str | None) -> Iterable[str]:
    root = home.env.get("CODEX_HOME") or f"{home.home}/.codex"
    return (f"{root}/sessions/**/rollout-*.jsonl", f"{root}/archived_sessions/rollout-*.jsonl")


def sniff(path: str, head: bytes) -> int:
    first = head[:65536].lstrip()
    if not first.startswith(b"{"):
        return 0
    named = _NAME.search(path) is not None
    if _TYPES.search(first):
        return 100 if b'"session_meta"' in first or named else 90
    return 90 if _BARE.match(first) or (named and b'"timestamp"' in first) else 0


def sessions(path: str) -> Iterable[str]:
    for entry in read(path):
        return (entry.data["id"],)
    return ()


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    story = Story(path, _id_in(path), everything=branch == "all")
    told = story.desk.told
    opened = False
    for line, offset, value in records(path, decode):
        if not opened:
            opened = True
            if not isinstance(value, Record) or value.type != "session_meta":
                story.desk.tell("meta", by="harness", data={"id": _id_in(path), "started_mid_session": True})
        if isinstance(value, Record):
            story.tell(line, offset, value)
        else:
            story.desk.carry(line, offset, value)
        if told:
            yield from told
            told.clear()
    story.desk.let_go()
    yield from told


def _id_in(path: str) -> str:
    """The thread's id as the file's name tells it."""
    named = _NAME.search(path)
    return named[1] if named else path.rsplit("/", 1)[-1].removesuffix(".jsonl")

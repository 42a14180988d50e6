"""Kimi CLI: the message files of the Python version and the wire logs of Kimi Code.

**Where**: `~/.kimi/sessions/<md5 of the folder>/<id>/` with `wire.jsonl` and `context.jsonl`, at first `…/<id>.jsonl`
(`$KIMI_SHARE_DIR` moves it); since Kimi Code
`~/.kimi-code/sessions/<folder>/session_<id>/agents/main/wire.jsonl` (`$KIMI_CODE_HOME`), sub-agents
in `agents/<name>/` beside it.

**Versions seen**: the Python version of October 2025, wire protocol 1.4; the Python version's wire file after
its published types.

**Quirks**

- Where the Python version left both files, the wire file is the session: it has times and refusals, and keeps
  what was said before a compaction. Sub-agents' events in it are told with `--branch all`.
- Message files have no times. `_usage` before a reply is the size of its context. Sub-agents are
  files named `<id>_read_<n>.jsonl`. After a compaction the older messages are in `context_<n>.jsonl`, which is
  read first, and lines count on; of a file that was put aside by going back, only what was kept is told.
- Text in `<system>` is Kimi's own, also in results and in the user's name, such as checkpoints.
- In a wire log a prompt is there twice, as `turn.prompt` and as the message it becomes; it is told
  once. `turn.steer` is a prompt given while the agent worked. Injected messages name their origin.
- A compaction is `context.apply_compaction`, with the summary, which is written as a handoff note.
- A refusal is a `permission.record_approval_result`; a plan is shown with `ExitPlanMode`.
"""

from __future__ import annotations

import glob
import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec.structs import replace

from segue.agents import _jsonl
from segue.agents._record import At, by_name, record
from segue.agents.contract import Home
from segue.agents.kimi_cli.context import Context
from segue.agents.kimi_cli.events import Events, is_event
from segue.agents.kimi_cli.wire import Wire
from segue.model.entry import Entry

AGENT = "kimi-cli"

_MESSAGES = re.compile(rb'^\s*\{"role"\s*:\s*"_(?:checkpoint|system_prompt|usage)"')
_WIRE = re.compile(
    rb'^\s*\{"type"\s*:\s*"metadata"\s*,[^\n]*"protocol_version"'
    rb'|^\s*\{"timestamp"\s*:\s*[\d.]+\s*,\s*"message"\s*:\s*\{"type"\s*:\s*"[A-Z]\w+"\s*,\s*"payload"'
)
_SUBAGENT_FILE = re.compile(r"(.+)_read_\d+$")
_ROTATED = re.compile(r"context_(\d+)\.jsonl")
_LOOKED_AT = 16
"""Records in which the first message of a file stands."""


def places(home: Home, cwd: str | None) -> Iterable[str]:
    code = glob.escape(home.env.get("KIMI_CODE_HOME") or os.path.join(home.home, ".kimi-code"))
    yield os.path.join(code, "sessions", "*", "*", "agents", "*", "wire.jsonl")
    share = glob.escape(home.env.get("KIMI_SHARE_DIR") or os.path.join(home.home, ".kimi"))
    folder = hashlib.md5(cwd.encode("utf-8", "replace"), usedforsecurity=False).hexdigest() if cwd else "*"
    yield os.path.join(share, "sessions", folder, "*", "wire.jsonl")
    yield os.path.join(share, "sessions", folder, "*", "context.jsonl")
    yield os.path.join(share, "sessions", folder, "*.jsonl")


def sniff(path: str, head: bytes) -> int:
    return 95 if _WIRE.match(head) or _MESSAGES.match(head) else 0


def sessions(path: str) -> Iterable[str]:
    beside = os.path.join(os.path.dirname(path), "wire.jsonl")
    if os.path.basename(path) == "context.jsonl" and os.path.isfile(beside) and os.path.getsize(beside):
        return ()
    return (_name(path)[0],)


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    name, parent = _name(path)
    yield At(path, 1).meta(**by_name(name), parent=parent)
    everything = branch == "all"
    wire, events, context = Wire(), Events(everything), Context(of_subagent=bool(parent))
    before = 0
    for file in _files(path, everything):
        line = 0
        for line, offset, value in _jsonl.records(file):
            at = At(file, before + line, offset)
            if isinstance(value, Entry):
                yield replace(value, line=at.line)
            elif "role" in value:
                yield from context.entries(at, value)
            else:
                yield from (events if is_event(value) else wire).entries(at, value)
        before += line
    yield from events.rest()


def _files(path: str, everything: bool) -> list[str]:
    """The message files of a session, oldest first; without those that were taken back unless everything is wanted.

    After a compaction the new file begins with the summary, and the old one is what came before it. After going
    back to a checkpoint the new file begins as the old one did, and the rest of the old one was taken back."""
    folder, name = os.path.split(path)
    if name != "context.jsonl":
        return [path]
    older = _rotated(folder)
    if everything:
        return [*older, path]
    kept, beginning = [path], _beginning(path)
    for file in reversed(older):
        found = _beginning(file)
        if found != beginning:
            kept.append(file)
        beginning = found
    return kept[::-1]


def _rotated(folder: str) -> list[str]:
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return []
    numbered = sorted((int(match[1]), match[0]) for name in names if (match := _ROTATED.fullmatch(name)))
    found = [os.path.join(folder, name) for _, name in numbered]
    return [file for file in found if os.path.isfile(file) and os.access(file, os.R_OK)]


def _beginning(path: str) -> object:
    """The first thing said in a file."""
    for _, _, value in islice(_jsonl.records(path), _LOOKED_AT):
        if record(value).get("role") == "user":
            return record(value).get("content")
    return None


def _name(path: str) -> tuple[str, str]:
    """The id of a session and, of a sub-agent's, the id of the session that started it."""
    parts = os.path.abspath(path).split(os.sep)
    if parts[-1] == "wire.jsonl" and len(parts) > 4 and parts[-3] == "agents":
        session = parts[-4].removeprefix("session_")
        return (session, "") if parts[-2] == "main" else (f"{session}/{parts[-2]}", session)
    if parts[-1] in ("context.jsonl", "wire.jsonl"):
        return parts[-2], ""
    stem = os.path.splitext(parts[-1])[0]
    subagent = _SUBAGENT_FILE.match(stem)
    return stem, subagent[1] if subagent else ""

"""Claude Code: one JSONL file per session, one folder per working directory.

**Where**: `~/.claude/projects/<cwd with every other character than letters and digits as ->/<session id>.jsonl`;
`CLAUDE_CONFIG_DIR` replaces `~/.claude`. Sub-agents write `<session id>/subagents/agent-<id>.jsonl` beside it.

**Versions seen**: 1.0.111 and 2.0.64 to 2.1.325. About twenty types of lines came within eight months, so
unknown ones are carried as `other`.

**Quirks**

- One reply is spread over several lines with the same message id, each with the usage so far; the usage
  stands once, on the last entry of the reply.
- The file is a tree: a rewind leaves its old branch behind. Only the active one is read; `--branch all` reads
  everything, sub-agents' files too, and the id of an entry reads the branch it lies on.
- A person speaks on many channels: prompts, queued prompts, slash commands, `!` commands, reasons given with
  a refusal, answers, approved plans. A queued prompt is told where it was typed and not again where it was read.
- Much that arrives in the user's name is the program's: reminders, hooks, skills, notices, summaries.
- Exit codes: a failed command says "Exit code N"; one without error ended with 0, or with 1 where the program
  interpreted it ("No matches found").
- Edits stand on the call. A result repeats only what the call could not know: that a file was created.
- A compaction leaves a boundary and a summary; what came before stays in the file and is read.
- A sub-agent's file can be read by itself: its prompts are the agent's, its words the sub-agent's.
  `agent-acompact-*` files hold the compaction call and are not read with a session.
- Summaries with a `leaf` that is not in the file are titles of other sessions; they are carried as `other`.
- `/branch` begins a file with copies of another session's lines, which say so; they are told as inherited
  (`data.inherited`). Copies that `--fork-session` makes say nothing and are told as the session's own.
- Whole files and pictures in results are skipped; of pictures the size remains.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from itertools import chain

from segue.agents._jsonl import opening
from segue.agents.claude_code.head import HEAD, head
from segue.agents.claude_code.reading import entries
from segue.agents.contract import Home
from segue.model.entry import Entry
from segue.model.patterns import compiled

AGENT = "claude-code"

_CHAINED = compiled(rb'"parentUuid"\s*:\s*(?:null|")')
_STATE = (
    rb'\s*\{\s*"type"\s*:\s*"(?:summary|file-history-snapshot|queue-operation|permission-mode|mode|last-prompt'
    rb'|ai-title|custom-title|agent-name)"'
)


def places(home: Home, cwd: str | None) -> Iterable[str]:
    return (_sessions_in(home, "*" if cwd is None else _folder(cwd)),)


def places_below(home: Home, cwd: str) -> Iterable[str]:
    return (_sessions_in(home, f"{_folder(cwd)}-*"),)


def _sessions_in(home: Home, folder: str) -> str:
    import glob  # 1 ms, where no file was named

    root = glob.escape(home.env.get("CLAUDE_CONFIG_DIR") or f"{home.home}/.claude")
    return f"{root}/projects/{folder}/*.jsonl"


def _folder(cwd: str) -> str:
    return re.sub(r"[^A-Za-z0-9]", "-", cwd)


def sniff(path: str, head: bytes) -> int:
    if not head.lstrip().startswith(b"{"):
        return 0
    if b"\n" not in head and len(head) >= HEAD:
        head = opening(path)
    if _CHAINED.search(head) and b'"sessionId"' in head:
        return 60 if b'"parts"' in head else 95
    return 70 if re.match(_STATE, head) else 0


def sessions(path: str) -> Iterable[str]:
    return (head(path).facts["id"],)


def subagents(path: str) -> list[str]:
    """The files of the sub-agents of a session, by name."""
    folder = os.path.join(path.removesuffix(".jsonl"), "subagents")
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    return [
        os.path.join(folder, name)
        for name in names
        if name.startswith("agent-") and name.endswith(".jsonl") and not name.startswith("agent-acompact-")
    ]


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    if branch != "all":
        return entries(path, branch)
    return chain.from_iterable(entries(file, branch) for file in (path, *subagents(path)))

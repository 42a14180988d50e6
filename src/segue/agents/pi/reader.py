"""pi: one file per session, a tree of entries.

**Where**: `~/.pi/agent/sessions/--<folder with dashes for slashes>--/<time>_<id>.jsonl`, below
`PI_CODING_AGENT_DIR` instead of `~/.pi/agent` where that is set. Files written by `/export` are read too.

**Versions seen**: format 1 (no ids, no `version`) and 3, up to pi 1.5.0; format 2 differs in names only.

**Quirks**

- Going back in the tree leaves several branches in one file. The one in use leads to the last entry written;
  `--branch` picks another by an entry's id, or `all` of them.
- `!command` is the person's own shell: the command is told as their words (`via` shell), its output follows.
- An export is stamped with the time of the export and holds one branch only. The session is known by its id.
- Calls without a result follow an abort.
- Text that extensions add (`custom_message`), expanded skills and inlined files are the harness's.
- Sub-agents are sessions of their own; a fork names the file it came from, `parent` holds the id in that name.
  What it copied from there is told as inherited (`data.inherited`) where that file is still found.
- Programs built on pi keep the same format. OpenClaw's files are read when asked for (`--agent pi`).
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import takewhile

from segue.agents._jsonl import records
from segue.agents._record import copied, first_id, millis
from segue.agents._tree import EVERYTHING, Branch
from segue.agents._tree import branch as branch_of
from segue.agents.contract import Home
from segue.agents.pi.entries import EntryMaker, named
from segue.agents.pi.wire import Link, Record, link, record
from segue.errors import SegueError
from segue.model.entry import Entry

AGENT = "pi"

_HEADER = re.compile(rb'\s*\{(?=[^\n]*"type"\s*:\s*"session"[,}])(?=[^\n]*"cwd"\s*:)[^\n]*')
_ENTRY = re.compile(
    rb'"type"\s*:\s*"(?:message|model_change|thinking_level_change|custom|custom_message|compaction)"'
)
_CLAW = re.compile(rb'"(?:id|provider|modelId|customType)"\s*:\s*"openclaw', re.I)


def places(home: Home, cwd: str | None) -> Iterable[str]:
    return (_sessions_in(home, f"--{_dashed(cwd)}--" if cwd else "*"),)


def places_below(home: Home, cwd: str) -> Iterable[str]:
    return (_sessions_in(home, f"--{_dashed(cwd)}-*--"),)


def _sessions_in(home: Home, folder: str) -> str:
    root = glob.escape(home.env.get("PI_CODING_AGENT_DIR") or f"{home.home}/.pi/agent")
    return f"{root}/sessions/{folder}/*.jsonl"


def _dashed(cwd: str) -> str:
    return glob.escape(cwd.strip("/").replace("/", "-"))


def sniff(path: str, head: bytes) -> int:
    header = _HEADER.match(head)
    if not header or akin(path, head):
        return 0
    rest = head[header.end() :]
    if not rest.strip():
        return 80
    return 100 if _ENTRY.search(rest) else 60


def akin(path: str, head: bytes) -> bool:
    """Whether another program wrote the file in this format: it is told as that one's only when asked for."""
    return bool(_HEADER.match(head) and (_CLAW.search(head) or "/.openclaw/" in path))


def sessions(path: str) -> Iterable[str]:
    return first_id(read(path, branch="all"))


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    wanted = EVERYTHING if branch == "all" else _wanted(path, branch)
    _, _, first = next(records(path, record))
    origin = (first.parent_session or first.branched_from) if isinstance(first, Record) else None
    last = _last_copied(path, origin) if origin else -1
    told = _read(path, wanted)
    if origin is None or last < 0:
        yield from told
        return
    yield next(told)
    yield from copied(told, named(origin), last)


def _read(path: str, wanted: Branch) -> Iterator[Entry]:
    """The records of a branch as entries."""
    entries = EntryMaker(path)
    writer = entries.writer
    head: tuple[int, int, Record] | None = None
    opened = False
    for line, offset, value in records(path, record):
        if not opened:
            opened = True
            if isinstance(value, Record) and value.type == "session":
                head = line, offset, value
                continue
            entries.header(1, 0, Record(), None)
        if head:
            entries.header(*head, millis(value.timestamp) if isinstance(value, Record) else None)
            head = None
        if not isinstance(value, Record):
            writer.add_foreign(line, offset, value)
        elif wanted.has(value.id):
            entries.add_record(line, offset, value)
        yield from writer.flush()
    if head:
        entries.header(*head, None)
        yield from writer.flush()


def _wanted(path: str, tip: str | None) -> Branch:
    """The branch asked for. Files of format 1 have no ids, hence no branches, and need no look ahead."""
    _, _, first = next(records(path, record))
    if tip is None and isinstance(first, Record) and first.type == "session" and first.version is None:
        return EVERYTHING
    return branch_of(_links(path), tip)


def _links(path: str) -> Iterator[tuple[str, str]]:
    for _, _, value in records(path, link):
        if isinstance(value, Link) and value.id is not None and value.type != "session":
            yield value.id, value.parent_id or ""


def _last_copied(path: str, parent: str) -> int:
    """Where the last record begins that a fork copied from its parent; -1 where there is none.

    `/fork` and `/clone` copy records, with their ids, to a new file. A session may also name a parent of which it has
    nothing, so only the parent's file tells what is a copy. It is looked for under its own name beside the fork and in
    the folders beside that one, nowhere else."""
    known = _known(_files(path, os.path.basename(parent.replace("\\", "/"))))
    copies = takewhile(lambda record: record[1] in known, _names(path))
    return max((offset for offset, _ in copies), default=-1)


def _known(files: Iterator[str]) -> set[str]:
    """The names of the records of the first of these files that can be read."""
    for file in files:
        with suppress(SegueError):
            return {name for _, name in _names(file)}
    return set()


def _names(path: str) -> Iterator[tuple[int, str]]:
    """Where each record begins and what names it: its id, or its time in files of format 1."""
    for _, offset, value in records(path, link):
        if isinstance(value, Link) and value.type != "session":
            yield offset, value.id or str(value.timestamp)


def _files(path: str, name: str) -> Iterator[str]:
    folder, own = os.path.dirname(os.path.abspath(path)), os.path.realpath(path)
    for place in (glob.escape(folder), os.path.join(glob.escape(os.path.dirname(folder)), "*")):
        for file in sorted(glob.iglob(os.path.join(place, glob.escape(name)))):
            if os.path.isfile(file) and os.path.realpath(file) != own:
                yield file

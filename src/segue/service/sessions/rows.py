"""What a list says of a session: one row each, redacted, kept in a cache as long as its file stays as it is.

One file that cannot be read costs only itself: it is passed over and said, and nothing about it is kept.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

from segue.agents import locate
from segue.agents.contract import Home
from segue.agents.registry import READERS, reader
from segue.errors import SegueError, Unavailable
from segue.model.marks import SUMMARISER
from segue.model.turn import opens_turn
from segue.model.value import NamedTuple
from segue.service.sessions.own_traces import OwnTraces
from segue.stores.private_files import cache_folder

if TYPE_CHECKING:
    from segue.model.entry import Entry
    from segue.redaction.redact import Redactor
    from segue.stores.session_cache import SessionCache

Result = dict[str, Any]
Progress = Callable[[int, int, str], None]

FAULTS = (SegueError, OSError)
"""What a path may raise that cannot be read: forbidden, gone, a folder, locked."""
_UNREAD = ("locked by another program", "has another layout")
"""Reasons for which a database tells of none of its sessions what a list would."""
_PROMPT = 200
_COUNTED = {"rejection": "rejections", "compaction": "compactions", "subagent_start": "subagents"}
"""Kinds of entries whose count has another name."""
_COUNTS = """user agent tool_calls tool_errors rejections compactions subagents unreadable other inherited"""
STDIN = "-"
"""The path of what came through a pipe."""


class Source(NamedTuple):
    """One session and how to read it. `session` picks one where the file holds several; `recorded_from` names
    the agent whose session it is where `agent` is merely the format it was sent in."""

    agent: str
    path: str
    session: str | None = None
    recorded_from: str = ""
    piped: bool = False
    """It arrived on standard input: its path says nothing about it."""
    branch: str | None = None
    """The branch that is meant, as a reader takes it; the one in use by default."""
    recorded_at: str | None = None
    """The path it was recorded at, where it was sent from another machine: as the sender says, or empty."""
    read: Iterable[Entry] | None = None
    """Its entries, where it was read before: then nothing is read again."""

    @property
    def owner(self) -> str:
        return self.recorded_from or self.agent

    @property
    def place(self) -> str:
        """Where it came from, to be kept for the record; empty where nothing lasting is known."""
        if self.recorded_at is not None:
            return self.recorded_at
        return "" if self.piped else self.path

    def entries(self, branch: str | None = None) -> Iterator[Entry]:
        if self.read is not None and branch is None:
            return iter(self.read)
        return reader(self.agent).read(self.path, self.session, branch or self.branch)


class Known(NamedTuple):
    """The rows of sessions, newest first; the paths kept for the directory asked for; what was passed over."""

    rows: list[Result]
    here: frozenset[str]
    skipped: list[Result]


def home() -> Home:
    """The person's home as the environment names it."""
    return Home(os.path.expanduser("~"), os.environ)


def skip(path: str, fault: Exception) -> Result:
    """A path that was passed over, and why."""
    reason = fault.message if isinstance(fault, SegueError) else getattr(fault, "strerror", "") or str(fault)
    return {"path": path, "reason": reason}


class Summary:
    """A fold over the entries of a session, on its main line: sub-agents do not rename it."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._seen = locate.measured(*source[:2]) or locate.Found(source.agent, source.path, 0, 0)
        self._meta: dict[str, Any] = {}
        self._cwd = ""
        self._first_prompt = self._last_prompt = ""
        self._time = self._inherited_time = 0
        self._turns = 0
        self._requested = False
        self._traces = OwnTraces()
        self.counts = dict.fromkeys(_COUNTS.split(), 0)

    @property
    def size(self) -> int:
        return self._seen.size

    def add(self, entry: Entry) -> None:
        counts, kind = self.counts, entry.kind
        for told in self._traces.see(entry):
            self._count(told)
        if "inherited" in entry.data:
            counts["inherited"] += 1
            self._inherited_time = max(self._inherited_time, entry.time_ms or 0)
            return
        if entry.time_ms is not None and entry.time_ms > self._time:
            self._time = entry.time_ms
        if not self._cwd:
            self._cwd = told_cwd(entry)
        if kind == "meta":
            if not entry.agent_id:
                self._learn(entry.data)
        elif kind == "user":
            counts["user"] += entry.by == "person"
        elif kind == "tool_call":
            counts["tool_calls"] += 1
        elif kind == "tool_result":
            counts["tool_errors"] += entry.is_error is True
        elif (counted := _COUNTED.get(kind, kind)) in counts:
            counts[counted] += 1

    def _count(self, entry: Entry) -> None:
        """An entry of the session's work: its turns are those of a packet."""
        if opens_turn(entry, self._requested):
            self._turns += 1
            self._requested = self._requested or entry.by == "agent"
        if entry.kind == "user" and entry.by == "person" and entry.via != "shell" and entry.text.strip():
            self._first_prompt = self._first_prompt or entry.text
            if "inherited" not in entry.data:
                self._last_prompt = entry.text

    def _ended_ms(self) -> int:
        """When the last entry was made. Only a session that tells no time at all is as old as its file."""
        told = None
        with suppress(*FAULTS):  # gone since it was read
            told = ended(*self._source[:2])
        return told or self._time or self._inherited_time or self._seen.mtime_ns // 1_000_000

    def _learn(self, facts: dict[str, Any]) -> None:
        first_id = self._meta.get("id")
        self._meta.update((key, value) for key, value in facts.items() if value not in (None, ""))
        if first_id:
            self._meta["id"] = first_id

    def row(self, redactor: Redactor) -> Result:
        """The row of a list, without secrets."""
        for told in self._traces.end():
            self._count(told)
        meta = {"cwd": self._cwd, **self._meta}
        row: Result = {
            "agent": self._source.agent,
            "id": str(meta.get("id") or self._source.session or os.path.basename(self._source.path)),
            "path": STDIN if self._source.piped else self._source.path,
            "updated_at_ms": self._ended_ms(),
            "turns": self._turns,
            "bytes": self._seen.size,
        }
        for key in ("cwd", "title", "branch", "parent"):
            if meta.get(key):
                row[key] = redactor.redact(str(meta[key]))
        if self._last_prompt:
            row["last_prompt"] = redactor.redact(" ".join(self._last_prompt[: _PROMPT * 4].split()))[:_PROMPT]
        if reason := why_passed_over(self._turns, self._first_prompt):
            row["passed_over"] = reason
        return row


def why_passed_over(turns: int, first_prompt: str) -> str:
    """Why a session is nobody's work to go on with; empty for one that is."""
    if not turns:
        return "nothing was asked in it"
    return "a model wrote a text for segue in it" if first_prompt.lstrip().startswith(SUMMARISER) else ""


def ended(agent: str, path: str) -> int | None:
    """The time of the last entry, from the end of the file; None where only reading all of it tells."""
    alone = sum(1 for _ in islice(reader(agent).sessions(path), 2)) == 1
    return locate.last_time(path) if alone else None


def told_cwd(entry: Entry) -> str:
    """Where an entry says the session works; a tool may run elsewhere, so its directory says nothing."""
    if entry.agent_id or entry.kind in ("tool_call", "tool_result"):
        return ""
    return str((entry.data.get("cwd") if entry.kind == "meta" else "") or entry.cwd)


def known(agents: Sequence[str], directory: str, everywhere: bool, progress: Progress) -> Known:
    """The sessions of these agents in the places of a directory, or in all their places as well. Only
    files that changed since the last time are read."""
    cache = session_cache()
    kept = cache.all()
    rows: list[Result] = []
    skipped: list[Result] = []
    files = list(locate.find(home(), agents, directory, everywhere))
    for done, found in enumerate(files):
        have = kept_rows(kept, found)
        if have is None:
            progress(done, len(files), found.path)
            try:
                have = rows_of(found.agent, found.path)
            except FAULTS as fault:
                skipped.append(skip(found.path, fault))
                continue
            cache.put(found.path, found.size, found.mtime_ns, have)
        rows += have
    if everywhere and len(agents) == len(READERS):
        gone = kept.keys() - {found.path for found in files}
        cache.forget({path for path in gone if not os.path.lexists(path)})
    cache.close()
    rows.sort(key=lambda row: (-row["updated_at_ms"], row["agent"], row["id"]))
    return Known(rows, frozenset(found.path for found in files if found.here), skipped)


def kept_rows(kept: Mapping[str, tuple[int, int, str]], found: locate.Found) -> list[Result] | None:
    """The rows that the cache has of a file, if that is still as it was."""
    have = kept.get(found.path)
    if have is None or have[:2] != (found.size, found.mtime_ns):
        return None
    from msgspec.json import decode  # every reader has imported msgspec by now

    rows: list[Result] = decode(have[2])
    return rows


def rows_of(agent: str, path: str) -> list[Result]:
    """The rows of a file's sessions; of one too long to be read for a list, what its two ends tell (`partly`)."""
    from segue.redaction.redact import Redactor  # 25 ms, in which a handoff is already reading

    found = []
    with locate.ends_only():
        for source in sources(agent, path):
            summary = Summary(source)
            for entry in source.entries():
                _require_open(entry)
                summary.add(entry)
            partly = {"partly": True} if locate.is_long(path, summary.size) else {}
            found.append({**summary.row(Redactor()), **partly})
    return found


def sources(agent: str, path: str) -> list[Source]:
    """The sessions of a file, oldest first. Raises when it names none because it cannot be read, which is
    not the same as having none."""
    named = [Source(agent, path, session) for session in reader(agent).sessions(path)]
    for entry in () if named else Source(agent, path).entries():
        if entry.kind == "unreadable":
            raise Unavailable(f"{path}: {entry.reason}.", "Try again when its program has closed it.")
    return named


def _require_open(entry: Entry) -> None:
    if entry.kind == "unreadable" and any(reason in entry.reason for reason in _UNREAD):
        raise Unavailable(f"{entry.file}: {entry.reason}.", "Try again when its program has closed it.")


def session_cache() -> SessionCache:
    """What this person's lists know."""
    from segue.stores.session_cache import SessionCache  # 3 ms

    return SessionCache(os.path.join(cache_folder(), "sessions.db"))


def drop_cache() -> None:
    """Forgets what lists know of sessions; the next list reads them again."""
    from segue.stores.catalog import delete

    delete(os.path.join(cache_folder(), "sessions.db"))

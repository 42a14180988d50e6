"""Other programs' sessions: find them, read them, list them, search them.

Nothing here writes to what an agent owns. Texts are redacted before they are shown, cached or
searched. A session is named by its id (or a unique beginning of it), by `agent:id`, or by its file.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from segue.agents import locate
from segue.agents.contract import Home
from segue.agents.registry import READERS, reader
from segue.errors import BadInput, NotFound
from segue.redaction.redact import Redactor, redact_entry
from segue.stores.session_cache import SessionCache

if TYPE_CHECKING:
    from segue.model.entry import Entry

Result = dict[str, Any]
Progress = Callable[[int, int, str], None]

_PROMPT = 200


class Source(NamedTuple):
    """One session and how to read it. `session` picks one where the file holds several."""

    agent: str
    path: str
    session: str | None = None

    def entries(self, branch: str | None = None) -> Iterator[Entry]:
        return reader(self.agent).read(self.path, self.session, branch)


def home() -> Home:
    """The person's home as the environment names it."""
    return Home(os.path.expanduser("~"), os.environ)


def silent(done: int, total: int, what: str) -> None:
    """No progress is shown."""


def list_sessions(
    directory: str, agent: str | None = None, everywhere: bool = False, progress: Progress = silent
) -> Result:
    """Sessions of a directory, or all of them, across agents, newest first."""
    rows = _known(_agents(agent), None if everywhere else directory, progress)
    if not everywhere:
        rows = [row for row in rows if _belongs(row.get("cwd"), directory)]
    return {"sessions": rows}


def find(name: str, agent: str | None = None, progress: Progress = silent) -> Source:
    """The session a person means."""
    if os.path.exists(name):
        return at(name, agent)
    prefix, colon, rest = name.partition(":")
    if colon and prefix in READERS:
        agent, name = prefix, rest
    if agent is not None and not name:
        return latest(os.getcwd(), agent)
    rows = [row for row in _known(_agents(agent), None, progress) if row["id"].startswith(name)]
    exact = [row for row in rows if row["id"] == name] or rows
    if not exact:
        raise NotFound(
            f"There is no session {name!r}.", "`segue sessions list --all` shows them; a file works too."
        )
    if len({(row["agent"], row["id"]) for row in exact}) > 1:
        raise BadInput(f"{name!r} names {len(exact)} sessions.", "Give more of the id, or agent:id.")
    return Source(exact[0]["agent"], exact[0]["path"], exact[0]["id"])


def at(path: str, agent: str | None = None) -> Source:
    """The session in a file, whoever wrote it."""
    path = os.path.abspath(path)
    return Source(agent or locate.identify(path)[0], path)


def from_stdin(agent: str | None = None) -> Source:
    """A session that arrives on standard input, kept in a private file for as long as this process lives."""
    import atexit
    import shutil
    import sys
    import tempfile

    folder = tempfile.mkdtemp(prefix="segue-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = os.path.join(folder, "stdin.jsonl")
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    return at(path, agent)


def latest(directory: str, agent: str | None = None) -> Source:
    """The newest session of a directory that says anything. Says where it looked when there is none."""
    agents = _agents(agent)
    for found in locate.find(home(), agents, directory):
        for session in reversed(list(reader(found.agent).sessions(found.path))):
            source = Source(found.agent, found.path, session)
            if _belongs(_cwd(source), directory):
                return source
    looked = [pattern for name in agents for pattern in reader(name).places(home(), directory)]
    raise NotFound(
        f"There is no session of {directory}.",
        "Looked in "
        + ", ".join(looked[:12])
        + ". Name a file with --from, or list all: `segue sessions list --all`.",
    )


def show(source: Source, branch: str | None = None) -> Result:
    """A session as counts and entries, redacted."""
    redactor = Redactor()
    summary = Summary(source)
    entries = []
    for entry in source.entries(branch):
        summary.add(entry)
        entries.append(redact_entry(entry, redactor))
    receipt = redactor.receipt()
    return {
        "session": summary.row(redactor),
        "counts": summary.counts,
        "entries": entries,
        "redactions": {"total": receipt.total, "by_kind": dict(sorted(receipt.by_kind.items()))},
    }


def search(
    words: str,
    directory: str,
    agent: str | None = None,
    everywhere: bool = False,
    limit: int = 20,
    progress: Progress = silent,
) -> Result:
    """Entries that hold all the words, newest session first."""
    wanted = [word for word in words.lower().split() if word]
    if not wanted:
        raise BadInput("Give at least one word to look for.", "`segue sessions list` shows all sessions.")
    hits: list[Result] = []
    rows = list_sessions(directory, agent, everywhere, progress)["sessions"]
    for done, row in enumerate(rows):
        progress(done, len(rows), row["path"])
        redactor = Redactor()
        for entry in Source(row["agent"], row["path"], row["id"]).entries():
            text = f"{entry.text}\n{entry.command}".lower()
            if all(word in text for word in wanted):
                shown = redact_entry(entry, redactor)
                hits.append(_hit(row, shown, wanted[0]))
                if len(hits) == limit:
                    return {"hits": hits}
    return {"hits": hits}


def _hit(row: Result, entry: Entry, word: str) -> Result:
    text = " ".join(f"{entry.text} {entry.command}".split())
    place = max(text.lower().find(word) - 60, 0)
    return {
        "agent": row["agent"],
        "id": row["id"],
        "path": row["path"],
        "line": entry.line,
        "kind": entry.kind,
        "snippet": text[place : place + 160],
    }


class Summary:
    """What a list says of a session: a fold over its entries."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._meta: dict[str, Any] = {}
        self._last_prompt = ""
        self._time = 0
        self.counts = dict.fromkeys(
            (
                "user",
                "agent",
                "tool_calls",
                "tool_errors",
                "rejections",
                "compactions",
                "subagents",
                "unreadable",
            ),
            0,
        )

    def add(self, entry: Entry) -> None:
        counts, kind = self.counts, entry.kind
        if entry.time_ms is not None and entry.time_ms > self._time:
            self._time = entry.time_ms
        if kind == "meta":
            self._meta.update((key, value) for key, value in entry.data.items() if value not in (None, ""))
        elif kind == "user":
            if entry.by == "person":
                counts["user"] += 1
                if entry.text.strip():
                    self._last_prompt = entry.text
        elif kind == "tool_call":
            counts["tool_calls"] += 1
        elif kind == "tool_result":
            counts["tool_errors"] += entry.is_error is True
        elif kind in _COUNTED:
            counts[_COUNTED[kind]] += 1

    def row(self, redactor: Redactor) -> Result:
        """The row of a list, without secrets."""
        stat = os.stat(self._source.path)
        meta = self._meta
        row: Result = {
            "agent": self._source.agent,
            "id": str(meta.get("id") or self._source.session or os.path.basename(self._source.path)),
            "path": self._source.path,
            "updated_at_ms": self._time or stat.st_mtime_ns // 1_000_000,
            "turns": self.counts["user"],
            "bytes": stat.st_size,
        }
        for key in ("cwd", "title", "branch", "parent"):
            if meta.get(key):
                row[key] = redactor.redact(str(meta[key]))
        if self._last_prompt:
            row["last_prompt"] = redactor.redact(" ".join(self._last_prompt[: _PROMPT * 4].split()))[:_PROMPT]
        return row


_COUNTED = {
    "agent": "agent",
    "rejection": "rejections",
    "compaction": "compactions",
    "subagent_start": "subagents",
    "unreadable": "unreadable",
}


def _agents(agent: str | None) -> list[str]:
    if agent is None:
        return list(READERS)
    reader(agent)
    return [agent]


def _cwd(source: Source) -> str | None:
    """Where a session says it works, from its first entries."""
    for number, entry in enumerate(source.entries()):
        if entry.kind == "meta" and entry.data.get("cwd"):
            return str(entry.data["cwd"])
        if entry.cwd:
            return entry.cwd
        if number > 200:
            return None
    return None


def _belongs(cwd: str | None, directory: str) -> bool:
    """True for a session that worked in the directory, below it, or in the project around it."""
    if not cwd:
        return False
    here, there = os.path.realpath(directory), os.path.realpath(cwd)
    return (
        here == there
        or there.startswith(here + os.sep)
        or (here.startswith(there + os.sep) and _is_project(there))
    )


def _is_project(path: str) -> bool:
    return any(os.path.exists(os.path.join(path, mark)) for mark in (".git", ".segue"))


def _known(agents: list[str], directory: str | None, progress: Progress) -> list[Result]:
    """The rows of all sessions, newest first; only files that changed since the last time are read."""
    from msgspec.json import decode  # every reader has imported msgspec by now

    cache = SessionCache(_cache_path())
    known = cache.all()
    rows: list[Result] = []
    files = list(locate.find(home(), agents, directory))
    for done, found in enumerate(files):
        have = known.get(found.path)
        if have is not None and have[:2] == (found.size, found.mtime_ns):
            rows += decode(have[2])
            continue
        progress(done, len(files), found.path)
        made = list(_rows(found.agent, found.path))
        cache.put(found.path, found.size, found.mtime_ns, made)
        rows += made
    if directory is None and len(agents) == len(READERS):
        cache.forget(known.keys() - {found.path for found in files})
    cache.close()
    return sorted(rows, key=lambda row: (-row["updated_at_ms"], row["agent"], row["id"]))


def _rows(agent: str, path: str) -> Iterator[Result]:
    for session in reader(agent).sessions(path):
        source = Source(agent, path, session)
        summary = Summary(source)
        for entry in source.entries():
            summary.add(entry)
        yield summary.row(Redactor())


def _cache_path() -> str:
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(base, "segue", "sessions.db")

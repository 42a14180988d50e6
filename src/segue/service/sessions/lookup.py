"""Other programs' sessions: find them, read them, list them, search them.

Nothing here writes to what an agent owns. Texts are redacted before they are shown, cached or
searched. A session is named by its id (or a unique beginning of it), by `agent:id`, by its file, or by
`file#id` where a file holds several; a name that fits several is refused, never guessed.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from typing import IO, TYPE_CHECKING

from segue.agents import locate
from segue.agents.contract import UP_TO
from segue.agents.registry import READERS, close_names, reader
from segue.errors import BadInput, NotFound, SegueError
from segue.service import workspace as workspaces
from segue.service.portable_paths import local
from segue.service.refusals import refusal
from segue.service.sessions import rows
from segue.service.sessions.belonging import belongs, workplace
from segue.service.sessions.rows import FAULTS, STDIN, Known, Progress, Result, Source, Summary, skip

if TYPE_CHECKING:
    from segue.model.entry import Entry
    from segue.service.sessions.candidates import Candidate

__all__ = ["STDIN", "Progress", "Result", "Source", "workplace"]

_NAMED = 5
"""Further sessions of a file that are named; there may be hundreds."""
_SUFFIXES = (".jsonl", ".json", ".md", ".db")
"""By which a name is a file's, though no such file is there."""
_OPENED = ("/dev/fd", "/proc/self/fd")
"""Where a process finds what was opened for it; a pipe elsewhere may never be written to."""
_FIRST_LINE = 1024 * 1024
_SHORTEST = 4
"""Characters of the shortest beginning of an id that names a session."""


def silent(done: int, total: int, what: str) -> None:
    """No progress is shown."""


def list_sessions(
    directory: str, agent: str | None = None, everywhere: bool = False, progress: Progress = silent
) -> Result:
    """Sessions of a directory, or all of them, across agents, newest first; `skipped` says which files
    could not be read."""
    known = rows.known(_agents(agent), directory, everywhere, progress)
    return _with_skipped({"sessions": known.rows if everywhere else _of(known, directory)}, known.skipped)


def _of(known: Known, directory: str) -> list[Result]:
    return [row for row in known.rows if belongs(row.get("cwd"), directory, row["path"] in known.here)]


def _with_skipped(result: Result, skipped: list[Result]) -> Result:
    return {**result, "skipped": skipped} if skipped else result


def find(
    name: str, agent: str | None = None, progress: Progress = silent, directory: str | None = None
) -> Source:
    """The session a person means: one of this directory before all others."""
    directory = os.path.abspath(directory or os.getcwd())
    if not name:
        raise BadInput("A session's name is empty.", "Give its id, agent:id, or a file.")
    writer, colon, path = name.partition(":")
    # A packet names a file from the home or the project, and a shell does not expand what is quoted.
    name = f"{writer}:{local(path)}" if writer in READERS and colon else _found_from(name, directory)
    if os.path.lexists(name):
        return at(name, agent)
    path = name.partition(":")[2]
    if writer in READERS and os.path.lexists(path):
        return at(path, writer)
    for place in (place for place, letter in enumerate(name) if letter == "#"):
        if os.path.lexists(name[:place]):
            return _inside(at(name[:place], agent), name[place + 1 :])
    file = path if writer in READERS else name
    if os.path.isabs(file):
        locate.require(file)
    try:
        return known_as(name, directory, agent, progress)
    except NotFound:
        if os.sep in file or file.endswith(_SUFFIXES):
            locate.require(file)
        raise


def _found_from(name: str, directory: str) -> str:
    """A file that is named from the home, or from the project around a directory."""
    if not name.startswith("./") or os.path.lexists(name):
        return local(name) if name.startswith("~") else name
    return local(name, workspaces.find(directory).root)


def _inside(source: Source, session: str) -> Source:
    """One of the sessions of a file, by its id or a unique beginning of it."""
    known = list(reader(source.agent).sessions(source.path))
    fits = [id for id in known if id == session] or [id for id in known if session and id.startswith(session)]
    if len(fits) == 1:
        return source._replace(session=fits[0])
    raise (BadInput if fits else NotFound)(
        f"{session!r} names {len(fits) or 'no'} session{'s' if fits else ''} of {source.path}.",
        f"It holds {', '.join(known[-5:]) or 'none'}{' among others' if len(known) > 5 else ''}.",
    )


def known_as(
    name: str,
    directory: str,
    agent: str | None = None,
    progress: Progress = silent,
    everywhere: bool = True,
) -> Source:
    """The session of an id or `agent:id`, never a file; one of this directory before all others, or only one of
    this directory."""
    prefix, colon, rest = name.partition(":")
    if colon and prefix in READERS:
        agent, name = prefix, rest
    if agent is not None and not name:
        return latest(directory, agent)
    known = rows.known(_agents(agent), directory, False, progress)
    if chosen := _chosen(name, _of(known, directory)):
        return chosen
    if everywhere:
        known = rows.known(_agents(agent), directory, True, progress)
        if chosen := _chosen(name, known.rows):
            return chosen
    unread = f" {len(known.skipped)} files could not be read." if known.skipped else ""
    agents = close_names(name) if agent is None else []
    raise NotFound(
        f"There is no session {name!r}{'' if everywhere else ' of this project'}.{unread}",
        f"Did you mean the agent {' or '.join(agents)}?"
        if agents
        else "`segue sessions list --all` shows them; a file works too."
        if everywhere
        else "`segue sessions list` shows those of this project.",
    )


def _chosen(name: str, rows: list[Result]) -> Source | None:
    """The one session of that name. Copies of one session count as one: the newest."""
    from segue.service.sessions.identity import MARK, opening

    fits = [row for row in rows if row["id"] == name]
    if not fits and (fits := [row for row in rows if row["id"].startswith(name)]) and len(name) < _SHORTEST:
        raise BadInput(f"{name!r} is too short to name a session.", f"Give {_SHORTEST} characters or more.")
    if not fits and MARK in name:
        alike = [row for row in rows if row["id"] == name.rpartition(MARK)[0]]
        fits = [row for row in alike if opening(_named(row)).id == name]
    if not fits:
        return None
    if len({(row["agent"], row["id"], row.get("cwd") or row["path"]) for row in fits}) > 1:
        named = sorted({f"{row['agent']}:{row['id']} in {row['path']}" for row in fits})
        raise BadInput(
            f"{name!r} names {len(fits)} sessions.",
            "Give more of the id, agent:id, or the file: " + "; ".join(named[:5]) + ".",
        )
    return _named(fits[0])


def _named(row: Result) -> Source:
    return Source(row["agent"], row["path"], row["id"])


def at(path: str, agent: str | None = None) -> Source:
    """The session in a file, whoever wrote it, or in a pipe that a shell opened for it, as `<(…)` does."""
    path = os.path.abspath(path)
    if os.path.dirname(path) in _OPENED and stat.S_ISFIFO(os.stat(path).st_mode):
        with open(path, "rb") as pipe:
            return _piped(pipe, path, agent)
    locate.require(path)
    return Source(agent or locate.identify(path)[0], path)


def ending_at(source: Source, leaf: str) -> Source:
    """The session as far as a record of its tree: the branch that a person went back to, before it goes on."""
    return source._replace(branch=f"{UP_TO}{leaf}")


def from_stdin(agent: str | None = None) -> Source:
    """A session that arrives on standard input."""
    import sys

    return _piped(sys.stdin.buffer, "Standard input", agent)


def _piped(pipe: IO[bytes], name: str, agent: str | None) -> Source:
    """A session that can be read only once, kept in a private file for as long as this process lives."""
    import atexit
    import shutil
    import tempfile

    folder = tempfile.mkdtemp(prefix="segue-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    path = os.path.join(folder, "stdin.jsonl")
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        shutil.copyfileobj(pipe, file)
    if not os.path.getsize(path):
        raise BadInput(f"{name} is empty.", "Pipe a session into it, or name a file.")
    if _is_one_document(path):
        path = shutil.move(path, os.path.join(folder, "stdin.json"))
    try:
        return at(path, agent)._replace(piped=True)
    except SegueError as fault:
        raise type(fault)(fault.message.replace(path, name), fault.hint, fault.code) from None


def _is_one_document(path: str) -> bool:
    """One JSON value over several lines, in which pointers cannot mean lines."""
    import msgspec

    with open(path, "rb") as file:
        first = file.readline(_FIRST_LINE).strip()
        if not first.startswith((b"{", b"[")) or not file.read(1):
            return False
    try:
        msgspec.json.decode(first)
    except msgspec.DecodeError:
        return len(first) < _FIRST_LINE - 1
    return False


def latest(directory: str, agent: str | None = None) -> Source:
    """The session of a directory that was worked in last. Says where it looked when there is none."""
    return next(candidates(directory, agent)).source


def candidates(directory: str, agent: str | None = None) -> Iterator[Candidate]:
    """The sessions of a directory that can be handed off, the latest first."""
    from segue.service.sessions.candidates import candidates

    return candidates(directory, _agents(agent))


def show(source: Source, branch: str | None = None, progress: Progress = silent) -> Result:
    """A session as counts and entries, redacted; `others` counts further sessions of the
    same file, `ids` names the newest of them."""
    from segue.agents.unknown_fields import with_fields
    from segue.redaction.redact import redact_entry, taught_by  # 25 ms, in which a handoff is already reading

    redactor = taught_by(source.entries(_branch(source, branch)))
    summary = Summary(source)
    entries = []
    for entry in source.entries(_branch(source, branch)):
        progress(entry.offset, summary.size, source.path)
        summary.add(entry)
        entries.append(redact_entry(with_fields(_placed(entry, source)), redactor))
    receipt = redactor.receipt()
    shown: Result = {
        "session": summary.row(redactor),
        "counts": summary.counts,
        "entries": entries,
        "redactions": {"total": receipt.total, "by_kind": dict(sorted(receipt.by_kind.items()))},
    }
    others = [] if source.session else _others(source, shown["session"]["id"])
    return {**shown, "others": len(others), "ids": others[-_NAMED:]} if others else shown


def near(entries: Sequence[Entry], line: int, around: int = 0) -> list[Entry]:
    """The entries of a line, as a pointer names it, and of so many lines around it. Raises NotFound where there is none."""
    if around < 0:
        raise BadInput("Lines around a line are 0 or more.", "Leave it out for the line alone.")
    found = [entry for entry in entries if abs(entry.line - line) <= around and entry.kind != "meta"]
    if not found:
        last = max((entry.line for entry in entries), default=0)
        raise refusal("no-such-line", line=line, last=last)
    return found


def _placed(entry: Entry, source: Source) -> Entry:
    """The entry with the file that a person knows: none where it came through a pipe."""
    from msgspec.structs import replace

    return replace(entry, file=STDIN) if source.piped else entry


def _others(source: Source, shown: str) -> list[str]:
    """The ids of the further sessions of a file."""
    try:
        return [id for id in reader(source.agent).sessions(source.path) if id != shown]
    except FAULTS:  # gone since it was read
        return []


def _branch(source: Source, branch: str | None) -> str | None:
    """The native id that a beginning of it names, as a timeline shows it."""
    if branch in (None, "", "all"):
        return branch or None
    ids = {
        entry.native_id for entry in source.entries("all") if branch and entry.native_id.startswith(branch)
    }
    if not ids:
        raise refusal("no-such-record", branch=branch)
    if len(ids) > 1 and branch not in ids:
        raise BadInput(f"{branch!r} begins {len(ids)} native ids.", "Give more of the one you mean.")
    return ids.pop() if len(ids) == 1 else branch


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
    listed = list_sessions(directory, agent, everywhere, progress)
    rows, skipped = listed["sessions"], listed.get("skipped", [])
    for done, row in enumerate(rows):
        progress(done, len(rows), row["path"])
        try:
            for hit in _hits(row, wanted):
                hits.append(hit)
                if len(hits) == limit:
                    return _with_skipped({"hits": hits}, skipped)
        except FAULTS as fault:
            skipped = [*skipped, skip(row["path"], fault)]
    return _with_skipped({"hits": hits}, skipped)


def _hits(row: Result, wanted: list[str]) -> Iterator[Result]:
    from segue.redaction.redact import Redactor, redact_entry

    redactor = Redactor()
    for entry in _named(row).entries():
        text = f"{entry.text}\n{entry.command}".lower()
        # What a fork inherited is found in the session it comes from.
        if all(word in text for word in wanted) and "inherited" not in entry.data:
            yield _hit(row, redact_entry(entry, redactor), wanted[0])


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


def _agents(agent: str | None) -> list[str]:
    if agent is None:
        return list(READERS)
    reader(agent)
    return [agent]

"""What was done, as pieces of a packet: runs, files, the repository, and where it all stopped."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from segue.handoff import ranks
from segue.handoff.fit import Form, Piece, distinct
from segue.handoff.groups import FAILURE
from segue.handoff.items import lines, places, pointer, refutes_last_words, where_it_went_well
from segue.handoff.losses import WANTED
from segue.handoff.quote import MISSING, code, cut, inline, path, quoted
from segue.model.facts import CommandFact, Facts, FailedRun, FileFact, InFlight, RepoState
from segue.model.patterns import compiled
from segue.model.scratch import is_scratch

_WORK_STATES = {"needs_review": "needs review", "partially_done": "partially done"}
_STOPS = {
    "call": "no result was seen of",
    "turn": "last said",
    "edit": "in the middle of",
    "question": "asked",
    "error": "ended in an error",
}
_LONG_PATH = compiled(r"([/~][\w.@+-]*/[\w.@+-]+)/(?:[\w.@+-]+/){2,}([\w.@+-]+)")
_CHANGED = 20
_MUTE_NAMED = 10
"""How many commands without a known end are named before what was said on the way."""
_LISTED = 80
"""Characters of a command that is told in a list of names."""
_CHANGED_FILE = (
    ranks.CHANGED_FILE,
    ranks.CHANGED_FILE_SYMBOLS,
    ranks.CHANGED_FILE_REASON,
    ranks.CHANGED_FILE_WHOLE,
)
_SEEN_FILE = (ranks.SEEN_FILE, ranks.SEEN_FILE_SYMBOLS, ranks.SEEN_FILE_REASON, ranks.SEEN_FILE_WHOLE)
_UNTOUCHED = ("read", "mentioned")


def failing(facts: Facts) -> Iterator[Piece]:
    failing = [c for c in facts.commands if c.state == "open" and c.last_bad]
    for place, run in enumerate(sorted(failing, key=lambda c: -c.score)):
        bad = run.last_bad
        if bad is None:
            continue
        vital = place < ranks.VITAL_FAILURES
        forms = distinct(
            *(
                Form(row.at(place), _failed(run, bad, row.room, n))
                for row, n in _failure_rows(run, bad, facts, vital)
            )
        )
        group = "failed before" if run.origin else "failed last" if run.edited_since else "failing"
        yield Piece(group, place, FAILURE, forms, vital=vital, lines=(bad.evidence.line,))


def _failure_rows(
    run: CommandFact, bad: FailedRun, facts: Facts, vital: bool
) -> tuple[tuple[ranks.Row, int], ...]:
    """How it is told, and with how many complaints."""
    whole = ranks.FAILURE_WHOLE, len(bad.error_lines)
    if not vital:
        return (ranks.FURTHER_FAILURE, 0), (ranks.FURTHER_FAILURE_TOLD, 1), whole
    told = ranks.FAILURE_IN_DOUBT if _doubtful(run, bad, facts) else ranks.FAILURE_TOLD
    return (ranks.FAILURE, 0), (ranks.FAILURE, 1), (told, 2), whole


def _failed(run: CommandFact, bad: FailedRun, room: int, errors: int) -> str:
    status = f" exit {bad.exit_code}" if bad.exit_code is not None else ""
    head = f"- {code(_fitting(bad.command, room))}{status}{_seen(run, bad)}"
    return "\n".join([head, *(f"  > {inline(cut(error, 200))}" for error in bad.error_lines[:errors])])


def _doubtful(run: CommandFact, bad: FailedRun, facts: Facts) -> bool:
    """It failed before the last turns, and another check went well since."""
    told = [turn.evidence[0].line for turn in facts.recent if turn.evidence]
    older = not run.origin and bool(told) and bad.evidence.line < told[0]
    return older and any(
        other.check and other.state != "open" and other.last_ok.evidence.line > bad.evidence.line
        for other in facts.commands
        if other.last_ok and not other.origin
    )


def _seen(run: CommandFact, bad: FailedRun) -> str:
    """Where it failed last."""
    return pointer(run) if run.origin else f" [#{bad.evidence.line}]"


def stopped(facts: Facts, budget: int) -> Iterator[Piece]:
    """Where it stopped. That this was in the middle of a turn the first line of a packet says, unless it is tiny."""
    stop = facts.in_flight
    if stop:
        forms = distinct(
            *(Form(row.rank, _stopped(stop, row.room)) for row in (ranks.STOP, ranks.STOP_WHOLE))
        )
        refuted = stop.kind == "turn" and any(map(refutes_last_words, facts.claims))
        yield Piece("flight", 0, "stop", forms, lines=lines(stop), refuted=refuted)
    elif facts.source.ended != "finished" and budget < ranks.TINY:
        how = "was interrupted" if facts.source.ended == "interrupted" else "stopped in the middle of a turn"
        yield Piece("flight", 0, "stop", (Form(ranks.STOP.rank, f"- the session {how}"),))
    open_calls = (*stop.beside, stop.text) if stop and stop.kind == "call" else ()
    for i, job in enumerate((*facts.background, *facts.subagents)):
        if job.text in open_calls:
            continue
        text = cut(job.text, ranks.RUNNING.room)
        what = code(text) if i < len(facts.background) else f"sub-agent: {quoted(text)}"
        text = f"- {what}{pointer(job)}"
        yield Piece("running", i, "job", (Form(ranks.RUNNING.at(i), text),), lines=lines(job))


def _stopped(stop: InFlight, room: int) -> str:
    called = ", ".join(code(cut(text, room)) for text in (*stop.beside, stop.text))
    what = called if stop.kind == "call" else quoted(stop.text)
    return f"- {_STOPS[stop.kind]}: {what}{pointer(stop)}"


def commands(facts: Facts) -> Iterator[Piece]:
    worked = [where_it_went_well(c) for c in facts.commands if _is_told_to_run(c)]
    claimed = {claim.evidence[0].line for claim in facts.claims if claim.act == "check" and claim.evidence}
    mute = {run.key: place for place, run in enumerate(sorted(filter(_is_mute, worked), key=_by_score))}
    for run, place in zip(worked, places(worked), strict=True):
        named, full = ranks.COMMAND, ranks.CHECK_TOLD if run.check else ranks.COMMAND_TOLD
        if run.check and claimed.intersection(lines(run)):
            full = ranks.CHECK_CLAIMED
        if run.key in mute:
            full = ranks.RAN_TOLD
            named = ranks.COMMAND if mute[run.key] < _MUTE_NAMED else ranks.RAN
        outcome = f" — {inline(run.last_ok.outcome)}" if run.last_ok and run.last_ok.outcome else ""
        forms = distinct(
            Form(named.at(place), code(_fitting(_brief(run), named.room)), brief=True),
            Form(full.at(place), f"- {code(_fitting(run.command, full.room))}{outcome}{pointer(run)}"),
        )
        unknown = run.last_ok and not run.last_ok.proved
        yield Piece("ran" if unknown else "worked", place, "command", forms, lines=lines(run))
    fixed = [c for c in facts.commands if c.state == "resolved" and c.last_bad]
    for run, place in zip(fixed, places(fixed), strict=True):
        forms = distinct(
            *(Form(row.at(place), _fixed(run, row.room)) for row in (ranks.FIXED, ranks.FIXED_TOLD))
        )
        group = "missing" if run.last_bad and run.last_bad.missing else "fixed"
        yield Piece(group, place, "command", forms, lines=lines(run))


def _is_mute(run: CommandFact) -> bool:
    """Nobody knows how it ended and nothing speaks against its having gone well: mostly a look at something."""
    return bool(run.last_ok and not run.last_ok.proved and not run.last_ok.outcome and not run.check)


def _by_score(run: CommandFact) -> float:
    return -run.score


def _is_told_to_run(run: CommandFact) -> bool:
    """It went well once, or may have and has not failed since; and does not fail now."""
    if run.last_ok is None or run.key.startswith("git ") or run.state == "open":
        return False
    failed = run.last_bad.evidence.line if run.last_bad else 0
    return run.last_ok.proved or run.last_ok.evidence.line > failed


def _brief(run: CommandFact) -> str:
    """A command short enough for a list; of a long one the beginning as it was typed, which is the key unless that leaves
    out a flag and keeps its value."""
    if len(run.command) <= _LISTED:
        return run.command
    return f"{run.key} {MISSING}" if run.command.startswith(run.key) else cut(run.command, _LISTED // 2)


def _fixed(run: CommandFact, size: int) -> str:
    bad = run.last_bad
    if bad is None:
        return f"- {code(cut(run.command, size))}"
    why = f" — {inline(cut(bad.error_lines[0], 160))}" if bad.error_lines else ""
    return f"- {code(_fitting(bad.command, size))}{why}{_seen(run, bad)}"


def _fitting(command: str, limit: int) -> str:
    """A command within `limit`. Where it has to be cut, the middle of its long paths goes first."""
    if len(command) > limit:
        command = _LONG_PATH.sub(rf"\1/{MISSING}/\2", command)
    return cut(command, limit)


def repo(facts: Facts) -> Iterator[Piece]:
    repo = facts.repo
    if repo is None:
        return
    head = f"- {_standing(repo)}"
    if repo.operation:
        head += f", in the middle of a {inline(repo.operation)}"
    yield _of_repo(0, ranks.REPOSITORY_STUCK if repo.operation else ranks.REPOSITORY, head)
    if repo.status:
        changed = ", ".join(inline(line.strip()) for line in repo.status[:_CHANGED])
        changed += f", {MISSING}" if len(repo.status) > _CHANGED else ""
        yield _of_repo(1, ranks.REPOSITORY_CHANGES, f"- changed: {changed}")
    if repo.diff_stat:
        yield _of_repo(2, ranks.REPOSITORY_DIFF, f"- diff: {inline(repo.diff_stat[-1])}")
    if repo.log:
        commits = "; ".join(inline(cut(line, 80)) for line in repo.log[:5])
        yield _of_repo(3, ranks.REPOSITORY_LOG, f"- last commits: {commits}")


def _of_repo(order: int, row: ranks.Row, text: str) -> Piece:
    return Piece("repo", order, "repository state", (Form(row.rank, text),))


def _standing(repo: RepoState) -> str:
    """Branch and commit in one phrase, or the reason why there are none."""
    if not (repo.branch or repo.head):
        return inline(repo.note) or "nothing is known of the repository"
    standing = f"{inline(repo.branch or 'no branch')} at {inline(repo.head or 'no commit')}"
    return f"{standing} ({inline(repo.note)})" if repo.note else standing


def files(facts: Facts) -> Iterator[Piece]:
    told: set[str] = set()
    ranked = sorted(zip(places(facts.files), facts.files, strict=True), key=lambda pair: pair[0])
    for place, file in ranked:
        if file.why in told:
            file = replace(file, why="")
        told.add(file.why)
        directory, _, name = file.path.rpartition("/")
        changed = file.action not in _UNTOUCHED
        named, symbols, reason, whole = _CHANGED_FILE if changed else _SEEN_FILE
        lower = 0 if changed else _outside(file.path)
        forms = distinct(
            Form(
                ranks.WANTED_FILE.at(place) if file.wanted else named.at(place, lower),
                path(name) + _marked(file),
                brief=True,
            ),
            Form(symbols.at(place, lower), _file_line(name, file, 3, full=False)),
            Form(reason.at(place, lower), _file_line(name, file, 6, full=True)),
            Form(whole.at(place, lower), _file_line(name, file, 12, full=True)),
        )
        yield Piece(
            "files",
            place,
            WANTED if file.wanted else "file",
            forms,
            under=f"{path(directory)}/" if directory else "./",
            lines=lines(file),
        )


def _outside(path: str) -> float:
    """How far a file is below the others for where it lies."""
    if not path.startswith(("/", "~")):
        return 0
    return ranks.SCRATCH if is_scratch(path) else ranks.OUTSIDE


def _file_line(name: str, file: FileFact, symbols: int, *, full: bool) -> str:
    again = _again(file) if full else ""
    state = file.work_state if file.action not in ("deleted", *_UNTOUCHED) else None
    marked = _marked(file, again, f", {_WORK_STATES.get(state, state)}" if state else "")
    named = ", ".join(inline(s) for s in file.symbols[:symbols])
    why = f" — {inline(file.why)}" if full and file.why else ""
    return f"- {path(name)}{marked}{': ' + named if named else ''}{why}{pointer(file) if full and marked else ''}"


def _again(file: FileFact) -> str:
    """How often a file was changed, told where it was more than once. What was created was that once."""
    if file.edits < 2 or file.action == "deleted":
        return ""
    more = file.edits - 1 if file.action == "created" else file.edits
    return f"{', then modified' if file.action == 'created' else ''}{f' {more}×' if more > 1 else ''}"


def _marked(file: FileFact, again: str = "", state: str = "") -> str:
    """What became of a file, behind its name; nothing of one that was read."""
    return "" if file.action == "read" else f" ({file.action}{again}{state})"

"""Facts as the lines of a packet, each with a rank.

The ranks are the drop order. From the last to go to the first: the person's words; what fails, the
next steps and where it stopped; the files with their symbols and the commands; decisions, dead ends
and claims; turns of little relevance and the agent's last words; longer forms of any of these.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from segue.handoff.fit import Piece
from segue.handoff.quote import block, code, inline, path, quoted
from segue.model.facts import CommandFact, Facts, FileFact, Item, Word
from segue.model.packet import DEAD_ENDS, DECIDED, NOTED, WORDS, Heading


class Group(NamedTuple):
    heading: Heading
    label: str


GROUPS: dict[str, Group] = {
    "asked": Group("Context", "**Asked for**"),
    "words": Group("Context", f"**{WORDS}; the later one wins**"),
    "decided": Group("Context", f"**{DECIDED}** (as the agent said)"),
    "state": Group("Context", "**State of the work**"),
    "summary": Group("Context", "**From the last compaction summary** (written by a model, unverified)"),
    "failing": Group("Operational Context", "**Failing now**"),
    "flight": Group("Operational Context", "**Where it stopped**"),
    "running": Group("Operational Context", "**Still running when last seen**"),
    "worked": Group("Operational Context", "**Commands that worked**"),
    "fixed": Group("Operational Context", "**Failed earlier, fixed or abandoned since**"),
    "repo": Group("Operational Context", "**Repository**"),
    "files": Group("Files", ""),
    "goal": Group("Task", ""),
    "steps": Group("Task", "**Next steps**"),
    "todos": Group("Task", "**To-do list**"),
    "plan": Group("Task", "**Plan**"),
    "dead": Group("Notes", f"**{DEAD_ENDS}**"),
    "known": Group("Notes", f"**{NOTED}** (as the agent said)"),
    "last": Group("Notes", "**Last words of the agent** (reported)"),
}
"""Every group a packet may have, in the order in which it is printed."""

_STATE_MARK = {"needs_review": "needs review", "partially_done": "partially done"}


def pieces(facts: Facts) -> list[Piece]:
    return [
        *_asked(facts),
        *_words(facts),
        *_context(facts),
        *_operations(facts),
        *_files(facts),
        *_task(facts),
        *_notes(facts),
    ]


def pointer(item: Item) -> str:
    """` [#12]`, or ` [#12 of SESSION]` for what an earlier handoff carried; empty without evidence."""
    if not item.evidence:
        return ""
    lines = " ".join(f"#{e.line}" for e in item.evidence)
    return f" [{lines} of {item.origin}]" if item.origin else f" [{lines}]"


def _lines(item: Item) -> tuple[int, ...]:
    return tuple(e.line for e in item.evidence)


def _by_score(items: tuple[Item, ...]) -> dict[int, int]:
    """Position of each item by score, 0 for the best."""
    order = sorted(range(len(items)), key=lambda i: (-items[i].score, -i))
    return {i: place for place, i in enumerate(order)}


def _asked(facts: Facts) -> Iterator[Piece]:
    objective = facts.objective
    if objective.first:
        text = objective.first.text
        yield _quote_piece("asked", 0, "- first: ", text, objective.first, 84, 200, 62, 700)
    places = _by_score(objective.shifts)
    for i, shift in enumerate(objective.shifts):
        yield _quote_piece(
            "asked", i + 1, "- then: ", shift.text, shift, 58 - places[i], 140, 40 - places[i], 400
        )
    if objective.current:
        yield _quote_piece(
            "asked", 10_000, "- last: ", objective.current.text, objective.current, 87, 240, 66, 900
        )


def _quote_piece(
    group: str,
    order: int,
    lead: str,
    text: str,
    item: Item,
    rank: float,
    short: int,
    longer_rank: float,
    long: int,
) -> Piece:
    brief, full = _cut(text, short), _cut(text, long)
    at = pointer(item)
    return Piece(
        group,
        order,
        rank,
        f"{lead}{quoted(brief)}{at}",
        "prompt",
        f"{lead}{quoted(full)}{at}" if full != brief else "",
        longer_rank,
        lines=_lines(item),
    )


def _cut(text: str, limit: int) -> str:
    text = " ".join(text.split())
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ", limit // 2)
    return cut[: space if space > 0 else len(cut)].rstrip(" ,;:") + "…"


def _words(facts: Facts) -> Iterator[Piece]:
    by_line = {w.evidence[-1].line: w for w in facts.words if w.evidence and not w.origin}
    replaced: dict[int, list[Word]] = {}
    for word in facts.words:
        if word.superseded_by:
            replaced.setdefault(word.superseded_by.line, []).append(word)
    standing = tuple(w for w in facts.words if not (w.superseded_by and w.superseded_by.line in by_line))
    places = _by_score(standing)
    used = 0
    for i in sorted(places, key=lambda n: places[n]):
        word = standing[i]
        mark = {3: "must", 2: "firm"}.get(word.strength, "wish") if word.kind == "constraint" else word.kind
        before = replaced.get(word.evidence[-1].line, []) if word.evidence and not word.origin else []
        text = f"- {mark}: {quoted(word.text)}{pointer(word)}{_replaces(word, before)}"
        used += len(text)
        rank = 95 - 0.01 * places[i] if word.strength > 1 else 78 - 0.2 * places[i]
        yield Piece("words", i, rank, text, "word of the person", vital=word.strength > 1, lines=_lines(word))


def _replaces(word: Word, before: list[Word]) -> str:
    """What a word took the place of. The old text is shown only where the new one cannot be read without it."""
    if not before:
        return ""
    bare = len(word.text) < 30
    return (
        " (replaces "
        + ", ".join(f"{quoted(b.text) if bare else 'an earlier word'}{pointer(b)}" for b in before)
        + ")"
    )


def _context(facts: Facts) -> Iterator[Piece]:
    places = _by_score(facts.decisions)
    for i, decision in enumerate(facts.decisions):
        text = f"- {inline(_cut(decision.text, 180))}{pointer(decision)}"
        longer = f"- {inline(decision.text)}{pointer(decision)}"
        yield Piece(
            "decided",
            i,
            70 - 1.5 * places[i],
            text,
            "decision",
            longer if longer != text else "",
            45 - places[i],
            lines=_lines(decision),
        )
    places = _by_score(facts.claims)
    for i, claim in enumerate(facts.claims):
        said = quoted(claim.text) if claim.state == "reported" else inline(claim.text)
        base = {"not tested": 83, "pushed": 76, "done": 76, "reported": 60}.get(claim.state, 72)
        yield Piece(
            "state",
            i,
            base - places[i],
            f"- {claim.state}: {said}{pointer(claim)}",
            "claim",
            lines=_lines(claim),
        )
    for i, summary in enumerate(facts.summaries):
        text = block(_cut_lines(summary.text, 700))
        longer = block(_cut_lines(summary.text, 3000))
        yield Piece("summary", i, 44, text, "summary", longer, 20, lines=_lines(summary))


def _cut_lines(text: str, limit: int) -> str:
    out: list[str] = []
    used = 0
    for line in text.split("\n"):
        line = line.strip()
        if not line or used >= limit:
            continue
        out.append(_cut(line, min(300, max(40, limit - used))))
        used += len(out[-1])
    return "\n".join(out)


def _operations(facts: Facts) -> Iterator[Piece]:
    failing = [c for c in facts.commands if c.state == "open"]
    for i, run in enumerate(sorted(failing, key=lambda c: -c.score)):
        yield _failing(run, i)
    stop = facts.in_flight
    if stop:
        yield Piece(
            "flight",
            0,
            85,
            f"- {_STOPS[stop.kind]}: {code(stop.text) if stop.kind == 'call' else quoted(stop.text)}{pointer(stop)}",
            "stop",
            lines=_lines(stop),
        )
    elif facts.source.ended != "finished":
        yield Piece(
            "flight",
            0,
            85,
            f"- the session {'was interrupted' if facts.source.ended == 'interrupted' else 'stopped in the middle of a turn'}",
            "stop",
        )
    for i, job in enumerate((*facts.background, *facts.subagents)):
        yield Piece(
            "running", i, 82 - i, f"- {code(_cut(job.text, 140))}{pointer(job)}", "job", lines=_lines(job)
        )
    worked = [c for c in facts.commands if c.last_ok]
    places = _by_score(tuple(worked))
    for i, run in enumerate(worked):
        outcome = f" — {inline(run.last_ok.outcome)}" if run.last_ok and run.last_ok.outcome else ""
        text = f"- {code(_cut(run.key, 90))}"
        full = f"- {code(_cut(run.command, 180))}{outcome}{pointer(run)}"
        yield Piece(
            "worked", i, 79 - 1.0 * places[i], text, "command", full, 48 - places[i], lines=_lines(run)
        )
    fixed = [c for c in facts.commands if c.state == "resolved"]
    places = _by_score(tuple(fixed))
    for i, run in enumerate(fixed):
        assert run.last_bad is not None
        why = f": {inline(_cut(run.last_bad.error_lines[0], 120))}" if run.last_bad.error_lines else ""
        text = f"- {code(_cut(run.last_bad.command, 110))}{why}{pointer(run)}"
        yield Piece("fixed", i, 66 - 1.5 * places[i], text, "command", lines=_lines(run))
    if facts.repo:
        yield from _repo(facts)


_STOPS = {
    "call": "no result was seen of",
    "turn": "last said",
    "edit": "in the middle of",
    "question": "asked",
    "error": "ended in an error",
}


def _failing(run: CommandFact, place: int) -> Piece:
    bad = run.last_bad
    assert bad is not None
    status = f" exit {bad.exit_code}" if bad.exit_code is not None else ""
    head = f"- {code(_cut(bad.command, 240))}{status} [#{bad.evidence.line}]"
    lines = [f"  > {inline(_cut(e, 200))}" for e in bad.error_lines]
    text = "\n".join([head, *lines[:2]])
    longer = "\n".join([head, *lines])
    return Piece(
        "failing",
        place,
        90 - 1.5 * place,
        text,
        "failure",
        longer if longer != text else "",
        64 - place,
        lines=(bad.evidence.line,),
    )


def _repo(facts: Facts) -> Iterator[Piece]:
    repo = facts.repo
    assert repo is not None
    head = f"- {inline(repo.branch or 'no branch')} at {inline(repo.head or 'no commit')}"
    if repo.operation:
        head += f", in the middle of a {inline(repo.operation)}"
    if repo.note:
        head += f" ({inline(repo.note)})"
    yield Piece("repo", 0, 81, head, "repository state")
    if repo.status:
        yield Piece(
            "repo", 1, 71, "- changed: " + ", ".join(inline(s) for s in repo.status[:12]), "repository state"
        )
    if repo.log:
        yield Piece(
            "repo",
            2,
            55,
            "- last commits: " + "; ".join(inline(_cut(s, 80)) for s in repo.log[:5]),
            "repository state",
        )


def _files(facts: Facts) -> Iterator[Piece]:
    places = _by_score(facts.files)
    for i, file in enumerate(facts.files):
        directory, _, name = file.path.rpartition("/")
        where = f"{path(directory)}/" if directory else "./"
        changed = file.action not in ("read", "mentioned")
        rank = (86 if changed else 80) - (0.45 if changed else 0.6) * places[i]
        yield Piece(
            "files",
            i,
            rank,
            _file_line(name, file, 3, False),
            "file",
            _file_line(name, file, 10, True),
            rank - 22,
            under=where,
            lines=_lines(file),
        )


def _file_line(name: str, file: FileFact, symbols: int, long: bool) -> str:
    marks = []
    if file.action not in ("read", "mentioned"):
        marks.append(file.action + (f" {file.edits}×" if file.edits > 1 and long else ""))
        if file.work_state:
            marks.append(_STATE_MARK.get(file.work_state, file.work_state))
    marked = f" ({', '.join(marks)})" if marks else ""
    named = ", ".join(inline(s) for s in file.symbols[:symbols])
    why = f" — {inline(file.why)}" if long and file.why else ""
    at = pointer(file) if long and marks else ""
    return f"- {path(name)}{marked}{': ' + named if named else ''}{why}{at}"


def _task(facts: Facts) -> Iterator[Piece]:
    asked = facts.objective.current or facts.objective.first
    goal = facts.goal or (asked.text if asked else "")
    if goal:
        lead = "**Goal**: " if facts.goal else "**Goal** (the last thing asked for): "
        yield Piece(
            "goal",
            0,
            99,
            f"{lead}{quoted(_cut(goal, 240))}",
            "goal",
            f"{lead}{quoted(_cut(goal, 1200))}" if len(goal) > 240 else "",
            67,
        )
    for i, step in enumerate(facts.next_steps):
        yield Piece(
            "steps",
            i,
            88 - 2.0 * i,
            f"{i + 1}. {inline(step.text)}{pointer(step)}",
            "next step",
            lines=_lines(step),
        )
    for i, todo in enumerate(facts.todos):
        mark = {"completed": "x", "in_progress": "~"}.get(todo.state, " ")
        rank = (77 if mark != "x" else 50) - 0.5 * i
        yield Piece(
            "todos", i, rank, f"- [{mark}] {inline(_cut(todo.text, 160))}", "to-do", lines=_lines(todo)
        )
    if facts.plan:
        text = _cut_lines(facts.plan.text, 400)
        yield Piece(
            "plan",
            0,
            56,
            f"- {facts.plan.outcome}{pointer(facts.plan)}\n{block(text)}",
            "plan",
            f"- {facts.plan.outcome}{pointer(facts.plan)}\n{block(_cut_lines(facts.plan.text, 1600))}",
            30,
            lines=_lines(facts.plan),
        )


def _notes(facts: Facts) -> Iterator[Piece]:
    places = _by_score(facts.dead_ends)
    for i, dead in enumerate(facts.dead_ends):
        yield Piece(
            "dead",
            i,
            73 - 1.5 * places[i],
            f"- {inline(dead.tried)}{pointer(dead)}",
            "dead end",
            lines=_lines(dead),
        )
    places = _by_score(facts.notes)
    for i, note in enumerate(facts.notes):
        yield Piece(
            "known",
            i,
            68 - 1.5 * places[i],
            f"- {inline(note.text)}{pointer(note)}",
            "note",
            lines=_lines(note),
        )
    last = next((t for t in reversed(facts.recent) if t.said), None)
    if last:
        yield Piece(
            "last",
            0,
            63,
            block(_cut_lines(last.said, 500)),
            "last words",
            block(_cut_lines(last.said, 2400)),
            35,
            lines=_lines(last),
        )

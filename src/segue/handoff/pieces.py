"""Facts as the items of a packet, each with a rank.

The ranks are the drop order. From the last to go to the first: the goal; the person's words; what
fails, the next steps and where it stopped; the names of files and commands; their symbols and
outcomes; decisions, dead ends and claims; earlier prompts and the agent's last words; fuller forms
of any of these. A preset lifts the groups that its kind of work turns on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from segue.handoff.fit import Form, Piece
from segue.handoff.quote import block, code, cut, cut_lines, inline, path, quoted
from segue.model.facts import CommandFact, Facts, FileFact, Item, Quote, RepoState, Word
from segue.model.packet import DEAD_ENDS, DECIDED, NOTED, WORDS, Heading


class Group(NamedTuple):
    heading: Heading
    label: str


OPERATIONAL: Heading = "Operational Context"
GROUPS: dict[str, Group] = {
    "asked": Group("Context", "**Asked for**"),
    "words": Group("Context", f"**{WORDS}; the later one wins**"),
    "decided": Group("Context", f"**{DECIDED}** (as the agent said)"),
    "state": Group("Context", "**State of the work**"),
    "summary": Group("Context", "**From the last compaction summary** (written by a model, unverified)"),
    "failing": Group(OPERATIONAL, "**Failing now**"),
    "flight": Group(OPERATIONAL, "**Where it stopped**"),
    "running": Group(OPERATIONAL, "**Still running when last seen**"),
    "worked": Group(OPERATIONAL, "**Commands that worked**"),
    "fixed": Group(OPERATIONAL, "**Failed earlier, fixed or abandoned since**"),
    "repo": Group(OPERATIONAL, "**Repository**"),
    "files": Group("Files", ""),
    "goal": Group("Task", ""),
    "steps": Group("Task", "**Next steps**"),
    "todos": Group("Task", "**To-do list**"),
    "old todos": Group("Task", "**To-do list** (not kept for several turns, may be done)"),
    "plan": Group("Task", "**Plan**"),
    "dead": Group("Notes", f"**{DEAD_ENDS}**"),
    "known": Group("Notes", f"**{NOTED}** (as the agent said)"),
    "last": Group("Notes", "**Last words of the agent** (reported)"),
}
"""Every group a packet may have, in the order in which it is printed."""

PRESETS: dict[str, dict[str, float]] = {
    "": {},
    "implement": {"todos": 3, "plan": 8, "decided": 3},
    "debug": {"failing": 3, "fixed": 10, "dead": 8, "known": 8, "worked": 3},
    "review": {"state": 6, "decided": 6, "files": 3, "repo": 6},
    "docs": {"decided": 8, "known": 6, "asked": 4},
}
"""How far each preset lifts the ranks of a group."""

WORD = "word of the person"
_VITAL = 24
"""How many words of the person are, in a packet of any size, the last to be given up."""
_TELLING = ("failing", "flight", "running", "fixed", "worked")
_BEFORE_WORDS = 96
_WORK_STATES = {"needs_review": "needs review", "partially_done": "partially done"}
_STOPS = {
    "call": "no result was seen of",
    "turn": "last said",
    "edit": "in the middle of",
    "question": "asked",
    "error": "ended in an error",
}
_UNTOUCHED = ("read", "mentioned")


def pieces(facts: Facts, budget: int) -> list[Piece]:
    found = [
        *_asked(facts),
        *_words(facts, budget),
        *_decisions(facts),
        *_claims(facts),
        *_summaries(facts),
        *_failing(facts),
        *_stopped(facts),
        *_commands(facts),
        *_repo(facts),
        *_files(facts),
        *_task(facts),
        *_notes(facts),
    ]
    lifts = PRESETS.get(facts.preset, {})
    return [_lifted(piece, lifts[piece.group]) if piece.group in lifts else piece for piece in found]


def with_a_failure_named(found: list[Piece]) -> list[Piece]:
    """The pieces, of which the one that best tells how the work goes, a failure if there is one, shows its
    first line before anything a person said."""
    telling = [n for n, piece in enumerate(found) if piece.group in _TELLING]
    if not telling:
        return found
    best = min(telling, key=lambda n: (_TELLING.index(found[n].group), found[n].order))
    piece = found[best]
    first = piece.forms[0]
    named = first._replace(rank=_BEFORE_WORDS, text=first.text.partition("\n")[0])
    return [*found[:best], piece._replace(forms=_forms(named, *piece.forms)), *found[best + 1 :]]


def _lifted(piece: Piece, by: float) -> Piece:
    return piece._replace(forms=tuple(form._replace(rank=form.rank + by) for form in piece.forms))


def pointer(item: Item) -> str:
    """` [#12]`, or ` [#12 of SESSION]` for what an earlier handoff carried; empty without evidence."""
    if not item.evidence:
        return ""
    lines = " ".join(f"#{line}" for line in dict.fromkeys(e.line for e in item.evidence))
    return f" [{lines} of {item.origin}]" if item.origin else f" [{lines}]"


def _lines(item: Item) -> tuple[int, ...]:
    return tuple(e.line for e in item.evidence)


def _places(items: Sequence[Item]) -> list[int]:
    """For each item its place by score, 0 for the best."""
    order = sorted(range(len(items)), key=lambda i: (-items[i].score, -i))
    places = [0] * len(items)
    for place, i in enumerate(order):
        places[i] = place
    return places


def _forms(*forms: Form) -> tuple[Form, ...]:
    """The forms without those that say the same as the one before."""
    kept = forms[:1]
    for form in forms[1:]:
        if form.text != kept[-1].text:
            kept = (*kept, form)
    return kept


def _asked(facts: Facts) -> Iterator[Piece]:
    objective = facts.objective
    if objective.first:
        yield _prompt(0, "first", objective.first, (84, 200), (62, 800))
    for i, (shift, place) in enumerate(zip(objective.shifts, _places(objective.shifts), strict=True)):
        yield _prompt(i + 1, "then", shift, (58 - place, 140), (38 - place, 400))
    if objective.current and facts.goal:
        yield _prompt(10_000, "last", objective.current, (87, 240), (66, 1000))


def _prompt(order: int, lead: str, quote: Quote, *sizes: tuple[float, int]) -> Piece:
    forms = (
        Form(rank, f"- {lead}: {quoted(cut(quote.text, limit))}{pointer(quote)}") for rank, limit in sizes
    )
    return Piece("asked", order, "prompt", _forms(*forms), lines=_lines(quote))


def _words(facts: Facts, budget: int) -> Iterator[Piece]:
    """Words that stand. One that was replaced is told with the word that replaced it. The best are vital;
    the many more that a person may have said firmly compete with the rest."""
    most = max(_VITAL, budget // 60)
    standing = [w for w in facts.words if not w.superseded_by]
    before = replaced(facts.words, standing)
    for i, (word, place) in enumerate(zip(standing, _places(standing), strict=True)):
        mark = {3: "must", 2: "firm"}.get(word.strength, "wish") if word.kind == "constraint" else word.kind
        text = f"- {mark}: {quoted(word.text)}{pointer(word)}{replaces(word, before.get(i, []))}"
        vital = word.strength > 1 and place < most
        rank = 95 - 0.01 * place if vital else 87 - 0.3 * place
        yield Piece("words", i, WORD, (Form(rank, text),), vital=vital, lines=_lines(word))


def replaced(words: Sequence[Word], standing: Sequence[Word]) -> dict[int, list[Word]]:
    """For each standing word the ones it replaced. Of several said in one breath it was the correction."""
    found: dict[int, list[Word]] = {}
    for old in words:
        if old.superseded_by:
            there = [
                (word.kind in ("correction", "rejection"), i)
                for i, word in enumerate(standing)
                if word.origin in (old.origin, "")
                and word.evidence[-1:]
                and word.evidence[-1].line == old.superseded_by.line
            ]
            if there:
                found.setdefault(max(there)[1], []).append(old)
    return found


def replaces(word: Word, before: list[Word]) -> str:
    """What a word took the place of; in full only where the new one cannot be read without it."""
    if not before:
        return ""
    room = 360 if len(word.text) < 30 else 60
    told = (f"{quoted(cut(b.text, room))}{pointer(b)}" for b in before)
    return f" (replaces {', '.join(told)})"


def _decisions(facts: Facts) -> Iterator[Piece]:
    for i, (decision, place) in enumerate(zip(facts.decisions, _places(facts.decisions), strict=True)):
        yield Piece(
            "decided",
            i,
            "decision",
            _forms(
                Form(84 - 3 * place, f"- {inline(cut(decision.text, 180))}{pointer(decision)}"),
                Form(45 - place, f"- {inline(decision.text)}{pointer(decision)}"),
            ),
            lines=_lines(decision),
        )


def _claims(facts: Facts) -> Iterator[Piece]:
    for i, (claim, place) in enumerate(zip(facts.claims, _places(facts.claims), strict=True)):
        said = quoted(claim.text) if claim.state == "reported" else inline(claim.text)
        base = {"not tested": 83, "pushed": 78, "done": 78, "reported": 60}.get(claim.state, 75)
        text = f"- {claim.state}: {said}{pointer(claim)}"
        yield Piece("state", i, "claim", (Form(base - place, text),), lines=_lines(claim))


def _summaries(facts: Facts) -> Iterator[Piece]:
    for i, summary in enumerate(facts.summaries):
        forms = _forms(
            *(Form(rank, block(cut_lines(summary.text, size))) for rank, size in ((46, 700), (22, 3000)))
        )
        yield Piece("summary", i, "summary", forms, lines=_lines(summary))


def _failing(facts: Facts) -> Iterator[Piece]:
    failing = [c for c in facts.commands if c.state == "open" and c.last_bad]
    for place, run in enumerate(sorted(failing, key=lambda c: -c.score)):
        bad = run.last_bad
        if bad is None:
            continue
        status = f" exit {bad.exit_code}" if bad.exit_code is not None else ""
        errors = [f"  > {inline(cut(e, 200))}" for e in bad.error_lines]
        head = f"{code(cut(bad.command, 240))}{status} [#{bad.evidence.line}]"
        forms = _forms(
            Form(92 - 1.5 * place, "\n".join([f"- {head}", *errors[:2]])),
            Form(65 - place, "\n".join([f"- {head}", *errors])),
        )
        yield Piece("failing", place, "failure", forms, lines=(bad.evidence.line,))


def _stopped(facts: Facts) -> Iterator[Piece]:
    stop = facts.in_flight
    if stop:
        what = code(stop.text) if stop.kind == "call" else quoted(stop.text)
        yield Piece(
            "flight",
            0,
            "stop",
            (Form(85, f"- {_STOPS[stop.kind]}: {what}{pointer(stop)}"),),
            lines=_lines(stop),
        )
    elif facts.source.ended != "finished":
        how = "was interrupted" if facts.source.ended == "interrupted" else "stopped in the middle of a turn"
        yield Piece("flight", 0, "stop", (Form(85, f"- the session {how}"),))
    for i, job in enumerate((*facts.background, *facts.subagents)):
        text = f"- {code(cut(job.text, 140))}{pointer(job)}"
        yield Piece("running", i, "job", (Form(82 - i, text),), lines=_lines(job))


def _commands(facts: Facts) -> Iterator[Piece]:
    worked = [c for c in facts.commands if c.last_ok and not c.key.startswith("git ")]
    for run, place in zip(worked, _places(worked), strict=True):
        outcome = f" — {inline(run.last_ok.outcome)}" if run.last_ok and run.last_ok.outcome else ""
        forms = _forms(
            Form(
                86 - 0.4 * place,
                code(cut(run.command if len(run.command) <= 80 else run.key, 100)),
                brief=True,
            ),
            Form(
                (70 if run.check else 62) - 1.5 * place,
                f"- {code(cut(run.command, 180))}{outcome}{pointer(run)}",
            ),
        )
        yield Piece("worked", place, "command", forms, lines=_lines(run))
    fixed = [c for c in facts.commands if c.state == "resolved" and c.last_bad]
    for run, place in zip(fixed, _places(fixed), strict=True):
        yield Piece("fixed", place, "command", (Form(80 - 2.5 * place, _fixed(run)),), lines=_lines(run))


def _fixed(run: CommandFact) -> str:
    bad = run.last_bad
    if bad is None:
        return f"- {code(cut(run.command, 110))}"
    why = f" — {inline(cut(bad.error_lines[0], 160))}" if bad.error_lines else ""
    return f"- {code(cut(bad.command, 110))}{why} [#{bad.evidence.line}]"


def _repo(facts: Facts) -> Iterator[Piece]:
    repo = facts.repo
    if repo is None:
        return
    head = f"- {_standing(repo)}"
    if repo.operation:
        head += f", in the middle of a {inline(repo.operation)}"
    yield Piece("repo", 0, "repository state", (Form(84 if repo.operation else 81, head),))
    if repo.status:
        changed = ", ".join(inline(line.strip()) for line in repo.status[:20])
        yield Piece("repo", 1, "repository state", (Form(71, f"- changed: {changed}"),))
    if repo.diff_stat:
        yield Piece("repo", 2, "repository state", (Form(57, f"- diff: {inline(repo.diff_stat[-1])}"),))
    if repo.log:
        commits = "; ".join(inline(cut(line, 80)) for line in repo.log[:5])
        yield Piece("repo", 3, "repository state", (Form(55, f"- last commits: {commits}"),))


def _standing(repo: RepoState) -> str:
    """Branch and commit in one phrase, or the reason why there are none."""
    if not (repo.branch or repo.head):
        return inline(repo.note) or "nothing is known of the repository"
    standing = f"{inline(repo.branch or 'no branch')} at {inline(repo.head or 'no commit')}"
    return f"{standing} ({inline(repo.note)})" if repo.note else standing


def _files(facts: Facts) -> Iterator[Piece]:
    told: set[str] = set()
    places = _places(facts.files)
    for i in sorted(range(len(places)), key=lambda n: places[n]):
        file, place = facts.files[i], places[i]
        if file.why in told:
            file = replace(file, why="")
        told.add(file.why)
        directory, _, name = file.path.rpartition("/")
        changed = file.action not in _UNTOUCHED
        outside = 6 if not changed and file.path.startswith(("/", "~")) else 0
        base = (88 if changed else 85) - outside
        middle = (85 if changed else 80) - 0.5 * place - outside
        forms = _forms(
            Form(base - 0.15 * place, path(name) + (f" ({file.action})" if changed else ""), brief=True),
            Form(middle, _file_line(name, file, 3, full=False)),
            Form(middle - 20, _file_line(name, file, 6, full=True)),
            Form(middle - 40, _file_line(name, file, 12, full=True)),
        )
        yield Piece(
            "files",
            place,
            "file",
            forms,
            under=f"{path(directory)}/" if directory else "./",
            lines=_lines(file),
        )


def _file_line(name: str, file: FileFact, symbols: int, *, full: bool) -> str:
    marks = []
    if file.action not in _UNTOUCHED:
        marks.append(file.action + (f" {file.edits}×" if file.edits > 1 and full else ""))
        if file.work_state:
            marks.append(_WORK_STATES.get(file.work_state, file.work_state))
    marked = f" ({', '.join(marks)})" if marks else ""
    named = ", ".join(inline(s) for s in file.symbols[:symbols])
    why = f" — {inline(file.why)}" if full and file.why else ""
    return (
        f"- {path(name)}{marked}{': ' + named if named else ''}{why}{pointer(file) if full and marks else ''}"
    )


def _task(facts: Facts) -> Iterator[Piece]:
    asked = facts.objective.current or facts.objective.first
    goal = facts.goal or (asked.text if asked else "")
    if goal:
        lead = "**Goal**: " if facts.goal else "**Goal** (the last thing asked for): "
        at = "" if facts.goal or not asked else pointer(asked)
        forms = _forms(
            *(Form(rank, f"{lead}{quoted(cut(goal, size))}{at}") for rank, size in ((99, 240), (68, 1200)))
        )
        yield Piece("goal", 0, "goal", forms)
    for i, step in enumerate(facts.next_steps):
        text = f"{i + 1}. {inline(step.text)}{pointer(step)}"
        yield Piece("steps", i, "next step", (Form(90 - 2.5 * i, text),), lines=_lines(step))
    for i, todo in enumerate(facts.todos):
        mark = {"completed": "x", "in_progress": "~"}.get(todo.state, " ")
        rank = (80 if mark != "x" else 50) - 0.5 * i - (4 if todo.stale else 0)
        at = pointer(todo) if i == 0 else ""
        group = "old todos" if todo.stale else "todos"
        yield Piece(
            group,
            i,
            "to-do",
            (Form(rank, f"- [{mark}] {inline(cut(todo.text, 160))}{at}"),),
            lines=_lines(todo),
        )
    if facts.plan:
        head = f"- {facts.plan.outcome}{pointer(facts.plan)}"
        forms = _forms(
            *(Form(r, f"{head}\n{block(cut_lines(facts.plan.text, n))}") for r, n in ((56, 400), (32, 1600)))
        )
        yield Piece("plan", 0, "plan", forms, lines=_lines(facts.plan))


def _notes(facts: Facts) -> Iterator[Piece]:
    for i, (dead, place) in enumerate(zip(facts.dead_ends, _places(facts.dead_ends), strict=True)):
        text = f"- {inline(dead.tried)}{pointer(dead)}"
        yield Piece("dead", i, "dead end", (Form(84 - 3 * place, text),), lines=_lines(dead))
    for i, (note, place) in enumerate(zip(facts.notes, _places(facts.notes), strict=True)):
        text = f"- {inline(note.text)}{pointer(note)}"
        yield Piece("known", i, "note", (Form(78 - 3 * place, text),), lines=_lines(note))
    last = next((t for t in reversed(facts.recent) if t.said), None)
    if last:
        forms = _forms(
            *(
                Form(rank, block(cut_lines(last.said, size)))
                for rank, size in ((80, 500), (50, 1400), (30, 3000))
            )
        )
        yield Piece("last", 0, "last words", forms, lines=_lines(last))

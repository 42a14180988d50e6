"""Facts for one goal: the index, judged, ordered and cut to its quotas.

Coverage comes first: the first prompt, the person's words, decisions, open failures and the last
turns are there whatever the goal is. Relevance to the goal then orders what competes for the rest.
Nothing is dropped silently: what a quota turns away is listed with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from segue.extract.budget import Quotas, quotas
from segue.extract.prose import clipped, ends, flat
from segue.extract.relevance import Goal
from segue.extract.relevance import goal as goal_of
from segue.extract.steps import next_steps
from segue.extract.symbols import parts
from segue.model.facts import (
    CommandFact,
    Dropped,
    Evidence,
    Facts,
    FileFact,
    Item,
    Objective,
    Quote,
    RecentTurn,
    Redactions,
    RepoState,
    Word,
)
from segue.model.turn import Index, Turn

_Fact = TypeVar("_Fact", bound=Item)
_PROMPT_LIMIT = 1500
_STALE = 100
"""Distinct commands after which a failure nobody came back to counts as abandoned."""


def select(
    index: Index,
    goal: str,
    *,
    budget: int,
    preset: str = "",
    repo: RepoState | None = None,
    redactions: Redactions | None = None,
    include_files: Sequence[str] = (),
) -> Facts:
    """The facts of a session for a goal. Without a goal, the last thing the person asked for is it."""
    limits = quotas(budget)
    aim = goal_of(goal or (index.prompts[-1].text if index.prompts else ""))
    dropped: list[Dropped] = []
    last = max((t.last_line for t in index.turns), default=1)

    def keep(items: Sequence[_Fact], quota: int, name: str) -> tuple[_Fact, ...]:
        return _best(items, quota, name, dropped)

    words = [_judged_word(w, aim, last) for w in index.words]
    commands = _judged_commands(index.commands, aim)
    failures = sorted((c for c in commands if c.state == "open"), key=lambda c: -c.score)[: limits.failures]
    others = [c for c in commands if c.state != "open"]
    steps = next_steps(index, failures)
    return Facts(
        source=index.source,
        goal=goal,
        preset=preset,
        objective=_objective(index, aim, limits, dropped),
        words=keep(words, limits.words, "word"),
        decisions=keep(
            [_judged(d, d.text, aim, last, 1.0 + bool(d.why)) for d in index.decisions],
            limits.decisions,
            "decision",
        ),
        dead_ends=keep(
            [_judged(d, d.tried, aim, last, 1.0) for d in index.dead_ends], limits.dead_ends, "dead end"
        ),
        notes=keep([_judged(n, n.text, aim, last, 1.0) for n in index.notes], limits.notes, "note"),
        commands=(*failures, *keep(others, limits.commands, "command")),
        files=keep(_judged_files(index.files, aim, include_files, limits.symbols), limits.files, "file"),
        todos=tuple(t for t in index.todos if t.state != "cancelled")[: limits.todos],
        plan=index.plan,
        background=index.background,
        subagents=tuple(a for a in index.subagents if a.state == "running"),
        questions=index.questions,
        in_flight=index.in_flight,
        claims=keep([replace(c, score=float(i)) for i, c in enumerate(index.claims)], limits.claims, "claim"),
        summaries=tuple(
            replace(s, text=ends(s.text, limits.summary_characters)) for s in index.summaries[-1:]
        ),
        recent=tuple(_recent(t, index) for t in index.turns[-limits.recent :]),
        repo=repo,
        next_steps=tuple(replace(s, score=float(-i)) for i, s in enumerate(steps[: limits.steps])),
        lineage=index.lineage,
        redactions=redactions or Redactions(),
        dropped=tuple(dropped),
    )


def _best(items: Sequence[_Fact], quota: int, name: str, dropped: list[Dropped]) -> tuple[_Fact, ...]:
    """The best of a class within its quota, in the order of the session."""
    if len(items) <= quota:
        return tuple(items)
    order = sorted(range(len(items)), key=lambda i: (-items[i].score, -i))
    kept = set(order[:quota])
    dropped += [Dropped(what=name, why="quota", evidence=items[i].evidence) for i in order[quota:]]
    return tuple(item for i, item in enumerate(items) if i in kept)


def _recency(item: Item, last: int) -> float:
    """0 for the first line of the session, 1 for the last; what was carried here counts as its beginning."""
    return item.evidence[-1].line / last if item.evidence and not item.origin else 0.0


def _judged(item: _Fact, text: str, aim: Goal, last: int, weight: float) -> _Fact:
    return replace(item, score=round(weight + 2 * aim.score(text) + _recency(item, last), 4))


def _judged_word(word: Word, aim: Goal, last: int) -> Word:
    kind = {"correction": 0.6, "rejection": 0.6, "answer": 0.3}.get(word.kind, 0.0)
    score = word.strength + kind + aim.score(word.text) + 0.5 * _recency(word, last)
    return replace(word, score=round(score - (2.5 if word.superseded_by else 0), 4))


def _judged_commands(commands: Sequence[CommandFact], aim: Goal) -> list[CommandFact]:
    """By recency, checks before other runs, the goal's own before all."""
    judged = []
    for age, command in enumerate(reversed(commands)):
        state = "resolved" if command.state == "open" and age > _STALE else command.state
        score = 3.0 / (1 + age / 12) + (1.0 if command.check else 0.0) + 1.5 * aim.score(command.command)
        judged.append(replace(command, state=state, score=round(score, 4)))
    return judged[::-1]


def _judged_files(
    files: Sequence[FileFact], aim: Goal, include: Sequence[str], symbols: int
) -> list[FileFact]:
    """By recency, edits before reads, the goal's own files and those asked for before all."""
    judged = []
    asked = frozenset(include)
    for age, file in enumerate(reversed(files)):
        weight = {"mentioned": 0.3, "read": 1.0, "reverted": 1.5}.get(file.action, 2.2)
        touches = min(file.edits + 0.3 * file.reads, 8) / 8
        score = (
            weight
            + 3.0 / (1 + age / 10)
            + touches
            + 0.8 * aim.score_path(file.path)
            + 10 * (file.path in asked)
        )
        judged.append(replace(file, symbols=_for_goal(file.symbols, aim)[:symbols], score=round(score, 4)))
    known = {f.path for f in files}
    judged += [
        FileFact(path=path, action="mentioned", why="asked for", score=10.0)
        for path in include
        if path not in known
    ]
    return list(reversed(judged))


def _for_goal(symbols: tuple[str, ...], aim: Goal) -> tuple[str, ...]:
    """The symbols in their order, those that the goal names in whole or in part first."""
    named = [s for s in symbols if s.lower() in aim.terms or len(aim.terms.intersection(parts(s))) > 1]
    return tuple(dict.fromkeys([*named[:3], *symbols]))


def _objective(index: Index, aim: Goal, limits: Quotas, dropped: list[Dropped]) -> Objective:
    prompts = index.prompts
    if not prompts:
        return Objective()
    first, current = prompts[0], prompts[-1] if len(prompts) > 1 else None
    between = [
        replace(
            _short(p, 400), score=round(aim.score(p.text) + i / len(prompts) + min(len(p.text), 200) / 200, 4)
        )
        for i, p in enumerate(prompts[1:-1])
        if len(flat(p.text)) > 12
    ]
    shifts = _best(between, limits.shifts, "prompt", dropped)
    return Objective(
        first=_short(first, _PROMPT_LIMIT),
        current=_short(current, _PROMPT_LIMIT) if current else None,
        shifts=shifts,
    )


def _short(quote: Quote, limit: int) -> Quote:
    return replace(quote, text=clipped(flat(quote.text), limit))


def _recent(turn: Turn, index: Index) -> RecentTurn:
    """One of the last turns: the prompt, the edits and runs it made, its last words."""
    here = range(turn.first_line, turn.last_line + 1)
    edited = [f.path for f in index.files if f.edits and f.evidence[0].line in here]
    ran = [
        f"`{clipped(c.key, 60)}` {'failed' if c.state == 'open' else 'ran'}"
        for c in index.commands
        if c.evidence[0].line in here and c.check
    ]
    return RecentTurn(
        number=turn.number,
        asked=clipped(flat(turn.prompt), 300),
        said=turn.closing,
        actions=(*(f"edited {p}" for p in edited[-8:]), *ran[-6:]),
        evidence=tuple(Evidence(line) for line in (turn.first_line, turn.closing_line) if line),
    )

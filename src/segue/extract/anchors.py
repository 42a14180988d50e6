"""Anchors: the turns that a handoff stands on, each with the reasons why.

Coverage first: the first prompt, the last turns, every turn with a rule of the person, a decision,
a dead end or an open failure. Then relevance: turns that speak of the goal or touched its files.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from segue.extract.text.prose import ends
from segue.extract.text.relevance import Goal
from segue.model.facts import Item
from segue.model.turn import Index, Turn
from segue.model.value import NamedTuple

_RECENT = 2
_SPEAKS = 2000
"""Characters of a prompt that tell what it is about; the middle of a longer one is mostly shown."""
_WEIGHTS = {
    "first prompt": 5.0,
    "recent": 4.0,
    "words of the person": 2.0,
    "open failure": 2.0,
    "decision": 1.5,
    "dead end": 1.5,
    "answer": 1.0,
    "rejection": 1.5,
    "plan": 1.0,
    "question": 0.5,
    "interruption": 0.5,
    "compaction": 0.5,
    "errors": 0.3,
}


class Anchor(NamedTuple):
    """A turn by its number, what it is worth, and why, the weightiest reason first."""

    turn: int
    score: float
    reasons: tuple[str, ...]


def anchors(index: Index, aim: Goal) -> tuple[Anchor, ...]:
    """Every turn that has a reason to be kept, in the order of the session."""
    reasons: dict[int, dict[str, float]] = {turn.number: {} for turn in index.turns}
    paths = {path for turn in index.turns for path in turn.paths}
    meant = {path for path in paths if aim.score_path(path) >= 2}
    for turn in index.turns:
        mine = reasons[turn.number]
        for signal in turn.signals:
            mine[signal] = _WEIGHTS.get(signal, 0.2)
        if turn.errors:
            mine[f"errors: {turn.errors}"] = _WEIGHTS["errors"]
        _relevant(turn, aim, meant, mine)
    for turn in index.turns[-_RECENT:]:
        reasons[turn.number]["recent"] = _WEIGHTS["recent"]
    first = next((t for t in index.turns if t.prompt), None)
    if first:
        reasons[first.number]["first prompt"] = _WEIGHTS["first prompt"]
    starts = [turn.first_line for turn in index.turns]
    for name, items in _evidenced(index):
        for item in items:
            for place in item.evidence if not item.origin else ():
                at = bisect_right(starts, place.line) - 1
                if at >= 0:
                    reasons[index.turns[at].number][name] = _WEIGHTS[name]
    return tuple(
        Anchor(number, round(sum(why.values()), 4), tuple(sorted(why, key=lambda r: (-why[r], r))))
        for number, why in reasons.items()
        if why
    )


def _evidenced(index: Index) -> Iterable[tuple[str, Iterable[Item]]]:
    return (
        ("words of the person", (w for w in index.words if w.strength > 1 and not w.superseded_by)),
        ("decision", index.decisions),
        ("dead end", index.dead_ends),
        ("open failure", (c for c in index.commands if c.state == "open")),
    )


def _relevant(turn: Turn, aim: Goal, meant: set[str], mine: dict[str, float]) -> None:
    """What ties a turn to the goal: words in common, files it names."""
    prompt = ends(turn.prompt, _SPEAKS)
    score = aim.score(f"{prompt}\n{turn.opening}")
    if score > 0.3:
        mine[f"goal: {', '.join(aim.common(prompt)[:4]) or 'what the agent said'}"] = 2 * score
    touched = [path for path in turn.paths if path in meant]
    if touched:
        mine[f"goal files: {', '.join(touched[:3])}"] = 1.0

"""Judging: what each fact is worth for the goal, as a number among its own kind.

The numbers only order facts of one class; which class gives way to which is the packet's affair.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from segue.extract.commands.mended import KEEPS_WORK_BACK
from segue.extract.commands.purpose import changes
from segue.extract.commands.verdict import missing_tool
from segue.extract.text.relevance import Goal
from segue.extract.text.symbols import parts
from segue.model.facts import CommandFact, FileFact, Item, Word

_Fact = TypeVar("_Fact", bound=Item)
_STALE = 100
"""Distinct commands after which a failure nobody came back to counts as abandoned, unless something was to be
changed, judged or handed in by it: what a check found stays until one finds otherwise."""
_LESSON = 3.0
"""What it is worth to know that a tool is not there under that name: every successor would try it again."""
_LATE = 3.0
"""What it is worth that a choice is of the last turns: later ones may have replaced earlier ones unsaid."""
_KINDS = {"correction": 0.6, "rejection": 0.6, "answer": 0.3, "stated": -0.3, "pasted": -0.4}
_ACTIONS = {"mentioned": 0.3, "read": 1.0, "reverted": 1.5}
_OUTSIDE = ("/", "~")


def remark(item: _Fact, text: str, aim: Goal, last: int) -> _Fact:
    """A decision, dead end or note: how plainly it was said, how near the goal, how lately."""
    return replace(item, score=round(item.score + 2 * aim.score(text) + _recency(item, last), 4))


def choice(item: _Fact, text: str, aim: Goal, last: int, fresh: int) -> _Fact:
    """The same of a decision or of what was said on the way; those of the last turns, from the line `fresh` on, come
    first."""
    judged = remark(item, text, aim, last)
    late = not item.origin and bool(item.evidence) and item.evidence[0].line >= fresh
    return replace(judged, score=round(judged.score + (_LATE if late else 0.0), 4))


def word(item: Word, aim: Goal, last: int) -> Word:
    score = item.strength + _KINDS.get(item.kind, 0.0) + aim.score(item.text) + 0.5 * _recency(item, last)
    return replace(item, score=round(score - (2.5 if item.superseded_by else 0), 4))


def commands(items: Sequence[CommandFact], aim: Goal, edited: int = 0) -> list[CommandFact]:
    """By recency, checks before other runs, the goal's own and what the machine lacks before all. `edited` is the
    line of the last edit that a check can judge."""
    judged = []
    for age, item in enumerate(reversed(items)):
        stale = age > _STALE and item.state == "open" and not item.check and not _lasts(item.key.split())
        state = "resolved" if stale else item.state
        score = 3.0 / (1 + age / 12) + (1.0 if item.check else 0.0) + 1.5 * aim.score(item.command)
        if item.last_bad and missing_tool(item.last_bad.error_lines):
            score += _LESSON
        since = edited if state == "open" and item.last_bad and not item.origin else 0
        since = since if item.last_bad and since > item.last_bad.evidence.line else 0
        judged.append(replace(item, state=state, score=round(score, 4), edited_since=since))
    return judged[::-1]


def _lasts(words: list[str]) -> bool:
    """What was not done by it is not done, whatever else went well."""
    return bool(words) and (words[0] in KEEPS_WORK_BACK or changes(tuple(words)))


def files(items: Sequence[FileFact], aim: Goal, include: Sequence[str], symbols: int) -> list[FileFact]:
    """By recency, edits before reads, the project's own before others, the goal's and those asked for before all."""
    judged = []
    for age, item in enumerate(reversed(items)):
        touches = min(item.edits + 0.3 * item.reads, 8) / 8
        score = (
            _ACTIONS.get(item.action, 2.2) + 3.0 / (1 + age / 10) + touches + 0.8 * aim.score_path(item.path)
        )
        score = score * (0.5 if item.path.startswith(_OUTSIDE) else 1.0) + 10 * (item.path in include)
        judged.append(
            replace(
                item,
                symbols=_for_goal(item.symbols, aim)[:symbols],
                score=round(score, 4),
                wanted=item.path in include,
            )
        )
    known = {item.path for item in items}
    judged += [
        FileFact(path=path, action="mentioned", why="asked for", score=10.0, wanted=True)
        for path in include
        if path not in known
    ]
    return judged[::-1]


def _for_goal(symbols: tuple[str, ...], aim: Goal) -> tuple[str, ...]:
    """The symbols in their order, those that the goal names in whole or in part first."""
    named = [s for s in symbols if s.lower() in aim.terms or len(aim.terms.intersection(parts(s))) > 1]
    return tuple(dict.fromkeys([*named[:3], *symbols]))


def _recency(item: Item, last: int) -> float:
    """0 for the first line of the session, 1 for the last; what was carried here counts as its beginning."""
    return item.evidence[-1].line / max(last, 1) if item.evidence and not item.origin else 0.0

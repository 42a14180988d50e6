"""What the agent reported: its last message of each turn, and what it said on its way.

Decisions, results and dead ends stand at the end of turns, in any language. Every message that is remembered is kept
as its sentences; which of them are told is chosen once for a goal, all reports together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from segue.extract import rank
from segue.extract.text.prose import ends, start
from segue.extract.text.relevance import Goal
from segue.extract.text.sentence import parsed, sentences
from segue.model.facts import Evidence, Remark, Report, Role

_CLOSING, _MIDWAY = 4000, 1200
"""Characters of a message that are remembered."""
_REPORTS, _ON_THE_WAY = 400, 160
_FIRST = 20
"""Of how many of the first turns the report is never forgotten."""
_NEWEST = 3200
_STATEMENT = 300
"""Characters from which on what was said on the way is more than a step announced: a finding, a plan."""
_SUBSTANTIAL, _LATE = 80, 3
"""Characters from which on a message is a report, and among how many of the last turns the newest is sought."""
_LEAST = 1.15
"""What a sentence must weigh to be told at all: a budget is a ceiling."""
_COVERED: tuple[Role, ...] = ("failed", "cause", "decision")


class _Message(msgspec.Struct):
    turn: int
    text: str
    at: Evidence


class Reports:
    def __init__(self) -> None:
        self._closings: dict[int, _Message] = {}
        self._midway: list[_Message] = []
        self._forgotten = 0

    def add(self, text: str, at: Evidence, turn: int) -> None:
        """The agent speaks; until the turn goes on nobody knows whether this was the end of it."""
        before = self._closings.pop(turn, None)
        if before:
            before.text = start(before.text, _MIDWAY)
            self._midway.append(before)
            if len(self._midway) > 2 * _ON_THE_WAY:
                self._forgotten += _ON_THE_WAY
                del self._midway[:_ON_THE_WAY]
        self._closings[turn] = _Message(turn, ends(text, _CLOSING), at)
        if len(self._closings) > _REPORTS:
            oldest = sorted(self._closings)[_FIRST]
            del self._closings[oldest]
            self._forgotten += 1

    def forgotten(self) -> tuple[str, ...]:
        return (f"{self._forgotten} earlier messages of the agent",) if self._forgotten else ()

    def last(self) -> tuple[str, int]:
        """The agent's last words and their line."""
        if not self._closings:
            return "", 0
        newest = self._closings[max(self._closings)]
        return newest.text, newest.at.line

    def _newest(self) -> set[int]:
        """The turns whose last message is told whole: the last one and, where that is of a few words, thanks or the next
        step of a turn that broke off, the one shortly before it that is longer."""
        turns = sorted(self._closings)[-_LATE:]
        told = [turn for turn in turns if len(self._closings[turn].text) >= _SUBSTANTIAL]
        return {*turns[-1:], *told[-1:]}

    def close(self, clean: Callable[[str], str]) -> list[Report]:
        """All remembered messages in their order, each as its sentences."""
        newest = self._newest()
        seen: set[str] = set()
        found = []
        told = [(message, False) for message in self._closings.values()]
        told += [(message, True) for message in self._midway[-_ON_THE_WAY:]]
        for message, midway in sorted(told, key=lambda one: one[0].at.line):
            text = clean(message.text)
            remarks = []
            for sentence in sentences(text):
                if sentence.text not in seen:
                    seen.add(sentence.text)
                    remarks.append(
                        Remark(sentence.text, next((r for r in sentence.roles if r != "rule"), ""))
                    )
            last = not midway and message.turn in newest
            if remarks or last:
                found.append(
                    Report(
                        turn=message.turn,
                        remarks=tuple(remarks),
                        text=ends(text, _NEWEST) if last else "",
                        midway=midway,
                        evidence=(message.at,),
                    )
                )
        return found


def select(reports: Sequence[Report], goal: Goal, room: int, turns: int) -> list[Report]:
    """The reports with the sentences worth telling within `room` characters; the newest one is told whole and is not
    among what competes."""
    old = [report for report in reports if not report.text]
    candidates, owner = [], []
    for place, report in enumerate(old):
        age = report.turn / turns if turns and not report.origin else 0.0
        narrates = report.midway and sum(len(remark.text) for remark in report.remarks) < _STATEMENT
        for number, remark in enumerate(report.remarks):
            sentence = parsed(remark.text)
            if sentence.text.endswith(":") or (narrates and not set(_COVERED).intersection(sentence.roles)):
                continue
            lead = not number and not report.midway
            candidates.append(rank.Candidate(sentence, report.evidence[0].line, age, narrates, lead))
            owner.append((place, number))
    weights = rank.weighed(candidates, goal)
    keep: dict[int, list[int]] = {}
    score: dict[int, float] = {}
    for n in rank.chosen(candidates, weights, room, _LEAST, _COVERED):
        place, number = owner[n]
        keep.setdefault(place, []).append(number)
        score[place] = max(score.get(place, 0.0), weights[n])
    found = [
        msgspec.structs.replace(
            old[place], remarks=tuple(old[place].remarks[n] for n in numbers), score=round(score[place], 4)
        )
        for place, numbers in sorted(keep.items())
    ]
    return [*found, *(report for report in reports if report.text)]

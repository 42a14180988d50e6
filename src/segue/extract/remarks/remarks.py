"""The agent's remarks: decisions and why, dead ends, findings, warnings, what it said was left.

Prose proves nothing, so none of this becomes more than `reported`; but why something was chosen
and what did not work is written nowhere else. A cheap scan for a few word stems decides which
texts are looked at; each turn has a quota per kind, the plainest and latest sentences coming first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

from segue.extract.remarks import dead_ends, decided, taken
from segue.extract.remarks.choices import chooses
from segue.extract.remarks.wording import ROWS, Kind, Row, pattern_of, stems_of
from segue.extract.text.prose import FENCE, clipped, flat, line_sentences, plainly, typed
from segue.model.facts import DeadEnd, Decision, Evidence, NextStep, Note, NoteKind
from segue.model.patterns import compiled
from segue.model.value import NamedTuple


class Remark(NamedTuple):
    kind: Kind
    text: str
    line: int
    id: str
    turn: int
    weight: int
    """How plainly the sentence says it."""


_BOLD = compiled(r"\*\*|__(?=\w)|(?<=\w)__")
_PER_TURN, _DEAD_ENDS, _LONG = 3, 8, 150
"""Remarks of a kind that a turn may have, dead ends that it may have, and in how many lines it may have one more."""
_LONGEST, _DECISION = 420, 320
_SHORTEST, _SHORTEST_CHOICE = 30, 16
_MOST, _AT_ONCE = 6000, 64
"""Remarks that are kept, and lines that wait to be judged together: a long session is judged while it is read."""
_TEXT_LIMIT = 6000
_LEAST_CHOICE = 40
"""Characters of a choice that stands without what follows it."""
_THEN = ("then", "next", "next,", "then,", "afterwards")
_WEAK = compiled(
    r"(?:(?:ok(?:ay)?|now|good|great)[,.!]? )?(?:let me|i'?ll (?:check|look|see|try|start|read|run)|i'?m (?!going to|using|keeping|sticking|storing|treating|standardizing|switching|defining|choosing|sticking)\w+ing|checking|looking|would you|do you|should i|want me|happy to)\b",
)
_CONDITIONAL = compiled(
    r"(?:(?:i'?ll|i’ll) keep \w+ing|if|in (?:that|this|which) case|unless|when|once|whether|ok(?:ay)?,? now i can)\b"
    r"|(?:succeeds|fails|passes|works|crashes)\b.{0,80}?(?:→|->|=>)|(?:option )?\(?[a-e1-9][.):] (?!\s)"
)
_DOUBTFUL = compiled(r"\b(?:might|maybe|perhaps|i bet|could be|likely|probably|would be)\b")
_WHY = compiled(
    r"\b(?:because|since|so that|so (?:we|it|the|that)|to avoid|in order to|as it|which (?:lets|keeps|avoids|means)|weil|damit|parce que|porque|потому что)\b|因为|ので|왜냐하면",
    re.I,
)
_REJECTED = compiled(
    r"\b(?:instead of|rather than|over|as opposed to|statt|anstatt|plutôt que|en vez de|en lugar de|вместо)\s+([^.;,()]{3,90})",
    re.I,
)


class _Candidate(NamedTuple):
    """A line of the agent's that holds a stem of these rows."""

    text: str
    rows: list[int]
    line: int
    id: str
    turn: int


class Listener:
    """Collects the agent's remarks, bounded: lines that may be some while a session is read, their sentences judged
    when it ends, or when many lines wait."""

    REMEMBERS: ClassVar = {"_remarks": list[Remark]}

    def __init__(self) -> None:
        from ahocorasick_rs import AhoCorasick  # 1 ms

        stems = [(stem, number) for number, row in enumerate(ROWS) for stem in row.stems.split("|")]
        self._row_of_stem = [number for _, number in stems]
        self._scan: Any = AhoCorasick([stem for stem, _ in stems])
        self._unjudged: list[_Candidate] = []
        self._remarks: list[Remark] = []

    def hear(self, text: str, line: int, native_id: str, turn: int) -> None:
        for written, rows in self._candidates(text[:_TEXT_LIMIT].replace("’", "'")):
            self._unjudged.append(_Candidate(written, rows, line, native_id, turn))
        if len(self._unjudged) > _AT_ONCE:
            self.judge()

    def judge(self) -> None:
        """Does what was put off: only remarks are remembered."""
        for candidate in self._unjudged:
            before = reason = ""
            spoken = line_sentences(candidate.text)
            for place, sentence in enumerate(spoken, start=1):
                after = spoken[place] if place < len(spoken) else ""
                row, told = _matched(sentence, before, after, candidate.rows, alone=len(spoken) == 1)
                if row and sentence != reason:
                    if row.kind == "decision" and after:
                        reason = decided.told_with(sentence, after)
                        told = f"{told} {reason}".rstrip()
                    self._remark(row, told, candidate, alone=told == sentence)
                before = sentence
        self._unjudged.clear()
        if len(self._remarks) > _MOST:
            del self._remarks[_MOST // 8 : _MOST // 2]

    def _remark(self, row: Row, told: str, of: _Candidate, *, alone: bool) -> None:
        last = self._remarks[-1] if self._remarks and not alone else None
        if last and (last.kind, last.line) == (row.kind, of.line) and last.text in told:
            del self._remarks[-1]
        self._remarks.append(Remark(row.kind, told[:_LONGEST], of.line, of.id, of.turn, row.weight))

    def _candidates(self, text: str) -> list[tuple[str, list[int]]]:
        """The lines that hold a stem, outside of fences, each with the numbers of its rows."""
        hits = self._scan.find_matches_as_indexes(text.lower(), overlapping=True)
        if not hits:
            return []
        fences = [m.span() for m in FENCE.finditer(text)] if "```" in text or "~~~" in text else []
        found: dict[int, set[int]] = {}
        for stem, at, _ in hits:
            begin = text.rfind("\n", 0, at) + 1
            if not any(start <= begin < end for start, end in fences):
                found.setdefault(begin, set()).add(self._row_of_stem[stem])
        return [(text[begin:].split("\n", 1)[0], sorted(rows)) for begin, rows in sorted(found.items())]

    def close(self, clean: Callable[[str], str]) -> list[Remark]:
        """The remarks in order: each sentence once, at its last place, within the quota of its turn and kind."""
        self.judge()
        last = {flat(r.text).lower(): (place, r) for place, r in enumerate(self._remarks)}
        by_turn: dict[tuple[int, Kind], list[tuple[int, Remark]]] = {}
        for place, remark in last.values():
            by_turn.setdefault((remark.turn, remark.kind), []).append((place, remark))
        plainest = (
            sorted(group, key=lambda pr: (-pr[1].weight, -pr[0]))[: _quota(group)]
            for group in by_turn.values()
        )
        kept = sorted((pr for group in plainest for pr in group), key=lambda pr: pr[0])
        return [remark._replace(text=clean(flat(_unmarked(remark.text)))) for _, remark in kept]


def _unmarked(text: str) -> str:
    return _BOLD.sub("", text) if "**" in text or "__" in text else text


def _quota(group: list[tuple[int, Remark]]) -> int:
    """How many remarks of a kind a turn may have."""
    (_, first), (_, last) = group[0], group[-1]
    return (_DEAD_ENDS if first.kind == "dead_end" else _PER_TURN) + (last.line - first.line) // _LONG


def _matched(
    sentence: str, before: str, after: str, rows: list[int], *, alone: bool
) -> tuple[Row | None, str]:
    """The first of these rows whose pattern the sentence matches, with the weight that its wording leaves, and
    the remark: the sentence, or it and the one before. What is `alone` in its line holds the stems of its rows."""
    if sentence.endswith(("?", ":", "**", "; or", ", or", "; and", ", and")):
        return None, ""
    lower = plainly(_unmarked(sentence))
    if _CONDITIONAL.match(lower):
        return None, ""
    for n in rows:
        row = ROWS[n]
        if row.pattern is decided.SETTLED and not (decided.may_be(lower) and decided.by_the_speaker(lower)):
            continue
        if row.pattern is decided.LABELLED and not decided.is_labelled(lower):
            continue
        if not alone and not any(stem in lower for stem in stems_of(n)):
            continue
        found = pattern_of(n).search(lower)
        if found is None or (row.pattern is taken.MOVES and not taken.weighs(plainly(after))):
            continue
        if row.kind == "dead_end" and _is_preferred_to(found, rows):
            continue
        if row.kind in ("finding", "risk") and _is_ahead(lower):
            continue
        told = sentence
        if row.kind == "dead_end":
            told = dead_ends.told(
                found, sentence, before, plainly=row.pattern not in dead_ends.NEEDS_AN_ATTEMPT
            )
        plain_choice = row.kind == "decision" and row.weight > 2
        if len(told) < (_SHORTEST_CHOICE if plain_choice else _SHORTEST) and told.isascii():
            continue
        if row.kind == "decision":
            if row.pattern is not decided.LABELLED and (
                decided.narrates(lower) or not (decided.by_the_speaker(lower) or chooses(lower))
            ):
                return None, ""
            if decided.points_elsewhere(lower):
                if not dead_ends.can_be_meant(before):
                    return None, ""
                told = f"{before} {sentence}"
            elif decided.follows(lower) and dead_ends.can_be_meant(before):
                told = f"{before} {sentence}" if len(before) + len(sentence) < _DECISION else sentence
        narrated = row.pattern not in dead_ends.NEEDS_AN_ATTEMPT and _WEAK.match(lower)
        weight = row.weight - (0 if not narrated else 2 if row.kind == "finding" else 1)
        if row.kind in ("decision", "finding"):
            said = decided.reason_at(lower, found.end()) if row.kind == "decision" else len(lower)
            if row.pattern is not taken.ASIDE:
                weight -= 2 * bool(_DOUBTFUL.search(lower, 0, said))
        return (row._replace(weight=weight), told) if weight > 1 else (None, "")
    return None, ""


def _is_preferred_to(given_up: re.Match[str], rows: list[int]) -> bool:
    """What a sentence gives up is only named behind what it chooses: `I took the queue; polling is out`."""
    lower, end = given_up.string, given_up.start()
    subject = re.split(r"[;:,] (?:but |and |yet |so )?| but | and ", lower[:end])[-1]
    if len(subject) == end or dead_ends.points_back(subject) or not subject.strip():
        return False
    chosen = lower[: end - len(subject)]
    return any(
        ROWS[n].kind == "decision" and ROWS[n].weight > 2 and pattern_of(n).search(chosen) for n in rows
    )


def _is_ahead(lower: str) -> bool:
    """It tells what the speaker does next, which nobody knows yet."""
    first, second = [*lower.split(None, 2)[:2], "", ""][:2]
    return first in _THEN and second.replace("'", " ").split(" ")[0] in ("i", "we")


def _without_plan(text: str) -> str:
    """A choice without what was to be done after it: that binds nobody once it is done."""
    head, then, _ = text.partition(", then ")
    return f"{head}." if then and len(head) > _LEAST_CHOICE and not _WHY.search(text, len(head)) else text


def decision(remark: Remark) -> Decision:
    return Decision(
        text=clipped(_without_plan(remark.text), _DECISION),
        why=_reason(remark.text),
        rejected=tuple(clipped(m.strip(), 80) for m in _REJECTED.findall(typed(remark.text))[:3]),
        evidence=_at(remark),
        score=float(remark.weight + bool(_WHY.search(remark.text))),
    )


def dead_end(remark: Remark) -> DeadEnd:
    return DeadEnd(
        tried=clipped(remark.text, 300),
        why=_reason(remark.text),
        evidence=_at(remark),
        score=float(remark.weight),
    )


def note(remark: Remark, kind: NoteKind) -> Note:
    return Note(text=clipped(remark.text, 300), kind=kind, evidence=_at(remark), score=float(remark.weight))


def announced(remark: Remark) -> NextStep:
    return NextStep(text=clipped(remark.text, 240), basis="said", evidence=_at(remark))


def _reason(text: str) -> str:
    why = _WHY.search(text)
    return clipped(text[why.start() :], 200) if why else ""


def _at(remark: Remark) -> tuple[Evidence, ...]:
    return (Evidence(remark.line, remark.id),)

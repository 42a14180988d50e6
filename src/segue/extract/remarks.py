"""The agent's remarks: decisions and why, dead ends, findings, warnings, what it said was left.

Prose proves nothing, so none of this becomes more than `reported`; but why something was chosen
and what did not work is written nowhere else. A cheap scan for a few word stems decides which
texts are looked at; each turn has a quota per kind, its last words coming first.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from segue.extract.prose import clipped, flat, sentences
from segue.model.facts import DeadEnd, Decision, Evidence, NextStep, Note, NoteKind

Kind = Literal["decision", "dead_end", "finding", "risk", "blocked", "next"]


class Remark(NamedTuple):
    kind: Kind
    text: str
    line: int
    id: str
    turn: int
    weight: int
    """How plainly the sentence says it."""


class _Row(NamedTuple):
    kind: Kind
    weight: int
    pattern: re.Pattern[str]


def _row(kind: Kind, weight: int, pattern: str) -> _Row:
    return _Row(kind, weight, re.compile(rf"(?<![\w-])(?:{pattern})", re.I))


_ROWS = (
    _row("dead_end", 3, r"dead.end|(?:did|does|do|will|would|is|are)(?:n'?t| not) (?:work|viable|help|possible here)|won'?t work|no luck|red herring"),
    _row("dead_end", 3, r"(?:gave|giving) up on|abandon(?:ed|ing)|backed? out|rolled back|reverted (?:the|that|this|my|it)|hat nicht funktioniert|no funcionó|n'a pas (?:marché|fonctionné)|不行|行不通|没有用|うまくいか|не (?:работает|сработало|помогло)"),
    _row("dead_end", 2, r"(?:I|we) tried\b.{0,120}\b(?:but|however|fail|error)|tried .{0,80} but|revert(?:ing)? (?:the|that|this|my)|failed because|(?:approach|attempt) (?:fails|failed|was wrong)|false (?:lead|start)|do(?:n'?t| not) (?:retry|redo|try)"),
    _row("decision", 3, r"decided|decision|opted (?:for|to)|chose\b|chosen|settled on|we(?:'re| are) going with|(?:I'?m |I'?ll |we'?ll )?go(?:ing)? with|went with|entschieden|entscheidung|décidé|choisi|decidí|decidido|elegí|решил\w*|выбрал\w*|决定|选择了|採用|決め|결정|선택했"),
    _row("decision", 2, r"instead of|rather than|in favou?r of|trade-?off|the (?:cleanest|simplest|safest|right) (?:fix|approach|way|option|design) is|I(?:'ll| will) (?:keep|use|make|treat)\b.{0,120}\b(?:because|since|so that)|anstatt|plutôt que|en lugar de|вместо|而不是|代わりに|대신"),
    _row("finding", 3, r"root cause|turns out|turned out|the (?:real|actual|underlying) (?:problem|issue|cause|bug|reason)|caused by|the (?:bug|culprit|cause) (?:is|was)|ursache|cause racine|causa raíz|причина|根本原因|原因(?:是|は)|원인"),
    _row("finding", 2, r"the (?:problem|issue|failure|reason) (?:is|was) |(?:this|that|it) (?:fails|failed|breaks|happens|happened) because|confirmed (?:that|the)"),
    _row("blocked", 3, r"blocked (?:on|by)|waiting (?:for|on) (?:you|your|the user|approval|review)|can(?:no|')t proceed|need(?:s)? your (?:input|approval|decision|confirmation)|requires? (?:your|manual) "),
    _row("risk", 2, r"caveat|gotcha|beware|be careful|known (?:issue|limitation)|workaround|flaky|not (?:yet )?(?:tested|verified|covered)|untested|could not (?:verify|test|run)|(?:did|have)(?:n'?t| not) (?:run|tested|verified)|breaking change|achtung|attention :|注意|주의"),
    _row("next", 3, r"next steps?\b|remaining (?:work|steps?|items?|tasks?)|still (?:need|needs|left|missing|open|to do)|left to do|not yet (?:done|implemented|wired|ported|handled)|(?:still )?todo:|to-do|follow-?ups?\b|nächste schritte|prochaines? étapes?|próximos? pasos?|следующ\w+ шаг|下一步|次は|다음 단계"),
)  # fmt: skip
_STEMS = [
    "dead end",
    "dead-end",
    " work",
    "viable",
    "help",
    "n't ",
    "luck",
    "herring",
    "gave up",
    "giving up",
    "abandon",
    "back",
    "revert",
    "tried",
    "failed because",
    "approach",
    "attempt",
    "false lead",
    "retry",
    "redo",
    "decid",
    "decision",
    "opted",
    "chose",
    "settled",
    "go with",
    "going with",
    "went with",
    "instead of",
    "rather than",
    "favor of",
    "favour of",
    "trade-off",
    "tradeoff",
    "cleanest",
    "simplest",
    "safest",
    "because",
    "since",
    "so that",
    "root cause",
    "turns out",
    "turned out",
    "the real",
    "the actual",
    "underlying",
    "caused",
    "culprit",
    "the bug",
    "the cause",
    "problem",
    "issue",
    "reason",
    "confirmed",
    "blocked",
    "waiting",
    "proceed",
    "your ",
    "manual",
    "caveat",
    "gotcha",
    "beware",
    "careful",
    "known",
    "workaround",
    "flaky",
    "tested",
    "verif",
    "covered",
    "breaking",
    "next step",
    "remaining",
    "still",
    "left to",
    "not yet",
    "todo",
    "to-do",
    "follow",
    "entsch",
    "anstatt",
    "ursache",
    "achtung",
    "nächste",
    "funktioniert",
    "décidé",
    "choisi",
    "plutôt",
    "racine",
    "prochaine",
    "decid",
    "elegí",
    "en lugar",
    "causa",
    "próximo",
    "funcion",
    "реш",
    "выбра",
    "вместо",
    "причин",
    "следующ",
    "работает",
    "помогло",
    "сработало",
    "决定",
    "选择",
    "而不是",
    "原因",
    "下一步",
    "行",
    "没有用",
    "注意",
    "採用",
    "決め",
    "代わり",
    "次は",
    "うまく",
    "결정",
    "선택",
    "대신",
    "원인",
    "다음",
    "주의",
]
_PER_TURN = 3
_LONGEST = 420
_MOST = 6000
_WEAK = re.compile(
    r"(?:let me|now let me|i'?ll (?:check|look|see|try|start|read|run)|checking|looking|if you|would you|do you|should i|want me|happy to)\b",
    re.I,
)
_WHY = re.compile(
    r"\b(?:because|since|so that|so (?:we|it|the|that)|to avoid|in order to|as it|which (?:lets|keeps|avoids|means)|weil|damit|parce que|porque|потому что|因为|ので|왜냐하면)\b",
    re.I,
)
_REJECTED = re.compile(
    r"\b(?:instead of|rather than|over|as opposed to|statt|anstatt|plutôt que|en vez de|en lugar de|вместо)\s+([^.;,()—]{3,90})",
    re.I,
)


class Listener:
    """Collects the agent's remarks, sentence by sentence, bounded."""

    def __init__(self) -> None:
        from ahocorasick_rs import AhoCorasick  # 1 ms

        self._scan: Any = AhoCorasick(_STEMS)
        self._remarks: list[Remark] = []
        self._turn = -1
        self._seen: dict[Kind, int] = {}

    def hear(self, text: str, line: int, native_id: str, turn: int) -> None:
        if not self._scan.find_matches_as_indexes(text.lower()):
            return
        if turn != self._turn:
            self._turn, self._seen = turn, {}
        for sentence in sentences(text[:6000]):
            if len(sentence) > 20 and not sentence.endswith("?"):
                row = _row_of(sentence)
                if row:
                    self._remarks.append(
                        Remark(row.kind, sentence[:_LONGEST], line, native_id, turn, row.weight)
                    )
        if len(self._remarks) > _MOST:
            del self._remarks[_MOST // 8 : _MOST // 2]

    def close(self, clean: Callable[[str], str]) -> list[Remark]:
        """The remarks in order: each sentence once, at its last place, the plainest and latest of each turn and kind."""
        last = {flat(r.text).lower(): r for r in self._remarks}
        by_turn: dict[tuple[int, Kind], list[Remark]] = {}
        for remark in last.values():
            by_turn.setdefault((remark.turn, remark.kind), []).append(remark)
        kept = [
            remark
            for group in by_turn.values()
            for remark in sorted(group, key=lambda r: (-r.weight, -r.line))[:_PER_TURN]
        ]
        return [r._replace(text=clean(flat(r.text))) for r in sorted(kept, key=lambda r: (r.line, r.text))]


def _row_of(sentence: str) -> _Row | None:
    row = next((r for r in _ROWS if r.pattern.search(sentence)), None)
    if row and _WEAK.match(sentence):
        return row._replace(weight=row.weight - 1) if row.weight > 2 else None
    return row


def decision(remark: Remark) -> Decision:
    why = _WHY.search(remark.text)
    return Decision(
        text=clipped(remark.text, 320),
        why=clipped(remark.text[why.start() :], 200) if why else "",
        rejected=tuple(clipped(m.strip(), 80) for m in _REJECTED.findall(remark.text)[:3]),
        evidence=(Evidence(remark.line, remark.id),),
    )


def dead_end(remark: Remark) -> DeadEnd:
    why = _WHY.search(remark.text)
    return DeadEnd(
        tried=clipped(remark.text, 300),
        why=clipped(remark.text[why.start() :], 200) if why else "",
        evidence=(Evidence(remark.line, remark.id),),
    )


def note(remark: Remark, kind: NoteKind) -> Note:
    return Note(text=clipped(remark.text, 300), kind=kind, evidence=(Evidence(remark.line, remark.id),))


def announced(remark: Remark) -> NextStep:
    return NextStep(
        text=clipped(remark.text, 240), basis="said", evidence=(Evidence(remark.line, remark.id),)
    )

"""What an earlier handoff kept, read back from its packet.

A session that began with one of our packets has it as its first prompt, or a hook put it there. The
lists in it are facts of this session too, each still pointing at the session in which it was first
seen, so that a constraint survives any number of hops. What of it still stands is decided in
`inherited`.
"""

from __future__ import annotations

import re
from typing import get_args

from segue.extract.carried_by_hand import added
from segue.extract.carried_claims import claims_of
from segue.extract.carried_files import files_of
from segue.extract.carried_places import PLACES, origin_of, seen_at
from segue.extract.carried_runs import worked_of
from segue.extract.carried_steps import questions_of, steps_of
from segue.model.facts import (
    Claim,
    CommandFact,
    DeadEnd,
    Decision,
    Evidence,
    FailedRun,
    FileFact,
    Lineage,
    NextStep,
    Note,
    Plan,
    PlanOutcome,
    Quote,
    TodoFact,
    TodoState,
    Word,
    WordKind,
)
from segue.model.packet import (
    ALL_FITS,
    ASKED,
    DEAD_ENDS,
    DECIDED,
    FAILED_BEFORE,
    FAILED_LAST,
    FAILING,
    MODIFIED_FILES,
    NOTED,
    OPENING,
    PLAN,
    READ_FILES,
    STATE,
    STEPS,
    TODOS,
    WORDS,
    WORKED,
)
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_HEAD = compiled(re.escape(OPENING) + r" ([\w-]+) session ([\w.:-]*)")
_LABEL = compiled(r"\*\*(.+?)\*\*(?: \([^()]*\))?:?\s*$")
_LABELS = (
    *(ASKED, WORDS, DECIDED, DEAD_ENDS, NOTED, STATE, FAILING, FAILED_LAST, FAILED_BEFORE, WORKED),
    *(STEPS, TODOS, PLAN),
)
_FAILURES = (FAILED_BEFORE, FAILED_LAST, FAILING)
_REPLACED = compiled(r'(part of )?"(.*?)" \[#(\d+)(?: #\d+)*(?: of ([\w.:-]+))?\]')
_ITEM = compiled(
    r'- (?:(?P<mark>\w+): )?(?P<text>".*?"(?= \[#|$)|.*?)'
    + PLACES
    + r"(?: \((?P<replaced>(?:may )?replaces? .*)\))?$"
)
_ANSWER = " (to the agent's "
_POINTER = compiled(r"\[#[\d #]+(?: of [\w.:-]+)?\]\)?")
_POINTED_ANSWER = compiled(_POINTER.pattern + r"(?= \(to the agent's )")
"""Session text has no pointers, so what follows one is ours, whatever the text says."""
_ANSWERED = compiled(r'"(.*)" \[#(\d{1,9})(?: of ([\w.:-]+))?\]\)')
_FAILURE = compiled(r"- `(?P<text>.+)`(?: exit (?P<exit>-?\d{1,9}))?" + PLACES + "$")
_COMPLAINT = "  > "
_TODO = compiled(r"- \[(?P<mark>[ ~])\] (?P<text>.*?)" + PLACES + "$")
_PLAN = compiled(r"- (?P<outcome>\w+)(?:, \d+ files? edited since)?" + PLACES + "$")
_PLANNED = "> "
_GOAL = compiled(r"^\*\*Goal\*\*(?: \([^()]*\))?: (?P<text>.*?)" + PLACES + "$", re.M)
_LONGEST = 14_000
"""Characters of a line; no packet of ours has a longer one in its lists."""
_STRENGTHS = {"must": 3, "firm": 2, "allowed": 1, "stated": 1, "pasted": 1}
_TAIL = compiled(
    rf"\n(?:</(?:{READ_FILES}|{MODIFIED_FILES})>|Redacted|Left out|{ALL_FITS}|Nothing was left out)[^\n]*"
)


class Carried(NamedTuple):
    """The facts of one packet. `asked` begins with the first request of all; the last is what the packet
    was made for."""

    asked: tuple[Quote, ...]
    words: tuple[Word, ...]
    decisions: tuple[Decision, ...]
    dead_ends: tuple[DeadEnd, ...]
    notes: tuple[Note, ...]
    claims: tuple[Claim, ...]
    failing: tuple[CommandFact, ...]
    worked: tuple[CommandFact, ...]
    files: tuple[FileFact, ...]
    todos: tuple[TodoFact, ...]
    steps: tuple[NextStep, ...]
    questions: tuple[Quote, ...]
    plan: Plan | None
    lineage: Lineage

    @property
    def origins(self) -> set[str]:
        """The sessions that something in the packet comes from."""
        said = (self.asked, self.words, self.decisions, self.todos, self.steps, self.questions)
        lists = (*said, self.claims, self.failing, self.worked, self.files)
        planned = {self.plan.origin} if self.plan else set()
        return planned | {item.origin for items in lists for item in items}


def apart(prompt: str) -> tuple[str, str]:
    """The packet inside a prompt, empty where there is none, and what else the prompt says."""
    begin = prompt.find(OPENING)
    if begin < 0 or not _HEAD.match(prompt, begin) or "\n## Context\n" not in prompt:
        return "", prompt
    end = max((m.end() for m in _TAIL.finditer(prompt, begin)), default=len(prompt))
    return prompt[begin:end], (prompt[:begin] + prompt[end:]).strip()


def source_of(packet: str) -> str:
    """The session that a packet was drawn from."""
    head = _HEAD.match(packet)
    return head[2] if head else ""


def carried(packet: str, place: Evidence) -> Carried:
    """The facts of a packet that stands at `place` of this session."""
    head = _HEAD.match(packet)
    agent, session = (head[1], head[2]) if head else ("", "")
    lists = _lists(packet)

    def items(label: str, pattern: re.Pattern[str] = _ITEM) -> list[re.Match[str]]:
        return [found for line in lists.get(label, ()) if (found := pattern.match(line))]

    goal_line = next((line for line in packet.split("\n") if line.startswith("**Goal**")), "")
    goal = _GOAL.match(_apart_answer(goal_line)[0])
    lineage = Lineage(
        origin=session,
        session_id=session,
        agent=agent,
        goal=_text(goal) if goal else "",
        evidence=(place,),
    )
    return Carried(
        asked=tuple(_asked(lists.get(ASKED, []), goal_line, session, place)),
        words=(
            *(word for line in lists.get(WORDS, ()) for word in _words(line, session)),
            *added(packet, place),
        ),
        decisions=tuple(
            Decision(text=_text(m), evidence=seen_at(m), origin=origin_of(m, session)) for m in items(DECIDED)
        ),
        dead_ends=tuple(
            DeadEnd(tried=_text(m), evidence=seen_at(m), origin=origin_of(m, session))
            for m in items(DEAD_ENDS)
        ),
        notes=tuple(
            Note(text=_text(m), kind="finding", evidence=seen_at(m), origin=origin_of(m, session))
            for m in items(NOTED)
        ),
        claims=tuple(claims_of(lists.get(STATE, ()), session)),
        failing=tuple(
            _failing([row for label in _FAILURES for row in lists.get(label, ())], session),
        ),
        worked=tuple(worked_of(lists.get(WORKED, ()), session)),
        files=tuple(files_of(packet, session)),
        todos=tuple(_todos(items(TODOS, _TODO), session)),
        steps=tuple(steps_of(lists.get(STEPS, ()), session)),
        questions=tuple(questions_of(lists.get(STEPS, ()), session)),
        plan=_plan(lists.get(PLAN, []), session),
        lineage=lineage,
    )


def _lists(packet: str) -> dict[str, list[str]]:
    """The lines under each label; a list ends where the next label or heading begins."""
    found: dict[str, list[str]] = {}
    label = ""
    for line in packet.split("\n"):
        named = _LABEL.match(line)
        if named:
            label = next((known for known in _LABELS if named[1].startswith(known)), "")
        elif line.startswith(("## ", "**", "<")):
            label = ""
        elif label and len(line) <= _LONGEST:
            found.setdefault(label, []).append(line)
    return found


def _text(item: re.Match[str]) -> str:
    text = item["text"]
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _apart_answer(line: str) -> tuple[str, str, int, str]:
    """A line without what its quotation answers, that, its line, and the session of that where it is told."""
    begin = line.rfind(_ANSWER)
    if pointed := _POINTED_ANSWER.search(line):
        begin = pointed.end()
    elif _POINTER.search(line[: max(begin, 0)]):
        return line, "", 0, ""
    answer = _ANSWERED.fullmatch(line, begin + len(_ANSWER)) if begin >= 0 else None
    return (line[:begin], answer[1], int(answer[2]), answer[3] or "") if answer else (line, "", 0, "")


def _elsewhere(to: str, session: str, origin: str) -> str:
    """The session in which something was said that is answered in another one."""
    return session if to and session != origin else ""


def _asked(lines: list[str], goal_line: str, session: str, place: Evidence) -> list[Quote]:
    """The requests in their order. A goal that points nowhere was given when the packet was made: it is
    what this session was asked for."""
    said = []
    for pattern, whole in [*((_ITEM, line) for line in lines), (_GOAL, goal_line)]:
        line, to, to_line, whose = _apart_answer(whole)
        if item := pattern.match(line):
            given = pattern is _GOAL and not item["lines"]
            at, origin = ((place,), "") if given else (seen_at(item), origin_of(item, session))
            to_origin = _elsewhere(to, whose or session, origin)
            said.append(
                Quote(
                    text=_text(item),
                    evidence=at,
                    origin=origin,
                    to=to,
                    to_line=to_line,
                    to_origin=to_origin,
                )
            )
    return said


def _words(line: str, session: str) -> list[Word]:
    """The word on a line, after those it replaced as far as they are quoted."""
    line, to, to_line, whose = _apart_answer(line)
    item = _ITEM.match(line)
    if item is None:
        return []
    said = item["mark"] or ""
    kind: WordKind = next((k for k in get_args(WordKind) if k == said), "constraint")
    strength = _STRENGTHS.get(said, 2 if kind != "constraint" else 1)
    origin = origin_of(item, session)
    word = Word(
        text=_text(item),
        kind=kind,
        strength=strength,
        evidence=seen_at(item),
        origin=origin,
        to=to,
        to_line=to_line,
        to_origin=_elsewhere(to, whose or session, origin),
    )
    if not word.evidence:
        return [word]
    told = item["replaced"] or ""
    if told.startswith("may "):
        return [*_doubted(told, word, session), word]
    return [
        *(
            Word(
                text=text,
                kind="constraint",
                evidence=(Evidence(int(line)),),
                origin=whose or session,
                superseded_by=word.evidence[-1],
                superseded_in=origin,
                superseded_text=word.text,
                superseded_in_part=bool(part),
            )
            for part, text, line, whose in _REPLACED.findall(told)
        ),
        word,
    ]


def _doubted(told: str, word: Word, session: str) -> list[Word]:
    """The words that this one may have replaced: they stand as it does."""
    return [
        Word(
            text=text,
            kind="constraint",
            strength=word.strength,
            evidence=(Evidence(int(line)),),
            origin=whose or session,
            doubted_by=word.evidence[-1],
            doubted_text=word.text,
        )
        for _, text, line, whose in _REPLACED.findall(told)
    ]


def _failing(lines: list[str], session: str) -> list[CommandFact]:
    """Failures with the lines of their complaints, which stand below each."""
    found: list[tuple[re.Match[str], list[str]]] = []
    for line in lines:
        if run := _FAILURE.match(line):
            found.append((run, []))
        elif found and line.startswith(_COMPLAINT):
            found[-1][1].append(line.removeprefix(_COMPLAINT))
    return [
        CommandFact(
            command=run["text"],
            key=run["text"],
            failures=1,
            state="open",
            last_bad=FailedRun(
                evidence=next(iter(seen_at(run)), Evidence(0)),
                command=run["text"],
                exit_code=int(run["exit"]) if run["exit"] else None,
                error_lines=tuple(complaints),
            ),
            evidence=seen_at(run),
            origin=origin_of(run, session),
        )
        for run, complaints in found
    ]


def _todos(items: list[re.Match[str]], session: str) -> list[TodoFact]:
    """Unfinished to-dos; one without a pointer was seen where the one before it was."""
    found: list[TodoFact] = []
    for item in items:
        at = seen_at(item), origin_of(item, session)
        if not item["lines"] and found:
            at = found[-1].evidence, found[-1].origin
        state: TodoState = "in_progress" if item["mark"] == "~" else "pending"
        found.append(TodoFact(text=_text(item), state=state, evidence=at[0], origin=at[1]))
    return found


def _plan(lines: list[str], session: str) -> Plan | None:
    """The plan, as far as the packet quoted it."""
    head = _PLAN.match(lines[0]) if lines else None
    text = "\n".join(line.removeprefix(_PLANNED) for line in lines if line.startswith(_PLANNED))
    if head is None or not text:
        return None
    outcome: PlanOutcome = next((o for o in get_args(PlanOutcome) if o == head["outcome"]), "proposed")
    return Plan(text=text, outcome=outcome, evidence=seen_at(head), origin=origin_of(head, session))

"""What an earlier handoff kept is kept again.

A session that began with one of our packets has it as its first prompt. Its lists of words,
decisions and dead ends are facts of this session too, each still pointing at the session in which
it was first seen, so that a constraint survives any number of hops.
"""

from __future__ import annotations

import re
from typing import NamedTuple, get_args

from segue.model.facts import DeadEnd, Decision, Evidence, Lineage, Note, Word, WordKind
from segue.model.packet import DEAD_ENDS, DECIDED, MODIFIED_FILES, NOTED, OPENING, READ_FILES, WORDS

_HEAD = re.compile(re.escape(OPENING) + r" ([\w-]+) session ([\w.:-]*)")
_LABEL = re.compile(r"\*\*(.+?)\*\*(?: \([^()]*\))?:?\s*$")
_REPLACED = re.compile(r'"(.*?)" \[#(\d+)')
_ITEM = re.compile(
    r'- (?:(\w+): )?(".*?"(?= \[#|$)|.*?)(?: \[#([\d #]+?)(?: of ([\w.:-]+))?\])?(?: \((replaces .*)\))?$'
)
_GOAL = re.compile(r"^\*\*Goal\*\*: (.*)$", re.M)
_STRENGTHS = {"must": 3, "firm": 2}
_TAIL = re.compile(
    rf"\n(?:</(?:{READ_FILES}|{MODIFIED_FILES})>|Redacted|Left out|Nothing was left out)[^\n]*"
)


class Carried(NamedTuple):
    words: tuple[Word, ...]
    decisions: tuple[Decision, ...]
    dead_ends: tuple[DeadEnd, ...]
    notes: tuple[Note, ...]
    lineage: Lineage


def carried(prompt: str, place: Evidence) -> tuple[Carried | None, str]:
    """The facts of the packet inside a prompt, and what else the prompt says. None where there is no packet."""
    begin = prompt.find(OPENING)
    head = _HEAD.match(prompt, begin) if begin >= 0 else None
    if head is None or "\n## Context\n" not in prompt:
        return None, prompt
    end = max((m.end() for m in _TAIL.finditer(prompt, begin)), default=len(prompt))
    packet, around = prompt[begin:end], (prompt[:begin] + prompt[end:]).strip()
    session = head[2]
    lists = _lists(packet)
    words = [word for m in lists.get(WORDS, ()) for word in _words(m, session)]
    decisions = [
        Decision(text=_text(m), evidence=_evidence(m), origin=_origin(m, session))
        for m in lists.get(DECIDED, ())
    ]
    dead = [
        DeadEnd(tried=_text(m), evidence=_evidence(m), origin=_origin(m, session))
        for m in lists.get(DEAD_ENDS, ())
    ]
    notes = [
        Note(text=_text(m), kind="finding", evidence=_evidence(m), origin=_origin(m, session))
        for m in lists.get(NOTED, ())
    ]
    goal = _GOAL.search(packet)
    lineage = Lineage(
        origin=session,
        session_id=session,
        agent=head[1],
        goal=goal[1].strip('"') if goal else "",
        evidence=(place,),
    )
    return Carried(tuple(words), tuple(decisions), tuple(dead), tuple(notes), lineage), around


def _lists(packet: str) -> dict[str, list[re.Match[str]]]:
    """The items under each label; a list ends where the next label or heading begins."""
    found: dict[str, list[re.Match[str]]] = {}
    label = ""
    for line in packet.split("\n"):
        named = _LABEL.match(line)
        if named:
            label = next(
                (known for known in (WORDS, DECIDED, DEAD_ENDS, NOTED) if named[1].startswith(known)), ""
            )
        elif line.startswith(("## ", "**", "<")):
            label = ""
        elif label and (item := _ITEM.match(line)):
            found.setdefault(label, []).append(item)
    return found


def _text(item: re.Match[str]) -> str:
    text = item[2]
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text


def _origin(item: re.Match[str], session: str) -> str:
    return item[4] or session


def _evidence(item: re.Match[str]) -> tuple[Evidence, ...]:
    return tuple(Evidence(int(n)) for n in re.findall(r"\d+", item[3] or ""))


def _words(item: re.Match[str], session: str) -> list[Word]:
    """A word, after those it replaced as far as they are quoted."""
    said = item[1] or ""
    kind: WordKind = next((k for k in get_args(WordKind) if k == said), "constraint")
    strength = _STRENGTHS.get(said, 2 if kind != "constraint" else 1)
    origin = _origin(item, session)
    word = Word(text=_text(item), kind=kind, strength=strength, evidence=_evidence(item), origin=origin)
    if not word.evidence:
        return [word]
    return [
        *(
            Word(
                text=text,
                kind="constraint",
                evidence=(Evidence(int(line)),),
                origin=origin,
                superseded_by=word.evidence[-1],
            )
            for text, line in _REPLACED.findall(item[5] or "")
        ),
        word,
    ]

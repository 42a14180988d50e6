"""A handoff as its reader takes it: what is wanted, what was done, what comes next, whatever its form.

Packet, document and change-record block say the same things in different places. A reading holds them
by what they are for, each with the place where it stands, so that one rule judges all three.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from segue.handoff.headings import TAIL
from segue.handoff.item_reading import ParsedItem
from segue.handoff.parse import Block, Parsed, kind_of, parse
from segue.model import prose
from segue.model.packet import DEAD_ENDS, DECIDED, NOTED
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

Kind = Literal["packet", "document", "tc"]

TC_FIELDS: dict[str, type] = {
    "progress_summary": str,
    "next_steps": list,
    "blockers": list,
    "key_context": list,
    "files_in_progress": list,
    "decisions_made": list,
}
AT_WORK = ("in_progress", "blocked", "paused")
"""Statuses of a change whose block somebody is going to need."""
WORK_STATES = ("editing", "needs_review", "partially_done", "ready")

_SAID_NOTHING = compiled(r"(?:none|nothing)(?: seen| known| yet)?\.?|left out\.|not looked at", re.I)
_WHY = compiled(
    r"\b(?:because|since|so that|so (?:we|it|the|that)|to (?:avoid|keep|prevent|allow|reduce)|due to|as (?:it|the|we)|in order to"
    r"|which|otherwise|why:|reason|rationale|weil|da |damit|um .{1,80} zu|parce que|car |afin|pour|porque|ya que|para|perché|потому|чтобы)"
    r"|\bwhy\b|因为|由于|ため|ので|から|때문|위해",
    re.I,
)
_FILES = ("Files", "Projects and files touched recently")
_PROSE_LIMIT = 4000
_MOST = 400
"""Statements of one kind that are judged; a handoff with more fails for its length."""


class Said(NamedTuple):
    """One thing that a handoff says. `text` is without mark, state and pointers."""

    text: str
    where: str
    state: str | None = None
    pointed: bool = False
    quoted: bool = False
    """It is somebody's text, carried along; the handoff does not say it in its own words."""


class Decision(NamedTuple):
    said: Said
    why: bool


class Reading(NamedTuple):
    kind: Kind
    text: str
    parsed: Parsed | None
    block: dict[str, Any] | None
    objective: tuple[Said, ...] = ()
    progress: tuple[Said, ...] = ()
    steps: tuple[Said, ...] = ()
    blockers: tuple[Said, ...] = ()
    context: tuple[Said, ...] = ()
    decisions: tuple[Decision, ...] = ()
    rest: tuple[Said, ...] = ()
    """What is none of these: commands, files, open threads, and what stands before the first heading."""
    places: tuple[tuple[int, str], ...] = ()
    """(line of the session, where) for every pointer into the session handed off."""
    at_work: bool = True
    """False for the block of a change that is not begun or that is done: it may be empty."""

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self.parsed.blocks if self.parsed else ()

    @property
    def tail(self) -> str | None:
        section = self.parsed.section(TAIL) if self.parsed else None
        return section.body if section else None

    def everything(self) -> tuple[Said, ...]:
        decided = tuple(decision.said for decision in self.decisions)
        return self.objective + self.progress + self.steps + self.blockers + self.context + decided


def kind_of_text(text: str) -> Kind:
    """What kind of handoff a text is; a JSON object is taken for a change record's block."""
    return "tc" if text.lstrip()[:1] == "{" else kind_of(text)


def reading(text: str, kind: Kind) -> Reading:
    if kind == "tc":
        return _of_block(text)
    parsed = parse(text, kind)
    found: dict[str, list[Said]] = {
        "objective": [],
        "progress": [],
        "steps": [],
        "blockers": [],
        "context": [],
        "rest": _preamble(parsed.preamble),
    }
    decisions: list[Decision] = []
    for section in parsed.sections:
        for item in section.items:
            said = _said(item, section.name)
            role = _role(section.name, item)
            nothing = _SAID_NOTHING.fullmatch(said.text[:40]) and not item.state
            if nothing and not (role == "blockers" and item.listed):
                continue
            if role == "decisions":
                decisions.append(Decision(said, bool(_WHY.search(item.text[:_PROSE_LIMIT]))))
            elif role:
                found[role].append(said)
            else:
                found["rest"] += _files_told(item, said) if section.name in _FILES else [said]
    places = [
        (line, f"{section.name}, line {item.line}")
        for section in parsed.sections
        for item in section.items
        if not item.origin
        for line in item.evidence
    ]
    roles: dict[str, Any] = {role: tuple(said[:_MOST]) for role, said in found.items()}
    return Reading(
        kind, text, parsed, None, decisions=tuple(decisions[:_MOST]), places=tuple(places), **roles
    )


def _preamble(text: str) -> list[Said]:
    return [Said(row, f"line {n}") for n, row in enumerate(text.split("\n"), 1) if row.strip(" #")]


def _files_told(item: ParsedItem, said: Said) -> list[Said]:
    """What is said about the file of a row; of one that says nothing about it, or has no name, the row itself."""
    name, colon, about = item.text.partition(": ")
    if not colon:
        name, colon, about = item.text.partition(" — ")
    if " (" in name or (colon and not prose.stands_in(name)):
        return [said._replace(text=about)] if colon else []
    return [said._replace(text=name, pointed=True)]


def _said(item: ParsedItem, section: str) -> Said:
    text = item.text
    lead, _, rest = text.partition('"')
    quoted = item.state == "reported" or (rest.endswith(('"', ")")) and (not lead or lead.endswith(": ")))
    return Said(text, f"{section}, line {item.line}", item.state, bool(item.evidence), quoted)


_DOCUMENT_ROLES = {
    "Current objective": "objective",
    "Current state summary": "progress",
    "Decisions made": "decisions",
    "Immediate next actions": "steps",
    "Things the next agent would regret losing": "context",
}
_PACKET_GROUPS = (
    (compiled(r"asked for|goal|objective", re.I), "objective"),
    (compiled(rf"{DECIDED}|decisions?", re.I), "decisions"),
    (compiled(r"state|progress|done", re.I), "progress"),
    (compiled(r"block", re.I), "blockers"),
    (compiled(r"next|steps", re.I), "steps"),
    (compiled(rf"{DEAD_ENDS}|{NOTED}|gotcha|risk|notes?", re.I), "context"),
)
"""What the labels of a packet, ours or a person's, say about the items below them."""
_PACKET_SECTIONS = {"Context": "progress", "Task": "steps", "Notes": "context"}


def _role(section: str, item: ParsedItem) -> str | None:
    """What an item is for, by its section, its label and its state."""
    if item.state == "blocked":
        return "blockers"
    if section in _DOCUMENT_ROLES:
        return _DOCUMENT_ROLES[section]
    if section == "Open threads":
        return "blockers" if re.match(r"blocked|blocker", item.text, re.I) else None
    if section not in _PACKET_SECTIONS:
        return None
    if item.group:
        return next((role for label, role in _PACKET_GROUPS if label.match(item.group)), None)
    role = _PACKET_SECTIONS[section]
    return "objective" if role == "steps" and not item.listed else role


def _of_block(text: str) -> Reading:
    block, at_work = _block(text)
    if block is None:
        return Reading("tc", text, None, None)
    summary = block.get("progress_summary")
    decisions = [
        Decision(
            Said(str(row.get("decision") or ""), nth("decisions_made", n)),
            prose.gives_reason(str(row.get("rationale") or "")),
        )
        for n, row in enumerate(_rows(block.get("decisions_made")))
    ]
    return Reading(
        "tc",
        text,
        None,
        block,
        progress=(Said(summary, "progress_summary"),) if isinstance(summary, str) and summary.strip() else (),
        steps=_texts(block, "next_steps"),
        blockers=_texts(block, "blockers"),
        context=_texts(block, "key_context"),
        decisions=tuple(decisions),
        rest=tuple(
            Said(row["notes"], nth("files_in_progress", n))
            for n, row in enumerate(_rows(block.get("files_in_progress")))
            if isinstance(row.get("notes"), str)
        ),
        at_work=at_work,
    )


def nth(field: str, index: int) -> str:
    """Where an item of a block stands, counted as people and `segue change update` count."""
    return f"{field}, item {index + 1}"


def _block(text: str) -> tuple[dict[str, Any] | None, bool]:
    """The block in a JSON text, by itself or inside a change record, and whether it is still worked on."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None, True
    at_work = not isinstance(value, dict) or value.get("status", "in_progress") in AT_WORK
    for name in ("session_context", "handoff"):
        if isinstance(value, dict) and isinstance(value.get(name), dict):
            value = value[name]
    return (value if isinstance(value, dict) else None), at_work


def _texts(block: dict[str, Any], field: str) -> tuple[Said, ...]:
    values = block.get(field)
    rows = values if isinstance(values, list) else []
    return tuple(
        Said(v, nth(field, n)) for n, v in enumerate(rows[:_MOST]) if isinstance(v, str) and v.strip()
    )


def _rows(value: Any) -> list[dict[str, Any]]:
    return [row for row in value[:_MOST] if isinstance(row, dict)] if isinstance(value, list) else []

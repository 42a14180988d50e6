"""A handoff as its reader takes it: what is wanted, what was done, what comes next, whatever its form.

Packet, document and change-record block say the same things in different places. A reading holds them
by what they are for, each with the place where it stands, so that one rule judges all three.
"""

from __future__ import annotations

import json
import re
from typing import Any, Literal

from segue.handoff.headings import TAIL
from segue.handoff.item_reading import ParsedItem, places
from segue.handoff.parse import Block, Parsed, kind_of, parse
from segue.model import prose
from segue.model.packet import ASKED, GIT, GOAL, LAST_REPORT, NEXT, REPORTED, STATED, STEPS
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

_SAID_NOTHING = re.compile(r"(?:none|nothing)(?: seen| known| yet)?\.?|left out\.|not looked at", re.I)
_NOTHING_OPEN = "nothing else was seen to be left open"
"""How a packet opens that has neither a goal nor a step."""
_FILES = ("Files", "Projects and files touched recently")
_MOST = 400
"""Statements of one kind that are judged; a handoff with more fails for its length."""


class Said(NamedTuple):
    """One thing that a handoff says. `text` is without mark, state and pointers."""

    text: str
    where: str
    state: str | None = None
    pointed: bool = False
    """It says where it was seen, or that nothing was."""
    quoted: bool = False
    """It is somebody's text, carried along; the handoff does not say it in its own words."""


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
    decisions: tuple[Said, ...] = ()
    unexplained: tuple[Said, ...] = ()
    """Decisions of a change record's block that leave their reason empty."""
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
        return self.objective + self.progress + self.steps + self.blockers + self.context + self.decisions


def kind_of_text(text: str) -> Kind:
    """What kind of handoff a text is; a JSON object is taken for a change record's block."""
    return "tc" if text.lstrip()[:1] == "{" else kind_of(text)


def reading(text: str, kind: Kind) -> Reading:
    if kind == "tc":
        return _of_block(text)
    parsed = parse(text, kind)
    found: dict[str, list[Said]] = {
        role: [] for role in ("objective", "progress", "steps", "blockers", "context", "decisions")
    }
    found["rest"] = _preamble(parsed)
    rows = [("", item) for item in parsed.head if item.group in (GOAL, NEXT)]
    rows += [(section.name, item) for section in parsed.sections for item in section.items]
    for section, item in rows:
        said = _statement(item, section)
        role = _role(section, item)
        if says_nothing(said.text) and not item.state and not (role == "blockers" and item.listed):
            continue
        if role:
            found[role].append(said)
        else:
            found["rest"] += _files_told(item, said) if section in _FILES else [said]
    pointed = [
        (line, _where(section, item))
        for section, item in rows
        if not item.origin
        for line in (*item.evidence, *places(item.text))
    ]
    roles: dict[str, Any] = {role: tuple(said[:_MOST]) for role, said in found.items()}
    return Reading(kind, text, parsed, None, places=tuple(pointed), **roles)


def says_nothing(text: str) -> bool:
    """It only says that there is nothing to say."""
    return _SAID_NOTHING.fullmatch(text[:40]) is not None


def _preamble(parsed: Parsed) -> list[Said]:
    told = {item.line for item in parsed.head}
    rows = enumerate(parsed.preamble.split("\n"), 1)
    return [Said(row, f"line {n}") for n, row in rows if row.strip(" #") and n not in told]


def _where(section: str, item: ParsedItem) -> str:
    return f"{section}, line {item.line}" if section else f"line {item.line}"


def _files_told(item: ParsedItem, said: Said) -> list[Said]:
    """What is said about the file of a row; of one that says nothing about it, or has no name, the row itself."""
    name, colon, about = item.text.partition(": ")
    if not colon:
        name, colon, about = item.text.partition(" — ")
    if " (" in name or (colon and not prose.stands_in(name)):
        return [said._replace(text=about)] if colon else []
    return [said._replace(text=name, pointed=True)]


def _statement(item: ParsedItem, section: str) -> Said:
    text = item.text
    lead, _, rest = text.partition('"')
    whole = rest.endswith(('"', ")")) and (not lead or lead.endswith((": ", "× ", "answer to ")))
    quoted = item.state == "reported" or whole or item.group in (ASKED, REPORTED, LAST_REPORT)
    pointed = bool(item.evidence) or text.startswith(_NOTHING_OPEN)
    return Said(text, _where(section, item), item.state, pointed, quoted)


_DOCUMENT_ROLES = {
    "Current objective": "objective",
    "Current state summary": "progress",
    "Decisions made": "decisions",
    "Immediate next actions": "steps",
    "Things the next agent would regret losing": "context",
}
_LABELS = {
    GOAL: "objective",
    ASKED: "objective",
    REPORTED: "progress",
    LAST_REPORT: "progress",
    GIT: "progress",
    STATED["state"]: "progress",
    STATED["finding"]: "progress",
    STATED["decision"]: "decisions",
    STATED["dead_end"]: "context",
    STATED["open_question"]: "context",
    NEXT: "steps",
    STEPS: "steps",
}
_OWN_LABELS = (
    (re.compile(r"goal|objective", re.I), "objective"),
    (re.compile(r"decisions?", re.I), "decisions"),
    (re.compile(r"state|progress|done", re.I), "progress"),
    (re.compile(r"block", re.I), "blockers"),
    (re.compile(r"next|steps", re.I), "steps"),
    (re.compile(r"gotcha|risk|notes?", re.I), "context"),
)
"""What the labels of a packet, ours and a person's, say about the items below them."""
_PACKET_SECTIONS = {"Context": "progress", "Task": "steps", "Notes": "context"}


def _role(section: str, item: ParsedItem) -> str | None:
    """What an item is for, by its section, its label and its state."""
    if item.state == "blocked":
        return "blockers"
    if section in _DOCUMENT_ROLES:
        return _DOCUMENT_ROLES[section]
    if section == "Open threads":
        return "blockers" if re.match(r"blocked|blocker", item.text, re.I) else None
    if item.group in _LABELS:
        return _LABELS[item.group]
    if section not in _PACKET_SECTIONS:
        return None
    if item.group:
        return next((role for label, role in _OWN_LABELS if label.match(item.group)), None)
    role = _PACKET_SECTIONS[section]
    return "objective" if role == "steps" and not item.listed else role


def _of_block(text: str) -> Reading:
    block, at_work = _block(text)
    if block is None:
        return Reading("tc", text, None, None)
    summary = block.get("progress_summary")
    decisions = [
        (Said(str(row.get("decision") or ""), nth("decisions_made", n)), str(row.get("rationale") or ""))
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
        decisions=tuple(said for said, _ in decisions),
        unexplained=tuple(said for said, why in decisions if not prose.gives_reason(why)),
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

"""Rules about the form of a handoff: its sections, its blocks, its fields, its size, what must not be in it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator

from segue.handoff.headings import DOCUMENT
from segue.handoff.lint.reading import TC_FIELDS, WORK_STATES, Reading, nth
from segue.handoff.lint.rule import Given, Hit
from segue.handoff.lint.steps import excerpt
from segue.handoff.stamp import read_stamp
from segue.model import prose
from segue.model.packet import SECTIONS
from segue.model.visible import hidden

LONGEST_SECTION = 16_000
_CHARS_PER_TOKEN = 4
_NAMED = 5
"""Code points that a finding names."""


def empty(reading: Reading, given: Given) -> Iterator[Hit]:
    if reading.parsed:
        before = [
            row for row in reading.parsed.preamble.split("\n") if row.strip() and not row.startswith("#")
        ]
        nothing = not before and not any(section.items for section in reading.parsed.sections)
    else:
        nothing = reading.at_work and not any((reading.block or {}).get(name) for name in TC_FIELDS)
    if nothing:
        yield Hit("the whole", "The handoff says nothing.")


def missing_section(reading: Reading, given: Given) -> Iterator[Hit]:
    if reading.parsed:
        present = {section.name for section in reading.parsed.sections if section.known}
        for name in SECTIONS if reading.kind == "packet" else DOCUMENT:
            if name not in present:
                yield Hit(name, f"The section `## {name}` is missing.")
    elif reading.block is None:
        yield Hit("the whole", "This is not a JSON object.")
    else:
        for name, kind in TC_FIELDS.items():
            if not isinstance(reading.block.get(name), kind):
                yield Hit(
                    name, f"The field `{name}` is missing or is not a {'text' if kind is str else 'list'}."
                )


def empty_section(reading: Reading, given: Given) -> Iterator[Hit]:
    for section in reading.parsed.sections if reading.parsed else ():
        if section.known and not section.body.strip():
            yield Hit(f"{section.name}, line {section.line}", f"`## {section.name}` is empty.")


def repeated_section(reading: Reading, given: Given) -> Iterator[Hit]:
    seen: Counter[str] = Counter()
    for section in reading.parsed.sections if reading.parsed else ():
        seen[section.name] += 1
        if section.known and seen[section.name] == 2:
            yield Hit(f"{section.name}, line {section.line}", f"`## {section.name}` stands there twice.")


def bad_field(reading: Reading, given: Given) -> Iterator[Hit]:
    block = reading.block or {}
    for name in ("next_steps", "blockers", "key_context"):
        for n, value in enumerate(_list(block.get(name))):
            if not isinstance(value, str) or not value.strip():
                yield Hit(nth(name, n), "This is not a text.")
    for n, file in enumerate(_list(block.get("files_in_progress"))):
        if not isinstance(file, dict) or not isinstance(file.get("path"), str) or not file["path"].strip():
            yield Hit(nth("files_in_progress", n), "This names no path.")
        elif file.get("state") not in WORK_STATES:
            yield Hit(
                nth("files_in_progress", n),
                f"The state {file.get('state')!r} is none of {', '.join(WORK_STATES)}.",
            )
    for n, decision in enumerate(_list(block.get("decisions_made"))):
        if not isinstance(decision, dict) or not str(decision.get("decision") or "").strip():
            yield Hit(nth("decisions_made", n), "This holds no decision.")
        elif read_stamp(str(decision.get("timestamp"))) is None:
            yield Hit(
                nth("decisions_made", n), f"The timestamp {decision.get('timestamp')!r} is not ISO 8601."
            )


def placeholder(reading: Reading, given: Given) -> Iterator[Hit]:
    """Session text, which points to where it was said, may hold anything but may not be a placeholder as a whole."""
    for said in (*reading.everything(), *reading.rest):
        if said.quoted or (said in reading.blockers and prose.no_blocker(said.text)):
            continue
        whole = said.text if prose.stands_in(said.text) else ""
        if left := whole if said.pointed else prose.placeholder(said.text):
            yield Hit(said.where, f"{excerpt(left)} was never filled in.")
    for section in reading.parsed.sections if reading.parsed else ():
        for row in section.body.split("\n"):
            if row.startswith("**") and prose.stands_in(row):
                yield Hit(section.name, f"{excerpt(row)} was never filled in.")
    for block in reading.blocks:
        for path in filter(prose.stands_in, block.paths):
            yield Hit(f"line {block.line}", f"{excerpt(path)} was never filled in.")


def over_budget(reading: Reading, given: Given) -> Iterator[Hit]:
    if given.budget is not None and given.count_tokens is not None:
        tokens = given.count_tokens(reading.text)
        if tokens > given.budget:
            yield Hit("the whole", f"It is {tokens} tokens; the budget is {given.budget}.")


def long_section(reading: Reading, given: Given) -> Iterator[Hit]:
    """A packet has a budget instead."""
    for section in reading.parsed.sections if reading.parsed and reading.kind == "document" else ():
        if len(section.body) > LONGEST_SECTION:
            tokens = len(section.body) // _CHARS_PER_TOKEN
            yield Hit(
                f"{section.name}, line {section.line}", f"`## {section.name}` is about {tokens} tokens long."
            )


def secret(reading: Reading, given: Given) -> Iterator[Hit]:
    for kind, line in given.find_secrets(reading.text) if given.find_secrets else ():
        yield Hit(f"line {line}", f"Here stands what looks like a secret ({kind}).")


def hidden_text(reading: Reading, given: Given) -> Iterator[Hit]:
    text = reading.text if reading.block is None else json.dumps(reading.block, ensure_ascii=False)
    for number, line in enumerate(text.split("\n"), 1) if hidden(text) else ():
        if found := hidden(line):
            names = list(dict.fromkeys(f"U+{ord(character):04X}" for character in found))
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            where = f"line {number}" if reading.block is None else "the block"
            yield Hit(
                where,
                f"Here stand {len(found)} characters that nobody sees: {', '.join(names[:_NAMED])}{more}.",
            )


def broken_block(reading: Reading, given: Given) -> Iterator[Hit]:
    names = Counter(block.name for block in reading.blocks)
    last = max((section.line for section in reading.parsed.sections), default=0) if reading.parsed else 0
    for block in reading.blocks:
        where = f"line {block.line}"
        if not block.closed:
            yield Hit(where, f"<{block.name}> is not closed.")
        elif names[block.name] > 1:
            yield Hit(where, f"<{block.name}> stands there {names[block.name]} times.")
        elif block.line < last:
            yield Hit(where, f"<{block.name}> stands before a section; the blocks come last.")


def unsorted_block(reading: Reading, given: Given) -> Iterator[Hit]:
    for block in reading.blocks:
        if list(block.paths) != sorted(set(block.paths)):
            yield Hit(f"line {block.line}", f"<{block.name}> is not sorted, or names a path twice.")


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []

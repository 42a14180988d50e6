"""What the first lines of a file tell about its session."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from segue.agents import _jsonl
from segue.agents._record import by_name, record, word
from segue.agents.claude_code.wire import Fork, Whole, decode_fork, decode_whole
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

HEAD = 64 * 1024
"""Bytes in which a file tells about its session, with the rest of the line they break off in."""
_UUID = compiled(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}")


class Head(NamedTuple):
    """The facts of a session (see META_KEYS), and whose file it is."""

    facts: dict[str, Any]
    subagent: str = ""
    """The sub-agent that wrote this file; empty for a person's session."""
    empty: bool = False
    named: bool = False
    """Whether a person gave the session its title."""
    origin: str = ""
    """The session whose lines `/branch` copied to the beginning of this one."""
    copied: int = -1
    """Where the last of them begins."""


def head(path: str) -> Head:
    """The facts at the file's beginning. The name is the id where it is one: lines copied from another
    session may still bear that one's id."""
    raw = _jsonl.opening(path, HEAD)
    name = os.path.basename(path).removesuffix(".jsonl")
    facts: dict[str, Any] = {**by_name(name)}
    subagent, session, origin, chained, named = "", "", "", False, False
    for line in _lines(raw):
        session = session or line.session_id or ""
        if line.uuid and not chained:
            chained = True
            if line.is_sidechain and line.agent_id:
                subagent = line.agent_id
            elif line.parent_uuid is not None and not line.is_sidechain:
                facts["started_mid_session"] = True
        origin = origin or word(record(line.forked_from).get("sessionId"))
        found = (
            ("cwd", line.cwd),
            ("branch", line.git_branch),
            ("agent_version", line.version),
            ("parent", origin),
        )
        for key, value in found:
            if value and key not in facts:
                facts[key] = value
        named = named or bool(line.custom_title)
        title = word(line.custom_title) or ("" if named else word(line.ai_title))
        if title:
            facts["title"] = title
    if subagent:
        facts["parent"] = session
    elif session and not _UUID.fullmatch(name):
        facts["id"] = session
        facts.pop("named_by", None)
    return Head(facts, subagent, not raw.strip(), named, origin, _copied(path) if origin else -1)


def _copied(path: str) -> int:
    """Where the last line begins that says it is a copy, before the first that is the session's own."""
    last = -1
    for _, offset, value in _jsonl.records(path, decode_fork):
        if isinstance(value, Fork) and value.forked_from:
            last = offset
        elif isinstance(value, Fork) and value.uuid:
            break
    return last


def _lines(raw: bytes) -> Iterator[Whole]:
    for line in raw.split(b"\n"):
        try:
            yield decode_whole(line)
        except (ValueError, RecursionError):
            continue

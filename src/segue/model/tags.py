"""Our own tags, and those of hosts, inside text of others: made unreadable as tags, however they are written."""

from __future__ import annotations

import re

from segue.model.packet import MODIFIED_FILES, READ_FILES
from segue.model.patterns import compiled

HANDOFF = "segue-handoff"
"""The tag around a handoff that is replayed."""

_REPLAY = compiled(rf"<(?=\s*(?:/\s*)?{HANDOFF}\b)", re.I)
_ANY = compiled(
    rf"<(\s*(?:/\s*)?(?:{READ_FILES}|{MODIFIED_FILES}|{HANDOFF}|system-reminder|handoff)\b(?:[^<>\n]{{0,200}}>)?)",
    re.I,
)


def without_replay(text: str) -> str:
    """A document that goes between the tags of a replay: nothing in it opens or closes another."""
    return _REPLAY.sub("‹", text) if "<" in text else text


def without_tags(text: str) -> str:
    """Text of a session, in which none of these tags is ours."""
    return _ANY.sub(_replace_brackets, text) if "<" in text else text


def _replace_brackets(found: re.Match[str]) -> str:
    return f"‹{found[1][:-1]}›" if found[1].endswith(">") else f"‹{found[1]}"

"""A model may improve the prose of a packet, and is believed only where the evidence agrees.

What it wrote replaces the packet when it kept the form, the person's words, the paths and the budget, and
points to nothing the packet did not point to. Otherwise the mechanical packet stands, and the reason is said.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable

from segue.handoff.parse import Parsed, parse
from segue.llm import prompts
from segue.llm.registry import model
from segue.model.packet import ASKED
from segue.redaction.redact import Redactor

_POINTER = re.compile(r"#\d+")
_NUMBER = re.compile(r"\b\d+\b")


def composed(packet: str, name: str, budget: int, count: Callable[[str], int]) -> tuple[str, str]:
    """The packet to use and, if the model's was refused, why. Raises Unavailable when the model fails."""
    with open(os.path.join(os.path.dirname(prompts.__file__ or ""), "compose.md"), encoding="utf-8") as file:
        prompt = file.read().replace("@PACKET@", packet)
    text = _unfenced(Redactor().redact(model(name).write(prompt).text))
    reason = _objection(packet, text, budget, count)
    return (packet, reason) if reason else (text, "")


def _unfenced(text: str) -> str:
    """Models like to put their answer into a fence."""
    lines = text.strip().splitlines()
    if len(lines) > 2 and lines[0].startswith("```") and lines[-1].startswith("```"):
        lines = lines[1:-1]
    return "\n".join(lines).strip() + "\n"


def _objection(before: str, after: str, budget: int, count: Callable[[str], int]) -> str:
    old, new = parse(before), parse(after)
    if [section.name for section in old.sections] != [section.name for section in new.sections]:
        return "it changed the sections"
    if old.preamble.strip() != new.preamble.strip():
        return "it changed the preamble"
    if (old.read_files, old.modified_files) != (new.read_files, new.modified_files):
        return "it changed the lists of files"
    lost = [line for line in _words(before) if line not in after]
    if lost:
        return f"it changed the person's words: {lost[0][:80]}"
    for what, found in (("points to", _POINTER), ("speaks of", _NUMBER)):
        invented = sorted(set(found.findall(_bodies(new))) - set(found.findall(before)))
        if invented:
            return f"it {what} {invented[0]}, which the packet does not"
    if count(after) > budget:
        return f"it has {count(after)} tokens, more than {budget}"
    return ""


def _words(packet: str) -> list[str]:
    """The lines under the label of the person's words."""
    lines, inside = [], False
    for line in packet.splitlines():
        if line.startswith("**"):
            inside = ASKED in line
        elif line.startswith("## "):
            inside = False
        elif inside and line.startswith("- "):
            lines.append(line)
    return lines


def _bodies(parsed: Parsed) -> str:
    return "\n".join(section.body for section in parsed.sections)

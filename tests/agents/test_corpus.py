"""Real sessions are read whole: what people said, what was called, failed and compacted is all found.

The development corpus is not part of the repository; its manifest holds counts made by an
independent reader. Where ours differ, the table says by how much they may, and why.
"""

from __future__ import annotations

import csv
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import pytest

from segue.agents.locate import identify
from segue.agents.registry import READERS, reader
from segue.errors import BadInput

CORPUS = Path(__file__).parent.parent.parent.parent / "shared" / "corpus"
MANIFEST = CORPUS / "MANIFEST.tsv"
NAMES = {"specstory-md": "specstory"}
MEASURES = {"prompts": "user_turns", "calls": "tool_calls", "errors": "errors", "compactions": "compactions"}

pytestmark = pytest.mark.skipif(not MANIFEST.exists(), reason="the development corpus is not here")


class Allowed(NamedTuple):
    """How far our count may lie below and above the manifest's, and why."""

    below: int
    above: int
    why: str


EXACT = Allowed(0, 0, "the same facts")
ALLOWED: dict[tuple[str, str], Allowed] = {
    ("claude-code", "prompts"): Allowed(
        1,
        6,
        "a prompt replaced by a rewind is left out, the instructions of a compaction are the program's; queued prompts count",
    ),
    ("claude-code", "calls"): Allowed(1, 0, "sidechains inside a session are left out"),
    ("claude-code", "errors"): Allowed(1, 0, "sidechains inside a session are left out"),
    ("codex", "prompts"): Allowed(
        1, 1, "an approved plan is an approval; a prompt kept only as an item counts"
    ),
    ("codex", "calls"): Allowed(0, 1, "a tool search and a generated picture are calls"),
    ("codex", "errors"): Allowed(1, 2, "a call that could not be made counts, words in the output do not"),
    ("codex", "compactions"): Allowed(0, 1, "a boundary known only from an event counts"),
    ("copilot-cli", "calls"): Allowed(0, 1, "a requested call that never ran counts"),
    ("copilot-cli", "compactions"): Allowed(0, 1, "a truncation is a compaction"),
    ("cursor", "prompts"): Allowed(2, 0, "results in the user's name are no prompts"),
    ("droid", "errors"): Allowed(0, 1, "failures told in words of the record count"),
    ("gemini-cli", "errors"): Allowed(
        0, 1, "a command whose output names another exit code than 0 is an error"
    ),
    ("kimi-cli", "prompts"): Allowed(0, 1, "steering while the agent works is a queued prompt"),
    ("opencode", "prompts"): Allowed(1, 0, "what a plugin shows the person alone is no prompt"),
    ("opencode", "errors"): Allowed(0, 6, "a command that exits with another code than 0 is an error"),
    ("qwen-code", "prompts"): Allowed(2, 0, "results and notices in the user's name are no prompts"),
    ("qwen-code", "calls"): Allowed(0, 1, "the manifest counts none"),
    ("specstory", "errors"): Allowed(0, 1, "a printed exit code other than 0 is an error"),
    ("swe-agent", "errors"): Allowed(2, 0, "only what the record says to have failed"),
    ("aider", "prompts"): Allowed(2, 0, "slash commands and the person's own shell commands are no prompts"),
}


def rows() -> list[dict[str, str]]:
    if not MANIFEST.exists():
        return []
    with MANIFEST.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def names(agent: str) -> str:
    return NAMES.get(agent, agent)


KNOWN = [row for row in rows() if names(row["agent"]) in READERS]
UNKNOWN = [row for row in rows() if names(row["agent"]) not in READERS]
COUNTED = [
    row
    for row in KNOWN
    if any(row[column] not in ("", "0") for column in MEASURES.values())
    and "trimmed to the first" not in row["note"]
]
"""Rows whose counts are those of the file as it lies in the corpus."""


def number(row: dict[str, str]) -> str:
    return f"{row['agent']}-{rows().index(row)}"


def counts(path: str) -> tuple[Counter[str], bool]:
    """What all sessions of a file hold, and whether one of them began as a copy of another."""
    found: Counter[str] = Counter()
    forked = False
    agent, of = identify(path)
    for session in of.sessions(path):
        for entry in of.read(path, session):
            found["prompts"] += (
                entry.kind == "user" and entry.by != "harness" and entry.via in ("prompt", "queued")
            )
            found["calls"] += entry.kind == "tool_call"
            found["errors"] += entry.kind == "tool_result" and entry.is_error is True
            found["compactions"] += entry.kind == "compaction"
            found["unreadable"] += entry.kind == "unreadable"
            forked = forked or (agent == "codex" and entry.kind == "meta" and "parent" in entry.data)
    return found, forked


@pytest.mark.parametrize("row", KNOWN, ids=number)
def test_a_session_is_known_and_read_to_the_last_byte(row: dict[str, str]) -> None:
    path = str(CORPUS / row["file"])
    assert identify(path)[0] == names(row["agent"])
    assert counts(path)[0]["unreadable"] == 0


@pytest.mark.parametrize("row", COUNTED, ids=number)
def test_counts_agree_with_an_independent_reader(row: dict[str, str]) -> None:
    found, forked = counts(str(CORPUS / row["file"]))
    agent = names(row["agent"])
    wrong = []
    for measure, column in MEASURES.items():
        below, above, _ = ALLOWED.get((agent, measure), EXACT)
        wanted = int(row[column] or 0)
        if forked:
            below = wanted
        if not wanted - below <= found[measure] <= wanted + above:
            wrong.append(f"{measure}: {found[measure]} instead of {wanted}")
    assert wrong == []


@pytest.mark.parametrize("row", UNKNOWN, ids=number)
def test_a_session_of_an_unknown_program_is_refused_or_read(row: dict[str, str]) -> None:
    path = str(CORPUS / row["file"])
    try:
        agent, _ = identify(path)
    except BadInput as refused:
        assert "none of the" in refused.message
    else:
        assert next(iter(reader(agent).read(path))).kind == "meta"

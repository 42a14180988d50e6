"""The walk, stop by stop, on one hand-written session that died in the middle of an edit."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from segue.extract import facts, index
from segue.model.entry import Entry
from segue.model.facts import Facts
from segue.model.turn import Index
from segue.redaction.redact import without_sensitive_files
from segue.redaction.redactor import Redactor

from ..conftest import Golden
from .story import rendered

WALK = Path(__file__).parent.parent / "fixtures" / "walk"
ENTRIES = WALK / "entries.jsonl"


def entries() -> Iterator[Entry]:
    for line in ENTRIES.read_bytes().splitlines():
        yield msgspec.json.decode(line, type=Entry)


@pytest.fixture(scope="module")
def walked() -> Index:
    redactor = Redactor()
    seen = without_sensitive_files(entries(), redactor)
    return index.build(seen, "claude-code", "session.jsonl", redactor.redact)


def chosen(walked: Index, budget: int = 2000) -> Facts:
    return facts.select(walked, "finish the retry tests", budget=budget)


def as_json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=1).decode() + "\n"


def test_entries_become_turns(walked: Index, golden: Golden) -> None:
    golden(WALK / "turns.json", as_json(walked.turns))


def test_turns_become_an_index(walked: Index, golden: Golden) -> None:
    golden(WALK / "index.json", as_json(walked))


def test_the_index_becomes_facts_for_the_goal(walked: Index, golden: Golden) -> None:
    golden(WALK / "facts.json", as_json(chosen(walked)))


@pytest.mark.parametrize(("budget", "name"), [(2000, "packet.md"), (300, "packet-300.md")])
def test_facts_become_a_packet(walked: Index, golden: Golden, budget: int, name: str) -> None:
    golden(WALK / name, rendered(chosen(walked, budget), budget))


def test_no_stop_shows_the_secret_of_the_session(walked: Index) -> None:
    secret = "tok-5f1c9a7be2d84c06"
    assert secret in ENTRIES.read_text(encoding="utf-8")
    assert secret not in as_json(walked) + as_json(chosen(walked)) + rendered(chosen(walked), 2000)


@pytest.mark.parametrize("seed", ["1", "2"])
def test_the_packet_is_the_same_in_another_process(walked: Index, seed: str) -> None:
    """Sets are ordered by the seed of their hashes; nothing in a packet may be."""
    program = (
        "import sys, msgspec\n"
        "from segue.extract import facts, tokens\n"
        "from segue.handoff import packet\n"
        "from segue.model.turn import Index\n"
        "built = msgspec.json.decode(sys.stdin.buffer.read(), type=Index)\n"
        "chosen = facts.select(built, 'finish the retry tests', budget=2000)\n"
        "sys.stdout.write(packet.render(packet.compose(chosen, 2000, tokens.count)[0]))\n"
    )
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    ran = subprocess.run(
        [sys.executable, "-c", program],
        input=msgspec.json.encode(walked),
        capture_output=True,
        env=environment,
        check=True,
    )
    assert ran.stdout.decode() == rendered(chosen(walked), 2000)

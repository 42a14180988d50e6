"""Whatever happens to a session's files, reading gives entries and never an exception.

`make fuzz` runs the same with several hundred new examples for each case, which differ every time.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.agents.registry import reader

FIXTURES = Path(__file__).parent.parent / "fixtures" / "agents"
OTHERS = [path.read_bytes() for path in sorted(FIXTURES.glob("*/*/input.*")) if path.suffix != ".sql"]
ASKED = os.environ.get("SEGUE_FUZZ_EXAMPLES")
ROUNDS = settings(max_examples=int(ASKED or 25), deadline=None, derandomize=ASKED is None, database=None)
SEEDS = st.integers(0, 2**32 - 1)

Damage = Callable[[bytes, Random], bytes]
Copies = Callable[[Any], Path]


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> Copies:
    """Each case as its program would have left it, made once: a database takes longer than all its readings."""
    made: dict[Path, Path] = {}

    def copied(case: Any) -> Path:
        if case.folder not in made:
            made[case.folder] = case.copied(tmp_path_factory.mktemp("case"))
        return made[case.folder]

    return copied


def read_damaged(case: Any, path: Path, seed: int, damage: Damage) -> None:
    """Damages one file of a case and does everything a reader can do with it."""
    chance = Random(seed)
    file = path if path.is_file() else chance.choice(sorted(p for p in path.rglob("*") if p.is_file()))
    sound = file.read_bytes()
    file.write_bytes(damage(sound, chance))
    try:
        found = reader(case.agent)
        found.sniff(str(path), path.read_bytes()[: 64 * 1024] if path.is_file() else b"")
        list(found.sessions(str(path)))
        list(found.read(str(path), branch="all"))
        told = list(found.read(str(path)))
    finally:
        file.write_bytes(sound)
    assert told[0].kind in ("meta", "unreadable")


def cut(raw: bytes, chance: Random) -> bytes:
    return raw[: chance.randint(0, len(raw))]


def stain(raw: bytes, chance: Random) -> bytes:
    stained = bytearray(raw)
    for _ in range(chance.randint(1, 30)):
        stained[chance.randrange(len(raw))] = chance.randrange(256)
    return bytes(stained)


def shuffle(raw: bytes, chance: Random) -> bytes:
    lines = raw.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join(lines)


def splice(raw: bytes, chance: Random) -> bytes:
    other = chance.choice(OTHERS)
    return cut(raw, chance) + other[chance.randint(0, len(other)) :]


@ROUNDS
@given(seed=SEEDS)
def test_a_file_cut_off_anywhere_is_read(case: Any, copies: Copies, seed: int) -> None:
    read_damaged(case, copies(case), seed, cut)


@ROUNDS
@given(seed=SEEDS)
def test_a_file_with_other_bytes_anywhere_is_read(case: Any, copies: Copies, seed: int) -> None:
    read_damaged(case, copies(case), seed, stain)


@ROUNDS
@given(seed=SEEDS)
def test_a_file_with_its_lines_in_any_order_is_read(case: Any, copies: Copies, seed: int) -> None:
    read_damaged(case, copies(case), seed, shuffle)


@ROUNDS
@given(seed=SEEDS)
def test_a_file_that_goes_on_as_another_one_is_read(case: Any, copies: Copies, seed: int) -> None:
    read_damaged(case, copies(case), seed, splice)

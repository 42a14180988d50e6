"""Whatever happens to a session's files, reading gives entries and never an exception."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from segue.agents.registry import reader

FIXTURES = Path(__file__).parent.parent / "fixtures" / "agents"
OTHERS = [path for path in sorted(FIXTURES.glob("*/*/input.*")) if path.suffix != ".sql"]
ROUNDS = settings(max_examples=5, deadline=None, derandomize=True)
CHANCE = st.randoms(use_true_random=False)


def read_damaged(case: Any, chance: Random, damage: Callable[[bytes], bytes]) -> None:
    """Damages one file of a case and does everything a reader can do with it."""
    with tempfile.TemporaryDirectory() as folder:
        path = case.copied(Path(folder))
        file = path if path.is_file() else chance.choice(sorted(p for p in path.rglob("*") if p.is_file()))
        file.write_bytes(damage(file.read_bytes()))
        found = reader(case.agent)
        found.sniff(str(path), path.read_bytes()[: 64 * 1024] if path.is_file() else b"")
        list(found.sessions(str(path)))
        list(found.read(str(path), branch="all"))
        told = list(found.read(str(path)))
        assert told[0].kind in ("meta", "unreadable")


@ROUNDS
@given(chance=CHANCE)
def test_a_file_cut_off_anywhere_is_read(case: Any, chance: Random) -> None:
    read_damaged(case, chance, lambda raw: raw[: chance.randint(0, len(raw))])


@ROUNDS
@given(chance=CHANCE)
def test_a_file_with_other_bytes_anywhere_is_read(case: Any, chance: Random) -> None:
    def stain(raw: bytes) -> bytes:
        stained = bytearray(raw)
        for _ in range(chance.randint(1, 30)):
            stained[chance.randrange(len(raw))] = chance.randrange(256)
        return bytes(stained)

    read_damaged(case, chance, stain)


@ROUNDS
@given(chance=CHANCE)
def test_a_file_with_its_lines_in_any_order_is_read(case: Any, chance: Random) -> None:
    def shuffle(raw: bytes) -> bytes:
        lines = raw.split(b"\n")
        chance.shuffle(lines)
        return b"\n".join(lines)

    read_damaged(case, chance, shuffle)


@ROUNDS
@given(chance=CHANCE)
def test_a_file_that_goes_on_as_another_one_is_read(case: Any, chance: Random) -> None:
    def splice(raw: bytes) -> bytes:
        other = chance.choice(OTHERS).read_bytes()
        return raw[: chance.randint(0, len(raw))] + other[chance.randint(0, len(other)) :]

    read_damaged(case, chance, splice)

"""Whatever a session file holds, a reader gives entries: first a meta, never an exception."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from segue.agents.registry import reader
from segue.model.entry import Entry

FIXTURES = Path(__file__).parent.parent / "fixtures" / "agents"
MINE = (
    "opencode",
    "gemini-cli",
    "kimi-cli",
    "goose",
    "openhands",
    "swe-agent",
    "generic",
    "codex",
    "pi",
    "copilot-cli",
    "droid",
    "qwen-code",
    "cursor",
    "amp",
)
TEXTS = ("aider", "specstory")
JUNK: tuple[Any, ...] = (
    None,
    True,
    0,
    -1,
    3.5,
    "",
    "x",
    [],
    {},
    [None],
    {"text": 5},
    [["a"]],
    10**30,
    "2026-01-01",
)
ROUNDS = 12


def inputs(agents: tuple[str, ...]) -> list[Any]:
    found = [(agent, path) for agent in agents for path in sorted((FIXTURES / agent).glob("*/input*"))]
    files = [(agent, path) for agent, path in found if path.is_file() and path.suffix != ".sql"]
    return [pytest.param(agent, path, id=f"{agent}-{path.parent.name}") for agent, path in files]


def misshapen(value: Any, chance: random.Random) -> Any:
    """The value with some parts replaced by what nobody expects there, and some left out."""
    if chance.random() < 0.04:
        return chance.choice(JUNK)
    if isinstance(value, dict):
        return {key: misshapen(item, chance) for key, item in value.items() if chance.random() > 0.03}
    if isinstance(value, list):
        return [misshapen(item, chance) for item in value]
    return value


def sound(entries: Iterator[Entry]) -> None:
    told = list(entries)
    assert told[0].kind == "meta" and told[0].data["id"]
    assert all(entry.line >= 1 for entry in told)
    assert msgspec.json.decode(msgspec.json.encode(told), type=list[Entry]) == told


def decoded(text: str) -> Any:
    """A sound JSON value, else None; the fixtures hold damage on purpose."""
    try:
        return json.loads(text)
    except ValueError:
        return None


@pytest.mark.parametrize(("agent", "path"), inputs(MINE))
def test_records_of_any_shape_are_read(agent: str, path: Path, tmp_path: Path) -> None:
    raw = path.read_text("utf-8")
    out = tmp_path / path.name
    for seed in range(ROUNDS):
        chance = random.Random(seed)
        if path.suffix == ".jsonl":
            first, *rest = [record for line in raw.splitlines() if (record := decoded(line))]
            shaped = "\n".join(json.dumps(line) for line in [first, *misshapen(rest, chance)])
        else:
            shaped = json.dumps(misshapen(decoded(raw), chance))
        out.write_text(shaped, "utf-8")
        sound(reader(agent).read(str(out)))


@pytest.mark.parametrize(("agent", "path"), inputs((*MINE, *TEXTS)))
def test_files_cut_off_or_stained_anywhere_are_read(agent: str, path: Path, tmp_path: Path) -> None:
    raw = path.read_bytes()
    out = tmp_path / path.name
    for seed in range(ROUNDS):
        chance = random.Random(seed)
        stained = bytearray(raw)
        for _ in range(seed):
            stained[chance.randrange(len(raw))] = chance.randrange(256)
        out.write_bytes(bytes(stained[: chance.randrange(len(raw))]) if seed % 2 else bytes(stained))
        list(reader(agent).sessions(str(out)))
        sound(reader(agent).read(str(out)))

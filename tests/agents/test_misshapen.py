"""Records of any shape are read: sound JSON whose values are not what their program would write."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import msgspec

from segue.agents.registry import reader
from segue.model.entry import Entry

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
ROUNDS = 6


def misshapen(value: Any, chance: random.Random) -> Any:
    """The value with some parts replaced by what nobody expects there, and some left out."""
    if chance.random() < 0.04:
        return chance.choice(JUNK)
    if isinstance(value, dict):
        return {key: misshapen(item, chance) for key, item in value.items() if chance.random() > 0.03}
    if isinstance(value, list):
        return [misshapen(item, chance) for item in value]
    return value


def decoded(text: str) -> Any:
    """A sound JSON value, else None; the fixtures hold damage on purpose."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def rewritten(raw: str, suffix: str, chance: random.Random) -> str:
    if suffix != ".jsonl":
        return json.dumps(misshapen(decoded(raw), chance))
    found = [record for line in raw.splitlines() if (record := decoded(line))]
    return "\n".join(json.dumps(record) for record in [*found[:1], *misshapen(found[1:], chance)])


def test_records_of_any_shape_are_read(case: Any, tmp_path: Path) -> None:
    path = case.copied(tmp_path)
    files = [path] if path.is_file() else [file for file in path.rglob("*.json") if file.is_file()]
    texts = {
        file: file.read_text("utf-8", "replace")
        for file in files
        if file.suffix in (".json", ".jsonl", ".traj")
    }
    for seed in range(ROUNDS):
        for file, raw in texts.items():
            file.write_text(rewritten(raw, file.suffix, random.Random(seed)), "utf-8")
        list(reader(case.agent).sessions(str(path)))
        told = case.read(path)
        assert told[0].kind == "meta" and told[0].data["id"]
        assert all(entry.line >= 1 for entry in told)
        assert msgspec.json.decode(msgspec.json.encode(told), type=list[Entry]) == told

"""The drop order: one table, read from the bottom, in which every row is one that a packet may need."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import get_args

from segue.handoff import ranks
from segue.handoff.groups import GROUPS
from segue.model.packet import Format, Preset
from segue.surfaces.cli import handoff

ROWS = {name: value for name, value in vars(ranks).items() if isinstance(value, ranks.Row)}
GENERATOR = Path(__file__).parent.parent.parent / "docs" / "generate_drop_order.py"
MODULES = [path for path in Path(ranks.__file__).parent.glob("*.py") if path.name != "ranks.py"]


def test_the_table_stands_in_the_order_of_its_ranks() -> None:
    given = [row.rank for row in ROWS.values()]
    assert given == sorted(given, reverse=True)


def test_every_row_is_named_by_a_module_and_no_module_ranks_by_a_number_of_its_own() -> None:
    sources = "\n".join(path.read_text("utf-8") for path in MODULES)
    assert set(re.findall(r"\branks\.([A-Z_]+)\b", sources)) & set(ROWS) == set(ROWS)
    assert re.findall(r"Form\(\s*\(?\d[^,]*,|rank=\d", sources) == []


def test_a_thing_is_worth_less_the_more_of_it_is_told() -> None:
    by_thing: dict[str, list[ranks.Row]] = {}
    for row in ROWS.values():
        by_thing.setdefault(row.told, []).append(row)
    rooms = {told: [row.room for row in rows if row.room] for told, rows in by_thing.items()}
    assert {told: sorted(room) for told, room in rooms.items()} == rooms


def test_the_one_at_the_next_place_is_a_step_below() -> None:
    assert [ranks.DECISION.at(place) for place in range(3)] == [84, 81, 78]
    assert ranks.SEEN_FILE.at(0, ranks.OUTSIDE) == 79


def test_the_command_line_offers_every_preset_and_every_format() -> None:
    assert ("", *handoff.PRESETS) == get_args(Preset) == tuple(ranks.PRESETS)
    assert get_args(Format) == handoff.FORMATS


def test_a_preset_lifts_groups_that_a_packet_has() -> None:
    assert {group for lifts in ranks.PRESETS.values() for group in lifts} <= set(GROUPS)


def test_the_page_shows_the_table() -> None:
    spec = importlib.util.spec_from_file_location("generate_drop_order", GENERATOR)
    assert spec and spec.loader
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert generator.PAGE.read_text("utf-8") == generator.page(), "run: python docs/generate_drop_order.py"

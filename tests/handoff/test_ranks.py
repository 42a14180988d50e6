"""The drop order: one table, in which every row is one that a packet may need."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path
from typing import get_args

from hypothesis import given
from hypothesis import strategies as st

from segue.handoff import ranks
from segue.handoff.pieces import GROUPS, pieces
from segue.model.facts import Facts
from segue.model.packet import SECTIONS, Format, Preset
from segue.surfaces.cli.parsing import parser_of

ROWS = {name: value for name, value in vars(ranks).items() if isinstance(value, ranks.Row)}
GENERATOR = Path(__file__).parent.parent.parent / "docs" / "generate_drop_order.py"
MODULES = [path for path in Path(ranks.__file__).parent.glob("*.py") if path.name != "ranks.py"]


def test_no_row_stands_in_the_table_twice() -> None:
    named = [(row.told, row.room) for row in ROWS.values()]
    assert len(set(named)) == len(named)


def test_every_row_is_used_and_no_module_ranks_by_a_number_of_its_own() -> None:
    sources = "\n".join(path.read_text("utf-8") for path in MODULES)
    assert set(ROWS) - set(re.findall(r"\branks\.([A-Z_]+)\b", sources)) == set()
    assert re.findall(r"Form\(\s*\(?\d[^,]*,|rank=\d", sources) == []


@given(st.from_type(Facts), st.integers(300, 8000))
def test_the_fuller_forms_of_a_piece_have_lower_ranks(facts: Facts, budget: int) -> None:
    for piece in pieces(facts, budget):
        given_ranks = [form.rank for form in piece.forms]
        assert given_ranks == sorted(set(given_ranks), reverse=True)


def test_a_thing_is_worth_less_the_more_of_it_is_told() -> None:
    by_thing: dict[str, list[ranks.Row]] = {}
    for row in sorted(ROWS.values(), key=lambda row: -row.rank):
        by_thing.setdefault(row.told, []).append(row)
    rooms = {told: [row.room for row in rows] for told, rows in by_thing.items()}
    assert {told: sorted(room) for told, room in rooms.items()} == rooms


def test_the_one_at_the_next_place_is_a_step_below() -> None:
    row = ranks.Row("a thing", 84, 3)
    assert [row.at(place) for place in range(3)] == [84, 81, 78]
    assert row.at(0, lower=6) == 78


def test_rules_come_before_all_that_was_done_and_lists_of_paths_after_the_files() -> None:
    last = ranks.RULE.at(ranks.VITAL_PROMPTS)
    assert last > ranks.FAILURE.rank > ranks.CHANGED_FILE.rank > ranks.SEEN_FILE.rank
    assert ranks.SEEN_FILE.rank > ranks.MODIFIED_PATHS.rank > ranks.READ_PATHS.rank


def test_groups_are_printed_in_the_order_of_the_sections() -> None:
    assert list(dict.fromkeys(group.heading for group in GROUPS.values())) == list(SECTIONS)
    places = [SECTIONS.index(group.heading) for group in GROUPS.values()]
    assert places == sorted(places)


def test_the_command_line_offers_every_preset_and_every_format() -> None:
    choices = {action.dest: action.choices for action in parser_of("handoff")._actions}
    assert ["", *(choices["preset"] or ())] == [*get_args(Preset)] == [*ranks.PRESETS]
    assert [*get_args(Format)] == choices["format"]


def test_a_preset_lifts_groups_that_a_packet_has() -> None:
    assert {group for lifts in ranks.PRESETS.values() for group in lifts} <= set(GROUPS)


def test_the_page_shows_the_table() -> None:
    spec = importlib.util.spec_from_file_location("generate_drop_order", GENERATOR)
    assert spec and spec.loader
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert generator.PAGE.read_text("utf-8") == generator.page(), "run: python docs/generate_drop_order.py"
    shown = [float(rank) for rank in re.findall(r"^\| ([\d.]+) \|", generator.page(), re.MULTILINE)]
    assert len(shown) == len(ROWS) and shown == sorted(shown, reverse=True)

"""The published schemas are the types. `segue change schema NAME` prints what a failing file should hold."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest

from segue.changes.schemas import SCHEMAS, schema

PUBLISHED = Path(__file__).parents[2] / "docs" / "reference" / "schemas"


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_published_schema_is_the_one_of_the_types(name: str) -> None:
    written = json.dumps(schema(name), indent=2, ensure_ascii=False) + "\n"
    assert (PUBLISHED / f"tc_{name}.schema.json").read_text("utf-8") == written


def test_every_published_schema_has_a_type() -> None:
    assert {
        path.name.removeprefix("tc_").removesuffix(".schema.json") for path in PUBLISHED.glob("tc_*.json")
    } == set(SCHEMAS)


@pytest.mark.parametrize("name", ["record", "registry", "config"])
@pytest.mark.parametrize("line", ["tc_tracker", "technical_change"])
def test_the_files_of_both_originals_fit_the_types(name: str, line: str) -> None:
    folder = Path(__file__).parent / "fixtures" / line / "docs" / "TC"
    (path,) = folder.rglob(f"tc_{name}.json")
    msgspec.convert(json.loads(path.read_text("utf-8")), SCHEMAS[name][0])

"""Every name in the registry is a reader, and every reader has a case that shows it."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path

import pytest

from segue.agents.contract import Home, Reader
from segue.agents.registry import READERS, reader
from segue.errors import BadInput

FIXTURES = Path(__file__).parent.parent / "fixtures" / "agents"
CONTRACT = [
    name for name, value in vars(Reader).items() if inspect.isfunction(value) and not name.startswith("_")
]


@pytest.mark.parametrize("name", READERS)
def test_a_reader_has_the_functions_of_the_contract(name: str) -> None:
    module = reader(name)
    for function in CONTRACT:
        wanted = list(inspect.signature(getattr(Reader, function)).parameters)[1:]
        assert list(inspect.signature(getattr(module, function)).parameters) == wanted


@pytest.mark.parametrize("name", READERS)
def test_a_reader_bears_the_name_it_is_registered_under(name: str) -> None:
    assert name == reader(name).AGENT


@pytest.mark.parametrize("name", [name for name in READERS if name != "generic"])
def test_a_reader_says_where_its_files_live_and_which_versions_it_knows(name: str) -> None:
    said = inspect.getdoc(reader(name)) or ""
    assert [part for part in ("Where", "Versions seen") if part not in said] == []


@pytest.mark.parametrize("name", READERS)
def test_a_reader_has_a_case(name: str) -> None:
    assert list((FIXTURES / name).glob("*/input*")) != []


@pytest.mark.parametrize("name", READERS)
def test_places_are_patterns_below_the_home_they_are_given_or_around_the_working_directory(name: str) -> None:
    home = Home("/scratch/home", {})
    assert all(place.startswith("/scratch/home/") for place in reader(name).places(home, None))
    around = {str(folder) for folder in Path("/scratch/home/project/.").parents}
    for place in reader(name).places(home, "/scratch/home/project"):
        assert place.startswith("/scratch/home/") or str(Path(place).parent) in around


def test_a_name_nobody_has_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadInput) as refused:
        reader("abacus")
    assert "abacus" in refused.value.message
    assert all(name in refused.value.hint for name in READERS)


def test_listing_agents_imports_no_reader() -> None:
    code = (
        "import sys, segue.agents.registry as r; print([m for m in r.READERS.values() if m in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout.strip() == "[]"

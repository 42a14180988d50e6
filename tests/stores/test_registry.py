"""Stores are opened by name, and only the one that is named is imported."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from segue.errors import BadInput, Unavailable
from segue.stores import registry


@pytest.mark.parametrize("module", [*registry.LOGS.values(), *registry.ARTIFACTS.values()])
def test_every_name_leads_to_a_module(module: str) -> None:
    assert importlib.util.find_spec(module)


@pytest.mark.parametrize("spec", ["", "tape", "tape://host/reel", "SQLITE"])
def test_a_store_nobody_has_is_bad_input_that_lists_the_known_ones(spec: str) -> None:
    for opener, known in ((registry.open_log, "sqlite"), (registry.open_artifacts, "files")):
        with pytest.raises(BadInput, match="no store called") as caught:
            opener(spec, "/nowhere")
        assert known in caught.value.hint
        assert "memory" not in caught.value.hint


def test_a_store_whose_library_is_missing_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    for name in [name for name in sys.modules if name.startswith("segue.stores.postgres")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(Unavailable, match="needs psycopg") as caught:
        registry.open_log("postgresql://host/db?workspace=team", "/nowhere")
    assert caught.value.hint == "pip install 'segue[pg]'"


def test_opening_touches_nothing(tmp_path: Path) -> None:
    registry.open_log("sqlite", str(tmp_path / "log")).close()
    registry.open_artifacts("files", str(tmp_path / "artifacts"))
    assert list(tmp_path.iterdir()) == []


def test_the_registry_imports_no_store() -> None:
    script = (
        "import sys, segue.stores.registry; print('apsw' in sys.modules, 'segue.stores.blobs' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "False False\n"

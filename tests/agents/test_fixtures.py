"""Each case gives exactly the entries that stand beside it.

`SEGUE_UPDATE_GOLDEN=1 pytest tests/agents/test_fixtures.py` writes what is read now; read the
difference before keeping it.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import msgspec

from segue.agents.locate import identify
from segue.agents.registry import reader
from segue.model.entry import Entry


def compact(entry: Entry, case: Path) -> dict[str, Any]:
    """An entry without its defaults; its file as the case names it."""
    told = msgspec.to_builtins(entry)
    file = os.path.relpath(told.pop("file"), case)
    return told if file == "." or ("/" not in file and file.startswith("input.")) else {"file": file, **told}


def golden(entries: list[dict[str, Any]]) -> str:
    """One entry per line, so that a difference shows the entries that differ."""
    lines = [json.dumps(entry, ensure_ascii=False, sort_keys=True) for entry in entries]
    return "[\n" + ",\n".join(lines) + "\n]\n"


def test_a_case_gives_the_expected_entries(case: Any, tmp_path: Path) -> None:
    told = golden([compact(entry, tmp_path) for entry in case.read(case.copied(tmp_path))])
    if os.environ.get("SEGUE_UPDATE_GOLDEN"):
        case.expected.write_text(told, "utf-8")
    assert told == case.expected.read_text("utf-8")


def test_reading_twice_gives_the_same_entries(case: Any, tmp_path: Path) -> None:
    path = case.copied(tmp_path)
    assert case.read(path) == case.read(path)


def test_the_first_entry_is_a_meta_with_the_id_that_sessions_names(case: Any, tmp_path: Path) -> None:
    path = str(case.copied(tmp_path))
    first = next(iter(reader(case.agent).read(path)))
    assert first.kind == "meta"
    assert first.data["id"] in list(reader(case.agent).sessions(path))


def test_the_file_of_a_case_is_known_as_its_agents(case: Any, tmp_path: Path) -> None:
    assert identify(str(case.copied(tmp_path)))[0] == case.agent


def test_entries_survive_being_stored(case: Any, tmp_path: Path) -> None:
    told = case.read(case.copied(tmp_path))
    assert msgspec.json.decode(msgspec.json.encode(told), type=list[Entry]) == told


OUT_OF_ORDER = {
    "claude-code": "a prompt that still waits in the queue is told after everything else",
    "gemini-cli": "a message stands where it began and is told as it was written last",
    "amp": "where a document breaks off is told after everything before it",
}


def test_entries_stand_in_file_order(case: Any, tmp_path: Path) -> None:
    told = case.read(case.copied(tmp_path))
    places = [entry.line for entry in told if entry.file == told[0].file]
    assert places == sorted(places) or case.agent in OUT_OF_ORDER

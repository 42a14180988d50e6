"""The long texts of one record, whole, whatever the file is."""

from __future__ import annotations

import json
import os
from pathlib import Path

from segue.agents.whole_lines import whole_lines

LONG = "def near(): ...\n" + "x = 1\n" * 900 + "def far(): ..."


def written(folder: Path, *rows: object) -> str:
    place = folder / "session.jsonl"
    place.write_text("".join(f"{row if isinstance(row, str) else json.dumps(row)}\n" for row in rows))
    return str(place)


def test_the_texts_of_a_record_are_whole_and_names_of_the_format_are_left_out(tmp_path: Path) -> None:
    call = {"type": "tool_use", "input": {"new": [LONG]}}
    text = whole_lines(written(tmp_path, {"a": "one\ntwo"}, call))
    assert text(2) == LONG
    assert (text(1), text(0), text(3)) == ("one\ntwo", "", "")


def test_json_within_a_text_is_read_too(tmp_path: Path) -> None:
    text = whole_lines(written(tmp_path, {"arguments": json.dumps({"patch": LONG})}))
    assert text(1).endswith(LONG)


def test_what_is_no_json_or_no_file_has_no_texts(tmp_path: Path) -> None:
    assert whole_lines(written(tmp_path, "{", ""))(1) == ""
    assert whole_lines(str(tmp_path / "gone"))(1) == ""
    os.mkfifo(tmp_path / "pipe")
    assert whole_lines(str(tmp_path / "pipe"))(1) == ""

"""Grounding a text in a session of the workspace: the same answer from a file, an id, or what the text names."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from segue.errors import BadInput
from segue.handoff.lint import LARGEST
from segue.service.handoffs import grounding
from segue.service.sessions import lookup
from segue.service.sessions.lookup import Source

ROWS = (
    {"kind": "meta", "data": {"id": "s-1"}},
    {"kind": "user", "by": "person", "via": "prompt", "text": "Add retries. You must never sleep in a test."},
    {"kind": "tool_call", "call_id": "c", "tool": "Bash", "tool_kind": "shell", "command": "make test"},
    {"kind": "tool_result", "call_id": "c", "text": "12 passed", "exit_code": 0, "is_error": False},
    {"kind": "agent", "text": "The token is sk-ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789AbCd"},
)


@pytest.fixture
def source(tmp_path: Path) -> Source:
    place = tmp_path / "session.jsonl"
    place.write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return lookup.at(str(place), "generic")


def test_findings_name_the_line_the_atom_and_what_would_be_right(source: Source) -> None:
    found = grounding.grounded("# H\n- `make test` gave 13 passed [#4]\n", source)
    assert (found["ok"], found["checked"], found["shown"]) == (False, 1, 0)
    assert found["findings"] == [
        {
            "kind": "contradicted",
            "where": "line 2",
            "line": 2,
            "severity": "error",
            "atom": "13",
            "message": "#4 has 12, not 13.",
            "hint": "Read the session there; it is right and the text is not.",
            "lines": [4],
        }
    ]


def test_what_was_demanded_is_missing_and_put_back(source: Source) -> None:
    found = grounding.grounded("- `make test` gave 12 passed [#4]\n", source, repair=True)
    assert found["ok"] and found["missing"] == [
        {"what": "demanded", "text": "Add retries. You must never sleep in a test.", "evidence": [2]}
    ]
    again = grounding.grounded(found["text"], source)
    assert again["missing"] == [] and again["ok"]


def test_an_empty_text_lost_everything_and_is_no_error(source: Source) -> None:
    found = grounding.grounded("", source)
    assert (found["ok"], found["checked"], len(found["missing"])) == (True, 0, 1)


def test_a_secret_of_the_session_is_in_no_finding(source: Source) -> None:
    secret = str(ROWS[4]["text"]).rpartition(" ")[2]
    found = grounding.grounded(f"- The token is `{secret}` [#4]\n", source, repair=True)
    assert secret not in json.dumps(found)


@pytest.mark.parametrize("text", ["\0\1binary", "x" * (LARGEST + 1)])
def test_what_is_no_text_or_too_long_is_refused(source: Source, text: str) -> None:
    with pytest.raises(BadInput):
        grounding.grounded(text, source)

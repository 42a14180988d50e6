"""What is written into a sensitive file is withheld and learnt, wherever an entry tells of it."""

from __future__ import annotations

from typing import Any

import pytest

from segue.model.entry import Edit, Entry
from segue.redaction.redact import Redactor, redact_entry, taught_by
from segue.service.handoffs.draft import Session, draft

SECRET = "Zk38fJd0Qpw7Vx21bN"
OTHER = "Wq5Lr82TnXc0Hy6DmB"


def entry(line: int, kind: str, **fields: Any) -> Entry:
    return Entry(file="session.jsonl", line=line, kind=kind, **fields)  # type: ignore[arg-type]


def written(path: str) -> tuple[Edit, ...]:
    return (Edit(path=path, new=f"MAILER={SECRET}\nPORT=8080\n", old=f"MAILER={OTHER}\n"),)


def on_call(path: str) -> list[Entry]:
    return [
        entry(2, "tool_call", call_id="c1", tool_kind="edit", edits=written(path)),
        entry(3, "tool_result", call_id="c1", tool_kind="edit"),
    ]


def on_result(path: str) -> list[Entry]:
    return [
        entry(2, "tool_call", call_id="c1", tool_kind="other", text="await tools.apply_patch(p)"),
        entry(3, "tool_result", call_id="c1", tool_kind="other", text="Success", edits=written(path)),
    ]


def session(edit: list[Entry]) -> list[Entry]:
    return [
        entry(1, "user", by="person", via="prompt", text=f"Set up the mailer, no longer with {OTHER}."),
        *edit,
        entry(4, "agent", by="agent", text=f"Set to {SECRET}."),
    ]


@pytest.mark.parametrize("told", [on_call, on_result])
@pytest.mark.parametrize("path", [".env", "config/.env.production", "secrets.yaml"])
def test_no_handoff_names_what_was_written_into_a_sensitive_file(told: Any, path: str) -> None:
    made = draft(Session("generic", "session.jsonl", session(told(path))), "go on")
    assert [secret for secret in (SECRET, OTHER) if secret in repr(made)] == []
    assert path in repr(made)


@pytest.mark.parametrize("told", [on_call, on_result])
def test_what_was_written_into_a_sensitive_file_is_known_before_it_is_told(told: Any) -> None:
    entries = session(told(".env"))
    redactor = taught_by(entries)
    clean = repr([redact_entry(each, redactor) for each in entries])
    assert [secret for secret in (SECRET, OTHER) if secret in clean] == []


def test_the_result_of_an_edit_shows_nothing_of_the_sensitive_file_around_it() -> None:
    redactor = Redactor()
    call, result = on_call(".env")
    shown = "2: SENDER=Jt7Gb40VkPz9Rs3XwM\n3: PORT=8080"
    redact_entry(call, redactor)
    clean = redact_entry(entry(3, "tool_result", call_id=result.call_id, text=shown), redactor)
    assert clean.text == f"[redacted:sensitive-file] .env ({len(shown)} characters)"


def test_what_is_written_into_any_other_file_stays() -> None:
    entries = session(on_result("src/app.py"))
    redactor = taught_by(entries)
    assert [redact_entry(each, redactor) for each in entries] == entries

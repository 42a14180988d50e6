"""Entries and nested values: every field that bears text, and files that are never quoted."""

from __future__ import annotations

import pytest

from segue.model.entry import Edit, Entry, Todo
from segue.redaction.redact import Redactor, redact_entry, redact_json

SECRET = "k2j9x81m44pq"
LINE = f"API_KEY={SECRET}"
CLEAN = "API_KEY=[redacted:assignment]"
ENV = f"# local\n{LINE}\nMODE=development\n"


def entry(**fields: object) -> Entry:
    return Entry(file="session.jsonl", line=1, **{"kind": "agent", **fields})  # type: ignore[arg-type]


def test_an_entry_without_a_secret_is_the_same_object() -> None:
    told = entry(
        text="All 12 tests pass.",
        command="pytest -q",
        edits=(Edit(path="a.py", new="token = 1", old=""),),
        todos=(Todo("rotate the token"),),
        data={"type": "note", "list": [1, "two", {"three": None}]},
    )
    assert redact_entry(told, Redactor()) is told


@pytest.mark.parametrize("field", ["text", "command", "reason"])
def test_each_text_of_an_entry_is_redacted(field: str) -> None:
    assert getattr(redact_entry(entry(**{field: LINE}), Redactor()), field) == CLEAN


def test_edits_todos_and_data_of_an_entry_are_redacted() -> None:
    told = redact_entry(
        entry(
            edits=(Edit(path="a.py", new=LINE, old="x = 1"), Edit(path="b.py", old=LINE)),
            todos=(Todo("write tests"), Todo(f"remove {LINE}", "in_progress")),
            data={"title": LINE, "more": [{"deep": LINE}], "count": 3},
        ),
        Redactor(),
    )
    assert told.edits == (Edit(path="a.py", new=CLEAN, old="x = 1"), Edit(path="b.py", old=CLEAN))
    assert told.todos == (Todo("write tests"), Todo(f"remove {CLEAN}", "in_progress"))
    assert told.data == {"title": CLEAN, "more": [{"deep": CLEAN}], "count": 3}


def test_where_an_entry_stands_and_what_it_touched_stay() -> None:
    told = redact_entry(
        entry(text=LINE, paths=("config/.env",), cwd="/work", native_id="n1", call_id="c1"), Redactor()
    )
    assert (told.file, told.line, told.paths, told.cwd) == ("session.jsonl", 1, ("config/.env",), "/work")
    assert (told.native_id, told.call_id) == ("n1", "c1")


def test_the_result_of_reading_a_sensitive_file_is_replaced_by_its_name_and_size() -> None:
    redactor = Redactor()
    redact_entry(entry(kind="tool_call", tool_kind="read", paths=("app/.env",), call_id="c1"), redactor)
    result = redact_entry(
        entry(kind="tool_result", call_id="c1", text=ENV, data={"content": ENV, "lines": 3}), redactor
    )
    assert result.text == f"[redacted:sensitive-file] app/.env ({len(ENV)} characters)"
    assert result.data == {"content": result.text, "lines": 3}
    assert redactor.receipt().by_kind == {"sensitive-file": 2}


def test_what_a_sensitive_file_held_vanishes_from_the_rest_of_the_session() -> None:
    redactor = Redactor()
    redact_entry(entry(kind="tool_result", tool_kind="read", paths=(".env",), text=ENV), redactor)
    assert (
        redact_entry(entry(text=f"I will use {SECRET} now."), redactor).text
        == "I will use [redacted:known-value] now."
    )


def test_the_size_of_a_clipped_result_is_that_of_the_whole() -> None:
    result = entry(kind="tool_result", tool_kind="read", paths=(".env",), text=ENV, size=40_000)
    assert redact_entry(result, Redactor()).text == "[redacted:sensitive-file] .env (40000 characters)"


def test_a_shell_command_that_shows_a_sensitive_file_has_its_result_withheld() -> None:
    redactor = Redactor()
    redact_entry(
        entry(kind="tool_call", tool_kind="shell", command="cd app && cat .env", call_id="c1"), redactor
    )
    result = redact_entry(entry(kind="tool_result", tool_kind="shell", call_id="c1", text=ENV), redactor)
    assert result.text == f"[redacted:sensitive-file] .env ({len(ENV)} characters)"


def test_a_command_that_shows_more_than_the_file_keeps_the_rest_of_its_result() -> None:
    redactor = Redactor()
    redact_entry(
        entry(kind="tool_call", tool_kind="shell", command="cat .env; pytest -q", call_id="c1"), redactor
    )
    shown = f"SERVICE_CODE={SECRET}\n12 passed in 0.3s\n"
    result = redact_entry(entry(kind="tool_result", tool_kind="shell", call_id="c1", text=shown), redactor)
    assert result.text == "SERVICE_CODE=[redacted:known-value]\n12 passed in 0.3s\n"


def test_a_command_that_merely_names_a_sensitive_file_keeps_its_result() -> None:
    redactor = Redactor()
    redact_entry(entry(kind="tool_call", tool_kind="shell", command="git add .env", call_id="c1"), redactor)
    result = entry(kind="tool_result", tool_kind="shell", call_id="c1", text="fatal: .env is ignored")
    assert redact_entry(result, redactor) is result


def test_an_error_about_a_sensitive_file_is_told() -> None:
    redactor = Redactor()
    redact_entry(entry(kind="tool_call", tool_kind="read", paths=(".env",), call_id="c1"), redactor)
    result = entry(kind="tool_result", call_id="c1", text="File does not exist.", is_error=True)
    assert redact_entry(result, redactor) is result


def test_without_call_ids_a_result_belongs_to_the_call_before_it() -> None:
    redactor = Redactor()
    redact_entry(entry(kind="tool_call", tool_kind="read", paths=(".env",)), redactor)
    first = redact_entry(entry(kind="tool_result", text="MODE=development\n"), redactor)
    redact_entry(entry(kind="tool_call", tool_kind="read", paths=("README.md",)), redactor)
    second = redact_entry(entry(kind="tool_result", text="MODE=development\n"), redactor)
    assert (first.text, second.text) == (
        "[redacted:sensitive-file] .env (17 characters)",
        "MODE=development\n",
    )


def test_a_list_of_names_may_name_a_sensitive_file() -> None:
    listing = entry(kind="tool_result", tool_kind="search", paths=("a.py", ".env"), text="a.py\n.env\n")
    assert redact_entry(listing, Redactor()) is listing


def test_what_is_written_into_a_sensitive_file_is_withheld_and_learnt() -> None:
    redactor = Redactor()
    call = entry(
        kind="tool_call",
        tool_kind="write",
        paths=(".env",),
        call_id="c1",
        edits=(Edit(path=".env", action="created", new=f"SERVICE_CODE={SECRET}\n"),),
        data={"content": f"SERVICE_CODE={SECRET}\n"},
    )
    told = redact_entry(call, redactor)
    assert told.edits[0].new == "[redacted:sensitive-file] .env (26 characters)"
    assert told.data["content"] == "[redacted:sensitive-file] .env (26 characters)"
    assert redactor.learned == {SECRET}


def test_what_a_shell_writes_into_a_sensitive_file_is_learnt() -> None:
    redactor = Redactor()
    command = f"cat > .env <<'EOF'\nSERVICE_CODE={SECRET}\nEOF"
    told = redact_entry(entry(kind="tool_call", tool_kind="shell", command=command, call_id="c1"), redactor)
    assert told.command == command.replace(SECRET, "[redacted:known-value]")


def test_redacting_an_entry_twice_changes_nothing_more() -> None:
    redactor = Redactor()
    call = entry(kind="tool_call", tool_kind="read", paths=(".env",), call_id="c1")
    result = entry(kind="tool_result", call_id="c1", text=ENV, data={"content": ENV})
    redact_entry(call, redactor)
    once = redact_entry(result, redactor)
    assert redact_entry(once, redactor) is once


def test_a_value_is_judged_by_the_key_it_stands_under() -> None:
    told = {
        "password": "hunter2",
        "headers": {"Authorization": f"Bearer {SECRET}"},
        "tokens": 12,
        "token": "newline",
    }
    marked = {
        "password": "[redacted:assignment]",
        "headers": {"Authorization": "Bearer [redacted:authorization]"},
        "tokens": 12,
        "token": "newline",
    }
    assert redact_json(told, Redactor()) == marked


def test_a_secret_as_a_key_and_values_in_lists_vanish() -> None:
    told = {LINE: 1, "api_key": [SECRET, "none"], "pair": (LINE, 2)}
    marked = {CLEAN: 1, "api_key": ["[redacted:assignment]", "none"], "pair": (CLEAN, 2)}
    assert redact_json(told, Redactor()) == marked


def test_values_under_a_telling_key_keep_their_own_kind() -> None:
    token = "gh" + "p_" + "a8Kd02mZq7Rt5Yw1Xc9Ve3Bn6Hj4Gfa8Kd02"
    assert redact_json({"token": token}, Redactor()) == {"token": "[redacted:github-token]"}
    assert redact_json({"token": f'say "{token}"\nthen go'}, Redactor()) == {
        "token": 'say "[redacted:github-token]"\nthen go'
    }


def test_values_nested_beyond_reason_are_cut_off() -> None:
    value: list[object] = [LINE]
    for _ in range(5000):
        value = [value]
    assert "[redacted:too-deep]" in repr(redact_json(value, Redactor()))


@pytest.mark.parametrize("value", [None, True, 3, 2.5, [], {}, "plain", ("a", 1), {"a": [{"b": "c"}]}])
def test_a_value_without_a_secret_is_the_same_object(value: object) -> None:
    assert redact_json(value, Redactor()) is value

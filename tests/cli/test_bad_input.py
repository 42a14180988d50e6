"""Bad input is ordinary: a sentence, a hint, the right exit code, and nothing half-written."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from segue.model.visible import hidden
from segue.service.workspace import Workspace
from segue.surfaces.cli.output import Output

Segue = Callable[..., Any]
ABSENT = "01234567-89ab-7def-8123-456789abcdef"


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["thread", "show", ABSENT], 1),
        (["thread", "branch", ABSENT], 1),
        (["thread", "events", ABSENT], 1),
        (["thread", "show", "short"], 2),
        (["thread", "post", "default", "--content", "x", "--role", "wizard"], 2),
        (["thread", "post", "default", "--content", "x", "--run-ended", "done"], 2),
        (["thread", "branch", "default", "--from-seq", "7"], 2),
        (["thread", "branch", "default", "--from-seq", "-1"], 2),
        (["thread", "branch", "default", "--from-seq", "x"], 2),
        (["thread", "branch", "default", "--from-message-id", ABSENT], 1),
        (["thread", "handoff", "default"], 2),
        (["thread", "handoff", "default", "--summary-markdown", "   "], 2),
        (["thread", "handoff", "default", "--summary-file", "absent.md"], 1),
        (["thread", "handoff", "default", "--summary-file", "."], 2),
        (["thread", "handoff", "default", "--summary-markdown", "s", "--ref-file", "../x"], 2),
        (["thread", "handoff", "default", "--summary-markdown", "s", "--ref-thread", "default@x"], 2),
        (["thread", "handoff", "default", "--summary-artifact-id", "f" * 64], 1),
        (["thread", "post", "default", "--content", "x", "--expect-seq", "5"], 3),
        (["thread", "compile", "default", "--budget", "3"], 2),
        (["thread", "compile", "default", "--at-seq", "99"], 2),
        (["thread", "tag", "default"], 2),
        (["thread", "rename", "default", "\x00"], 2),
        (["thread", "events", "default", "--max-events", "0"], 2),
        (["thread", "checkpoint", "default"], 2),
        (["artifact", "get", "f" * 64], 1),
        (["artifact", "get", "abc"], 2),
        (["artifact", "get", "../../etc/passwd"], 2),
        (["artifact", "put", "absent"], 1),
        (["thread", "list", "--workspace", "absent"], 1),
        (["thread", "list", "--server", ""], 2),
        (["store", "copy", "--server="], 2),
        (["thread", "post", "default", "--content", "x", "--effects", "bad.json"], 2),
        (["thread", "post", "default", "--content", "x", "--run", "r", "--effects", "nan.json"], 2),
        (["thread", "post", "default", "--content", "x", "--run", "r", "--effects", "huge.json"], 2),
        (["thread", "post", "default", "--content", "x", "--run", "r", "--effects", "odd.json"], 2),
        (["thread", "search", "x", "--limit", "0"], 2),
        (["thread", "search", "x", "--limit", "-1"], 2),
        (["thread", "cut-points", "default", "--limit", "-1"], 2),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else str(value),
)
def test_each_refusal_has_a_sentence_and_its_exit_code(
    segue: Segue, tmp_path: Path, command: list[str], code: int
) -> None:
    (tmp_path / "bad.json").write_text("{not json")
    for name, value in (("nan", "NaN"), ("huge", "1e999"), ("odd", '"text"')):
        effect = f'[{{"tool_id": "t", "tool_name": "n", "exit_code": {value}}}]'
        (tmp_path / f"{name}.json").write_text(effect)
    segue("thread", "ensure")
    before = segue("thread", "show", "default", "--json").json["head_hash"]
    ran = segue(*command)
    assert (ran.code, ran.out) == (code, "")
    assert ran.err.startswith("segue: ") and ran.err.count("Traceback") == 0
    assert ran.err.splitlines()[-1].removeprefix("hint: ") != ran.err.splitlines()[-1]
    as_json = segue(*command, "--json")
    assert as_json.code == code
    assert set(as_json.json["error"]) == {"code", "message", "hint"}
    assert segue("thread", "show", "default", "--json").json["head_hash"] == before


def test_a_message_of_fifty_megabytes_is_refused(segue: Segue, tmp_path: Path) -> None:
    segue("thread", "ensure")
    ran = segue("thread", "post", "default", "--content-file", "-", stdin=b"x" * 50_000_000)
    assert ran.code == 2
    assert "segue artifact put" in ran.err


def test_a_message_comes_from_standard_input_whatever_its_bytes(segue: Segue) -> None:
    segue("thread", "ensure")
    assert segue("thread", "post", "default", "--content-file", "-", stdin=b"\xff ok \x00").code == 0
    frame = segue("thread", "events", "default", "--after-seq", "0").json
    assert frame["content"] == "\ufffd ok \x00"


def test_a_torn_log_is_said_and_left_alone(segue: Segue, tmp_path: Path) -> None:
    segue("thread", "ensure")
    log = tmp_path / ".segue" / "log.db"
    torn = b"SQLite format 3\0" + os.urandom(4000)
    log.write_bytes(torn)
    ran = segue("thread", "list")
    assert ran.code == 5
    assert "hint:" in ran.err
    assert log.read_bytes() == torn


def test_what_nobody_foresaw_is_a_sentence_and_a_traceback_only_when_asked_for(
    segue: Segue, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*given: object, **named: object) -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("segue.surfaces.cli.thread.ask", broken)
    ran = segue("thread", "list")
    assert (ran.code, ran.out, ran.err.count("\n")) == (5, "", 2)
    assert "boom" in ran.err and "hint: SEGUE_DEBUG=1" in ran.err
    as_json = segue("thread", "list", "--json")
    assert (as_json.code, as_json.json["error"]["code"]) == (5, "unforeseen")
    monkeypatch.setenv("SEGUE_DEBUG", "1")
    with pytest.raises(RuntimeError):
        segue("thread", "list")


@pytest.mark.parametrize("limit", ["1", "99999999999999999999999"])
def test_a_search_takes_any_limit_from_one_on(segue: Segue, limit: str) -> None:
    segue("thread", "create", "--title", "needle")
    assert len(segue("thread", "search", "needle", "--limit", limit, "--json").json["hits"]) == 1
    assert segue("thread", "search", "\udcff\0", "--limit", limit, "--json").json == {"hits": []}


@pytest.mark.parametrize("wait", ["-5", "99999999999999"])
def test_a_setting_out_of_range_is_said(segue: Segue, monkeypatch: pytest.MonkeyPatch, wait: str) -> None:
    segue("thread", "ensure")
    monkeypatch.setenv("SEGUE_STORE_LOCK_WAIT_S", wait)
    ran = segue("thread", "list")
    assert (ran.code, "between 0 and 86,400" in ran.err) == (2, True)


def test_verify_finds_a_bundle_whose_beginning_was_overwritten(segue: Segue, tmp_path: Path) -> None:
    segue("thread", "ensure")
    made = segue("thread", "handoff", "default", "--summary-markdown", "s", "--json").json
    blob = tmp_path / ".segue" / "artifacts" / "blobs" / made["summary_artifact_id"]
    blob.write_bytes(b"XXXX" + blob.read_bytes()[4:])
    ran = segue("verify", "--json")
    assert ran.code == 1
    assert {finding["kind"] for finding in ran.json["findings"]} == {"damaged_blob", "damaged"}


def test_verify_finds_a_log_cut_short_and_other_commands_say_so(segue: Segue, tmp_path: Path) -> None:
    segue("thread", "ensure")
    segue("thread", "post", "default", "--content", "word " * 20_000)
    os.truncate(tmp_path / ".segue" / "log.db", 20_000)
    ran = segue("verify")
    assert (ran.code, ran.err) == (1, "")
    assert "damaged at" in ran.out and "segue verify" not in ran.out
    shown = segue("thread", "show", "default")
    assert (shown.code, "restore log.db" in shown.err) == (5, True)


def test_verify_finds_a_frame_that_is_no_json_and_other_commands_name_it(
    segue: Segue, tmp_path: Path
) -> None:
    import apsw

    thread_id = segue("thread", "ensure", "--json").json["thread_id"]
    db = apsw.Connection(str(tmp_path / ".segue" / "log.db"))
    db.execute("UPDATE frames SET body = CAST('no json' AS BLOB)")
    db.close()
    ran = segue("verify", "--json")
    assert (ran.code, "undecodable" in {f["kind"] for f in ran.json["findings"]}) == (1, True)
    listed = segue("thread", "list", "--json")
    assert (listed.code, listed.json["error"]["code"]) == (5, "damaged")
    assert f"Frame 0 of stream {thread_id}" in listed.json["error"]["message"]


@pytest.mark.parametrize("command", [["thread", "list"], ["thread", "ensure"], ["doctor"], ["verify"]])
@pytest.mark.parametrize("store", ["postgresql://u:secretpw@h/db", "host=h password=secretpw"])
def test_the_password_of_a_store_is_never_printed(
    segue: Segue, tmp_path: Path, command: list[str], store: str
) -> None:
    Workspace(str(tmp_path)).establish(store=store)
    for flags in ([], ["--json"]):
        ran = segue(*command, *flags)
        assert ran.code != 0
        assert "secretpw" not in ran.out + ran.err


def test_control_characters_are_shown_to_people_and_left_to_programs(segue: Segue) -> None:
    hostile = "red \x1b[31m bell \a back \x08 csi \x9b31m\ttab"
    segue("thread", "ensure")
    segue("thread", "post", "default", "--content", hostile)
    for command in (["thread", "search", "bell"], ["thread", "compile", "default"], [hostile]):
        ran = segue(*command)
        printed = ran.out + ran.err
        assert "\\x1b[31m" in printed
        assert [c for c in printed if not c.isprintable() and c not in "\n\t"] == []
    hits = segue("thread", "search", "bell", "--json").json["hits"]
    assert hostile in [hit["snippet"] for hit in hits]
    events = segue("thread", "events", "default").out
    assert hostile in [json.loads(line).get("content") for line in events.splitlines()]


def test_nothing_hidden_reaches_a_terminal_and_programs_get_it_as_escapes(segue: Segue) -> None:
    said = "bell \x7f \x9b2J \u202eturned\u2069 \U000e0041 می\u200cروم 👩\u200d🔧"
    segue("thread", "ensure")
    segue("thread", "post", "default", "--content", said)
    segue("thread", "create", "--title", said)
    found = ("thread", "search", "bell")
    for command in (found, ("thread", "events", "default"), ("thread", "list"), (*found, "--json"), (said,)):
        ran = segue(*command)
        assert hidden(ran.out + ran.err) == []
    assert said in [hit["snippet"] for hit in segue(*found, "--json").json["hits"]]
    events = segue("thread", "events", "default").out.splitlines()
    assert said in [json.loads(line).get("content") for line in events]


def test_a_stream_that_cannot_hold_a_character_gets_an_escape() -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
    Output(stream, stream, as_json=False).text("… \udcff é")
    stream.seek(0)
    assert stream.read() == "\\u2026 \\udcff \\xe9\n"


def test_a_log_of_a_newer_format_is_refused(segue: Segue, tmp_path: Path) -> None:
    import apsw

    segue("thread", "ensure")
    db = apsw.Connection(str(tmp_path / ".segue" / "log.db"))
    db.pragma("user_version", 99)
    db.close()
    ran = segue("thread", "list", "--json")
    assert (ran.code, ran.json["error"]["code"]) == (5, "newer_format")


def test_a_locked_log_is_said_within_the_wait(
    segue: Segue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    segue("thread", "ensure")
    monkeypatch.setenv("SEGUE_STORE_LOCK_WAIT_S", "0")
    with open(tmp_path / ".segue" / "log.lock") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        ran = segue("thread", "post", "default", "--content", "x")
    assert ran.code == 5
    assert "locked" in ran.err


def test_json_flags_may_stand_anywhere(segue: Segue) -> None:
    for command in (["--json", "thread", "list"], ["thread", "--json", "list"], ["thread", "list", "--json"]):
        assert segue(*command).json == {"threads": []}


def test_errors_are_one_json_document(segue: Segue) -> None:
    assert json.loads(segue("nonsense", "--json").out)["error"]["code"] == "bad_input"

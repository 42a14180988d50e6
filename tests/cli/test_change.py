"""Change records from the command line: shapes, refusals, and every flag on its way into a record."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from segue.model.change_update import Update
from segue.surfaces.cli.change.flags import EVERYWHERE, UPDATING

Run = Callable[..., Any]


@pytest.fixture
def change(segue: Run) -> Run:
    """`segue change …` in a project with change records."""
    segue("change", "init", "--project", "desk", "--author", "maker")
    return lambda *words, **options: segue("change", *words, **options)


@pytest.fixture
def tc_id(change: Run) -> str:
    made: str = change(
        "new", "Retry uploads", "--summary", "Retry uploads that fail", "--motivation", "They fail", "--json"
    ).json["tc_id"]
    return made


def shown(change: Run, tc_id: str) -> dict[str, Any]:
    found: dict[str, Any] = change("show", tc_id, "--json").json
    return found


def test_the_walk_from_init_to_close(segue: Run) -> None:
    assert segue("change", "init", "--json").json["status"] == "initialized"
    made = segue(
        "change",
        "new",
        "--title",
        "Retry uploads",
        "--scope",
        "bugfix",
        "--summary",
        "Retry uploads that fail",
        "--motivation",
        "They fail",
        "--json",
    ).json
    assert set(made) == {"tc_id", "path"}
    assert Path(made["path"]).is_file()
    tc_id = made["tc_id"]
    assert segue("change", "update", tc_id, "--set-status", "in_progress", "--reason", "begin").code == 0
    assert (
        segue(
            "change",
            "update",
            tc_id,
            "--status",
            "implemented",
            "--add-file",
            "a.py:created",
            "--progress",
            "Added `retry()` to a.py.",
        ).code
        == 0
    )
    refused = segue("change", "update", tc_id, "--status", "tested", "--json")
    assert (refused.code, refused.json["error"]["code"]) == (4, "entry_condition")
    assert "--test-result" in refused.json["error"]["hint"]
    assert (
        segue(
            "change",
            "update",
            tc_id,
            "--add-test",
            "It retries",
            "--test-procedure",
            "run it",
            "--test-expected",
            "ok",
        ).code
        == 0
    )
    tested = segue(
        "change",
        "update",
        tc_id,
        "--status",
        "tested",
        "--test-result",
        "T1",
        "pass",
        "--evidence",
        "T1",
        "command_output",
        "the run",
        "-",
        "--json",
        stdin=b"1 passed",
    )
    assert tested.json["status"] == "tested"
    assert segue("change", "close", tc_id).code == 4
    assert segue("change", "close", tc_id, "--approve", "approver", "--json").json["status"] == "deployed"
    assert segue("change", "lint").code == 0
    rows = segue("change", "list", "--json").json["changes"]
    assert [(row["tc_id"], row["status"], row["test_summary"]["pass"]) for row in rows] == [
        (tc_id, "deployed", 1)
    ]


def test_every_field_of_an_update_has_a_flag() -> None:
    by_group = {"add_tests", "approve", "revoke_approval", "add_subs", "handoff"}
    assert {flag.field for flag in (*EVERYWHERE, *UPDATING)} | by_group == set(Update.__struct_fields__)


@pytest.mark.parametrize(
    ("words", "path", "value"),
    [
        (["--title", "Retry all"], "title", "Retry all"),
        (["--priority", "high"], "priority", "high"),
        (["--project", "dock"], "project", "dock"),
        (["--scope", "hotfix"], "description.scope", "hotfix"),
        (["--summary", "Another summary"], "description.summary", "Another summary"),
        (["--motivation", "Because"], "description.motivation", "Because"),
        (["--design", "Like so"], "description.detailed_design", "Like so"),
        (["--effort", "small"], "metadata.estimated_effort", "small"),
        (["--breaking", "v1 is gone"], "description.breaking_changes", ["v1 is gone"]),
        (["--dependency", "x>=1"], "description.dependencies", ["x>=1"]),
        (["--add-file", "a b:c.py"], "files_affected.0.path", "a b:c.py"),
        (["--add-file", "a:b.py:deleted"], "files_affected.0.action", "deleted"),
        (["--describe-file", "a.py", "new"], "files_affected.0.description", "new"),
        (["--file-lines", "a.py", "+3", "-2"], "files_affected.0.lines_removed", 2),
        (["--coverage", "full"], "approval.test_coverage_status", "full"),
        (["--approve", "approver", "--approval-notes", "ok"], "approval.approval_notes", "ok"),
        (["--add-sub", "A part"], "sub_tcs.0.sub_id", "TC-001.A"),
        (["--tag", "net", "--tag", "io"], "tags", ["net", "io"]),
        (["--handoff-progress", "Did it."], "session_context.handoff.progress_summary", "Did it."),
        (["--handoff-next", "Do it"], "session_context.handoff.next_steps", ["Do it"]),
        (["--handoff-blocker", "No key"], "session_context.handoff.blockers", ["No key"]),
        (["--handoff-context", "Mind x"], "session_context.handoff.key_context", ["Mind x"]),
        (
            ["--file-state", "a.py", "ready", "done"],
            "session_context.handoff.files_in_progress.0.notes",
            "done",
        ),
        (
            ["--decision", "Use x", "It is there"],
            "session_context.handoff.decisions_made.0.rationale",
            "It is there",
        ),
        (["--maturity", '{"level": "draft"}'], "maturity.level", "draft"),
    ],
)
def test_a_flag_fills_its_field(change: Run, tc_id: str, words: list[str], path: str, value: object) -> None:
    assert change("update", tc_id, *words).code == 0
    found: Any = shown(change, tc_id)
    for name in path.split("."):
        found = found[int(name)] if name.isdigit() else found[name]
    assert found == value


def test_notes_without_quotes_are_refused_with_how_to_quote_them(change: Run, tc_id: str) -> None:
    refused = change("update", tc_id, "--file-state", "a.py", "editing", "needs", "more")
    assert "in quotes, as --file-state PATH STATE 'NOTES in several words'." in refused.err


def test_a_title_needs_no_quotes(change: Run) -> None:
    made = change("new", "Retry", "all", "uploads", "--scope", "bugfix", "--json").json
    assert shown(change, made["tc_id"])["title"] == "Retry all uploads"


def test_an_update_that_changes_nothing_makes_no_revision_and_says_so(change: Run, tc_id: str) -> None:
    change("update", tc_id, "--tag", "net", "--next", "Add a test for 503")
    again = change("update", tc_id, "--tag", "Net", "--move-next", "1", "1", "--status", "planned")
    assert "Nothing to change: the record already is as asked." in again.out
    assert len(shown(change, tc_id)["revision_history"]) == 2


def test_several_sub_changes_may_be_added_at_once(change: Run, tc_id: str) -> None:
    change("update", tc_id, "--add-sub", "First part", "--add-sub", "Second part")
    assert [sub["title"] for sub in shown(change, tc_id)["sub_tcs"]] == ["First part", "Second part"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["--add-test", "One", "--add-test", "Two", "--test-procedure", "run", "--test-expected", "ok"],
            "--add-test was given 2 times",
        ),
        (["--add-sub", "One", "--add-sub", "Two", "--sub-description", "x"], "--add-sub was given 2 times"),
        (["--under", "A"], "belong to a new sub-change"),
    ],
)
def test_a_flag_that_would_be_lost_is_refused(
    change: Run, tc_id: str, words: list[str], sentence: str
) -> None:
    before = shown(change, tc_id)
    ran = change("update", tc_id, *words)
    assert (ran.code, sentence in ran.err, shown(change, tc_id)) == (2, True, before)


def test_paths_given_in_a_folder_are_those_of_the_folder(
    change: Run, tc_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path("src/net").mkdir(parents=True)
    monkeypatch.chdir("src/net")
    words = ["--add-file", "a.py:created", "--add-file", "../b.py", "--file-state", "a.py", "editing"]
    assert change("update", tc_id, *words).code == 0
    document = shown(change, tc_id)
    listed = [(file["path"], file["action"]) for file in document["files_affected"]]
    assert listed == [("src/net/a.py", "created"), ("src/b.py", "modified")]
    assert document["session_context"]["handoff"]["files_in_progress"][0]["path"] == "src/net/a.py"
    assert change("update", tc_id, "--add-file", "../../../out.py").code == 2


def test_who_tested_may_be_another_than_the_author(change: Run, tc_id: str) -> None:
    change("update", tc_id, "--add-test", "It retries", "--test-procedure", "run", "--test-expected", "ok")
    change("update", tc_id, "--test-result", "T1", "pass", "--tested-by", "qa")
    assert shown(change, tc_id)["test_cases"][0]["tested_by"] == "qa"
    assert change("update", tc_id, "--tested-by", "qa").code == 2


def test_flags_take_away_what_flags_put_in(change: Run, tc_id: str) -> None:
    change(
        "update",
        tc_id,
        "--breaking",
        "x",
        "--dependency",
        "y",
        "--add-file",
        "a.py",
        "--tag",
        "t",
        "--context",
        "c",
    )
    change(
        "update",
        tc_id,
        "--next",
        "One",
        "--next",
        "Two",
        "--next",
        "Three",
        "--blocker",
        "No key",
        "--decision",
        "Use x",
        "why",
    )
    change("update", tc_id, "--file-state", "a.py", "editing", "--add-sub", "A part")
    change(
        "update",
        tc_id,
        "--move-next",
        "Three",
        "1",
        "--sub-status",
        "A",
        "in_progress",
        "--sub-file",
        "A",
        "p.py",
    )
    change("update", tc_id, "--sub-title", "A", "Another part", "--sub-describe", "A", "words")
    before = shown(change, tc_id)
    assert before["session_context"]["handoff"]["next_steps"] == ["Three", "One", "Two"]
    assert (before["sub_tcs"][0]["title"], before["sub_tcs"][0]["files_affected"]) == (
        "Another part",
        ["p.py"],
    )
    change(
        "update",
        tc_id,
        "--remove-breaking",
        "1",
        "--remove-dependency",
        "y",
        "--remove-file",
        "a.py",
        "--untag",
        "t",
        "--remove-context",
        "1",
    )
    change(
        "update",
        tc_id,
        "--complete-next",
        "1",
        "--remove-next",
        "Two",
        "--resolve-blocker",
        "1",
        "came",
        "--remove-decision",
        "1",
        "--file-done",
        "a.py",
    )
    after = shown(change, tc_id)
    block = after["session_context"]["handoff"]
    assert [
        block[name]
        for name in ("next_steps", "blockers", "key_context", "files_in_progress", "decisions_made")
    ] == [["One"], [], [], [], []]
    assert (after["description"]["breaking_changes"], after["files_affected"], after["tags"]) == ([], [], [])


def test_an_update_may_come_as_a_document(change: Run, tc_id: str) -> None:
    wanted = {
        "add_next": ["Add a test for 503"],
        "add_tests": [{"title": "It retries", "procedure": ["run"], "expected_result": "ok"}],
    }
    assert (
        change(
            "update", tc_id, "--from", "-", "--next", "Update README.md", stdin=json.dumps(wanted).encode()
        ).code
        == 0
    )
    document = shown(change, tc_id)
    assert document["session_context"]["handoff"]["next_steps"] == ["Add a test for 503", "Update README.md"]
    refused = change("update", tc_id, "--from", "-", stdin=b'{"colour": "red"}')
    assert (refused.code, "there is no field 'colour'" in refused.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["show", "../../etc"], 2, "is not the name of a change"),
        (["show", "TC-999"], 1, "There is no change TC-999"),
        (["update", "1", "--status", "done"], 2, "'done' is none of planned, in_progress, blocked"),
        (["update", "1", "--file-state", "a.py", "open"], 2, "'open' is none of editing, needs_review"),
        (["update", "1", "--status", "tested"], 4, "cannot become tested directly"),
        (["update", "1", "--status", "blocked"], 4, "no blocker is named"),
        (["update", "1", "--add-test", "No steps"], 2, "A test needs steps"),
        (["update", "1", "--test-expected", "x"], 2, "belong to a new test"),
        (["update", "1", "--approval-notes", "x"], 2, "belong to an approval"),
        (["update", "1", "--test-result", "T1"], 2, "--test-result takes TEST STATUS [RESULT]"),
        (["update", "1", "--test-result", "T9", "pass"], 2, "There is no test 'T9'"),
        (["update", "1", "--file-lines", "a", "b", "c"], 2, "is not a number"),
        (["update", "1", "--add-file", "../x"], 2, "outside the workspace"),
        (["update", "1", "--maturity", "{"], 2, "This is not JSON"),
        (["update", "1", "--strict", "--next", "continue"], 4, "cannot be acted on"),
        (["update", "1", "--evidence-file", "T1"], 2, "--evidence-file takes"),
        (["new", "abc"], 2, "The title has 3 characters"),
        (["list", "--limit", "0"], 2, "it is 1 or more"),
        (["retro"], 2, "Give a changelog file"),
        (["retro", "nowhere.json"], 1, "There is no file"),
        (["link", "1"], 1, "is not in a git repository"),
        (["schema", "nothing"], 2, "There is no schema"),
        (["promote", "1", "3"], 2, "There is no decision at all"),
        (["merge-driver", "a", "b", "c"], 3, "cannot be read"),
        (["close", "1"], 4, "only a tested change can be closed"),
        (["update", "1", "--tag", "a", "--untag", "a"], 2, "The tag 'a' cannot be added and taken away"),
        (["update", "1", "--approve", "x", "--revoke-approval"], 2, "cannot be given and taken back"),
        (["update", "1", "--status", "blocked", "--status", "paused"], 2, "--status was given 2 times"),
        (["update", "1", "--add-file", "a.py:modifed"], 2, "'modifed' is none of created, modified"),
        (["link", "1", "--pr-state", "open"], 2, "--pr-state is the state of a pull request"),
        (["new", "Retry uploads", "--title", "Retry downloads"], 2, "There are two titles"),
        (
            ["update", "1", "--file-state", "a.py", "editing", "needs", "more", "tests"],
            2,
            "--file-state takes PATH STATE [NOTES], and was given 5 words: a.py editing needs more tests",
        ),
        (["update", "1", "--evidence-file", "T1", "a", "the", "run"], 2, "was given 4 words: T1 a the run"),
    ],
)
def test_bad_input_gets_a_sentence_a_hint_and_a_code(
    change: Run, tc_id: str, words: list[str], code: int, sentence: str
) -> None:
    ran = change(*words)
    assert (ran.code, ran.out) == (code, "")
    assert sentence in ran.err
    error = change(*words, "--json").json["error"]
    assert sentence in error["message"]


def test_a_record_is_shown_with_what_matters_first(change: Run, tc_id: str) -> None:
    change(
        "update",
        tc_id,
        "--next",
        "Add a test for 503",
        "--progress",
        "Added `retry()`.",
        "--note",
        "seen by fixer",
    )
    page = change("show", tc_id).out
    assert (
        page.index("Done so far")
        < page.index("Next steps\n  1. Add a test for 503")
        < page.index("Notes")
        < page.index("History")
    )


def test_lint_fails_with_one_and_tells_where(change: Run, tc_id: str) -> None:
    change("update", tc_id, "--status", "in_progress", "--next", "continue")
    ran = change("lint", tc_id)
    assert ran.code == 1
    assert f"{tc_id}: next_steps, item 1: 'continue' cannot be acted on or checked off." in ran.out
    found = change("lint", tc_id, "--json").json
    assert (found["pass"], set(found["findings"][0])) == (
        False,
        {"rule", "severity", "where", "message", "hint"},
    )


def test_resume_prints_the_packet_and_warns_on_the_side(change: Run, tc_id: str) -> None:
    change("update", tc_id, "--add-file", "lost.py", "--next", "Add a test for 503")
    change("update", tc_id, "--status", "in_progress")
    ran = change("resume", tc_id, "--platform", "codex", "--model", "gpt", "--yes")
    assert "1. Add a test for 503" in ran.out
    assert "lost.py is said to be modified but is not there" in ran.err
    assert change("resume", tc_id, "--dry-run", "--json").json["session"]["agent"] == "codex"


@pytest.fixture
def agent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A codex that keeps what it was given in the file whose path this is."""
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "codex"
    program.write_text(
        f"#!{sys.executable}\nimport sys\nprint('working')\nopen('got.txt', 'w').write(sys.stdin.read())\n"
    )
    program.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return tmp_path / "got.txt"


def test_the_chosen_agent_is_started_with_the_packet_in_a_session_of_its_own(
    change: Run, tc_id: str, agent: Path
) -> None:
    ran = change("resume", tc_id, "--to", "codex", "--model", "gpt", "--launch", "--yes", "--json")
    assert ran.code == 0
    assert agent.read_text() == ran.json["packet"]
    session = shown(change, tc_id)["session_context"]["current_session"]
    assert (session["agent"], session["model"]) == ("codex", "gpt")


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["--launch"], 2, "--launch needs to know whom to start"),
        (["--launch", "--to", "windows95"], 2, "There is no agent"),
        (["--to", "nosuch"], 2, "There is no agent called 'nosuch'.\nhint: Known: claude-code, codex"),
        (["--launch", "--to", "codex"], 1, "codex is not installed here"),
        (["--out", "nowhere/packet.md"], 2, "nowhere/packet.md cannot be written"),
        (["--copy"], 5, "There is no clipboard here"),
    ],
)
def test_a_packet_that_cannot_be_handed_over_leaves_the_record_as_it_was(
    change: Run,
    tc_id: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    code: int,
    sentence: str,
) -> None:
    before = shown(change, tc_id)
    monkeypatch.setenv("PATH", str(tmp_path))
    ran = change("resume", tc_id, *words)
    assert (ran.code, ran.out) == (code, "")
    assert sentence in ran.err
    assert shown(change, tc_id) == before


@pytest.mark.parametrize("more", [[], ["--json"]])
def test_where_nobody_can_be_asked_a_change_is_shown_and_not_taken_up(
    change: Run, tc_id: str, more: list[str]
) -> None:
    before = shown(change, tc_id)
    ran = change("resume", tc_id, *more)
    assert (ran.code, "Retry uploads" in ran.out, "--yes takes it up" in ran.err) == (0, True, True)
    assert shown(change, tc_id) == before


def test_a_packet_is_written_to_a_file_and_the_answer_is_a_line(change: Run, tc_id: str) -> None:
    ran = change("resume", tc_id, "--to", "pi", "--out", "packet.md", "--yes")
    assert ran.out == f"{tc_id} is taken up by pi/unknown (R2)\n"
    assert Path("packet.md").read_text().startswith(f"# {tc_id}: Retry uploads\n")
    assert "Status in_progress" in Path("packet.md").read_text()


@pytest.mark.parametrize(("answer", "count"), [("y\n", 2), ("\n", 1), ("", 1)])
def test_a_person_is_asked_before_a_change_is_resumed(
    change: Run, tc_id: str, monkeypatch: pytest.MonkeyPatch, answer: str, count: int
) -> None:
    from segue.surfaces.cli import app

    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setattr("sys.stdin", Terminal(answer))
    assert app.run(["change", "resume", tc_id]) == 0
    assert len(shown(change, tc_id)["revision_history"]) == count


def test_the_registry_is_rebuilt_from_the_command_line(change: Run, tc_id: str) -> None:
    Path("docs/TC/tc_registry.json").write_text("<<<<<<< ours\n")
    listed = change("list")
    assert (listed.code, tc_id in listed.out, "segue change rebuild" in listed.err) == (0, True, True)
    assert change("rebuild", "--json").json["changed"] is True
    assert change("list").err == ""


def test_a_path_with_a_colon_that_exists_is_a_path(change: Run, tc_id: str) -> None:
    Path("a.py:modifed").write_text("")
    change("update", tc_id, "--add-file", "a.py:modifed")
    assert [file["path"] for file in shown(change, tc_id)["files_affected"]] == ["a.py:modifed"]


def test_an_empty_list_says_why_it_is_empty(segue: Run, change: Run, tc_id: str) -> None:
    assert change("list", "--tag", "net").out == "Of 1 change none fits: tag net.\n"
    assert change("show", "retry-up", "--json").json["tc_id"] == tc_id


def test_a_list_warns_when_a_record_says_something_else_than_the_registry(change: Run, tc_id: str) -> None:
    assert change("list").err == ""
    path = Path(f"docs/TC/records/{tc_id}/tc_record.json")
    path.write_text(path.read_text().replace('"Retry uploads"', '"Retry downloads"'))
    ran = change("list")
    assert (ran.code, "Retry downloads" in ran.out, len(ran.err.splitlines())) == (0, True, 1)
    assert f"{tc_id} differs from its record in title. `segue change rebuild`" in ran.err


def test_a_rebuild_tells_of_records_it_cannot_read_and_fails(change: Run, tc_id: str) -> None:
    assert change("rebuild", "--json").json["unreadable"] == []
    Path(f"docs/TC/records/{tc_id}/tc_record.json").write_text("<<<<<<< ours\n")
    ran = change("rebuild")
    assert (ran.code, f"{tc_id} cannot be read: " in ran.out) == (1, True)
    assert [row["tc_id"] for row in change("rebuild", "--json").json["unreadable"]] == [tc_id]


def test_evidence_files_decisions_dashboard_and_schema_have_their_verbs(change: Run, tc_id: str) -> None:
    Path("run.log").write_text("1 passed\n")
    change("update", tc_id, "--add-test", "It retries", "--test-procedure", "run", "--test-expected", "ok")
    assert (
        change(
            "update",
            tc_id,
            "--evidence-file",
            "T1",
            "run.log",
            "the run",
            "--decision",
            "Use x",
            "It is there",
        ).code
        == 0
    )
    assert Path(f"docs/TC/evidence/{tc_id}/T1-run.log").read_text() == "1 passed\n"
    assert change("promote", tc_id, "--json").json["added"] == ["Use x"]
    assert "has no decision that is not in docs/decisions.md already" in change("promote", tc_id).out
    assert change("dashboard", "--json").json["records"] == 1
    assert Path("docs/TC/index.html").read_text().startswith("<!doctype html>")
    assert change("dashboard", "--out", "-").out.startswith("<!doctype html>")
    assert json.loads(change("schema", "update").out)["$id"] == "tc_update.schema.json"


def test_the_past_is_recorded_from_a_file(change: Run) -> None:
    past = {
        "project": "desk",
        "changes": [
            {
                "title": "First thing",
                "scope": "feature",
                "description": "The first thing",
                "date": "2026-01-02",
            }
        ],
    }
    made = change("retro", "-", "--json", stdin=json.dumps(past).encode()).json["changes"]
    assert [row["tc_id"] for row in made] == ["TC-001-01-02-26-first-thing"]

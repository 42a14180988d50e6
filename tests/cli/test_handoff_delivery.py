"""What a handoff delivers: to whom, in which form, as somebody left it, and what it says of that."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from segue import samples
from segue.model import wire

Segue = Callable[..., Any]


@pytest.fixture
def session(tmp_path: Path) -> str:
    return samples.unpack(str(tmp_path))


@pytest.fixture
def editor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Sets an editor that does this with the `text` of its file."""

    def does(change: str) -> None:
        program = tmp_path / "editor"
        program.write_text(
            f"#!{sys.executable}\nimport sys\ntext = open(sys.argv[1]).read()\n{change}\n"
            "open(sys.argv[1], 'w').write(text)\n"
        )
        program.chmod(0o700)
        monkeypatch.setenv("VISUAL", str(program))

    return does


def handoff(segue: Segue, session: str, *more: str) -> Any:
    return segue("handoff", samples.GOAL, "--from", session, *more)


REPLACED = "text = text.replace('finish the retry tests', 'mind the gap, DB_PASSWORD=sesame99x')"


@pytest.mark.parametrize("form", ["document", "tc", "json"])
def test_a_form_of_its_own_is_delivered_as_it_was_edited_and_the_packet_committed_as_drafted(
    segue: Segue, session: str, editor: Callable[[str], None], form: str
) -> None:
    plain = handoff(segue, session, "--format", form, "--dry-run").out
    editor("text = text.replace('9090', '9191')")
    ran = handoff(segue, session, "--format", form, "--edit")
    assert ran.code == 0 and "9191" in ran.out and "9090" not in ran.out
    assert "9090" in plain
    assert "the log gets the packet as it was drafted" in ran.err
    packet = segue("thread", "list", "--json").json["threads"]
    bundle = segue("thread", "events", packet[-1]["thread_id"]).out
    assert "9090" in bundle and "9191" not in bundle


def test_what_is_typed_into_a_document_is_redacted_and_it_no_longer_says_that_nobody_reviewed_it(
    segue: Segue, session: str, editor: Callable[[str], None]
) -> None:
    editor(REPLACED)
    text = handoff(segue, session, "--format", "document", "--edit", "--dry-run").out
    assert "mind the gap" in text and "sesame99x" not in text
    assert "nobody has written or reviewed it" not in text
    assert "a person has reviewed it" in text
    assert "1 assignment" in next(line for line in text.splitlines() if line.startswith("Redacted"))


@pytest.mark.parametrize("form", ["packet", "bundle"])
def test_a_packet_that_was_edited_far_over_its_budget_is_refused_and_what_was_written_is_kept(
    segue: Segue, session: str, editor: Callable[[str], None], form: str
) -> None:
    editor("text += 'one more thing to keep in mind. ' * 900")
    ran = handoff(segue, session, "--edit", "--budget", "2000", "--format", form)
    assert (ran.code, ran.out) == (2, "")
    assert "tokens; the budget is 2000." in ran.err
    kept = ran.err.partition("What you wrote is kept in ")[2].strip().removesuffix(".")
    assert "one more thing to keep in mind." in Path(kept).read_text()
    os.unlink(kept)
    assert segue("thread", "list", "--json").json["threads"] == []


def test_a_packet_that_fills_its_budget_may_still_be_edited(
    segue: Segue, session: str, editor: Callable[[str], None]
) -> None:
    editor("text = text.replace('9090', '9191')")
    for budget in range(700, 720, 4):
        ran = handoff(segue, session, "--edit", "--dry-run", "--no-repo", "--budget", str(budget))
        assert ran.code == 0


@pytest.mark.parametrize("form", ["document", "tc", "bundle", "json"])
def test_the_answer_for_programs_holds_the_form_that_was_asked_for(
    segue: Segue, session: str, form: str
) -> None:
    text = handoff(segue, session, "--dry-run", "--no-repo", "--format", form).out
    told = handoff(segue, session, "--dry-run", "--no-repo", "--format", form, "--json").json
    assert (told["format"], told["rendered"]) == (form, text)
    assert told["packet"].startswith("This handoff was drawn from")
    assert "rendered" not in handoff(segue, session, "--dry-run", "--json").json


def test_a_document_that_nobody_looked_at_says_so(segue: Segue, session: str) -> None:
    assert "nobody has written or reviewed it" in handoff(segue, session, "--format", "document", "--yes").out


def test_facts_stay_json_when_a_secret_was_typed_into_them(
    segue: Segue, session: str, editor: Callable[[str], None]
) -> None:
    editor(REPLACED)
    text = handoff(segue, session, "--format", "json", "--edit", "--dry-run").out
    assert json.loads(text)["goal"].startswith("mind the gap") and "sesame99x" not in text


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("packet", r" of 300 tokens written to out\.txt\."),
        ("bundle", r"a bundle with a packet of \d+ of 300 tokens written to out\.txt\."),
        ("document", r"a document of \d{4} tokens \(the budget is the packet's\) written to out\.txt\."),
        (
            "tc",
            r"a change record's block of \d{3,4} tokens \(the budget is the packet's\) written to out\.txt\.",
        ),
        ("json", r"facts of \d{4,5} tokens \(the budget is the packet's\) written to out\.txt\."),
    ],
)
def test_what_was_written_is_told_with_its_own_size(segue: Segue, session: str, form: str, told: str) -> None:
    import re

    ran = handoff(segue, session, "--budget", "300", "--format", form, "--out", "out.txt")
    assert re.search(told, ran.err)


def test_a_dash_stands_for_standard_output(segue: Segue, session: str, tmp_path: Path) -> None:
    ran = handoff(segue, session, "--out", "-", "--yes")
    assert (ran.out, ran.err) == (handoff(segue, session, "--dry-run").out, "")
    assert not (tmp_path / "-").exists() and not (tmp_path / ".segue").exists()


def test_reasons_are_written_where_they_are_wanted(segue: Segue, session: str, tmp_path: Path) -> None:
    printed = handoff(segue, session, "--explain").out
    assert handoff(segue, session, "--explain", "--out", "why.txt").out == ""
    assert (tmp_path / "why.txt").read_text() == printed


def test_one_turn_is_one_turn(segue: Segue, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text(
        '{"segue":"session.v1","id":"s-1","cwd":"/p"}\n{"kind":"user","text":"Go."}\n'
    )
    assert segue("handoff", "--from", "generic:s.jsonl", "--explain").out.startswith("1 turn, ")
    assert "1 turn, 2 lines" in segue("handoff", "--from", "generic:s.jsonl", "--format", "document").out


@pytest.fixture
def codex(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An agent on the PATH that leaves with 7; the file holds its input once it was started."""
    (tmp_path / "bin").mkdir()
    agent = tmp_path / "bin" / "codex"
    agent.write_text("#!/bin/sh\ncat > got.txt\nexit ${CODE:-7}\n")
    agent.chmod(0o700)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return tmp_path / "got.txt"


@pytest.mark.parametrize(("flags", "code"), [(["--dry-run", "--yes"], 2), ([], 4), (["--out", "p.md"], 4)])
def test_nobody_is_started_with_a_draft_that_nobody_looked_at_or_that_is_not_to_be_used(
    segue: Segue, session: str, codex: Path, flags: list[str], code: int
) -> None:
    assert handoff(segue, session, "--to", "codex", "--launch", *flags).code == code
    assert not codex.exists()


def test_the_exit_code_of_the_agent_is_the_command_s(segue: Segue, session: str, codex: Path) -> None:
    assert handoff(segue, session, "--to", "codex", "--launch", "--yes").code == 7
    assert codex.read_text().startswith("This handoff was drawn from")


def test_an_agent_is_started_with_the_document_that_was_edited(
    segue: Segue, session: str, codex: Path, editor: Callable[[str], None]
) -> None:
    editor("text = text.replace('9090', '9191')")
    handoff(segue, session, "--to", "codex", "--launch", "--edit", "--format", "document")
    assert "9191" in codex.read_text() and "9090" not in codex.read_text()


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ("text = 'hello'", "error: "),
        ("text += '\\n## Context\\n- again\\n'", "Context"),
    ],
)
def test_a_packet_that_an_edit_made_worse_is_committed_with_a_warning(
    segue: Segue, session: str, editor: Callable[[str], None], change: str, told: str
) -> None:
    editor(change)
    ran = handoff(segue, session, "--edit", "--budget", "1500")
    assert ran.code == 0 and "segue: thread " in ran.err
    warned = [line for line in ran.err.splitlines() if line.startswith(("segue: error", "segue: warning"))]
    assert any(told in line for line in warned)


def test_an_edit_that_does_no_harm_is_not_warned_of_and_the_last_line_tells_of_it(
    segue: Segue, session: str, editor: Callable[[str], None]
) -> None:
    editor("text = text.replace('9090', '9191')")
    ran = handoff(segue, session, "--edit", "--json")
    assert "warning" not in ran.err and "error" not in ran.err
    assert ran.json["packet"].endswith(
        "\nEnd of handoff: all that was picked fits 4000 tokens; then a person edited it.\n"
    )


def run(session: str, script: str, **more: str) -> subprocess.CompletedProcess[bytes]:
    """A shell runs the script with $SEGUE and $SESSION set, where the session is."""
    env = {**os.environ, "SEGUE": f"{sys.executable} -m segue", "SESSION": session, **more}
    env["HOME"] = os.path.join(os.path.dirname(session), "home")
    return subprocess.run(
        ["bash", "-c", script], env=env, capture_output=True, cwd=os.path.dirname(session), check=False
    )


def test_a_goal_that_is_no_utf8_is_told_with_a_mark_and_written_whole(session: str, tmp_path: Path) -> None:
    ran = run(
        session,
        "$SEGUE handoff $'caf\\xe9' --from $SESSION --out p.md; $SEGUE handoff $'caf\\xe9' --from $SESSION --yes",
    )
    assert ran.returncode == 0 and b"did not foresee" not in ran.stderr
    assert '"caf\ufffd"' in (tmp_path / "p.md").read_text() and b'"caf\xef\xbf\xbd"' in ran.stdout


def test_a_directory_whose_name_is_no_utf8_is_handed_off_from_but_takes_no_workspace(session: str) -> None:
    script = "mkdir $'b\\xe9d'; cd $'b\\xe9d'; $SEGUE handoff --from $SESSION --out p.md && wc -c < p.md && "
    ran = run(session, script + "$SEGUE handoff --from $SESSION --yes; code=$?; ls -A; exit $code")
    size, *left = ran.stdout.split()
    assert (int(size) > 1000, left) == (True, [b"p.md"])
    assert (ran.returncode, b"the name is no UTF-8" in ran.stderr) == (2, True)


def test_a_session_in_such_a_directory_is_committed_elsewhere(session: str) -> None:
    script = "mkdir elsewhere $'b\\xe9d'; cd $'b\\xe9d'; git init -q; cp $SESSION s.jsonl; "
    ran = run(session, script + "$SEGUE handoff --from s.jsonl --yes --workspace ../elsewhere")
    assert (ran.returncode, b"segue: thread " in ran.stderr) == (0, True), ran.stderr


def test_a_blank_goal_is_no_goal(segue: Segue, session: str) -> None:
    blank = segue("handoff", " \t", "--from", session, "--dry-run").out
    assert blank == segue("handoff", "--from", session, "--dry-run").out


def test_a_file_that_cannot_be_replaced_keeps_what_it_held(
    segue: Segue, session: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "p.md").write_text("before")

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", refuse)
    assert handoff(segue, session, "--out", "p.md").code == 2
    assert (tmp_path / "p.md").read_text() == "before"
    assert not list(tmp_path.glob("p.md.*"))


def test_a_link_and_a_pipe_are_written_through(session: str, tmp_path: Path) -> None:
    (tmp_path / "real.md").write_text("")
    (tmp_path / "link.md").symlink_to("real.md")
    ran = run(
        session,
        "$SEGUE handoff go --from $SESSION --out link.md; $SEGUE handoff go --from $SESSION --out /dev/stdout",
    )
    assert (tmp_path / "link.md").is_symlink()
    assert (tmp_path / "real.md").read_bytes() == ran.stdout


@pytest.mark.parametrize(
    ("script", "code", "told", "committed"),
    [
        ("$SEGUE handoff go --from $SESSION <&-", 0, b"nobody is here to review", False),
        ("$SEGUE handoff go --from - <&-", 2, b"Standard input is empty", False),
        ("$SEGUE handoff go --from $SESSION --yes >&-", 5, b"Standard output is closed", False),
        ("$SEGUE handoff go --from $SESSION --yes --out p.md >&-", 0, b"written to p.md", False),
        ("$SEGUE handoff go --from $SESSION --yes 2>&-", 0, b"", True),
        ("$SEGUE handoff go --from absent.jsonl --yes 2>&-", 1, b"", False),
        ("EDITOR=\"'x\" VISUAL= $SEGUE handoff go --from $SESSION --edit", 2, b"$EDITOR cannot be read", False),
        ("VISUAL=rm $SEGUE handoff go --from $SESSION --edit", 4, b"removed the draft", False),
    ],
)  # fmt: skip
def test_closed_streams_and_odd_editors_are_told_in_a_sentence(
    session: str, tmp_path: Path, script: str, code: int, told: bytes, committed: bool
) -> None:
    ran = run(session, script)
    assert (ran.returncode, told in ran.stderr) == (code, True), ran.stderr
    assert b"Traceback" not in ran.stderr and b"did not foresee" not in ran.stderr
    assert (tmp_path / ".segue").exists() is committed


def test_the_locale_changes_no_byte(session: str) -> None:
    script = "$SEGUE handoff go --from $SESSION --dry-run"
    plain, poor = (
        run(session, script),
        run(session, script, PYTHONUTF8="0", LC_ALL="POSIX", PYTHONCOERCECLOCALE="0"),
    )
    assert "×".encode() in plain.stdout and plain.stdout == poor.stdout


def test_a_session_of_a_program_built_on_another_is_told_how_to_be_named(
    segue: Segue, tmp_path: Path
) -> None:
    (tmp_path / "openclaw.jsonl").write_text(
        '{"type":"session","version":3,"id":"s1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}\n'
        '{"type":"custom","customType":"openclaw.x","id":"a1","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z","data":{}}\n'
    )
    ran = segue("handoff", "go", "--from", "openclaw.jsonl")
    assert "pi:FILE" in ran.err and "--agent" not in ran.err


def test_a_byte_order_mark_does_not_hide_whose_session_it_is(
    segue: Segue, session: str, tmp_path: Path
) -> None:
    plain = segue("handoff", "go", "--from", session, "--dry-run").out
    marked = tmp_path / "marked.jsonl"
    marked.write_bytes(b"\xef\xbb\xbf" + Path(session).read_bytes())
    told = segue("handoff", "go", "--from", str(marked), "--dry-run").out
    assert told.replace(marked.name, Path(session).name) == plain


def test_a_bundle_that_was_edited_holds_the_edit(
    segue: Segue, session: str, editor: Callable[[str], None]
) -> None:
    editor("text = text.replace('9090', '9191')")
    bundle = wire.decode(handoff(segue, session, "--format", "bundle", "--edit", "--dry-run").out)
    assert "9191" in bundle["summary_markdown"]

"""Verify against the transcript: a true handoff holds, and one changed fact of it does not."""

from __future__ import annotations

from typing import Any

import pytest

from segue.extract import facts, index
from segue.handoff.document import render_document
from segue.handoff.packet import compose, render
from segue.handoff.parse import parse
from segue.handoff.verify.evidence import ran as holds_command
from segue.handoff.verify.evidence import says
from segue.handoff.verify.files import against_session
from segue.handoff.verify.finding import Finding
from segue.handoff.verify.transcript import against_transcript, witness
from segue.model.entry import Edit, Entry, Todo
from segue.model.facts import Facts


class Session:
    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._add("meta", by="harness", data={"id": "s-1"})

    def _add(self, kind: Any, text: str = "", **fields: Any) -> int:
        line = len(self.entries) + 1
        self.entries.append(Entry(kind=kind, file="s.jsonl", line=line, text=text, **fields))
        return line

    def asks(self, text: str) -> int:
        return self._add("user", text, by="person", via="prompt")

    def says(self, text: str) -> int:
        return self._add("agent", text)

    def runs(self, command: str, output: str, exit_code: int = 0) -> int:
        self._add("tool_call", call_id=command, tool="Bash", tool_kind="shell", command=command)
        return self._add("tool_result", output, call_id=command, exit_code=exit_code, is_error=exit_code != 0)

    def edits(self, path: str, action: Any = "modified") -> int:
        change = Edit(path=path, action=action, new="def upload(): ...")
        self._add("tool_call", call_id=path, tool="Edit", tool_kind="edit", paths=(path,), edits=(change,))
        return self._add("tool_result", "done", call_id=path, is_error=False)

    def lists(self, *todos: tuple[str, Any]) -> int:
        return self._add("todo", todos=tuple(Todo(text=text, state=state) for text, state in todos))


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session()
    made.asks("Add retries to the uploader. You must never call the live bucket from a test.")  # 2
    made.says("I decided to use exponential backoff instead of a fixed delay, because clients retry in step.")
    made.edits("src/uploader.py")  # 4, 5
    made.edits("src/policy.py", "created")  # 6, 7
    made.runs("npm run lint", "src/policy.py: error: line 12 is too long\n1 error", 2)  # 8, 9
    made.runs(
        "cd app && npm test -- --ci 2>&1", "Tests: \x1b[32m4 passed\x1b[0m, 4 total\nTime: 1.5 s"
    )  # 10, 11
    made.runs('git commit -qm x && git commit -m "Retry uploads"', "[main 1a2b3c4] Retry uploads\n 2 files")
    made.runs("git push", "To github.com:a/b\n   9f8e7d6..1a2b3c4  main -> main")  # 14, 15
    made.runs("gh pr create --fill", "https://github.com/a/b/pull/41")  # 16, 17
    made.lists(("Write the policy", "completed"), ("Cover the timeout", "pending"))  # 18
    made.asks("Now cover the timeout, and use port 9090 in the stub.")  # 19
    made.says("All tests pass and the policy is committed.")  # 20
    return made


@pytest.fixture(scope="module")
def known(session: Session) -> Facts:
    read = index.build(session.entries, "generic", "s.jsonl", str)
    return facts.select(read, "", budget=8000)[0]


@pytest.fixture(scope="module")
def packet(known: Facts) -> str:
    return render(compose(known, 8000, lambda text: len(text) // 4)[0])


def found(text: str, session: Session) -> list[Finding]:
    parsed = parse(text)
    watch = witness(parsed)
    read = index.build(watch.along(session.entries), "generic", "s.jsonl", str)
    transcript = watch.saw(read)
    return [*against_transcript(parsed, transcript), *against_session(parsed, transcript)]


def test_what_was_made_from_the_transcript_holds(known: Facts, packet: str, session: Session) -> None:
    for text in (packet, render_document(known, "")):
        assert {f.state for f in found(text, session)} == {"holds"}
    assert {f.kind for f in found(packet, session)} == {"quote", "claim", "command", "file", "to-do"}


@pytest.mark.parametrize(
    ("true", "false"),
    [
        ("4 passed, 4 total", "400 passed, 400 total"),
        ("commit 1a2b3c4", "commit deadbee"),
        ("on main: Retry", "on develop: Retry"),
        ("Retry uploads [", "Rewrite uploads ["),
        ("9f8e7d6..1a2b3c4", "9f8e7d6..0a0b0c0"),
        ("pushed main -> main", "pushed main -> release"),
        ("pull/41", "pull/9"),
        ("pull/41", "pull/4"),
        ("done: commit", "pushed: commit"),
        ("tested: `npm", "not tested: `npm"),
        ("tested: `npm", "verified live: `npm"),
        ("npm test -- --ci` passed", "npm test -- --ci` failed"),
        ("npm test -- --ci` passed", "npm run e2e` passed"),
        ("`npm run lint` exit 2", "`npm run lint` exit 1"),
        ("`npm run lint` exit 2", "`npm run lint` passed"),
        ("**Failing now**", "**Commands that worked**"),
        ("**Failing now**", "**Commands that ran, outcome unknown**"),
        ("**Failing now**", "**Failed earlier, fixed or abandoned since**"),
        ("line 12 is too long", "line 21 is too long"),
        ("must never call", "may always call"),
        ("the live bucket", "the test bucket"),
        ("port 9090", "port 8080"),
        ("exponential backoff", "linear backoff"),
        ("All tests pass and", "All tests fail and"),
        ("uploader.py (modified", "uploader.py (created"),
        ("policy.py (created", "policies.py (created"),
        ("- [x] Write the policy", "- [ ] Write the policy"),
        ("- [ ] Cover the timeout", "- [x] Cover the timeout"),
        ("\nsrc/uploader.py\n", "\nsrc/downloader.py\n"),
        ("session s-1 (", "session s-2 ("),
        ("(2 turns", "(20 turns"),
        ("backoff instead of a fixed delay, because clients retry in step. [#3]", "backoff. [#2]"),
        ("Retry uploads [#13]", "Retry uploads [#11]"),
        ("Retry uploads [#13]", "Retry uploads [#900]"),
    ],
)
def test_one_changed_fact_no_longer_holds(packet: str, session: Session, true: str, false: str) -> None:
    assert true in packet
    findings = found(packet.replace(true, false, 1), session)
    assert [f.state for f in findings if f.state != "holds"][:1] == ["drifted"]
    assert all(f.hint for f in findings if f.state != "holds")


@pytest.mark.parametrize(
    ("line", "state"),
    [
        ("- done: commit feed123 on main: Rewrite everything [#13]", "drifted"),
        ("- done: commit feed123", "drifted"),
        ("- done: opened https://github.com/a/b/pull/9 [#13]", "drifted"),
        ("- tested: `npm test`, 57 passed [#11]", "drifted"),
        ("- tested: all of it, 4 passed [#20]", "drifted"),
        ("- tested: `npm run e2e` passed", "drifted"),
        ("- tested: `npm test`: 4 passed [#11]", "holds"),
        ("- tested: 4 tests [#11]", "holds"),
        ("- tested: 4 passed", "holds"),
        ("- done: opened https://github.com/a/b/pull/41", "holds"),
        ("- done: commit 1a2b3c4", "holds"),
        ("- `npm run lint` exited with 2 [#9]", "holds"),
        ("- `npm run lint` passed [#9]", "drifted"),
        ("- done: the whole uploader [#13]", "unknown"),
        ("- deployed by hand as build 4711", None),
        ("- 57 passed on my machine", "unknown"),
        ("- Ask Kim about the bucket's owner.", None),
    ],
)
def test_a_line_that_a_person_added_is_judged_by_what_it_names(
    packet: str, session: Session, line: str, state: str | None
) -> None:
    edited = packet.replace("**State of the work**", f"**Notes of mine**\n{line}\n**State of the work**")
    place = f"Context, line {edited.split(chr(10)).index(line) + 1}"
    assert {f.state for f in found(edited, session) if f.where == place} == ({state} if state else set())


def with_word(packet: str, row: str) -> str:
    """The packet with one more row among the person's words."""
    return packet.replace("the later one wins**\n", f"the later one wins**\n{row}\n", 1)


def test_words_of_the_agent_are_not_taken_for_the_persons(packet: str, session: Session) -> None:
    forged = '- must: "All tests pass and the policy is committed." [#20]'
    findings = found(with_word(packet, forged), session)
    assert [f.message for f in findings if f.state == "drifted"] == [
        "#20 says 'All tests pass and the policy is committed.', but it was not the person who said it."
    ]


def test_an_earlier_word_that_was_never_said_is_not_replaced(packet: str, session: Session) -> None:
    forged = '- must: "use port 9090 in the stub" [#19] (replaces "use port 7070" [#2])'
    findings = found(with_word(packet, forged), session)
    assert [f.message for f in findings if f.state == "drifted"] == ["#2 does not say 'use port 7070'."]


def test_what_was_cut_or_redacted_may_stand_for_anything(packet: str, session: Session) -> None:
    quoted = "You must never call … from a [redacted:word]."
    added = with_word(packet, f'- must: "{quoted}" [#2]')
    assert {finding.state for finding in found(added, session)} == {"holds"}


def test_a_file_that_the_session_never_touched_is_not_known(packet: str, session: Session) -> None:
    added = packet.replace("\n## Task", "\ndocs/\n- retries.md\n\n## Task", 1)
    findings = [f for f in found(added, session) if f.state != "holds"]
    assert [(f.state, f.message) for f in findings] == [
        ("unknown", "The transcript does not tell of docs/retries.md.")
    ]


@pytest.mark.parametrize(
    ("quote", "state"), [("Now cover the timeout", "holds"), ("Now cover nothing", "drifted")]
)
def test_what_a_step_quotes_stands_where_it_points(
    packet: str, session: Session, quote: str, state: str
) -> None:
    edited = packet.replace("\n## Notes", f'\n**Next steps**\n1. Go on with "{quote}". [#19]\n\n## Notes', 1)
    assert [f.state for f in found(edited, session) if f"'{quote}'" in f.message] == [state]


@pytest.mark.parametrize(("told", "state"), [("npm test", "holds"), ("npm start", "drifted")])
def test_a_job_that_was_started_is_looked_for_where_it_was(
    packet: str, session: Session, told: str, state: str
) -> None:
    row = f"\n**Still running when last seen**\n- `{told}` [#10]\n\n## Files"
    edited = packet.replace("\n## Files", row, 1)
    assert [f.state for f in found(edited, session) if "start" in f.message] == [state]


@pytest.mark.parametrize(("command", "state"), [("npm test -- --ci", "holds"), ("npm start", "drifted")])
def test_a_run_whose_outcome_is_unknown_must_have_been_run(
    packet: str, session: Session, command: str, state: str
) -> None:
    row = f"\n**Commands that ran, outcome unknown**\n- `{command}` [#11]\n\n## Files"
    edited = packet.replace("\n## Files", row, 1)
    assert [f.state for f in found(edited, session) if f"`{command}`'" in f.message] == [state]


def test_a_command_told_short_went_well_if_any_that_it_may_mean_did(packet: str, session: Session) -> None:
    more = Session()
    more.entries = list(session.entries)
    more.runs("npm run deploy staging --wait", "deployed")
    more.runs("npm run deploy live --wait", "refused", 1)
    edited = packet.replace("\n## Files", "\n**Commands that worked**\n- `npm run deploy …`\n\n## Files", 1)
    assert [f.state for f in found(edited, more) if "deploy" in f.message] == ["holds"]


@pytest.fixture(scope="module")
def corrected() -> Session:
    made = Session()
    made.entries[0] = Entry(
        kind="meta", file="s.jsonl", line=1, by="harness", data={"id": "s-1", "branch": "main"}
    )
    made.asks("Write the receiver. Use port 8080. Don't touch migrations/.")  # 2
    made.says("I will begin with the receiver.")
    made.asks("no, use port 9090. 8080 is taken by the proxy.")  # 4
    made.lists(("Write the receiver", "pending"))
    change = Edit(path="src/receiver.py", action="modified", new="PORT = 9090")
    made._add(
        "tool_call",
        call_id="e",
        tool="Edit",
        tool_kind="edit",
        paths=("src/receiver.py",),
        edits=(change,),
    )
    return made


@pytest.fixture(scope="module")
def corrected_packet(corrected: Session) -> str:
    read = index.build(corrected.entries, "generic", "s.jsonl", str)
    return render(compose(facts.select(read, "", budget=8000)[0], 8000, lambda text: len(text) // 4)[0])


def test_a_correction_a_call_and_the_branch_hold_as_they_were(
    corrected_packet: str, corrected: Session
) -> None:
    findings = found(corrected_packet, corrected)
    assert {f.state for f in findings} == {"holds"}
    assert [f.message for f in findings if f.kind in ("command", "to-do", "file")] == [
        "The transcript shows no result of `Edit src/receiver.py`.",
        "'Write the receiver' is open in the session's list.",
        "The transcript shows src/receiver.py modified, editing.",
    ]


@pytest.mark.parametrize(
    ("true", "false", "state"),
    [
        ("`Edit src/receiver.py` [#6]", "`git push --force` [#6]", "drifted"),
        ("`Edit src/receiver.py` [#6]", "`Edit src/sender.py` [#6]", "drifted"),
        ('(replaces "Use port 8080." [#2])', '(replaces "Don\'t touch migrations/." [#2])', "drifted"),
        ('(replaces "Use port 8080." [#2])', '(replaces "Write the receiver." [#2])', "unknown"),
        ("branch main", "branch release", "drifted"),
        ('"Don\'t touch migrations/." [#2]', '"Feel free to touch migrations/."', "unknown"),
        ("- [ ] Write the receiver", "- [ ] Drop the users table", "unknown"),
    ],
)
def test_a_forged_call_correction_branch_word_or_to_do_does_not_hold(
    corrected_packet: str, corrected: Session, true: str, false: str, state: str
) -> None:
    assert true in corrected_packet
    findings = found(corrected_packet.replace(true, false, 1), corrected)
    assert {f.state for f in findings} - {"holds"} == {state}


@pytest.mark.parametrize(
    ("line", "told", "so"),
    [
        ("npm test", "cd web && npm test", True),
        ("cd /home/me/app/web && npm test", "cd web && npm test", True),
        ("cd app; cd web && npm test 2>&1 | tail -3", "cd app/web && npm test", True),
        ("npm run lint", "cd web && npm test", False),
        ("cd api && npm test", "cd web && npm test", False),
        ("cd web && npm test", "npm test", True),
    ],
)
def test_a_command_told_with_the_way_to_where_it_ran_stands_in_its_line(
    line: str, told: str, so: bool
) -> None:
    assert holds_command(line, told) is so


@pytest.mark.parametrize(
    ("words", "so"),
    [
        ("Command aborted, having printed: error TS2304: no chalk", True),
        ("stopped from outside, having printed: error TS2304: no chalk", True),
        ("stopped from outside", True),
        ("Command aborted, having printed: error TS9999: no cheese", False),
        ("stopped from inside, having printed: error TS2304: no chalk", False),
    ],
)
def test_how_a_run_was_stopped_stands_behind_what_it_printed(words: str, so: bool) -> None:
    assert says("error TS2304: no chalk\n\nCommand aborted", words) is so

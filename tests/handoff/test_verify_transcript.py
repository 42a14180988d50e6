"""Verify against the transcript: a true handoff holds, and a planted lie in it is found, that one alone."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.extract import facts, index
from segue.handoff.packet import compose, render
from segue.handoff.parse import parse
from segue.handoff.verify.finding import Finding
from segue.handoff.verify.statements import against_transcript, witness
from segue.handoff.wording import is_line, says
from segue.model.entry import Edit, Entry, Todo


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

    def calls(self, command: str) -> int:
        name = f"{command}{len(self.entries)}"
        return self._add("tool_call", call_id=name, tool="Bash", tool_kind="shell", command=command)

    def runs(self, command: str, output: str, exit_code: int = 0) -> int:
        self.calls(command)
        name = self.entries[-1].call_id
        return self._add("tool_result", output, call_id=name, exit_code=exit_code, is_error=exit_code != 0)

    def edits(self, path: str) -> int:
        change = Edit(path=path, new="def upload(): ...")
        self._add("tool_call", call_id=path, tool="Edit", tool_kind="edit", paths=(path,), edits=(change,))
        return self._add("tool_result", "done", call_id=path, is_error=False)

    def lists(self, *todos: tuple[str, Any]) -> int:
        return self._add("todo", todos=tuple(Todo(text=text, state=state) for text, state in todos))


@pytest.fixture(scope="module")
def session() -> Session:
    made = Session()
    made.asks("Add retries to the uploader. You must never call the live bucket from a test.")  # 2
    made.says("I chose backoff because clients with a fixed delay retry in step and fail again.")  # 3
    made.edits("src/uploader.py")  # 4, 5
    made.runs("npm run lint", "src/policy.py: error: line 12 is too long\n1 error", 2)  # 6, 7
    made.runs("npm test -- --ci 2>&1 | tail -5", "Tests: \x1b[32m4 passed\x1b[0m, 4 total")  # 8, 9
    made.runs("pytest tests", "12 passed in 0.5s")  # 10, 11
    made.runs('git commit -m "Retry uploads"', "[main 1a2b3c4] Retry uploads\n 2 files")  # 12, 13
    made.runs("git push", "To github.com:a/b\n   9f8e7d6..1a2b3c4  main -> main")  # 14, 15
    made.runs("gh pr create --fill", "https://github.com/a/b/pull/41")  # 16, 17
    made.lists(("Write the policy", "completed"), ("Cover the timeout", "pending"))  # 18
    made.asks("go")  # 19
    made.says("It failed: the stub needs port 9090.")  # 20
    made.asks("go")  # 21
    made.says("All tests pass and the policy is committed.")  # 22
    made.runs("make docs", "Sphinx 7\nbuild succeeded", 0)  # 23, 24
    made.asks("Now cover the timeout, and use port 9090 in the stub.")  # 25
    made.calls("make deploy")  # 26
    made.lists(("Write the policy", "completed"), ("Cover the timeout", "pending"))  # 27
    return made


@pytest.fixture(scope="module")
def packet(session: Session) -> str:
    read = index.build(session.entries, "generic", "s.jsonl", str)
    return render(compose(facts.select(read, "", budget=8000), 8000, lambda text: len(text) // 4)[0])


def found(text: str, session: Session) -> list[Finding]:
    parsed = parse(text)
    return list(against_transcript(parsed, witness(parsed).saw(session.entries)))


def test_what_was_made_from_the_transcript_holds(packet: str, session: Session) -> None:
    told = found(packet, session)
    assert [finding for finding in told if finding.state != "holds"] == []
    assert {finding.kind for finding in told} == {"quote", "command", "claim", "to-do", "step", "file"}


LIES = [
    ("a quote", "never call the live bucket", "always call the live bucket", "does not say"),
    ("a pointer of a quote", 'from a test." [#2]', 'from a test." [#3]', "#3 does not say"),
    ("a report", "because clients with a fixed delay", "because servers with a fixed delay", "does not say"),
    ("an exit code", "`npm run lint` exit 2", "`npm run lint` exit 1", "its record has exit 2"),
    ("a complaint", "> src/policy.py: error: line 12", "> src/policy.py: error: line 13", "it did not print"),
    ("a status", "`pytest tests` ok: 12 passed in 0.5s", "`pytest tests` exit 1", "its record has exit 0"),
    ("what was printed", "ok: 12 passed", "ok: 13 passed", "it did not print"),
    ("a command", "- `pytest tests` ok", "- `pytest test` ok", "does not run"),
    ("a pointer of a run", "0.5s [#11]", "0.5s [#9]", "does not run"),
    ("that it has no outcome", "`pytest tests` ok: 12", "`pytest tests` outcome not recorded: 12", "exit 0"),
    (
        "that it has no result",
        "`pytest tests` ok: 12 passed in 0.5s",
        "`pytest tests` no result seen",
        "its result",
    ),
    ("a commit", "commit 1a2b3c4", "commit 1a2b3c5", "1a2b3c5 is not there"),
    ("a commit's subject", "main: Retry uploads", "main: Retry downloads", "no commit"),
    ("a push", "9f8e7d6..1a2b3c4", "9f8e7d6..1a2b3c5", "no push"),
    ("a request", "a/b/pull/41", "a/b/pull/42", "pull/42 is not there"),
    ("a pointer of a claim", "pull/41 [#17]", "pull/41 [#18]", "no result of a tool"),
    ("a count", '2× "go"', '3× "go"', "it was said 2×"),
    ("a to-do's state", "- [x] Write the policy", "- [ ] Write the policy", "has it as completed"),
    ("a to-do", "Write the policy", "Write the police", "does not have it"),
    ("what has no result", "`make deploy`", "`make destroy`", "#26"),
    ("a file's line", "[#4]\n\n## Task", "[#3]\n\n## Task", "nothing tells"),
]


@pytest.mark.parametrize(
    ("true", "false", "message"), [lie[1:] for lie in LIES], ids=[lie[0] for lie in LIES]
)
def test_a_planted_lie_is_found_and_nothing_else(
    packet: str, session: Session, true: str, false: str, message: str
) -> None:
    assert true in packet
    drifted = [f for f in found(packet.replace(true, false, 1), session) if f.state == "drifted"]
    assert [message in finding.message for finding in drifted] == [True], drifted


def test_a_failure_that_went_well_since_is_no_failure_any_more(packet: str, session: Session) -> None:
    later = Session()
    later.entries = list(session.entries)
    later.runs("npm run lint", "no problems")
    assert [f.message for f in found(packet, later) if f.state == "drifted" and f.kind == "command"] == [
        "'`npm run lint` exit 2': it went well at #29."
    ]


def test_words_of_the_agent_are_not_taken_for_the_persons(session: Session) -> None:
    text = '## Context\n**Asked for, in order**\n- "the stub needs port 9090" [#20]\n'
    assert [f.message for f in found(text, session)] == [
        "'\"the stub needs port 9090\"': the person did not say it."
    ]


@pytest.mark.parametrize(
    ("row", "state"),
    [
        ("- tested: `pytest tests` gave 12 passed [#11]", "holds"),
        ("- tested: `pytest tests` gave 14 passed [#11]", "drifted"),
        ("- tested: `npm run lint` [#7]", "drifted"),
        ("- tested: `pytest tests` [#10]", "holds"),
        ("- tested: all of it", "unknown"),
        ("- tested: `make` [#4 of 018f-earlier]", "unknown"),
        ("- the stub needs a port", None),
    ],
)
def test_a_row_of_a_persons_own_is_judged_by_what_it_names(
    session: Session, row: str, state: str | None
) -> None:
    assert [f.state for f in found(f"## Context\n{row}\n", session)] == ([state] if state else [])


def test_what_cannot_be_checked_is_said_once(session: Session) -> None:
    rows = "".join(f"- tested: {n} [#{n} of 018f-earlier]\n" for n in (1, 2, 3))
    assert [f.message for f in found(f"## Context\n{rows}", session)] == [
        "3 statements not checked: it comes from an earlier session."
    ]
    parsed = parse("## Context\n- tested: a [#1]\n- done: b [#2]\n")
    assert [(f.state, f.message) for f in against_transcript(parsed, None)] == [
        ("unknown", "2 statements not checked: the transcript was not read.")
    ]


@pytest.mark.parametrize(
    ("command", "told", "so"),
    [
        ("cd /a && make  test", "make test", True),
        ("make test \\\n  -k x", "make test -k x", True),
        ("set -e\nmake test\ngit status", "set -e; make test; git status", True),
        ("echo long; make test", "… make test", True),
        ("make test --all --again", "make test…", True),
        ("make test", "make tests", False),
        ("make test --all", "make test", False),
        ("sleep 5; make test", "make test", False),
        ("export K=abc; run", "export K=[redacted:key]; run", True),
    ],
)
def test_a_command_line_is_the_one_told_but_for_what_was_cut(command: str, told: str, so: bool) -> None:
    assert is_line(command, told) is so


@pytest.mark.parametrize(
    ("text", "words", "so"),
    [
        ("It **works**,\n  mostly.", "It works, mostly.", True),
        ("It works mostly", "It … mostly", True),
        ("first line\nx\nlast line\nfix it", '[pasted, 3 lines: "first line" … "last line"] fix it', True),
        ("1. One thing.\n2. Another.", "One thing. Another.", True),
        ("It works", "It work", False),
        ("token abc here", "token [redacted:key] here", True),
        ("b then a", "a … b", False),
        ("anything", "'''", True),
    ],
)
def test_words_are_compared_by_letters_and_gaps(text: str, words: str, so: bool) -> None:
    assert says(text, words) is so


@given(st.from_type(Entry))
def test_any_entry_can_be_looked_at(entry: Entry) -> None:
    parsed = parse("## Context\n- tested: `a` b [#1]\n- pushed: c [#2]\n")
    assert against_transcript(parsed, witness(parsed).saw([entry, entry]))

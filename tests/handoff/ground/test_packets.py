"""A mechanical packet against its session: a true one is shown, and a planted lie in it is found, that one alone."""

from __future__ import annotations

import pytest

from segue.extract import facts, index
from segue.handoff.ground import Session, ground
from segue.handoff.packet import compose, render
from segue.handoff.parse import parse
from segue.handoff.verify.finding import Finding
from segue.handoff.verify.statements import against_session

from .sessions import Written, uploader


@pytest.fixture(scope="module")
def written() -> Written:
    return uploader()


@pytest.fixture(scope="module")
def packet(written: Written) -> str:
    read = index.build(written.entries, "generic", "s.jsonl", str)
    return render(compose(facts.select(read, "", budget=8000), 8000, lambda text: len(text) // 4)[0])


def found(text: str, written: Written) -> list[Finding]:
    return list(against_session(text, parse(text), Session.of(written.entries)))


def test_what_was_made_from_the_session_holds(packet: str, written: Written) -> None:
    told = found(packet, written)
    assert [finding for finding in told if finding.state != "holds"] == []
    assert len(told) > 15


LIES = [
    ("a quote", "never call the live bucket", "always call the live bucket", "does not stand"),
    ("a pointer of a quote", 'from a test." [#2]', 'from a test." [#3]', "but at #2"),
    (
        "a report",
        "because clients with a fixed delay",
        "because servers with a fixed delay",
        "does not stand",
    ),
    ("an exit code", "`npm run lint` exit 2", "`npm run lint` exit 1", "has 2, not 1"),
    ("a complaint", "> src/policy.py: error: line 12", "> src/policy.py: error: line 13", "does not stand"),
    ("a status", "`pytest tests` ok: 12 passed in 0.5s", "`pytest tests` exit 1", "has 0, not 1"),
    ("what was printed", "ok: 12 passed", "ok: 13 passed", "does not stand"),
    ("a command", "- `pytest tests` ok", "- `pytest test` ok", "does not stand"),
    ("a pointer of a run", "0.5s [#11]", "0.5s [#9]", "but at #1"),
    (
        "that it has no outcome",
        "`pytest tests` ok: 12",
        "`pytest tests` outcome not recorded: 12",
        "how it ended",
    ),
    (
        "that it has no result",
        "`pytest tests` ok: 12 passed in 0.5s",
        "`pytest tests` no result seen",
        "how it ended",
    ),
    ("a commit", "commit 1a2b3c4", "commit 1a2b3c5", "'1a2b3c5' does not stand"),
    ("a commit's subject", "main: Retry uploads", "main: Retry downloads", "does not stand"),
    ("a push", "9f8e7d6..1a2b3c4", "9f8e7d6..1a2b3c5", "does not stand"),
    ("a request", "a/b/pull/41", "a/b/pull/42", "does not stand"),
    ("a pointer of a claim", "pull/41 [#17]", "pull/41 [#18]", "but at #17"),
    ("a count", '2× "go"', '3× "go"', "said 2×"),
    ("a to-do's state", "- [x] Write the policy", "- [ ] Write the policy", "has it as completed"),
    ("a to-do", "Write the policy", "Write the police", "does not stand"),
    ("what has no result", "`make deploy`", "`make destroy`", "#26"),
    ("a file's line", "[#4]\n\n## Task", "[#3]\n\n## Task", "but at #4"),
]


@pytest.mark.parametrize(
    ("true", "false", "message"), [lie[1:] for lie in LIES], ids=[lie[0] for lie in LIES]
)
def test_a_planted_lie_is_found_and_nothing_else(
    packet: str, written: Written, true: str, false: str, message: str
) -> None:
    assert true in packet
    drifted = [f for f in found(packet.replace(true, false, 1), written) if f.state == "drifted"]
    assert [message in finding.message for finding in drifted] == [True], drifted


def test_a_failure_that_went_well_since_is_no_failure_any_more(packet: str, written: Written) -> None:
    later = Written()
    later.entries = list(written.entries)
    later.runs("npm run lint", "no problems")
    told = [f.message for f in found(packet, later) if f.state == "drifted" and "npm run lint" in f.message]
    assert [message.endswith("It went well at #29.") for message in told] == [True]


def test_words_of_the_agent_are_not_taken_for_the_persons(written: Written) -> None:
    text = '## Context\n**Asked for, in order**\n- "the stub needs port 9090" [#20]\n'
    assert [f.message for f in found(text, written)] == [
        "'the stub needs port 9090': The person did not say it at #20."
    ]


@pytest.mark.parametrize(
    ("row", "state"),
    [
        ("- tested: `pytest tests` gave 12 passed [#11]", "holds"),
        ("- tested: `pytest tests` gave 14 passed [#11]", "drifted"),
        ("- tested: `npm run lint` passed [#7]", "drifted"),
        ("- tested: `pytest tests` [#10]", "holds"),
        ("- tested: `make` [#4 of 018f-earlier]", "unknown"),
        ("- the stub needs a port", None),
    ],
)
def test_a_row_of_a_persons_own_is_judged_by_what_it_names(
    written: Written, row: str, state: str | None
) -> None:
    assert [f.state for f in found(f"## Context\n{row}\n", written)] == ([state] if state else [])


def test_what_cannot_be_checked_is_said_once(written: Written) -> None:
    rows = "".join(f"- tested: {n} [#{n} of 018f-earlier]\n" for n in (1, 2, 3))
    assert [f.message for f in found(f"## Context\n{rows}", written)] == [
        "3 statements not checked: it comes from an earlier session."
    ]
    text = "## Context\n- tested: a [#1]\n- done: b [#2]\n"
    assert [(f.state, f.message) for f in against_session(text, parse(text), None)] == [
        ("unknown", "2 statements not checked: the transcript was not read.")
    ]


def test_a_packet_of_another_session_is_told_so(packet: str, written: Written) -> None:
    other = Written()
    other.entries = [written.entries[0].__class__(kind="meta", file="t", line=1, data={"id": "other"})]
    other.asks("Write a poem about rivers.")
    told = [f for f in found(packet, other) if f.state == "drifted"]
    assert told[0].message.startswith("The transcript is of session other")
    assert not any(f.verdict == "shown" for f in ground(packet, Session.of(other.entries)).judged)

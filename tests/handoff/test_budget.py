"""The budget is a ceiling, and what is least important goes first."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from segue.extract.tokens import count
from segue.handoff.fit import Form, Head, Piece, fit
from segue.handoff.packet import compose, render
from segue.handoff.parse import as_packet, parse
from segue.model.facts import (
    CommandFact,
    Dropped,
    Evidence,
    Facts,
    FailedRun,
    FileFact,
    GoodRun,
    Objective,
    Quote,
    SourceFacts,
    Word,
)

WALK = Path(__file__).parent.parent / "fixtures" / "walk" / "entries.jsonl"


@settings(max_examples=150, deadline=None)
@given(st.from_type(Facts), st.integers(300, 8000))
def test_a_packet_is_never_over_its_budget(facts: Facts, budget: int) -> None:
    packet, _ = compose(facts, budget, count)
    assert count(render(packet)) <= budget


def crowded(words: int, files: int) -> Facts:
    return Facts(
        source=SourceFacts(agent="pi", session_id="s", turns=9),
        goal="finish it",
        words=tuple(
            Word(
                text=f"never do thing number {n} of the long list",
                kind="constraint",
                strength=3,
                evidence=(Evidence(n),),
            )
            for n in range(words)
        ),
        files=tuple(
            FileFact(path=f"src/dir{n % 7}/file{n}.py", action="modified", symbols=(f"symbol_{n}",))
            for n in range(files)
        ),
        summaries=(Quote(text="what happened before\n" * 40),),
    )


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 24), st.integers(0, 60), st.integers(300, 3000))
def test_no_constraint_is_dropped_while_something_less_important_stays(
    words: int, files: int, budget: int
) -> None:
    packet, dropped = compose(crowded(words, files), budget, count)
    lost = [d for d in dropped if d.what == "word of the person"]
    text = render(packet)
    assert text.count('- must: "never do thing') == words - len(lost)
    if lost:
        assert "file" not in text.split("## Files\n")[1].split("## Task")[0]
        assert not packet.modified_files and "what happened before" not in text


said = st.lists(st.tuples(st.sampled_from((1, 3)), st.integers(1, 60)), min_size=1, max_size=60)


@settings(max_examples=120, deadline=None)
@given(said, st.integers(300, 4000))
def test_no_vital_word_is_missing_and_no_such_rule_cut_where_something_done_is_named(
    said: list[tuple[int, int]], budget: int
) -> None:
    words = tuple(
        Word(
            text=" ".join([f"number {n}:", *("always wait",) * length]),
            kind="constraint",
            strength=strength,
            evidence=(Evidence(n),),
            score=strength - n / 100,
        )
        for n, (strength, length) in enumerate(said, 1)
    )
    run = CommandFact(command="ls", key="ls", last_ok=GoodRun(evidence=Evidence(99)))
    facts = replace(
        crowded(0, 0), words=words, commands=(run,), files=(FileFact(path="a.py", action="modified"),)
    )
    text = render(compose(facts, budget, count)[0])
    first = sorted(words, key=lambda word: -word.score)
    rules = [word for word in first[: max(24, budget // 60)] if word.strength == 3]
    if "a.py" in text or "`ls`" in text or "what happened before" in text:
        vital = {word.evidence[0].line: word.text for word in (*first[:24], *rules)}
        assert [told for line, told in vital.items() if f'"number {line}: ' not in text] == []
        assert [word.text for word in rules if f'"{word.text}"' not in text] == []


def test_of_many_rules_the_weightiest_stay_and_names_come_before_the_others() -> None:
    text = render(compose(crowded(30, 12), 800, count)[0])
    assert 24 <= text.count("- must:") < 30
    assert "file0.py" in text and "words of the person" in text


@pytest.mark.parametrize(("failing", "budget"), [(10, 1000), (16, 4000), (40, 4000), (4, 700)])
def test_no_failure_is_left_out_while_there_is_room(failing: int, budget: int) -> None:
    text = render(compose(broken(failing), budget, count)[0])
    assert text.count(" exit 1 [#") == failing


@given(st.integers(5, 90), st.integers(600, 3000))
@settings(max_examples=40, deadline=None)
def test_many_failures_leave_room_for_the_files_that_were_changed_last(failing: int, budget: int) -> None:
    text = render(compose(broken(failing), budget, count)[0])
    assert "app.py" in text and text.count(" exit 1 [#") >= 4


def broken(failing: int) -> Facts:
    return replace(
        crowded(0, 0),
        files=(FileFact(path="src/app.py", action="modified"),),
        commands=tuple(
            CommandFact(
                command=f"make part{n}",
                key=f"make part{n}",
                state="open",
                score=n / 10,
                last_bad=FailedRun(
                    evidence=Evidence(n),
                    command=f"make part{n}",
                    exit_code=1,
                    error_lines=(f"error: part {n} is broken", "make: stopped"),
                ),
            )
            for n in range(1, failing + 1)
        ),
    )


def test_a_flood_of_firm_words_leaves_room_for_the_rest() -> None:
    facts = crowded(400, 5)
    for budget in (1000, 2000, 4000):
        text = render(compose(facts, budget, count)[0])
        assert "file0.py" in text and "symbol_4" in text
        assert text.count("- must:") >= 24


def test_words_that_fill_a_small_packet_leave_room_for_the_failing_command() -> None:
    failed = FailedRun(
        evidence=Evidence(7), command="make check", exit_code=2, error_lines=("one line of many",) * 9
    )
    failing = CommandFact(command="make check", key="make check", state="open", last_bad=failed)
    good = CommandFact(command="make build", key="make build", last_ok=GoodRun(evidence=Evidence(8)))
    for commands, shown in (((good, failing), "- `make check` exit 2 [#7]"), ((good,), "Left out.")):
        text = render(compose(replace(crowded(60, 20), commands=commands), 700, count)[0])
        assert shown in text.partition("## Operational Context\n")[2].partition("## Files")[0]


def test_everything_that_is_left_out_is_counted_in_the_last_line() -> None:
    packet, dropped = compose(crowded(5, 80), 700, count)
    files = sum(d.what == "file" for d in dropped)
    assert files
    assert f"{files} files" in packet.losses


def test_a_larger_budget_never_shows_fewer_words() -> None:
    facts = crowded(60, 60)
    shown = [render(compose(facts, budget, count)[0]).count("- must:") for budget in range(300, 3000, 100)]
    assert shown == sorted(shown)


def test_a_fuller_form_comes_only_after_the_briefer_one_and_at_its_own_rank() -> None:
    pieces = [
        Piece("g", 0, "x", (Form(9, "a" * 10), Form(2, "A" * 40))),
        Piece("g", 1, "x", (Form(5, "b" * 10),)),
    ]

    def length(text: str) -> int:
        return len(text)

    def heads(piece: Piece, form: Form) -> list[Head]:
        return [Head("g", "label")]

    assert {n: f.text for n, f in fit(pieces, 30, length, heads).shown.items()} == {0: "a" * 10, 1: "b" * 10}
    assert fit(pieces, 80, length, heads).shown[0].text == "A" * 40
    assert fit(pieces, 18, length, heads).left_out == (1,)


def test_a_file_that_was_only_read_never_stands_where_a_modified_one_was_dropped() -> None:
    edited = [
        FileFact(path=f"src/edited_with_a_long_name_{n}/{'part_' * 9}{n}.py", action="modified")
        for n in (1, 2)
    ]
    facts = replace(crowded(10, 0), files=(*edited, FileFact(path=".env", action="read", score=-1.0)))
    shown, wrong = [], []
    for budget in range(300, 600, 3):
        files = render(compose(facts, budget, count)[0]).partition("## Files\n")[2].partition("## Task")[0]
        if ".env" in files:
            shown.append(budget)
            if files.count("(modified") < 2:
                wrong.append(budget)
    assert shown
    assert wrong == []


def test_the_same_session_gives_the_same_bytes_in_any_process(tmp_path: Path) -> None:
    script = (
        "import sys, msgspec\n"
        "from segue.model.entry import Entry\n"
        "from segue.service.handoffs.walk import Source, draft\n"
        f"rows = [msgspec.json.decode(row, type=Entry) for row in open({str(WALK)!r}, 'rb')]\n"
        "for budget in (300, 1000, 4000):\n"
        "    sys.stdout.buffer.write(draft(Source('pi', 's', rows), 'finish the retry tests', budget=budget).text.encode())\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", script],
            env={**os.environ, "PYTHONHASHSEED": seed, "LC_ALL": locale, "TZ": zone},
            cwd=tmp_path,
            capture_output=True,
            check=True,
        ).stdout
        for seed, locale, zone in (
            ("0", "C", "UTC"),
            ("1", "C.UTF-8", "Asia/Tokyo"),
            ("4242", "POSIX", "America/Lima"),
        )
    }
    assert len(outputs) == 1


LONG = "The importer reads a row at a time. " * 60


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        (400, "Left out to fit 400 tokens: parts of 1 item."),
        (4000, "All that was picked from the transcript fits 4000 tokens."),
    ],
)
def test_a_text_that_was_cut_is_told_in_the_last_line_with_the_reason(budget: int, told: str) -> None:
    facts = Facts(source=SourceFacts(agent="pi"), objective=Objective(first=Quote(text=LONG)))
    assert last_line(facts, budget) == told


def test_a_text_too_long_for_any_packet_is_told_as_cut() -> None:
    asked = Objective(first=Quote(text=LONG * 9))
    facts = Facts(source=SourceFacts(agent="pi"), goal="go on", objective=asked)
    assert (
        last_line(facts, 9000)
        == "All that was picked from the transcript fits 9000 tokens, except for the rest of 1 long item."
    )


def test_what_a_quota_turned_away_is_not_said_to_be_left_out_for_the_budget() -> None:
    beyond = (*(Dropped(what="note", why="quota"),) * 3, Dropped(what="prompt", why="quota"))
    facts = replace(crowded(2, 2), summaries=(), dropped=beyond)
    told = "as too many of their kind: 3 notes, 1 prompt."
    assert last_line(facts, 4000) == f"Left out of 4000 tokens {told}"
    files = crowded(2, 90).files
    packet, dropped = compose(replace(facts, files=files), 700, count)
    lost = sum(d.what == "file" for d in dropped)
    assert packet.losses == f"Left out to fit 700 tokens: {lost} files; {told}"
    assert as_packet(parse(render(packet))).losses == packet.losses


def test_where_there_is_room_what_was_asked_for_is_told_in_full() -> None:
    asked = [f"Part {n}. {LONG}".strip() for n in range(3)]
    first, between, last = (Quote(text=text, evidence=(Evidence(n),)) for n, text in enumerate(asked, 1))
    facts = Facts(
        source=SourceFacts(agent="pi"),
        goal="finish it",
        objective=Objective(first=first, current=last, shifts=(between,)),
    )
    text = render(compose(facts, 4000, count)[0])
    assert [said in text for said in asked] == [True, True, True]
    packet, dropped = compose(facts, 1400, count)
    assert [said in render(packet) for said in asked] == [True, False, True]
    assert [(d.what, d.why, d.evidence) for d in dropped] == [("prompt", "shortened", (Evidence(2),))]


def test_a_very_long_request_and_goal_use_the_room_there_is() -> None:
    asked = " ".join(f"Requirement {n} is to be met." for n in range(300))
    facts = Facts(source=SourceFacts(agent="pi"), objective=Objective(first=Quote(text=asked)))
    assert asked in render(compose(facts, 8000, count)[0])
    facts = Facts(source=SourceFacts(agent="pi"), goal=asked)
    assert f'**Goal**: "{asked}"' in render(compose(facts, 8000, count)[0])
    packet, dropped = compose(facts, 1500, count)
    assert (packet.losses, [d.why for d in dropped]) == (
        "Left out to fit 1500 tokens: parts of 1 item.",
        ["shortened"],
    )


def test_only_a_packet_that_tells_all_says_that_all_fits() -> None:
    facts = Facts(source=SourceFacts(agent="pi"), objective=Objective(first=Quote(text="Fix the importer.")))
    assert last_line(facts, 4000) == "All that was picked from the transcript fits 4000 tokens."


def last_line(facts: Facts, budget: int) -> str:
    packet, _ = compose(facts, budget, count)
    return render(packet).splitlines()[-1]


@pytest.mark.parametrize("budget", [300, 400, 600, 1000])
@pytest.mark.parametrize("words", [0, 3, 40])
def test_a_file_that_must_be_named_stays_as_long_as_a_rule_of_the_person_does(
    words: int, budget: int
) -> None:
    facts = crowded(words, 120)
    wanted = FileFact(path="docs/delays.md", action="mentioned", why="asked for", score=10, wanted=True)
    text = render(compose(replace(facts, files=(*facts.files, wanted)), budget, count)[0])
    assert "docs/\n- delays.md (mentioned)" in text
    assert not words or "never do thing number" in text


def test_a_file_that_must_be_named_and_does_not_fit_is_told_as_left_out() -> None:
    files = tuple(
        FileFact(path=f"{f'deep{n}/' * 400}a.md", action="mentioned", wanted=True) for n in range(4)
    )
    packet, dropped = compose(replace(crowded(2, 0), files=files), 600, count)
    assert [d.what for d in dropped if d.why == "budget"].count("file asked for") == 4
    assert "4 files asked for" in packet.losses
    assert render(packet).count("never do thing number") == 2

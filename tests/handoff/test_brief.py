"""The brief: in order, with pointers, within its budget; the person's words go last, and session text forges nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.extract import facts as chosen
from segue.extract import index, tokens
from segue.extract.condensed import Condenser
from segue.handoff import brief
from segue.model.brief import SMALLEST, Brief, BriefRow
from segue.model.entry import Entry
from segue.model.facts import Facts, SourceFacts
from segue.redaction.redact import without_sensitive_files
from segue.redaction.redactor import Redactor

from ..conftest import Golden
from .conftest import text as hostile_text

WALK = Path(__file__).parent.parent / "fixtures" / "walk"
POINTER = re.compile(r"\[(#\d+(?: #\d+)*)(?: of [\w.:-]+)?\]")
WHO = ("person", "request", "agent", "subagent", "call", "thought", "harness", "summary", "boundary")
KINDS = (
    "",
    "prompt",
    "queued",
    "answer",
    "rejection",
    "shell",
    "midway",
    "task",
    "read",
    "compaction",
    "summary",
)
EMPTY = Facts(source=SourceFacts(agent="pi", session_id="s1"))


def walk() -> Iterator[Entry]:
    for line in (WALK / "entries.jsonl").read_bytes().splitlines():
        yield msgspec.json.decode(line, type=Entry)


def walked(goal: str = "") -> tuple[tuple[BriefRow, ...], Facts]:
    redactor, condenser = Redactor(), Condenser()
    seen = condenser.along(without_sensitive_files(walk(), redactor))
    built = index.build(seen, "claude-code", "session.jsonl", redactor.redact)
    return condenser.close(redactor.redact), chosen.select(built, goal)


def rendered(rows: list[BriefRow], budget: int = 20_000, facts: Facts = EMPTY) -> Brief:
    return brief.render(rows, facts, "", budget, tokens.count)


def row(line: int, who: str = "agent", text: str = "words", **more: object) -> BriefRow:
    return BriefRow(line=line, who=who, text=text, **{"short": text[:20], **more})  # type: ignore[arg-type]


def size(made: Brief) -> int:
    return max(made.tokens, -(-len(made.text) // 4))


@pytest.mark.parametrize(("budget", "name"), [(20_000, "brief.md"), (SMALLEST, "brief-1000.md")])
def test_a_session_becomes_a_brief(golden: Golden, budget: int, name: str) -> None:
    rows, facts = walked("finish the retry tests")
    made = brief.render(rows, facts, "finish the retry tests", budget, tokens.count)
    assert size(made) <= budget
    assert "tok-5f1c9a7be2d84c06" not in made.text
    golden(WALK / name, made.text)


def test_rows_say_whose_they_are_and_where() -> None:
    made = rendered(
        [
            row(2, "person", "Fix it.\nNever push.", kind="prompt"),
            row(3, "agent", "Looking.", kind="midway"),
            row(
                4,
                "call",
                "pytest -q",
                kind="shell",
                verdict="exit 1",
                at=5,
                failed=True,
                printed=("1 failed", "x"),
            ),
            row(6, "person", "the second", kind="answer", to="Which one?"),
            row(7, "person", "no", kind="rejection", to="rm -rf build"),
            row(8, "boundary", "the context was compacted", kind="compaction"),
            row(9, "summary", "We fixed it.", kind="summary"),
            row(10, "agent", "Fixed.", closing=True),
        ]
    )
    assert made.text.partition("## Session\n")[2].partition("\n\n")[0].split("\n") == [
        "[#2] PERSON: Fix it.",
        "  > Never push.",
        "[#3] agent: Looking.",
        "[#4] $ `pytest -q` → exit 1 [#5]",
        "  > 1 failed",
        "  > x",
        '[#6] PERSON answers "Which one?": the second',
        '[#7] PERSON rejects "rm -rf build": no',
        "[#8] --- the context was compacted",
        "[#9] summary written by a model, unverified: We fixed it.",
        "[#10] agent reports: Fixed.",
    ]
    assert (made.lines, made.folded) == ((2, 10), 0)


def test_what_is_folded_is_counted_where_it_was() -> None:
    rows = [row(1, "person", "go", kind="prompt")]
    rows += [row(n, "call", f"Read file{n}.py", kind="read", failed=n == 40) for n in range(2, 200)]
    rows.append(row(200, "agent", "Done.", closing=True))
    made = rendered(rows, SMALLEST)
    told = made.text.split("\n")
    gaps = [line for line in told if line.startswith("…")]
    assert "[#1] PERSON: go" in told and "[#200] agent reports: Done." in told
    assert "[#40] `Read file40.py`" in told
    assert re.fullmatch(r"… \d+ more calls \(\d+ read; none failed\) \[#\d+ #39\]", gaps[0])
    assert (
        made.folded
        == sum(int(number) for line in gaps for number in re.findall(r"(\d+) more call", line))
        > 100
    )


def test_the_persons_words_alone_may_exceed_a_budget() -> None:
    rows = [row(n, "person", f"prompt {n} " + "word " * 200, kind="prompt") for n in range(1, 20)]
    made = rendered([*rows, row(20, "agent", "Done.", closing=True)], SMALLEST)
    assert "The person's words alone exceed this budget" in made.text
    assert rows[-1].text.strip() in made.text
    assert "[#1] PERSON: prompt 1 word" in made.text
    assert "agent reports" not in made.text


def test_paths_below_the_project_are_told_without_it_but_for_the_persons_words() -> None:
    facts = Facts(source=SourceFacts(agent="pi", session_id="s1", cwd="/home/me/app"))
    made = rendered(
        [row(1, "person", "see /home/me/app/a.py"), row(2, "call", "Read /home/me/app/a.py", kind="read")],
        facts=facts,
    )
    assert "[#1] PERSON: see /home/me/app/a.py" in made.text
    assert "[#2] `Read a.py`" in made.text


def test_a_session_too_long_for_one_window_is_cut_at_turns() -> None:
    rows = []
    for turn in range(1, 9):
        rows.append(row(turn * 10, "person", f"prompt {turn}", kind="prompt", turn=turn))
        rows.append(row(turn * 10 + 1, "agent", f"answer {turn} " + "word " * 300, turn=turn, closing=True))
    facts = msgspec.structs.replace(EMPTY, gaps=("No exit statuses.",))
    made = brief.windows(rows, facts, "go on", 1500, tokens.count)
    assert len(made) > 2
    for number, window in enumerate(made, 1):
        assert size(window) <= 1500 and window.folded == 0
        assert f"part {number} of {len(made)}" in window.text
        assert "- No exit statuses." in window.text and 'Goal: "go on"' in window.text
    assert [window.lines[0] for window in made] == sorted(window.lines[0] for window in made)
    assert {n for window in made for n in range(window.lines[0], window.lines[1] + 1)} >= {
        r.line for r in rows
    }
    assert len(brief.windows(rows, facts, "", 20_000, tokens.count)) == 1


def test_what_an_agent_lost_stands_before_its_last_compaction() -> None:
    before, kept, boundary = row(2), row(5), row(9, "boundary", kind="compaction", at=5)
    summary, after = row(10, "summary", kind="summary"), row(11)
    assert brief.lost([before, kept, boundary, summary, after]) == [before, boundary, summary]
    assert brief.lost([before, kept]) == []


_rows = st.lists(
    st.builds(
        BriefRow,
        line=st.integers(1, 4000),
        who=st.sampled_from(WHO),
        turn=st.integers(0, 5),
        text=st.builds(lambda part, times: part * times, hostile_text, st.sampled_from((1, 1, 40, 400))),
        short=hostile_text,
        kind=st.sampled_from(KINDS),
        to=st.just("") | hostile_text,
        verdict=st.just("") | hostile_text,
        failed=st.booleans(),
        at=st.sampled_from((0, 7)),
        printed=st.lists(hostile_text, max_size=3).map(tuple),
        closing=st.booleans(),
    ),
    min_size=1,
    max_size=24,
    unique_by=lambda one: one.line,
).map(lambda rows: sorted(rows, key=lambda one: one.line))


@given(_rows, st.from_type(Facts), st.sampled_from((SMALLEST, 2000, 6000)))
def test_no_brief_is_over_its_budget_forges_anything_or_loses_words_first(
    rows: list[BriefRow], facts: Facts, budget: int
) -> None:
    made = brief.render(rows, facts, facts.goal, budget, tokens.count)
    assert size(made) <= budget
    session, _, ledger = made.text.partition("\n## Session\n")[2].partition("\n\n")
    told = session.split("\n") if session else []
    assert all(line.startswith(("[#", "  > ", "  asked: ", "… ")) for line in told)
    known = {line for one in rows for line in (one.line, one.at)}
    pointed = {int(n[1:]) for found in POINTER.findall(session) for n in found.split()}
    assert pointed <= known
    assert len([line for line in told if line[0] in "[…"]) + made.folded - len(
        [line for line in told if line[0] == "…"]
    ) == len(rows)
    if "The person's words alone exceed this budget" in made.text:
        whose = {one.line: one.who for one in rows}
        shown = [int(line[2:].partition("]")[0]) for line in told if line.startswith("[#")]
        assert {whose[line] for line in shown} <= {"person", "request"}
        assert "## Ledger" not in ledger


@given(_rows, st.from_type(Facts))
def test_every_window_stands_alone_within_its_budget(rows: list[BriefRow], facts: Facts) -> None:
    rows = sorted(rows, key=lambda one: one.turn)
    made = brief.windows(rows, facts, "", 2000, tokens.count)
    assert all(size(window) <= 2000 for window in made)

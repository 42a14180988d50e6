"""The budget is a ceiling and no target, and what is least important goes first."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from segue.extract.tokens import count
from segue.handoff.packet import compose, render
from segue.handoff.pieces import pieces
from segue.handoff.ranks import PRESETS
from segue.model.facts import (
    FORGOTTEN,
    CommandFact,
    Dropped,
    Evidence,
    Facts,
    FileFact,
    Prompt,
    Quote,
    Remark,
    Report,
    Run,
    SourceFacts,
    TodoFact,
)
from segue.model.packet import CLOSING, section

BUDGETS = (300, 450, 599, 600, 1000, 1999, 2000, 4000, 8000)


def crowded(rules: int = 12, things: int = 60) -> Facts:
    """A session with more of everything than a packet holds."""
    return Facts(
        source=SourceFacts(agent="pi", session_id="s", path="/s/s.jsonl", turns=9),
        goal="finish it",
        prompts=tuple(
            Prompt(
                text=f"never do thing {n}{' of the long list' * (n % 4)}",
                role="rule",
                evidence=(Evidence(n + 1),),
            )
            for n in range(rules)
        ),
        reports=tuple(
            Report(remarks=(Remark(f"Found cause {n} in the parser."),), evidence=(Evidence(100 + n),))
            for n in range(things)
        ),
        commands=tuple(
            CommandFact(
                command=f"make target-{n} VERBOSE=1",
                key=f"make target-{n}",
                state="failing" if n % 5 == 0 else "ok",
                open=n % 5 == 0,
                last=Run(evidence=Evidence(200 + n), verdict="ok"),
                failed=Run(evidence=Evidence(200 + n), verdict="failed", exit_code=1, printed=(f"E {n}",)),
                evidence=(Evidence(200 + n),),
            )
            for n in range(things)
        ),
        files=tuple(
            FileFact(
                path=f"src/dir{n % 7}/{'long_name_of_' * (n % 3)}file{n}.py",
                action="read" if n % 2 else "modified",
                symbols=(f"symbol_{n}",),
            )
            for n in range(things)
        ),
        todos=tuple(TodoFact(text=f"to-do number {n}") for n in range(things)),
        summaries=(Quote(text="what happened before\n" * 200),),
    )


def told(facts: Facts, budget: int) -> str:
    return render(compose(facts, budget, count)[0])


@settings(max_examples=100, deadline=None)
@given(st.from_type(Facts), st.integers(300, 8000))
def test_a_packet_is_never_over_its_budget(facts: Facts, budget: int) -> None:
    text = told(facts, budget)
    assert count(text) <= budget and len(text) <= 4 * budget


@pytest.mark.parametrize("budget", BUDGETS)
def test_a_packet_of_a_crowded_session_keeps_its_budget_and_uses_most_of_it(budget: int) -> None:
    text = told(crowded(), budget)
    assert count(text) <= budget and len(text) <= 4 * budget
    if 600 <= budget <= 2000:
        assert max(count(text), len(text) / 4) > 0.8 * budget


@pytest.mark.parametrize("letters", [" internationalization responsibilities", "漢字", "é́", "{}[]();"])
def test_text_of_any_letters_keeps_the_budget_in_tokens_and_in_characters(letters: str) -> None:
    prompts = tuple(Prompt(text=f"{n} {letters * 20}", evidence=(Evidence(n),)) for n in range(80))
    for facts in (crowded(), crowded(0, 0)):
        text = told(replace(facts, prompts=prompts, goal=letters * 200, summaries=()), 3000)
        assert count(text) <= 3000 and len(text) <= 12000


def test_a_small_session_gets_a_small_packet_whatever_the_budget() -> None:
    small = Facts(source=SourceFacts(agent="pi", session_id="s", turns=1), prompts=(Prompt(text="Add it."),))
    texts = {told(small, budget).replace(f" {budget} tokens", "") for budget in BUDGETS if budget >= 600}
    assert len(texts) == 1 and count(texts.pop()) < 250


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 40), st.integers(0, 60), st.integers(300, 3000))
def test_no_rule_is_dropped_while_a_file_is_named(rules: int, things: int, budget: int) -> None:
    packet, dropped = compose(crowded(rules, things), budget, count)
    lost = sum(d.what == "rule of the person" and d.why == "budget" for d in dropped)
    kept = section(packet, "Context").count("never do thing")
    assert kept == rules - lost
    if kept < min(rules, 24):
        assert ".py" not in section(packet, "Files")
        assert packet.read_files == packet.modified_files == ()


def test_a_rule_too_long_for_the_packet_makes_no_room_for_files() -> None:
    rule = Prompt(text="never " + "do this or that " * 200, role="rule")
    packet, dropped = compose(replace(crowded(0, 9), prompts=(rule,)), 600, count)
    assert [d.what for d in dropped][:1] == ["rule of the person"]
    assert section(packet, "Files") == "Left out."


def test_a_name_too_long_for_the_packet_makes_no_room_for_worse_files() -> None:
    long = FileFact(path=f"src/{'very_long_' * 200}.py", action="modified", score=9)
    files = (long, FileFact(path="src/b.py", action="modified"), FileFact(path="src/c.py"))
    packet, _ = compose(replace(crowded(1, 0), files=files), 600, count)
    assert section(packet, "Files") == "Left out."


@pytest.mark.parametrize("budget", range(300, 3000, 150))
def test_no_file_is_named_where_a_better_one_is_left_out(budget: int) -> None:
    facts = crowded(1)
    offered = [piece for piece in pieces(facts, budget) if piece.group == "files"]
    best = sorted(offered, key=lambda piece: -piece.rank)
    files = section(compose(facts, budget, count)[0], "Files")
    named = [piece.forms[0].text.split(" ")[0] in files for piece in best]
    assert named == sorted(named, reverse=True)


@pytest.mark.parametrize("preset", list(PRESETS))
def test_a_preset_changes_nothing_where_all_fits(preset: str) -> None:
    few = crowded(2, 4)
    assert told(replace(few, preset=preset), 8000) == told(few, 8000)


def test_a_preset_changes_what_is_given_up_first() -> None:
    def todos(preset: str) -> int:
        return told(replace(crowded(), preset=preset), 2500).count("- [ ] to-do number")

    assert todos("implement") > todos("") >= todos("review")


@settings(max_examples=25, deadline=None)
@given(st.from_type(Facts), st.sampled_from(BUDGETS))
def test_the_same_facts_and_the_same_budget_give_the_same_bytes(facts: Facts, budget: int) -> None:
    assert told(facts, budget) == told(facts, budget)


def test_the_last_line_counts_what_was_left_out() -> None:
    packet, dropped = compose(crowded(), 1500, count)
    closing = render(packet).splitlines()[-1]
    assert closing.startswith(f"{CLOSING} left out to fit 1500 tokens: ")
    counted = re.findall(r"(\d+) (command|file|report|to-do)s?\b", closing)
    assert len(counted) >= 3
    for number, what in counted:
        assert sum(d.what == what and d.why == "budget" for d in dropped) == int(number)
    named = re.findall(r"file\d+\.py", section(packet, "Files"))
    assert len(named) + {what: int(n) for n, what in counted}.get("file", 0) == 60


def test_the_last_line_counts_what_was_cut_short_and_what_is_only_counted() -> None:
    source = SourceFacts(agent="pi", session_id="s")
    long = Facts(source=source, summaries=(Quote(text="what happened before\n" * 400),))
    assert told(long, 8000).splitlines()[-1] == f"{CLOSING} 1 item cut short."
    old = Facts(source=source, dropped=(Dropped(what="38 earlier command lines", why=FORGOTTEN),))
    assert told(old, 600).splitlines()[-1] == (
        f"{CLOSING} all that was picked fits 600 tokens; too long ago to be remembered: 38 earlier command lines."
    )


def test_a_file_that_must_be_named_is_named_in_the_smallest_packet() -> None:
    wanted = FileFact(path="docs/plan.md", action="read", wanted=True)
    facts = replace(crowded(40), files=(*crowded().files, wanted))
    assert "plan.md" in section(compose(facts, 450, count)[0], "Files")

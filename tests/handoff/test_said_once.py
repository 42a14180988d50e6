"""Where room is scarce nothing is told twice, and what tells little gives way to what was said."""

from __future__ import annotations

import pytest

from segue.extract.tokens import count
from segue.handoff import ahead, ranks, said
from segue.handoff.packet import compose, render
from segue.model.claim import ClaimState
from segue.model.facts import (
    Claim,
    CommandFact,
    Evidence,
    Facts,
    GoodRun,
    InFlight,
    NextStep,
    Note,
    RecentTurn,
    SourceFacts,
    TodoFact,
)

SOURCE = SourceFacts(agent="pi", ended="mid_turn")


def told(facts: Facts, budget: int) -> str:
    return render(compose(facts, budget, count)[0])


def looked(n: int, outcome: str = "", *, proved: bool = False) -> CommandFact:
    command = f"gh api repos/acme/importer/contents/lib/part_{n}.lua --jq .content"
    good = GoodRun(evidence=Evidence(n), outcome=outcome, proved=proved)
    return CommandFact(command=command, key=command, last_ok=good, evidence=(Evidence(n),), score=float(n))


SAID = tuple(
    Note(
        text=f"Part {n} reads the release list twice, once for each mirror it knows.",
        kind="said",
        evidence=(Evidence(n),),
    )
    for n in range(100, 120)
)


def test_many_looks_with_no_known_end_do_not_push_out_what_was_said() -> None:
    text = told(Facts(source=SOURCE, commands=tuple(map(looked, range(1, 25))), said=SAID), 1050)
    assert text.count("reads the release list twice") == len(SAID)
    assert 10 <= text.count("gh api repos/acme") < 24


@pytest.mark.parametrize("run", [looked(3, "exit 1"), looked(3, "12 rows", proved=True)])
def test_a_run_that_tells_something_is_told_with_it(run: CommandFact) -> None:
    runs = (run, *map(looked, range(4, 25)))
    text = told(Facts(source=SOURCE, commands=runs, said=SAID), 1600)
    assert run.last_ok is not None
    assert f"part_3.lua --jq .content` — {run.last_ok.outcome}" in text


def todo(text: str, state: str = "pending") -> TodoFact:
    return TodoFact(text=text, state=state, evidence=(Evidence(9),))


TODOS = (
    todo("Write the resume loop", "in_progress"),
    todo("Ask the server where it stopped"),
    todo("Describe it in the handbook"),
)
STEPS = (
    NextStep(text="Finish: Write the resume loop", basis="todo", evidence=(Evidence(9),)),
    NextStep(text="Do: Ask the server where it stopped", basis="todo", evidence=(Evidence(9),)),
)


def test_a_to_do_that_is_a_step_stands_in_the_list_only_where_there_is_room() -> None:
    facts = Facts(source=SOURCE, goal="go on", todos=TODOS, next_steps=STEPS)
    listed = {piece.forms[0].text: piece.rank for piece in ahead.task(facts, 700) if piece.group == "todos"}
    assert [rank > ranks.SAID.rank for rank in listed.values()] == [False, False, True]
    assert "- [~] Write the resume loop" in told(facts, 4000)


def test_a_to_do_that_is_told_as_a_step_is_not_counted_as_left_out() -> None:
    many = tuple(todo(f"Write the resume loop of part {n} of the uploader") for n in range(5))
    steps = tuple(NextStep(text=f"Do: {item.text}", basis="todo") for item in many)
    last = told(Facts(source=SOURCE, goal="go on", todos=many, next_steps=steps), 310).splitlines()[-1]
    assert "to-do" not in last


def test_last_words_that_say_where_it_stopped_are_told_once() -> None:
    words = "Let me handle both cases:"
    stop = InFlight(text=words, kind="turn", evidence=(Evidence(60),))
    last = RecentTurn(number=1, asked="Fix it.", said=words, evidence=(Evidence(2), Evidence(60)))
    text = told(Facts(source=SOURCE, in_flight=stop, recent=(last,)), 2000)
    assert text.count(words) == 1
    more = RecentTurn(number=1, asked="Fix it.", said=f"{words}\nfirst the loop.", evidence=(Evidence(2),))
    assert "> first the loop." in told(Facts(source=SOURCE, in_flight=stop, recent=(more,)), 2000)


def test_a_claim_gives_way_to_later_ones_of_its_own_kind_only() -> None:
    states: tuple[ClaimState, ...] = ("done", "tested", "tested", "pending")
    claims = tuple(
        Claim(text=f"claim {n}", state=state, evidence=(Evidence(n),), score=float(n))
        for n, state in enumerate(states)
    )
    found = [piece.rank for piece in said.claims(Facts(source=SOURCE, claims=claims))]
    assert found == [ranks.PUBLISHED.at(0), ranks.CLAIM.at(2), ranks.CLAIM.at(1), ranks.CLAIM.at(0)]

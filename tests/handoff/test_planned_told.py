"""How a packet tells a plan: in full while it is ahead, never at the cost of most of the packet."""

from __future__ import annotations

from segue.extract.carried import carried
from segue.extract.tokens import count
from segue.handoff.packet import compose, render
from segue.model.facts import Evidence, Facts, Note, Plan, SourceFacts

PLAN = "# Resumable uploads\n" + "\n".join(f"{n}. Store the offset of chunk {n} on disk." for n in range(90))


def told(plan: Plan, budget: int, statements: int = 0) -> str:
    said = tuple(
        Note(
            text=f"Chunk {n} was read twice before the offset was kept.", kind="said", evidence=(Evidence(n),)
        )
        for n in range(1, statements + 1)
    )
    facts = Facts(source=SourceFacts(agent="pi"), goal="go on", plan=plan, said=said)
    return render(compose(facts, budget, count)[0])


def test_a_plan_that_was_carried_out_is_one_line() -> None:
    plan = Plan(text=PLAN, outcome="approved", carried_out=True, evidence=(Evidence(7),))
    text = told(plan, 4000)
    assert text.partition("**Plan**\n")[2].partition("\n\n")[0] == (
        '- approved and, as later edits and requests show, carried out: "Resumable uploads" [#7]'
    )


def test_a_plan_that_is_ahead_uses_the_room_that_is_left() -> None:
    assert "89. Store the offset" in told(Plan(text=PLAN, outcome="approved"), 4000)


def test_while_something_is_left_out_a_plan_takes_about_a_quarter_at_most() -> None:
    text = told(Plan(text=PLAN, outcome="approved"), 800, statements=80)
    quoted = [line for line in text.split("\n") if line.startswith("> ")]
    assert "Left out to fit 800 tokens" in text
    assert 0 < count("\n".join(quoted)) <= 800 * 3 // 10


def test_a_plan_in_work_says_so_and_is_carried_on_by_a_later_handoff() -> None:
    text = told(Plan(text=PLAN, worked_on=12, evidence=(Evidence(7),)), 4000)
    assert "- proposed, 12 files edited since [#7]\n> # Resumable uploads" in text
    handed = carried(text, Evidence(1)).plan
    assert handed and (handed.outcome, handed.text.split("\n")[0]) == ("proposed", "# Resumable uploads")

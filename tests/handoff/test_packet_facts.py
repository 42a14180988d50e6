"""What a packet stands for when nothing is left of it but its text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from segue.extract import earlier_facts
from segue.handoff.packet import compose, render
from segue.handoff.packet_facts import facts_in
from segue.handoff.quote import inline
from segue.model.facts import (
    Claim,
    CommandFact,
    Evidence,
    Facts,
    FileFact,
    NextStep,
    Prompt,
    Run,
    SourceFacts,
    TodoFact,
)

SOURCE = SourceFacts(agent="pi", session_id="018f-1", turns=3, branch="main")


def count(text: str) -> int:
    return len(text) // 4


def carried_on(facts: Facts) -> Facts:
    """What is left of the facts after a packet was rendered and read back."""
    found = facts_in(render(compose(facts, 100_000, count)[0]))
    assert found is not None
    return found


_words = st.text(alphabet="ab \"\\'`#[]()12:…→×äß中\n", min_size=1, max_size=40).filter(str.strip)


@given(
    st.lists(
        st.builds(
            Prompt,
            text=_words,
            kind=st.sampled_from(("prompt", "answer")),
            evidence=st.lists(
                st.builds(Evidence, st.integers(1, 999)), min_size=1, max_size=2, unique=True
            ).map(tuple),
            origin=st.sampled_from(("", "018e-0")),
        ),
        max_size=4,
        unique_by=lambda prompt: prompt.text,
    )
)
def test_prompts_come_back_as_a_packet_prints_them(prompts: list[Prompt]) -> None:
    found = carried_on(Facts(source=SOURCE, prompts=tuple(prompts)))
    assert found.prompts == tuple(replace(prompt, text=inline(prompt.text)) for prompt in prompts)


def test_how_often_and_to_what_a_prompt_was_said_comes_back() -> None:
    at = (Evidence(9), Evidence(30))
    prompts = (
        Prompt(text="review step 1", count=3, last='review "step" 3', evidence=at),
        Prompt(text="yes", to="Shall I?", to_line=8, evidence=at[:1]),
        Prompt(text="9191", kind="answer", to="Which port?", evidence=at[:1]),
        Prompt(text="", kind="rejection", to="rm -r x", evidence=at[:1]),
    )
    assert carried_on(Facts(source=SOURCE, prompts=prompts)).prompts == prompts


def test_a_rule_stays_verbatim_over_ten_hops() -> None:
    rule = 'You must never write "[#12]" or C:\\tmp — not even 今日. (see `x`)'
    facts = Facts(source=SOURCE, prompts=(Prompt(text=rule, role="rule", evidence=(Evidence(4),)),))
    printed = inline(rule)
    for hop in range(10):
        before = carried_on(facts)
        own = Prompt(text=f"go on, {hop}", evidence=(Evidence(2),))
        source = replace(SOURCE, session_id=f"018f-{hop + 2}")
        facts = Facts(source=source, prompts=(*earlier_facts.prompts(before), own))
        assert (facts.prompts[0].text, facts.prompts[0].origin) == (printed, "018f-1")
    assert len(facts.prompts) == 11


def test_the_rest_of_what_is_open_comes_back() -> None:
    bad = Run(evidence=Evidence(7), verdict="failed", exit_code=2, printed=("error: no rule", "make: ***"))
    facts = Facts(
        source=SOURCE,
        goal='ship "it"',
        commands=(
            CommandFact(
                command="make",
                key="make",
                state="failing",
                open=True,
                last=bad,
                failed=bad,
                evidence=(bad.evidence,),
            ),
            CommandFact(command="ls", key="ls", evidence=(Evidence(8),)),
        ),
        files=(
            FileFact(path="src/a.py", action="modified", edits=2, evidence=(Evidence(5),)),
            FileFact(path="src/b.py", evidence=(Evidence(6),)),
        ),
        todos=(
            TodoFact(text="Cover the timeout", evidence=(Evidence(3),)),
            TodoFact(text="Write it", state="completed", evidence=(Evidence(3),)),
            TodoFact(text="Ship it", state="in_progress", evidence=(Evidence(3),)),
        ),
        claims=(Claim(text="commit 1a2b3c4 on main: x", state="done", evidence=(Evidence(9),)),),
        next_steps=(NextStep(text="Go on with the to-do: Ship it", basis="todo", evidence=(Evidence(3),)),),
    )
    found = carried_on(facts)
    assert (found.source, found.goal, found.claims) == (SOURCE, 'ship "it"', facts.claims)
    assert [(c.command, c.state, c.failed) for c in found.commands] == [
        ("make", "failing", replace(bad, printed=bad.printed[:1]))
    ]
    assert [(f.path, f.action, f.evidence) for f in found.files] == [("src/a.py", "modified", (Evidence(5),))]
    assert {(t.text, t.state) for t in found.todos} == {
        ("Ship it", "in_progress"),
        ("Cover the timeout", "pending"),
    }


def test_what_is_no_packet_stands_for_nothing() -> None:
    assert facts_in("## Task\n1. Run `make`") is None
    assert (
        facts_in("This handoff was drawn from pi session s (1 turn).\n\nNothing was left out of 9 tokens.")
        is None
    )

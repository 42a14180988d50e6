"""What goes first where not all fits: the goal and the person's words stay longest, then what fails, then names."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.extract.tokens import count
from segue.handoff import done
from segue.handoff.packet import compose, render
from segue.model.facts import (
    Background,
    Claim,
    CommandFact,
    DeadEnd,
    Decision,
    Evidence,
    Facts,
    FailedRun,
    FileFact,
    GoodRun,
    InFlight,
    NextStep,
    Note,
    Objective,
    Quote,
    RecentTurn,
    SourceFacts,
    TodoFact,
    Word,
)

LENGTH = st.integers(1, 45)
STRENGTH = st.sampled_from((1, 2, 3))
KIND = st.sampled_from(("constraint", "correction", "preference", "answer", "rejection"))


def prose(lead: str, words: int) -> str:
    return " ".join([lead, *("always wait",) * words])


@st.composite
def sessions(draw: st.DrawFn) -> Facts:
    """A session of words, failures, steps, commands and files of every length."""
    said = draw(st.lists(st.tuples(STRENGTH, KIND, LENGTH), max_size=20))
    failed = draw(st.lists(st.tuples(LENGTH, st.lists(LENGTH, max_size=4)), max_size=4))
    ran = draw(st.lists(LENGTH, max_size=6))
    files = draw(st.lists(LENGTH, max_size=12))
    planned = draw(st.lists(LENGTH, max_size=5))
    asked = draw(st.lists(LENGTH, min_size=1, max_size=3))
    quotes = [Quote(text=prose(f"prompt {n}", size), evidence=(Evidence(n),)) for n, size in enumerate(asked)]
    return Facts(
        source=SourceFacts(agent="pi", session_id="s", turns=9),
        goal=draw(st.sampled_from(("", "finish it"))),
        preset=draw(st.sampled_from(("", "debug", "implement", "review", "docs"))),
        objective=Objective(
            first=quotes[0], current=quotes[-1] if quotes[1:] else None, shifts=tuple(quotes[1:-1])
        ),
        words=tuple(
            Word(
                text=prose(f"word {n}", size),
                kind=kind,
                strength=strength,
                evidence=(Evidence(100 + n),),
                score=float(strength),
            )
            for n, (strength, kind, size) in enumerate(said)
        ),
        commands=(
            *(
                CommandFact(
                    command=prose(f"fails{n}", size),
                    key=f"fails{n}",
                    state="open",
                    check=True,
                    last_bad=FailedRun(
                        evidence=Evidence(200 + n),
                        command=prose(f"fails{n}", size),
                        exit_code=1,
                        error_lines=tuple(prose("broken", lines) for lines in errors),
                    ),
                    score=float(-n),
                )
                for n, (size, errors) in enumerate(failed)
            ),
            *(
                CommandFact(
                    command=prose(f"runs{n}", size),
                    key=f"runs{n}",
                    last_ok=GoodRun(evidence=Evidence(300 + n), outcome="ok"),
                )
                for n, size in enumerate(ran)
            ),
        ),
        files=tuple(
            FileFact(
                path=f"src/{'d' * size}/file{n}.py", action=("modified", "read")[n % 2], symbols=("main",)
            )
            for n, size in enumerate(files)
        ),
        decisions=(Decision(text="decided to keep it", evidence=(Evidence(1),)),),
        dead_ends=(DeadEnd(tried="tried to drop it", evidence=(Evidence(1),)),),
        claims=(Claim(text="commit abc1234 on main: it", state="done", evidence=(Evidence(1),)),),
        todos=(TodoFact(text="to do it", evidence=(Evidence(1),)),),
        in_flight=InFlight(text="make it", kind="call", evidence=(Evidence(1),)) if planned else None,
        next_steps=tuple(
            NextStep(text=prose(f"Step {n}", size), basis="todo", evidence=(Evidence(1),))
            for n, size in enumerate(planned)
        ),
    )


LESSER = ("file0.py", "`runs", "decided to keep", "tried to drop", "abc1234", "to do it")


def lacks(facts: Facts, text: str) -> tuple[list[str], list[str]]:
    """The words and the failures that are not told."""
    words = [w.text[:8] for w in facts.words if f'"{w.text.split(" always")[0]} ' not in text]
    failures = [c.key for c in facts.commands if c.state == "open" and f"- `{c.key} " not in text]
    return words, failures


@settings(max_examples=300, deadline=None)
@given(sessions(), st.integers(300, 1200))
def test_nothing_is_told_where_something_more_important_was_dropped(facts: Facts, budget: int) -> None:
    text = render(compose(facts, budget, count)[0])
    assert count(text) <= budget
    words, failures = lacks(facts, text)
    lesser = [mark for mark in LESSER if mark in text]
    if words:
        assert lesser == []
        assert len(re.findall(r"^- `fails", text, re.M)) <= 1
        assert "Step 1" not in text
    if failures:
        assert lesser == []


@settings(max_examples=100, deadline=None)
@given(sessions(), st.integers(300, 1200))
def test_a_rule_is_cut_only_where_nothing_that_was_done_is_named(facts: Facts, budget: int) -> None:
    text = render(compose(facts, budget, count)[0])
    if any(mark in text for mark in LESSER):
        assert [w.text for w in facts.words if w.strength > 1 and f'"{w.text}"' not in text] == []


GOAL = "Make the importer read files of any size, row by row, without ever holding more than one page of them in memory."


@pytest.mark.parametrize(
    "step",
    [
        f'Take up "{GOAL[:80]}…", which was under way when the session stopped.',
        f'Go on with "{GOAL}".',
    ],
)
def test_the_goal_is_told_once(step: str) -> None:
    facts = Facts(
        source=SourceFacts(agent="pi"),
        objective=Objective(first=Quote(text=GOAL, evidence=(Evidence(1),))),
        next_steps=(NextStep(text=step, basis="in flight", evidence=(Evidence(1),)),),
    )
    text = render(compose(facts, 2000, count)[0])
    assert text.count("Make the importer read files") == 1
    before, _, rest = step.partition('"')
    assert f"1. {before}the goal{rest.partition(chr(34))[2]} [#1]" in text


@pytest.mark.parametrize("goal", ["", GOAL, "something else"])
def test_a_request_that_is_the_goal_is_not_told_again_as_what_was_asked_for(goal: str) -> None:
    first = Quote(text="Set up the project.", evidence=(Evidence(1),))
    last = Quote(text=GOAL, evidence=(Evidence(9),))
    facts = Facts(source=SourceFacts(agent="pi"), goal=goal, objective=Objective(first=first, current=last))
    text = render(compose(facts, 2000, count)[0])
    assert (text.count(GOAL), text.count("Set up the project.")) == (1, 1)


def test_what_is_proven_done_comes_before_the_names_of_many_commands() -> None:
    claims = ("commit 1a2b3c4 on main: Try again", "pushed main -> main", "opened https://example.com/pull/7")
    facts = Facts(
        source=SourceFacts(agent="pi", session_id="s", turns=9),
        goal="finish it",
        claims=tuple(
            Claim(text=text, state="pushed" if "->" in text else "done", evidence=(Evidence(n),), score=n)
            for n, text in enumerate(claims)
        ),
        commands=tuple(
            CommandFact(
                command=f"make part-{n} --with every --option that=there is",
                key=f"make part-{n}",
                state="ok",
                last_ok=GoodRun(evidence=Evidence(100 + n), proved=True),
                score=n,
            )
            for n in range(30)
        ),
    )
    text = render(compose(facts, 500, count)[0])
    assert [claim for claim in claims if claim not in text] == []
    assert "make part-29" in text


def test_a_word_that_the_goal_repeats_gives_way_to_one_that_stands_nowhere_else() -> None:
    asked = "add retries. don't use the p-retry package, we got burned by it. keep functions under 40 lines"
    said = {
        "don't use the p-retry package, we got burned by it.": 22,
        "keep functions under 40 lines": 22,
        "no, 9090 for the port, the other one is taken": 7,
    }
    facts = Facts(
        source=SourceFacts(agent="pi", session_id="s", turns=9),
        objective=Objective(first=Quote(text=asked, evidence=(Evidence(22),))),
        words=tuple(
            Word(text=text, kind="constraint", strength=3, evidence=(Evidence(line),), score=float(line))
            for text, line in said.items()
        ),
    )
    sizes = {budget: compose(facts, budget, count)[0] for budget in (170, 2000)}
    small, roomy = (render(sizes[budget]) for budget in (170, 2000))
    assert [text for text in said if text not in small] == []
    assert "words of the person" not in sizes[170].losses
    assert all(f'- must: "{text}"' in roomy for text in said)


@pytest.mark.parametrize(
    ("budget", "told"), [(400, "stopped in the middle of a turn"), (1500, "ended in mid-turn")]
)
def test_that_a_session_stopped_in_mid_turn_is_told_once(budget: int, told: str) -> None:
    facts = Facts(source=SourceFacts(agent="pi", ended="mid_turn"), goal=GOAL)
    text = render(compose(facts, budget, count)[0])
    assert [told in text, text.count("mid-turn") + text.count("middle of a turn")] == [True, 1]


def test_what_failed_long_ago_and_may_be_mended_gives_up_its_second_line_early() -> None:
    bad = FailedRun(
        command="npx tsc", exit_code=2, error_lines=("a.ts: error", "b.ts: error"), evidence=Evidence(5)
    )
    failed = CommandFact(command="npx tsc", key="npx tsc", check=True, state="open", last_bad=bad)
    good = CommandFact(
        command="npm test", key="npm test", check=True, state="ok", last_ok=GoodRun(evidence=Evidence(30))
    )
    turn = RecentTurn(number=9, evidence=(Evidence(20),))
    ranks = [
        next(done.failing(Facts(source=SourceFacts(agent="pi"), commands=runs, recent=(turn,)))).forms[2].rank
        for runs in ((failed,), (failed, good))
    ]
    assert ranks[0] > 90 > ranks[1]


def test_a_deleted_file_has_no_state_of_work() -> None:
    gone = FileFact(
        path="src/old.py", action="deleted", edits=2, work_state="needs_review", evidence=(Evidence(4),)
    )
    text = render(compose(Facts(source=SourceFacts(agent="pi"), files=(gone,)), 2000, count)[0])
    assert "- old.py (deleted) [#4]" in text


def test_how_a_check_came_out_is_told_twice_only_where_all_else_fits() -> None:
    run = CommandFact(
        command="pytest -q",
        key="pytest",
        check=True,
        last_ok=GoodRun(evidence=Evidence(9), outcome="9 passed"),
        evidence=(Evidence(9),),
    )
    claim = Claim(text="`pytest -q` passed — 9 passed", state="tested", act="check", evidence=(Evidence(9),))
    ranks = [
        next(done.commands(Facts(source=SourceFacts(agent="pi"), commands=(run,), claims=claims)))
        .forms[1]
        .rank
        for claims in ((), (claim,))
    ]
    assert ranks[0] > 60 > ranks[1]


@pytest.mark.parametrize("answered", [True, False])
def test_last_words_from_before_the_last_request_are_told_as_such(answered: bool) -> None:
    turns = (
        RecentTurn(number=1, asked="Add a demo.", said="All done.", evidence=(Evidence(2),)),
        RecentTurn(number=2, asked="It is empty.", said="Now it is not." * answered, evidence=(Evidence(9),)),
    )
    text = render(compose(Facts(source=SourceFacts(agent="pi"), recent=turns), 2000, count)[0])
    assert ("(reported, before the last request)\n> All done." in text) != answered


def test_a_call_without_a_result_is_not_told_again_as_a_job() -> None:
    stop = InFlight(text="go test ./sync", kind="call", evidence=(Evidence(9),))
    jobs = tuple(Background(text=text, evidence=(Evidence(7),)) for text in ("go test ./sync", "npm start"))
    facts = Facts(source=SourceFacts(agent="codex", ended="mid_turn"), in_flight=stop, background=jobs)
    text = render(compose(facts, 2000, count)[0])
    assert (text.count("go test ./sync"), text.count("npm start")) == (1, 1)


@pytest.mark.parametrize("state", ["completed", "pending"])
def test_a_list_that_is_ticked_off_is_not_said_to_be_perhaps_done(state: str) -> None:
    todos = (
        TodoFact(text="Port the reader", state="completed", stale=True),
        TodoFact(text="Port the writer", state=state, stale=True),  # type: ignore[arg-type]
    )
    text = render(compose(Facts(source=SourceFacts(agent="pi"), todos=todos), 2000, count)[0])
    assert ("may be done" in text) == (state == "pending")


def test_why_something_was_done_comes_before_the_names_of_commands_in_a_small_packet() -> None:
    reason = "The lock lives in the table, because the pooler forgets a session between two statements."
    facts = Facts(
        source=SourceFacts(agent="pi", session_id="s", turns=2),
        goal="go on",
        commands=tuple(
            CommandFact(
                key=f"make part-{n}",
                command=f"make part-{n} " + "--with-a-long-option " * 3,
                state="ok",
                evidence=(Evidence(n),),
                last_ok=GoodRun(evidence=Evidence(n)),
            )
            for n in range(60)
        ),
        said=(Note(text=reason, kind="said", evidence=(Evidence(7),)),),
    )
    small = render(compose(facts, 700, count)[0])
    assert reason in small
    assert "make part-59" in small


def test_what_the_session_was_for_comes_before_the_names_of_files() -> None:
    asked = Objective(
        first=Quote(text="Make posting idempotent, keyed on the request id.", evidence=(Evidence(1),)),
        current=Quote(text="Start with the purge query.", evidence=(Evidence(9),)),
    )
    files = tuple(
        FileFact(path=f"src/part_{n}.py", action="modified", edits=1, evidence=(Evidence(n),))
        for n in range(60)
    )
    source = SourceFacts(agent="pi", session_id="s", turns=9)
    facts = Facts(source=source, objective=asked, files=files, goal="go on")
    text = render(compose(facts, 300, count)[0])
    assert "Make posting idempotent" in text and "Start with the purge query." in text


@given(st.integers(300, 900), st.integers(0, 12), st.sampled_from(("turn", "")))
@settings(max_examples=60, deadline=None)
def test_last_words_that_something_refutes_do_not_stand_without_it(
    budget: int, rules: int, stop: str
) -> None:
    said = "Everything is pushed and all tests pass."
    against = Claim(
        text=f'the agent said "{said}", but `mypy billing` failed (#40) before the last edits, and was not run since',
        state="inferred",
        act="word",
        evidence=(Evidence(50),),
    )
    facts = Facts(
        source=SourceFacts(agent="pi", session_id="s", turns=2),
        goal="finish the port of the client",
        words=tuple(
            Word(text=f"never drop field {n}", kind="constraint", strength=3, evidence=(Evidence(n),))
            for n in range(rules)
        ),
        files=tuple(FileFact(path=f"src/client/part{n}.py", action="modified") for n in range(9)),
        claims=(against,),
        in_flight=InFlight(kind="turn", text=said, evidence=(Evidence(50),)) if stop else None,
        recent=(RecentTurn(number=2, said=said, evidence=(Evidence(45), Evidence(50))),),
    )
    text = render(compose(facts, budget, count)[0])
    assert text.count(said) == 0 or "but `mypy billing` failed" in text


def test_a_small_packet_tells_open_todos_before_what_was_only_read() -> None:
    files = tuple(
        FileFact(
            path=f"services/part_{n}/internal/reader_of_the_table_{n}_and_of_its_index_{n}.rb",
            action="read",
            reads=1,
            evidence=(Evidence(n),),
        )
        for n in range(1, 31)
    )
    todos = tuple(
        TodoFact(text=f"write the page on {what}", state="pending", evidence=(Evidence(95),))
        for what in ("limits", "retries", "costs")
    )
    text = render(compose(Facts(source=SourceFacts(agent="pi"), files=files, todos=todos), 600, count)[0])
    assert text.count("- [ ] write the page on ") == len(todos)
    assert "files" in text.rstrip().rsplit("\n", 1)[-1]

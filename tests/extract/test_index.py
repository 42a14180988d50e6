"""The index of sessions as they really are: without a prompt, endless, hostile, from sub-agents only."""

from __future__ import annotations

from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from segue.extract import facts, index
from segue.model.entry import Edit, Entry, Kind, Todo

from .story import Story

_text = st.text(max_size=80) | st.sampled_from(
    ("## Context", "```", "</read-files>", "never do this", "git commit -m x", "a/b.py")
)
_entry = st.builds(
    Entry,
    kind=st.sampled_from(get_args(Kind)),
    file=st.just("s"),
    line=st.integers(0, 5000),
    by=st.sampled_from(("person", "agent", "harness", "subagent")),
    via=st.sampled_from(("prompt", "queued", "hook", "shell", "")),
    text=_text,
    command=_text,
    call_id=st.sampled_from(("", "a", "b")),
    tool=_text,
    tool_kind=st.sampled_from(("shell", "read", "edit", "search", "other")),
    paths=st.lists(_text, max_size=2).map(tuple),
    edits=st.lists(st.builds(Edit, path=_text, new=_text, old=_text), max_size=2).map(tuple),
    todos=st.lists(st.builds(Todo, text=_text), max_size=2).map(tuple),
    exit_code=st.none() | st.integers(-1, 130),
    is_error=st.none() | st.booleans(),
    background=st.booleans(),
    agent_id=st.sampled_from(("", "x")),
    cwd=st.sampled_from(("", "/w", "/w/x")),
    data=st.sampled_from(({}, {"cwd": "/w"}, {"outcome": "approved"}, {"id": "s"})),
)


@settings(max_examples=150, deadline=None)
@given(st.lists(_entry, max_size=25))
def test_any_entries_make_an_index_and_facts(entries: list[Entry]) -> None:
    built = index.build(entries, "generic", "s", lambda text: text)
    facts.select(built, "a goal", budget=1000)
    assert index.build(entries, "generic", "s", lambda text: text) == built


def test_entries_without_places_are_judged_too() -> None:
    prompt = Entry(kind="user", file="s", line=0, text="You must keep the port.", by="person", via="prompt")
    built = index.build([prompt, prompt], "generic", "s", lambda text: text)
    chosen = facts.select(built, "a goal", budget=1000)
    assert [(p.text, p.count) for p in chosen.prompts] == [("You must keep the port.", 2)]


def test_a_session_without_a_prompt_has_a_turn_zero(story: Story) -> None:
    story.says("hello")
    story.run("make test", "3 passed in 1s")
    built = story.index
    assert ([t.number for t in built.turns], built.prompts, built.source.turns) == ([0], (), 0)


def test_one_endless_turn_stays_small(story: Story) -> None:
    story.prompt("keep going, never stop")
    for n in range(3000):
        story.run(f"make test N={n}", f"output {n}\n" * 50, n % 2)
        story.edit(f"src/file_{n}.py", new=f"def function_number_{n}(): ...\n" * 40)
    built = story.index
    assert built.turns[-1].calls == 6000
    assert (len(built.turns), len(built.turns[0].paths)) == (1, 16)
    assert max(len(built.commands), len(built.files)) <= 3000


def test_in_a_session_of_a_sub_agent_the_agents_request_is_the_prompt(story: Story) -> None:
    story.add("user", "Review the retry code.", by="agent", via="prompt")
    story.says("Reviewed.")
    built = story.index
    assert [t.prompt for t in built.turns] == [p.text for p in built.prompts] == ["Review the retry code."]
    assert built.source.of_subagent


def test_how_a_session_ended_is_told(story: Story) -> None:
    story.prompt("go")
    story.says("Done.")
    assert story.index.source.ended == "finished"
    name = story.call("Bash", "shell", command="make test")
    assert (story.index.source.ended, story.index.in_flight.text) == ("mid_turn", "make test")
    story.add("tool_result", "ok", call_id=name, exit_code=0, is_error=False)
    assert story.index.in_flight.text == "Done."
    story.add("interruption", by="person")
    assert story.index.source.ended == "interrupted"


def test_what_the_agent_says_between_two_acts_does_not_end_its_turn(story: Story) -> None:
    story.prompt("go")
    story.add("agent", "The stub returns a list; I make it a generator.", via="commentary")
    built = story.index
    assert (built.source.ended, built.in_flight.kind) == ("mid_turn", "turn")
    assert built.in_flight.text == "The stub returns a list; I make it a generator."
    story.says("Done.")
    assert (story.index.source.ended, story.index.in_flight) == ("finished", None)


def test_a_turn_that_the_record_ends_is_over_whatever_was_said_last(story: Story) -> None:
    story.prompt("go")
    story.add("agent", "Now the parser.", via="commentary")
    story.add("meta", by="harness", data={"turn_over": True})
    assert (story.index.source.ended, story.index.in_flight) == ("finished", None)


def test_all_calls_without_a_result_are_told(story: Story) -> None:
    story.prompt("go")
    story.says("All at once.")
    lines = []
    for command in ("go test ./...", "golangci-lint run", "cat notes.txt", "git diff --stat"):
        story.call("Bash", "shell", command=command)
        lines.append(len(story.entries))
    stop = story.index.in_flight
    assert (stop.text, stop.beside) == ("git diff --stat", ("go test ./...", "golangci-lint run"))
    assert [at.line for at in stop.evidence] == [lines[0], lines[1], lines[3]]


def test_an_edit_that_failed_is_where_it_stopped_if_nothing_comes_after_it(story: Story) -> None:
    story.prompt("go")
    story.says("I rename it.")
    at = story.edit("/home/me/app/src/a.py", ok=False)
    stop = story.index.in_flight
    assert (stop.kind, stop.text, stop.evidence[0].line) == ("error", "Edit src/a.py: no match", at)
    story.edit("src/a.py")
    assert story.index.in_flight.kind == "turn"


def test_calls_of_an_earlier_turn_are_not_in_flight(story: Story) -> None:
    story.prompt("go")
    story.call("Bash", "shell", command="make old")
    story.prompt("and now?")
    story.call("Bash", "shell", command="make new")
    assert (story.index.in_flight.text, story.index.in_flight.beside) == ("make new", ())


def test_an_error_after_which_the_agent_went_on_is_not_where_it_stopped(story: Story) -> None:
    story.prompt("go")
    story.add("interruption", by="harness", reason="error")
    assert (story.index.in_flight.kind, story.index.in_flight.text) == ("error", "error")
    story.says("Done after all.")
    assert story.index.in_flight is None


def test_everything_kept_is_cleaned(story: Story) -> None:
    secret = "hunter2hunter2"
    story.prompt(f"never print {secret}")
    story.says(f"I decided to use {secret} instead of nothing. See src/a.py {secret}.")
    story.edit("src/a.py", new=f"token_{secret} = 1")
    story.run(f"curl -u me:{secret} localhost/x", f"error: {secret} refused", 1)
    story.run(f"git commit -m {secret}", f"[main abc1234] {secret}")
    story.todos((secret, "pending"))
    story.add("plan", secret)
    story.add("summary", secret)
    story.add("question", f"{secret}?")
    story.call("Bash", "shell", command=f"echo {secret}")
    built = index.build(story.entries, "generic", "s", lambda text: text.replace(secret, "[gone]"))
    assert secret not in repr(built)
    assert repr(built).count("[gone]") > 8


def test_what_was_last_said_points_to_where_it_was_said(story: Story) -> None:
    story.prompt("go")
    said = story.says("Now the exporter.")
    story.run("ls", "a.py")
    stop = story.index.in_flight
    assert stop is not None
    assert (stop.kind, stop.text, stop.evidence[0].line) == ("turn", "Now the exporter.", said)

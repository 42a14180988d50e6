"""What the person said: verbatim, in order, repetitions counted, pasted text told as that."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.extract.pasted import condensed, own_words
from segue.model.facts import Prompt

from .story import Story, told


def prompts(story: Story) -> list[Prompt]:
    return list(story.index.prompts)


def texts(story: Story) -> list[str]:
    return [prompt.text for prompt in story.index.prompts]


def test_prompts_stand_verbatim_and_in_order(story: Story) -> None:
    said = ["Add retries.", "Und bitte ohne neue Abhängigkeiten.", "no, 9090", "ok"]
    for text in said:
        story.prompt(text)
        story.says("Fine.")
    assert texts(story) == said


def test_the_same_prompt_again_is_counted(story: Story) -> None:
    lines = [story.prompt(text) for text in ("continue", "fix the parser first", "continue")]
    (again, _) = prompts(story)
    assert (again.text, again.count, [at.line for at in again.evidence]) == (
        "continue",
        2,
        [lines[0], lines[2]],
    )


def test_two_prompts_that_are_alike_both_stand(story: Story) -> None:
    for n in (1, 2):
        story.prompt(f"look at the parser part number {n}")
    assert len(texts(story)) == 2


def test_three_prompts_that_are_alike_are_one_with_its_first_and_last(story: Story) -> None:
    lines = [story.prompt(f"look at the parser part number {n}") for n in (1, 2, 3)]
    (one,) = prompts(story)
    assert (one.count, one.text, one.last) == (
        3,
        "look at the parser part number 1",
        "look at the parser part number 3",
    )
    assert [at.line for at in one.evidence] == [lines[0], lines[2]]


@pytest.mark.parametrize("kind", ["answers", "rejects"])
def test_answers_and_rejections_are_never_folded(story: Story, kind: str) -> None:
    story.prompt("go")
    for n in range(4):
        if kind == "answers":
            story.asks(f"Which one of the parts, {n}?")
            story.answers(f"take the part number {n}")
        else:
            story.rejects(story.call("Bash", "shell", command=f"make {n}"), f"not the part number {n}")
    assert len([prompt for prompt in prompts(story) if prompt.kind != "prompt"]) == 4


def test_what_was_queued_while_the_agent_worked_is_heard(story: Story) -> None:
    story.prompt("Add retries.")
    story.prompt("and never block", via="queued")
    assert [(prompt.text, prompt.kind) for prompt in prompts(story)] == [
        ("Add retries.", "prompt"),
        ("and never block", "queued"),
    ]


def test_a_brief_prompt_is_told_with_what_the_agent_had_asked(story: Story) -> None:
    story.prompt("Add retries to the client.")
    at = story.says("Done so far.\n\nShall I use 3 or 5 attempts?")
    story.prompt("5")
    answer = prompts(story)[-1]
    assert (answer.text, answer.to, answer.to_line) == ("5", "Shall I use 3 or 5 attempts?", at)


def test_a_prompt_after_no_question_answers_none(story: Story) -> None:
    story.prompt("Add retries to the client.")
    story.says("Done.")
    story.prompt("5")
    assert prompts(story)[-1].to == ""


def test_an_answer_stands_with_its_question_once(story: Story) -> None:
    story.prompt("go")
    story.asks("Which queue shall it be?")
    story.answers('"Which queue shall it be?" = "redis"')
    asked = told(story.packet(), "Asked for")
    assert asked.count("Which queue shall it be?") == 1


def test_a_rejection_without_words_is_told(story: Story) -> None:
    story.prompt("go")
    story.rejects(story.call("Bash", "shell", command="rm -rf build"))
    assert "rejected `rm -rf build`: (no words)" in story.packet()


def test_a_slash_command_is_told_as_one(story: Story) -> None:
    story.prompt("/review the parser", via="command")
    assert [prompt.kind for prompt in prompts(story)] == ["command"]


def test_what_the_person_ran_in_a_shell_is_a_run_and_no_prompt(story: Story) -> None:
    story.add("user", "2 failed", by="person", via="shell", command="make test", call_id="x", exit_code=1)
    assert texts(story) == []
    assert story.states == {"make test": "failing"}


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("Never touch the migrations.", "rule"),
        ("Add retries. The timeout must be 30s.", "rule"),
        ("Add retries to the client.", ""),
        ("```\nnever do this\nalways that\n```\nWhat does that mean?", ""),
    ],
)
def test_a_marker_in_the_person_s_own_words_makes_a_prompt_weigh_more(
    story: Story, text: str, role: str
) -> None:
    story.prompt(text)
    assert [prompt.role for prompt in prompts(story)] == [role]


def test_a_prompt_without_a_marker_stands_too(story: Story) -> None:
    story.prompt("Port 9090 it is.")
    story.prompt("Tabs.")
    asked = told(story.packet(), "Asked for")
    assert '"Port 9090 it is."' in asked
    assert '"Tabs."' in asked


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("Fix this:\n```\na\nb\nc\n```\nThanks", 'Fix this:\n[pasted, 3 lines: "a" … "c"]\nThanks'),
        ("Run\n```\nmake test\n```", "Run\n`make test`"),
        (
            "He wrote:\n> never do it\n> always do it\n> maybe\nHm.",
            'He wrote:\n[pasted, 3 lines: "> never do it" … "> maybe"]\nHm.',
        ),
        ("$ make\nIt fails.", "$ make\nIt fails."),
        ("one\ntwo\nthree", "one\ntwo\nthree"),
        ("```\nnever closed\nat all", '[pasted, 2 lines: "never closed" … "at all"]'),
        (
            "src/a.py:4: must be str\nsrc/b.py:9: never used\nsrc/c.py:1: always true\nfix them",
            '[pasted, 3 lines: "src/a.py:4: must be str" … "src/c.py:1: always true"]\nfix them',
        ),
    ],
)
def test_what_was_pasted_is_told_by_its_ends(text: str, kept: str) -> None:
    assert own_words(text) == kept


def test_a_long_prompt_in_few_words_keeps_its_ends_and_its_rules() -> None:
    filler = " ".join(f"The part number {n} is like the others." for n in range(30))
    text = f"Rewrite the reader. {filler} Never change the names. {filler} Tell me when it works."
    [told] = condensed(text, 170)
    assert len(told) <= 170
    assert told.startswith("Rewrite the reader.")
    assert "Never change the names." in told
    assert told.endswith("Tell me when it works.")


def test_a_short_prompt_is_not_condensed() -> None:
    assert condensed("Never  push.\nPlease.", 170) == ["Never push. Please."]


@given(st.text(max_size=500), st.integers(40, 400))
def test_any_prompt_is_condensed_within_its_room(text: str, limit: int) -> None:
    assert len(condensed(own_words(text), limit)[0]) <= limit + 2


@pytest.mark.parametrize("length", [2_000, 9_000, 400_000])
@pytest.mark.parametrize("alone", [True, False])
def test_a_fuller_form_of_a_prompt_keeps_the_rule_that_the_briefer_one_has(
    story: Story, length: int, alone: bool
) -> None:
    middle = "The quick brown fox jumps over the lazy dog. " * (length // 45)
    if not alone:
        story.prompt("Build the importer.")
    story.prompt(f"Look at the reader. {middle} At last, never publish anything.")
    story.says("Done.")
    if not alone:
        story.prompt("Now go on.")
    assert "never publish anything" in told(story.packet(), "Asked for")


def test_a_fuller_form_of_a_prompt_keeps_a_rule_in_its_middle(story: Story) -> None:
    half = "The quick brown fox jumps over the lazy dog. " * 100
    story.prompt("Build the importer.")
    story.prompt(f"Look at the reader. {half} Never publish anything. {half}")
    story.says("Done.")
    story.prompt("Now go on.")
    assert "Never publish anything." in told(story.packet(), "Asked for")


def test_a_traceback_is_told_by_its_ends() -> None:
    trace = (
        "Traceback (most recent call last):\n"
        '  File "a.py", line 3, in <module>\n'
        "    main()\n"
        "TypeError: name must be a string"
    )
    assert own_words(f"I get this:\n{trace}\nwhy?") == (
        'I get this:\n[pasted, 4 lines: "Traceback (most recent call last):" … "TypeError: name must be a string"]\nwhy?'
    )


def test_one_line_in_a_fence_makes_no_rule(story: Story) -> None:
    story.prompt("```\nnever do this\n```\nWhat does that mean?")
    assert [prompt.role for prompt in story.index.prompts] == [""]


def test_only_the_first_prompt_after_a_question_answers_it(story: Story) -> None:
    story.prompt("Add retries.")
    story.says("Done. Shall I push to main?")
    story.prompt("no")
    story.run("make test", "4 passed in 0.1s")
    story.prompt("ok, go ahead")
    replies = {prompt.text: prompt.to for prompt in story.index.prompts}
    assert replies == {"Add retries.": "", "no": "Done. Shall I push to main?", "ok, go ahead": ""}


def test_a_question_mark_in_code_asks_nothing(story: Story) -> None:
    story.prompt("go")
    story.says("Done:\n```\nconst x = a ? b : c;\n```")
    story.prompt("ok")
    assert story.index.prompts[-1].to == ""


def test_an_answer_is_not_tied_to_a_question_that_was_answered_before(story: Story) -> None:
    story.prompt("go")
    story.asks("Which queue?")
    story.answers("redis")
    story.prompt("and what about the port")
    story.answers("9090")
    assert [prompt.to for prompt in story.index.prompts if prompt.text == "9090"] == [""]


def test_orders_that_name_places_are_the_person_s_words(story: Story) -> None:
    orders = (
        "- in src/a.py:12 rename the client",
        "- in src/b.py:40 never catch Exception",
        "- in src/c.py:7 use the new client",
    )
    story.prompt("\n".join(("Please do three things.", *orders)))
    assert "never catch Exception" in told(story.packet(), "Asked for")


@pytest.mark.parametrize("way", ["prompt", "answer"])
def test_a_path_that_the_person_gave_as_an_answer_stands(story: Story, way: str) -> None:
    story.prompt("Move the data.")
    if way == "prompt":
        story.says("Where shall it go?")
        story.prompt("/srv/data/orders")
    else:
        story.asks("Where shall it go?")
        story.answers("/srv/data/orders")
    assert "/srv/data/orders" in told(story.packet(), "Asked for")

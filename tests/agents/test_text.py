"""A person's words are told apart from what programs say in their name."""

from __future__ import annotations

import pytest

from segue.agents._text import OPENINGS, WRAPPERS, Said, split_message, without_reminder


@pytest.mark.parametrize(("tag", "via"), WRAPPERS.items())
def test_wrapped_text_is_the_programs_and_what_follows_is_not(tag: str, via: str) -> None:
    text = f"<{tag}>\nnot mine\n</{tag}>\nmine"
    assert split_message(text)[0].via == via and split_message(text)[0].by == "harness"
    assert split_message(text)[1:] == (
        [] if tag == "task-notification" else [Said("mine", "person", "prompt")]
    )


@pytest.mark.parametrize(("opening", "via"), OPENINGS)
def test_text_with_a_known_opening_is_the_programs_to_its_end(opening: str, via: str) -> None:
    text = f"{opening} and more\n\nin several paragraphs"
    assert split_message(text) == [Said(text, "harness", via)]


@pytest.mark.parametrize(
    "text",
    [
        "plain words",
        "why is there a <system-reminder> in my sentence, and </system-reminder> after it?",
        "<unknown-tag>my own markup</unknown-tag>",
        "if a < b and b > c",
        "<system-reminder> that never ends",
    ],
)
def test_what_a_person_typed_stays_the_persons(text: str) -> None:
    assert split_message(text) == [Said(text, "person", "prompt")]


def test_a_slash_command_is_told_with_its_arguments() -> None:
    text = "<command-message>tidy</command-message>\n<command-name>/tidy</command-name>\n<command-args>the imports</command-args>"
    assert split_message(text) == [Said("/tidy the imports", "person", "command")]


def test_a_shell_command_is_the_persons_and_its_output_the_programs() -> None:
    assert split_message("<bash-input>ls</bash-input>") == [Said("ls", "person", "shell")]
    assert split_message("<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>") == [
        Said("a", "harness", "output")
    ]


def test_a_hooks_reminder_is_a_hooks() -> None:
    text = "<system-reminder>\nPostToolUse:Edit hook additional context: fine\n</system-reminder>"
    assert split_message(text) == [Said("PostToolUse:Edit hook additional context: fine", "harness", "hook")]


def test_blank_text_says_nothing() -> None:
    assert split_message(" \n ") == []


def test_reminders_at_the_end_of_an_output_come_apart_in_order() -> None:
    text = "out\n\n<system-reminder>\none\n</system-reminder>\n<system-reminder>two</system-reminder>"
    assert without_reminder(text) == (
        "out",
        [Said("one", "harness", "reminder"), Said("two", "harness", "reminder")],
    )
    assert without_reminder("a closing </system-reminder>") == ("a closing </system-reminder>", [])


def test_ten_thousand_tags_cost_no_more_than_their_length() -> None:
    assert split_message("<system-reminder>\n" * 10_000)[0].by == "person"
    assert (
        len(
            without_reminder(
                "<system-reminder>x</system-reminder>\n" * 10_000 + "<system-reminder></system-reminder>"
            )[1]
        )
        == 10_001
    )

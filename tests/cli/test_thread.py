"""What a person sees of threads on the command line, and what is said of a command that cannot be meant."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

Segue = Callable[..., Any]


@pytest.mark.parametrize("further", [["--at-seq", "1"], ["--budget", "500"], ["--run", "r1"]])
def test_an_audit_repeats_what_is_recorded_and_takes_no_other_wishes(
    segue: Segue, further: list[str]
) -> None:
    thread_id = segue("thread", "ensure").out.strip()
    segue("thread", "post", thread_id, "--content", "hello")
    ran = segue("thread", "compile", thread_id, "--audit", *further)
    assert (ran.code, ran.err.splitlines()[0]) == (
        2,
        f"segue: An audit compiles every recorded context as it was, so {further[0]} has no meaning there.",
    )


@pytest.mark.parametrize("words", [("--content", ""), ("--content", " \n\t"), ("--content-file", "-")])
def test_a_message_without_a_word_is_refused(segue: Segue, words: tuple[str, str]) -> None:
    thread_id = segue("thread", "ensure").out.strip()
    ran = segue("thread", "post", thread_id, *words)
    assert (ran.code, ran.err.splitlines()[0]) == (2, "segue: The message is empty.")
    assert segue("thread", "show", thread_id, "--json").json["head_seq"] == 0


def test_what_comes_on_standard_input_and_is_too_large_is_called_so(segue: Segue) -> None:
    thread_id = segue("thread", "ensure").out.strip()
    ran = segue("thread", "post", thread_id, "--content-file", "-", stdin=b"x" * 9_000_000)
    assert (ran.code, ran.err.splitlines()[0]) == (2, "segue: Standard input is larger than 8 MB.")


def test_showing_a_thread_shows_its_newest_messages_in_short(segue: Segue) -> None:
    thread_id = segue("thread", "ensure").out.strip()
    before = segue("thread", "show", thread_id).out
    for n in range(7):
        segue(
            "thread",
            "post",
            thread_id,
            "--content",
            f"message {n}",
            "--role",
            "user" if n % 2 else "assistant",
        )
    segue("thread", "post", thread_id, "--content", "one\n\n\ttwo\x1b[2J\nthree\nfour\n" + "five " * 200)
    head, _, messages = segue("thread", "show", thread_id).out.partition("\n\n")
    assert [line.split("  ")[0] for line in head.splitlines()][:1] == before.split("  ")[:1]
    assert messages.splitlines() == [
        "@4 user",
        "  message 3",
        "@5 assistant",
        "  message 4",
        "@6 user",
        "  message 5",
        "@7 assistant",
        "  message 6",
        "@8 user",
        "  one",
        "  two\\x1b[2J".replace("\\x1b", " "),
        "  three …",
    ]


def test_what_a_program_is_shown_of_a_thread_has_no_messages(segue: Segue) -> None:
    thread_id = segue("thread", "ensure").out.strip()
    segue("thread", "post", thread_id, "--content", "hello")
    assert sorted(segue("thread", "show", thread_id, "--json").json) == [
        "archived",
        "created_at_ms",
        "default",
        "head_hash",
        "head_seq",
        "tags",
        "thread_id",
    ]


def test_a_list_that_goes_on_says_how(segue: Segue) -> None:
    made = [segue("thread", "create", "--json").json["thread_id"] for _ in range(3)]
    first = segue("thread", "list", "--limit", "2")
    assert (len(first.out.splitlines()), f"--after {made[1]}" in first.err) == (2, True)
    rest = segue("thread", "list", "--limit", "2", "--after", made[1])
    assert (rest.out.count(made[2]), rest.err) == (1, "")


@pytest.mark.parametrize("who", [{}, {"actor_id": "ci", "origin": "nightly"}, {"actor_id": "ci"}])
def test_an_operation_by_name_takes_who_acts_as_the_api_does(segue: Segue, who: dict[str, str]) -> None:
    made = segue("call", "thread.create", stdin=json.dumps({"title": "x", **who}).encode()).json
    (frame,) = map(json.loads, segue("thread", "events", made["thread_id"]).out.splitlines())
    expected = {"actor_id": "user", "origin": "cli", **who}
    assert {name: frame[name] for name in expected} == expected


def test_who_acts_is_a_text(segue: Segue) -> None:
    ran = segue("call", "thread.create", stdin=b'{"actor_id": 7}')
    assert (ran.code, "actor_id must be a text" in ran.out) == (2, True)

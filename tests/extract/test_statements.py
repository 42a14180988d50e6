"""What the agent said in any words is kept where there is room; what it only announced is not."""

from __future__ import annotations

import pytest

from segue.extract.remarks.statements import Listener


def kept(*messages: str, told: tuple[str, ...] = (), last_line: int = 0) -> list[str]:
    listener = Listener()
    for line, message in enumerate(messages, start=1):
        listener.hear(message, line, f"id-{line}")
    return [note.text for note in listener.close(lambda text: text, told, last_line)]


KEPT = "The lock is per account, since whole schools sit behind one address."
"""A statement, made beside what is none: who listens keeps this one alone."""


@pytest.mark.parametrize(
    "statement",
    [
        "The index lives in memory, as a file of it would go stale between two imports.",
        "Tried bigger batches for the upload: twice the memory and no gain. Back to 500.",
        "A queue per tenant is out: the broker allows 64 of them.",
        "The colour is required now (not optional)!",
        "Die Sperre liegt in der Datenbank und nicht in einer Datei, weil zwei Rechner schreiben.",
        "El filtro va en el servidor, porque en el navegador se congela la página.",
        "一括取得は遅くなるため、ページごとに取得します。",
        "缓存放在进程里，因为共享缓存会拖慢启动。",
    ],
)
def test_a_statement_with_a_reason_is_kept_in_any_words(statement: str) -> None:
    assert kept(statement) == [statement]


@pytest.mark.parametrize(
    "message",
    [
        "Let me look at the importer and its tests first.",
        "I'll check how the scheduler calls this function now.",
        "Now the lookup path.",
        "All tests pass and the build is clean, so the module is finished.",
        "Here is what I changed in the importer so far:",
        "```\nthe cache is not shared because of the lock\n```",
    ],
)
def test_what_only_announces_or_claims_success_is_not_kept(message: str) -> None:
    assert kept(message, KEPT) == [KEPT]


def test_a_paragraph_keeps_its_reason_without_the_announcement() -> None:
    assert kept(f"Let me write that down. {KEPT}") == [KEPT]


def test_what_is_told_elsewhere_is_not_told_again() -> None:
    decision = "We decided to keep one file per day because the archive is rotated daily."
    assert kept(decision, KEPT, told=(decision,)) == [KEPT]


def test_a_paragraph_of_which_only_a_part_is_told_stays() -> None:
    told = "Chose to keep the fonts in here."
    message = f"{told} Loading them from elsewhere leaks the addresses of visitors to a third party."
    assert kept(message, told=(told,)) == [message]


def test_the_last_words_are_told_at_length_elsewhere() -> None:
    assert kept(KEPT, "The cache is not shared because of the lock.", last_line=2) == [KEPT]


def test_of_a_long_session_only_the_latest_messages_are_looked_at() -> None:
    messages = [f"Part {n} is kept apart because part {n + 1} is slower." for n in range(2000)]
    assert kept(*messages) == messages[-16:]


def test_secrets_are_taken_out() -> None:
    listener = Listener()
    listener.hear("The key is not rotated because rosebud is in three places.", 1, "")
    cleaned = listener.close(lambda text: text.replace("rosebud", "[redacted]"), (), 0)
    assert [note.text for note in cleaned] == [
        "The key is not rotated because [redacted] is in three places."
    ]


def test_thoughts_are_told_of_an_agent_that_says_little() -> None:
    listener = Listener()
    listener.hear("Now the lookup path.", 1, "")
    listener.think("The cache is not shared because of the lock in `Store.open`.", 2, "")
    notes = listener.close(lambda text: text, (), 0)
    assert [note.text for note in notes] == ["The cache is not shared because of the lock in `Store.open`."]


def test_thoughts_are_left_out_where_the_agent_speaks() -> None:
    listener = Listener()
    said = [f"Part {n} is kept apart because part {n + 1} is slower." for n in range(8)]
    for line, message in enumerate(said, 1):
        listener.hear(message, line, "")
    listener.think("The cache is not shared because of the lock in `Store.open`.", 20, "")
    assert [note.text for note in listener.close(lambda text: text, (), 0)] == said


@pytest.mark.parametrize(
    "message",
    [
        "I'm mapping the shared helpers of both packages before editing any of them.",
        "I'll trace each failure path of the importer, then apply shared fixes.",
        "Right, I need to wire the `touch` calls into each of the actions.",
        "Committed as `834619c` on the branch of the importer.",
        "Added the component entry with the `motion` dependency to the registry.",
        "`make lint` passes with 0 errors and 0 warnings over the whole tree.",
        "- `src/router.ts` — Added a route for the end of a session",
        "Want me to pick up the bootstrap of a single session next?",
        "The user wants the importer to read both kinds of files in `inbox/`.",
        "So the user is asking for a table of the 12 routes.",
    ],
)
def test_what_was_done_or_is_offered_is_told_by_its_doings(message: str) -> None:
    assert kept(message, KEPT) == [KEPT]


@pytest.mark.parametrize(
    "message",
    [
        "I'm using an explicit backend for the fixture so it does not depend on aliases.",
        "`src/router.ts` - not split, because both halves need the session.",
        "Added a second lock since the pooler drops the first one between statements.",
        "I'm keeping the two readers apart. The second one needs a lock and the first has none.",
        "`probe` passes but does not cover the write side of the protocol.",
    ],
)
def test_a_reason_is_kept_in_whatever_it_stands(message: str) -> None:
    assert kept(message) == [message]

"""Dead ends: what was tried or ruled out, and was not done afterwards."""

from __future__ import annotations

import pytest

from .story import Story

pytestmark = pytest.mark.usefixtures("asked")

HEARD = "Bundling the font does not link on Windows. Going back to the one of the system."
"""A dead end, told beside what is none: who listens hears this one alone."""


def tried(story: Story) -> list[str]:
    return [end.tried for end in story.index.dead_ends]


@pytest.mark.parametrize(
    "said",
    [
        "The template approach breaks on nested lists; switching to a small compiler.",
        "Moving to the new runtime isn't possible: it drops support for the old kernel.",
        HEARD,
        "Caching the rows in memory crashes on the large table, so each page is read anew.",
        "We can't use worker threads because the handle belongs to the thread that opened it.",
        "I ruled out a trigger in the database: nobody would look for the logic there.",
        "A watcher per file is too slow for the big tree. Falling back to one poll a second.",
        "I switched to a queue because calling the service directly hangs under load.",
        "I tried pinning the seed, but the order still depends on the machine.",
        "Sorting on the client didn't work because the pages arrive one by one.",
        "That did not help: the lock is not what takes the time.",
        "Moving the queue to disk made the tail slower (310 ms against 95 ms), so I rolled that back.",
        "The streaming reader still chokes on quoted blanks, so lazy reading is out.",
        "Memory mapping turned out not to be an option on network drives.",
        "The proxy can't see private fields, so that's a no-go.",
        "Splitting the table by customer made the nightly run slower, so that's been backed out.",
        "The newer driver broke forty tests, so I put it back to 1.10.",
        "Waiting for a lock on the share is off the table since it has none.",
        "Shipping the fonts ourselves is a non-starter: the licence forbids it.",
        "I had a go at a cached view, however refreshing it stops all writers.",
        "Reading ahead gained nothing that could be measured, dropped it again.",
        "A lock in memory is not an option because two hosts share the volume.",
        "Keeping the session in a cookie won't fly: it is longer than 4 KB.",
        "Asking every second gets us blocked, so no polling.",
        "Switching to the new module format broke all mocks, reverted for now.",
        "One browser for all tests leaks cookies between them, so don't share it.",
        "Serving the pictures ourselves took all file handles, so I moved them back to the proxy.",
        "Giving it more memory only delayed the crash by an hour.",
        "Copying the tree for each test was far too slow, so I reverted to fixtures.",
        "Keeping counters in the table tripled write latency for everybody.",
        "Der Umbau auf Threads wurde verworfen, weil der Treiber nicht mitspielt.",
    ],
)
def test_what_failed_or_was_ruled_out_is_a_dead_end(story: Story, said: str) -> None:
    at = story.says(f"Looking around.\n\n{said}")
    assert [(d.tried, d.evidence[0].line) for d in story.index.dead_ends] == [(said, at)]


@pytest.mark.parametrize(
    "said",
    [
        "The change did not work as expected.",
        "That won't work due to colons.",
        "The amounts are kept in cents now, so no rounding is left.",
        "Probably the longer timeout wouldn't help against the proxy in front.",
        "In that case turning it off won't work and the names must be left out.",
        "Now that we reverted the old tags, the linter will complain about the tool.",
        "The simplest fix is to revert the imports to what they were before.",
        "The upload failed because the body was longer than the proxy allows.",
        "The first call only failed because I had not given it a title yet.",
        "⚠️ doesn't help other callers with long pauses (none today, but a trap for the future)",
        "The newer protocol was what broke. Going back to the old one just got us a little further.",
        "Looking at the log, the parser breaks on nested quotes in the second file.",
        "Investigating why the build breaks on the older compiler.",
        "The deploy was rolled back by whoever was on call last week.",
        "The sed command didn't work because of the newline, so python does it.",
        "A container for that is probably not worth it right now.",
        "Version 2.1 is out.",
        "Send me the two pictures and I'll put them back in the same places.",
        "The parser missed the last row of the table.",
        "The flag is unused, so I removed it from the parser.",
        "The second beta is merged, so the new version is out.",
        "The flag is not an option of the old command line.",
        "No-go areas of the map are drawn in grey.",
        "Fixing a bug that crashes the server when two clients connect.",
        "If the server does not support it, the client falls back to the old protocol.",
        "The old protocol isn't supported there, so the client is falling back to plain text.",
    ],
)
def test_doubts_causes_conditions_and_narration_are_no_dead_ends(story: Story, said: str) -> None:
    story.says(said)
    story.says(HEARD)
    assert tried(story) == [HEARD]


def test_a_dead_end_that_points_back_is_told_with_what_it_points_to(story: Story) -> None:
    story.says("I raised the pool to twenty connections. That didn't help.")
    assert tried(story) == ["I raised the pool to twenty connections. That didn't help."]


DOUBTED = "The other idea, a spool file with a fixed length header, wouldn't help at all."


def test_what_was_committed_after_it_was_doubted_is_no_dead_end(story: Story) -> None:
    story.says(DOUBTED)
    assert tried(story) == [DOUBTED]
    story.run(
        "git commit -am spool", "[main 1a2b3c4] upload: spool the body to a file for the length header\n"
    )
    assert tried(story) == []


def test_what_was_decided_after_it_was_doubted_is_no_dead_end(story: Story) -> None:
    story.says(DOUBTED)
    assert tried(story) == [DOUBTED]
    story.says("I'm going with the spool file and a fixed length header after all.")
    assert tried(story) == []


@pytest.mark.parametrize(
    "subject",
    [
        "upload: send the length header of every part",
        "upload: drop the spool file with its fixed length header",
        "Stream the body instead of a spool file with a fixed length header",
    ],
)
def test_a_commit_of_something_else_or_against_it_leaves_a_dead_end(story: Story, subject: str) -> None:
    story.says(DOUBTED)
    story.run("git commit -am x", f"[main 1a2b3c4] {subject}\n 1 file changed\n")
    assert tried(story) == [DOUBTED]


def test_what_was_done_before_it_turned_out_wrong_is_a_dead_end(story: Story) -> None:
    story.run("git commit -am x", "[main 1a2b3c4] upload: a spool file with a fixed length header\n")
    story.says(DOUBTED)
    assert tried(story) == [DOUBTED]


def test_a_turn_of_hours_may_decide_more_than_one_of_minutes(story: Story) -> None:
    for n in range(8):
        story.says(f"I decided to use one table for shard number {n}, because it is small.")
        for _ in range(40):
            story.run("make", "ok")
    assert [decision.text for decision in story.index.decisions] == [
        f"I decided to use one table for shard number {n}, because it is small." for n in range(2, 8)
    ]


def test_eight_dead_ends_of_one_turn_are_kept(story: Story) -> None:
    for n in range(12):
        story.says(f"Splitting table number {n} by the day breaks the yearly report.")
    assert tried(story) == [
        f"Splitting table number {n} by the day breaks the yearly report." for n in range(4, 12)
    ]


def test_what_only_points_back_is_told_with_what_it_points_to(story: Story) -> None:
    story.says("Vendoring the library clashes with the copy of the system. Took it out again.")
    story.says(
        "Skip the spool file for now. It's correct but heavier, and the reason for it was a red herring."
    )
    assert tried(story) == [
        "Vendoring the library clashes with the copy of the system. Took it out again.",
        "Skip the spool file for now. It's correct but heavier, and the reason for it was a red herring.",
    ]


def test_taking_back_what_nobody_names_is_no_dead_end(story: Story) -> None:
    story.says("So I rolled that back, and the suite is green again.")
    story.says(HEARD)
    assert tried(story) == [HEARD]


@pytest.mark.parametrize(
    "said",
    [
        "试过用内存缓存，多进程下会丢数据，于是放弃了。",
        "尝试升级驱动，但是编译不过，这条路走不通。",
        "改用线程池行不通，会死锁。",
        "キャッシュで試したがうまくいかなかったので、別の方法にする。",
    ],
)
def test_a_dead_end_is_heard_where_no_space_parts_the_words(story: Story, said: str) -> None:
    story.says(said)
    assert tried(story) == [said]


def test_what_is_not_used_is_no_dead_end(story: Story) -> None:
    story.says("这个模块没有用到缓存，所以不需要改动它。")
    story.says(HEARD)
    assert tried(story) == [HEARD]

"""Compiling, on a history in memory: any history, any budget, any order of references."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from segue.model import wire
from segue.model.bundle import handoff_bundle
from segue.model.frame import BRANCHED, CREATED, HANDOFF, REFERENCED
from segue.threads.compile import Compiled, compile_context
from segue.threads.token_budget import ITEM_TOKENS

Words = Callable[[str], int]
_ROOT = "01890000-0000-7000-8000-000000000000"


def compiled(memory: Any, words: Words, thread_id: str = "t", budget: int = 1000) -> Compiled:
    last = len(memory.streams[thread_id]) - 1
    return compile_context(memory, memory, words, thread_id, last, budget, {})


def texts(outcome: Compiled) -> list[str]:
    return [item.get("content", "") for item in outcome.bundle["items"]]


def branch(memory: Any, child: str, parent: str) -> None:
    memory.add(child, CREATED)
    memory.add(child, BRANCHED, parent_thread_id=parent, parent_seq=len(memory.streams[parent]) - 1)


def handoff(memory: Any, child: str, summary: str, **refs: list[dict[str, Any]]) -> None:
    given = {"threads": [], "artifacts": [], "files": [], **refs}
    bundle = handoff_bundle(summary, {"thread_id": _ROOT, "seq": 0}, **given)
    memory.add(child, CREATED)
    memory.add(
        child,
        HANDOFF,
        from_thread_id="root",
        from_seq=0,
        summary_artifact_id=memory.put(wire.canonical(bundle)),
    )


def test_the_tokens_are_what_the_items_cost(memory: Any, words: Words) -> None:
    handoff(memory, "t", "the summary", artifacts=[{"artifact_id": memory.put(b"a blob"), "note": "why"}])
    memory.say("t", "two words")
    outcome = compiled(memory, words)
    assert texts(outcome) == ["the summary", "a blob", "two words"]
    assert outcome.tokens == 3 * ITEM_TOKENS + words("the summary a blob why two words")


def test_no_budget_is_exceeded_whatever_there_is_to_say(memory: Any, words: Words) -> None:
    memory.add("other", CREATED)
    for n in range(12):
        memory.say("other", "word " * (n + 1))
    artifacts = [{"artifact_id": memory.put(b"blob %d" % n), "note": f"note {n}"} for n in range(30)]
    handoff(memory, "root", "long " * 50, artifacts=artifacts, files=[{"path": "a b c d"}])
    memory.add("root", REFERENCED, to_thread_id="other", to_seq=12)
    memory.say("root", "said " * 20)
    memory.checkpoint("root", 3, "sum " * 20)
    branch(memory, "t", "root")
    memory.say("t", "newest " * 9)
    for budget in range(64, 800, 7):
        outcome = compiled(memory, words, budget=budget)
        carried = [
            ITEM_TOKENS + sum(words(item.get(name, "")) for name in ("content", "note", "path"))
            for item in outcome.bundle["items"]
        ]
        assert sum(carried) == outcome.tokens <= budget
        assert texts(outcome)[-1] == "newest " * 9


def test_a_summary_that_does_not_fit_covers_nothing_and_is_said(memory: Any, words: Words) -> None:
    memory.add("t", CREATED)
    memory.say("t", "one")
    memory.checkpoint("t", 1, "word " * 1200)
    outcome = compiled(memory, words)
    assert texts(outcome) == ["one"]
    assert [(row["action"], row["ref"]) for row in outcome.decision["resets"]] == [("left_out", "point-2")]


def test_an_older_thread_is_summarized_before_a_nearer_one_is_twice(memory: Any, words: Words) -> None:
    memory.add("root", CREATED)
    for name in ("root", "t"):
        for n in range(8):
            memory.say(name, f"{name} {n}")
        memory.checkpoint(name, 3, "half " * 100)
        memory.checkpoint(name, 8, "all " * 100)
        if name == "root":
            branch(memory, "t", "root")
    found = {
        budget: [
            (item["thread_id"], item["note"])
            for item in compiled(memory, words, budget=budget).bundle["items"]
            if item["type"] == "summary_ref"
        ]
        for budget in (500, 700)
    }
    furthest = [("root", "summary up to seq 8"), ("t", "summary up to seq 8")]
    assert found[500] == furthest
    assert found[700] == [furthest[0], ("t", "summary up to seq 3"), furthest[1]]


def test_what_a_reference_and_history_both_have_stands_where_history_has_it(
    memory: Any, words: Words
) -> None:
    memory.add("root", CREATED)
    for n in range(5):
        memory.say("root", f"root {n}")
    branch(memory, "t", "root")
    memory.add("t", REFERENCED, to_thread_id="root", to_seq=3)
    memory.say("t", "own")
    outcome = compiled(memory, words)
    assert texts(outcome) == ["root 0", "root 1", "root 2", "root 3", "root 4", "own"]
    assert outcome.tokens == sum(ITEM_TOKENS + words(text) for text in texts(outcome))


def test_what_a_reference_brings_back_from_beyond_the_budget_stays(memory: Any, words: Words) -> None:
    memory.add("root", CREATED)
    memory.say("root", "the old agreement")
    for n in range(100):
        memory.say("root", f"talk {n}")
    branch(memory, "t", "root")
    memory.add("t", REFERENCED, to_thread_id="root", to_seq=1)
    memory.say("t", "own")
    said = texts(compiled(memory, words, budget=100))
    assert (said[0], said[-1]) == ("the old agreement", "own")
    assert len(said) < 20


def test_a_bundle_shared_by_two_threads_comes_once(memory: Any, words: Words) -> None:
    for name in ("one", "two"):
        handoff(memory, name, "shared")
        memory.say(name, name)
    memory.add("t", CREATED)
    for name in ("one", "two"):
        memory.add("t", REFERENCED, to_thread_id=name, to_seq=2)
    assert texts(compiled(memory, words)) == ["shared", "two", "one"]


def test_a_thousand_references_in_a_row_are_followed_without_recursion(memory: Any, words: Words) -> None:
    for n in range(1000):
        memory.add(f"t{n}", CREATED)
        memory.add(f"t{n}", REFERENCED, to_thread_id=f"t{n + 1}", to_seq=1)
    outcome = compiled(memory, words, "t0")
    assert outcome.bundle["items"] == []
    assert [(row["input"], row["count"]) for row in outcome.decision["resets"]] == [("thread_reference", 1)]


def test_the_same_frames_give_the_same_bytes(memory: Any, words: Words) -> None:
    handoff(memory, "t", "the summary")
    for n in range(30):
        memory.say("t", f"message {n}")
    memory.checkpoint("t", 20)
    first = compiled(memory, words, budget=90)
    again = compiled(memory, words, budget=90)
    assert wire.canonical(first.bundle) == wire.canonical(again.bundle)
    assert first == again


def attached(memory: Any, number: int, size: int) -> list[dict[str, Any]]:
    return [{"artifact_id": memory.put(f"blob{n} ".encode() * size)} for n in range(number)]


def test_what_nobody_else_wants_goes_to_the_references(memory: Any, words: Words) -> None:
    handoff(memory, "t", "the summary", artifacts=attached(memory, 5, 150))
    memory.say("t", "go on")
    outcome = compiled(memory, words)
    assert texts(outcome) == ["the summary", *(f"blob{n} " * 150 for n in range(5)), "go on"]
    assert outcome.decision["resets"] == []


def test_references_leave_three_quarters_to_a_history_that_wants_them(memory: Any, words: Words) -> None:
    handoff(memory, "t", "the summary", artifacts=attached(memory, 5, 150))
    for n in range(100):
        memory.say("t", f"message {n} " * 10)
    outcome = compiled(memory, words)
    whole = [item for item in outcome.bundle["items"] if item["type"] == "artifact_ref" and "content" in item]
    assert len(whole) == 1
    assert len(outcome.bundle["items"]) == 1 + 5 + outcome.decision["reason"]["messages"]
    assert 1000 - outcome.tokens < ITEM_TOKENS + 20


def test_what_the_budget_left_unresolved_is_said(memory: Any, words: Words) -> None:
    handoff(memory, "t", "the summary", artifacts=attached(memory, 5, 150))
    for n in range(100):
        memory.say("t", f"message {n} " * 10)
    left = [
        (reset["input"], reset["action"], reset.get("count"))
        for reset in compiled(memory, words).decision["resets"]
    ]
    assert left == [("handoff_refs", "unresolved", 4), ("messages", "left_out", None)]


def test_a_reference_brings_more_messages_where_there_are_tokens_for_them(memory: Any, words: Words) -> None:
    memory.add("other", CREATED)
    for n in range(30):
        memory.say("other", f"other {n}")
    memory.add("t", CREATED)
    memory.add("t", REFERENCED, to_thread_id="other", to_seq=30)
    memory.say("t", "go on")
    assert texts(compiled(memory, words)) == [*(f"other {n}" for n in range(30)), "go on"]


def test_a_reference_brings_its_newest_messages_where_history_wants_the_rest(
    memory: Any, words: Words
) -> None:
    memory.add("other", CREATED)
    for n in range(30):
        memory.say("other", f"other {n}")
    memory.add("t", CREATED)
    memory.add("t", REFERENCED, to_thread_id="other", to_seq=30)
    for n in range(200):
        memory.say("t", f"message {n}")
    outcome = compiled(memory, words)
    assert texts(outcome)[:9] == [*(f"other {n}" for n in range(22, 30)), "message 42"]
    assert [reset["input"] for reset in outcome.decision["resets"]] == ["thread_reference", "messages"]

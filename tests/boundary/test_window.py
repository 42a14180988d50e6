"""The window for agents of one's own: whole turns go, pins and the recent floor stay, nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.boundary.window import Policy
from segue.errors import BadInput
from segue.window import Limits, Message, Window

ROLES = st.sampled_from(["user", "assistant", "tool", "system"])
MESSAGES = st.lists(st.tuples(ROLES, st.integers(1, 300), st.booleans()), max_size=80)


def messages(rows: list[tuple[str, int, bool]]) -> list[Message]:
    return [Message(str(n), role, "", tokens, pinned) for n, (role, tokens, pinned) in enumerate(rows)]


@given(MESSAGES, st.integers(1, 30))
def test_pruning_keeps_pins_the_recent_floor_and_every_message_somewhere(
    rows: list[tuple[str, int, bool]], floor: int
) -> None:
    given_ = messages(rows)
    window = Window(2000, "sliding_window", Limits(min_recent_messages=floor))
    plan = window.feed(given_)
    assert sorted((*plan.keep, *plan.pruned), key=lambda m: int(m.id)) == given_
    assert not any(m.pinned or m.role == "system" for m in plan.pruned)
    assert set(given_[-floor:]) <= set(plan.keep)
    assert (plan.moment == "context_window_pruned") == bool(plan.pruned)
    if plan.percent >= 92 and not plan.pruned:
        assert plan.moment == "auto_compact_required"


@given(MESSAGES)
def test_a_turn_goes_as_a_whole(rows: list[tuple[str, int, bool]]) -> None:
    given_ = [m._replace(pinned=False) for m in messages(rows) if m.role != "system"]
    plan = Window(2000, "sliding_window", Limits(min_recent_messages=1)).feed(given_)
    if plan.pruned and plan.keep:
        assert plan.keep[0].role == "user"


def test_nothing_is_pruned_below_the_ceiling_and_enough_above_it() -> None:
    rows = messages([("user", 100, False)] * 10)
    window = Window(1000, "sliding_window", Limits(min_recent_messages=2))
    assert window.feed(rows[:9]).pruned == ()
    plan = window.feed(rows[9:])
    assert (plan.tokens_before, plan.tokens_after, len(plan.pruned)) == (1000, 700, 3)


def test_auto_compact_warns_once_by_the_providers_count() -> None:
    window = Window(1000)
    moments = [window.feed([], used_tokens=n).moment for n in (500, 860, 870, 930, 940, 500, 860)]
    assert moments == [
        None,
        "auto_compact_warning",
        None,
        "auto_compact_required",
        None,
        None,
        "auto_compact_warning",
    ]


@pytest.mark.parametrize("limits", [Limits(50, 60), Limits(50, 50), Limits(101, 5), Limits(50, 0)])
def test_impossible_limits_are_refused(limits: Limits) -> None:
    with pytest.raises(BadInput):
        Window(1000, "sliding_window", limits)
    with pytest.raises(BadInput):
        Window(0)


def test_a_repeated_id_loses_no_message() -> None:
    rows = [Message("same", "user", "", 100) for _ in range(12)]
    plan = Window(1000, "sliding_window", Limits(min_recent_messages=2)).feed(rows)
    assert len(plan.keep) + len(plan.pruned) == 12


def test_a_pinned_result_keeps_its_call() -> None:
    turn = [
        Message("1", "user", "", 300),
        Message("2", "assistant", "", 300),
        Message("3", "tool", "", 10, pinned=True),
        Message("4", "user", "", 400),
    ]
    plan = Window(1000, "sliding_window", Limits(min_recent_messages=1)).feed(turn)
    assert [message.id for message in plan.keep] == ["2", "3", "4"]


def test_a_compaction_outside_arms_the_warning_again() -> None:
    window = Window(1000)
    assert window.feed([Message("1", "user", "", 900)]).moment == "auto_compact_warning"
    window.compacted([Message("s", "system", "", 100)])
    assert window.feed([Message("2", "user", "", 800)]).moment == "auto_compact_warning"


@pytest.mark.parametrize("used", [-5, float("nan")])
def test_impossible_counts_and_policies_are_refused(used: int) -> None:
    with pytest.raises(BadInput):
        Window(1000).feed([], used_tokens=used)
    with pytest.raises(BadInput):
        Window(1000, "foo")  # type: ignore[arg-type]


@pytest.mark.parametrize("how", ["sliding_window", "auto_compact"])
def test_the_transcript_keeps_every_message_whatever_leaves_the_window(how: Policy) -> None:
    window = Window(1_000, how=how, limits=Limits(min_recent_messages=2))
    fed = [Message(str(number), "user", "word " * 20, tokens=100) for number in range(12)]
    pruned = [message for one in fed for message in window.feed([one]).pruned]
    assert bool(pruned) == (how == "sliding_window")
    summary = Message("s", "system", "what was", tokens=10)
    gone = window.compacted([summary, fed[-1]])
    assert [*pruned, *gone, fed[-1]] == fed
    assert window.transcript == tuple(fed)
    assert window.feed([]).keep == (summary, fed[-1])

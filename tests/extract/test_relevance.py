"""What has to do with the goal."""

from __future__ import annotations

import pytest

from segue.errors import BadInput
from segue.extract.anchors import anchors
from segue.extract.budget import quotas
from segue.extract.text.relevance import aim_of, terms
from segue.extract.text.symbols import ranked, spread, symbols_in

from .story import Story


def test_identifiers_are_split_and_endings_fall_away() -> None:
    assert {"maxretrycount", "max", "retry", "count"} <= set(terms("maxRetryCount"))
    assert set(terms("retries")) == set(terms("retry"))


def test_only_whole_words_count() -> None:
    goal = aim_of("fix the art importer")
    assert goal.score("the party started smartly") == 0
    assert goal.score("the art importer fails") > 0


def test_a_path_that_the_goal_names_weighs_most() -> None:
    goal = aim_of("finish src/app/retry_policy.py and its tests")
    scores = [goal.score_path(p) for p in ("src/app/retry_policy.py", "src/app/retry.py", "docs/intro.md")]
    assert scores == sorted(scores, reverse=True)
    assert scores[-1] == 0


def test_a_goal_of_any_length_is_taken() -> None:
    assert aim_of("retry " * 10_000).score("retry") > 0
    assert aim_of("").score("anything") == 0


def test_a_symbol_that_many_files_share_says_little_about_one() -> None:
    tied = {
        "a.py": symbols_in("def next_delay(): use_clock()"),
        "b.py": symbols_in("use_clock()"),
        "c.py": symbols_in("use_clock()"),
    }
    assert ranked(tied["a.py"], spread(tied.values())) == ["next_delay", "use_clock"]


def test_each_turn_that_is_kept_has_its_reasons(story: Story) -> None:
    story.prompt("Add retries. Never touch the migrations.")
    story.says("ok")
    story.prompt("what is the weather")
    story.says("fine")
    story.prompt("the parser drops tokens")
    story.run("pytest", "FAILED tests/test_a.py - no\n1 failed in 1s", 1)
    story.prompt("thanks")
    story.says("bye")
    found = {a.turn: a.reasons for a in anchors(story.index, aim_of("why does the parser drop tokens"))}
    assert "first prompt" in found[1] and "words of the person" in found[1]
    assert 2 not in found
    assert "open failure" in found[3] and any(r.startswith("goal:") for r in found[3])
    assert found[4] == ("recent",)


def test_quotas_grow_with_the_budget_and_refuse_what_holds_nothing() -> None:
    assert all(small <= large for small, large in zip(quotas(300), quotas(8000), strict=True))
    with pytest.raises(BadInput):
        quotas(299)

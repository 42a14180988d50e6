"""What has to do with the goal."""

from __future__ import annotations

import pytest

from segue.errors import BadInput
from segue.extract.budget import require
from segue.extract.text.relevance import aim_of, terms
from segue.extract.text.symbols import ranked, spread, symbols_in


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


def test_a_packet_too_small_to_hold_anything_is_refused() -> None:
    require(300)
    with pytest.raises(BadInput):
        require(299)

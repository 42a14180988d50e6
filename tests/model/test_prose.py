"""What is told of a sentence: what people write well is spared, empty talk is found, in any language."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from segue.model import prose

JUDGEMENTS: dict[Callable[[str], object], tuple[list[str], list[str]]] = {
    prose.vague_step: (
        [
            "continue", "Continue.", "Keep going", "Finish the feature", "Make it better", "fix bugs",
            "Fix the remaining bugs", "Continue with the work", "Make sure everything works", "继续", "weitermachen",
            "I will write it", "stuff", "asdf", "do something about it", "write more code", "hjkl hjkl", "x",
            "Things might need improving", "The code should be better",
        ],
        [
            "Add integration test for invalid token (401)", "Finish `parse()`", "Ping the staging host",
            "Testfall für abgelaufene Tokens ergänzen", "为无效令牌添加集成测试", "Ask legal about the licence",
            "Commit", "Draw one", "The code of `parse()` should be split", "Add retry", "Install btrfs", "Mount nfs", "Weiter zum Parser", "Rerun lint",
        ],
    ),
    prose.not_an_order: (
        [
            "We should update the README", "The README should be updated", "Added the tests", "Let's run `make`",
            "Someone has to run `make`", "Working on the parser", "Tests should cover `parse()`", "Retries might fail",
        ],
        ["Update the README", "Write May into the changelog", "Add May to `months`", "Find what may fail", "Bring the fixtures back", "`make test`", "Die Tests laufen lassen", "Réparer le parseur"],
    ),
    prose.too_large: (
        [
            "Write the parser, add the tests, update the docs, tag the release and then publish it",
            "Rewrite the entire `auth` module", "Port `billing` to Go (2 days)", "Write " + "words " * 60,
        ],
        ["Write the parser for `key = value` lines", "Run `pytest` and capture its output as evidence T2", "Wait 10 min"],
    ),
    prose.vague_progress: (
        ["Working on auth.", "Wrote a bunch of code.", "Made good progress", "Still working on it", "stuff", "Done.",
         "I will write it", "We'll add retries to upload.py tomorrow", "Need to write the parser", "the same as before"],
        ["Moved the session cookie to the gateway.", "Added `retry()`.", "解析器现在可以读取注释并报告行号。",
         "We need to keep the old route, so I moved the new one to /v2.", "Users will see a retry now: added it to `upload.py`."],
    ),
    prose.not_past: (
        ["The auth middleware and `router.py`.", "Write the parser for the config."],
        ["Moved the auth middleware into `router.py`.", "The parser was split.", "Der Parser liest jetzt Kommentare."],
    ),
    prose.no_blocker: (
        ["It's hard.", "I'm tired.", "no time", "things", "qwerty", "Everything is complicated here", "None", "Not enough time"],
        ["Waiting for legal", "No staging key", "Test fixtures for the user model do not exist", "CI is down"],
    ),
    prose.empty_advice: (
        ["Be careful.", "There might be bugs.", "some stuff", "sdfkjh", "Good luck", "This is important"],
        ["Imports are cyclic", "Be careful with `User`: importing it from `models.user` makes a cycle"],
    ),
    prose.tells_decision: (
        ["Decision: use HS256", "We decided to drop Python 3.9.", "Went with SQLite instead of Redis"],
        ["Looked at the rotation tooling.", "The decision log is in docs/decisions.md"],
    ),
    prose.tells_blocker: (
        ["Blocked by missing fixtures", "Waiting for the fixtures", "Blocker: no key", "We cannot proceed without it"],
        ["Fixtures arrived on Monday.", "The queue is blocking", "Unblocked the build"],
    ),
    prose.placeholder: (
        ["TBD", "asdf qwer", "aaaa", "hjkl", "Run <command here> to …", "Switch to <branch name>", "Run <cmd>", "Ask [person here]"],
        ["nfs", "Use btrfs", "no", "all", "Sort by Map<string, user id>", "See [the list here](a.md)", "Open /users/<user id>/edit", "Put <label for=id> there", "Drop the <form> tag"],
    ),
    prose.gives_reason: (["Tokens live for 15 minutes only", "speed"], ["", "TBD", " . ", "n/a", "none", "just so", "asdf"]),
}  # fmt: skip


def cases(place: int) -> list[object]:
    return [
        pytest.param(judge, text, id=f"{judge.__name__}: {text[:40]}")
        for judge, texts in JUDGEMENTS.items()
        for text in texts[place]
    ]


@pytest.mark.parametrize(("judge", "text"), cases(0))
def test_it_is_found(judge: Callable[[str], object], text: str) -> None:
    assert judge(text)


@pytest.mark.parametrize(("judge", "text"), cases(1))
def test_it_is_spared(judge: Callable[[str], object], text: str) -> None:
    assert not judge(text)


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("", 0),
        ("One", 1),
        ("One. Two.", 2),
        ("Set v1.2.3 in a.py. Done.", 2),
        ("Ran e.g. pytest.", 1),
        ("完成。测试。", 2),
    ],
)
def test_sentences_are_counted(text: str, count: int) -> None:
    assert prose.sentences(text) == count

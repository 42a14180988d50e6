"""Commits are gathered into pieces of work; changelog files are read."""

from __future__ import annotations

import json

import pytest

from segue.changes import retro
from segue.changes.gitlink import LoggedCommit
from segue.errors import BadInput


def commit(
    number: int, hour: float, subject: str, *paths: str, author: str = "maker", parents: int = 1
) -> LoggedCommit:
    whole, minutes = divmod(int(hour * 60), 60)
    return LoggedCommit(
        sha=f"{number:040x}",
        short=f"{number:07x}",
        author=author,
        date=f"2026-04-{5 + whole // 24:02d}T{whole % 24:02d}:{minutes:02d}:00+00:00",
        parents=parents,
        subject=subject,
        files=tuple(("modified", path) for path in paths),
    )


def grouped(*commits: LoggedCommit, merged: dict[str, list[str]] | None = None) -> list[list[int]]:
    return [[int(c.sha, 16) for c in g] for g in retro.group(commits, merged or {})]


def test_one_persons_close_commits_on_the_same_files_are_one_piece() -> None:
    assert grouped(
        commit(1, 9, "a", "x/a.py"), commit(2, 10, "b", "x/a.py"), commit(3, 11.5, "c", "x/b.py")
    ) == [[1, 2, 3]]


def test_another_person_another_time_or_other_files_are_another_piece() -> None:
    assert grouped(
        commit(1, 9, "a", "x/a.py"),
        commit(2, 9.5, "b", "x/a.py", author="fixer"),
        commit(3, 10, "c", "y/z.py"),
        commit(4, 20, "d", "x/a.py"),
    ) == [[1], [2], [3], [4]]


def test_files_of_the_records_themselves_are_neither_listed_nor_what_makes_two_commits_belong_together() -> (
    None
):
    registry, record = "docs/TC/tc_registry.json", "docs/TC/records/TC-001-04-05-26-x/tc_record.json"
    commits = (
        commit(1, 9, "Add a", "x/a.py", registry, record),
        commit(2, 9.5, "Add b", "y/b.py", registry, record),
    )
    pieces = retro.group(commits, {})
    assert [retro.change_of(piece).files for piece in pieces] == [["x/a.py"], ["y/b.py"]]


def test_a_merge_and_what_it_brought_in_are_one_piece() -> None:
    merge = commit(9, 12, "Merge branch 'topic'", parents=2)
    found = grouped(
        commit(1, 1, "a", "x.py"), commit(2, 9, "b", "q.py"), merge, merged={merge.sha: [f"{2:040x}"]}
    )
    assert found == [[1], [2, 9]]


def test_a_merge_that_brought_in_nothing_new_is_no_piece() -> None:
    assert grouped(commit(1, 1, "a", "x.py"), commit(9, 2, "Merge branch 'x'", parents=2)) == [[1]]


@pytest.mark.parametrize(
    ("subject", "paths", "scope", "priority"),
    [
        ("fix: crash on empty input", ["a.py"], "bugfix", "medium"),
        ("Fix the login form", ["a.py"], "bugfix", "medium"),
        ("feat(api)!: drop v1", ["a.py"], "feature", "high"),
        ("Add retry to uploads", ["a.py"], "feature", "medium"),
        ("hotfix: token leak", ["a.py"], "hotfix", "high"),
        ("Refactor the parser", ["a.py"], "refactor", "medium"),
        ("docs: explain retries", ["a.md"], "documentation", "medium"),
        ("chore: bump deps", ["lock"], "infrastructure", "medium"),
        ("Explain it better", ["a.md", "b.rst"], "documentation", "medium"),
        ("Uploads are faster", ["a.py"], "enhancement", "medium"),
        ("urgent: stop the mails", ["a.py"], "enhancement", "critical"),
    ],
)
def test_scope_and_priority_come_from_the_words(
    subject: str, paths: list[str], scope: str, priority: str
) -> None:
    made = retro.change_of((commit(1, 9, subject, *paths),))
    assert (made.scope, made.priority) == (scope, priority)


def test_the_title_is_what_the_merge_says_or_the_first_commit() -> None:
    first = commit(1, 9, "feat: add retry", "a.py")
    merge = commit(2, 10, "Merge pull request #7 from maker/retry", parents=2)
    assert retro.change_of((first, merge)).title == "Add retry"
    told = commit(3, 10, "Merge pull request #7 from maker/retry Retry uploads", parents=2)
    assert retro.change_of((first, told)).title == "Retry uploads"


def test_a_title_fits_the_schema_however_short_or_long_the_subject() -> None:
    assert retro.change_of((commit(1, 9, "wip"),)).title == "Change: Wip"
    assert len(retro.change_of((commit(1, 9, "x" * 300),)).title) == 120


def test_a_changelog_file_is_read() -> None:
    change = {"title": "Retry uploads", "scope": "feature", "description": "Uploads are tried again"}
    made = retro.read_file(json.dumps({"project": "desk", "changes": [change]}).encode(), "x.json")
    assert (made.changes[0].status, made.default_author) == ("deployed", "retroactive")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "is not JSON"),
        ('{"project": "x", "changes": []}', "does not fit"),
        ('{"project": "x", "changes": [{"title": "abc"}]}', "does not fit"),
        (
            '{"project": "x", "changes": [{"title": "abcde", "scope": "feature", "description": "0123456789", "related_indices": [0]}]}',
            "is related to 0",
        ),
    ],
)
def test_a_changelog_file_that_does_not_fit_gets_a_sentence(text: str, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        retro.read_file(text.encode(), "x.json")

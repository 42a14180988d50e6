"""What was to be brought here or changed and was not is told; what was only looked for is not."""

from __future__ import annotations

import pytest

from ..story import Story

_UNREACHED = "fatal: unable to access 'https://h/x/y.git/': Could not resolve host: h"
_IN_THE_WAY = "error: Your local changes to the following files would be overwritten by merge:\n\ta.py"


@pytest.mark.parametrize(
    ("command", "said", "code"),
    [
        ("git clone https://h/x/y.git", _UNREACHED, 128),
        ("git clone https://h/x/y.git && ls y", _UNREACHED, 128),
        ("git fetch origin", _UNREACHED, 128),
        ("git submodule update --init", "fatal: clone of 'https://h/z' into submodule path 'z' failed", 1),
        ("git lfs pull", "error: failed to fetch some objects", 2),
        ("git stash pop", _IN_THE_WAY, 1),
        ("git revert abc1234", "error: could not revert abc1234... change", 1),
        ("git -C repo push", "fatal: Authentication failed", 128),
        ("psql -f migrate.sql", 'psql:migrate.sql:3: ERROR:  relation "a" does not exist', 3),
        ("psql -c 'ALTER TABLE a ADD b int'", 'ERROR:  relation "a" does not exist', 1),
        ("patch -p1 < fix.patch", "Hunk #1 FAILED at 3.", 1),
    ],
)
def test_what_was_to_be_changed_and_was_not_is_open(story: Story, command: str, said: str, code: int) -> None:
    story.run(command, said, code)
    assert list(story.states.values()) == ["open"]


@pytest.mark.parametrize(
    ("command", "said", "code"),
    [
        ("git show abc1234", "fatal: bad object abc1234", 128),
        ("git fetch && git log nothing", "fatal: ambiguous argument 'nothing': unknown revision", 128),
        ("git worktree list", "fatal: not a git repository", 128),
        ("git submodule status", "fatal: no submodule mapping found", 128),
        ("git stash pop", "No stash entries found.", 1),
        ("git clone https://h/x/y.git /tmp/look", _UNREACHED, 128),
        ("git clone https://h/x/y.git", "fatal: destination path 'y' already exists", 128),
        ("psql -c 'select 1 from a'", 'ERROR:  relation "a" does not exist', 1),
        (r"psql -c '\dt'", "Did not find any relations.", 1),
        ("sqlite3 app.db 'select * from a'", "Error: no such table: a", 1),
        ("redis-cli get a", "(nil)", 1),
    ],
)
def test_what_was_only_looked_for_is_no_open_failure(
    story: Story, command: str, said: str, code: int
) -> None:
    story.run(command, said, code)
    assert "open" not in story.states.values()


@pytest.mark.parametrize(
    ("failed", "later", "brought"),
    [
        ("git clone https://h/x/y.git", "git clone git@h:x/y.git", True),
        ("git clone https://h/x/y.git", "gh repo clone x/y", True),
        ("git clone https://h/x/y.git", "cd y && ls", True),
        ("git clone https://h/x/y.git", "git clone https://h/x/z.git", False),
        ("git fetch origin", "git push", True),
        ("git fetch origin", "git log -3", False),
        ("git submodule update --init", "git submodule update --init --depth 1", True),
    ],
)
def test_what_was_brought_later_is_not_open(story: Story, failed: str, later: str, brought: bool) -> None:
    story.run(failed, _UNREACHED, 128)
    story.run(later, "done")
    assert ("open" not in story.states.values()) is brought

"""Git's words are read whatever is in them, and links are only added."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from segue.changes import gitlink
from segue.changes.document import Document
from segue.changes.draft import Draft
from segue.changes.gitlink import LoggedCommit
from segue.errors import BadInput

Make = Callable[..., Document]

SHA = "0123456789abcdef0123456789abcdef01234567"


def logged(files: str = "", sha: str = SHA, subject: str = "Retry") -> str:
    return f"\x1e{sha}\x1f{sha[:7]}\x1fana\x1f2026-04-05T14:32:00+02:00\x1fp1 p2\x1f{subject}\x1f{files}"


def draft_of(document: Document) -> Draft:
    return Draft(document, "fixer", "2026-04-06T00:00:00+00:00")


def test_a_log_is_read_with_every_kind_of_path() -> None:
    text = logged(
        "\0\nM\0a b:c.py\0A\0née.txt\0R087\0old\nname\0new\0D\0gone\0T\0link\0", subject="  Retry   it "
    )
    (commit,) = gitlink.parse_log(text)
    assert (commit.subject, commit.parents, commit.short) == ("Retry it", 2, SHA[:7])
    assert commit.files == (
        ("modified", "a b:c.py"),
        ("created", "née.txt"),
        ("renamed", "new"),
        ("deleted", "gone"),
        ("modified", "link"),
    )


def test_a_subject_with_our_own_marks_in_it_does_no_harm() -> None:
    hostile = logged(subject="x\x1enot a commit\x1fy")
    assert [c.sha for c in gitlink.parse_log(hostile + logged(sha="f" * 40))] == ["f" * 40]
    assert gitlink.parse_log("") == []


def test_a_commit_is_linked_once_and_brings_its_files(make: Make) -> None:
    draft = draft_of(make(files=[{"path": "a.py", "action": "created"}]))
    commit = LoggedCommit(
        sha=SHA,
        short=SHA[:7],
        author="maker",
        date="2026-04-05T14:32:00+02:00",
        parents=1,
        subject="Retry",
        files=(("modified", "a.py"), ("deleted", "b.py"), ("created", "docs/TC/tc_registry.json")),
    )
    gitlink.link_commits(draft, [commit, commit], "main", "manual")
    gitlink.link_commits(draft, [commit], "main", "manual")
    assert [row["sha"] for row in draft.document["git"]["commits"]] == [SHA]
    assert draft.document["git"]["initial_branch"] == "main"
    assert [(f["path"], f["action"]) for f in draft.document["files_affected"]] == [
        ("a.py", "created"),
        ("b.py", "deleted"),
    ]
    assert draft.done == [f"linked commit {SHA[:7]}: Retry"]


@pytest.mark.parametrize(
    ("given", "remote", "url", "provider"),
    [
        ("https://github.com/o/n/pull/12", None, "https://github.com/o/n/pull/12", "github"),
        ("https://github.com/o/n/pull/12/files", None, "https://github.com/o/n/pull/12/files", "github"),
        (
            "https://gitlab.example.org/g/s/n/-/merge_requests/12",
            None,
            "https://gitlab.example.org/g/s/n/-/merge_requests/12",
            "gitlab",
        ),
        ("12", "git@github.com:o/n.git", "https://github.com/o/n/pull/12", "github"),
        ("#12", "ssh://git@gitlab.com/o/n.git", "https://gitlab.com/o/n/-/merge_requests/12", "gitlab"),
        (
            "!12",
            "https://user:pw@bitbucket.org/o/n.git",
            "https://bitbucket.org/o/n/pull-requests/12",
            "bitbucket",
        ),
        ("12", "https://forge.example.org/o/n", "https://forge.example.org/o/n/pull/12", "other"),
    ],
)
def test_a_pull_request_is_known_by_its_address_or_its_number(
    given: str, remote: str | None, url: str, provider: str
) -> None:
    pull = gitlink.parse_pull(given, remote)
    assert (pull.url, pull.number, pull.provider) == (url, 12, provider)


@pytest.mark.parametrize("given", ["twelve", "https://example.org/", "0", "-1", ""])
def test_what_is_no_pull_request_is_refused(given: str) -> None:
    with pytest.raises(BadInput):
        gitlink.parse_pull(given, "https://github.com/o/n")


def test_a_number_needs_a_remote() -> None:
    with pytest.raises(BadInput, match="needs a remote"):
        gitlink.parse_pull("12", None)


def test_a_pull_request_is_linked_once_and_its_state_is_kept_up(make: Make) -> None:
    draft = draft_of(make())
    pull = gitlink.parse_pull("https://github.com/o/n/pull/12")
    gitlink.link_pull(draft, pull, "open")
    gitlink.link_pull(draft, pull, "merged")
    gitlink.link_pull(draft, pull)
    gitlink.link_pull(draft, gitlink.parse_pull("https://github.com/o/n/pull/13"))
    assert [(r["name"], r["pr"]["number"], r["pr"]["state"]) for r in draft.document["git"]["remotes"]] == [
        ("origin", 12, "merged"),
        ("github-13", 13, None),
    ]


def test_an_address_is_written_down_without_its_password() -> None:
    assert gitlink.without_credentials("https://me:secret@host/o/n.git") == "https://host/o/n.git"

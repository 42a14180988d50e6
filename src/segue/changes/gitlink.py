"""Commits, pull requests and releases of a change: reading git's words, adding links to a draft.

Links are only ever added: a commit is linked once, by its full hash, and its files join the files
affected by the change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from segue.changes.document import Document
from segue.changes.draft import Draft
from segue.changes.sentences import refusal
from segue.model.change import FileAction, FileAffected, GitLinks, LinkSource, Provider, PullState

LOG_FORMAT = "%x1e%H%x1f%h%x1f%an%x1f%aI%x1f%P%x1f%s%x1f"
"""To be used with `-z --name-status --diff-merges=first-parent`, so that any path survives."""

_SHA = re.compile(r"[0-9a-f]{40}")
_ACTIONS: dict[str, FileAction] = {"A": "created", "C": "created", "D": "deleted", "R": "renamed"}
_PULL = re.compile(
    r"(?P<repo>https?://[^\s/]+/[^\s]+?)/(?:pull|pulls|-/merge_requests|merge_requests|pull-requests)/(?P<number>\d+)(?:[/?#]\S*)?$"
)
_HOSTS: tuple[Provider, ...] = ("github", "gitlab", "bitbucket")


class LoggedCommit(Struct, frozen=True, kw_only=True):
    """A commit as `git log` told it. Files are (action, path); a rename is known by its new path."""

    sha: str
    short: str
    author: str
    date: str
    parents: int
    subject: str
    files: tuple[tuple[FileAction, str], ...] = ()


class Pull(Struct, frozen=True, kw_only=True):
    url: str
    number: int
    remote: str
    provider: Provider


def parse_log(text: str) -> list[LoggedCommit]:
    """The commits in the output of `git log` with LOG_FORMAT; what is not one is left out."""
    commits = []
    for chunk in text.split("\x1e"):
        fields = chunk.split("\x1f")
        if len(fields) < 7 or not _SHA.fullmatch(fields[0]):
            continue
        sha, short, author, date, parents, subject = fields[:6]
        commits.append(
            LoggedCommit(
                sha=sha,
                short=short[:12],
                author=author.strip() or "unknown",
                date=date,
                parents=len(parents.split()),
                subject=" ".join(subject.split()),
                files=_files(fields[-1].split("\0")),
            )
        )
    return commits


def _files(words: list[str]) -> tuple[tuple[FileAction, str], ...]:
    found: dict[str, FileAction] = {}
    position = 0
    words = [word.lstrip("\n") for word in words if word.strip("\n")]
    while position < len(words):
        letter = words[position][:1]
        width = 3 if letter in "RC" else 2
        entry = words[position : position + width]
        if len(entry) == width:
            found[entry[-1]] = _ACTIONS.get(letter, "modified")
        position += width
    return tuple((action, path) for path, action in found.items())


def link_commits(
    draft: Draft, commits: Iterable[LoggedCommit], branch: str | None, source: LinkSource
) -> None:
    """Adds commits that are not linked yet, and the files they changed."""
    links = _links(draft, branch)
    known = {row["sha"] for row in links["commits"]}
    listed: list[Document] = draft.document["files_affected"]
    paths = {row["path"] for row in listed}
    for commit in commits:
        if any(commit.sha.startswith(sha) for sha in known):
            continue
        known.add(commit.sha)
        links["commits"].append(
            {
                "sha": commit.sha,
                "short_sha": commit.short,
                "author": commit.author,
                "authored_date": commit.date,
                "subject": commit.subject,
                "branch": branch,
                "parent_count": commit.parents,
                "files_changed": [path for _, path in commit.files],
                "linked_at": draft.at,
                "link_source": source,
            }
        )
        for action, path in commit.files:
            if path not in paths and not is_own(path):
                paths.add(path)
                listed.append(msgspec.to_builtins(FileAffected(path=path, action=action)))
        draft.done.append(f"linked commit {commit.short}: {commit.subject}")


def is_own(path: str) -> bool:
    """A file of the change records themselves: every change touches them, and no change is about them."""
    return path.startswith("docs/TC/")


def parse_pull(given: str, remote_url: str | None = None) -> Pull:
    """A pull request by its address, or by its number where the remote is known."""
    found = _PULL.match(given.strip())
    if found:
        repo = found["repo"]
        return Pull(url=given.strip(), number=int(found["number"]), remote=repo, provider=provider_of(repo))
    number = given.strip().lstrip("#!")
    if number.isdecimal() and int(number) > 0:
        if not remote_url:
            raise refusal("no-remote")
        provider = provider_of(remote_url)
        repo = _web(remote_url)
        ways: dict[Provider, str] = {"gitlab": "-/merge_requests", "bitbucket": "pull-requests"}
        return Pull(
            url=f"{repo}/{ways.get(provider, 'pull')}/{number}",
            number=int(number),
            remote=repo,
            provider=provider,
        )
    raise refusal("no-pull", given=given)


def link_pull(draft: Draft, pull: Pull, state: PullState | None = None, branch: str | None = None) -> None:
    """Adds a pull request, or notes the state of one already linked."""
    remotes: list[Document] = _links(draft, branch)["remotes"]
    known = next((row for row in remotes if (row.get("pr") or {}).get("url") == pull.url), None)
    if known is not None:
        if state is not None and known["pr"].get("state") != state:
            known["pr"].update(state=state, last_synced=draft.at)
            draft.done.append(f"pull request {pull.number} is {state}")
        return
    names = {row["name"] for row in remotes}
    name = "origin" if "origin" not in names else f"{pull.provider}-{pull.number}"
    request: Document = {
        "number": pull.number,
        "url": pull.url,
        "state": state,
        "merged_sha": None,
        "review_decision": None,
        "last_synced": draft.at if state else None,
    }
    remotes.append({"name": name, "url": pull.remote, "provider": pull.provider, "pr": request})
    draft.done.append(f"linked pull request {pull.number}: {pull.url}")


def link_releases(draft: Draft, tags: list[str], branch: str | None = None) -> None:
    draft.add_texts(_links(draft, branch)["release_tags"], tags, "release")


def provider_of(url: str) -> Provider:
    host = re.sub(r"^(?:\w+://)?(?:[^@/]+@)?", "", url).split("/")[0].split(":")[0].lower()
    return next((provider for provider in _HOSTS if provider in host), "other")


def without_credentials(url: str) -> str:
    """An address as it may be written down: no user, no password."""
    return re.sub(r"^(\w+://)[^@/]+@", r"\1", url)


def _web(url: str) -> str:
    """The address of a repository in a browser, from what git calls it."""
    plain = without_credentials(url).removesuffix("/").removesuffix(".git")
    scp = re.match(r"(?:[^@/]+@)?([^:/]+):(?!//)(.+)", plain)
    if scp and "://" not in plain:
        return f"https://{scp[1]}/{scp[2]}"
    return re.sub(r"^(?:ssh|git|http)://", "https://", plain)


def _links(draft: Draft, branch: str | None) -> Document:
    links: Document = draft.document.get("git") or {}
    for name, empty in msgspec.to_builtins(GitLinks(initial_branch=branch)).items():
        links.setdefault(name, empty)
    draft.document["git"] = links
    return links

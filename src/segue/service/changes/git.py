"""What change records ask of git: commits, branches, what is dirty, what was committed before.

Where there is no git or no repository, reading answers with nothing; only what needs git says so.
"""

from __future__ import annotations

from collections.abc import Sequence

from segue.changes.drift import LastCommit
from segue.changes.gitlink import LOG_FORMAT, LoggedCommit, parse_log
from segue.changes.sentences import refusal
from segue.errors import BadInput, NotFound, Refused, Unavailable
from segue.service.git import Failure, Git

_SECONDS = 60
_MAX_PATHS = 500
_OURS = ("docs/TC/", ".segue/")


def run(root: str, *words: str) -> str:
    """The output of a git command. Raises a sentence if it fails."""
    return _output(root, words).decode(errors="replace")


def _output(root: str, words: Sequence[str], given: bytes = b"") -> bytes:
    git = Git(root, _SECONDS)
    said = git.output(*words, given=given)
    if said is not None:
        return said
    kind, told = git.failure or Failure("refused", "")
    if kind == "missing":
        raise Unavailable("git is not installed.", "Install git, or name the files by hand with --add-file.")
    if kind == "slow":
        raise refusal("git-slow", command=words[0], seconds=_SECONDS)
    if kind == "no_repository":
        raise NotFound(f"{root} is not in a git repository.", "`git init` makes one.", "no_repository")
    if kind == "unsafe":
        raise Refused(f"git is not asked: {told}.", "`git config --local --list` shows them.")
    if "HEAD" in words and asked(root, "rev-parse", "--verify", "--quiet", "HEAD^{commit}") is None:
        raise NotFound("The repository has no commit yet.", "`git commit` makes the first one.", "no_commit")
    raise refusal("git-says", command=words[0], told=told or "it failed")


def asked(root: str, *words: str) -> str | None:
    """The output of a git command, or nothing where there is no answer."""
    try:
        return run(root, *words)
    except (BadInput, NotFound, Refused, Unavailable):
        return None


def log(root: str, *selection: str) -> list[LoggedCommit]:
    """Commits as `git log` selects them, newest first, with the files below `root` they changed."""
    words = ["log", "-z", "--name-status", "--relative", "--diff-merges=first-parent"]
    return parse_log(run(root, *words, f"--format={LOG_FORMAT}", *selection))


def commits(root: str, revisions: Sequence[str], ranges: Sequence[str]) -> list[LoggedCommit]:
    """The commits named one by one and those in ranges `A..B`, oldest first."""
    found: dict[str, LoggedCommit] = {}
    for revision in revisions:
        for commit in log(root, "--no-walk", "--end-of-options", _plain(revision)):
            found[commit.sha] = commit
    for wanted in ranges:
        if ".." not in wanted:
            raise BadInput(f"{wanted!r} is not a range of commits.", "Write it as A..B.")
        for commit in reversed(log(root, "--end-of-options", _plain(wanted))):
            found[commit.sha] = commit
    return list(found.values())


def branch(root: str) -> str | None:
    """The branch that is checked out; nothing when the head is detached."""
    return (asked(root, "symbolic-ref", "--quiet", "--short", "HEAD") or "").strip() or None


def remote_url(root: str, name: str = "origin") -> str | None:
    return (asked(root, "remote", "get-url", name) or "").strip() or None


def dirty(root: str) -> frozenset[str]:
    """Paths, relative to `root`, with changes that are not committed; the records themselves are none of them."""
    told = (
        asked(root, "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--", ".")
        or ""
    )
    prefix = (asked(root, "rev-parse", "--show-prefix") or "").strip()
    paths = (line[3:].removeprefix(prefix) for line in told.split("\0") if len(line) > 3)
    return frozenset(path for path in paths if not path.startswith(_OURS))


def last_commits(root: str, paths: Sequence[str]) -> dict[str, LastCommit]:
    """For each path, the last commit that touched it."""
    found = {}
    for path in paths[:_MAX_PATHS]:
        told = asked(root, "log", "-1", "--format=%H%x1f%cI%x1f%s", "--", f":(literal){path}")
        if told:
            found[path] = LastCommit(*told.strip().split("\x1f", 2))
    return found


def files(root: str) -> frozenset[str]:
    """Every file below `root` that git knows or would take, relative to it."""
    told = asked(root, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate") or ""
    return frozenset(name for name in told.split("\0") if name)


def holds(root: str, word: str, besides: str) -> bool:
    """Whether a word stands in some file of the repository, but for those below `besides`."""
    selection = ("--", ".", f":(exclude){besides}")
    return asked(root, "grep", "--untracked", "-q", "-I", "-w", "-F", "-e", word, *selection) is not None


def not_in_history(root: str, shas: Sequence[str]) -> frozenset[str]:
    """Those commits that HEAD does not descend from."""
    return frozenset(sha for sha in shas if asked(root, "merge-base", "--is-ancestor", sha, "HEAD") is None)


def versions(root: str, place: str, most: int) -> dict[str, list[tuple[str, bytes]]]:
    """The last versions of each file at or below a place, oldest first, with the commits that made them;
    not those of branches that were merged in."""
    first_parent = ["--first-parent", "--diff-merges=first-parent"]
    words = ["log", "--raw", "--no-abbrev", "--no-renames", "--relative", "--format=%H"]
    told = asked(root, *words, *first_parent, "--", place)
    found: dict[str, list[tuple[str, str]]] = {}
    commit = ""
    for line in (told or "").splitlines():
        if not line.startswith(":"):
            commit = line or commit
            continue
        modes, _, path = line.partition("\t")
        blob = modes.split()[3]
        if blob.strip("0") and len(found.setdefault(path, [])) < most:
            found[path].append((commit, blob))
    blobs = _blobs(root, {blob for rows in found.values() for _, blob in rows})
    return {
        path: [(commit, blobs[blob]) for commit, blob in reversed(rows) if blob in blobs]
        for path, rows in found.items()
    }


def _blobs(root: str, names: set[str]) -> dict[str, bytes]:
    """Contents by their ids, all from one git process."""
    if not names:
        return {}
    data = _output(root, ("cat-file", "--batch"), "\n".join(sorted(names)).encode() + b"\n")
    found: dict[str, bytes] = {}
    at = 0
    while at < len(data):
        end = data.index(b"\n", at)
        words = data[at:end].split()
        at = end + 1
        if len(words) == 3:
            size = int(words[2])
            found[words[0].decode()] = data[at : at + size]
            at += size + 1
    return found


def merged_by(root: str, merges: Sequence[str]) -> dict[str, list[str]]:
    """For each merge commit, the commits it brought in."""
    return {sha: run(root, "rev-list", f"{sha}^1..{sha}^2").split() for sha in merges}


def _plain(revision: str) -> str:
    if not revision.strip() or revision.startswith("-"):
        raise BadInput(f"{revision!r} is not a commit.", "Give a hash, a branch or HEAD~2.")
    return revision

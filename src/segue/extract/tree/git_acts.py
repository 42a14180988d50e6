"""What git commands do to commits and files, from their words and what they printed.

A command counts if its line went well, or if it printed that it did what it does. Each verb is a row of
a table; what is not in it moves nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from segue.extract.commands.git_line import Git, back, is_id
from segue.extract.text.named import as_path
from segue.extract.tree.git_log import Result, alone, failed, listed, named_last
from segue.extract.tree.git_status import Status
from segue.extract.tree.repository import DETACHED, UNNAMED, Commit, Repository
from segue.model.entry import Entry

_NOW_AT = "HEAD is now at "
_TELLS = {
    "stash": ("Saved working directory", "Dropped ", "CONFLICT"),
    "reset": (_NOW_AT,),
    "checkout": ("Switched to", "Updated ", _NOW_AT),
    "switch": ("Switched to", _NOW_AT),
    "rebase": ("Successfully rebased",),
    "pull": ("Successfully rebased",),
    "branch": ("Deleted branch",),
    "merge": ("Fast-forward", "Merge made"),
}
"""What a verb prints when it has done its work, whatever became of the rest of the line."""
_NOTHING = ("nothing to commit", "nothing added to commit", "no changes added to commit")
_STOPS = ("--abort", "--quit", "--skip", "--continue")
_FOLDED = ("fixup! ", "squash! ", "amend! ")
_LISTS = ("-a", "-r", "-v", "-vv", "--list", "-l", "--show-current", "--contains", "--merged", "--no-merged")


def worked(git: Git, entry: Entry) -> bool:
    if any(sign in entry.text for sign in _TELLS.get(git.verb, ())):
        return True
    return not failed(entry) and not entry.text.startswith(("fatal: ", "error: "))


def _reverted(subject: str) -> str:
    """The subject of the commit that this one takes back; empty if it takes back none."""
    return subject[8:-1] if subject.startswith('Revert "') and subject.endswith('"') else ""


def _latest(repository: Repository, subject: str) -> int | None:
    """The number of the last commit of this branch with such a subject."""
    return next((n for n in reversed(repository.own) if repository.commits[n].subject == subject), None)


def _record(repository: Repository, result: Result, *, amends: bool = False) -> None:
    """The commits that were printed. One made again while others are rebased takes the place of the first."""
    for branch, sha, subject in result.rows:
        if branch not in (DETACHED, UNNAMED):
            repository.on(branch)
        made_before = _latest(repository, subject) if branch == DETACHED else None
        if made_before is not None:
            again = repository.commits[made_before]
            again.sha, again.rebased, again.line, again.id = sha, 0, result.line, result.id
            again.was = ""
            continue
        made = Commit(repository.branch or branch.removeprefix(UNNAMED), subject, result.line, result.id, sha)
        taken_back = _reverted(subject)
        before = _latest(repository, taken_back) if taken_back else None
        if before is not None:
            made.reverts = before
            repository.take_back(before, result.line, "git revert")
        repository.commit(made, amends=amends and len(result.rows) == 1)


def _commit(repository: Repository, git: Git, result: Result) -> None:
    amends = git.has("--amend")
    if git.short("a") or git.has("--all"):
        repository.everything = result.line
    repository.stage([*git.named, *git.paths], result.line)
    if result.rows:
        _record(repository, result, amends=amends)
        return
    silenced = git.has("--quiet") or git.short("q") or git.silenced or "changed," in result.text
    known = result.known or (not result.failed and bool(alone(result.text)))
    if not silenced or not known or git.has("--dry-run") or any(n in result.text for n in _NOTHING):
        return
    subject = _subject(git, result.command)
    if amends and not subject and repository.own:
        subject = repository.commits[repository.own[-1]].subject
    repository.commit(Commit(repository.branch, subject, result.line, result.id), amends=amends)


def _subject(git: Git, command: str) -> str:
    """The subject that the line gives, in a word or in a here-document."""
    told = git.message
    if told and not told.startswith("$("):
        return told.strip()
    _, _, document = command.partition("<<")
    return document.partition("\n")[2].lstrip().partition("\n")[0].strip()


def _revert(repository: Repository, git: Git, result: Result) -> None:
    if git.has(*_STOPS):
        return
    own = list(repository.own)
    _record(repository, result)
    for word in git.named:
        steps = back(word)
        number = (
            own[-1 - steps] if 0 <= steps < len(own) else repository.numbered(word) if is_id(word) else -1
        )
        if number < 0 or repository.commits[number].gone:
            continue
        repository.take_back(number, result.line, "git revert")
        if not result.rows and not git.has("-n", "--no-commit"):
            subject = f'Revert "{repository.commits[number].subject}"'
            repository.commit(
                Commit(repository.branch, subject, result.line, result.id, reverts=number), amends=False
            )


def _reset(repository: Repository, git: Git, result: Result) -> None:
    named = git.named
    if len(named) > 1 or git.paths:
        repository.unstage([*named, *git.paths])
        return
    if not git.has("--soft"):
        repository.unstage(())
    _, told, now = result.text.partition(_NOW_AT)
    target = named[0] if named else "HEAD"
    if told and repository.count_at(target) is None:
        target = now.split(" ", 1)[0]
    lost = repository.move(_by_subject(repository, target, now), result.line)
    if git.has("--hard", "--merge", "--keep"):
        repository.throw(result.line, repository.last_line, "git reset", commits=lost)


def _by_subject(repository: Repository, target: str, now: str) -> str:
    """The place a reset went to, counted from the end where only its subject tells which commit that is."""
    subject = now.partition("\n")[0].partition(" ")[2]
    own = repository.own
    if not subject or not is_id(target) or repository.numbered(target) >= 0:
        return target
    named = [place for place, n in enumerate(own) if repository.commits[n].subject == subject]
    return f"HEAD~{len(own) - 1 - named[-1]}" if named else target


def _checkout(repository: Repository, git: Git, result: Result) -> None:
    named = git.named
    if git.has("-b", "-B", "-c", "-C", "--orphan", "--create"):
        if named:
            held = repository.at(named[1]) if len(named) > 1 else list(repository.own)
            repository.on(named[0])
            repository.branches[named[0]] = held
    elif git.has("-p", "--patch", "--ours", "--theirs"):
        return
    elif git.paths:
        _discard(repository, git.paths, named[0] if named else "", result.line)
    elif named == ["."] or (not named and git.has("-f", "--force")):
        _discard(repository, (), "", result.line)
    elif named and (git.verb == "switch" or "Switched to" in result.text or named[0] in repository.branches):
        _, _, told = result.text.partition("Switched to branch '")
        repository.branches.setdefault(told.partition("'")[0] or named[0], [])
        repository.on(told.partition("'")[0] or named[0])
    elif len(named) == 1 and not as_path(named[0]):
        held = repository.at(named[0])
        repository.on(DETACHED)
        repository.branches[DETACHED] = held
    elif named:
        source = "" if as_path(named[0]) else named[0]
        _discard(repository, tuple(named[1:] if source else named), source, result.line)


def _restore(repository: Repository, git: Git, result: Result) -> None:
    if git.has("--staged", "-S") and not git.has("--worktree", "-W"):
        repository.unstage([*git.named, *git.paths])
        return
    source = next((word[9:] for word in git.given if word.startswith("--source=")), "")
    paths = [*git.named, *git.paths]
    for option in ("-s", "--source"):
        if option in git.given and paths:
            source = paths.pop(0)
    _discard(repository, tuple(paths), source, result.line)


def _discard(repository: Repository, paths: tuple[str, ...], source: str, line: int) -> None:
    since = repository.line_at(source) if source else repository.last_line
    everything = any(path in (".", ":/") for path in paths)
    repository.throw(line, since, "git checkout", paths=() if everything else paths)


def _stash(repository: Repository, git: Git, result: Result) -> None:
    verb, *rest = git.named or ("push",)
    if verb in ("push", "save"):
        if "No local changes" in result.text:
            repository.status = Status(result.line, git.directory, True, {})
        else:
            untracked = git.short("u") or git.short("a") or git.has("--include-untracked", "--all")
            repository.stashes.append(len(repository.thrown))
            paths = git.paths or (tuple(filter(as_path, rest)) if verb == "push" else ())
            since = repository.last_line
            repository.throw(
                result.line, since, "git stash", paths=paths, of="both" if untracked else "tracked"
            )
    elif verb == "clear":
        _lose(repository, repository.stashes)
        repository.stashes.clear()
    elif result.failed and "Dropped " not in result.text and "CONFLICT" not in result.text:
        return
    elif verb in ("pop", "apply", "drop", "branch") and repository.stashes:
        place = next((word[7:-1] for word in rest if word.startswith("stash@{")), "0")
        number = int(place) if place.isdecimal() else 0
        if number < len(repository.stashes):
            stashed = repository.stashes[-1 - number]
            if verb == "drop":
                _lose(repository, [stashed])
            else:
                repository.thrown[stashed].back = result.line
            if verb != "apply":
                repository.stashes.remove(stashed)


def _lose(repository: Repository, stashes: list[int]) -> None:
    for number in stashes:
        repository.thrown[number].how = "git stash drop"


def _rebase(repository: Repository, git: Git, result: Result) -> None:
    if git.has("--abort", "--quit", "--edit-todo"):
        return
    done = "Successfully rebased" in result.text or (git.short("q") and result.known)
    named = git.named
    if git.verb == "pull":
        kept = repository.count_at("@{u}") or 0
    else:
        repository.on(named[1] if len(named) > 1 else "")
        kept = (
            repository.rebasing if git.has("--continue", "--skip") else repository.count_at(_base(named)) or 0
        )
    if not done:
        repository.rebasing = kept
        return
    own = repository.own
    if git.has("--onto"):
        kept = _transplanted(repository, git, kept)
    folded = git.has("--autosquash", "-i", "--interactive")
    repository.rewrite(own[kept:], result.line)
    for n in own[kept:]:
        repository.commits[n].rebased = result.line
        if folded and repository.commits[n].subject.startswith(_FOLDED):
            own.remove(n)
    repository.unsure = True
    _record(repository, result)


def _transplanted(repository: Repository, git: Git, kept: int) -> int:
    """Leaves out the commits between the new base, where that is known, and the old one."""
    onto = git.given[git.given.index("--onto") + 1 :][:1]
    below = repository.count_at(onto[0]) if onto else None
    if below is None or below >= kept:
        return kept
    del repository.own[below:kept]
    return below


def _base(named: list[str]) -> str:
    return named[0] if named else "@{u}"


def _merge(repository: Repository, git: Git, result: Result) -> None:
    if git.has(*_STOPS):
        return
    if git.has("--squash"):
        repository.squashed += git.named
        return
    for name in git.named:
        own = repository.own
        own += [n for n in repository.branches.get(name, ()) if n not in own]
    _record(repository, result)


def _branch(repository: Repository, git: Git, result: Result) -> None:
    named = git.named
    if git.has("-D", "-d", "--delete", "-df", "-fd"):
        for name in named:
            lost = repository.branches.pop(name, []) if name != repository.branch else []
            if name in repository.pushed:
                repository.branches[f"origin/{name}"] = lost
            held = {n for numbers in repository.branches.values() for n in numbers}
            for n in lost:
                if n not in held and name not in repository.squashed:
                    repository.take_back(n, result.line, "git branch -D")
    elif git.has("-m", "-M", "--move") and named:
        old = named[0] if len(named) > 1 else repository.branch
        repository.branches[named[-1]] = repository.branches.pop(old, [])
        repository.branch = named[-1] if old == repository.branch else repository.branch
    elif named and not git.has(*_LISTS):
        repository.branches[named[0]] = repository.at(named[1]) if len(named) > 1 else list(repository.own)


def _picked(repository: Repository, git: Git, result: Result) -> None:
    if not git.has("--abort", "--quit"):
        _record(repository, result)


def _add(repository: Repository, git: Git, result: Result) -> None:
    repository.tracked = result.line
    given = [*git.named, *git.paths]
    if git.has("-A", "--all", "-u", "--update") or any(path in (".", ":/", "*") for path in given):
        repository.everything = result.line
    repository.stage(given, result.line)


def _clean(repository: Repository, git: Git, result: Result) -> None:
    if (git.short("f") or git.has("--force")) and not git.short("n"):
        repository.throw(result.line, 0, "git clean", paths=tuple(git.named), of="untracked")


ACTS: dict[str, Callable[[Repository, Git, Result], None]] = {
    "commit": _commit,
    "revert": _revert,
    "reset": _reset,
    "checkout": _checkout,
    "switch": _checkout,
    "restore": _restore,
    "stash": _stash,
    "rebase": _rebase,
    "pull": _rebase,
    "merge": _merge,
    "branch": _branch,
    "cherry-pick": _picked,
    "am": _picked,
    "add": _add,
    "rm": _add,
    "mv": _add,
    "clean": _clean,
    "log": listed,
    "rev-parse": named_last,
}

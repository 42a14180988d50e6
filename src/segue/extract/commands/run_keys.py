"""By which name the ledger knows a run: simple commands by their key, a line by the one that matters most in it."""

from __future__ import annotations

from segue.extract.commands import shell
from segue.extract.commands.command_line import Simple
from segue.extract.commands.git_line import git_verb
from segue.extract.commands.no_verdict import asked
from segue.extract.text.prose import clipped, word_set
from segue.model.scratch import is_scratch

_STATEFUL_GIT = word_set("push commit merge rebase cherry-pick revert pull am apply tag")
_BRINGING_GIT: dict[str, frozenset[str]] = {
    **dict.fromkeys(("clone", "fetch", "init"), frozenset[str]()),
    "submodule": word_set("update add init sync"),
    "lfs": word_set("pull fetch install"),
    "worktree": word_set("add"),
    "stash": word_set("pop apply"),
}
"""What is plumbing as long as it goes well, and without which something is not here: each with the words of which one follows."""
_FATAL = 128
"""The exit code of git alone."""


def run_key(words: tuple[str, ...]) -> tuple[str, ...]:
    """The key of a simple command, git commands that change something included."""
    if words[0] == "git" and len(words) > 1:
        verb = git_verb(words)[0]
        return ("git", verb) if verb in _STATEFUL_GIT else ()
    return shell.key(words)


def undone(simple: list[Simple], exit_code: int | None) -> Simple | None:
    """The command with which a line of plumbing failed, if that was to bring something here, and not only to be looked at
    and thrown away."""
    ran = [s for s in simple if s.words and (exit_code != _FATAL or s.words[0] == "git")]
    if not ran or ran[-1].words[0] != "git":
        return None
    verb, given = git_verb(ran[-1].words)
    wanted = _BRINGING_GIT.get(verb)
    if wanted is None or (wanted and wanted.isdisjoint(given[:1])) or any(map(is_scratch, given)):
        return None
    return ran[-1]


def keys(simple: list[Simple]) -> frozenset[tuple[str, ...]]:
    """The keys of a line, those of commands that a runner runs (`mise x tool -- tool …`) included, whoever runs
    them. Who only asks a program about itself has not run it."""
    ran = [s.words for s in simple if s.words]
    found = {as_asked(run_key(words), words) for words in ran}
    found |= {as_asked(run_key(inner), inner) for words in ran if (inner := shell.inner(words))}
    found |= {run_key(shell.essential(words)) for words in ran if shell.is_check(words)}
    return frozenset(found - {()})


def as_asked(key: tuple[str, ...], words: tuple[str, ...]) -> tuple[str, ...]:
    """The key of a command, apart from all others where a program is only asked about itself."""
    about = asked(words) if key else ""
    return (f"{key[0]} {about}", *key[1:]) if about else key


def essence(simple: list[Simple]) -> tuple[str, ...]:
    """The key of what a line is known as, whoever runs it; empty where that judges nothing."""
    key = known_as(simple)
    checks = [s.words for s in simple if s.words and run_key(s.words) == key and shell.is_check(s.words)]
    return run_key(shell.essential(checks[-1])) if checks else ()


def known_as(simple: list[Simple]) -> tuple[str, ...]:
    """The key of a line: its last test, else its last check, else its last command that is more than plumbing."""
    keyed = [(s.words, key) for s in simple if s.words and (key := run_key(s.words))]
    for matters in (shell.is_test, shell.is_check):
        if found := [key for words, key in keyed if matters(words)]:
            return found[-1]
    return keyed[-1][1] if keyed else ()


def last_keyed(simple: list[Simple]) -> tuple[str, ...]:
    """The last command of a line that is more than plumbing."""
    return next((s.words for s in reversed(simple) if s.words and run_key(s.words)), ())


def marked(key: str, limit: int) -> str:
    """A key told in the place of a longer command, its cut marked."""
    short = clipped(key, limit - 2)
    return short if short.endswith("…") else f"{short} …"


def named(checks: list[Simple], limit: int) -> str:
    """Checks by the one they are known as, as it was typed; where that is too long, by its key and the tests it
    chose, its cut marked."""
    key = known_as(checks)
    whole = next((c for c in reversed(checks) if run_key(c.words) == key), None)
    told = " ".join(whole.text.split()) if whole else " ".join(key)
    if len(told) <= limit and "`" not in told:
        return told
    chosen = [f"{flag}{value}" for c in checks for flag, value in shell.selection(c.words)]
    return clipped(" ".join((marked(" ".join(key), limit), *chosen)), limit)

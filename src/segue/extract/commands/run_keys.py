"""By which name the ledger knows a run: simple commands by their key, a line by the one that matters most in it."""

from __future__ import annotations

from segue.extract.commands import shell
from segue.extract.commands.command_line import Simple
from segue.extract.text.prose import clipped, word_set

_STATEFUL_GIT = word_set("push commit merge rebase cherry-pick pull am apply tag")


def run_key(words: tuple[str, ...]) -> tuple[str, ...]:
    """The key of a simple command, git commands that change something included."""
    if words[0] == "git" and len(words) > 1 and words[1] in _STATEFUL_GIT:
        return words[:2]
    return shell.key(words)


def keys(simple: list[Simple]) -> frozenset[tuple[str, ...]]:
    """The keys of a line, those of commands that a runner runs (`mise x tool -- tool …`) included, whoever runs
    them."""
    found = {run_key(s.words) for s in simple if s.words}
    found |= {run_key(ran) for s in simple if s.words and (ran := shell.inner(s.words))}
    found |= {run_key(shell.essential(s.words)) for s in simple if s.words and shell.is_check(s.words)}
    return frozenset(found - {()})


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

"""Claims: what was committed, pushed, tested, built, as tool results show it.

A claim is made of an id, a count or a line that a program printed. What the agent merely said at
its end is added as `reported`. A test that passed before a later edit no longer proves anything
about that edit, and is said so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import ClassVar

from segue.extract.commands import shell
from segue.extract.commands.conflicts import added_since, concluded_since, stopped
from segue.extract.commands.git_line import holds
from segue.extract.commands.run_keys import known_as, named
from segue.extract.commands.runs import Parsed
from segue.extract.text.all_well import says_all_is_well
from segue.extract.text.prose import clipped, flat, plainly, sentences, start, word_set
from segue.extract.tree.files import Touched, can_be_checked
from segue.extract.tree.history import History
from segue.extract.tree.repository import Commit, Thrown
from segue.model.claim import ClaimAct, ClaimState, grounded
from segue.model.entry import Entry
from segue.model.facts import Claim, Evidence
from segue.model.patterns import compiled
from segue.model.scratch import is_scratch

_PUSHED = compiled(
    r"^\s*[ +*=!-]?\s*(?:([0-9a-f]{7,40}\.\.\.?[0-9a-f]{7,40})|\[new (?:branch|tag)\])\s+(\S+)\s+->\s+(\S+)",
    re.M,
)
_REQUEST = compiled(r"https://\S+/(?:pull|merge_requests)/\d+")
_IS = word_set("is are now been have has")
_DONE = word_set("committed pushed merged deployed released implemented fixed complete completed done")
_I_HAVE = word_set("added fixed implemented updated pushed committed created removed renamed moved")
_CHANGES = ("created", "modified", "renamed")
_RECAP = 400
_COMMITS, _PUSHES, _REQUESTS, _CHECKS, _UNDONE = 6, 3, 3, 4, 2


class Ledger:
    """Watches results for ids that git and its hosts print."""

    REMEMBERS: ClassVar = {
        "_pushes": dict[str, tuple[str, int, str]],
        "_requests": dict[str, tuple[int, str]],
        "_recap": tuple[str, int, str] | None,
    }

    def __init__(self, history: History) -> None:
        self._history = history
        self._pushes: dict[str, tuple[str, int, str]] = {}
        self._requests: dict[str, tuple[int, str]] = {}
        self._recap: tuple[str, int, str] | None = None
        """What a model wrote about the state for a person who came back; old once anything goes on."""

    def result(self, command: str, entry: Entry, here: str) -> None:
        if "git" not in command and "gh " not in command:
            return
        text = entry.text
        self._history.seen(command, entry, here)
        if "push" in command and (git := self._history.push_in(command, here)):
            for found in _PUSHED.finditer(text):
                if is_scratch(_remote(text, found.start())):
                    continue
                span, source, target = found.groups("")
                self._pushes[f"{source} -> {target}"] = span, entry.line, entry.native_id
                self._history.pushed(source, span, git, entry.line)
        if "pr create" in command or "mr create" in command:
            for url in _REQUEST.findall(text):
                self._requests[url] = entry.line, entry.native_id

    def recapped(self, entry: Entry) -> None:
        self._recap = start(entry.text, _RECAP), entry.line, entry.native_id

    def goes_on(self) -> None:
        self._recap = None

    def commits(self) -> list[tuple[int, str]]:
        """The line and the subject of every commit."""
        return [(commit.line, commit.subject) for commit in self._history.standing()]

    def committed(self, path: str, line: int) -> bool:
        """A commit holds the file as it was left at a line."""
        return any(
            commit.line > line and (not commit.paths or any(holds(given, path) for given in commit.paths))
            for commit in self._history.standing()
        )

    def close(
        self,
        clean: Callable[[str], str],
        commands: list[Parsed],
        files: list[Touched],
        closing: str,
        closing_line: int,
        refused: Sequence[tuple[str, Evidence]] = (),
    ) -> list[Claim]:
        """All claims, in the order in which they were shown. `refused` are the commands that the person did not
        let run, and where."""
        claims = [_committed(c, clean) for c in self._history.standing()[-_COMMITS:]]
        claims += [
            _claim("push", f"{_pushed(move, span)}{self._since(move)}", "pushed", line, id)
            for move, (span, line, id) in list(self._pushes.items())[-_PUSHES:]
        ]
        claims += [
            _claim("loss", _taken_back(thrown, commits, clean), "inferred", thrown.line)
            for thrown, commits in list(self._history.taken_back())[-_UNDONE:]
        ]
        claims += [
            _claim("opening", f"opened {clean(url)}", "done", line, id)
            for url, (line, id) in list(self._requests.items())[-_REQUESTS:]
        ]
        claims += [
            _claim(
                "refusal",
                f"rejected by the person: `{clipped(flat(command), 120)}`",
                "inferred",
                at.line,
                at.id,
            )
            for command, at in refused
        ]
        claims += _waiting(commands)
        claims += _checked(commands, files)
        claims.sort(key=lambda c: (c.evidence[0].line, c.text))
        claims += _reported(clean(closing), closing_line, commands, _last_edit(files))
        if self._recap:
            text, line, id = self._recap
            claims.append(_claim("word", clipped(flat(clean(text)), _RECAP), "reported", line, id))
        return claims

    def _since(self, move: str) -> str:
        line = self._history.rewritten(move.partition(" -> ")[0])
        return f"; the branch was rewritten since [#{line}] and not pushed again" if line else ""


def _committed(commit: Commit, clean: Callable[[str], str]) -> Claim:
    name = f"commit {commit.sha}" if commit.sha else "commit (id not shown)"
    if commit.rebased:
        name = f"commit (another id since a rebase, was {commit.sha or 'not shown'})"
    branch = f" on {commit.branch}" if commit.branch else ""
    subject = f": {clipped(clean(commit.subject), 100)}" if commit.subject else ""
    return _claim("commit", f"{name}{branch}{subject}", "done", commit.line, commit.id)


def _remote(text: str, end: int) -> str:
    """The place that the last push told of before `end` went to."""
    place = text.rfind("To ", 0, end)
    return text[place + 3 : end].partition("\n")[0].removeprefix("file://") if place >= 0 else ""


def _pushed(move: str, span: str) -> str:
    """Three dots tell a push that replaced what was there."""
    forced = ", forced" if "..." in span else ""
    return f"pushed {move}{f' ({span}{forced})' if span else ''}"


def _taken_back(thrown: Thrown, commits: list[Commit], clean: Callable[[str], str]) -> str:
    if not commits:
        of = f" of {', '.join(thrown.paths[:3])}" if thrown.paths else ""
        return f"uncommitted changes{of} lie in a stash since `{thrown.how}`, not in the files"
    told = ", ".join(f"{c.sha or '(id not shown)'} ({clipped(clean(c.subject), 60)})" for c in commits[-3:])
    return f"no longer there since `{thrown.how}`: commit {told}"


def _claim(act: ClaimAct, text: str, state: ClaimState, line: int, id: str = "", command: str = "") -> Claim:
    return Claim(
        text=text,
        state=grounded(state, line > 0),
        act=act,
        command=command,
        evidence=(Evidence(line, id),),
    )


def _waiting(commands: list[Parsed]) -> list[Claim]:
    """What stopped at conflicts that are resolved, and was not concluded."""
    claims = []
    for row in commands:
        if not row.known_as or row.bad_line <= row.ok_line or not stopped(row):
            continue
        at = added_since(row, commands)
        if at and not concluded_since(row, commands):
            name = " ".join(row.known_as)
            text = f"the conflicts of `{name}` were resolved and added; it is not concluded yet"
            claims.append(_claim("conflicts", text, "inferred", at, command=name))
    return claims


def _checked(commands: list[Parsed], files: list[Touched]) -> list[Claim]:
    """Checks whose last run passed, the last one that ran only some of its tests, and what was edited after all
    of them."""
    whole: dict[str, Claim] = {}
    some: dict[str, Claim] = {}
    passed = 0
    state: ClaimState
    for row in commands:
        if row.hook:
            passed = max(passed, row.ok_line)
            whole.pop("git commit", None)
            state = "tested" if row.hook == "tests" else "built"
            whole["git commit"] = _claim("check", "`git commit` passed its hook", state, row.ok_line)
        checks = [s for s in row.passed if s.words and shell.is_check(s.words)]
        if not checks or row.good is None or row.state == "open":
            continue
        tests = row.only != shell.NO_TESTS and any(shell.is_test(s.words) for s in checks)
        state = "tested" if tests and not row.end_seen else "built"
        passed = max(passed, row.ok_line)
        outcome = f" — {row.good.outcome}" if row.good.outcome and row.proved else ""
        seen = " (end seen)" if row.end_seen else ""
        key = " ".join(known_as(checks))
        chosen = some if row.only else whole
        chosen.pop(key, None)
        text = f"`{named(checks, 90)}` passed{outcome}{seen}"
        chosen[key] = _claim("check", text, state, row.ok_line, row.good.evidence.id, key)
    claims = [*list(whole.values())[-_CHECKS:], *list(some.values())[-1:]]
    later = [f for f in files if f.edit_line > passed and f.action in _CHANGES and can_be_checked(f.path)]
    if passed and later:
        names = ", ".join(f.path for f in later[-4:])
        more = f" and {len(later) - 4} more" if len(later) > 4 else ""
        text = f"no check has passed since the last edits of {names}{more}"
        claims.append(_claim("lack", text, "not tested", later[-1].edit_line))
    return claims


def _reported(closing: str, line: int, commands: list[Parsed], edited: int) -> list[Claim]:
    """What the agent said it had done, in its last words; and that a check which fails tells otherwise, or may, where
    something was `edited` after it."""
    claims = []
    failing = max((row for row in commands if row.check and row.state == "open"), key=_bad_line, default=None)
    for sentence in sentences(closing):
        said = clipped(flat(sentence), 240)
        well = says_all_is_well(sentence)
        if sentence.endswith("?") or not (well or _says_done(sentence)):
            continue
        if well and failing:
            checks = [s for s in failing.simple if s.words and shell.is_check(s.words)]
            since = " before the last edits, and was not run since" if failing.bad_line < edited else ""
            refuted = (
                f'the agent said "{said}", but `{named(checks, 90)}` failed [#{failing.bad_line}]{since}'
            )
            claims.append(_claim("word", refuted, "inferred", line))
        else:
            claims.append(_claim("word", said, "reported", line))
    return claims[:4]


def _last_edit(files: list[Touched]) -> int:
    """The line at which something that a check may judge was changed last."""
    return max((f.edit_line for f in files if f.action in _CHANGES and can_be_checked(f.path)), default=0)


def _says_done(sentence: str) -> bool:
    """It reports something as done: `is merged`, `I've added`."""
    words = plainly(sentence).replace(",", " ").replace(".", " ").replace("!", " ").split()
    by_me = "i've" in words or ("i" in words and "have" in words)
    return any(
        (before in _IS and word in _DONE) or (by_me and before in ("i've", "have") and word in _I_HAVE)
        for before, word in pairwise(words)
    )


def _bad_line(row: Parsed) -> int:
    return row.bad_line

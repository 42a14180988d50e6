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

import msgspec
from msgspec.structs import replace

from segue.extract.check_claims import checked_runs, claimed
from segue.extract.commands import shell
from segue.extract.commands.conflicts import added_since, concluded_since, stopped
from segue.extract.commands.git_line import holds
from segue.extract.commands.run_keys import named
from segue.extract.commands.runs import Parsed
from segue.extract.text.all_well import says_all_is_well
from segue.extract.text.prose import clipped, flat, plainly, sentences, start, word_set
from segue.extract.tree.git_status import Status
from segue.extract.tree.history import History
from segue.extract.tree.repository import Commit, Thrown
from segue.extract.tree.touched import Touched, can_be_checked
from segue.model.claim import ClaimAct, ClaimState
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
_PROSE = (".md", ".rst", ".txt", ".adoc")
_RECAP = 400
_COMMITS, _PUSHES, _REQUESTS, _UNDONE, _NAMED = 6, 3, 3, 2, 4


class _Place(msgspec.Struct, frozen=True):
    """Where something was shown: in this session, or in an earlier one."""

    line: int
    id: str = ""
    origin: str = ""


class _Push(msgspec.Struct, frozen=True):
    span: str
    at: _Place


class Ledger:
    """Watches results for ids that git and its hosts print."""

    REMEMBERS: ClassVar = {
        "_pushes": dict[str, _Push],
        "_requests": dict[str, _Place],
        "_begun": int,
        "_recap": tuple[str, int, str] | None,
    }

    def __init__(self, history: History) -> None:
        self._history = history
        self._pushes: dict[str, _Push] = {}
        self._requests: dict[str, _Place] = {}
        self._begun = 0
        """Where the last packet of an earlier handoff stands."""
        self._recap: tuple[str, int, str] | None = None
        """What a model wrote about the state for a person who came back; old once anything goes on."""

    def begin_with(self, packet: str, session: str, line: int, branch: str, *, takes_over: bool) -> None:
        """What a packet tells that was handed in before; what was told earlier is void where it `takes_over`."""
        from segue.extract.carried_claims import handed_in  # few sessions begin with a packet

        told = handed_in(packet, session, line)
        self._begun = line
        if takes_over:
            self._pushes = {move: push for move, push in self._pushes.items() if not push.at.origin}
            self._requests = {url: at for url, at in self._requests.items() if not at.origin}
        branch = branch or (told.commits[-1].branch if told.commits else "")
        rewritten = [move.partition(" -> ")[0] for move, (_, since, _) in told.pushes.items() if since]
        self._history.begin_with(told.commits, told.pushed, rewritten, branch, line, takes_over=takes_over)
        for move, (span, _, claim) in told.pushes.items():
            self._pushes.setdefault(move, _Push(span, _place(claim)))
        for url, claim in told.requests.items():
            self._requests.setdefault(url, _place(claim))

    def result(self, command: str, entry: Entry, here: str) -> None:
        if "git" not in command and "gh " not in command and "glab " not in command:
            return
        text = entry.text
        self._history.seen(command, entry, here)
        if "push" in command and (git := self._history.push_in(command, here)):
            for found in _PUSHED.finditer(text):
                if is_scratch(_remote(text, found.start())):
                    continue
                span, source, target = found.groups("")
                self._pushes.pop(f"{source} -> {target}", None)
                self._pushes[f"{source} -> {target}"] = _Push(span, _Place(entry.line, entry.native_id))
                self._history.pushed(source, span, git, entry.line)
        if "pr create" in command or "mr create" in command:
            for url in _REQUEST.findall(text):
                self._requests[url] = _Place(entry.line, entry.native_id)

    def recapped(self, entry: Entry) -> None:
        self._recap = start(entry.text, _RECAP), entry.line, entry.native_id

    def goes_on(self) -> None:
        self._recap = None

    def commits(self) -> list[tuple[int, str]]:
        """The line and the subject of every commit of this session."""
        return [(commit.line, commit.subject) for commit in self._history.standing() if not commit.origin]

    def committed(self, path: str, line: int, until: int = 0) -> bool:
        """A commit holds the file as it was left at a line; one before another line, where that is given. None before
        a list of git's that still shows the file does."""
        since = max(line, self._history.left_at(path, line))
        return any(
            since < commit.line
            and (not until or commit.line < until)
            and (not commit.paths or any(holds(given, path) for given in commit.paths))
            for commit in self._history.standing()
        )

    def letters(self, path: str, line: int) -> str | None:
        """What git makes of a file as it was left at a line; None where that is not known."""
        return self._history.letters(path, line)

    def shown(self) -> Status | None:
        """What git last told of the tree."""
        return self._history.shown()

    def close(
        self,
        clean: Callable[[str], str],
        commands: list[Parsed],
        files: list[Touched],
        closing: str,
        closing_line: int,
        refused: Sequence[tuple[str, Evidence]] = (),
        *,
        checked: int = 0,
    ) -> list[Claim]:
        """All claims, in the order in which they were shown, those of earlier sessions that what was done here leaves
        standing first. `refused` are the commands that the person did not let run, and where; `checked` is the line
        up to which earlier sessions saw checks pass."""
        claims = [_committed(c, clean) for c in self._history.standing()[-_COMMITS:]]
        claims += [
            _shown("push", f"{_pushed(move, push.span)}{self._since(move)}", "pushed", push.at)
            for move, push in list(self._pushes.items())[-_PUSHES:]
        ]
        claims += [
            claimed("loss", _taken_back(thrown, commits, clean), "inferred", thrown.line)
            for thrown, commits in list(self._history.taken_back())[-_UNDONE:]
        ]
        claims += [
            _shown("opening", f"opened {clean(url)}", "done", at)
            for url, at in list(self._requests.items())[-_REQUESTS:]
        ]
        claims += [
            claimed(
                "refusal",
                f"rejected by the person: `{clipped(flat(command), 120)}`",
                "inferred",
                at.line,
                at.id,
            )
            for command, at in refused
        ]
        claims += _waiting(commands)
        claims += _checked(commands, files, checked)
        claims.sort(key=lambda c: (0, "") if c.origin else (c.evidence[0].line, c.text))
        claims += _reported(clean(closing), closing_line, commands, last_edit(files))
        if self._recap:
            text, line, id = self._recap
            claims.append(claimed("word", clipped(flat(clean(text)), _RECAP), "reported", line, id))
        return claims

    def _since(self, move: str) -> str:
        line = self._history.rewritten(move.partition(" -> ")[0])
        at = f" [#{line}]" if line > self._begun else ""
        return f"; the branch was rewritten since{at} and not pushed again" if line else ""


def _committed(commit: Commit, clean: Callable[[str], str]) -> Claim:
    name = f"commit {commit.sha}" if commit.sha else "commit (id not shown)"
    if commit.was:
        name += f" ({commit.was} when it was made)"
    if commit.rebased:
        name = f"commit (another id since a rebase, was {commit.was or commit.sha or 'not shown'})"
    branch = f" on {commit.branch}" if commit.branch else ""
    subject = f": {clipped(clean(commit.subject), 100)}" if commit.subject else ""
    at = _Place(commit.told, origin=commit.origin) if commit.origin else _Place(commit.line, commit.id)
    return _shown("commit", f"{name}{branch}{subject}", "done", at)


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
    fate = "reverted by" if thrown.how == "git revert" else "no longer there since"
    return f"{fate} `{thrown.how}`: commit {told}"


def _place(claim: Claim) -> _Place:
    return _Place(claim.evidence[0].line, origin=claim.origin)


def _shown(act: ClaimAct, text: str, state: ClaimState, at: _Place) -> Claim:
    return replace(claimed(act, text, state, at.line, at.id), origin=at.origin)


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
            claims.append(claimed("conflicts", text, "inferred", at, command=name))
    return claims


def _checked(commands: list[Parsed], files: list[Touched], passed: int) -> list[Claim]:
    """Checks whose last run passed, the last one that ran only some of its tests, and what was edited after all
    of them and after the line at which others had `passed`."""
    claims, passed = checked_runs(commands, passed)
    later = [f for f in files if f.edit_line > passed and f.action in _CHANGES and can_be_checked(f.path)]
    if passed and later:
        from segue.extract.tree.tried import is_tried  # few sessions end untested

        later = [file for file in later if not is_tried(file.path, file.edit_line, commands)]
    if passed and later:
        text = f"no check has passed since the last edits of {_some_of(later)}"
        claims.append(claimed("lack", text, "not tested", later[-1].edit_line))
    return claims if passed else [*claims, *_unrun(commands, files)]


def _unrun(commands: list[Parsed], files: list[Touched]) -> list[Claim]:
    """What was edited after the last command of all; told where no check tells more."""
    latest = sorted(commands, key=lambda row: -row.line)
    ran = next((row.line for row in latest if not _only_looks(row)), 0)
    later = [f for f in files if f.edit_line > ran and f.edits and f.action in _CHANGES and _is_work(f.path)]
    if not later:
        return []
    text = f"nothing was tried since the last edits of {_some_of(later)}"
    return [claimed("unrun", text, "not tested", later[-1].edit_line)]


def _only_looks(row: Parsed) -> bool:
    return not row.known_as and shell.only_looks("; ".join(simple.text for simple in row.simple))


def _is_work(path: str) -> bool:
    aside = path.startswith(("/", "~")) and "/." in path
    return not aside and not is_scratch(path) and not path.endswith(_PROSE)


def _some_of(files: list[Touched]) -> str:
    more = f" and {len(files) - _NAMED} more" if len(files) > _NAMED else ""
    return ", ".join(f.path for f in files[-_NAMED:]) + more


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
            claims.append(claimed("word", refuted, "inferred", line))
        else:
            claims.append(claimed("word", said, "reported", line))
    return claims[:4]


def last_edit(files: list[Touched]) -> int:
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

"""The claims of an earlier packet, read back from what it says of the state of the work.

- done: commit 1a2b3c4 on feat: Stream rows [#41]
- pushed: pushed feat -> feat (abc1234..1a2b3c4) [#43 of 0199aa…]
- tested: `pytest tests/auth` passed — 12 passed [#52]

What was only said is left to the session in which it was said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import get_args

from segue.extract.carried_places import POINTER, origin_of, seen_at
from segue.extract.commands.command_line import simple_commands
from segue.extract.commands.run_keys import known_as
from segue.extract.tree.repository import Commit
from segue.model.claim import ClaimAct, ClaimState
from segue.model.facts import Claim
from segue.model.packet import STATE
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_ROW = compiled(rf"- (?P<state>{'|'.join(get_args(ClaimState))}): (?P<text>.+)" + POINTER + "$")
_ACTS: tuple[tuple[str, ClaimAct], ...] = (
    ("commit ", "commit"),
    ("pushed ", "push"),
    ("opened ", "opening"),
    ("no check has passed ", "lack"),
    ("nothing was tried ", "unrun"),
    ("no command was run ", "unrun"),
    ("no commit was seen ", "uncommitted"),
    ("rejected by the person: `", "refusal"),
    ("uncommitted changes", "loss"),
    ("no longer there since ", "loss"),
    ("reverted by `", "loss"),
    ("the conflicts of `", "conflicts"),
)
"""How the text of a claim begins that tells of an act."""
_COMMIT = compiled(
    r"commit (?:(?P<sha>[0-9a-f]{7,40})(?: \((?P<made>[0-9a-f]{7,40}) when it was made\))?|\(id not shown\)|\(another id since a rebase, was (?P<was>[0-9a-f]+|not shown)\))"
    r"(?: on (?P<branch>detached HEAD|[^\s:]+))?(?:: (?P<subject>.*))?$"
)
_PUSH = compiled(
    r"pushed (?P<move>\S+ -> \S+)(?: \((?P<span>[0-9a-f.]+)(?:, forced)?\))?(?P<rewritten>; the branch was rewritten)?"
)
_PASSED = ("tested", "built", "done")
_CHECKED = compiled(r"`[^`]+` passed\b")
_COMMAND = compiled(r"`(?P<command>[^`]+)`")
_LONGEST = 2000


class Handed(NamedTuple):
    """What a packet tells of a repository: commits in their order; pushes by what was moved where, each with its span
    and whether the branch was rewritten since; the addresses of requests; and the line at which each branch counts as
    pushed."""

    commits: list[Commit]
    pushes: dict[str, tuple[str, bool, Claim]]
    requests: dict[str, Claim]
    pushed: dict[str, int]


def claims_of(rows: Sequence[str], session: str) -> Iterator[Claim]:
    """The claims that point to what shows them; `session` is where that is if they do not say."""
    for row in rows:
        found = _ROW.match(row) if len(row) <= _LONGEST else None
        state = next((known for known in get_args(ClaimState) if found and found["state"] == known), None)
        act = _act(found["text"], state) if found and state else ""
        if found and state and act:
            yield Claim(
                text=found["text"],
                state=state,
                act=act,
                command=_command(found["text"]) if act in ("check", "refusal", "conflicts") else "",
                evidence=seen_at(found),
                origin=origin_of(found, session),
            )


def handed_in(packet: str, session: str, line: int) -> Handed:
    """What the packet at `line` tells of the repository, each thing at a line of its own before that one, with room
    between them."""
    _, _, below = packet.partition(f"\n**{STATE}**\n")
    found = Handed([], {}, {}, {})
    told = list(claims_of(below.partition("\n\n")[0].split("\n"), session))
    for place, claim in enumerate(told):
        at = line - 2 * (len(told) - place)
        if claim.act == "commit" and (commit := _COMMIT.match(claim.text)):
            found.commits.append(_commit(commit, claim, at))
        elif claim.act == "push" and (push := _PUSH.match(claim.text)):
            found.pushes[push["move"]] = push["span"] or "", bool(push["rewritten"]), claim
            found.pushed[push["move"].partition(" -> ")[0]] = at
        elif claim.act == "opening":
            found.requests[claim.text.removeprefix("opened ")] = claim
    return found


def _commit(told: re.Match[str], claim: Claim, line: int) -> Commit:
    was = told["was"] if told["was"] != "not shown" else ""
    return Commit(
        told["branch"] or "",
        told["subject"] or "",
        line,
        sha=told["sha"] or was or "",
        rebased=int(told["was"] is not None),
        origin=claim.origin,
        told=claim.evidence[0].line,
        was=told["made"] or "",
    )


def _act(text: str, state: ClaimState) -> ClaimAct:
    if state in _PASSED and _CHECKED.match(text):
        return "check"
    return next((act for begins, act in _ACTS if text.startswith(begins)), "")


def _command(text: str) -> str:
    """What the ledger knows the command by that a claim names."""
    told = _COMMAND.search(text)
    key = known_as(simple_commands(told["command"])) if told else ()
    return " ".join(key) or (told["command"] if told else "")

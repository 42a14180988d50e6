"""What earlier packets claim and this session leaves standing.

What was committed, pushed and opened before takes part in the history of this session and stands as that leaves it. A
check that passed stands until it is run again, or until something was edited and checked otherwise; what was lost,
refused or left in the midst, until something here makes it good.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from segue.extract.commands.command_line import simple_commands
from segue.extract.commands.git_line import git_verb
from segue.extract.commands.mended import makes_good
from segue.extract.commands.run_keys import known_as
from segue.extract.commands.runs import Parsed
from segue.model.claim import ClaimAct
from segue.model.facts import Claim, each_once
from segue.model.value import NamedTuple

if TYPE_CHECKING:
    from segue.extract.carried import Carried

_STASH_ENDS = ("pop", "apply", "drop", "clear", "branch")
_THROWS = ("reset", "restore", "stash", "clean")
_CONCLUDES = ("commit", "merge", "rebase", "cherry-pick", "revert", "am")


def checked(packets: Sequence[Carried]) -> int:
    """The line of the last packet that tells of a check that passed; 0 where none does."""
    told = (packet for packet in packets if any(c.act in ("check", "lack") for c in packet.claims))
    return max((max(1, packet.lineage.evidence[0].line) for packet in told), default=0)


def claims(
    packets: Sequence[Carried], own: Sequence[Claim], runs: Sequence[Parsed], *, edited: bool
) -> list[Claim]:
    """Earlier claims that nothing here refutes, in the order in which they were told, then those of this session.
    What was committed, pushed and opened before is among its `own`, as far as it still stands; `edited` says that
    something was changed here that a check can judge."""
    told = each_once(lambda claim: claim.text, (claim for packet in packets for claim in packet.claims))
    if not told:
        return list(own)
    here = _Here(own, runs, edited or any(claim.act == "lack" for claim in told))
    before = [claim for claim in own if claim.origin]
    for act, (most, stands) in _STANDS.items():
        before += [claim for claim in told if claim.act == act and stands(claim, here)][-most:]
    places = {(claim.origin, claim.evidence[0]): place for place, claim in reversed(list(enumerate(told)))}
    before.sort(key=lambda claim: places.get((claim.origin, claim.evidence[0]), 0))
    return [*before, *(claim for claim in own if not claim.origin)]


class _Here(NamedTuple):
    """What this session shows; `edited` also where something was edited after the checks of an earlier one."""

    own: Sequence[Claim]
    runs: Sequence[Parsed]
    edited: bool

    def shows(self, act: ClaimAct) -> list[str]:
        return [claim.text for claim in self.own if claim.act == act and not claim.origin]

    def git(self) -> list[tuple[str, tuple[str, ...]]]:
        """The verbs of git that went well, each with what it was given."""
        return [
            git_verb(s.words) for run in self.runs if run.good for s in run.simple if s.words[:1] == ("git",)
        ]


def _check_stands(claim: Claim, here: _Here) -> bool:
    if here.edited and here.shows("check") and not here.shows("lack"):
        return False
    key = known_as(simple_commands(claim.command))
    return not any(run.check and _judges_again(run, key) for run in here.runs)


def _judges_again(run: Parsed, key: tuple[str, ...]) -> bool:
    """What passed before was run here, as a whole or as part of more, and maybe as the part that failed."""
    seen = frozenset() if run.only else run.proved_keys
    if run.bad_line > run.ok_line and run.known_as:
        seen |= {run.known_as}
    return bool(key) and makes_good(seen, key)


def _lack_stands(claim: Claim, here: _Here) -> bool:
    return not here.shows("check") and claim.text not in here.shows("lack")


def _unrun_stands(claim: Claim, here: _Here) -> bool:
    return not any(run.known_as for run in here.runs) and claim.text not in here.shows("unrun")


def _uncommitted_stands(claim: Claim, here: _Here) -> bool:
    if here.shows("commit") or claim.text in here.shows("uncommitted"):
        return False
    return not any(verb in _THROWS or (verb == "checkout" and "--" in given) for verb, given in here.git())


def _refusal_stands(claim: Claim, here: _Here) -> bool:
    return not any(" ".join(run.known_as) == claim.command for run in here.runs)


def _loss_stands(claim: Claim, here: _Here) -> bool:
    if claim.text.startswith("uncommitted"):
        return not any(verb == "stash" and given and given[0] in _STASH_ENDS for verb, given in here.git())
    again = (text.partition(": ")[2] for text in here.shows("commit"))
    return not any(subject and f"({subject})" in claim.text for subject in again)


def _conflicts_stand(claim: Claim, here: _Here) -> bool:
    return not any(verb in _CONCLUDES for verb, _ in here.git())


_STANDS: dict[ClaimAct, tuple[int, Callable[[Claim, _Here], bool]]] = {
    "check": (4, _check_stands),
    "lack": (2, _lack_stands),
    "unrun": (2, _unrun_stands),
    "uncommitted": (2, _uncommitted_stands),
    "refusal": (3, _refusal_stands),
    "loss": (2, _loss_stands),
    "conflicts": (1, _conflicts_stand),
}
"""How many claims of a sort are carried on, the last ones, and which of them stand."""

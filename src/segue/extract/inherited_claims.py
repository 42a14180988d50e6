"""What earlier packets claim and this session leaves standing.

What was committed, pushed and opened before takes part in the history of this session and stands as that leaves it. A
check that passed stands until it is run again, or until something was edited and checked otherwise; what was lost,
refused or left in the midst, until something here makes it good.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from segue.extract.commands.command_line import simple_commands
from segue.extract.commands.git_line import git_verb
from segue.extract.commands.mended import makes_good
from segue.extract.commands.run_keys import known_as
from segue.extract.commands.runs import Parsed
from segue.extract.tree.touched import Touched
from segue.model.claim import ClaimAct
from segue.model.facts import Claim, each_once
from segue.model.value import NamedTuple

if TYPE_CHECKING:
    from segue.extract.carried import Carried

_STASH_ENDS = ("pop", "apply", "drop", "clear", "branch")
_GONE = ("reverted", "stashed", "deleted")
_CONCLUDES = ("commit", "merge", "rebase", "cherry-pick", "revert", "am")


def checked(packets: Sequence[Carried]) -> int:
    """The line of the last packet that tells of a check that passed; 0 where none does."""
    told = (packet for packet in packets if any(c.act in ("check", "lack") for c in packet.claims))
    return max((max(1, packet.lineage.evidence[0].line) for packet in told), default=0)


def claims(
    packets: Sequence[Carried],
    own: Sequence[Claim],
    runs: Sequence[Parsed],
    files: Sequence[Touched],
    *,
    edited: bool,
) -> list[Claim]:
    """Earlier claims that nothing here refutes, in the order in which they were told, then those of this session.
    What was committed, pushed and opened before is among its `own`, as far as it still stands; `edited` says that
    something was changed here that a check can judge."""
    told = each_once(lambda claim: claim.text, (claim for packet in packets for claim in packet.claims))
    if not told:
        return list(own)
    gone = {file.path for file in files if file.action in _GONE}
    here = _Here(own, runs, gone, edited or any(claim.act == "lack" for claim in told))
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
    gone: Collection[str]
    edited: bool

    def shows(self, act: ClaimAct) -> list[str]:
        return [claim.text for claim in self.own if claim.act == act and not claim.origin]

    def threw_away(self, claim: Claim) -> bool:
        """All that a claim names as edited was put back or away."""
        edits, _, _ = claim.text.rpartition(" edits of ")[2].partition(" and the deletion of ")
        return all(name.partition(" (")[0] in self.gone for name in edits.split(", "))

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
        if key and makes_good(frozenset({key}), run.known_as):
            return True
    return bool(key) and makes_good(seen, key)


def _lack_stands(claim: Claim, here: _Here) -> bool:
    again = here.shows("check") or claim.text in here.shows("lack")
    return not again and not here.threw_away(claim)


def _unrun_stands(claim: Claim, here: _Here) -> bool:
    again = any(run.known_as for run in here.runs) or claim.text in here.shows("unrun")
    return not again and not here.threw_away(claim)


def _uncommitted_stands(claim: Claim, here: _Here) -> bool:
    again = here.shows("commit") or claim.text in here.shows("uncommitted")
    return not again and not here.threw_away(claim)


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

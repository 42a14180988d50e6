"""What a packet does not tell, and why: the last line, and the manifest behind it.

It did not fit the budget, it is told but cut short, or the session is so long that no more than the number is known.
"""

from __future__ import annotations

from collections import Counter

from segue.handoff.fit import Fitted, Form, Piece
from segue.handoff.pieces import PATHS, RULE, WANTED
from segue.handoff.quote import MISSING
from segue.model.facts import FORGOTTEN, Dropped, Evidence, Facts
from segue.model.packet import CLOSING

_PLURALS = {
    RULE: "rules of the person",
    WANTED: "files asked for",
    "repository state": "parts of the repository state",
    "summary": "summaries",
}


def render(facts: Facts, offered: list[Piece], fitted: Fitted, budget: int) -> str:
    """The last line."""
    lost = Counter(offered[n].what for n in fitted.left_out if offered[n].what != PATHS)
    short = sum(form.text != offered[n].forms[-1].text or _is_cut(form) for n, form in fitted.shown.items())
    said = []
    if lost:
        said.append(f"left out to fit {budget} tokens: {_listed(lost)}")
    if short:
        said.append(f"{short} item{'s' * (short != 1)} cut short")
    if not said:
        said.append(f"all that was picked fits {budget} tokens")
    forgotten = [d.what for d in facts.dropped if d.why == FORGOTTEN]
    if forgotten:
        said.append(f"too long ago to be remembered: {', '.join(forgotten)}")
    return f"{CLOSING} {'; '.join(said)}."


def dropped(offered: list[Piece], fitted: Fitted) -> tuple[Dropped, ...]:
    """What is not in the packet, and of what only a part is."""
    cut_short = [n for n, form in fitted.shown.items() if _is_cut(form)]
    reasons = [*((n, "budget") for n in fitted.left_out), *((n, "shortened") for n in sorted(cut_short))]
    return tuple(
        Dropped(what=offered[n].what, why=why, evidence=tuple(Evidence(line) for line in offered[n].lines))
        for n, why in reasons
    )


def _listed(found: Counter[str]) -> str:
    return ", ".join(_counted(what, n) for what, n in sorted(found.items()))


def _counted(what: str, n: int) -> str:
    return f"{n} {what if n == 1 else _PLURALS.get(what, what + 's')}"


def _is_cut(form: Form) -> bool:
    return form.text.replace(f" {MISSING} ", "").find(MISSING) >= 0

"""What a packet does not tell, and why: the last line, and the manifest behind it.

There are four reasons. It did not fit the budget; there were more of its kind than a packet of this
size lists, whatever room was left; it is told, but cut short; or the session is so long that no more than the
number is known.
"""

from __future__ import annotations

from collections import Counter

from segue.handoff.fit import Fitted, Form, Piece
from segue.handoff.groups import PROMPT, REPEATED, STEPPED, WORD
from segue.handoff.quote import MISSING
from segue.model.facts import FORGOTTEN, Dropped, Evidence, Facts
from segue.model.packet import ALL_FITS

LISTED = "list of paths"
"""One of the two lists for programs: it repeats what Files tells, so a reader misses nothing without it."""
WANTED = "file asked for"
_TOLD_ELSEWHERE = (LISTED, REPEATED, STEPPED)
_QUOTA = "quota"
_TOO_MANY = "as too many of their kind"
_PLURALS = {
    WORD: "words of the person",
    WANTED: "files asked for",
    "last words": "last words",
    "repository state": "parts of the repository state",
    "summary": "summaries",
}


def told(facts: Facts, offered: list[Piece], fitted: Fitted, budget: int, *, briefly: bool) -> str:
    """The last line; `briefly` counts without telling kinds apart."""
    line = _not_told(facts, offered, fitted, budget, briefly=briefly)
    forgotten = [d.what for d in facts.dropped if d.why == FORGOTTEN]
    return f"{line[:-1]}; too long ago to be remembered: {'; '.join(forgotten)}." if forgotten else line


def _not_told(facts: Facts, offered: list[Piece], fitted: Fitted, budget: int, *, briefly: bool) -> str:
    lost = Counter(offered[n].what for n in fitted.left_out if offered[n].what not in _TOLD_ELSEWHERE)
    lost.update(d.what for d in facts.dropped if d.why not in (_QUOTA, FORGOTTEN))
    beyond = Counter(d.what for d in facts.dropped if d.why == _QUOTA)
    if not lost and not beyond:
        return _parts(offered, fitted, budget)
    if briefly:
        every = lost + beyond
        words = f", {every[WORD]} of them {_PLURALS[WORD]}" if every[WORD] else ""
        return f"Left out to fit {budget} tokens: {_counted('item', every.total())}{words}."
    short = sum(_is_cut(offered[n], form) for n, form in fitted.shown.items())
    parts = [f"Left out to fit {budget} tokens: {_listed(lost)}"] if lost else []
    parts += (
        [f"{'' if lost else f'Left out of {budget} tokens '}{_TOO_MANY}: {_listed(beyond)}"] if beyond else []
    )
    parts += [f"{short} cut short"] if short else []
    return "; ".join(parts) + "."


def dropped(offered: list[Piece], fitted: Fitted) -> tuple[Dropped, ...]:
    """What is not in the packet, and of what only a part is."""
    cut_short = [n for n, form in fitted.shown.items() if _is_cut(offered[n], form)]
    reasons = [*((n, "budget") for n in fitted.left_out), *((n, "shortened") for n in sorted(cut_short))]
    return tuple(
        Dropped(what=offered[n].what, why=why, evidence=tuple(Evidence(line) for line in offered[n].lines))
        for n, why in reasons
    )


def _parts(offered: list[Piece], fitted: Fitted, budget: int) -> str:
    """The last line where every item is told at least in part."""
    briefer = sum(form.text != offered[n].forms[-1].text for n, form in fitted.shown.items())
    if briefer:
        return f"Left out to fit {budget} tokens: parts of {_counted('item', briefer)}."
    long = sum(_is_cut(offered[n], form) for n, form in fitted.shown.items())
    rest = f", except for the rest of {_counted('long item', long)}" if long else ""
    return f"{ALL_FITS} {budget} tokens{rest}."


def _listed(found: Counter[str]) -> str:
    return ", ".join(_counted(what, n) for what, n in sorted(found.items()))


def _counted(what: str, n: int) -> str:
    return f"{n} {what if n == 1 else _PLURALS.get(what, what + 's')}"


def _is_cut(piece: Piece, form: Form) -> bool:
    """There is more of it than is shown. A text with an ellipsis of its own is taken for cut; one that stands by itself
    in a prompt is for what is told among the person's words."""
    if piece.what != PROMPT:
        return MISSING in form.text
    return MISSING in form.text.replace(f" {MISSING}", "").replace(f'"{MISSING}', "")

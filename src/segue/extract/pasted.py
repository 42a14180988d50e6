"""What in a prompt the person wrote, and what was pasted, told apart by structure alone.

Fences, quoted lines, and runs of lines that a program wrote (logs, traces, diffs, tables, reviewers' findings) are
pasted. They are told as that, by their number of lines, their first and last one and the last that complains; the
person's own words stay as they are.
"""

from __future__ import annotations

import re
from itertools import islice

from segue.extract.commands.output import complains
from segue.extract.text.prose import clipped, flat, is_shown, is_wordy
from segue.extract.text.sentence import Sentence, parsed, sentences
from segue.model.patterns import compiled

_FENCE = compiled(r"^\s*(?:```|~~~)")
_REVIEW = compiled(
    r"\W{0,4}[\w./-]+\.\w{1,5}:\d+|\W{0,3}(?:high|medium|low|critical|nit|major|minor|p[0-3])\b\W", re.I
)
_ITEM = compiled(r"\s*(?:#{1,6}\s|[-*•]\s|\(?\d{1,2}[.)]\s|\*\*)")
"""How a line begins that opens an item of a list, or a heading."""
_RUN = 3
"""Lines in a row that a program wrote, from which on they are taken for pasted."""
_EDGE = 110
_LONG_LINE = 1500


def own_words(text: str) -> str:
    """The text with `[pasted, 9 lines: "first" … "last"]` for each part that somebody else wrote."""
    lines = text.strip().split("\n")
    if len(lines) == 1 and len(text) <= _LONG_LINE:
        return flat(text)
    parts: list[str] = []
    run: list[str] = []
    fenced = False
    for line in lines:
        if _FENCE.match(line):
            _end(run, parts, sure=fenced)
            fenced = not fenced
        elif fenced or _of_program(line) or (run and line[:1] in (" ", "\t")):
            run.append(line)
        elif line.strip():
            _end(run, parts)
            parts.append(line.strip())
    _end(run, parts, sure=fenced)
    return "\n".join(parts)


def _of_program(line: str) -> bool:
    bare = line.strip()
    if not bare:
        return False
    return bare[0] == ">" or is_shown(bare) or not is_wordy(bare) or _REVIEW.match(bare[:200]) is not None


def _end(run: list[str], parts: list[str], *, sure: bool = False) -> None:
    """Closes a run of lines: pasted where it is long enough or fenced, else lines like any other."""
    told = [line.strip() for line in run if line.strip()]
    run.clear()
    if not told:
        return
    if not sure and len(told) < _RUN:
        parts.extend(told)
    elif sure and len(told) == 1 and len(told[0]) <= _EDGE:
        parts.append(f"`{told[0]}`")
    else:
        complaint = islice(filter(complains, told[-2:0:-1]), 1)
        shown = (f'"{clipped(flat(row), _EDGE)}"' for row in dict.fromkeys((told[0], *complaint, told[-1])))
        count = f"{len(told)} line{'s' * (len(told) != 1)}"
        parts.append(f"[pasted, {count}: {' … '.join(shown)}]")


def condensed(text: str, *limits: int) -> list[str]:
    """A long prompt within about so many characters, once for each limit: its first and last sentence, its questions,
    those with a marker of a rule, those that open an item of a list, and those that name something, in their order; `…`
    stands where something is missing."""
    if len(text) <= min(limits):
        return [flat(text)] * len(limits)
    parts = [
        (s, not n and _ITEM.match(line) is not None)
        for line in text.split("\n")
        for n, s in enumerate(sentences(line) or _unspoken(line))
    ]
    last = len(parts) - 1
    weights = [
        2.0 * (n in (0, last))
        + 2.5 * ("rule" in s.roles)
        + 2.0 * s.text.endswith("?")
        + 1.0 * opens
        + 0.2 * min(sum(s.named), 4)
        for n, (s, opens) in enumerate(parts)
    ]
    order = sorted(range(len(parts)), key=lambda n: (-weights[n], n))
    told = [s.text for s, _ in parts]
    return [
        clipped(flat(text), limit) if len(text) <= limit or len(parts) < 2 else _chosen(told, order, limit)
        for limit in limits
    ]


def _chosen(parts: list[str], order: list[int], limit: int) -> str:
    """The parts that fit, the first of the order before all others."""
    kept: set[int] = set()
    room = limit
    for n in order:
        size = len(parts[n]) + 3
        if size <= room or not kept:
            kept.add(n)
            room -= size
    told: list[str] = []
    for n in sorted(kept):
        if n and n - 1 not in kept:
            told.append("…")
        told.append(clipped(flat(parts[n]), limit))
    return " ".join(told if len(parts) - 1 in kept else (*told, "…"))


def _unspoken(line: str) -> list[Sentence]:
    """A line that is no prose, as one sentence."""
    return [parsed(line.strip())] if line.strip() else []

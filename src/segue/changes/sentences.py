"""What is said of change records: `findings.txt` tells what is found wrong with them, `refusals.txt` what is not done."""

from __future__ import annotations

from functools import cache

from segue import changes, errors
from segue.model.finding import Finding


@cache
def table(kind: str) -> dict[str, tuple[str, ...]]:
    """By name: the rest of the line it stands in, a message and a hint, if any."""
    with open(f"{changes.__path__[0]}/{kind}.txt", encoding="utf-8") as file:
        paragraphs = [paragraph.split("\n") for paragraph in file.read().rstrip("\n").split("\n\n")[1:]]
    heads = ((head.partition(" "), texts) for head, *texts in paragraphs)
    return {name: (rest, *texts, *[""][len(texts) - 1 :]) for (name, _, rest), texts in heads}


def finding(name: str, /, **told: object) -> Finding:
    """The finding of that name about what is told."""
    about, *texts = table("findings")[name]
    severity, _, place = about.partition(" ")
    where, message, hint = (text.format_map(told) for text in (place, *texts))
    return Finding(name.partition(".")[0], severity, where, message, hint)  # type: ignore[arg-type]


def refusal(name: str, /, **told: object) -> errors.SegueError:
    """The error of that name, to be raised."""
    about, message, hint = table("refusals")[name]
    kind, _, code = about.partition(" ")
    made: errors.SegueError = getattr(errors, kind)(
        message.format_map(told), hint.format_map(told), code.format_map(told) or None
    )
    return made

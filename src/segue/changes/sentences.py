"""What is said of change records: `findings.txt` tells what is found wrong with them, `refusals.txt` what is not done."""

from __future__ import annotations

from functools import partial

from segue import changes
from segue.model import sentences
from segue.model.finding import Finding

FINDINGS, REFUSALS = (f"{changes.__path__[0]}/{name}.txt" for name in ("findings", "refusals"))
refusal = partial(sentences.refusal, REFUSALS)


def finding(name: str, /, **told: object) -> Finding:
    """The finding of that name about what is told."""
    about, *texts = sentences.table(FINDINGS)[name]
    severity, _, place = about.partition(" ")
    where, message, hint = (text.format_map(told) for text in (place, *texts))
    return Finding(name.partition(".")[0], severity, where, message, hint)  # type: ignore[arg-type]

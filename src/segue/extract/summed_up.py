"""The order of a summary: what remains to be done comes first, then the rest as it was written.

Summaries are written by models that were told to recount everything, so most begin with a chronicle and end with what
whoever goes on needs most.
"""

from __future__ import annotations

from segue.extract.text.prose import phrases, plainly

_AHEAD = phrases(
    "pending|next|remain|todo|to do|to-do|outstanding|unfinished|in progress|current work|current state|open question|open issue|blocked|left to|"
    "nächste|offen|ausstehend|verbleib|prochain|restant|reste à|pendiente|próximo|siguiente|pendente|дальше|осталось|следующ|"
    "następne|pozostał|次の|残り|未完|待办|下一步|剩余|다음|남은"
)
"""How the heading of such a section is worded, in small letters."""
_LONGEST = 64


def ahead_first(text: str) -> str:
    """The summary with its sections about what is left before all others; unchanged where it has none."""
    lines = text.split("\n")
    styles = [_style(line) for line in lines]
    first: list[str] = []
    rest: list[str] = []
    under = ""
    for line, style in zip(lines, styles, strict=True):
        if style and (not under or style == under or style < under):
            under = style if _is_ahead(line) else ""
        (first if under else rest).append(line)
    return "\n".join([*first, *rest]) if first else text


def _is_ahead(line: str) -> bool:
    plain = plainly(line).replace("_", " ")
    return any(word in plain for word in _AHEAD)


def _style(line: str) -> str:
    """How a line is a heading, so that sections of one sort end each other and what is below them does not; empty for
    a line that is none. Of two styles the one for what is above comes first."""
    row = line.strip()
    if not row or len(row) > _LONGEST or line[0].isspace():
        return ""
    if row.startswith("#"):
        return f"1{row.partition(' ')[0]}"
    if row.startswith("<") and row.endswith(">") and not row.startswith("</"):
        return "1<"
    if row.startswith("**") and row.rstrip(":").endswith("**"):
        return "2**"
    number, dot, _ = row.partition(". ")
    if dot and number.isdigit() and row.endswith(":"):
        return "3."
    return "4:" if row.endswith(":") and row[0].isalpha() else ""

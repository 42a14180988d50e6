"""Quoting session text as data.

Whatever a session contains (headings, fences, our own tags, orders to the reader), once quoted it
is one line of text or a block of `> ` lines: it cannot close a fence, open a heading, stand where one
of our labels or blocks would, look like a pointer into the session, or hold what a person does not see. What is quoted from a quotation
is the same, so that no chain of handoffs changes it twice. Texts that have pointers of their own, such
as a handoff that is shown, are made harmless by `one_line` and `behind`, which leave those alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.model.facts import CLAIM_STATES
from segue.model.patterns import compiled
from segue.model.tags import without_tags
from segue.model.visible import visible

_RULE = compiled(r"([^\w\s])\1{7,}")
"""A line drawn with one character."""
_FENCE = r"`{3,}|~{3,}"
_POINTER = r"\[(#[\d#, ]* of [\w.:-]+|#[#, ]*\d[\d#, ]*)(\]|$)"
"""What would be read as `[#12]` or `[#12 of SESSION]`, or would be with what may follow it on its line."""
_OPENING = compiled(
    r"(?=[#>~|<=*+\\-]|\d{1,9}[.)](?:\s|$)|\[[ xX~]\]|\(?(?:" + "|".join(CLAIM_STATES) + r")[:)])", re.I
)
_FENCED = 6
"""Lines of a fence that are quoted."""
MISSING = "…"
"""What stands where something was left out."""


def inert(text: str) -> str:
    """The text without what nobody sees, and with nothing that reads as one of our blocks."""
    return _harmless(visible(text))


def _harmless(text: str) -> str:
    text = without_tags(text)
    return compiled(_FENCE).sub(lambda m: "'" * 3, text) if "```" in text or "~~~" in text else text


def unpointed(text: str) -> str:
    """The text with `(#12)` for whatever would pass for a pointer."""
    return compiled(_POINTER).sub(lambda m: f"({m[1]}{')' if m[2] else ''}", text) if "[#" in text else text


def one_line(text: str) -> str:
    """One line; white space of any kind is one space. Pointers stay."""
    return _harmless(" ".join(visible(text).split()))


def inline(text: str, limit: int | None = None) -> str:
    """Session text on one line, within `limit` characters where that is given."""
    return _clipped(unpointed(one_line(text)), limit)


def quoted(text: str, limit: int | None = None) -> str:
    """One line in double quotes."""
    return f'"{inline(text, limit)}"'


def plain(text: str, limit: int | None = None) -> str:
    """One line as an item may begin with it: it cannot look like a list mark, a heading or a claim state."""
    text = inline(text, limit)
    return f"\\{text}" if _OPENING.match(text) else text


def code(text: str) -> str:
    """One line as inline code; backticks inside become apostrophes, which a shell reader still understands."""
    return f"`{inline(text).replace('`', chr(39))}`"


def behind(text: str, most: int = 40) -> str:
    """Lines behind `> `, blank ones left out, at most that many. Pointers stay."""
    rows = [inert(row.rstrip()) for row in text.split("\n") if row.strip()]
    rows = rows if len(rows) <= most else [*rows[: most - 1], MISSING]
    return "\n".join(f"> {row}" for row in rows)


def block(text: str, most: int = 40) -> str:
    """Lines of session text behind `> `."""
    return "\n".join(map(unpointed, behind(text, most).split("\n")))


def path(text: str) -> str:
    """A path as it stands in a list: one line, no angle brackets."""
    return inline(text).replace("<", "‹").replace(">", "›")


def _clipped(text: str, limit: int | None) -> str:
    """Beginning and end, where a message says what it wants and what came of it."""
    if limit is None or len(text) <= limit:
        return text
    head = limit * 2 // 3
    return f"{text[:head].rstrip()} … {text[-max(limit - head - 3, 1) :].lstrip()}"


def cut(text: str, limit: int) -> str:
    """One line of at most `limit` characters, cut between words and marked where something is missing."""
    text = _RULE.sub(r"\1\1\1…", " ".join(text.split()))
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ", limit // 2)
    return head[: space if space > 0 else len(head)].rstrip(" ,;:") + MISSING


def cut_lines(text: str, limit: int) -> str:
    """Whole lines, blank ones, a program's own `::` directives and the rest of long fences left out, until
    `limit` characters are used; a last `…` stands for those that follow."""
    kept: list[str] = []
    used = 0
    for line in _without_long_fences(text):
        if not line or line.startswith("::"):
            continue
        if used >= limit:
            return "\n".join([*kept, MISSING])
        kept.append(cut(line, min(300, max(40, limit - used))))
        used += len(kept[-1])
    return "\n".join(kept)


def _without_long_fences(text: str) -> Iterator[str]:
    """The lines, of a fence the first few."""
    inside = shown = 0
    for line in (line.strip() for line in text.split("\n")):
        if line.startswith(("```", "~~~")):
            inside, shown = not inside, 0
        elif inside:
            shown += bool(line)
            if shown > _FENCED:
                if shown == _FENCED + 1 and line:
                    yield MISSING
                continue
        yield line

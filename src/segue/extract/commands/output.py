"""What a run printed: the line in which it sums itself up, and the lines that say what went wrong.

Summary lines are a table (`summaries.tsv`: verdict, pattern, an example that must match and one that must not). All
else is quoted, never understood.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from itertools import islice

from segue import extract
from segue.extract.text.prose import clipped, flat
from segue.model.facts import Verdict
from segue.model.patterns import compiled

_TABLE = f"{extract.__path__[0]}/commands/summaries.tsv"
_TERMINAL = compiled(
    r"\x1b(?:\[[0-9;?]*[A-Za-z]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[()][A-Z0-9])|[\x00-\x08\x0b-\x0c\x0e-\x1f]"
)
# Patterns that ignore case take five times as long to compile, so these are lower case, as what they meet.
_ERROR = compiled(
    r"(?<![\w-])(?:error|fail(?:ed|ure|ing|s)?|fatal|panic(?:ked)?|exception|cannot|can't|could not|couldn't|undefined|not found"
    r"|no such|denied|refused|unexpected|expected|invalid|unknown|missing|timed? ?out|mismatch|unresolved|must|assert\w*"
    r"|rejected|conflict|abort(?:ed)?|unable)(?![\w-])|\w+error\b|\w+exception\b|✗|✘|✖|×"
)
_STRONG = compiled(
    r"--- fail|^failed |^fail\b|^e\s{2,}|\bassert|\w+error\b|\w+exception\b|panic|error\[|error ts\d+|^error:|^fatal:|: error"
    r"|:\d+(?::\d+)?[: ]|expected|undefined|cannot|not found|rejected|✗|✘|✖|●"
)
_EMPTY = compiled(
    r"(?:exit code \d+|.{0,30}(?:command|task|process|script) (?:failed|exited|completed)(?: with (?:exit )?code \d+)?\.?"
    r"|exit status \d+|fail|elifecycle.*|for more information about .*|error: recipe .*|make(?:\[\d+\])?: \*\*\*(?! no rule).*"
    r"|=+ .* =+|-{3,}|shell cwd was reset to .*|output:|stderr:|stdout:|\[… \d+ characters left out …\]|[\[\]{}(),;]+|\(.{0,40}no output\))$"
)
_PASSING = compiled(
    r"[+-]\s|.*\.\.\. ok$|ok\s+\S+\s|(?:pass|✓|√|✔)|.*\b0 (?:failed|errors?|failures)\b(?!.*\b[1-9]\d* (?:failed|errors?))"
)
_COMPLETED = compiled(r"traceback \(most recent|^\s+at \w|^\s*file \"|^\s*\^+\s*$")
_MARGIN = compiled(r"^(?:E|\||>)\s+(?=\S)")
_REACH = 40_000
_MOST = 4
_ROOM = 240


def rows(text: str) -> list[str]:
    """The lines of an output without what only steers a terminal, blank ones left out; a line that was drawn over
    again as it stood at last."""
    if "\x1b" in text or "\r" in text or "\x08" in text:
        text = "\n".join(row.rstrip("\r").rpartition("\r")[2] for row in _TERMINAL.sub("", text).split("\n"))
    return [row.rstrip() for row in text[-_REACH:].split("\n") if row.strip()]


@cache
def _summaries() -> list[tuple[str, re.Pattern[str]]]:
    with open(_TABLE, encoding="utf-8") as file:
        told = [line.rstrip("\n").split("\t") for line in file if line[0] != "#"]
    return [(verdict, compiled(pattern)) for verdict, pattern, *_ in told]


_HINTS = compiled(
    r"[Pp]ass|PASS|[Ff]ail|FAIL|ok\b|OK|[Ee]rror|ERR|SUCC|Succ|issues|problem|panic|Trace|fatal|not found"
)
"""One of these stands in every line that the table knows."""


def summary(printed: list[str], errors: bool = True) -> tuple[Verdict, str]:
    """What the last lines in which a check sums itself up say, and the last of them. One that failed outweighs those
    beside it that did not: several are run in one line. Mere `errors` count where nothing else is known."""
    found: dict[str, str] = {}
    for row in printed[-200:]:
        if len(row) < 400 and (verdict := _verdict(row)):
            found[verdict] = row
    for verdict in ("failed", "passed", *(("error",) if errors else ())):
        if verdict in found:
            return ("ok" if verdict == "passed" else "failed"), _clean_row(found[verdict])
    return "unknown", ""


@lru_cache(1 << 12)
def _verdict(row: str) -> str:
    """What a line says of a check, if it sums one up. A run is asked several times, and runs print alike."""
    if not _HINTS.search(row):
        return ""
    return next((verdict for verdict, pattern in _summaries() if pattern.search(row)), "")


def complaints(printed: list[str], most: int = _MOST) -> tuple[str, ...]:
    """The lines that say what went wrong, in their order: the first, those that are plainest, and the sum."""
    hits: dict[str, bool] = {}
    for row in filter(complains, printed):
        told = _clean_row(row)
        hits.setdefault(told, bool(_STRONG.search(told.lower())))
    verdict, last = summary(printed)
    summed = (last,) if verdict == "failed" and last else ()
    if not hits:
        ends = [_clean_row(row) for row in printed[-2:]]
        kept = [t for t in ends if not _EMPTY.fullmatch(t.lower()) and not _PASSING.match(t.lower())]
        return (*(t for t in kept if t not in summed), *summed)
    chosen = dict.fromkeys(list(hits)[:1])
    for told, strong in hits.items():
        if len(chosen) < most and strong:
            chosen[told] = None
    for told in hits:
        if len(chosen) < min(2, most):
            chosen[told] = None
    rows_told = [told for told in hits if told in chosen and told != last]
    return (*rows_told, *summed)


def complains(row: str) -> bool:
    """A line that says what went wrong."""
    low = _clean_row(row).lower()
    return bool(_ERROR.search(low)) and not (
        _EMPTY.fullmatch(low) or _PASSING.match(low) or _COMPLETED.search(row.lower())
    )


def conclusion(printed: list[str]) -> tuple[str, ...]:
    """Of a run the line in which it sums itself up, else the last that says something."""
    _, told = summary(printed)
    if told:
        return (told,)
    last = (told for row in reversed(printed) if not _EMPTY.fullmatch((told := _clean_row(row)).lower()))
    return tuple(islice(last, 1))


def _clean_row(row: str) -> str:
    return clipped(flat(_MARGIN.sub("", row)), _ROOM)

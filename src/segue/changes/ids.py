"""Names of changes: `TC-012-04-05-26-user-login`, their sub-changes, and how people shorten them.

A name is a folder below `docs/TC/records` and nothing else: whatever does not look like one is
refused before it meets a path. Numbers are never given twice, and grow past 999.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable

from segue.changes.sentences import refusal
from segue.errors import BadInput, NotFound
from segue.model.change import TC_ID

_FULL = re.compile(TC_ID)
_NUMBER = re.compile(r"TC-(\d{3,})(?:-|$)")
_SHORT = re.compile(r"TC-[0-9]{1,9}(?:-[a-z0-9-]*)?")
_WORDS = re.compile(r"(?=[0-9-]*[a-z])[a-z0-9][a-z0-9-]*")
_SLUG_LIMIT = 48
_NAMES_SHOWN = 5


def is_tc_id(text: str) -> bool:
    return _FULL.fullmatch(text) is not None


def number_of(tc_id: str) -> int:
    """The number in a name; 0 for what is none."""
    found = _NUMBER.match(tc_id)
    return int(found[1]) if found else 0


def next_number(known: Iterable[str], at_least: int = 1) -> int:
    """A number no known record has, and none below what the registry promised."""
    return max(at_least, 1, *(number_of(tc_id) + 1 for tc_id in known))


def make(number: int, moment: str, words: str) -> str:
    """The name of a record created at `moment` (ISO 8601)."""
    year, month, day = moment[2:4], moment[5:7], moment[8:10]
    return f"TC-{number:03d}-{month}-{day}-{year}-{slug(words)}"


def slug(words: str) -> str:
    """Lowercase letters, digits and hyphens; accents are dropped, other scripts and emoji left out."""
    plain = unicodedata.normalize("NFKD", words).encode("ascii", "ignore").decode().lower()
    parts = re.findall(r"[a-z0-9]+", plain.replace("'", ""))
    kept = ""
    for part in parts:
        longer = f"{kept}-{part}" if kept else part[:_SLUG_LIMIT]
        if len(longer) > _SLUG_LIMIT:
            break
        kept = longer
    return kept or "change"


def resolve(given: str, known: Iterable[str]) -> str:
    """The full name meant by a name or the beginning of one. Never picks one of several."""
    wanted = given.strip()
    wanted = f"TC-{wanted}" if wanted.isdecimal() and wanted.isascii() else wanted
    wanted = "TC" + wanted[2:] if wanted[:3].lower() == "tc-" else wanted
    if is_tc_id(wanted):
        listed = list(known)
        found = [wanted] if wanted in listed else _beginning_with(wanted, listed)
    elif _SHORT.fullmatch(wanted):
        found = _beginning_with(wanted, list(known))
    elif _WORDS.fullmatch(wanted):
        found = _called(wanted, known)
    else:
        raise refusal("no-name", given=given)
    if not found:
        raise NotFound(f"There is no change {given}.", "`segue change list` shows the changes.")
    if len(found) > 1:
        more = f" and {len(found) - _NAMES_SHOWN} more" if len(found) > _NAMES_SHOWN else ""
        shown = ", ".join(sorted(found)[:_NAMES_SHOWN])
        raise BadInput(f"{given!r} names {len(found)} changes: {shown}{more}.", "Give more of the name.")
    return found[0]


def short(tc_id: str, known: Iterable[str]) -> str:
    """The number of a record; the whole name where another has the same number."""
    number = number_of(tc_id)
    twins = sum(number_of(other) == number for other in known)
    return f"TC-{number:03d}" if twins < 2 else tc_id


def _beginning_with(wanted: str, known: list[str]) -> list[str]:
    """The number is always whole, so 99 is never TC-999; behind it, a whole word beats a mere beginning."""
    number, dash, rest = wanted[3:].partition("-")
    numbered = [tc_id for tc_id in known if number_of(tc_id) == int(number)]
    beginning = f"TC-{int(number):03d}{dash}{rest}"
    whole = [tc_id for tc_id in numbered if tc_id.startswith(beginning.rstrip("-") + "-")]
    return whole or [tc_id for tc_id in numbered if tc_id.startswith(beginning)] or _called(rest, numbered)


def _called(words: str, known: Iterable[str]) -> list[str]:
    """Names that end in these words; without one, those whose words begin so."""
    beginning = [tc_id for tc_id in known if words and tc_id.split("-", 5)[-1].startswith(words)]
    return [tc_id for tc_id in beginning if tc_id.split("-", 5)[-1] == words] or beginning


def next_sub_id(tc_id: str, known: Iterable[str], under: str | None = None) -> str:
    """The next free sub-change: letters below a record, numbers below a sub-change."""
    stem = f"TC-{number_of(tc_id):03d}" if under is None else under
    names = set(known)
    every = (f"{stem}.{count if under is not None else _letters(count)}" for count in itertools.count(1))
    return next(name for name in every if name not in names)


def _letters(count: int) -> str:
    """1 is A, 26 is Z, 27 is AA."""
    text = ""
    while count:
        count, rest = divmod(count - 1, 26)
        text = chr(ord("A") + rest) + text
    return text

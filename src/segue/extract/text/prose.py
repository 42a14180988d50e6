"""Written words: what of a message is prose, and its sentences.

Code fences, quoted lines, logs and reviewers' findings inside a message are material that the
writer showed, not words that the writer said.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise

from segue.model.patterns import compiled

FENCE = compiled(r"(```|~~~).*?(?:\1|\Z)", re.S)
_SHOWS = frozenset(">|+$[{}<➜❯λ%")
"""How lines begin that a program wrote: prompts of shells, tables, diffs, data."""
_VERDICTS = tuple(f"{verdict}{after}" for verdict in ("FAIL", "PASS") for after in " \t:")
# Patterns that ignore case take five times as long to compile, so this one is lower case, as what it meets.
_SHOWN = compiled(
    r"@@|@\w+(?:\(.*\))?$|[\w.-]+@[\w.-]+[:~ ].*[$#%]|#{1,6}\s|-{2,}|={3,}|\d+:|\d{4}-\d\d|\s*at \w|https?://\S+$"
    r"|(?:\w*error|\w*exception|warning|info|debug|trace|fatal|panic)[:\[]|ok(?:[ \t]{2}|\t| \d)|traceback|diff --git|index [0-9a-f]{6}"
    r"|import (?:\w[\w.]*(?:, ?\w+)*;?$|[\w*{}, ]+ from [\"']|\w[\w.]* as \w+;?$)|from \S+ import|(?:async )?def \w+\(|class \w+\s*(?:[({:]| extends )|func [\w(]+\(|(?:const|let|var) [\w{\[, }\]]+[:=]"
)
_BULLET = compiled(r"^(?:[-*•·–]|\(?\d{1,2}[.)]|\[[ xX]\])\s+")
_END = r"[.!?](?:[\"')\]]?(?=\s+(?:[\"'(`*]|[^\W\d_])))"
_RARER_ENDS = "…。！？"
_BEYOND_ASCII = compiled(r"[^\x00-\x7f]+")
_NO_LETTERS = bytes(byte for byte in range(128) if not chr(byte).isalpha())


def word_set(words: str) -> frozenset[str]:
    """A table of words, written as one text."""
    return frozenset(words.split())


def phrases(text: str) -> tuple[str, ...]:
    """A table of phrases, written as one text with `|` between them."""
    return tuple(text.split("|"))


_ABBREVIATIONS = word_set("e.g. i.e. etc. vs. cf. approx. resp. incl. no. fig. z.b. d.h. bzw. p.ej.")


_MARK, _BEFORE_MARK = 3, (",", ";", ":")
"""Characters of a list's mark within a sentence, and what stands before one: `Next: 1. cut the tag, 2. push it.`"""
_KEYS = tuple(zip("’‘“”—–…，、；：。！？•", "''\"\";-.,,;:.!?*", strict=True))


def typed(text: str) -> str:
    """The text with the marks that a keyboard has, character for character. Sets of others take long to compile, and
    `str.translate` takes thirty times as long as this."""
    if not text.isascii():
        for mark, key in _KEYS:
            if mark in text:
                text = text.replace(mark, key)
    return text


def plainly(text: str) -> str:
    """The same in small letters. Patterns that ignore case take five times as long to compile."""
    return typed(text.lower())


def words_of(text: str) -> list[str]:
    """The runs of letters in a text, in small letters."""
    return "".join(letter if letter.isalpha() else " " for letter in text.lower()).split()


def sentences(text: str) -> list[str]:
    """The sentences of the prose in a text, in order, list marks and line ends taken away."""
    if "```" in text or "~~~" in text:
        text = FENCE.sub("\n", text)
    return [sentence for line in text.split("\n") for sentence in line_sentences(line)]


_SHORTEST_WRAPPED = 48
"""Characters a line has at least where only a terminal's width ended it."""
_ENDS_LINE = (".", "!", "?", ":", ";", "。", "！", "？", "…")
_LEADS_ON = word_set(
    "a an the and or but nor to of until without which whose because than its their your our my if when while"
)
"""Words after which no person ends a line."""


def unwrapped(text: str) -> str:
    """The text with its lines whole again that were broken at a width, as what is copied from a terminal is."""
    lines = text.split("\n")
    if len(lines) < 2:
        return text
    joined = lines[:1]
    for before, line in pairwise(lines):
        if _goes_on(before, line):
            tight = before.rstrip().endswith(("-", "/"))
            joined[-1] = joined[-1].rstrip() + ("" if tight else " ") + line.strip()
        else:
            joined.append(line)
    return "\n".join(joined)


def _goes_on(before: str, line: str) -> bool:
    """The line continues the sentence before it: nobody would break it there, or it hangs below its beginning."""
    last, first = before.strip(), line.strip()
    if not last or not first or first[0].isdigit() or last.endswith(_ENDS_LINE):
        return False
    hangs = line[0].isspace() and len(before) >= _SHORTEST_WRAPPED and not first[0].isupper()
    if not hangs and last.rsplit(None, 1)[-1].lower() not in _LEADS_ON:
        return False
    return _wordy(last) and _wordy(first) and not _BULLET.match(first) and not _is_shown(first)


def line_sentences(line: str) -> list[str]:
    """The sentences of one line; none if the line is something shown."""
    line = line.strip()
    if not line or _is_shown(line) or not _wordy(line):
        return []
    return _split(_BULLET.sub("", line, count=1))


def _is_shown(line: str) -> bool:
    return line[0] in _SHOWS or line.startswith(_VERDICTS) or _SHOWN.match(line.lower()) is not None


def _split(line: str) -> list[str]:
    parts: list[str] = []
    begin = 0
    ends = _rarer_end() if not line.isascii() and any(mark in line for mark in _RARER_ENDS) else _end()
    for end in (*(found.end() for found in ends.finditer(line)), len(line)):
        part, begin = line[begin:end].strip(), end
        if part and parts and _abbreviated(parts[-1]):
            parts[-1] += " " + part
        elif part:
            if parts and parts[-1][-2:-1].isdigit():
                parts[-1] = _without_next_mark(parts[-1])
            parts.append(part)
    return parts


@cache
def _end() -> re.Pattern[str]:
    return compiled(_END)


@cache
def _rarer_end() -> re.Pattern[str]:
    return compiled(_END.replace("[.!?]", "[.!?…]") + "|[。！？]")


def _abbreviated(part: str) -> bool:
    """It ends in an abbreviation, or in the mark of a list, so that its full stop ends no sentence: `A.`, `first: 1.`"""
    *before, last = part.rsplit(None, 1)
    last = last.lstrip("([{\"'`*").lower()
    if last in _ABBREVIATIONS or (len(part) == 2 and part[0].isalpha() and part[1] == "."):
        return True
    return len(last) <= _MARK and last[:-1].isdigit() and (not before or before[0].endswith(_BEFORE_MARK))


def _without_next_mark(part: str) -> str:
    """A sentence without the mark of the next one in a list: `Build it. 2.`"""
    before, _, last = part.rpartition(" ")
    return before if before.endswith((".", "!", "?")) and len(last) <= _MARK and part[-1] == "." else part


def _wordy(line: str) -> bool:
    """Mostly letters: a sentence, not a table row, a stack frame or a line of code."""
    letters = len(line.encode("ascii", "ignore").translate(None, _NO_LETTERS))
    if not line.isascii():
        letters += sum(map(str.isalpha, "".join(_BEYOND_ASCII.findall(line))))
    if letters + line.count(" ") >= (0.72 if len(line) > 40 else 0.3) * len(line):
        return True
    return line[0].isalpha() and line.endswith((".", "!", "?")) and _counts(line)


def _counts(line: str) -> bool:
    """Words and whole numbers, and more than twice as many words: `Now do step 5. No, use port 9191, not 9090.`"""
    parts = [part.strip('.,!?;:()"').replace("'", "") for part in line.split()]
    numbers = sum(map(str.isdigit, parts))
    return all(map(str.isalnum, parts)) and len(parts) > 3 * numbers


def flat(text: str) -> str:
    """One line: every run of white space is one space."""
    return " ".join(text.split())


def clipped(text: str, limit: int) -> str:
    """The start of a text within `limit` characters, cut between words and marked; whole when it fits."""
    if len(text) <= limit:
        return text
    cut = text[: limit - 1]
    space = cut.rfind(" ", limit // 2)
    return cut[: space if space > 0 else len(cut)].rstrip(" ,;:") + "…"


def ends(text: str, limit: int) -> str:
    """Head and tail of a text within about `limit` characters, cut at white space so that no word,
    and so no secret, is left in halves."""
    if len(text) <= limit:
        return text
    half = limit // 2
    head = text[:half]
    tail = text[len(text) - half :]
    head = head[: _last_space(head)]
    tail = tail[_first_space(tail) :]
    return f"{head}\n…\n{tail}"


def start(text: str, limit: int) -> str:
    """The head of a text within `limit`, cut at white space."""
    return text if len(text) <= limit else text[: _last_space(text[:limit])]


def finish(text: str, limit: int) -> str:
    """The tail of a text within `limit`, cut at white space."""
    if len(text) <= limit:
        return text
    tail = text[len(text) - limit :]
    return tail[_first_space(tail) :]


_SPACE = compiled(r"\s")


def _last_space(text: str) -> int:
    place = max(text.rfind(" "), text.rfind("\n"), text.rfind("\t"))
    return max(place, 0)


def _first_space(text: str) -> int:
    found = _SPACE.search(text)
    return found.end() if found else len(text)

"""Written words: what of a message is prose, and its sentences.

Code fences, quoted lines, logs and reviewers' findings inside a message are material that the
writer showed, not words that the writer said.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache

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


_ABBREVIATIONS = word_set("e.g. i.e. etc. vs. cf. approx. resp. incl. no. fig. z.b. d.h. bzw. p.ej.")


_MARK, _BEFORE_MARK = 3, (",", ";", ":")
"""Characters of a list's mark within a sentence, and what stands before one: `Next: 1. cut the tag, 2. push it.`"""


def sentences(text: str) -> list[str]:
    """The sentences of the prose in a text, in order, list marks and line ends taken away."""
    if "```" in text or "~~~" in text:
        text = FENCE.sub("\n", text)
    return [sentence for line in text.split("\n") for sentence in line_sentences(line)]


@lru_cache(1 << 13)
def line_sentences(line: str) -> list[str]:
    """The sentences of one line; none if the line is something shown. A prompt is condensed to several lengths, so
    everybody who asks for a line gets the same list."""
    line = line.strip()
    if not line or is_shown(line) or not is_wordy(line):
        return []
    return _split(_BULLET.sub("", line, count=1))


def is_shown(line: str) -> bool:
    """A line that a program wrote: a prompt of a shell, a log, a trace, code."""
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


def is_wordy(line: str) -> bool:
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

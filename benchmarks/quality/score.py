"""What a text keeps of the truth, as shares between 0 and 1; None where there was nothing to keep."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from truth import Truth, content_words

NEAR = 250
SHARE = 0.7
MEASURES = ("needs", "links", "words", "failures")


def score(text: str, truth: Truth) -> dict[str, float | None]:
    plain = text.replace("`", "").replace("**", "")
    grouped = _grouped(plain)
    paths = [_names_path(plain, key, grouped) for key in truth.paths]
    commands = [_names_command(plain, key) for key in truth.commands]
    words = content_words(plain)
    return {
        "needs": _mean([*paths, *commands]),
        "links": _mean(_linked(plain, path, symbols) for path, symbols in truth.links.items()),
        "words": _mean(_survives(sentence, words) for sentence in truth.words),
        "failures": _mean(
            0.5 * _names_command(plain, f.key) + 0.5 * any(_survives(e, words) for e in f.errors)
            for f in truth.failures
        ),
    }


def _mean(values: Iterable[float]) -> float | None:
    found = [float(v) for v in values]
    return sum(found) / len(found) if found else None


def _grouped(text: str) -> set[str]:
    """`parent/file` pairs that a listing under directory headings means."""
    found, head = set(), ""
    for line in text.split("\n"):
        stripped = line.strip()
        if re.fullmatch(r"\S+/", stripped):
            head = stripped.rstrip("/").rpartition("/")[2]
        elif not stripped:
            head = ""
        elif head and len(line) < 900:
            found |= {f"{head}/{name}" for name in re.findall(r"[\w@.+-]*\w\.\w+|[A-Z]\w+file", line)}
    return found


def _names_path(text: str, key: str, grouped: set[str]) -> bool:
    if key in grouped:
        return True
    before = r"(?<![\w.@+-])" if "/" in key else r"(?<![\w.@+/-])(?:\./)?"
    return bool(re.search(before + re.escape(key) + r"(?![\w/-]|\.\w)", text))


def _names_command(text: str, key: tuple[str, ...]) -> bool:
    """The words of the key in order on one line, up to four others between two of them."""
    words = r"(?:[^\S\n]+\S+){0,4}?[^\S\n]+".join(r"[\"']?" + re.escape(w) + r"[\"']?" for w in key)
    return bool(re.search(r"(?<![\w./-])" + words + r"(?![\w-])", text))


def _linked(text: str, path: str, symbols: frozenset[str]) -> bool:
    name = re.compile(r"(?<![\w.@+-])" + re.escape(path.rpartition("/")[2]) + r"(?![\w/-]|\.\w)")
    wanted = re.compile(r"(?<![\w-])(?:" + "|".join(map(re.escape, sorted(symbols))) + r")(?![\w-])")
    return any(wanted.search(text, max(0, m.start() - NEAR), m.end() + NEAR) for m in name.finditer(text))


def _survives(sentence: str, words: list[str]) -> bool:
    """Most of its words stand close together, in any order."""
    want = set(content_words(" ".join(sentence.split()[:40])))
    need, window = math.ceil(SHARE * len(want)), 2 * len(want) + 6
    places = [(i, w) for i, w in enumerate(words) if w in want]
    return any(
        len({w for i, w in places[start : start + window] if i < at + window}) >= need
        for start, (at, _) in enumerate(places)
    )

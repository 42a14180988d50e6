"""How much of the truth stands in a text: for every measure how many items there were, and how many are found."""

from __future__ import annotations

import re

from truth import Key, Truth

SHARE = 0.6
"""Of the words of a prompt, how many must stand near each other."""
MEASURES = ("files", "commands", "changed", "failing", "said", "reported")
_WORD = re.compile(r"\w[\w./-]*")

Score = dict[str, tuple[int, int]]


def score(text: str, wanted: Truth) -> Score:
    """Found and wanted, by measure."""
    plain = _with_folders(re.sub(r"[`*\"']", "", text))
    words = [word.lower().rstrip("./-") for word in _WORD.findall(plain)]
    found = {
        "files": [_names_file(plain, file) for file in wanted.files],
        "commands": [_names_command(plain, key) for key in wanted.commands],
        "changed": [_names_file(plain, file) for file in wanted.changed],
        "failing": [_names_command(plain, key) for key in wanted.failing],
        "said": [_quotes(words, said) for said in wanted.said],
        "reported": [_quotes(words, said) for said in wanted.reported],
    }
    return {measure: (sum(hits), len(hits)) for measure, hits in found.items()}


def _with_folders(text: str) -> str:
    """The text with the folder before every item of a list that stands under one."""
    lines, folder = [], ""
    for line in text.split("\n"):
        if re.fullmatch(r"\s*\S+/", line):
            folder = line.strip().removeprefix("./")
        elif not line.strip() or line.startswith("#"):
            folder = ""
        item = re.match(r"\s*- ", line)
        lines.append(f"{item[0]}{folder}{line[item.end() :]}" if item else line)
    return "\n".join(lines)


def _names_file(text: str, file: str) -> bool:
    return re.search(r"(?<![\w.-])" + re.escape(file) + r"(?![\w-]|\.\w)", text) is not None


def _names_command(text: str, key: Key) -> bool:
    """Its words in order on one line, a few others between them."""
    words = r"(?:[^\S\n]+\S+){0,4}?[^\S\n]+".join(map(re.escape, key))
    return re.search(r"(?<![\w./-])" + words + r"(?![\w-])", text) is not None


def _quotes(words: list[str], said: frozenset[str]) -> bool:
    """Most of what was said stands within a stretch three times as long."""
    need, reach = SHARE * len(said), 3 * len(said) + 10
    places = [(at, word) for at, word in enumerate(words) if word in said]
    for first, (begin, _) in enumerate(places):
        near = {word for at, word in places[first : first + reach] if at < begin + reach}
        if len(near) >= need:
            return True
    return False

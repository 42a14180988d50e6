"""What a text quotes of a sensitive file under the file's own name: a difference, the finds of a search.

The command that made the text need not name the file (`git log -p`, `grep -rn MAILER .`), so every result is asked;
the question is cheap, and for nearly all of them the answer is nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.redaction.files import is_sensitive

_DIFFERENCE = "diff --git "
_SETTINGS = ".env"
"""Of what a search finds, this is looked at: other sensitive files are rarely of lines that a search finds."""

# Compiled when first used: most sessions hold nothing that needs them.
_FILE = r"(?m)^((?:[\w./@+~-]*/)?[\w-]*\.env(?:\.\w+)*)"
_FOUND = _FILE + r"[:-](?:\d+[:-])?(.+)$"
_FOUND_BELOW = _FILE + r"\r?\n((?:\d+[:-].*(?:\n|\Z))+)"


def may_quote(text: str) -> bool:
    return _SETTINGS in text or _DIFFERENCE in text


def quoted(text: str) -> Iterator[tuple[str, str]]:
    """Each sensitive file that a text quotes under its name, and what it quotes of it."""
    for changes in text.split(_DIFFERENCE)[1:]:
        header = changes.partition("\n")[0]
        path = next((word[2:] for word in header.split() if is_sensitive(word[2:])), "")
        if path:
            yield path, changes
    if _SETTINGS in text:
        for pattern in (_FOUND, _FOUND_BELOW):
            for found in re.finditer(pattern, text):
                path, lines = found.groups()
                if is_sensitive(path):
                    yield path, lines

"""Token counts, exact and offline, in o200k: the unit in which budgets are written.

Counting costs about 30 ns a byte, so only candidates for a packet are counted, never a session. Loading
the vocabulary costs 35 ms once. Releases of its package from 0.18 on count the same and build a merge table at
the first word besides, which takes 100 to 200 ms; only the batch call builds it outside the interpreter's lock,
so `warm` has that done while the session is being read.
"""

from __future__ import annotations

from functools import cache
from threading import Lock, Thread
from typing import Any

_one = Lock()
_NO_SINGLE_TOKEN = "xqzjvkwpty"
"""A word like this one builds the merge table, if there is one."""


@cache
def _loaded() -> Any:
    from splintr import Tokenizer  # 2 ms

    tokenizer = Tokenizer.from_pretrained("o200k_base")
    tokenizer.encode_batch([_NO_SINGLE_TOKEN])
    return tokenizer


def _tokenizer() -> Any:
    with _one:
        return _loaded()


def warm() -> None:
    """Begins to load the vocabulary; the first count waits for it."""
    Thread(target=_tokenizer, daemon=True).start()


def count(text: str) -> int:
    """How many tokens the text is. Spelled-out control tokens count as the plain text they are."""
    return len(_tokenizer().encode_ordinary(text))

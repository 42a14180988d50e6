"""Why a model gave no answer, the same for programs and APIs: a sentence, and a code that callers tell apart.

What a provider says is quoted on one line, cut, and not at all where it refuses a login: that may repeat the key.
"""

from __future__ import annotations

from segue.errors import Unavailable

NOT_SIGNED_IN, WRONG_ADDRESS = "not_signed_in", "wrong_address"
AGAIN = "Try again, or without --model."
BUSY = (429, 503, 529)
_KINDS = {
    (401, 403): (NOT_SIGNED_IN, "{name} does not accept the login.", "Sign in again, or check the key."),
    (404, 405): (WRONG_ADDRESS, "{name} knows no such model or address{said}.", "Check both."),
    (413,): ("too_large", "The text is too large for {name}{said}.", "Name a model with a larger window."),
    BUSY: (
        "rate_limited",
        "{name} is overloaded or limits the rate{said}.",
        "Wait, or name another --model.",
    ),
}
"""Statuses of HTTP, with the code, the sentence and the hint for them."""
_TOO_LARGE = ("context_length", "context length", "context size", "too long")
"""How services name an input beyond the model's window, for which HTTP has no status of its own."""


def quoted(text: object) -> str:
    """A stranger's words on one line."""
    return " ".join(str(text or "").split())[:200].rstrip(".")


def failed(name: str, said: object = "", status: int = 0, hint: str = "") -> Unavailable:
    """The error for what a provider said and the HTTP status it said it with. `hint` is what to do about a login."""
    words = quoted(said)
    if status in (400, 422) and any(word in words.lower() for word in _TOO_LARGE):
        status = 413
    for statuses, (code, sentence, usual) in _KINDS.items():
        if status in statuses:
            told = sentence.format(name=name, said=words and f": {words}")
            return Unavailable(told, hint if hint and code == NOT_SIGNED_IN else usual, code)
    return Unavailable(f"{name} failed: {words or 'it said nothing'}.", AGAIN)

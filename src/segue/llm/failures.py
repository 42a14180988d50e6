"""Why a model gave no answer, the same for programs and APIs: a sentence, and a code that callers tell apart.

What a provider says is quoted on one line, cut, and not at all where it refuses a login: that may repeat the key.
"""

from __future__ import annotations

from segue.errors import Unavailable

NOT_SIGNED_IN, WRONG_ADDRESS, TOO_LARGE, RATE_LIMITED = (
    "not_signed_in",
    "wrong_address",
    "too_large",
    "rate_limited",
)
AGAIN = "Try again, or without --model."
_SIGN_IN = (NOT_SIGNED_IN, "{name} does not accept the login.", "Sign in again, or check the key.")
_NO_SUCH = (WRONG_ADDRESS, "{name} knows no such model or address{said}.", "Check the name and the address.")
_BUSY = (RATE_LIMITED, "{name} is overloaded or limits the rate{said}.", "Wait, or name another --model.")
_LARGE = (TOO_LARGE, "The text is too large for {name}{said}.", "Name a model with a larger window.")
_KINDS = {
    401: _SIGN_IN,
    403: _SIGN_IN,
    404: _NO_SUCH,
    405: _NO_SUCH,
    413: _LARGE,
    429: _BUSY,
    503: _BUSY,
    529: _BUSY,
}
_TOO_LARGE = ("context_length", "context length", "context size", "too long")
"""How services name an input beyond the model's window, for which HTTP has no status of its own."""


def quoted(text: object) -> str:
    """A stranger's words on one line."""
    return " ".join(str(text or "").split())[:200].rstrip(".")


def failed(name: str, said: object = "", status: int = 0, hint: str = "") -> Unavailable:
    """The error for what a provider said and the HTTP status it said it with. `hint` is what to do about a login."""
    words = quoted(said)
    if 400 <= status < 500 and any(word in words.lower() for word in _TOO_LARGE):
        status = 413
    if status not in _KINDS:
        return Unavailable(f"{name} failed: {words or 'it said nothing'}.", AGAIN)
    code, sentence, usual = _KINDS[status]
    told = sentence.format(name=name, said=words and f": {words}")
    return Unavailable(told, hint if hint and code == NOT_SIGNED_IN else usual, code)

"""What an object store or the way to it did wrong, as a person should hear it.

The client tells faults apart mostly in text, and its text quotes requests and answers; so the text is only
looked at, first row that matches, and never repeated.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from segue.errors import Unavailable
from segue.stores.s3_address import Address


class Kind(NamedTuple):
    """A fault: how the client's text shows it, what to say of the bucket, what to do about it, and its code."""

    sign: str
    verdict: str
    hint: str
    code: str = "unavailable"


BROKEN = "connection_broken"
"""The code of a fault after which nobody knows whether the request was carried out."""

_AGAIN = "Try again; nothing half-written counts as an artifact."
_NO_BUCKET = Kind(
    r"<Code>NoSuchBucket<",
    "does not exist",
    "Create it, or correct `artifacts` in .segue/workspace.json.",
)
_KINDS = (
    _NO_BUCKET,
    Kind(
        r"<Code>RequestTimeTooSkewed<",
        "refuses a request for its date",
        "Set this machine's clock and try again.",
    ),
    Kind(
        r"status code: 40[13]",
        "denies access",
        "Check the credentials in the environment and that they may list, read and write there.",
        "denied",
    ),
    Kind(
        r"status code: 3\d\d|redirect|<Code>AuthorizationHeaderMalformed<",
        "belongs to another region or endpoint",
        "Add region=… to the address, or correct it.",
    ),
    Kind(
        r"status code: 501|NotSupported|NotImplemented",
        "does not know a request that artifacts need",
        "Use a store that knows conditional writes (If-None-Match).",
    ),
    Kind(r"status code: (503|429)", "is too busy to answer", _AGAIN, "busy"),
    Kind(r"status code: 5\d\d", "reports an error of its own", _AGAIN),
    Kind(r"status code: \d", "rejects a request", "Check the address and the settings of the bucket."),
    Kind(
        r"(?i)certificate|InvalidContentType|handshake",
        "offers no secure connection",
        "Check the endpoint and its certificate.",
    ),
    Kind(
        r"kind: Timeout|TimedOut|timed out",
        "gave no answer in time",
        f"{_AGAIN} A slow line may need timeout=… in the address.",
        "unreachable",
    ),
    Kind(r"kind: Connect\b", "cannot be reached", "Check the network and the endpoint.", "unreachable"),
)


@contextmanager
def said_plainly(address: Address, writing: bool = False) -> Iterator[None]:
    """Turns the client's faults into Unavailable. FileNotFoundError passes when it is about an object that
    was to be read."""
    from obstore.exceptions import BaseError

    try:
        yield
    except FileNotFoundError as fault:
        if not writing and not re.search(_NO_BUCKET.sign, str(fault)):
            raise
        raise _sentence(str(fault), address) from None
    except BaseError as fault:
        raise _sentence(str(fault), address) from None


def _sentence(text: str, address: Address) -> Unavailable:
    for kind in _KINDS:
        if re.search(kind.sign, text):
            return Unavailable(f"The {address.place} {kind.verdict}.", kind.hint, kind.code)
    return Unavailable(f"The {address.place} broke off the connection.", _AGAIN, BROKEN)

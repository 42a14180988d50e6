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
    """A fault: how the client's text shows it, what to say of a place, what to do about it."""

    sign: str
    sentence: str
    hint: str


_AGAIN = "Try again; nothing half-written counts as an artifact."
NO_BUCKET = Kind(
    r"<Code>NoSuchBucket<",
    "There is no such bucket: {place}.",
    "Create it, or correct `artifacts` in .segue/workspace.json.",
)
KINDS = (
    NO_BUCKET,
    Kind(
        r"<Code>RequestTimeTooSkewed<",
        "This machine's clock is wrong, says {place}.",
        "Set the clock and try again.",
    ),
    Kind(
        r"status code: 40[13]",
        "Access is denied to {place}.",
        "Check the credentials in the environment and that they may list, read and write there.",
    ),
    Kind(
        r"status code: 3\d\d|<Code>AuthorizationHeaderMalformed<",
        "Another region or endpoint is responsible than was asked for {place}.",
        "Add region=… to the address, or correct it.",
    ),
    Kind(
        r"status code: 501|NotSupported|NotImplemented",
        "A request is not supported by {place}.",
        "Use a store that knows conditional writes (If-None-Match).",
    ),
    Kind(r"status code: (503|429)", "Too busy to answer, says {place}.", _AGAIN),
    Kind(r"status code: 5\d\d", "An error of its own, says {place}.", _AGAIN),
    Kind(r"status code: \d", "A request was rejected by {place}.", "Check its address and its settings."),
    Kind(
        r"(?i)certificate|InvalidContentType|handshake",
        "There is no secure connection to {place}.",
        "Check the endpoint and its certificate.",
    ),
    Kind(
        r"kind: Timeout|TimedOut|timed out",
        "No answer in time from {place}.",
        f"{_AGAIN} A slow line may need timeout=… in the address.",
    ),
    Kind(
        r"kind: Connect",
        "No connection to {place}.",
        "Check the network and the endpoint; artifacts cannot be used meanwhile.",
    ),
)
OTHER = Kind("", "The connection broke to {place}.", _AGAIN)


@contextmanager
def said_plainly(address: Address, writing: bool = False) -> Iterator[None]:
    """Turns the client's faults into Unavailable. FileNotFoundError passes when it is about an object."""
    from obstore.exceptions import BaseError

    try:
        yield
    except FileNotFoundError as fault:
        if writing or re.search(NO_BUCKET.sign, str(fault)):
            raise _sentence(NO_BUCKET, address) from None
        raise
    except BaseError as fault:
        text = str(fault)
        raise _sentence(
            next((kind for kind in KINDS if re.search(kind.sign, text)), OTHER), address
        ) from None


def _sentence(kind: Kind, address: Address) -> Unavailable:
    return Unavailable(kind.sentence.format(place=address.place), kind.hint)

"""What PostgreSQL or the way to it refused, as a sentence.

A message names the workspace, the host and the database, and what the server said; the password, wherever it
came from, is taken out of it.
"""

from __future__ import annotations

import os

import psycopg

from segue.errors import Unavailable
from segue.stores.postgres_address import Address

_LOGIN = "Check the user and the rights; PGPASSFILE, PGSERVICE or PGPASSWORD may hold the password."
_WAIT = "Wait for it to come back and try again."
_RESTORE = "Run `segue verify log` to see what is wrong, and restore the database from a backup."

_STATES: tuple[tuple[str, str, str, str], ...] = (
    ("28", "denied", "refuses the login", _LOGIN),
    ("42501", "denied", "may not be used with these rights", _LOGIN),
    ("3D000", "unavailable", "cannot be used: there is no such database", "Make it with createdb, or mend the address."),
    ("25006", "read_only", "cannot be written: the server is a read-only standby", "Use the primary's address; target_session_attrs=read-write finds it among several hosts."),
    ("53100", "full", "cannot grow: the server's disk is full", "Free some space there; nothing was half-written."),
    ("53", "busy", "cannot be used: the server has no room for more", "Close other connections, lower pool=, or raise max_connections."),
    ("55P03", "locked", "is locked by another process", "Wait for it to finish and try again."),
    ("57014", "locked", "did not answer in time", "Wait for it to finish and try again."),
    ("40", "locked", "is written by too many at once", "Try again."),
    ("57P", "unreachable", "is not there: the server stops, starts or recovers", _WAIT),
    ("08", "unreachable", "cannot be reached", _WAIT),
    ("XX", "damaged", "is damaged", _RESTORE),
    ("58", "damaged", "cannot be read from the server's disk", _RESTORE),
    ("42P01", "damaged", "is damaged: tables are missing", _RESTORE),
    ("42", "damaged", "is damaged: it is not the log it was", _RESTORE),
    ("23", "damaged", "is damaged: it contradicts itself", _RESTORE),
)  # fmt: skip
_AT_THE_DOOR = (
    ("terminating connection", "57P01"),
    ("starting up", "57P03"),
    ("shutting down", "57P03"),
    ("not yet accepting", "57P03"),
    ("recovery mode", "57P03"),
    ("too many clients", "53300"),
    ("connection slots", "53300"),
    ("authentication failed", "28P01"),
    ("no password supplied", "28P01"),
    ("pg_hba.conf", "28000"),
    ('role "', "28000"),
    ('database "', "3D000"),
)
"""A refused connection has no state, only words."""


def lost(fault: psycopg.Error) -> bool:
    """True when the connection broke, so that nobody knows how far the server came."""
    state = _state(fault)
    return isinstance(fault, psycopg.OperationalError) and (not state or state.startswith(("57P", "08")))


def undone(fault: psycopg.Error) -> bool:
    """True when the server took back a transaction that stood in another's way."""
    return _state(fault).startswith("40")


def returning(fault: psycopg.Error) -> bool:
    """True when nobody could connect because the server stops, starts or recovers."""
    return _state(fault).startswith("57P")


def _state(fault: psycopg.Error) -> str:
    if fault.sqlstate is not None:
        return fault.sqlstate
    said = str(fault)
    return next((state for words, state in _AT_THE_DOOR if words in said), "")


def spoken(fault: psycopg.Error, address: Address) -> Unavailable:
    """A sentence for it. What the server said comes last."""
    state = _state(fault)
    for prefix, code, words, hint in _STATES:
        if state.startswith(prefix):
            return Unavailable(f"{address.said} {words}{_detail(fault)}.", hint, code)
    if isinstance(fault, psycopg.OperationalError):
        hint = "Check that the server runs and the address is right."
        return Unavailable(f"{address.said} cannot be reached{_detail(fault)}.", hint, "unreachable")
    return Unavailable(f"{address.said} cannot be used{_detail(fault)}.", _RESTORE)


def in_doubt(address: Address) -> Unavailable:
    return Unavailable(
        f"{address.said} was lost in the middle of a commit, so it is not known whether the commit was made.",
        "Try again with the same idempotency key, which never writes twice; without one, read the stream first.",
        "in_doubt",
    )


def exhausted(address: Address, wait: float) -> Unavailable:
    return Unavailable(
        f"All {address.pool} connections to {address.said[4:]} were in use for {wait:g} seconds.",
        "Try again, or allow more of them with pool=N in the address.",
        "busy",
    )


def newer(address: Address, version: int, known: int) -> Unavailable:
    return Unavailable(
        f"{address.said} has version {version}; this version of segue reads up to version {known}.",
        "Upgrade segue to open this workspace.",
        "newer_format",
    )


def _detail(fault: psycopg.Error) -> str:
    said = fault.diag.message_primary or next(iter(str(fault).splitlines()), "")
    secret = os.environ.get("PGPASSWORD")
    if secret:
        said = said.replace(secret, "…")
    said = " ".join(said.split()).rstrip(".")[:240]
    return f": {said}" if said else ""

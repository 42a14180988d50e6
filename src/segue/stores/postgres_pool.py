"""Connections to the log in PostgreSQL: few, opened when needed, shared by threads.

A connection is looked at before it is lent, so one that a restart or a failover closed is not used again.
Work that loses its connection is done again on another one until the caller's patience ends; it has to be work
that may be done twice. A log that does not exist yet reads as empty and is made by the first write. The library
of pools is not used: it reports a server that is down by waiting, and costs 20 ms at start.

What PostgreSQL or the way to it refuses becomes a sentence that names the workspace, the host and the database, and what
the server said; the password, wherever it came from, is taken out of it.
"""

from __future__ import annotations

import math
import os
import select
import threading
import time
import weakref
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple, TypeVar

import psycopg
from psycopg import errors

from segue.errors import Unavailable
from segue.stores.named_sql import parts
from segue.stores.postgres_address import Address

T = TypeVar("T")
Row = tuple[Any, ...]
Connection = psycopg.Connection[Row]

SQL = parts(os.path.join(os.path.dirname(__file__), "postgres.sql"))
MIGRATIONS = tuple(text for name, text in SQL.items() if name.startswith("migration "))
_RETRY_S = 0.05
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
_REFUSED_CONNECTION = (
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
_DEFAULTS = {
    "application_name": "segue",
    "keepalives_idle": "10",
    "keepalives_interval": "3",
    "keepalives_count": "3",
}


class Link(NamedTuple):
    """A connection that knows its log. `lift` is what turns a transaction's number into `touched`."""

    connection: Connection
    lift: int

    def rows(self, sql: str, bindings: dict[str, Any]) -> list[Row]:
        return self.connection.execute(sql, bindings, binary=True).fetchall()


class Pool:
    def __init__(self, address: Address, wait: float) -> None:
        self.address = address
        self.wait = wait
        self.rows_read = 0
        self.sql = {
            name: text.replace("{schema}", address.schema).replace("{commit_sum}", SQL["commit_sum"])
            for name, text in SQL.items()
        }
        self._room = threading.BoundedSemaphore(address.pool)
        self._idle: list[Link] = []
        weakref.finalize(
            self, _close_all, self._idle
        )  # commands leave their workspace to the end of the process

    def there(self) -> bool:
        """Whether there is a log at the address."""
        return self._persist(lambda link: link is not None, make=False)

    def rows(self, name: str, **bindings: Any) -> list[Row]:
        """What a named query finds, an empty list where there is no log yet."""
        return self.query(self.sql[name], bindings)

    def query(self, sql: str, bindings: dict[str, Any]) -> list[Row]:
        rows = self._persist(lambda link: link.rows(sql, bindings) if link else [], make=False)
        self.rows_read += len(rows)
        return rows

    def writing(self, work: Callable[[Link], T], doubt: Callable[[], bool] = bool) -> T:
        """Runs `work`, once more whenever its connection is lost on the way. `doubt()` says whether a commit
        may have been made by then."""

        def on(link: Link | None) -> T:
            assert link is not None
            return work(link)

        return self._persist(on, make=True, doubt=doubt)

    def close(self) -> None:
        _close_all(self._idle)

    def connect(self) -> Connection:
        """A connection of its own, outside the pool."""
        timeout = str(max(2, math.ceil(self.wait)))
        options = {**_DEFAULTS, "connect_timeout": timeout, **self.address.options}
        return psycopg.connect(autocommit=True, **options)  # type: ignore[arg-type]

    def _persist(self, work: Callable[[Link | None], T], make: bool, doubt: Callable[[], bool] = bool) -> T:
        until, broken = time.monotonic() + self.wait, False
        while True:
            connecting = True
            try:
                if not self._room.acquire(timeout=self.wait):
                    raise Unavailable(
                        f"All {self.address.pool} connections to {self.address.description[4:]} were in use for {self.wait:g} seconds.",
                        "Try again, or allow more of them with pool=N in the address.",
                        "busy",
                    )
                try:
                    connection, link = self._open(make)
                    connecting = False
                    try:
                        return work(link)
                    finally:
                        self._release(connection, link)
                finally:
                    self._room.release()
            except psycopg.Error as fault:
                # 57P: the server stops, starts or recovers; 40: it took back a transaction in another's way
                again = (
                    broken or _state(fault).startswith("57P")
                    if connecting
                    else _lost(fault) or _state(fault).startswith("40")
                )
                broken = broken or (_lost(fault) and not connecting)
                if not again or time.monotonic() > until:
                    unknown = broken and doubt()
                    raise (
                        _in_doubt(self.address) if unknown else _unavailable(fault, self.address)
                    ) from None
                time.sleep(_RETRY_S if connecting else 0)

    def _open(self, make: bool) -> tuple[Connection, Link | None]:
        """A live connection, and what it knows of its log: None where there is none and `make` is false."""
        while self._idle:
            with suppress(IndexError):  # another thread may have been faster
                link = self._idle.pop()
                if _alive(link.connection):
                    return link.connection, link
                link.connection.close()
        connection = self.connect()
        try:
            return connection, self._initialise(connection, make)
        except BaseException:
            connection.close()
            raise

    def _release(self, connection: Connection, link: Link | None) -> None:
        if link is None or connection.closed or connection.info.transaction_status:
            connection.close()
        else:
            self._idle.append(link)

    def _initialise(self, connection: Connection, make: bool) -> Link | None:
        version = self._version(connection)
        if version is None and not make:
            return None
        if version is None or version < len(MIGRATIONS):
            self._migrate(connection)
        elif version > len(MIGRATIONS):
            raise Unavailable(
                f"{self.address.description} has version {version}; this version of segue reads up to version {len(MIGRATIONS)}.",
                "Upgrade segue to open this workspace.",
                "newer_format",
            )
        wait = {"wait": str(max(int(self.wait * 1000), 1))}
        connection.execute(self.sql["settle"], wait)
        return Link(connection, self._clock_offset(connection))

    def _version(self, connection: Connection) -> int | None:
        try:
            ((version,),) = connection.execute(self.sql["version"]).fetchall()
        except (errors.UndefinedTable, errors.InvalidSchemaName):
            return None
        return int(version)

    def _migrate(self, connection: Connection) -> None:
        with connection.transaction():
            self._lock_schema(connection)
            name = {"name": self.address.schema}
            ((there,),) = connection.execute(self.sql["schema_there"], name).fetchall()
            if not there:
                connection.execute(self.sql["make_schema"])
            ((version,),) = connection.execute(self.sql["version"]).fetchall()
            for number, text in enumerate(MIGRATIONS[version:], version + 1):
                connection.execute(text.replace("{schema}", self.address.schema))
                connection.execute(self.sql["migrated"], {"version": number})

    def _clock_offset(self, connection: Connection) -> int:
        ((lift, ahead),) = connection.execute(self.sql["clock"]).fetchall()
        if ahead < 0:
            return int(lift)
        with suppress(errors.ReadOnlySqlTransaction, errors.InsufficientPrivilege), connection.transaction():
            self._lock_schema(connection)
            ((lift, ahead),) = connection.execute(self.sql["clock"]).fetchall()
            if ahead >= 0:
                connection.execute(self.sql["lift"], {"by": ahead + 1})
                lift += ahead + 1
        return int(lift)

    def _lock_schema(self, connection: Connection) -> None:
        connection.execute(self.sql["alone"], {"name": self.address.schema})


def _close_all(links: list[Link]) -> None:
    while links:
        links.pop().connection.close()


def _alive(connection: Connection) -> bool:
    """False for a connection that the server has closed. A server has nothing to say between two statements,
    but goodbye."""
    if connection.closed:
        return False
    watch = select.poll()
    watch.register(connection.fileno(), select.POLLIN)
    return not watch.poll(0)


def _lost(fault: psycopg.Error) -> bool:
    """True when the connection broke, so that nobody knows how far the server came."""
    state = _state(fault)
    return isinstance(fault, psycopg.OperationalError) and (not state or state.startswith(("57P", "08")))


def _state(fault: psycopg.Error) -> str:
    if fault.sqlstate is not None:
        return fault.sqlstate
    said = str(fault)
    return next((state for words, state in _REFUSED_CONNECTION if words in said), "")


def _unavailable(fault: psycopg.Error, address: Address) -> Unavailable:
    """A sentence for it. What the server said comes last."""
    state = _state(fault)
    for prefix, code, words, hint in _STATES:
        if state.startswith(prefix):
            return Unavailable(f"{address.description} {words}{_detail(fault)}.", hint, code)
    if isinstance(fault, psycopg.OperationalError):
        hint = "Check that the server runs and the address is right."
        return Unavailable(f"{address.description} cannot be reached{_detail(fault)}.", hint, "unreachable")
    return Unavailable(f"{address.description} cannot be used{_detail(fault)}.", _RESTORE)


def _in_doubt(address: Address) -> Unavailable:
    return Unavailable(
        f"{address.description} was lost in the middle of a commit, so it is not known whether the commit was made.",
        "Try again with the same idempotency key, which never writes twice; without one, read the stream first.",
        "in_doubt",
    )


def _detail(fault: psycopg.Error) -> str:
    said = fault.diag.message_primary or next(iter(str(fault).splitlines()), "")
    secret = os.environ.get("PGPASSWORD")
    if secret:
        said = said.replace(secret, "…")
    said = " ".join(said.split()).rstrip(".")[:240]
    return f": {said}" if said else ""

"""Connections to the log in PostgreSQL: few, opened when needed, shared by threads.

A connection is looked at before it is lent, so one that a restart or a failover closed is not used again.
Work that loses its connection is done again on another one until the caller's patience ends; it has to be work
that may be done twice. A log that does not exist yet reads as empty and is made by the first write. The library
of pools is not used: it reports a server that is down by waiting, and costs 20 ms at start.
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

from segue.stores.named_sql import parts
from segue.stores.postgres_address import Address
from segue.stores.postgres_faults import exhausted, in_doubt, lost, newer, returning, spoken, undone

T = TypeVar("T")
Row = tuple[Any, ...]
Connection = psycopg.Connection[Row]

SQL = parts(os.path.join(os.path.dirname(__file__), "postgres.sql"))
MIGRATIONS = tuple(text for name, text in SQL.items() if name.startswith("migration "))
_BREATH_S = 0.05
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
                    raise exhausted(self.address, self.wait)
                try:
                    connection, link = self._open(make)
                    connecting = False
                    try:
                        return work(link)
                    finally:
                        self._give_back(connection, link)
                finally:
                    self._room.release()
            except psycopg.Error as fault:
                again = (broken or returning(fault)) if connecting else (lost(fault) or undone(fault))
                broken = broken or (lost(fault) and not connecting)
                if not again or time.monotonic() > until:
                    unknown = broken and doubt()
                    raise (in_doubt(self.address) if unknown else spoken(fault, self.address)) from None
                time.sleep(_BREATH_S if connecting else 0)

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
            return connection, self._greet(connection, make)
        except BaseException:
            connection.close()
            raise

    def _give_back(self, connection: Connection, link: Link | None) -> None:
        if link is None or connection.closed or connection.info.transaction_status:
            connection.close()
        else:
            self._idle.append(link)

    def _greet(self, connection: Connection, make: bool) -> Link | None:
        version = self._version(connection)
        if version is None and not make:
            return None
        if version is None or version < len(MIGRATIONS):
            self._migrate(connection)
        elif version > len(MIGRATIONS):
            raise newer(self.address, version, len(MIGRATIONS))
        wait = {"wait": str(max(int(self.wait * 1000), 1))}
        connection.execute(self.sql["settle"], wait)
        return Link(connection, self._lift(connection))

    def _version(self, connection: Connection) -> int | None:
        try:
            ((version,),) = connection.execute(self.sql["version"]).fetchall()
        except (errors.UndefinedTable, errors.InvalidSchemaName):
            return None
        return int(version)

    def _migrate(self, connection: Connection) -> None:
        with connection.transaction():
            self._alone(connection)
            name = {"name": self.address.schema}
            ((there,),) = connection.execute(self.sql["schema_there"], name).fetchall()
            if not there:
                connection.execute(self.sql["make_schema"])
            ((version,),) = connection.execute(self.sql["version"]).fetchall()
            for number, text in enumerate(MIGRATIONS[version:], version + 1):
                connection.execute(text.replace("{schema}", self.address.schema))
                connection.execute(self.sql["migrated"], {"version": number})

    def _lift(self, connection: Connection) -> int:
        ((lift, ahead),) = connection.execute(self.sql["clock"]).fetchall()
        if ahead < 0:
            return int(lift)
        with suppress(errors.ReadOnlySqlTransaction, errors.InsufficientPrivilege), connection.transaction():
            self._alone(connection)
            ((lift, ahead),) = connection.execute(self.sql["clock"]).fetchall()
            if ahead >= 0:
                connection.execute(self.sql["lift"], {"by": ahead + 1})
                lift += ahead + 1
        return int(lift)

    def _alone(self, connection: Connection) -> None:
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

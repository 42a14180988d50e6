"""Where a log in PostgreSQL is: an address without a secret in it.

`postgresql://[user@][host][:port]/[database]?workspace=NAME[&pool=N][&option of libpq]`. What the address leaves
out comes from libpq's own environment (`PGHOST`, `PGSERVICE`, `PGPASSFILE` …). A password is refused, since
addresses are kept in files and shown in messages. So is every option that leads to another place than the one an
address shows (`hostaddr`, `service`, a second `host`), or to a file of credentials (`passfile`, `sslkey`): what they send is looked up
for one host and would go to another.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from segue.errors import BadInput

POOL = 8
"""Connections a log opens at most, unless `pool=N` says otherwise."""

_NAME = re.compile(r"[a-z][a-z0-9_]{0,40}")
_SECRET = frozenset(("password", "sslpassword", "sslkeylogfile", "oauth_client_secret"))
_OPTIONS = frozenset(
    (
        *("host", "port", "user", "dbname", "load_balance_hosts", "target_session_attrs"),
        *("application_name", "client_encoding", "options", "max_protocol_version", "min_protocol_version"),
        *("channel_binding", "gssencmode", "require_auth", "requirepeer"),
        *("sslmode", "sslnegotiation", "sslrootcert", "sslsni"),
        *("ssl_max_protocol_version", "ssl_min_protocol_version"),
        *("connect_timeout", "tcp_user_timeout"),
        *("keepalives", "keepalives_count", "keepalives_idle", "keepalives_interval"),
    )
)
"""What an address may tell libpq: where the database is, as what user, how to speak with it, how long to wait."""
_ELSEWHERE = "Use PGPASSFILE (~/.pgpass), a PGSERVICE or PGPASSWORD for it, and leave it out of the address."
_EXAMPLE = "Write it like postgresql://host/database?workspace=team."


class Address(NamedTuple):
    workspace: str
    pool: int
    options: dict[str, str]
    """What libpq is told."""

    @property
    def schema(self) -> str:
        return f"segue_{self.workspace}"

    @property
    def description(self) -> str:
        """How a message names this log."""
        at = "/".join(filter(None, (self.options.get("host"), self.options.get("dbname"))))
        return f"The PostgreSQL log {self.workspace}" + (f" at {at}" if at else "")


def parsed(spec: str) -> Address:
    """Raises BadInput for what is no address, holds a password, leads elsewhere than it shows, or names no workspace.
    No message repeats the address."""
    import psycopg  # 150 ms
    from psycopg.conninfo import conninfo_to_dict

    base, _, query = spec.partition("?")
    own, libpq = {}, []
    for part in filter(None, query.split("&")):
        name, _, value = part.partition("=")
        if name in ("workspace", "pool"):
            own[name] = value
        else:
            libpq.append(part)
    try:
        shown = conninfo_to_dict(base)
        found = conninfo_to_dict(base + ("?" + "&".join(libpq) if libpq else ""))
    except psycopg.ProgrammingError:
        raise BadInput("The address of the PostgreSQL log cannot be understood.", _EXAMPLE) from None
    options = {name: str(value) for name, value in found.items() if value not in (None, "")}
    if not _SECRET.isdisjoint(options):
        raise BadInput("The address of the PostgreSQL log holds a password.", _ELSEWHERE)
    if strange := sorted(options.keys() - _OPTIONS):
        raise BadInput(
            f"The address of the PostgreSQL log may not set {', '.join(strange)}.",
            "Set it in the environment (such as PGSERVICE or PGSSLKEY), and leave it out of the address.",
        )
    if other := sorted(name for name, value in shown.items() if value and found.get(name) != value):
        raise BadInput(
            f"The address of the PostgreSQL log names its {' and '.join(other)} twice, and not alike.",
            "Leave it out behind the question mark.",
        )
    workspace = own.get("workspace", "")
    if not _NAME.fullmatch(workspace):
        raise BadInput(
            "The address of a PostgreSQL log must name a workspace: lower-case letters, digits and _, at most 41.",
            _EXAMPLE,
        )
    pool = own.get("pool", str(POOL))
    if not (pool.isdecimal() and 1 <= int(pool[:4]) <= 1000):
        raise BadInput("pool= must be a number of connections from 1 to 1,000.", _EXAMPLE)
    return Address(workspace, int(pool), options)

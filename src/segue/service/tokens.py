"""Who may use a server: bearer tokens, each with a scope, kept as hashes in a private file of its user.

A token is shown once, when it is made; the file holds its sha256. A check hashes what was presented and
compares it with every token in constant time, so neither the file nor the clock tells a token. A change of
the file, such as a revocation, counts from the next check on.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
import shlex
from hashlib import sha256
from typing import Any

from segue.errors import BadInput, NotFound
from segue.model.ids import now_ms
from segue.model.value import NamedTuple
from segue.service.actors import acting, require_person
from segue.service.refusals import refusal
from segue.service.workspace import write_private
from segue.stores.writer_queue import Gate

SCOPES = ("read", "write", "admin")
"""Each allows what those before it allow."""

_RANK = {scope: rank for rank, scope in enumerate(SCOPES)}
PREFIX = "segue_"
_UNITS = {"m": 60, "h": 3600, "d": 86_400, "w": 604_800}
_NAME = 80


class Token(NamedTuple):
    """What is known of a token. `workspace` limits it to one of a server's workspaces."""

    name: str
    scope: str
    sha256: str
    created_ms: int
    workspace: str | None = None
    expires_ms: int | None = None

    def allows(self, scope: str) -> bool:
        return _RANK[self.scope] >= _RANK[scope]

    @property
    def expired(self) -> bool:
        return self.expires_ms is not None and now_ms() >= self.expires_ms

    def to_json(self) -> dict[str, Any]:
        """What may be shown: everything but the hash."""
        shown = {name: value for name, value in self._asdict().items() if value is not None}
        del shown["sha256"]
        return {**shown, "expired": self.expired}


class Keyring:
    """The tokens of one file, read again whenever it changed, and those made for this run only."""

    def __init__(self, path: str, passing: tuple[Token, ...] = ()) -> None:
        self.path = path
        self._passing = passing
        self._mark: tuple[int, int, int] | None = None
        self._tokens = passing
        self._met: dict[str, Token] = {}

    def tokens(self) -> tuple[Token, ...]:
        mark = _mark(self.path)  # 2 µs
        if mark != self._mark:
            self._tokens = _read(self.path) + self._passing
            self._met.clear()
            self._mark = mark
        return self._tokens

    def find(self, secret: str) -> Token | None:
        """The token that this is, expired or not. One that was right before is known by Python's own keyed hash
        of it, which tells as little by the time it takes."""
        known = self.tokens()
        if met := self._met.get(secret):
            return met
        digest = _digest(secret)
        matching = [token for token in known if hmac.compare_digest(token.sha256, digest)]
        if matching:
            self._met[secret] = matching[0]
        return matching[0] if matching else None


def default_path() -> str:
    home = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
    return os.path.join(home, "segue", "tokens.json")


def passing(scope: str = "admin") -> tuple[Token, str]:
    """A token that is in no file: it lives as long as the server that was given it."""
    secret = PREFIX + secrets.token_urlsafe(32)
    return Token("this run", scope, _digest(secret), now_ms()), secret


def create(
    path: str, name: str, scope: str, workspace: str | None = None, expires: str | None = None
) -> tuple[Token, str]:
    """A new token in the file, and the secret that is never shown again."""
    if not name or len(name) > _NAME or not name.isprintable():
        raise refusal("token-name")
    if workspace is not None and not names_workspace(workspace):
        raise refusal("token-workspace", workspace=workspace)
    if scope not in SCOPES:
        raise BadInput(f"{scope!r} is no scope.", f"One of {', '.join(SCOPES)}.")
    if scope == "admin":  # it vouches for what is approved
        require_person(acting("cli"), "Making an admin's token")
    lifetime = _milliseconds(expires) if expires is not None else None
    made, secret = passing(scope)
    until = made.created_ms + lifetime if lifetime is not None else None
    token = made._replace(name=name, workspace=workspace, expires_ms=until)
    with _locked(path):
        known = _read(path)
        if any(one.name == name for one in known):
            raise refusal("token-known", name=name, word=shlex.quote(name))
        _write(path, (*known, token))
    return token, secret


def names_workspace(text: str) -> bool:
    """Whether a server may call a workspace so: the name is a part of addresses."""
    return text.replace("-", "").replace("_", "").isalnum()


def revoke(path: str, name: str) -> Token:
    """Takes a token away; servers refuse it from the next request on."""
    with _locked(path):
        known = _read(path)
        gone = next((one for one in known if one.name == name), None)
        if gone is None:
            raise unknown(name)
        _write(path, tuple(one for one in known if one is not gone))
    return gone


def unknown(name: str) -> NotFound:
    return NotFound(f"There is no token {name!r}.", "`segue serve token list` shows them.")


def _digest(secret: str) -> str:
    return sha256(secret.encode("utf-8", "surrogatepass")).hexdigest()


def _milliseconds(lifetime: str) -> int:
    number, unit = lifetime[:-1], lifetime[-1:]
    if unit not in _UNITS or not number.isdecimal() or not 0 < int(number) <= 100_000:
        raise BadInput(f"{lifetime!r} is no length of time.", "Write 90m, 12h, 30d or 8w.")
    return int(number) * _UNITS[unit] * 1000


def _locked(path: str) -> Gate:
    try:
        os.makedirs(os.path.dirname(path) or ".", mode=0o700, exist_ok=True)
    except OSError as fault:
        raise refusal("tokens-folder", folder=os.path.dirname(path), why=fault.strerror) from None
    return Gate(f"{path}.lock", 10.0)


def _mark(path: str) -> tuple[int, int, int] | None:
    try:
        known = os.stat(path)
    except FileNotFoundError:
        return None
    return known.st_ino, known.st_mtime_ns, known.st_size


def _read(path: str) -> tuple[Token, ...]:
    try:
        with open(path, encoding="utf-8") as file:
            return tuple(_token(row) for row in json.load(file)["tokens"])
    except FileNotFoundError:
        return ()
    except (OSError, ValueError, TypeError, KeyError) as fault:
        raise refusal("tokens-unreadable", path=path, why=fault) from None


def _token(row: dict[str, Any]) -> Token:
    token = Token(**row)
    if token.scope not in SCOPES:
        raise ValueError(f"{token.scope!r} is no scope")
    return token


def _write(path: str, tokens: tuple[Token, ...]) -> None:
    rows = [{k: v for k, v in token._asdict().items() if v is not None} for token in tokens]
    write_private(path, json.dumps({"tokens": rows}, indent=2).encode() + b"\n")

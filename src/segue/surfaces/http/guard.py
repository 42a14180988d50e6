"""Who may come in: the host a caller believes to talk to, the page it is on, the token it shows, the scope that
token has.

Nothing of a request is looked at before this, but its address and its headers.
"""

from __future__ import annotations

from collections.abc import Mapping

from segue.errors import Refused, SegueError
from segue.service.operations import ADMIN
from segue.service.tokens import Keyring, Token
from segue.surfaces.http.problems import unauthorized
from segue.surfaces.http.refusals import refusal

LOOPBACK = ("127.0.0.1", "localhost", "::1")
HEADER_BYTES = 32 * 1024
_OWN_PAGE = (None, "same-origin", "none")
"""What browsers say of a request that no other site's page began; programs say nothing."""


class Guard:
    """`keyring` is None where no token is asked for, `hosts` where any host name will do, `origins` where pages of
    any site may call. `agent` runs the server, and so has every token that it shows."""

    def __init__(
        self,
        keyring: Keyring | None,
        hosts: frozenset[str] | None,
        origins: frozenset[str] | None,
        agent: str = "",
    ) -> None:
        self.agent = agent
        self._keyring = keyring
        self._hosts = hosts
        self._origins = origins
        self._usual: str | None = None
        """The header that was right last, as most of them are."""

    def check_host(self, headers: Mapping[str, str]) -> None:
        """A page in a browser here may reach a loopback address under a name of its own (DNS rebinding); it
        cannot choose the Host header."""
        given = headers.get("host", "")
        if self._hosts is None or given == self._usual:
            return
        host = given.lower()
        name = host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]
        if name not in self._hosts:
            raise refusal("other-host")
        self._usual = given

    def check_page(self, headers: Mapping[str, str]) -> None:
        """A page of another site may not speak through its reader's browser, which sends some requests without
        asking first and keeps only their answers from the page."""
        origin = headers.get("origin")
        if self._origins is None or (origin is None and headers.get("sec-fetch-site") in _OWN_PAGE):
            return
        if origin is None or (
            origin not in self._origins and origin.partition("://")[2] != headers.get("host")
        ):
            raise refusal("foreign-page")

    def admit(self, headers: Mapping[str, str], scope: str, workspace: str) -> Token | None:
        """The token, if it allows the scope in the workspace."""
        token = self.known(headers, scope)
        if token is not None and token.workspace not in (None, workspace):
            raise elsewhere()
        return token

    def is_admin(self, headers: Mapping[str, str]) -> bool:
        """Whether the caller administers the server: by its token, or because none is asked for."""
        try:
            self.known(headers, ADMIN)
        except SegueError:
            return False
        return True

    def known(self, headers: Mapping[str, str], scope: str) -> Token | None:
        """The token, if it allows the scope, in whichever workspace."""
        if self._keyring is None:
            return None
        kind, _, rest = headers.get("authorization", "").partition(" ")
        secret = rest.strip()
        if kind.lower() != "bearer" or not secret:
            raise unauthorized("This server wants a token.")
        token = self._keyring.find(secret)
        if token is None:
            raise unauthorized("This token is not known here.")
        if token.expired:
            raise unauthorized("This token has expired.")
        if not token.allows(scope):
            raise refusal("smaller-token", given=token.scope, needed=scope)
        return token


def elsewhere() -> Refused:
    return Refused("This token is for another workspace.", "Ask for a token of this workspace.")

"""goose as a host: how a program knows that it runs inside it."""

from __future__ import annotations

from segue.agents.host import Host

HOST = Host("goose", marks=("GOOSE_TERMINAL",))

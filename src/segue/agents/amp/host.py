"""Amp as a host: how a program knows that it runs inside it."""

from __future__ import annotations

from segue.agents.host import Host

HOST = Host("amp", marks=("AMP_CURRENT_THREAD_ID",), session_variable="AMP_CURRENT_THREAD_ID")

"""Cline as a host: one script for each event. It announces no compaction, and tells its session to hooks alone."""

from __future__ import annotations

import os
from functools import partial

from segue.agents.host import PACKET, Env, File, Host, Integration, Launch
from segue.model import moment as m
from segue.model.moment import Cap, utf8

_NOTE = "Cline announces no compaction, so it is given an approved handoff at its first tool call, and nothing after one."
_EVENTS = {"PreToolUse": m.PROMPT, "PostToolUse": m.TOOL, "TaskComplete": m.END, "SessionShutdown": m.END}


def _integration(base: str, project: bool, env: Env) -> Integration:
    folder = os.path.join(base, ".cline", "hooks")
    files = [
        File(os.path.join(folder, event), text=partial(_script, event), executable=True) for event in _EVENTS
    ]
    return Integration((), tuple(files), _NOTE)


def _script(event: str, command: str) -> str:
    return f"#!/bin/sh\n# segue: written by `segue install cline`.\nexec {command} hook cline {event}\n"


HOST = Host(
    "cline",
    marks=("CLINE_ACTIVE", "CLINE_CONNECTOR_CLI_LAUNCH"),
    launch=Launch((PACKET,)),
    tried_version="3.0.65",
    integration=_integration,
    events=_EVENTS,
    reply=lambda event, reply, injects: (
        {"cancel": False, "context": reply.inject} if reply.inject and injects else None
    ),
    cap=Cap(8_000, utf8),
)

"""How an installed hook is called: its command as it stands in the agent's files, and payloads and transcripts like
those the agents make, recorded from the real ones.

`segue doctor` runs the hooks, so what it proves is what the agent will do. It runs only what this version writes: a
file of an agent may come from a repository, and a command that merely looks like ours is told, never run.
"""

from __future__ import annotations

import json
import os
import re
import shlex
from typing import Any

from segue.agents.host import Step
from segue.agents.integrations import beside
from segue.agents.registry import host_of
from segue.agents.settings_files import record
from segue.model.value import NamedTuple

_HOOK = re.compile(r'\bhook\("([\w.]+)"')
"""A call of a hook in a program of ours that an agent runs inside itself."""
_EVENT = re.compile(r"[\w.]+")


class Call(NamedTuple):
    event: str
    words: tuple[str, ...]


class Installed(NamedTuple):
    """What an agent's file holds of our hooks: the calls as this version writes them, and what is in our name but not
    of our making."""

    calls: list[Call]
    strange: list[str]


def installed_calls(agent: str, path: str, command: list[str], ours: bytes | None) -> Installed:
    """The hooks of ours that this file holds; none for a skill or a command. `command` is the program as installing
    names it; `ours` is all that installing writes there, where the file is ours alone."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return Installed([], [])
    text = data.decode(errors="replace")
    script = os.path.basename(path) in host_of(agent).events
    if script or path.endswith((".js", ".ts")):
        events = [os.path.basename(path)] if script else dict.fromkeys(_HOOK.findall(text))
        if data != ours:
            return Installed([], [path] if events else [])
        run = (path,) if script else None
        return Installed([Call(event, run or (*command, "hook", agent, event)) for event in events], [])
    found = [line for line in strings(record(text)) if f" hook {agent} " in line and "segue" in line]
    start = f"{shlex.join(command)} hook {agent} "
    exact = {line: line.removeprefix(start) for line in found if _EVENT.fullmatch(line.removeprefix(start))}
    calls = [Call(event, (*command, "hook", agent, event)) for event in exact.values()]
    return Installed(calls, [line for line in found if line not in exact])


def payload(agent: str, step: Step, session_id: str, place: str) -> str | None:
    """A payload as that agent sends it at that step, naming a transcript where there is one; None when its payloads were
    recorded, and none of that event."""
    recorded = _recorded(agent).get("payloads", {"*": _PLAIN, step.event: {}})
    if step.event not in recorded:
        return None
    source = {"source": step.source} if step.source else {}
    told = json.dumps({**recorded.get("*", {}), **recorded[step.event], **source})
    transcript = transcript_path(agent, session_id, place)
    given = {
        "@SESSION@": session_id,
        "@TRANSCRIPT@": transcript if os.path.exists(transcript) else "",
        "@PLACE@": place,
    }
    for name, value in given.items():
        told = told.replace(name, json.dumps(value)[1:-1])
    return told


_PLAIN = {"session_id": "@SESSION@", "transcript_path": "@TRANSCRIPT@", "cwd": "@PLACE@"}
"""What the payloads of an agent hold of which none were recorded."""


def transcript_path(agent: str, session_id: str, place: str) -> str:
    """Where the transcript of a rehearsed session lies: where the agent keeps it below a home that `environment` names,
    if its hooks look for it there."""
    find = host_of(agent).transcript
    return find(session_id, environment(agent, place)) if find else os.path.join(place, f"{session_id}.jsonl")


def environment(agent: str, place: str) -> dict[str, str]:
    """What the agent's hooks need to find its files in a scratch place."""
    variable = host_of(agent).home_variable
    return {variable: os.path.join(place, agent)} if variable else {}


def transcript(agent: str, part: str, session_id: str) -> bytes:
    """The lines an agent has written `before` a compaction, or adds when it has `compacted`; none where its hooks tell."""
    rows = _recorded(agent).get(part, [])
    lines = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    return lines.replace("@SESSION@", session_id).encode()


def _recorded(agent: str) -> dict[str, Any]:
    """What was recorded of an agent's hooks: the file `recorded.json` beside its host."""
    try:
        with open(beside(agent, "recorded.json"), encoding="utf-8") as file:
            recorded: dict[str, Any] = json.load(file)
    except FileNotFoundError:
        return {}
    return recorded


def strings(value: Any) -> list[str]:
    """Every text in a JSON value."""
    found, left = [], [value]
    while left:
        inner = left.pop()
        if isinstance(inner, str):
            found.append(inner)
        elif isinstance(inner, dict | list):
            left += reversed(list(inner.values()) if isinstance(inner, dict) else inner)
    return found

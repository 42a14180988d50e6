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

from segue.agents.integrations import TEMPLATES
from segue.model.value import NamedTuple

IN_PROCESS = ("pi", "opencode")
"""Agents that run a program of ours inside them, which calls the hooks."""
_HOOK = re.compile(r'\bhook\("([\w.]+)"')
"""A call of a hook in such a program."""
_EVENT = re.compile(r"[A-Za-z]+")


class Call(NamedTuple):
    event: str
    words: tuple[str, ...]


class Installed(NamedTuple):
    """What an agent's file holds of our hooks: the calls as this version writes them, and what is in our name but not
    of our making."""

    calls: list[Call]
    strange: list[str]


class Step(NamedTuple):
    """One call on the way through a compaction. `source` is how the session starts there; before a step that is
    `late`, the compaction shows in the transcript."""

    event: str
    source: str = ""
    late: bool = False


CROSSINGS: dict[str, tuple[Step, ...]] = {
    "claude-code": (Step("PreCompact"), Step("SessionStart", "compact")),
    "codex": (Step("PreCompact"), Step("PostCompact"), Step("SessionStart", "compact")),
    "gemini-cli": (Step("BeforeAgent"), Step("BeforeAgent", late=True)),
    "copilot-cli": (Step("preCompact"), Step("userPromptSubmitted", late=True)),
    "pi": (Step("session_before_compact"), Step("session_compact")),
    "opencode": (Step("session.compacting"), Step("session.compacted"), Step("messages.transform")),
}
"""What each agent calls around a compaction, up to the call that hands the model its handoff. Cline announces none."""

ANNOUNCING = ("PreCompact", "PreCompress", "preCompact", "session_before_compact", "session.compacting")
"""Calls that announce a compaction: what is said from one of them on is not said at a start."""


def installed_calls(agent: str, path: str, command: list[str], ours: bytes | None) -> Installed:
    """The hooks of ours that this file holds; none for a skill or a command. `command` is the program as installing
    names it; `ours` is all that installing writes there, where the file is ours alone."""
    try:
        with open(path, "rb") as file:
            data = file.read()
    except OSError:
        return Installed([], [])
    text = data.decode(errors="replace")
    if agent in IN_PROCESS or agent == "cline":
        events = [os.path.basename(path)] if agent == "cline" else dict.fromkeys(_HOOK.findall(text))
        if data != ours:
            return Installed([], [path] if events else [])
        run = (path,) if agent == "cline" else None
        return Installed([Call(event, run or (*command, "hook", agent, event)) for event in events], [])
    found = [line for line in _strings(_decoded(text)) if f" hook {agent} " in line and "segue" in line]
    start = f"{shlex.join(command)} hook {agent} "
    exact = {line: line.removeprefix(start) for line in found if _EVENT.fullmatch(line.removeprefix(start))}
    calls = [Call(event, (*command, "hook", agent, event)) for event in exact.values()]
    return Installed(calls, [line for line in found if line not in exact])


def in_order(agent: str, calls: list[Call]) -> list[Call]:
    """Calls as they follow each other in a session of that agent, those nobody recorded last."""
    events = list(_recorded("payloads.json").get(agent, {}))
    return sorted(calls, key=lambda call: events.index(call.event) if call.event in events else len(events))


def payload(agent: str, step: Step, session_id: str, place: str) -> str | None:
    """A payload as that agent sends it at that step, naming a transcript where there is one; None when none was
    recorded."""
    host = _recorded("payloads.json").get(agent, {})
    if step.event not in host:
        return None
    source = {"source": step.source} if step.source else {}
    told = json.dumps({**host.get("*", {}), **host[step.event], **source})
    transcript = transcript_path(agent, session_id, place)
    given = {
        "@SESSION@": session_id,
        "@TRANSCRIPT@": transcript if os.path.exists(transcript) else "",
        "@PLACE@": place,
    }
    for name, value in given.items():
        told = told.replace(name, json.dumps(value)[1:-1])
    return told


def transcript_path(agent: str, session_id: str, place: str) -> str:
    """Where the transcript of a rehearsed session lies. Copilot CLI finds its own by the session's id, below a home
    that `environment` names."""
    if agent == "copilot-cli":
        return os.path.join(place, "copilot", "session-state", session_id, "events.jsonl")
    return os.path.join(place, f"{session_id}.jsonl")


def environment(agent: str, place: str) -> dict[str, str]:
    """What the agent's hooks need to find its files in a scratch place."""
    return {"COPILOT_HOME": os.path.join(place, "copilot")} if agent == "copilot-cli" else {}


def transcript(agent: str, part: str, session_id: str) -> bytes:
    """The lines an agent has written `before` a compaction, or adds when it has `compacted`; none where its hooks tell."""
    rows = _recorded("transcripts.json").get(agent, {}).get(part, [])
    lines = "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows)
    return lines.replace("@SESSION@", session_id).encode()


def _recorded(name: str) -> dict[str, dict[str, Any]]:
    with open(os.path.join(TEMPLATES, name), encoding="utf-8") as file:
        recorded: dict[str, dict[str, Any]] = json.load(file)
    return recorded


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _strings(value: Any) -> list[str]:
    found, left = [], [value]
    while left:
        inner = left.pop()
        if isinstance(inner, str):
            found.append(inner)
        elif isinstance(inner, dict | list):
            left += reversed(list(inner.values()) if isinstance(inner, dict) else inner)
    return found

"""Which agent this process runs inside, and in which of its sessions.

An agent tells the programs it starts: by variables in their environment, and an MCP server by the name it gives itself.
Agents start one another and hand their environment on, so it may name several; then the nearest process above this one
that is one of theirs decides. What nobody tells stays open: a session is never guessed.
"""

from __future__ import annotations

import os

from segue.agents.registry import HOSTS, READERS, RECOGNISED, host_of
from segue.model.value import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any


ANNOUNCED = "AI_AGENT"
"""The variable in which agents without a row name themselves, such as `goose@1.2` or `claude-code_2-1_agent`."""
SOME_AGENT = "agent"
"""The name of an agent that does not tell which."""
_SHORTEST = 2
_HIGHEST = 64
"""Processes above this one that are looked at."""
_INTERPRETERS = ("node", "bun", "deno", "python", "sh", "bash", "dash", "zsh")


class Inside(NamedTuple):
    """An agent, and its session where that is told."""

    agent: str
    session_id: str = ""
    among: tuple[str, ...] = ()
    """Those that the environment names, where no process tells which of them it is."""

    @property
    def label(self) -> str:
        """How a sentence calls it."""
        return " or ".join(self.among) or ("an agent" if self.agent == SOME_AGENT else self.agent)


def here(env: Mapping[str, str] | None = None) -> Inside | None:
    """The agent whose program this is; None for one that a person or another program started."""
    env = os.environ if env is None else env
    parts = {part for name in env for part in name.split("_")}
    likely = [agent for agent in (*HOSTS, *RECOGNISED) if _may_be_named(agent, parts)]
    named = [agent for agent in likely if any(env.get(mark) for mark in host_of(agent).marks)]
    if not named:
        announced = env.get(ANNOUNCED, "")
        return Inside(_plain(announced)) if announced else None
    agent = named[0] if len(named) == 1 else nearest(named)
    if not agent:
        return Inside(SOME_AGENT, among=tuple(named))
    return Inside(agent, env.get(host_of(agent).session_variable, ""))


def around(env: Mapping[str, str] | None = None) -> Inside | None:
    """The agent that this process runs below, also where its variables were removed on the way: the environments that
    the processes above were started with still name it."""
    return here(env) or next(filter(None, map(here, environments())), None)


def at_terminal() -> bool:
    """Whether a terminal controls this process, and whoever leads its session there is this process or above it. One that
    left those who started it, by a second fork or a session of its own, has lost one of the two."""
    try:
        os.close(os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY))
    except OSError:
        return False
    leader = os.getsid(0)
    return leader in (os.getpid(), os.getppid()) or any(number == leader for number, _ in ancestors())


def given_by_agent() -> dict[str, str] | None:
    """What the outermost process that an agent started above this one was given; None where no agent is above."""
    return next((env for env in reversed(list(environments())) if here(env)), None)


def environments() -> Iterator[dict[str, str]]:
    """What the processes above this one were started with, the nearest first, where the system shows it."""
    if not os.path.isdir("/proc/self"):
        return
    for number, _ in ancestors():
        try:
            with open(f"/proc/{number}/environ", "rb") as file:
                rows = os.fsdecode(file.read()).split("\0")
        except OSError:
            continue
        yield {name: value for name, _, value in (row.partition("=") for row in rows) if name}


def _may_be_named(agent: str, parts: set[str]) -> bool:
    """Whether parts of variables' names may be an agent's; its host, which knows, takes time to load. `PIP` is not pi's."""
    word = agent.partition("-")[0].upper()
    return word in parts or (len(word) > _SHORTEST and any(part.startswith(word) for part in parts))


def caller(client: str, meta: Mapping[str, Any]) -> Inside | None:
    """The agent that calls an MCP server: by the name it gives itself and what it says of the call."""
    name = client.lower().replace(" ", "-")
    agent = next((known for known in READERS if name == known or name.startswith(f"{known}-")), "")
    if not agent:
        return None
    session_id = meta.get(host_of(agent).call_session)
    return Inside(agent, session_id if isinstance(session_id, str) else "")


def nearest(agents: list[str]) -> str:
    """The one of these agents whose process is the nearest above this one; empty where none is."""
    return next((name for name, _ in above(agents)), "")


def above(agents: list[str]) -> Iterator[tuple[str, int]]:
    """Processes of these agents that this one runs below, the nearest first: agent and process number."""
    programs = {host_of(agent).program: agent for agent in agents}
    for number, name in ancestors():
        if name in programs:
            yield programs[name], number


def ancestors() -> Iterator[tuple[int, str]]:
    """The processes above this one, the nearest first: number, and the program's or its script's name."""
    find = _from_proc if os.path.isdir("/proc/self") else _from_ps()
    number = os.getppid()
    for _ in range(_HIGHEST):
        found = find(number) if number > 1 else None
        if found is None:
            return
        parent, words = found
        yield number, _program(words)
        number = parent


def _from_proc(number: int) -> tuple[int, list[str]] | None:
    try:
        with open(f"/proc/{number}/stat", "rb") as file:
            parent = int(file.read().rpartition(b")")[2].split()[1])
        with open(f"/proc/{number}/cmdline", "rb") as file:
            words = file.read(4096).decode(errors="replace").split("\0")
    except (OSError, ValueError, IndexError):
        return None
    return parent, words


def _from_ps() -> Any:
    """Where there is no /proc, all processes at once."""
    import subprocess

    command = ["/bin/ps", "-axo", "pid=,ppid=,command="]
    try:
        told = subprocess.run(
            command, capture_output=True, text=True, errors="replace", check=False, timeout=5
        )
    except (OSError, subprocess.TimeoutExpired):
        return {}.get
    rows = [line.split(None, 2) for line in told.stdout.splitlines()]
    return {int(row[0]): (int(row[1]), row[2].split()) for row in rows if len(row) == 3}.get


def _program(words: list[str]) -> str:
    """What a command line runs: its program, or the script that an interpreter was given."""
    name = os.path.basename(words[0].strip()) if words else ""
    if name.rstrip("0123456789.") in _INTERPRETERS:
        name = next((os.path.basename(word) for word in words[1:] if word and not word.startswith("-")), name)
    return name.removesuffix(".js").removesuffix(".exe")


def _plain(announced: str) -> str:
    """The agent's name without what tells its version or part."""
    name = announced.lower().partition("_")[0].partition("@")[0].partition("/")[0]
    kept = "".join(letter for letter in name if letter.isalnum() or letter == "-")[:40]
    return kept if kept.strip("-") and not kept.isdigit() and kept != "true" else SOME_AGENT

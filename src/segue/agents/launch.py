"""Starting an agent with a packet, in the way that its host documents, and asking which version it is.

On a terminal the packet becomes the first prompt of an interactive session; without one it goes in on
standard input. Arguments are passed as a list, never through a shell.
"""

from __future__ import annotations

from segue.agents.host import MODEL, PACKET
from segue.agents.registry import HOSTS, host_of
from segue.errors import BadInput, NotFound
from segue.model.value import NamedTuple

LONGEST_ARGUMENT = 100_000
"""Linux takes 128 KiB for one argument; a longer packet goes in on standard input."""
TIMEOUT_S = 20
"""A cold start of a Node program on a busy machine takes seconds."""


class Started(NamedTuple):
    """A command line to run, and what goes in on its standard input (None: the terminal)."""

    command: list[str]
    stdin: str | None


def takes_model(agent: str) -> bool:
    """Whether segue knows how to tell that agent which model to use."""
    launch = host_of(agent).launch
    return launch is not None and MODEL in launch.piped


def prepare(agent: str, packet: str, on_terminal: bool, model: str = "") -> Started:
    """How to start that agent with this packet. Raises when it cannot be started at all."""
    from shutil import which  # 3 ms

    known = host_of(agent)
    if known.launch is None:
        startable = ", ".join(name for name in HOSTS if host_of(name).launch)
        raise BadInput(
            f"segue does not know how to start {agent}.", f"Use --out or --copy. It can start {startable}."
        )
    program = which(known.program)
    if program is None:
        raise NotFound(f"{known.program} is not installed here.", "Install it, or use --out or --copy.")
    given = on_terminal and len(packet.encode()) <= LONGEST_ARGUMENT
    line = known.launch.interactive if given else known.launch.piped
    stands_for = {PACKET: [packet], MODEL: [MODEL, model] if model else []}
    words = [word for place in line for word in stands_for.get(place, [place])]
    return Started([program, *words], None if given else packet)


def version_here(agent: str) -> str | None:
    """The version of the agent that a shell would start; None when there is none or it does not say."""
    import re
    import subprocess
    from shutil import which

    program = which(host_of(agent).program)
    if program is None:
        return None
    try:
        ran = subprocess.run(
            [program, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=TIMEOUT_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    found = re.search(r"\d+\.\d+\.\d+", ran.stdout)
    return found.group() if found else None


def compared(agent: str, version: str) -> int:
    """-1 for a version older than what works, 1 for one newer than what was tried, 0 for all between."""
    oldest, here, newest = (
        tuple(map(int, told.split("."))) if told else ()
        for told in (host_of(agent).oldest_version, version, host_of(agent).tried_version)
    )
    return -1 if here < oldest else 1 if here > newest else 0

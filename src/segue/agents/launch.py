"""Starting an agent with a packet, each in its own documented way.

On a terminal the packet becomes the first prompt of an interactive session; without one it goes in on
standard input. Arguments are passed as a list, never through a shell.
"""

from __future__ import annotations

from segue.errors import BadInput, NotFound
from segue.model.value import NamedTuple

PACKET = "{packet}"
MODEL = "--model"
LONGEST_ARGUMENT = 100_000
"""Linux takes 128 KiB for one argument; a longer packet goes in on standard input."""


class Launch(NamedTuple):
    """`interactive` and `piped` are command lines; in the first, PACKET stands for the text. MODEL stands where the
    agent takes the name of a model; it goes away when none is asked for."""

    interactive: tuple[str, ...]
    piped: tuple[str, ...]


LAUNCHES: dict[str, Launch] = {
    "claude-code": Launch(("claude", MODEL, PACKET), ("claude", "-p", MODEL)),
    "codex": Launch(("codex", MODEL, PACKET), ("codex", "exec", MODEL, "-")),
    "pi": Launch(("pi", MODEL, PACKET), ("pi", "-p", MODEL)),
    "gemini-cli": Launch(("gemini", "-i", PACKET), ("gemini", "-p", "Continue from this handoff.")),
    "opencode": Launch(("opencode", MODEL, "--prompt", PACKET), ("opencode", "run", MODEL)),
    "copilot-cli": Launch(("copilot", "-i", PACKET), ("copilot",)),
    "cline": Launch(("cline", PACKET), ("cline",)),
}


class Started(NamedTuple):
    """A command line to run, and what goes in on its standard input (None: the terminal)."""

    command: list[str]
    stdin: str | None


def takes_model(agent: str) -> bool:
    """Whether segue knows how to tell that agent which model to use."""
    return agent in LAUNCHES and MODEL in LAUNCHES[agent].piped


def prepare(agent: str, packet: str, on_terminal: bool, model: str = "") -> Started:
    """How to start that agent with this packet. Raises when it cannot be started at all."""
    from shutil import which  # 3 ms

    launch = LAUNCHES.get(agent)
    if launch is None:
        raise BadInput(
            f"segue does not know how to start {agent}.",
            f"Use --out or --copy. It can start {', '.join(LAUNCHES)}.",
        )
    program = which(launch.piped[0])
    if program is None:
        raise NotFound(f"{launch.piped[0]} is not installed here.", "Install it, or use --out or --copy.")
    if on_terminal and len(packet.encode()) <= LONGEST_ARGUMENT:
        return Started([program, *_filled(launch.interactive, packet, model)], None)
    return Started([program, *_filled(launch.piped, packet, model)], packet)


def _filled(line: tuple[str, ...], packet: str, model: str) -> list[str]:
    stands_for = {PACKET: [packet], MODEL: [MODEL, model] if model else []}
    return [word for place in line[1:] for word in stands_for.get(place, [place])]

"""Which versions of an agent segue was tried with, and which one is here."""

from __future__ import annotations

import re

from segue.model.value import NamedTuple


class Tried(NamedTuple):
    """`newest` is the version the integration was last tried with, `oldest` the first one known to work."""

    program: str
    newest: str
    oldest: str = ""


TRIED: dict[str, Tried] = {
    "claude-code": Tried("claude", "2.1.325"),
    "codex": Tried("codex", "0.166.0"),
    "pi": Tried("pi", "1.5.0", "0.73.1"),
    "gemini-cli": Tried("gemini", "0.61.0"),
    "opencode": Tried("opencode", "1.18.33"),
    "copilot-cli": Tried("copilot", "1.0.102"),
    "cline": Tried("cline", "3.0.65"),
}
TIMEOUT_S = 20
"""A cold start of a Node program on a busy machine takes seconds."""


def version_here(agent: str) -> str | None:
    """The version of the agent that a shell would start; None when there is none or it does not say."""
    import subprocess
    from shutil import which

    program = which(TRIED[agent].program)
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
    _, newest, oldest = TRIED[agent]
    if oldest and _numbers(version) < _numbers(oldest):
        return -1
    return 1 if _numbers(version) > _numbers(newest) else 0


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))

"""What the suites of real clients share: a client of the kit, and segue as the client's user runs it."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from ..conftest import at_a_terminal

KIT = Path(os.environ.get("CLIENTS_KIT") or Path(__file__).parents[3] / "shared" / "clients")
_HOMES = ("XDG_CONFIG_HOME", "CODEX_HOME", "CLAUDE_CONFIG_DIR", "COPILOT_HOME", "PI_CODING_AGENT_DIR")
"""Variables that would lead out of the client's home."""


def open_client(name: str, *, bare: bool = True) -> Any:
    """A client in a scratch home; `bare` leaves the kit's probes out. One that is not installed is skipped with the
    command that installs it."""
    if not KIT.exists():
        pytest.skip("the client kit is not here")
    sys.path.insert(0, str(KIT))
    try:
        from client import Client

        return Client(name, bare=bare)
    except RuntimeError as fault:
        pytest.skip(str(fault))
    finally:
        sys.path.remove(str(KIT))


def run_client(client: Any, words: Sequence[str]) -> str:
    """What the client printed."""
    ran = client.run(*words, timeout=120)
    assert ran.returncode == 0, f"{words}: {ran.stdout[-800:]}\n{ran.stderr[-800:]}"
    said: str = ran.stdout
    return said


def run_segue(client: Any, *words: str, stdin: str = "") -> str:
    """A command of the client's user in its project, at a terminal: a workspace counts for whoever made it."""
    env = {name: value for name, value in os.environ.items() if name not in _HOMES}
    ours, theirs = pty.openpty()
    pipes = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    command, env = [sys.executable, "-m", "segue", *words], {**env, "HOME": client.home}
    with at_a_terminal(command, theirs, cwd=client.project, env=env, **pipes) as ran:
        os.close(theirs)
        out, err = ran.communicate(stdin)
    os.close(ours)
    assert ran.returncode == 0, err
    return out

"""What the suites share: scratch workspaces, golden files, and the command line in one process."""

from __future__ import annotations

import atexit
import fcntl
import io
import json
import os
import shutil
import subprocess
import tempfile
import termios
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import hypothesis
import pytest

from segue.agents import inside
from segue.agents.inside import ANNOUNCED
from segue.agents.registry import HOSTS, RECOGNISED, host_of
from segue.service import workspace as workspaces
from segue.service.workspace import Workspace
from segue.stores import accepted

HOME = tempfile.mkdtemp(prefix="segue-home-")
"""Nothing of the person who runs the tests is read or written, whatever the scope of a fixture: neither settings, nor
sessions, nor the list of accepted workspaces."""
_CACHE = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
os.environ.setdefault("CLIENTS_DIR", os.path.join(_CACHE, "segue-clients"))
"""Where the client kit installs agents: programs, and nothing of the person's."""
atexit.register(shutil.rmtree, HOME, ignore_errors=True)
os.environ["HOME"] = HOME
for _name in ("XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME"):
    os.environ.pop(_name, None)

hypothesis.settings.register_profile(
    "segue", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("segue")

# The suites act as a person at a terminal does, also where an agent runs them.
for _host in (*HOSTS, *RECOGNISED):
    for _mark in host_of(_host).marks:
        os.environ.pop(_mark, None)
os.environ.pop(ANNOUNCED, None)
inside.at_terminal, inside.environments = lambda: True, lambda: iter(())

SHARED = Path(__file__).parent.parent.parent / "shared"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    opened = workspaces.find(str(tmp_path))
    yield opened
    opened.close()


def accept(root: Path | str, **addresses: str) -> None:
    """Accepts a workspace that a test made by hand, and the addresses of its stores, as `segue trust` would."""
    given = accepted.new_id()
    (Path(root) / ".segue" / accepted.ID).write_text(given)
    with accepted.changing():
        accepted.add(str(root), {"id": given, **addresses})


def at_a_terminal(command: list[str], terminal: int, **more: Any) -> subprocess.Popen[str]:
    """A program that a person starts in a terminal, which controls it and is its standard input where that is no other."""

    def takes_it() -> None:
        fcntl.ioctl(terminal, termios.TIOCSCTTY, 0)

    given = {"stdin": terminal, "text": True, **more}
    return subprocess.Popen(command, start_new_session=True, preexec_fn=takes_it, **given)


Golden = Callable[[Path, str], None]


@pytest.fixture
def golden() -> Golden:
    """Compares a text with a file; with SEGUE_UPDATE_GOLDEN=1 the file is written first, for its diff to be read."""

    def compare(path: Path, text: str) -> None:
        if os.environ.get("SEGUE_UPDATE_GOLDEN") == "1":
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8")

    return compare


class Ran(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def segue(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs a command line inside a scratch directory, as a person would."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)

    def run(*argv: str, stdin: bytes = b"") -> Ran:
        from segue.surfaces.cli import app

        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        capfd.readouterr()
        code = app.run(list(argv))
        out, err = capfd.readouterr()
        return Ran(code, out, err)

    return run

"""Servers in processes of their own, which can be killed and started again at the same address."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from segue.stores.accepted import user_folder


class Process:
    """`segue serve` for a folder, on a port that stays its own."""

    def __init__(self, root: Path, *flags: str) -> None:
        self._command = [sys.executable, "-m", "segue", "serve", "--json", "--workspace", str(root), *flags]
        self._home = str(root.parent / "home")
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.start()

    def start(self) -> None:
        """Returns once it listens."""
        environment = {**os.environ, "HOME": self._home, "XDG_CONFIG_HOME": os.path.dirname(user_folder())}
        self._process = subprocess.Popen(
            [*self._command, "--port", str(self.port)],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, self._process.communicate()[1].decode()
        self.told: dict[str, Any] = json.loads(line)

    @property
    def pid(self) -> int:
        return self._process.pid

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()

    def terminate(self) -> tuple[int, list[dict[str, Any]]]:
        """The exit code of a server that was asked to stop, and what it logged."""
        self._process.send_signal(signal.SIGTERM)
        _, log = self._process.communicate(timeout=30)
        return self._process.returncode, [json.loads(line) for line in log.splitlines()]

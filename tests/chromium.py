"""A real browser for tests, driven over a pipe with its own protocol, so no further package is needed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium")
NEEDED = pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed (Debian: chromium)")


class Browser:
    """One page in a headless Chromium, spoken to over two pipes."""

    def __init__(self, profile: str) -> None:
        flags = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--disable-background-networking", "--no-first-run", "--disable-extensions")  # fmt: skip
        talk = (
            f"--user-data-dir={profile}",
            "--window-size=1200,900",
            "--remote-debugging-pipe",
            "about:blank",
        )
        self._process = subprocess.Popen(
            ["sh", "-c", 'exec "$0" "$@" 3<&0 4>&1 >/dev/null', str(CHROMIUM), *flags, *talk],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._process.stdin and self._process.stdout
        self._out, self._in = self._process.stdin, self._process.stdout
        self._count, self._session, self._waiting = 0, "", b""

    def open(self) -> None:
        target = self("Target.createTarget", url="about:blank")["targetId"]
        self._session = self("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        self("Page.enable")

    def __call__(self, method: str, **params: Any) -> dict[str, Any]:
        self._count += 1
        message = {"id": self._count, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        self._out.write(json.dumps(message).encode() + b"\0")
        self._out.flush()
        while True:
            answer = self._next()
            if answer.get("id") == self._count:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result

    def until(self, event: str) -> None:
        while self._next().get("method") != event:
            pass

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._waiting:
            read = os.read(self._in.fileno(), 1 << 20)
            assert read, "the browser is gone"
            self._waiting += read
        message, _, self._waiting = self._waiting.partition(b"\0")
        answer: dict[str, Any] = json.loads(message)
        return answer

    def value(self, expression: str) -> Any:
        answer = self("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def press(self, key: str, code: int, **more: Any) -> None:
        for kind in ("keyDown", "keyUp"):
            self("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **more)

    def close(self) -> None:
        self._out.close()
        self._process.terminate()
        self._process.wait()
        self._in.close()


@contextmanager
def started() -> Iterator[Browser]:
    profile = tempfile.mkdtemp(prefix="segue-chromium-")
    browser = Browser(profile)
    try:
        browser.open()
        yield browser
    finally:
        browser.close()
        shutil.rmtree(profile, ignore_errors=True)

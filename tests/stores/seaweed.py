"""A real object store for tests and measurements: SeaweedFS out of its package, on free ports of this machine."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

BUCKET = "artifacts"
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "tests", "AWS_SECRET_ACCESS_KEY": "only-for-tests"}
SERVICES = ("master", "volume", "filer", "s3")
PREPARATIONS = (("POST", f"/buckets/{BUCKET}/", None), ("PUT", "/probe/file", bytes(100_000)))
START_SECONDS = 30
STARTS = 3
"""Another program may take a free port before the server does."""


@contextmanager
def running(folder: Path) -> Iterator[str]:
    """Serves a bucket from a folder; yields the endpoint, and stops at the end."""
    for attempt in range(STARTS):
        ports = _free_ports()
        process = _start(folder / str(attempt), ports)
        try:
            if _ready(process, ports):
                yield f"http://127.0.0.1:{ports['s3.port']}"
                return
        finally:
            process.kill()
            process.wait()
    raise RuntimeError(f"SeaweedFS did not start; see the logs in {folder}.")


def _start(folder: Path, ports: dict[str, int]) -> subprocess.Popen[bytes]:
    folder.mkdir(parents=True)
    key, secret = CREDENTIALS.values()
    identity = {
        "name": "tests",
        "credentials": [{"accessKey": key, "secretKey": secret}],
        "actions": ["Read", "Write", "List"],
    }
    (folder / "s3.json").write_text(json.dumps({"identities": [identity]}), encoding="utf-8")
    options = {
        **ports,
        "dir": folder,
        "ip": "127.0.0.1",
        "filer": "true",
        "s3": "true",
        "s3.config": folder / "s3.json",
        "s3.autoCreateBucket": "false",
        "s3.port.iceberg": 0,
        "s3.port.lance": 0,
        "s3.localSocket": folder / "s3.sock",
        "filer.localSocket": folder / "filer.sock",
        "master.telemetry": "false",
        "master.electionTimeout": "1s",
        "master.volumeSizeLimitMB": 64,
        "volume.max": 100,
    }
    program = os.path.join(os.path.dirname(sys.executable), "weed")
    command = [
        program,
        "-logtostderr=true",
        "server",
        *(f"-{name}={value}" for name, value in options.items()),
    ]
    with open(folder / "log", "wb") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, cwd=folder)


def _ready(process: subprocess.Popen[bytes], ports: dict[str, int]) -> bool:
    """Waits until a file can be written and the bucket is there; False when that does not happen."""
    filer = f"http://127.0.0.1:{ports['filer.port']}"
    end = time.monotonic() + START_SECONDS
    while process.poll() is None and time.monotonic() < end:
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{ports['s3.port']}/healthz", timeout=5).close()
            for method, path, body in PREPARATIONS:
                request = urllib.request.Request(filer + path, body, method=method)
                urllib.request.urlopen(request, timeout=5).close()
            return True
        except OSError:
            try:
                process.wait(timeout=0.05)
            except subprocess.TimeoutExpired:
                continue
    return False


def _free_ports() -> dict[str, int]:
    names = [f"{service}.port{kind}" for service in SERVICES for kind in ("", ".grpc")]
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in names]
    ports = {name: held.getsockname()[1] for name, held in zip(names, sockets, strict=True)}
    for held in sockets:
        held.close()
    return ports

"""While backends are killed and the server is restarted under many processes, nothing acknowledged is lost."""

from __future__ import annotations

import queue
import subprocess
import sys
import threading
from pathlib import Path

from segue.model.ids import new_id
from segue.stores.registry import open_log

from .history import APPENDED, UNKNOWN, Operation, recorded, violations
from .postgres_server import Server

WORKER = Path(__file__).with_name("history_worker.py")
PROCESSES = 5
OPERATIONS = 60


def test_nothing_acknowledged_is_lost_while_backends_die_and_the_server_restarts(
    postgres: Server, tmp_path: Path
) -> None:
    address, streams = postgres.address_for(tmp_path), [new_id(), new_id()]
    lines: queue.Queue[tuple[int, str]] = queue.Queue()
    workers = [
        subprocess.Popen(
            [sys.executable, str(WORKER), address, f"p{n}", str(n), str(OPERATIONS), *streams],
            stdout=subprocess.PIPE,
            text=True,
        )
        for n in range(PROCESSES)
    ]

    def listen(n: int) -> None:
        out = workers[n].stdout
        assert out
        with out:
            for line in out:
                lines.put((n, line))
        lines.put((n, ""))

    listeners = [threading.Thread(target=listen, args=(n,)) for n in range(PROCESSES)]
    for listener in listeners:
        listener.start()
    said: list[list[str]] = [[] for _ in workers]
    heard = killed = 0
    running = PROCESSES
    while running:
        n, line = lines.get(timeout=60)
        if not line:
            running -= 1
            continue
        said[n].append(line)
        heard += 1
        if heard == 150:
            postgres.control("-m", "immediate", "restart")
        elif heard % 12 == 0:
            killed += postgres.terminate_backends()
    for worker, listener in zip(workers, listeners, strict=True):
        listener.join(60)
        assert worker.wait(60) == 0
    history: list[Operation] = [operation for each in said for operation in recorded(each)]
    log = open_log(address, "")
    final = {stream: [frame.data["token"] for frame in log.read(stream)] for stream in streams}
    assert violations(history, final) == []
    assert list(log.verify()) == []
    log.close()
    assert killed > 20
    assert sum(operation.outcome == APPENDED for operation in history) > 100
    assert sum(operation.outcome == UNKNOWN for operation in history) < 20

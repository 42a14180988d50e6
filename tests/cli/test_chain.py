"""Handoffs in a row: each session that began with a packet hangs on the handoff that made it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Segue = Callable[..., Any]


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str, str], str]:
    """A session of that id, which begins with this prompt."""

    def written(name: str, prompt: str) -> str:
        said = [("user", prompt), ("assistant", "I went on with it.")]
        rows = [
            {
                "type": role,
                "sessionId": name,
                "uuid": f"{name}-{n}",
                "parentUuid": f"{name}-{n - 1}" if n else None,
                "cwd": str(tmp_path),
                "timestamp": f"2026-01-01T00:00:0{n}Z",
                "message": {"role": role, "content": text},
            }
            for n, (role, text) in enumerate(said)
        ]
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(path)

    return written


def test_handoffs_in_a_row_are_one_line_of_descent(segue: Segue, write: Callable[[str, str], str]) -> None:
    packet, made = "Mend the importer.", []
    for hop in range(4):
        session = write(f"hop-{hop}", packet)
        made.append(segue("handoff", "go on", "--from", session, "--yes", "--json").json)
        packet = f"{made[-1]['packet'].strip()}\n\nPlease go on."
    graph = segue("thread", "lineage", "--graph").out.splitlines()
    assert (len(graph), sum(line.startswith("○") for line in graph)) == (8, 1)
    ancestors = segue("thread", "lineage", made[-1]["thread_id"], "--json").json["ancestors"]
    assert [a["relation"] for a in ancestors] == ["handoff", "branch"] * 3 + ["handoff"]
    assert [a["thread_id"] for a in ancestors[1::2]] == [m["thread_id"] for m in made[-2::-1]]
    assert segue("verify").code == 0


def test_a_packet_that_was_not_committed_here_links_nothing(
    segue: Segue, write: Callable[[str, str], str]
) -> None:
    packet = segue("handoff", "go on", "--from", write("first", "Mend the importer."), "--dry-run").out
    made = segue("handoff", "go on", "--from", write("second", packet), "--yes", "--json").json
    ancestors = segue("thread", "lineage", made["thread_id"], "--json").json["ancestors"]
    assert [a["relation"] for a in ancestors] == ["handoff"]

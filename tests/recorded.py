"""Small sessions as agents record them, put where each keeps its own, with a time of their last entry."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any


def id_of(number: int) -> str:
    return f"{number:08x}-0000-4000-8000-000000000001"


def claude(project: Path, number: int, at: str, *prompts: str) -> Path:
    """A session of Claude Code, each prompt of which was answered."""
    home = Path(os.environ["HOME"])
    folder = home / ".claude" / "projects" / re.sub(r"[^A-Za-z0-9]", "-", str(project))
    folder.mkdir(parents=True, exist_ok=True)
    head = {"cwd": str(project), "sessionId": id_of(number), "timestamp": at}
    lines: list[dict[str, Any]] = [{"type": "permission-mode", "permissionMode": "default"}]
    for n, text in enumerate(prompts):
        parent = f"a{n - 1}" if n else None
        said = {"role": "user", "content": text}
        lines.append({"type": "user", "uuid": f"u{n}", "parentUuid": parent, "message": said, **head})
        reply = {"id": f"m{n}", "role": "assistant", "content": [{"type": "text", "text": "Done."}]}
        lines.append({"type": "assistant", "uuid": f"a{n}", "parentUuid": f"u{n}", "message": reply, **head})
    lines.append({"type": "system", "subtype": "turn_duration", "uuid": "s", **head})
    path = folder / f"{id_of(number)}.jsonl"
    path.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    return path


def codex(project: Path, number: int, at: str, *prompts: str) -> Path:
    folder = Path(os.environ["HOME"]) / ".codex" / "sessions" / "2026" / "03" / "02"
    folder.mkdir(parents=True, exist_ok=True)
    told: list[dict[str, Any]] = [
        {"type": "session_meta", "payload": {"id": id_of(number), "cwd": str(project)}}
    ]
    told += [
        {"type": "event_msg", "payload": {"type": "user_message", "message": prompt}} for prompt in prompts
    ]
    path = folder / f"rollout-2026-03-02T10-00-00-{id_of(number)}.jsonl"
    path.write_text("".join(json.dumps({"timestamp": at, **one}) + "\n" for one in told))
    return path

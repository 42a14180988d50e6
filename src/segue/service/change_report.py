"""Two lines for the start of a session: what is going on here, and how to take it up.

Hooks call this, so it reads the registry and the few records at hand with nothing but the standard
library, and is silent about whatever it cannot read: a report must never stop an agent.
"""

from __future__ import annotations

import json
import os
from typing import Any

_SHOWN = 3
_CLIP = 80
_ORDER = ("blocked", "in_progress", "paused")


def session_start_report(root: str) -> list[str]:
    """The changes in progress, blocked or paused, and the offer to resume; nothing if there are none."""
    folder = os.path.join(root, "docs", "TC")
    registry = _load(os.path.join(folder, "tc_registry.json"))
    rows = registry.get("records")
    at_work = [
        row
        for row in (rows if isinstance(rows, list) else [])
        if isinstance(row, dict) and row.get("status") in _ORDER
    ]
    if not at_work:
        return []
    at_work.sort(key=lambda row: str(row.get("updated")), reverse=True)
    at_work.sort(key=lambda row: _ORDER.index(row["status"]))
    shown: list[dict[str, Any]] = []
    while at_work and len(shown) < _SHOWN:
        record = _record(folder, at_work.pop(0))
        shown += [record] if record.get("status") in _ORDER else []
    if not shown:
        return []
    more = f"; and {len(at_work)} more" if at_work else ""
    first = next((record for record in shown if record["status"] == "in_progress"), shown[0])
    return [
        f"Changes at work: {'; '.join(map(_told, shown))}{more}.",
        f"Resume one with `segue change resume {_short(first)}`; `segue change list --open` shows all.",
    ]


def _record(folder: str, row: dict[str, Any]) -> dict[str, Any]:
    """The record behind a row, which may say otherwise; the row itself if the record cannot be read."""
    path = os.path.join(folder, "records", os.path.basename(str(row.get("tc_id"))), "tc_record.json")
    return {**row, **_load(path)}


def _told(record: dict[str, Any]) -> str:
    text = f"{_short(record)} {record['status']}: {_clip(record.get('title'))}"
    word, field = ("blocker", "blockers") if record["status"] == "blocked" else ("next", "next_steps")
    items: Any = record
    for name in ("session_context", "handoff", field):
        items = items.get(name) if isinstance(items, dict) else None
    if isinstance(items, list) and items:
        text += f" ({word}: {_clip(items[0])})"
    return text


def _short(record: dict[str, Any]) -> str:
    return "-".join(str(record.get("tc_id")).split("-")[:2])


def _clip(value: Any) -> str:
    line = " ".join("".join(ch if ch.isprintable() else " " for ch in str(value)).split())
    return line if len(line) <= _CLIP else line[: _CLIP - 1] + "…"


def _load(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            value = json.load(file)
    except (OSError, ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}

"""Where this workspace stands: its threads, its frames, its artifacts, and what happened last."""

from __future__ import annotations

import argparse
import time

from segue.surfaces.cli.draft import current, described
from segue.surfaces.cli.operation_calls import ask
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.printable import counted


def do_status(args: argparse.Namespace, out: Output) -> None:
    found = ask(args, "status")
    if not found["exists"]:
        out.result(found, f"No workspace in {found['workspace']} yet. The first write makes it.")
        return
    lines = [
        f"workspace {found['workspace']} ({found['store']})",
        *([found["unwritable"]] if "unwritable" in found else []),
        f"{counted(found['threads'], 'thread')} ({found['archived']} archived), "
        f"{counted(found['frames'], 'frame')}, "
        f"{counted(found['artifacts'], 'artifact')} ({counted(found['artifact_bytes'], 'byte')})",
    ]
    if "default_thread_id" in found:
        lines.append(f"default thread {found['default_thread_id']}")
    if "last_frame" in found:
        last = found["last_frame"]
        when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(last["timestamp_ms"] / 1000))
        lines.append(f"last frame {last['type']} at seq {last['seq']} of {last['thread_id']}, {when}")
    if found["handoff"]["exists"]:
        lines.append(current(found["handoff"]))
    if "draft" in found:
        lines.append(described(found["draft"]))
    if "hooks" in found:
        hooks = found["hooks"]
        calls = counted(hooks["traces"], "hook call")
        lines.append(f"{calls} failed or not understood; the last: {hooks['last']}")
    if "spooled" in found:
        lines.append(f"waiting to be recorded: {counted(found['spooled'], 'moment')}")
    lines += found.get("maintenance", [])
    for row in found.get("proposals", []):
        lines.append(f"{counted(row['candidates'], 'candidate')} for durable memory in {row['path']}")
    if "inside_workspace" in found:
        lines.append(f"it lies inside the workspace {found['inside_workspace']}")
    out.result(found, "\n".join(lines))

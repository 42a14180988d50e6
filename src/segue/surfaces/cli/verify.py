"""Verification: re-derives what is stored and says what no longer fits."""

from __future__ import annotations

import argparse
from typing import Any

from segue.errors import BadInput
from segue.surfaces.cli.operation_calls import act, ask, server_of
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import read_text
from segue.surfaces.cli.printable import counted

_STATES = {"drifted": "drifted", "unknown": "not checked", "holds": "still holds"}

_NOTHING = (
    "Nothing in this handoff can be checked: it names no file, commit, command or line that is known here."
)


def do_verify(args: argparse.Namespace, out: Output) -> int:
    return report(args, "all", out)


def do_log(args: argparse.Namespace, out: Output) -> int:
    return report(args, "log", out)


def do_artifacts(args: argparse.Namespace, out: Output) -> int:
    return report(args, "artifacts", out)


def report(args: argparse.Namespace, what: str, out: Output) -> int:
    """Prints the findings; 1 when any is damage."""
    found = ask(args, "verify", what=what)
    out.result(found, "\n".join(findings(found)))
    return 0 if found["ok"] else 1


def findings(found: dict[str, Any]) -> list[str]:
    """What was found, a line or two each, and the verdict."""
    lines = [f"{_kind(f)} at {f['where']}: {f['message']}\n  hint: {f['hint']}" for f in found["findings"]]
    damage = sum(f["severity"] == "error" for f in found["findings"])
    return [*lines, "Everything fits." if found["ok"] else f"{damage} finding{'' if damage == 1 else 's'}."]


def _kind(finding: dict[str, Any]) -> str:
    return f"{finding['severity']}: {finding['kind']}" if finding["severity"] != "error" else finding["kind"]


def do_handoff(args: argparse.Namespace, out: Output) -> int:
    text = read_text(args.file) if args.file else None
    values = {"text": text, "artifact_id": args.artifact}
    if args.transcript and server_of(args) is not None:
        raise BadInput("A server does not read this machine's transcripts.", "Leave --transcript out.")
    if args.transcript:
        values["transcript"] = args.transcript
    found = ask(args, "handoff.verify", **values)
    shown = [state for state in _STATES if _of(state, found) and (args.all or state != "holds")]
    groups = [_group(state, found["findings"]) for state in shown]
    out.result(found, "\n\n".join([*groups, _summary(found)]) if found["findings"] else _NOTHING)
    return 0 if found["ok"] else 1


def _summary(found: dict[str, Any]) -> str:
    holds, drifted, unknown = (len(_of(state, found)) for state in ("holds", "drifted", "unknown"))
    return (
        f"{holds} statement{' holds' if holds == 1 else 's hold'}, {drifted} drifted, {unknown} not checked."
    )


def _of(state: str, found: dict[str, Any]) -> list[dict[str, Any]]:
    return [finding for finding in found["findings"] if finding["state"] == state]


def _group(state: str, findings: list[dict[str, Any]]) -> str:
    lines = [f"{_STATES[state]}:"]
    for finding in findings:
        if finding["state"] == state:
            lines.append(f"- {finding['where']}: {finding['message']}")
            lines += [f"  hint: {finding['hint']}"] if finding["hint"] and state != "holds" else []
    return "\n".join(lines)


def do_rebuild(args: argparse.Namespace, out: Output) -> int:
    done = act(args, "rebuild", accept_loss=args.accept_loss)
    made = f"{counted(done['streams'], 'stream')} and {counted(done['threads'], 'thread')} made again from their frames."
    out.result(done, "\n".join([made, *findings(done)]))
    return 0 if done["ok"] else 1

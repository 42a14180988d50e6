"""Other programs' sessions: list, show, search and import them, whoever wrote them."""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from segue.errors import BadInput
from segue.service.sessions import lookup
from segue.surfaces.cli.operation_calls import send, server_of
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import provenance, workspace_of
from segue.surfaces.cli.printable import age, counted, printable, squeezed
from segue.surfaces.cli.progress import Progress

_SHORT = 8


def _directory(args: argparse.Namespace) -> str:
    return os.path.abspath(getattr(args, "workspace", None) or os.getcwd())


def _require_here(args: argparse.Namespace) -> None:
    if getattr(args, "server", None):
        raise BadInput("Sessions are files of this machine.", "Leave --server out; `import` takes it.")


def do_list(args: argparse.Namespace, out: Output) -> None:
    _require_here(args)
    with Progress() as progress:
        found = lookup.list_sessions(_directory(args), args.agent, args.all, progress)
    _say_skipped(found, out)
    rows = [_row(row, args.all) for row in found["sessions"]]
    nothing = "No sessions" + (
        " anywhere." if args.all else " of this directory. `--all` shows those of every one."
    )
    out.result(found, "\n".join(rows) or nothing)


do_sessions = do_list


def _say_skipped(found: dict[str, Any], out: Output) -> None:
    for one in found.get("skipped", ()):
        reason = one["reason"].rstrip(".")
        named = reason if one["path"] in reason else f"{one['path']}: {reason}"
        out.note(printable(f"segue: passed over: {named}."))


def _row(row: dict[str, Any], with_cwd: bool) -> str:
    title = row.get("title") or row.get("last_prompt") or ""
    turns = counted(row["turns"], "turn")
    details = [f"{turns} or more" if row.get("partly") else turns, _size(row["bytes"])]
    details += [f"not handed off: {row['passed_over']}"] if row.get("passed_over") else []
    details += [row["branch"]] if row.get("branch") else []
    details += [row["cwd"]] if with_cwd and row.get("cwd") else []
    lines = [f"{row['agent']:<12} {row['id']}  {age(row['updated_at_ms'])}  {' · '.join(details)}"]
    if title:
        lines.append(f"             {squeezed(title)[:100]}")
    if row.get("title") and row.get("last_prompt"):
        lines.append(f"             > {squeezed(row['last_prompt'])[:96]}")
    return "\n".join(map(printable, lines))


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(size // 1000, 1)} KB"


def _source(args: argparse.Namespace) -> lookup.Source:
    if args.session == "-":
        return lookup.from_stdin(args.agent)
    with Progress() as progress:
        return lookup.find(args.session, args.agent, progress, _directory(args))


def do_show(args: argparse.Namespace, out: Output) -> None:
    _require_here(args)
    source = _source(args)
    with Progress() as progress:
        found = lookup.show(source, args.branch, progress)
    if args.line is not None:
        _show_line(args, found, out)
        return
    others = found.get("others", 0)
    if others and source.piped:
        out.note(
            f"segue: this is the newest of {others + 1} sessions; save them in a FILE to name one as FILE#ID."
        )
    elif others:
        out.note(
            printable(
                f"segue: this is the newest session of {source.path}, which holds {others} other"
                f"{'' if others == 1 else 's'}; name one as {source.path}#ID, with one of {', '.join(found['ids'])}."
            )
        )
    if out.as_json:
        from msgspec import to_builtins

        out.result({**found, "entries": [] if args.counts else to_builtins(found["entries"])}, "")
        return
    counts = ", ".join(
        f"{number} {name.replace('_', ' ')}" for name, number in found["counts"].items() if number
    )
    path = "standard input" if source.piped else printable(found["session"]["path"])
    out.text(f"{_row(found['session'], True)}\n             {path}\n{counts}")
    if not args.counts:
        ids = _short_ids(entry.native_id for entry in found["entries"])
        width = max(map(len, ids.values()), default=0)
        timed = any(entry.time_ms is not None for entry in found["entries"])
        for entry in found["entries"]:
            line = _entry(entry, ids.get(entry.native_id, ""), width, timed)
            if line:
                out.line(printable(line))


def _show_line(args: argparse.Namespace, found: dict[str, Any], out: Output) -> None:
    """The entries of one line and of those around it, each with its whole text."""
    entries = lookup.near(found["entries"], args.line, args.around)
    if out.as_json:
        from msgspec import to_builtins

        out.result({**found, "entries": to_builtins(entries)}, "")
        return
    for entry in entries:
        out.line(printable(_entry(entry, "", 0, entry.time_ms is not None)))
        for row in (entry.text if entry.kind != "tool_call" or not entry.command else entry.command).split(
            "\n"
        ):
            out.line(printable(f"    {row}"))


def _short_ids(ids: Iterable[str]) -> dict[str, str]:
    """For each id the shortest beginning, of 8 characters or more, that begins no other."""
    ordered = sorted({*ids} - {""})
    shared = [_common(*pair) for pair in pairwise(ordered)]
    needed = map(max, [0, *shared], [*shared, 0])
    return {one: one[: max(_SHORT, count + 1)] for one, count in zip(ordered, needed, strict=False)}


def _common(one: str, other: str) -> int:
    """How many characters two texts begin with alike."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


_MARKS = {
    "user": "▌",
    "agent": "·",
    "thought": "~",
    "tool_call": "→",
    "tool_result": "←",
    "summary": "≡",
    "compaction": "═",
    "todo": "☐",
    "plan": "☐",
    "question": "?",
    "answer": "▌",
    "rejection": "✗",
    "interruption": "!",
    "model_change": "*",
    "subagent_start": "»",
    "subagent_end": "«",
    "unreadable": "¿",
    "other": " ",
}


def _entry(entry: Any, native_id: str, width: int, timed: bool) -> str:
    if entry.kind == "meta":
        return ""
    said = {
        "tool_call": entry.command or f"{' '.join(_touched(entry))} {entry.text}",
        "todo": " · ".join(f"{todo.text} ({todo.state})" for todo in entry.todos),
        "unreadable": entry.reason,
        "model_change": entry.model,
        "interruption": entry.text or entry.reason or "interrupted",
        "compaction": _cut_down(entry.data),
        "other": entry.text or _fields(entry.data.get("fields")),
    }.get(entry.kind, entry.text)
    notes = [f"via {entry.via}"] if entry.kind == "user" and entry.by != "person" else []
    notes += [entry.tool] if entry.tool else []
    notes += [str(entry.data[key]) for key in _TOLD.get(entry.kind, ()) if entry.data.get(key)]
    notes += [f"exit {entry.exit_code}"] if entry.exit_code else []
    notes += ["error"] if entry.is_error and not entry.exit_code else []
    notes += ["inherited"] if "inherited" in entry.data else []
    label = f"{entry.kind} {' '.join(notes)}".strip()
    place = f"#{entry.line:<6} {native_id:<{width}}" if width else f"#{entry.line:<6}"
    place += f" {_clock(entry.time_ms)}" if timed else ""
    return f"{place} {_MARKS.get(entry.kind, ' ')} {label:<22} {squeezed(said[:800])[:200]}"


_TOLD = {"plan": ("outcome",), "other": ("type",)}
"""What of an entry's data stands beside its kind."""


def _touched(entry: Any) -> list[str]:
    """The paths of a call, those it edits included, each once."""
    return list(dict.fromkeys([*entry.paths, *(edit.path for edit in entry.edits)]))


def _cut_down(data: dict[str, Any]) -> str:
    """What a compaction says of itself."""
    counts = {"tokens_before": "tokens before", "tokens_after": "after"}
    told = [f"{data[key]} {name}" for key, name in counts.items() if data.get(key)]
    return ", ".join([str(data["trigger"]), *told] if data.get("trigger") else told)


def _fields(value: object) -> str:
    """What a record holds that nobody understood."""
    return " ".join(f"{name}={item}" for name, item in value.items()) if isinstance(value, dict) else ""


def _clock(ms: int | None) -> str:
    """The time in UTC to the second, as wide where there is none."""
    if ms is None:
        return " " * 20
    try:
        return time.strftime("%Y-%m-%d %H:%M:%SZ", time.gmtime(ms / 1000))
    except (OverflowError, ValueError, OSError):
        return " " * 20


def do_search(args: argparse.Namespace, out: Output) -> None:
    _require_here(args)
    if args.limit < 1:
        raise BadInput("--limit counts hits, so it is 1 or more.", "Leave it out for the best 20.")
    with Progress() as progress:
        found = lookup.search(
            " ".join(args.words), _directory(args), args.agent, args.all, args.limit, progress
        )
    _say_skipped(found, out)
    lines = [
        printable(f"{hit['agent']} {hit['id']} #{hit['line']} {hit['kind']}")
        + f"\n  {squeezed(hit['snippet'])}"
        for hit in found["hits"]
    ]
    out.result(found, "\n".join(lines) or "Nothing found.")


def do_import(args: argparse.Namespace, out: Output) -> None:
    from segue.service.imports import intake
    from segue.service.remote import sessions

    source, server = _source(args), server_of(args)
    if source.piped and source.agent == sessions.FORMAT:
        source = sessions.attributed(source)
    with Progress() as progress:
        if server is None:
            done = intake.import_session(workspace_of(args), source, provenance(args), progress)
        else:
            done = send(server, source, provenance(args), progress)
    damaged = done.get("unreadable", 0)
    if damaged:
        entries = "entry" if damaged == 1 else "entries"
        out.note(f"segue: {damaged} {entries} could not be read; `segue sessions show` tells where and why.")
    if not done["added"] and not done["head_seq"]:
        out.note("segue: nothing was found in this session that a thread could hold.")
    out.result(done, f"{done['thread_id']}  {done['added']} frames added, head at seq {done['head_seq']}")

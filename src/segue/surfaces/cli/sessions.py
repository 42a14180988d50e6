"""Other programs' sessions: list, show, search and import them, whoever wrote them.

X is a session's id or the beginning of one, agent:id, or a file; `-` is standard input.
"""

from __future__ import annotations

import argparse
import os
import time
from typing import Any

from segue.errors import BadInput
from segue.service import sessions
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Parser, Verbs, add_provenance, provenance, workspace_of
from segue.surfaces.cli.progress import Progress


def configure(parser: Parser) -> None:
    parser.set_defaults(do=_list)
    verbs = Verbs(parser, required=False)
    listing = verbs.add("list", _list, "sessions of this directory, newest first (also without a verb)")
    show = verbs.add("show", _show, "one session as a readable, redacted timeline")
    search = verbs.add("search", _search, "find words in sessions")
    bring = verbs.add("import", _import, "bring a session into the log as a thread, or bring it up to date")
    for verb in (parser, listing, show, search, bring):
        verb.add_argument("--agent", metavar="A", help="only this agent's sessions")
    for verb in (parser, listing, search):
        verb.add_argument("--all", action="store_true", help="of every directory")
    for verb in (show, bring):
        verb.add_argument("session", metavar="X", help="id, agent:id or file")
    show.add_argument("--branch", metavar="B", help="`all`, or a native id whose branch is wanted")
    show.add_argument("--counts", action="store_true", help="only the counts")
    search.add_argument("words", nargs="+")
    search.add_argument("--limit", type=int, default=20, metavar="N")
    add_provenance(bring)


def _directory(args: argparse.Namespace) -> str:
    return os.path.abspath(getattr(args, "workspace", None) or os.getcwd())


def _list(args: argparse.Namespace, out: Output) -> None:
    progress = Progress()
    found = sessions.list_sessions(_directory(args), args.agent, args.all, progress)
    progress.done()
    rows = [_row(row, args.all) for row in found["sessions"]]
    nothing = "No sessions" + (
        " anywhere." if args.all else " of this directory. `--all` shows those of every one."
    )
    out.result(found, "\n".join(rows) or nothing)


def _row(row: dict[str, Any], with_cwd: bool) -> str:
    title = row.get("title") or row.get("last_prompt") or ""
    details = [f"{row['turns']} turns", _size(row["bytes"])]
    details += [row["branch"]] if row.get("branch") else []
    details += [row["cwd"]] if with_cwd and row.get("cwd") else []
    lines = [f"{row['agent']:<12} {row['id']}  {_age(row['updated_at_ms'])}  {' · '.join(details)}"]
    if title:
        lines.append(f"             {_plain(title)[:100]}")
    if row.get("title") and row.get("last_prompt"):
        lines.append(f"             > {_plain(row['last_prompt'])[:96]}")
    return "\n".join(lines)


def _age(ms: int) -> str:
    seconds = max(0, int(time.time() - ms / 1000))
    for unit, size in (("d", 86400), ("h", 3600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit} ago"
    return "just now"


def _size(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{max(size // 1000, 1)} KB"


def _plain(text: str) -> str:
    """Text on one line, without what could drive a terminal."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _source(args: argparse.Namespace) -> sessions.Source:
    if args.session == "-":
        return sessions.from_stdin(args.agent)
    return sessions.find(args.session, args.agent, Progress())


def _show(args: argparse.Namespace, out: Output) -> None:
    found = sessions.show(_source(args), args.branch)
    counts = ", ".join(
        f"{number} {name.replace('_', ' ')}" for name, number in found["counts"].items() if number
    )
    head = f"{_row(found['session'], True)}\n             {found['session']['path']}\n{counts}"
    if out.as_json:
        from msgspec import to_builtins

        out.result({**found, "entries": [] if args.counts else to_builtins(found["entries"])}, "")
        return
    out.text(head)
    if not args.counts:
        for entry in found["entries"]:
            line = _entry(entry)
            if line:
                out.line(line)


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


def _entry(entry: Any) -> str:
    if entry.kind == "meta" or (entry.kind == "other" and not entry.text):
        return ""
    said = {
        "tool_call": entry.command or f"{' '.join(entry.paths)} {entry.text}",
        "todo": " · ".join(f"{todo.text} ({todo.state})" for todo in entry.todos),
        "unreadable": entry.reason,
        "model_change": entry.model,
        "interruption": entry.text or entry.reason or "interrupted",
    }.get(entry.kind, entry.text)
    notes = [f"via {entry.via}"] if entry.kind == "user" and entry.by != "person" else []
    notes += [entry.tool] if entry.tool else []
    notes += [f"exit {entry.exit_code}"] if entry.exit_code else []
    notes += ["error"] if entry.is_error and not entry.exit_code else []
    label = f"{entry.kind} {' '.join(notes)}".strip()
    return f"#{entry.line:<6} {_MARKS.get(entry.kind, ' ')} {label:<22} {_plain(said[:800])[:200]}"


def _search(args: argparse.Namespace, out: Output) -> None:
    if args.limit < 1:
        raise BadInput("--limit counts hits, so it is 1 or more.", "Leave it out for the best 20.")
    progress = Progress()
    found = sessions.search(
        " ".join(args.words), _directory(args), args.agent, args.all, args.limit, progress
    )
    progress.done()
    lines = [
        f"{hit['agent']} {hit['id']} #{hit['line']} {hit['kind']}\n  {_plain(hit['snippet'])}"
        for hit in found["hits"]
    ]
    out.result(found, "\n".join(lines) or "Nothing found.")


def _import(args: argparse.Namespace, out: Output) -> None:
    from segue.service import imports

    progress = Progress()
    done = imports.import_session(workspace_of(args), _source(args), provenance(args), progress)
    progress.done()
    out.result(done, f"{done['thread_id']}  {done['added']} frames added, head at seq {done['head_seq']}")

"""Threads: append-only streams of messages, branched and handed off by links."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

from segue.errors import BadInput, Unavailable
from segue.model import wire
from segue.service.threads.incoming import MAX_MESSAGE_BYTES
from segue.surfaces.cli import thread_text
from segue.surfaces.cli.operation_calls import act, ask, ask_events, given
from segue.surfaces.cli.output import Output, note_page
from segue.surfaces.cli.parsing import read_text
from segue.surfaces.cli.printable import shown_json


def do_ensure(args: argparse.Namespace, out: Output) -> None:
    found = act(args, "thread.ensure")
    out.result(found, found["thread_id"])


def do_create(args: argparse.Namespace, out: Output) -> None:
    made = act(args, "thread.create", title=args.title)
    out.result(made, made["thread_id"])


def do_list(args: argparse.Namespace, out: Output) -> None:
    found = ask(args, "thread.list", archived=args.all, **given(args, "tag", "limit", "after"))
    rows = [thread_text.line(row) for row in found["threads"]]
    nothing = "No threads yet. `segue thread ensure` makes the first."
    out.result(found, "\n".join(rows) or (nothing if args.after is None else "No threads follow."))
    note_page(found, out)


def do_show(args: argparse.Namespace, out: Output) -> None:
    row = ask(args, "thread.show", thread_id=args.thread_id)
    if out.as_json:
        out.result(row, "")
        return
    after = max(-1, row["head_seq"] - thread_text.LOOKED_AT)
    frames = ask_events(args, row["thread_id"], after, False, thread_text.LOOKED_AT)
    messages = thread_text.newest(_readable(frames))
    out.text("\n\n".join(filter(None, (thread_text.described(row), messages))))


def _readable(frames: Iterable[str]) -> Iterator[Any]:
    for frame in frames:
        with suppress(BadInput):  # a damaged one; `segue verify` says where
            yield wire.decode(frame)


def do_post(args: argparse.Namespace, out: Output) -> None:
    content = args.content
    if content is None:
        content = read_text(args.content_file, MAX_MESSAGE_BYTES)
    effects = wire.decode(read_text(args.effects, MAX_MESSAGE_BYTES)) if args.effects else []
    if not isinstance(effects, list):
        raise BadInput("--effects names a file with a JSON list.", "Give [] where the run had no effects.")
    done = act(
        args,
        "thread.post",
        content=content,
        effects=effects,
        **given(args, "thread_id", "role", "run", "run_ended", "expect"),
    )
    out.result(done, f"{done['message_id']}  seq {done['seq']}")


def do_branch(args: argparse.Namespace, out: Output) -> None:
    made = act(args, "thread.branch", **given(args, "thread_id", "title", "from_message_id", "from_seq"))
    out.result(made, f"{made['thread_id']}  branch of {made['parent_thread_id']} at seq {made['parent_seq']}")


def do_handoff(args: argparse.Namespace, out: Output) -> None:
    refs = {
        "threads": [_at(text) for text in args.ref_thread],
        "artifacts": [{"artifact_id": text} for text in args.ref_artifact],
        "files": [{"path": text} for text in args.ref_file],
    }
    made = act(
        args,
        "thread.handoff",
        summary_markdown=_summary(args),
        refs=refs,
        **given(args, "thread_id", "title", "summary_artifact_id", "goal", "from_message_id", "from_seq"),
    )
    out.result(
        made,
        f"{made['thread_id']}  handoff from {made['from_thread_id']} at seq {made['from_seq']}\n"
        f"bundle {made['summary_artifact_id']}",
    )


def _summary(args: argparse.Namespace) -> str | None:
    if args.summary_markdown is not None and args.summary_file is not None:
        raise BadInput("Give --summary-markdown or --summary-file, not both.", "Leave one of them out.")
    if args.summary_file is not None:
        return read_text(args.summary_file, MAX_MESSAGE_BYTES)
    text: str | None = args.summary_markdown
    return text


def _at(text: str) -> dict[str, Any]:
    thread_id, mark, seq = text.partition("@")
    if mark and not seq.isdigit():
        raise BadInput(f"{text!r} does not name a cut.", "Write ID@SEQ, or ID for the head.")
    return {"thread_id": thread_id, **({"seq": int(seq)} if mark else {})}


def do_reference(args: argparse.Namespace, out: Output) -> None:
    to = _at(args.to)
    done = act(
        args,
        "thread.reference",
        thread_id=args.thread_id,
        to_thread_id=to["thread_id"],
        to_seq=to.get("seq"),
        note=args.note,
    )
    out.result(done, f"{done['thread_id']} refers to {done['to_thread_id']} up to seq {done['to_seq']}")


def do_events(args: argparse.Namespace, out: Output) -> None:
    def lost(fault: Unavailable) -> None:
        out.note(f"segue: {fault.message} It is tried again until it is back.")

    for frame in ask_events(args, args.thread_id, args.after_seq, args.follow, args.max_events, lost):
        out.line(shown_json(frame))


def do_lineage(args: argparse.Namespace, out: Output) -> None:
    if args.thread_id is None and not args.graph:
        raise BadInput("Name a thread.", "`segue thread lineage --graph` draws all of them.")
    found = ask(args, "thread.lineage", thread_id=args.thread_id) if args.thread_id else {}
    if args.graph:
        lines = ask(args, "thread.graph", thread_id=args.thread_id)["graph"]
        out.result({**found, "graph": lines}, "\n".join(lines) or "No threads yet.")
        return
    lines = [f"{_relation(row)} of {row['thread_id']}" for row in found["ancestors"]]
    lines += [f"parent of {row['thread_id']} ({_relation(row)})" for row in found["children"]]
    out.result(found, "\n".join(lines) or "No relations: a root without children.")


def _relation(row: Any) -> str:
    return f"{row['relation']} at seq {row['seq']}"


def do_compile(args: argparse.Namespace, out: Output) -> int | None:
    if args.audit:
        _require_plain_audit(args)
        report = ask(args, "thread.audit", thread_id=args.thread_id)
        lines = [f"{f['where']}: {f['message']}\n  {f['hint']}" for f in report["findings"]]
        out.result(
            report, "\n".join([*lines, f"{report['checked']} compiled contexts, {len(lines)} differ."])
        )
        return 0 if report["ok"] else 1
    made = act(args, "thread.compile", **given(args, "thread_id", "budget", "at_seq", "run"))
    body = "\n\n".join(_item(item) for item in made["bundle"]["items"])
    out.result(made, f"bundle {made['bundle_artifact_id']}  {made['tokens']} tokens\n\n{body}")
    return None


def _require_plain_audit(args: argparse.Namespace) -> None:
    useless = {"--budget": args.budget, "--at-seq": args.at_seq, "--run": args.run}
    for flag, value in useless.items():
        if value is not None:
            raise BadInput(
                f"An audit compiles every recorded context as it was, so {flag} has no meaning there.",
                f"Leave out {flag}, or --audit.",
            )


def _item(item: dict[str, Any]) -> str:
    name = item.get("role") or item.get("path") or item.get("artifact_id", "")[:12]
    where = f" @{item['thread_seq']}" if "thread_seq" in item else ""
    return f"── {item['type']} {name}{where}\n{item.get('content', '(not resolved: see the reference)')}"


def do_checkpoint(args: argparse.Namespace, out: Output) -> None:
    if args.auto:
        job = act(args, "thread.checkpoints-due", **given(args, "thread_id", "stride", "max_new", "dry_run"))
        lines = [
            f"due: message {row['target_message_ordinal']} at seq {row['to_seq']}" for row in job["planned"]
        ]
        out.result(job, "\n".join([*lines, _job_summary(job, args.dry_run)]))
        return
    made = act(
        args,
        "thread.checkpoint",
        summary_markdown=_summary(args),
        **given(args, "thread_id", "summary_artifact_id", "to_message_id", "to_seq"),
    )
    out.result(
        made, f"{made['checkpoint_id']}  up to seq {made['to_seq']}\nsummary {made['summary_artifact_id']}"
    )


def _job_summary(job: Any, is_dry_run: bool) -> str:
    still_due, made = job["still_due"], len(job["result"])
    if is_dry_run:
        return f"due: {still_due} in all"
    again = "; run it again for more" if still_due else ""
    return f"{job['status']}: {made} checkpoint{'' if made == 1 else 's'} made, {still_due} still due{again}"


def do_cut_points(args: argparse.Namespace, out: Output) -> None:
    found = ask(args, "thread.cut-points", **given(args, "thread_id", "stride", "limit"))
    lines = [
        f"message {row['target_message_ordinal']:>6} at seq {row['to_seq']}"
        + ("  checkpointed" if row["already_checkpointed"] else "")
        for row in found["cut_points"]
    ]
    head = f"{found['message_count']} messages, a cut point every {found['stride_messages']}"
    out.result(found, "\n".join([head, *lines]))


def do_rename(args: argparse.Namespace, out: Output) -> None:
    _amend(args, out, title=args.title)


def _amend(args: argparse.Namespace, out: Output, **values: Any) -> None:
    row = act(args, "thread.amend", thread_id=args.thread_id, **values)
    out.result(row, thread_text.described(row))


def do_tag(args: argparse.Namespace, out: Output) -> None:
    _amend(args, out, add_tags=args.add, remove_tags=args.remove)


def do_archive(args: argparse.Namespace, out: Output) -> None:
    _amend(args, out, archived=not args.undo)


def do_search(args: argparse.Namespace, out: Output) -> None:
    found = ask(args, "thread.search", words=" ".join(args.words), limit=args.limit)
    lines = [f"{hit['thread_id']}@{hit['seq']}  {' '.join(hit['snippet'].split())}" for hit in found["hits"]]
    out.result(found, "\n".join(lines) or "Nothing found.")

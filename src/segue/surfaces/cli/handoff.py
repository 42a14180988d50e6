"""The main job: the latest session of this directory becomes what the next agent needs.

The draft is made without a model and without a network, within a hard budget of tokens. A person
reviews it; then it is committed and, if asked, the next agent starts with it.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any

from segue.errors import BadInput, Refused
from segue.model import wire
from segue.surfaces.cli import choosing, launching
from segue.surfaces.cli.asking import server_of
from segue.surfaces.cli.msgspec_first import import_msgspec
from segue.surfaces.cli.output import Output
from segue.surfaces.cli.parsing import Parser, add_provenance, local_workspace_of, provenance

FORMATS = ("packet", "document", "bundle", "tc", "json")
PRESETS = ("implement", "debug", "review", "docs")
"""`Format` and `Preset` of `model.packet`, which would bring msgspec along before a word is parsed: 20 ms."""
_MARKS = 24
"""Tokens by which the marks of a review may pass the budget: that somebody edited, and what was redacted of it."""


def configure(parser: Parser) -> None:
    parser.set_defaults(do=_handoff)
    parser.add_argument("goal", nargs="?", default="", metavar="GOAL", help="what the next session is for")
    parser.add_argument(
        "--from", dest="source", metavar="X", help="agent, agent:id, session id, file, or - for stdin"
    )
    parser.add_argument(
        "--leaf", metavar="ID", help="the record at which the session's branch in use ends (pi tells it)"
    )
    parser.add_argument("--to", metavar="AGENT", help="who goes on")
    parser.add_argument(
        "--budget", type=int, metavar="N", help="tokens the packet may have (default: settings, 4000)"
    )
    parser.add_argument(
        "--format", choices=FORMATS, default="packet", help="what is printed (default: packet)"
    )
    review = parser.add_mutually_exclusive_group()
    review.add_argument("--edit", action="store_true", help="review in $VISUAL or $EDITOR first")
    review.add_argument("--yes", action="store_true", help="commit the draft as it is")
    parser.add_argument(
        "--out", metavar="FILE", help="write it there (- prints it); nothing goes into the log"
    )
    parser.add_argument("--copy", action="store_true", help="put it on the clipboard")
    parser.add_argument("--launch", action="store_true", help="start the agent named by --to with it")
    parser.add_argument(
        "--repo", action=argparse.BooleanOptionalAction, default=None, help="include git's view"
    )
    parser.add_argument(
        "--preset",
        choices=PRESETS,
        help="what is kept first where not all fits: it ranks, and changes no words",
    )
    parser.add_argument(
        "--include-file", action="append", default=[], metavar="P", help="a file that must be named"
    )
    parser.add_argument(
        "--change", metavar="TC-ID", help="with --format tc: put the block into this change record"
    )
    parser.add_argument(
        "--model",
        metavar="M",
        help="let a model improve the prose: claude, codex, pi, gemini, opencode, copilot, ollama:NAME, llm:NAME or "
        "command:PROGRAM ARGS",
    )
    parser.add_argument("--dry-run", action="store_true", help="print it; nothing goes into the log")
    parser.add_argument("--explain", action="store_true", help="print the index and the reasons instead")
    add_provenance(parser)


def _handoff(args: argparse.Namespace, out: Output) -> int:
    import_msgspec()
    args.goal = wire.scrub(args.goal).strip()
    server = server_of(args)
    if server is not None and args.change:
        raise BadInput("A change record is filled on the machine that has it.", "Leave --server out.")
    workspace = local_workspace_of(args)
    if args.change:
        _require_change(args, workspace)
    if args.launch and args.dry_run:
        raise BadInput("--dry-run only prints, and --launch starts an agent.", "Leave one of them out.")
    launching.require(args)
    _require_review(args)
    if out.as_json or not (args.out or args.launch):
        out.require()
    with _no_search_for_cycles():
        chosen, made = _drafted(args, workspace, out)
    source = chosen.source
    from segue.service.handoffs import kept_patterns, renderings, walk

    why = renderings.why_empty(made, source)
    renderings.require_content(made, why)
    if chosen.guessed:
        out.note(choosing.notice(chosen, made))
    if why:
        out.note(f"segue: {why}")
    if unnamed := renderings.unnamed(made):
        out.note(f"segue: {made.budget} tokens have no room to name {', '.join(unnamed)}.")
    if args.explain:
        _explained(args, made, out)
        return 0
    if args.change:
        _into_change(args, workspace, made, out)
        return 0
    made = walk.reviewed(made, _composed(args, made, out) if args.model else made.text)
    own = args.format in renderings.OWN
    draft = renderings.rendered_as(args.format, made, source, workspace, {}) if own else made.text
    text, committing = _looked_over(args, made, draft, out)
    if not own:
        made = _with_warnings(made, walk.reviewed(made, text), out)
    elif committing and text != draft:
        out.note("segue: the log gets the packet as it was drafted; what you reviewed is delivered.")
    committed: Any = {}
    if committing:
        with _kept(args.edit, text if own else made.text):
            committed = (
                walk.commit(workspace, source, made, provenance(args))
                if server is None
                else _sent(server, workspace, source, made, provenance(args))
            )
    shown = text if own else _rendered(args, made, source, workspace, server, committed)
    launching.deliver(args, shown, out)
    _answer(args, out, made, shown, committed, source)
    kept_patterns.keep()
    return launching.start(args, text if text != draft and own else made.text, out) if args.launch else 0


def _looked_over(args: argparse.Namespace, made: Any, draft: str, out: Output) -> tuple[str, bool]:
    """The text as a person left it, where one is to look at it, and whether it is to be committed."""
    from segue.service.handoffs import renderings

    committing = not (args.dry_run or args.out)
    if not args.edit and (args.yes or not (committing or args.launch)):
        return draft, committing
    text, approved = _reviewed(draft, args.edit, out)
    if approved and args.format in renderings.OWN:
        text = renderings.as_reviewed(args.format, made, text)
    return text, committing and approved


def _rendered(
    args: argparse.Namespace, made: Any, source: Any, workspace: Any, server: Any, committed: dict[str, Any]
) -> str:
    """The packet or its bundle; one that was committed on a server is the server's."""
    from segue.service.handoffs import renderings

    if server is not None and committed and args.format == "bundle":
        wanted = {"artifact_id": committed["summary_artifact_id"]}
        return str(server.call("artifact.get", wanted).decode()) + "\n"
    return renderings.rendered_as(args.format, made, source, workspace, {} if server else committed)


def _require_review(args: argparse.Namespace) -> None:
    """Raises where an agent would be started with a draft that nobody looked at."""
    if args.launch and not (args.yes or args.edit or _somebody_is_here()):
        raise Refused(
            f"Nobody is here to review the draft, so {args.to} is not started with it.",
            "--yes hands it off as it is, --edit reviews it in $EDITOR.",
        )


def _explained(args: argparse.Namespace, made: Any, out: Output) -> None:
    from segue.service.handoffs import renderings

    told = renderings.explain(made)
    launching.deliver(args, f"{told}\n", out)
    if out.as_json:
        out.result(renderings.explained(made), "")
    elif not args.out:
        out.text(told)


def _with_warnings(drafted: Any, made: Any, out: Output) -> Any:
    """The draft as it was left; what the linter says of that and did not say before is told. Raises BadInput for one
    that was made too long, with what was written kept."""
    if made is not drafted:
        if made.tokens > max(made.budget, drafted.tokens) + _MARKS:
            with _kept(True, made.text):
                raise BadInput(
                    f"The packet as it was left has {made.tokens} tokens; the budget is {made.budget}.",
                    "Shorten it, or ask for a larger --budget.",
                )
        from segue.service.handoffs.reviews import worsened

        for found in worsened(drafted, made):
            out.note(f"segue: {found['severity']}: {found['where']}: {found['message']}")
    return made


def _drafted(args: argparse.Namespace, workspace: Any, out: Output) -> tuple[choosing.Chosen, Any]:
    """The session that was meant, and the draft of its handoff."""
    from segue.service.handoffs import kept_patterns

    chosen = _source(args, workspace.folder, out)
    source = chosen.source
    kept_patterns.recall()
    from segue.service.handoffs import readings
    from segue.service.sessions.own import is_asking

    asking = is_asking(workspace.folder, source)
    told = readings.Source(source.agent, source.path, source.entries(), asking)
    lasting = not (source.piped or source.branch)
    reading = readings.begin(told, readings.shelf() if lasting else None, apart=True)
    from segue.service.handoffs import walk  # 70 ms, in which the session is already being read

    directory = os.path.abspath(getattr(args, "workspace", None) or os.getcwd())
    include_files = walk.included(workspace.root, args.include_file, directory)
    made = walk.draft(
        reading,
        args.goal,
        budget=args.budget if args.budget is not None else workspace.config["handoff.budget"],
        preset=args.preset or workspace.config["handoff.preset"],
        repo=_repo(args, workspace.config["handoff.repo"], source),
        include_files=include_files,
    )
    return chosen, made


@contextmanager
def _no_search_for_cycles() -> Iterator[None]:
    """Importing and reading make a great many objects and hardly a cycle; looking for them takes a tenth of the
    time, and no less when it is made up for at the end."""
    searching = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if searching:
            gc.enable()


def _sent(server: Any, workspace: Any, source: Any, made: Any, by: Any) -> Any:
    """Commits on a server: the session as its thread there, and the child that starts from the packet, with the
    bundle that a commit here would have made."""
    from segue.service.remote import sending
    from segue.surfaces.cli.asking import send
    from segue.surfaces.cli.progress import Progress

    def put(data: bytes) -> str:
        return str(server.call("artifact.put", {"data": data}, by)["artifact_id"])

    with Progress() as progress:
        taken = send(server, source, by, progress)
    cut = {"thread_id": taken["thread_id"], "seq": taken["head_seq"]}
    if "head_message_id" in taken:
        cut["message_id"] = taken["head_message_id"]
    values = {
        "thread_id": cut["thread_id"],
        "from_seq": cut["seq"],
        "title": made.facts.goal[:80] or None,
        "goal": made.facts.goal or None,
        "summary_markdown": made.text,
        "summary_artifact_id": sending.bundle(workspace, made, cut, put),
        "agent": source.agent,
        "session_id": taken["session_id"],
    }
    return server.call("thread.handoff", values, by)


def _require_change(args: argparse.Namespace, workspace: Any) -> None:
    """Raises unless the change can take a block: before a session is read for it."""
    from segue.service.changes import sessions

    if args.format != "tc":
        raise BadInput("--change takes the block of a change record.", "Add --format tc.")
    if args.launch:
        raise BadInput(
            "--change fills the record; nobody is started with that.",
            f"Then `segue change resume {args.change} --to {args.to} --launch` hands the change over.",
        )
    sessions.require_open(workspace, args.change)


def _into_change(args: argparse.Namespace, workspace: Any, made: Any, out: Output) -> None:
    """Fills a change record's block from the session: proposed, reviewed, one revision."""
    from segue.handoff.tc import handoff_block
    from segue.service.changes import sessions
    from segue.surfaces.cli.change.page import changes_page

    block = handoff_block(made.facts, now_ms=made.facts.source.ended_ms)
    ended_ms = made.facts.source.ended_ms
    proposal = sessions.propose_handoff(workspace, args.change, block, ended_ms)
    if not out.as_json:
        out.text(f"{proposal['tc_id']}\n{changes_page(proposal['changes'])}")
    text = json.dumps(proposal["block"], ensure_ascii=False, indent=2) + "\n"
    committing = not (args.dry_run or args.out) and bool(proposal["changes"])
    if args.edit or (committing and not args.yes):
        text, approved = _reviewed(text, args.edit, out)
        text, committing = made.redactor.redact(text), committing and approved
    launching.deliver(args, text, out)
    applied: Any = {}
    if committing:
        told = made.facts.source
        with _kept(args.edit, text):
            applied = sessions.apply_handoff(
                workspace,
                args.change,
                wire.decode(text),
                reason=args.goal or "Handoff",
                source=(told.agent, told.session_id, told.model),
                started_ms=told.started_ms,
                by=provenance(args),
            )
    done = (
        f"{applied['revision']}  {applied['summary']}"
        if applied.get("updated")
        else "The record is as it was."
    )
    out.result({"updated": False, **proposal, **applied}, done)


def _composed(args: argparse.Namespace, made: Any, out: Output) -> str:
    from segue.extract.tokens import count
    from segue.service.handoffs.composing import composed

    text, refused = composed(made.text, args.model, made.budget, count)
    if refused:
        out.note(f"segue: the model's text was not used: {refused}. The mechanical packet stands.")
    return text


def _source(args: argparse.Namespace, folder: str, out: Output) -> choosing.Chosen:
    from segue.service.sessions import lookup

    chosen = _session(args, folder, out)
    return chosen._replace(source=lookup.ending_at(chosen.source, args.leaf)) if args.leaf else chosen


def _session(args: argparse.Namespace, folder: str, out: Output) -> choosing.Chosen:
    """The session that is named; else, inside an agent, its own, and the latest only outside of any."""
    from segue.agents.registry import READERS
    from segue.service.sessions import lookup, own
    from segue.surfaces.cli.progress import Progress

    directory = os.path.abspath(getattr(args, "workspace", None) or os.getcwd())
    agent = (args.source or "").removesuffix(":")
    around = own.own(folder) if not agent or agent in READERS else None
    if around and agent in ("", around.agent):
        return choosing.Chosen(own.source(around, directory), guessed=True)
    if args.source is None:
        asking = _somebody_is_here() and not (args.yes or out.as_json)
        return choosing.choose(directory, None, asking=asking)
    if args.source == "-":
        return choosing.Chosen(lookup.from_stdin())
    if args.source in READERS:
        return choosing.choose(directory, args.source, asking=False)
    with Progress() as progress:
        return choosing.Chosen(lookup.find(args.source, None, progress, directory))


def _repo(args: argparse.Namespace, by_default: bool, source: Any) -> Any:
    """Git's view of the directory that the session is about; one that was named may be of another project."""
    if not (by_default if args.repo is None else args.repo):
        return None
    from segue.service.repository.state import asked_of_git
    from segue.service.sessions.lookup import workplace

    directory = os.path.abspath(getattr(args, "workspace", None) or os.getcwd())
    return asked_of_git(workplace(source, directory) if args.source else directory)


def _kept(edited: bool, text: str) -> AbstractContextManager[None]:
    from segue.surfaces.cli import review

    return review.kept(text) if edited else nullcontext()


def _reviewed(text: str, edit: bool, out: Output) -> tuple[str, bool]:
    """The text as approved, and whether anybody approved it: without a terminal nobody can."""
    from segue.surfaces.cli import review

    if edit:
        return review.in_editor(text), True
    if _somebody_is_here():
        return review.on_screen(text), True
    out.note("segue: a draft, not committed: nobody is here to review it. --yes commits, --edit reviews.")
    return text, False


def _somebody_is_here() -> bool:
    return sys.stdin.isatty() and sys.stderr.isatty()


def _answer(
    args: argparse.Namespace,
    out: Output,
    made: Any,
    shown: str,
    committed: dict[str, Any],
    source: Any,
) -> None:
    if out.as_json:
        from segue.service.handoffs.renderings import answer

        form = {} if args.format == "packet" else {"format": args.format, "rendered": shown}
        out.result({**answer(made, source), **form, **committed}, "")
        return
    if args.out and args.out != "-":
        from segue.service.handoffs.renderings import measured

        out.note(f"segue: {measured(args.format, made, shown)} written to {args.out}.")
    elif not (args.out or args.launch):
        out.text(shown)
    if committed:
        out.note(f"segue: thread {committed['thread_id']}, bundle {committed['summary_artifact_id'][:12]}.")

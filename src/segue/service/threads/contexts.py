"""Compiled context and the checkpoints it rests on.

A compilation is recorded: which selection was decided and why, and which bundle came of it. The audit
compiles every recorded one again and compares. Several jobs at once make each checkpoint once.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from segue.errors import BadInput, NotFound, SegueError
from segue.extract.tokens import count
from segue.model import frame as kinds
from segue.model import wire
from segue.model.frame import Draft, Frame
from segue.model.ids import new_id
from segue.model.thread import LIBRARY, Provenance
from segue.model.visible import visible
from segue.service.forgotten import is_forgotten
from segue.service.paging import within
from segue.service.refusals import refusal
from segue.service.threads import streams
from segue.service.threads.naming import resolve
from segue.service.withheld import OpenArtifacts
from segue.stores.contract import ERROR
from segue.threads import checkpoints, digest
from segue.threads.checkpoints import CutPoint
from segue.threads.compile import Compiled, compile_context

if TYPE_CHECKING:
    from segue.model import answers
    from segue.service.workspace import Workspace

MIN_BUDGET = 64
NEW_CHECKPOINTS = 8
MAX_NEW_CHECKPOINTS = 32
_BOOKKEEPING = (kinds.SELECTION, kinds.COMPILED)
_JOB = "compaction_summarizer_v1"


def compile_thread(
    workspace: Workspace,
    thread_id: str,
    budget: int | None = None,
    at_seq: int | None = None,
    run: str | None = None,
    by: Provenance = LIBRARY,
    key: str | None = None,
) -> answers.CompiledContext:
    """The context a run on this thread should start with, stored as an artifact and recorded."""
    thread_id = resolve(workspace, thread_id)
    if budget is None:
        budget = int(workspace.config["compile.budget"])
    if budget < MIN_BUDGET:
        raise BadInput(f"A budget of {budget} tokens holds nothing.", f"Give at least {MIN_BUDGET}.")
    request = streams.digest_of("compile", thread_id, budget, at_seq, run)
    repeated = workspace.log.keyed(f"user:{key}") if key is not None else None
    earlier = repeated[-1] if repeated and repeated[-1].type == kinds.COMPILED else None
    seq = earlier.data["from_seq"] if earlier else _cut(workspace, thread_id, at_seq)
    provenance = by.stamp({"run_session_id": run})
    outcome = compile_context(
        workspace.log, OpenArtifacts(workspace), count, thread_id, seq, budget, provenance
    )
    bundle_id, _ = workspace.artifacts.put(wire.canonical(outcome.bundle))
    _record(workspace, thread_id, bundle_id, outcome, run, by, key, request)
    return {"bundle_artifact_id": bundle_id, "tokens": outcome.tokens, "bundle": outcome.bundle}


def audit(workspace: Workspace, thread_id: str) -> answers.Audit:
    """Compiles every recorded context of a thread again; `ok` when all came out byte for byte the same."""
    thread_id = resolve(workspace, thread_id)
    checked = 0
    findings: list[answers.Finding] = []
    decided: Frame | None = None
    for frame in workspace.log.read(thread_id, types=_BOOKKEEPING):
        if frame.type == kinds.SELECTION:
            decided = frame
            continue
        data, limits = frame.data, decided.data["limits"] if decided else {}
        checked += 1
        by = Provenance(data["actor_id"], data["origin"])
        provenance = by.stamp({"run_session_id": data.get("run_session_id")})
        try:
            again = compile_context(
                workspace.log,
                OpenArtifacts(workspace),
                count,
                thread_id,
                data["from_seq"],
                limits.get("budget_tokens", 0),
                provenance,
            )
            made = wire.content_id(wire.canonical(again.bundle))
        except SegueError:
            made = ""
        if made != data["bundle_artifact_id"] and not is_forgotten(workspace.log, data["bundle_artifact_id"]):
            findings.append(
                {
                    "kind": "compile_differs",
                    "where": f"{thread_id}@{frame.seq}",
                    "severity": ERROR,
                    "message": f"Compiling at seq {data['from_seq']} no longer gives {data['bundle_artifact_id']}.",
                    "hint": "An artifact it used is missing or damaged: run `segue verify artifacts`.",
                }
            )
    return {"ok": not findings, "checked": checked, "findings": findings}


def cut_points(
    workspace: Workspace, thread_id: str, stride: int | None = None, limit: int = 32
) -> answers.CutPoints:
    """Where checkpoints may fall: every n-th message, and which of them have one."""
    thread_id = resolve(workspace, thread_id)
    limit = within(limit)
    stride = _stride(workspace, stride)
    have = {data["to_seq"]: data["checkpoint_id"] for data in _checkpoints(workspace, thread_id)}
    points: list[answers.CutPointRow] = []
    for point in islice(checkpoints.cut_points(workspace.log, thread_id, stride), limit):
        row: answers.CutPointRow = {
            "target_message_ordinal": point.ordinal,
            "to_seq": point.seq,
            "to_message_id": point.message_id,
            "already_checkpointed": point.seq in have,
        }
        if point.seq in have:
            row["latest_checkpoint_id"] = have[point.seq]
        points.append(row)
    return {
        "thread_id": thread_id,
        "stride_messages": stride,
        "message_count": workspace.log.count(thread_id, (kinds.MESSAGE,)),
        "cut_rule_id": checkpoints.stride_rule(stride),
        "cut_points": points,
    }


def checkpoint(
    workspace: Workspace,
    thread_id: str,
    summary_markdown: str | None = None,
    summary_artifact_id: str | None = None,
    to_message_id: str | None = None,
    to_seq: int | None = None,
    by: Provenance = LIBRARY,
    key: str | None = None,
) -> answers.CheckpointMade:
    """Records a checkpoint at a message: with a written summary, a stored one, or one made from the frames."""
    from segue.redaction.redact import Redactor

    thread_id = resolve(workspace, thread_id)
    if summary_markdown is not None and summary_artifact_id is not None:
        raise BadInput("Give a summary or the id of one, not both.", "Leave one of them out.")
    to = _message_at(workspace, thread_id, to_message_id, to_seq)
    provenance = by.stamp({})
    if summary_artifact_id is not None:
        artifact_id = workspace.artifacts.resolve(summary_artifact_id)
        covered = checkpoints.read_summary(workspace.artifacts.get(artifact_id))["coverage"]
        if covered.get("thread_id") != thread_id or covered.get("to_seq") != to.seq:
            raise refusal(
                "other-coverage",
                other=covered.get("thread_id"),
                end=covered.get("to_seq"),
                thread_id=thread_id,
                seq=to.seq,
            )
    elif summary_markdown is not None:
        text = Redactor().redact(visible(wire.scrub(summary_markdown)))
        document = checkpoints.summary_document(thread_id, to, text, provenance)
        artifact_id, _ = workspace.artifacts.put(wire.canonical(document))
    else:
        artifact_id = _summarize(workspace, thread_id, to, provenance)
    draft = _checkpoint_draft(artifact_id, to, checkpoints.MANUAL_RULE, by)
    request = streams.digest_of(
        "checkpoint", thread_id, summary_markdown, summary_artifact_id, to_message_id, to_seq
    )
    frame = workspace.log.append(thread_id, [draft], key=streams.user_key(key), request=request)[0]
    return _checkpoint_row(thread_id, frame)


def checkpoint_automatically(
    workspace: Workspace,
    thread_id: str,
    stride: int | None = None,
    max_new: int = NEW_CHECKPOINTS,
    dry_run: bool = False,
    by: Provenance = LIBRARY,
) -> answers.CheckpointsDue:
    """Makes the checkpoints that are due, oldest first, as one recorded job: 8 unless told otherwise, 32 at
    most. A dry run names all that are due."""
    thread_id = resolve(workspace, thread_id)
    stride = _stride(workspace, stride)
    if not 1 <= max_new <= MAX_NEW_CHECKPOINTS:
        raise BadInput(f"One job makes 1 to {MAX_NEW_CHECKPOINTS} checkpoints.", "Run it again for more.")
    rule = checkpoints.stride_rule(stride)
    have = {data["to_seq"] for data in _checkpoints(workspace, thread_id)}
    due = [
        point for point in checkpoints.cut_points(workspace.log, thread_id, stride) if point.seq not in have
    ]
    planned = due if dry_run else due[:max_new]
    answer: answers.CheckpointsDue = {
        "thread_id": thread_id,
        "stride_messages": stride,
        "cut_rule_id": rule,
        "planned": [
            {"target_message_ordinal": p.ordinal, "to_seq": p.seq, "to_message_id": p.message_id}
            for p in planned
        ],
        "result": [],
        "status": "noop",
        "still_due": len(due),
    }
    if not planned or dry_run:
        return answer
    job = {"job_id": new_id(), "job_kind": _JOB}
    details = {"cut_rule_id": rule, "to_seqs": [point.seq for point in planned]}
    workspace.log.append(thread_id, [Draft(kinds.JOB_SPAWNED, by.stamp({**job, "details": details}))])
    outcome: dict[str, Any] = {"status": "failed", "error": "interrupted"}
    try:
        for point in planned:
            made = _made_once(workspace, thread_id, point, rule, by)
            if made is not None:
                answer["result"].append(_checkpoint_row(thread_id, made))
        outcome = {"status": "completed"}
    except Exception as fault:
        outcome["error"] = str(fault)
        raise
    finally:
        outcome["result"] = {"checkpoints": len(answer["result"])}
        workspace.log.append(thread_id, [Draft(kinds.JOB_ENDED, by.stamp({**job, **outcome}))])
    still_due = len(due) - len(planned)
    return {**answer, "status": "completed", "job_id": job["job_id"], "still_due": still_due}


def _made_once(
    workspace: Workspace, thread_id: str, point: CutPoint, rule: str, by: Provenance
) -> Frame | None:
    """The checkpoint at a cut point; None where another job made it meanwhile."""
    key = f"checkpoint:{thread_id}:{point.seq}"
    while (made := workspace.log.keyed(key)) is not None:
        summary = made[0].data["summary_artifact_id"]
        if not is_forgotten(workspace.log, summary):
            return None
        key = f"{key}:{summary[:16]}"
    draft = _checkpoint_draft(_summarize(workspace, thread_id, point, by.stamp({})), point, rule, by)
    frame = workspace.log.append(thread_id, [draft], key=key)[0]
    return frame if frame.data["checkpoint_id"] == draft.payload["checkpoint_id"] else None


def _cut(workspace: Workspace, thread_id: str, at_seq: int | None) -> int:
    """The cut asked for; by default the head without the bookkeeping of earlier compilations, so that
    compiling twice in a row gives the same bundle."""
    if at_seq is not None:
        return _within(workspace, thread_id, at_seq)
    for frame in workspace.log.read(thread_id, reverse=True):
        if frame.type not in _BOOKKEEPING:
            return frame.seq
    raise NotFound(f"There is no thread {thread_id}.", "`segue thread list` shows the threads.")


def _within(workspace: Workspace, thread_id: str, seq: int) -> int:
    """The sequence number, once it is one of the thread's."""
    head = workspace.log.head(thread_id)
    if head is None:
        raise NotFound(f"There is no thread {thread_id}.", "`segue thread list` shows the threads.")
    if not 0 <= seq <= head.seq:
        raise refusal("no-such-seq", seq=seq, thread_id=thread_id, last=head.seq)
    return seq


def _record(
    workspace: Workspace,
    thread_id: str,
    bundle_id: str,
    outcome: Compiled,
    run: str | None,
    by: Provenance,
    key: str | None,
    request: str,
) -> None:
    source = outcome.bundle["source"]
    decision = {**outcome.decision, "run_session_id": run, "message_id": source.get("from_message_id")}
    compiled = {
        "run_session_id": run,
        "bundle_artifact_id": bundle_id,
        "compiler_id": outcome.decision["compiler_id"],
        "compiler_strategy": outcome.decision["compiler_strategy"],
        "from_seq": source["from_seq"],
        "from_message_id": source.get("from_message_id"),
    }
    drafts = [Draft(kinds.SELECTION, by.stamp(decision)), Draft(kinds.COMPILED, by.stamp(compiled))]
    workspace.log.append(thread_id, drafts, key=streams.user_key(key), request=request)


def _summarize(workspace: Workspace, thread_id: str, to: CutPoint, provenance: dict[str, Any]) -> str:
    """Stores a summary up to a message, continuing the furthest one before it."""
    base = checkpoints.base_before(workspace.log, workspace.artifacts, thread_id, to.seq)
    frames = workspace.log.read(thread_id, base.to_seq + 1, to.seq, types=(kinds.MESSAGE, kinds.SIDE_EFFECTS))
    made = digest.extend(base.digest, frames)
    document = checkpoints.summary_document(
        thread_id, to, digest.render(made, to.seq), provenance, base.artifact_id, made
    )
    return workspace.artifacts.put(wire.canonical(document))[0]


def _message_at(
    workspace: Workspace, thread_id: str, to_message_id: str | None, to_seq: int | None
) -> CutPoint:
    """The message a checkpoint reaches up to: the one named, the last at or before a seq, or the last."""
    if to_message_id is not None and to_seq is not None:
        raise refusal("placed-twice")
    if to_message_id is not None:
        frame = workspace.log.frame(to_message_id)
        if frame is None or frame.stream_id != thread_id or frame.type != kinds.MESSAGE:
            raise refusal("no-such-message", thread_id=thread_id, to_message_id=to_message_id)
    else:
        last = None if to_seq is None else _within(workspace, thread_id, to_seq)
        frame = next(
            workspace.log.read(thread_id, 0, last, types=(kinds.MESSAGE,), reverse=True, limit=1), None
        )
        if frame is None:
            raise BadInput("There is no message to reach up to.", "Post one first, or choose a later seq.")
    return CutPoint(workspace.log.count(thread_id, (kinds.MESSAGE,), frame.seq), frame.seq, frame.id)


def _stride(workspace: Workspace, stride: int | None) -> int:
    return int(workspace.config["compaction.stride_messages"]) if stride is None else stride


def _checkpoints(workspace: Workspace, thread_id: str) -> Iterator[dict[str, Any]]:
    """Those whose summary was not forgotten; where it was, another one may be made."""
    for frame in workspace.log.read(thread_id, types=(kinds.CHECKPOINT,)):
        if not is_forgotten(workspace.log, frame.data["summary_artifact_id"]):
            yield frame.data


def _checkpoint_draft(artifact_id: str, to: CutPoint, rule: str, by: Provenance) -> Draft:
    return Draft(
        kinds.CHECKPOINT,
        by.stamp(
            {
                "checkpoint_id": new_id(),
                "cut_rule_id": rule,
                "summary_kind": checkpoints.CUMULATIVE,
                "summary_artifact_id": artifact_id,
                "from_seq": 0,
                "to_seq": to.seq,
                "to_message_id": to.message_id,
            }
        ),
    )


def _checkpoint_row(thread_id: str, frame: Frame) -> answers.CheckpointMade:
    data = frame.data
    return {
        "thread_id": thread_id,
        "checkpoint_id": data["checkpoint_id"],
        "cut_rule_id": data["cut_rule_id"],
        "summary_artifact_id": data["summary_artifact_id"],
        "to_seq": data["to_seq"],
        "to_message_id": data["to_message_id"],
    }

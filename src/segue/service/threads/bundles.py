"""Settling what a handoff carries: one valid bundle artifact, redacted, with its references checked.

A written summary becomes a bundle; a given bundle is read, checked, and kept as it is when the source
cut is already among its references, or stored anew with that cut added. Referenced files are
snapshotted, so that compiling later gives the same bytes whatever happens on disk.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from segue.errors import BadInput, NotFound
from segue.model import wire
from segue.model.bundle import SOURCE_CUT, Bundle, check_refs, confined, handoff_bundle, read_handoff_bundle
from segue.model.visible import visible
from segue.redaction.redact import Redactor
from segue.service import project_files
from segue.service.refusals import refusal
from segue.service.threads.naming import resolve
from segue.service.workspace import Workspace
from segue.threads.cut import Cut

MAX_SNAPSHOT_BYTES = 256 * 1024
_KINDS = ("threads", "artifacts", "files")

Refs = dict[str, list[dict[str, Any]]]
Put = Callable[[bytes], str]


def store_bundle(
    workspace: Workspace,
    thread_id: str,
    chosen: Cut,
    summary_markdown: str | None,
    summary_artifact_id: str | None,
    refs: Refs | None,
    extra: dict[str, Any] | None = None,
) -> tuple[str, str | None, dict[str, Any] | None]:
    """(bundle id, summary as recorded, redaction receipt) for a handoff. `extra` are keys of the bundle beside
    those of its schema."""
    source: dict[str, Any] = {"thread_id": thread_id, "seq": chosen.seq}
    if chosen.message_id is not None:
        source["message_id"] = chosen.message_id
    redactor = Redactor()
    markdown = None if summary_markdown is None else redactor.redact(visible(wire.scrub(summary_markdown)))
    checked = _checked(workspace, refs or {}, redactor)
    if summary_artifact_id is not None:
        artifact_id, bundle, whole = _checked_bundle(workspace, summary_artifact_id, redactor)
        if (
            whole
            and markdown is None
            and not any(checked.values())
            and not extra
            and _has_cut(bundle, source)
        ):
            return artifact_id, None, None
        merged = {kind: [*bundle["refs"][kind], *checked[kind]] for kind in _KINDS}
        kept = {k: v for k, v in bundle.items() if k not in ("schema", "summary_markdown", "refs")}
        made = handoff_bundle(
            markdown or bundle["summary_markdown"], source, **merged, **{**kept, **(extra or {})}
        )
    elif markdown is not None and markdown.strip():
        made = handoff_bundle(markdown, source, **checked, **(extra or {}))
    else:
        raise refusal("no-summary")
    artifact_id, _ = workspace.artifacts.put(wire.canonical(made))
    receipt = redactor.receipt()
    counted = {
        "rules": receipt.rules_version,
        "total": receipt.total,
        "by_kind": dict(sorted(receipt.by_kind.items())),
    }
    return artifact_id, markdown, counted if receipt.total else None


def _checked_bundle(workspace: Workspace, artifact_id: str, redactor: Redactor) -> tuple[str, Bundle, bool]:
    """A bundle that exists, hashes to its name and refers to what is here; and whether it is in its stored
    form already. Its files are snapshotted if they were not; those that have gone since are named as history."""
    full = workspace.artifacts.resolve(artifact_id)
    bundle = read_handoff_bundle(workspace.artifacts.get(full))
    if not bundle["summary_markdown"].strip():
        raise BadInput("The bundle's summary is empty.", "A handoff needs a summary.")
    refs = bundle["refs"]
    for ref in refs["threads"]:
        head = workspace.log.head(ref["thread_id"])
        if head is None or ref["seq"] > head.seq:
            raise refusal("bundle-thread-away", thread_id=ref["thread_id"], seq=ref["seq"])
    for ref in refs["artifacts"]:
        if workspace.artifacts.size(ref["artifact_id"]) is None:
            raise refusal("bundle-artifact-away", artifact_id=ref["artifact_id"])
    files = [_pinned(workspace, {**ref, "path": confined(ref["path"])}, redactor) for ref in refs["files"]]
    whole = files == refs["files"]
    return full, {**bundle, "refs": {**refs, "files": files}}, whole


def _pinned(workspace: Workspace, ref: dict[str, Any], redactor: Redactor) -> dict[str, Any]:
    try:
        return ref if "snapshot_artifact_id" in ref else _snapshot(workspace, ref, redactor)
    except NotFound:
        return ref


def _has_cut(bundle: Bundle, source: dict[str, Any]) -> bool:
    return any(
        ref.get("note") == SOURCE_CUT and all(ref.get(name) == value for name, value in source.items())
        for ref in bundle["refs"]["threads"]
    )


def _checked(workspace: Workspace, refs: Refs, redactor: Redactor) -> Refs:
    """References that hold: threads and cuts that exist, artifacts that are there, paths that stay inside."""
    unknown = set(refs) - set(_KINDS)
    if unknown:
        raise refusal("unknown-refs", kinds=", ".join(_KINDS), unknown=", ".join(sorted(unknown)))
    threads = []
    for ref in refs.get("threads", []):
        full = resolve(workspace, str(ref.get("thread_id")))
        head = workspace.log.head(full)
        seq = ref.get("seq", head.seq if head else 0)
        if head is None or not isinstance(seq, int) or not 0 <= seq <= head.seq:
            raise BadInput(f"Thread {full} has no sequence number {seq}.", "Choose one up to its head.")
        threads.append({**ref, "thread_id": full, "seq": seq})
    present = workspace.artifacts.resolve
    artifacts = [
        {**ref, "artifact_id": present(str(ref.get("artifact_id")))} for ref in refs.get("artifacts", [])
    ]
    files = [_snapshot(workspace, ref, redactor) for ref in refs.get("files", [])]
    checked = {"threads": threads, "artifacts": artifacts, "files": files}
    check_refs(checked)
    return checked


def _snapshot(workspace: Workspace, ref: dict[str, Any], redactor: Redactor) -> dict[str, Any]:
    return snapshot(workspace.root, ref, redactor, lambda data: workspace.artifacts.put(data)[0])


def snapshot(root: str, ref: dict[str, Any], redactor: Redactor, put: Put) -> dict[str, Any]:
    """The reference to a file below `root`, with a redacted copy of it as it is now where that is text and not
    secret. `put` stores the copy and returns its id."""
    row = {**ref, "path": confined(ref.get("path"))}
    content = project_files.read(root, ref.get("path"), MAX_SNAPSHOT_BYTES)
    if content.withheld:
        return row
    try:
        text = content.data.decode()
    except UnicodeDecodeError:
        return row
    row["snapshot_artifact_id"] = put(redactor.redact(text).encode())
    row["sha256"] = wire.content_id(content.data)
    return row

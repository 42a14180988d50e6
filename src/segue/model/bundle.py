"""Bundles: curated context as an artifact.

`rip.handoff_context_bundle.v1` is what a handoff carries: a summary and references, never history.
Keys this version does not know survive a round trip. Paths are relative to the workspace, with
forward slashes, and never leave it.
"""

from __future__ import annotations

from typing import Any

from segue.errors import BadInput
from segue.model import wire
from segue.model.ids import is_artifact_id, is_id

HANDOFF_SCHEMA = "rip.handoff_context_bundle.v1"
FACTS_KEY = "facts_artifact_id"
"""Where a handoff's bundle names the artifact that holds its facts."""
CONTEXT_SCHEMA = "rip.context_bundle.v1"
SUMMARY_SCHEMA = "rip.compaction_summary.v1"
SOURCE_CUT = "source cut"

Bundle = dict[str, Any]

_WANTED = "Give the id of a handoff bundle; `segue thread handoff` prints one."
_RELATIVE = "References are relative to the workspace, with forward slashes, without '..'."


def handoff_bundle(
    summary_markdown: str,
    source: dict[str, Any],
    threads: list[dict[str, Any]],
    artifacts: list[dict[str, Any]],
    files: list[dict[str, Any]],
    **more: Any,
) -> Bundle:
    """A bundle whose thread references begin with the source cut, once."""
    cut = {**source, "note": SOURCE_CUT}
    others = [ref for ref in threads if ref.get("note") != SOURCE_CUT]
    return {
        "schema": HANDOFF_SCHEMA,
        "summary_markdown": summary_markdown,
        "refs": {"threads": [cut, *others], "artifacts": artifacts, "files": files},
        **more,
    }


def read_handoff_bundle(data: bytes) -> Bundle:
    """The bundle in these bytes. Raises BadInput with what is wrong."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise BadInput("The bundle is not UTF-8 text.", _WANTED) from None
    try:
        value = wire.decode(text)
    except BadInput as fault:
        raise BadInput(f"The bundle cannot be read. {fault.message}", _WANTED) from None
    if not isinstance(value, dict):
        raise BadInput("The bundle is not a JSON object.", _WANTED)
    schema = value.get("schema")
    if schema != HANDOFF_SCHEMA:
        family, _, version = str(schema).rpartition(".v")
        newer = family == HANDOFF_SCHEMA.rpartition(".v")[0] and version.isdigit()
        raise BadInput(
            f"The bundle's schema is {schema!r}, not {HANDOFF_SCHEMA!r}.",
            "It was written by a newer version: upgrade segue." if newer else _WANTED,
        )
    if not isinstance(value.get("summary_markdown"), str):
        raise BadInput("The bundle has no summary_markdown text.", _WANTED)
    check_refs(value.get("refs"))
    return value


def check_refs(refs: Any) -> None:
    """Raises BadInput unless these are well-formed references."""
    if not isinstance(refs, dict):
        raise BadInput("The bundle has no refs object.", "refs holds the lists threads, artifacts and files.")
    for kind in ("threads", "artifacts", "files"):
        rows = refs.get(kind)
        if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
            raise BadInput(f"refs.{kind} is not a list of objects.", "Give [] where there are none.")
    for row in refs["threads"]:
        seq = row.get("seq")
        if (
            not is_id(str(row.get("thread_id")))
            or not isinstance(seq, int)
            or isinstance(seq, bool)
            or seq < 0
        ):
            raise BadInput(
                "A thread reference needs a thread_id and a seq of 0 or more.",
                "`segue thread list` shows the ids, `segue thread events ID` the frames.",
            )
    for row in refs["artifacts"]:
        if not is_artifact_id(str(row.get("artifact_id"))):
            raise BadInput(
                "An artifact reference needs an artifact_id of 64 hex digits.",
                "`segue artifact list` shows what there is.",
            )
    for row in refs["files"]:
        confined(row.get("path"))


def confined(path: Any) -> str:
    """The path in its stored form. Raises BadInput for one that is empty, absolute or leaves the workspace."""
    if not isinstance(path, str) or not path.strip() or "\0" in path:
        raise BadInput("A file reference needs a path.", _RELATIVE)
    parts = path.replace("\\", "/").split("/")
    drive = len(parts[0]) == 2 and parts[0][1] == ":"
    if parts[0] in ("", "~") or drive or ".." in parts:
        raise BadInput(f"The path {path!r} is outside the workspace.", _RELATIVE)
    kept = [part for part in parts if part not in ("", ".")]
    if not kept:
        raise BadInput("A file reference needs a path.", _RELATIVE)
    return "/".join(kept)

"""What a handoff accepts as a bundle, and what it refuses."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from segue.errors import BadInput, NotFound, SegueError, Unavailable
from segue.model import wire
from segue.service.threads import streams
from segue.service.workspace import Workspace


def bundle(**changes: Any) -> bytes:
    value = {
        "schema": "rip.handoff_context_bundle.v1",
        "summary_markdown": "what matters",
        "refs": {"threads": [], "artifacts": [], "files": []},
        "made_by": "somebody else",
    }
    return wire.canonical({**value, **changes})


def offer(workspace: Workspace, data: bytes, **more: Any) -> dict[str, Any]:
    parent = streams.create(workspace)["thread_id"]
    artifact_id, _ = workspace.artifacts.put(data)
    return streams.handoff(workspace, parent, summary_artifact_id=artifact_id, **more)


def stored(workspace: Workspace, made: dict[str, Any]) -> Any:
    return wire.decode(workspace.artifacts.get(made["summary_artifact_id"]))


def test_a_given_bundle_keeps_its_extra_keys_and_gets_the_source_cut(workspace: Workspace) -> None:
    made = stored(workspace, offer(workspace, bundle()))
    assert made["made_by"] == "somebody else"
    assert [ref["note"] for ref in made["refs"]["threads"]] == ["source cut"]


def test_a_bundle_that_names_the_cut_already_is_kept_as_it_is(workspace: Workspace) -> None:
    first = offer(workspace, bundle())
    again = streams.handoff(
        workspace,
        first["from_thread_id"],
        summary_artifact_id=first["summary_artifact_id"],
        from_seq=first["from_seq"],
    )
    assert again["summary_artifact_id"] == first["summary_artifact_id"]


@pytest.mark.parametrize(
    "data",
    [
        b"not json",
        b"\xff\xfe",
        b"[]",
        b"{}",
        bundle(schema="rip.handoff_context_bundle.v2"),
        bundle(summary_markdown=None),
        bundle(refs=None),
        bundle(refs={"threads": [], "artifacts": []}),
        bundle(refs={"threads": [{"thread_id": "x", "seq": 0}], "artifacts": [], "files": []}),
        bundle(refs={"threads": [], "artifacts": [{"artifact_id": "zz"}], "files": []}),
        *(
            bundle(refs={"threads": [], "artifacts": [], "files": [{"path": path}]})
            for path in ("../up", "/etc/passwd", "", "a/../../b", "C:/x", "~/x", "a\0b", None)
        ),
    ],
)
def test_what_is_no_valid_bundle_is_refused_and_leaves_no_child(workspace: Workspace, data: bytes) -> None:
    with pytest.raises(BadInput):
        offer(workspace, data)
    assert len(streams.list_threads(workspace)["threads"]) == 1


def test_a_newer_schema_asks_for_an_upgrade(workspace: Workspace) -> None:
    with pytest.raises(BadInput) as caught:
        offer(workspace, bundle(schema="rip.handoff_context_bundle.v9"))
    assert "upgrade" in caught.value.hint


def test_a_missing_bundle_is_not_found(workspace: Workspace) -> None:
    parent = streams.create(workspace)["thread_id"]
    with pytest.raises(NotFound):
        streams.handoff(workspace, parent, summary_artifact_id="0" * 64)


def test_an_altered_bundle_is_refused(workspace: Workspace, tmp_path: Path) -> None:
    parent = streams.create(workspace)["thread_id"]
    artifact_id, _ = workspace.artifacts.put(bundle())
    blob = tmp_path / ".segue" / "artifacts" / "blobs" / artifact_id
    os.chmod(blob, 0o600)
    blob.write_bytes(blob.read_bytes().replace(b"matters", b"mutters"))
    with pytest.raises(Unavailable):
        streams.handoff(workspace, parent, summary_artifact_id=artifact_id)


def test_references_by_the_caller_are_checked_and_kept(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("x = 1\n")
    other = streams.create(workspace)["thread_id"]
    artifact_id, _ = workspace.artifacts.put(b"evidence")
    refs = {
        "threads": [{"thread_id": other, "note": "the design"}],
        "artifacts": [{"artifact_id": artifact_id[:12], "note": "log"}],
        "files": [{"path": "./src//a.py", "note": "start here"}],
    }
    made = stored(workspace, streams.handoff(workspace, other, summary_markdown="s", refs=refs))["refs"]
    assert made["threads"][1] == {"thread_id": other, "seq": 0, "note": "the design"}
    assert made["artifacts"] == [{"artifact_id": artifact_id, "note": "log"}]
    assert made["files"][0]["path"] == "src/a.py"
    assert workspace.artifacts.get(made["files"][0]["snapshot_artifact_id"]) == b"x = 1\n"


@pytest.mark.parametrize(
    "refs",
    [
        {"files": [{"path": "link"}]},
        {"files": [{"path": "absent.py"}]},
        {"threads": [{"thread_id": "0" * 8}]},
        {"artifacts": [{"artifact_id": "f" * 64}]},
        {"folders": []},
    ],
)
def test_references_to_nowhere_are_refused(workspace: Workspace, tmp_path: Path, refs: Any) -> None:
    os.symlink("/etc/hostname", tmp_path / "link")
    parent = streams.create(workspace)["thread_id"]
    with pytest.raises(SegueError):
        streams.handoff(workspace, parent, summary_markdown="s", refs=refs)
    assert len(streams.list_threads(workspace)["threads"]) == 1


def test_a_sensitive_file_is_named_but_never_copied(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("TOKEN=abcdef0123456789\n")
    parent = streams.create(workspace)["thread_id"]
    made = streams.handoff(workspace, parent, summary_markdown="s", refs={"files": [{"path": ".env"}]})
    assert stored(workspace, made)["refs"]["files"] == [{"path": ".env"}]


@pytest.mark.parametrize(
    "refs",
    [
        {
            "threads": [{"thread_id": "0" * 8 + "-0000-7000-8000-" + "0" * 12, "seq": 0}],
            "artifacts": [],
            "files": [],
        },
        {"threads": [], "artifacts": [{"artifact_id": "f" * 64}], "files": []},
    ],
)
def test_a_given_bundle_must_refer_to_what_is_here(workspace: Workspace, refs: Any) -> None:
    with pytest.raises(BadInput, match="refers to"):
        offer(workspace, bundle(refs=refs))


def test_a_given_bundle_is_stored_with_its_paths_in_their_form(workspace: Workspace) -> None:
    files = [{"path": "./a//b.py"}, {"path": "c\\d.py"}]
    made = stored(workspace, offer(workspace, bundle(refs={"threads": [], "artifacts": [], "files": files})))
    assert [ref["path"] for ref in made["refs"]["files"]] == ["a/b.py", "c/d.py"]


def test_an_empty_summary_in_a_bundle_is_refused(workspace: Workspace) -> None:
    with pytest.raises(BadInput, match="empty"):
        offer(workspace, bundle(summary_markdown=" \n"))


def test_what_is_private_to_the_workspace_is_never_referenced(workspace: Workspace) -> None:
    parent = streams.create(workspace)["thread_id"]
    with pytest.raises(BadInput, match="private"):
        streams.handoff(
            workspace, parent, summary_markdown="s", refs={"files": [{"path": ".segue/workspace.json"}]}
        )

"""What a caller with a write token names is read inside the project, or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from segue.handoff.headings import DOCUMENT as HEADINGS
from segue.service.workspace import Workspace

from .conftest import Caller, Serve

DOCUMENT = "".join(
    f"## {name}\n\n- The crown jewels are ported; `pytest -q` printed 4 passed [#19].\n\n"
    for name in HEADINGS
)
TEST = {"title": "It runs", "procedure": ["run it"], "expected_result": "it runs"}
NAMES = (
    "shadow.txt",
    "folder/secret.txt",
    "inner.txt",
    ".segue/log.db",
    ".segue/workspace.json",
    ".git/config",
)


@pytest.fixture
def writer(serve: Serve, tmp_path: Path) -> Caller:
    call = serve().call
    (tmp_path / "secret.txt").write_text("the hidden treasure\n")
    (call.root / ".git").mkdir()
    (call.root / ".git" / "config").write_text("[user]\n")
    (call.root / "shadow.txt").symlink_to(tmp_path / "secret.txt")
    (call.root / "folder").symlink_to(tmp_path)
    (call.root / "inner.txt").symlink_to(".segue/workspace.json")
    assert call("POST", "/threads/ensure", {}).status == 200
    return call


def change(call: Caller) -> str:
    call("POST", "/changes/init", {})
    made = call("POST", "/changes", {"title": "Name it"})
    assert made.status == 201, made.json
    tc_id: str = made.json["tc_id"]
    assert update(call, tc_id, add_tests=[TEST]).status == 200
    return tc_id


def update(call: Caller, tc_id: str, **wanted: Any) -> Any:
    return call("PATCH", f"/changes/{tc_id}", {"wanted": wanted})


def evidence(path: str, kind: str = "file_reference") -> dict[str, str]:
    return {"test_id": "T1", "type": kind, "description": "d", "content": path}


@pytest.mark.parametrize("path", NAMES)
def test_evidence_is_no_way_out_of_the_project(writer: Caller, path: str) -> None:
    tc_id = change(writer)
    answer = update(writer, tc_id, add_evidence=[evidence(path)])
    assert (answer.status, b"treasure" in answer.body) == (400, False)
    assert not (writer.root / "docs" / "TC" / "evidence" / tc_id).exists()
    named = {"test_id": "T1", "type": "file_reference", "description": "d", "path": path}
    assert update(writer, tc_id, add_evidence=[named]).status == 404


@pytest.mark.parametrize("path", NAMES)
def test_a_reference_is_no_way_out_of_the_project(writer: Caller, path: str) -> None:
    said = {"summary_markdown": "s", "refs": {"files": [{"path": path}]}}
    answer = writer("POST", "/threads/default/handoff", said)
    assert (answer.status, b"treasure" in answer.body) == (400, False)


def test_evidence_is_a_redacted_text_or_an_image_and_no_more_open_than_the_original(writer: Caller) -> None:
    tc_id = change(writer)
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    files = {
        "run.log": f"token {secret}\n".encode(),
        "fake.png": f"token {secret}\n".encode(),
        "latin.log": f"caf\u00e9 {secret}\n".encode("latin-1"),
        "real.png": b"\x89PNG\r\n\x1a\n\0\0",
        "data.bin": b"\0\1\2" + secret.encode(),
    }
    for name, data in files.items():
        (writer.root / name).write_bytes(data)
        (writer.root / name).chmod(0o600)
    answers = {name: update(writer, tc_id, add_evidence=[evidence(name)]).status for name in files}
    assert answers == {**dict.fromkeys(files, 200), "data.bin": 400}
    folder = writer.root / "docs" / "TC" / "evidence" / tc_id
    kept = sorted(os.listdir(folder))
    assert kept == ["T1-fake.png", "T1-latin.log", "T1-real.png", "T1-run.log"]
    assert [name for name in kept if secret.encode() in (folder / name).read_bytes()] == []
    assert {(folder / name).stat().st_mode & 0o777 for name in kept} == {0o600}
    os.mkfifo(writer.root / "pipe.log")
    refused = update(writer, tc_id, add_evidence=[evidence("pipe.log")])
    assert (refused.status, refused.json["code"]) == (403, "refused")


@pytest.fixture
def document(writer: Caller) -> str:
    """The artifact of a private handoff document that waits, and is approved, in the workspace of the server."""
    answer = writer("POST", "/boundary/draft", {"text": DOCUMENT, "sensitivity": "private"})
    assert answer.status == 201 and answer.json["written"], answer.json
    artifact_id: str = answer.json["artifact_id"]
    return artifact_id


def leaks(*answers: Any) -> list[int]:
    return [answer.status for answer in answers if b"crown" in answer.body]


def test_a_private_document_does_not_leave_by_a_reference(writer: Caller, document: str) -> None:
    said = {"summary_markdown": "s", "refs": {"artifacts": [{"artifact_id": document}]}}
    child = writer("POST", "/threads/default/handoff", said)
    assert child.status == 201, child.json
    compiled = writer("POST", f"/threads/{child.json['thread_id']}/compile", {"budget": 8000})
    bundle = writer("GET", f"/artifacts/{compiled.json['bundle_artifact_id']}")
    again = {"summary_artifact_id": child.json["summary_artifact_id"], "summary_markdown": "t"}
    other = writer("POST", "/threads/default/handoff", again)
    second = writer("POST", f"/threads/{other.json['thread_id']}/compile", {})
    audit = writer("GET", f"/threads/{child.json['thread_id']}/audit")
    assert leaks(child, compiled, bundle, other, second, audit) == []
    assert {"type": "artifact_ref", "artifact_id": document} in compiled.json["bundle"]["items"]
    assert audit.json["ok"]


def test_a_private_document_does_not_leave_as_an_artifact_or_in_a_verdict(
    writer: Caller, document: str
) -> None:
    approve = writer("POST", "/boundary/draft/approve", {"expect": document})
    answers = [
        writer("GET", f"/artifacts/{document}"),
        writer("GET", f"/artifacts/{document[:12]}?max_bytes=40"),
        writer("GET", f"/artifacts/{document}", headers={"Range": "bytes=10-60"}),
        writer("GET", "/handoffs/current"),
        writer("POST", "/handoffs/verify", {}),
        writer("POST", "/handoffs/verify", {"artifact_id": document}),
        writer("GET", "/boundary/draft"),
    ]
    assert leaks(approve, *answers) == []
    assert [answer.status for answer in answers] == [403, 403, 403, 403, 403, 400, 200]


def test_a_document_is_known_by_where_it_came_from_not_by_how_it_looks(writer: Caller, document: str) -> None:
    alike = writer("POST", "/artifacts", data=DOCUMENT.replace("crown", "wooden").encode())
    assert writer("GET", f"/artifacts/{alike.json['artifact_id']}").status == 200
    workspace = Workspace(str(writer.root))
    assert workspace.artifacts.get(document).decode() == DOCUMENT
    workspace.close()

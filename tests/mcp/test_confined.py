"""What an agent names through MCP is read inside the project, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from segue.handoff.headings import DOCUMENT
from segue.service.boundary import drafts
from segue.service.threads import streams
from segue.service.workspace import Workspace

from .conftest import Project, request


@pytest.mark.parametrize("path", ["shadow.txt", ".segue/workspace.json", ".segue/log.db"])
def test_evidence_is_no_way_out_of_the_project(project: Project, path: str) -> None:
    outside = Path(project.home) / "secret.txt"
    outside.write_text("the hidden treasure\n")
    (Path(project.root) / "shadow.txt").symlink_to(outside)
    test = {"title": "It runs", "procedure": ["run it"], "expected_result": "it runs"}
    assert not project.calls("segue_change_update", tc_id=project.tc_id, wanted={"add_tests": [test]}).get(
        "isError"
    )
    shown = {"test_id": "T1", "type": "file_reference", "description": "d", "content": path}
    told = project.calls("segue_change_update", tc_id=project.tc_id, wanted={"add_evidence": [shown]})
    assert told["isError"]
    assert not (Path(project.root) / "docs" / "TC" / "evidence").exists()


def test_a_private_document_does_not_leave_by_a_reference(project: Project) -> None:
    workspace = Workspace(project.root)
    text = "".join(
        f"## {name}\n\n- The crown jewels; `pytest -q` printed 4 passed [#19].\n\n" for name in DOCUMENT
    )
    document = drafts.write(workspace, text, sensitivity="private")["artifact_id"]
    refs = {"artifacts": [{"artifact_id": document}]}
    child = streams.handoff(workspace, "default", summary_markdown="s", refs=refs)["thread_id"]
    workspace.close()
    compiled = project.calls("segue_thread_compile", thread_id=child)
    bundle = compiled["structuredContent"]["bundle_artifact_id"]
    answers = [
        compiled,
        *project.says(
            *(request("resources/read", uri=f"segue://artifacts/{one}") for one in (bundle, document))
        ),
    ]
    assert "crown" not in str(answers)
    assert answers[2]["error"]["data"]["code"] == "refused"

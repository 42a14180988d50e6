"""What an agent names through MCP is read inside the project, or not at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from .conftest import Project


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

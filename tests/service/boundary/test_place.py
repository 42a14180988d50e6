"""A handoff goes where it is about: not into a repository or worktree that merely lies inside the workspace."""

from __future__ import annotations

from pathlib import Path

import pytest

from segue.handoff.headings import DOCUMENT
from segue.model.moment import START, Moment
from segue.service.boundary import drafts, moments
from segue.service.boundary.place import territory
from segue.service.workspace import Workspace

RICH = "\n".join(
    f"## {name}\n\n- Ported the retry loop in uploader.py; `pytest -q` printed 4 passed [#19].\n"
    for name in DOCUMENT
)


@pytest.fixture
def project(workspace: Workspace) -> Path:
    """A repository with a folder, a repository of its own inside, and a worktree."""
    root = Path(workspace.root)
    for folder in (".git", "src", "vendor/lib/.git", "vendor/lib/src", "trees/fix"):
        (root / folder).mkdir(parents=True)
    (root / "trees/fix/.git").write_text("gitdir: elsewhere\n")
    return root


def start(workspace: Workspace, place: Path, session: str) -> str:
    moment = Moment("codex", "SessionStart", START, session, str(place), source="startup")
    return moments.on_moment(workspace, moment)[0].inject


@pytest.mark.parametrize(
    ("place", "given"),
    [
        (".", True),
        ("src", True),
        ("vendor", True),
        ("vendor/lib", False),
        ("vendor/lib/src", False),
        ("trees/fix", False),
        ("..", False),
    ],
)
def test_a_repository_or_worktree_below_the_workspace_is_another_place(
    workspace: Workspace, project: Path, place: str, given: bool
) -> None:
    drafts.write(workspace, RICH)
    drafts.approve(workspace)
    assert ("Ported" in start(workspace, project / place, "fresh")) is given


def test_a_handoff_written_in_a_nested_repository_stays_there(workspace: Workspace, project: Path) -> None:
    drafts.write(workspace, RICH, directory=str(project / "vendor/lib/src"))
    drafts.approve(workspace)
    assert start(workspace, project, "outside") == ""
    assert "Ported" in start(workspace, project / "vendor/lib", "inside")


def test_a_session_is_given_its_own_handoff_wherever_it_works_in_the_workspace(
    workspace: Workspace, project: Path
) -> None:
    drafts.write(workspace, RICH, "codex", "mine")
    drafts.approve(workspace)
    assert start(workspace, project / "vendor/lib", "yours") == ""
    assert "Ported" in start(workspace, project / "vendor/lib", "mine")


def test_a_link_out_of_the_workspace_leads_out_of_it(workspace: Workspace, project: Path) -> None:
    (project / "link").symlink_to("/")
    assert territory(workspace.root, str(project / "link")) is None

"""Where an integration may write: the files that its agent reads, below a project or a person's home.

In a project nothing is changed through a link, since the repository may have brought it along; links in a home are
the person's own. A ledger is believed only about these files.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from segue.agents import integrations
from segue.agents.host import Integration
from segue.service.refusals import refusal

if TYPE_CHECKING:
    from segue.service.workspace import Workspace


def integration(workspace: Workspace, agent: str, project: bool) -> Integration:
    """What an agent takes here; raises BadInput for one that takes nothing."""
    found = integrations.integration(agent, _base(workspace, project), project, os.environ)
    if found is None:
        raise refusal("no-integration", agent=agent, agents=", ".join(integrations.agents()))
    return found


def known(workspace: Workspace, agent: str, project: bool) -> set[str]:
    """Every file of an agent's integration, as the ledger names it; none for an agent that has no integration."""
    found = integrations.integration(agent, _base(workspace, project), project, os.environ)
    if found is None:
        return set()
    paths = [*(one.path for one in found.settings), *(one.path for one in found.files)]
    return {*paths} if project else {*paths, *map(os.path.realpath, paths)}


def resolved(path: str, project: bool) -> str:
    """The file that is written for a path; raises Refused where a link in a project leads to it."""
    real = os.path.realpath(path)
    if project and real != path:
        raise refusal("behind-a-link", path=path)
    return real


def in_home(workspace: Workspace, path: str) -> str:
    """The file of a person's home that stands where this one stands in the project."""
    return os.path.join(_base(workspace, False), os.path.relpath(path, _base(workspace, True)))


def _base(workspace: Workspace, project: bool) -> str:
    return os.path.realpath(workspace.root) if project else os.path.expanduser("~")

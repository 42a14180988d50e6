"""Which piece of work a directory belongs to: a repository or worktree below the workspace is one of its own.

A handoff is given to a session that works where the handoff is about, never to one in a repository that
merely lies inside the workspace.
"""

from __future__ import annotations

import os

from segue.model.moment import Moment
from segue.service.boundary.documents import About
from segue.service.workspace import Workspace


def territory(root: str, directory: str) -> str | None:
    """The nearest repository or worktree around a directory that lies below the root; the root itself where there
    is none; None for a directory elsewhere."""
    root, here = os.path.realpath(root), os.path.realpath(directory or root)
    if here != root and not here.startswith(root.rstrip(os.sep) + os.sep):
        return None
    while here != root and not os.path.lexists(os.path.join(here, ".git")):
        here = os.path.dirname(here)
    return here


def same_place(workspace: Workspace, moment: Moment, about: About) -> bool:
    """True when the session works where the handoff is about. A session's own handoff follows it through the
    workspace."""
    root = os.path.realpath(workspace.root)
    here = territory(root, moment.cwd)
    if here is None or os.path.realpath(about.root or root) != root:
        return False
    own = bool(about.session_id) and (about.host, about.session_id) == (moment.host, moment.session_id)
    return own or here == (about.place or root)

"""What was edited and not committed, in a session that used git: a handoff must say where the work lies.

It is told by the lack of a commit that was seen, and says so. Files outside the project, and what git was never asked
about, are nobody's to commit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from segue.extract.commands.runs import Parsed
from segue.extract.tree.files import Touched
from segue.model.facts import Claim, Evidence
from segue.model.scratch import is_scratch

_CHANGED = ("created", "modified", "renamed", "deleted")
_NAMED = 4


def uncommitted(
    files: Sequence[Touched], commands: Sequence[Parsed], committed: Callable[[str, int], bool]
) -> Iterator[Claim]:
    """The claim that no commit was seen of what was edited last. `committed` tells whether one holds a file as it was
    left at a line."""
    if not any(simple.words[:1] == ("git",) for row in commands for simple in row.simple):
        return
    left = [
        file
        for file in files
        if file.edits
        and file.action in _CHANGED
        and not file.path.startswith(("/", "~"))
        and not is_scratch(file.path)
        and not committed(file.path, file.edit_line)
    ]
    if left:
        more = f" and {len(left) - _NAMED} more" if len(left) > _NAMED else ""
        names = ", ".join(file.path for file in left[-_NAMED:])
        at = max(file.edit_line for file in left)
        text = f"no commit was seen since the last edits of {names}{more}"
        yield Claim(text=text, state="pending", act="uncommitted", evidence=(Evidence(at),))

"""A file that the session created was created once; what came after was a change of it."""

from __future__ import annotations

import pytest

from segue.extract.carried_files import files_of
from segue.extract.tokens import count
from segue.handoff.packet import compose
from segue.model.facts import Evidence, Facts, FileAction, FileFact, SourceFacts
from segue.model.packet import section


@pytest.mark.parametrize(
    ("action", "edits", "told"),
    [
        ("created", 9, "a.py (created, then modified 8×, ready)"),
        ("created", 2, "a.py (created, then modified, ready)"),
        ("created", 1, "a.py (created, ready)"),
        ("modified", 3, "a.py (modified 3×, ready)"),
        ("deleted", 3, "a.py (deleted)"),
    ],
)
def test_a_packet_tells_how_often_a_file_was_changed_and_is_read_back_so(
    action: FileAction, edits: int, told: str
) -> None:
    file = FileFact(
        path="src/a.py",
        action=action,
        edits=edits,
        work_state="ready",
        symbols=("next_delay",),
        evidence=(Evidence(4),),
    )
    source = SourceFacts(agent="pi", session_id="s-1", turns=2)
    packet, _ = compose(Facts(source=source, files=(file,)), 4000, count)
    assert told in section(packet, "Files")
    (back,) = files_of(f"## Files\n{section(packet, 'Files')}\n", "s-1")
    assert (back.action, back.edits) == (action, 1 if action == "deleted" else edits)

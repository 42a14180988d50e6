"""How often a file was changed: what was created is created once, and whatever comes after is one more change."""

from __future__ import annotations

import pytest

from segue.extract.carried_files import files_of


@pytest.mark.parametrize(
    ("row", "action", "edits"),
    [
        ("a.py (created, then modified 8×, ready): next_delay [#4]", "created", 9),
        ("a.py (created, then modified, ready): next_delay [#4]", "created", 2),
        ("a.py (created, ready): next_delay [#4]", "created", 1),
        ("a.py (created 9×, ready): next_delay [#4]", "created", 9),
        ("a.py (modified 3×, needs review) [#4]", "modified", 3),
    ],
)
def test_a_packet_is_read_back_with_the_number_of_its_changes(row: str, action: str, edits: int) -> None:
    (file,) = files_of(f"## Files\nsrc/\n- {row}\n", "s-1")
    assert (file.path, file.action, file.edits) == ("src/a.py", action, edits)

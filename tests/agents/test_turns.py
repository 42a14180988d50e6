"""A session has as many turns in a list as in its packet, whoever recorded it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from segue.redaction.redact import Redactor
from segue.service.handoffs.draft import Session, draft
from segue.service.sessions import rows


def test_a_list_and_a_packet_count_the_same_turns(case: Any, tmp_path: Path) -> None:
    path = str(case.copied(tmp_path))
    source = rows.Source(case.agent, path)
    listed = rows.Summary(source)
    for entry in source.entries():
        listed.add(entry)
    made = draft(Session(case.agent, path, source.entries()))
    assert listed.row(Redactor())["turns"] == made.facts.source.turns

"""Records to try things on: `make` gives a sound one, `amend` one with a further revision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from segue.changes import edit, record, revisions
from segue.changes.document import Document
from segue.changes.draft import Draft
from segue.model.change import Description, Session
from segue.model.change_update import Update

AT = "2026-04-05T14:32:00+00:00"

Make = Callable[..., Document]


def _update(values: dict[str, Any]) -> Update:
    return msgspec.convert(values, Update)


@pytest.fixture
def make() -> Make:
    """A sound record, TC-007, with this update in it."""

    def made(**update: Any) -> Document:
        session = Session(session_id="s-1", platform="claude_code", model="m", started=AT, last_active=AT)
        words = Description(
            summary="Retry uploads that fail", motivation="Uploads fail at night", scope="feature"
        )
        blank = record.new(
            "TC-007-04-05-26-retry-uploads",
            "Retry uploads",
            words,
            project="desk",
            author="maker",
            at=AT,
            session=session,
        )
        draft = Draft(blank, "maker", AT)
        edit.apply(draft, _update(update))
        return record.begin(draft.document, "maker", AT, draft.done, "Initial creation")

    return made


@pytest.fixture
def amend() -> Make:
    """The record after an update, with its revision, nothing refused."""

    def amended(document: Document, at: str = AT, reason: str | None = None, **update: Any) -> Document:
        draft = Draft(document, "fixer", at)
        edit.apply(draft, _update(update))
        changes = revisions.differences(document, draft.document, reason)
        revisions.append(draft.document, changes, draft.done, "fixer", at)
        return draft.document

    return amended

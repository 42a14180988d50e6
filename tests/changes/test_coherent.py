"""An update that contradicts itself is refused; the same fields about different things are not."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from segue.changes.edit import OPPOSITES, require_coherent
from segue.errors import BadInput
from segue.model.change_update import Update

ITEMS: dict[str, dict[str, Any]] = {
    "files": {"path": "{}"},
    "files_in_progress": {"path": "{}", "state": "ready"},
    "resolve_blockers": {"blocker": "{}"},
    "decisions": {"decision": "{}", "rationale": "why"},
}


def item(field: str, name: str) -> Any:
    return {key: value.replace("{}", name) for key, value in ITEMS[field].items()} if field in ITEMS else name


@pytest.mark.parametrize(("one", "other"), [row[:2] for row in OPPOSITES])
def test_one_thing_cannot_be_asked_for_both_ways(one: str, other: str) -> None:
    same = {one: [item(one, "Run it")], other: [item(other, "run  it")]}
    with pytest.raises(BadInput, match=r"'run it' cannot be .* in one update\."):
        require_coherent(msgspec.convert(same, Update))
    require_coherent(msgspec.convert(same | {other: [item(other, "another")]}, Update))


def test_an_approval_is_not_given_and_taken_back_at_once() -> None:
    with pytest.raises(BadInput, match="An approval cannot be given and taken back"):
        require_coherent(msgspec.convert({"approve": {"by": "a"}, "revoke_approval": True}, Update))


def test_a_test_has_one_result_in_an_update() -> None:
    results = [{"test_id": "T1", "status": "pass"}, {"test_id": "t1", "status": "fail"}]
    with pytest.raises(BadInput, match="t1 cannot be pass and fail"):
        require_coherent(msgspec.convert({"test_results": results}, Update))

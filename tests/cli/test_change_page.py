"""The page of a change: whatever a record holds can be read there."""

from __future__ import annotations

import types
import typing
from collections.abc import Iterator
from typing import Annotated, Any, Literal

import msgspec
import pytest

from segue.model.change import Record
from segue.surfaces.cli.change.page import history_page, record_page

NOT_SHOWN = {"content", "seal", "sha", "parent_count", "files_changed", "linked_at"}
"""What only programs compare, and what git tells better; all of it is in `--json`."""


def filled(kind: Any, path: str) -> Any:
    """A value of that type in which every text names its own place."""
    origin, given = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return filled(given[0], path)
    if origin is Literal:
        return given[-1]
    if isinstance(kind, types.UnionType) or origin is typing.Union:
        return filled(next(one for one in given if one not in (type(None), msgspec.UnsetType)), path)
    if origin is list:
        return [filled(given[0], f"{path}[]")]
    if origin is dict:
        return {"level": f"<{path}>"}
    if isinstance(kind, type) and issubclass(kind, msgspec.Struct):
        return {
            field.name: filled(field.type, f"{path}.{field.name}") for field in msgspec.structs.fields(kind)
        }
    return {bool: True, int: 41, str: f"<{path}>", Any: f"<{path}>"}[kind]


def texts(value: Any, name: str = "") -> Iterator[str]:
    """Every text in a document but those that are not for people."""
    if name in NOT_SHOWN and not isinstance(value, dict):
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from texts(inner, key)
    elif isinstance(value, list):
        for inner in value:
            yield from texts(inner, name)
    elif isinstance(value, str):
        yield value


def test_everything_a_record_holds_is_on_its_page() -> None:
    record = {**filled(Record, "record"), "house_rule": "<of another program>"}
    record["metadata"] |= {"project": record["project"], "created_by": record["created_by"]}
    record["sub_tcs"][0]["revision_history"][0]["field_changes"] = [{"field": "<of a part>", "action": "set"}]
    record["metadata"] |= {"last_modified": record["updated"]}
    shown = f"{record_page(record)}\n{history_page(record)}"
    assert [text for text in texts(record) if text not in shown] == []


def test_the_output_that_proves_a_test_is_on_the_page() -> None:
    record = filled(Record, "record")
    record["test_cases"][0]["evidence"][0]["content"] = "12 passed\nin 3 s"
    assert "| 12 passed\n       | in 3 s" in record_page(record)


def test_a_session_that_has_ended_is_not_shown_at_work() -> None:
    context = filled(Record, "record")["session_context"]
    assert "at work" in record_page({"session_context": context})
    ended = {**context["session_history"][0], **context["current_session"]}
    assert "at work" not in record_page({"session_context": {**context, "session_history": [ended]}})


@pytest.mark.parametrize("value", [None, [], "text", 7, {"handoff": []}, [None, 3]])
def test_a_record_out_of_shape_can_be_shown_too(value: Any) -> None:
    for name in msgspec.structs.fields(Record):
        assert record_page({"tc_id": "TC-001", name.name: value})
    assert history_page({"tc_id": "TC-001", "revision_history": value})

"""Small answers: one page of rows, long texts cut, and a word on what is missing and how to get it.

A page has as many rows as were asked for and fit; at least one. Texts that segue renders itself have a
budget of their own and are never cut.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from segue.errors import BadInput
from segue.surfaces.mcp.protocol import Json
from segue.surfaces.mcp.tools import Tool

MOST = 24_000
"""Characters of an answer: about 6,000 tokens."""
_LONGEST = 2_000
"""Characters of a text inside a row."""
_STEPS = ((_LONGEST, 200), (1_000, 60), (500, 30), (200, 15), (80, 8))
"""(longest text, longest list) by which an answer without rows is made to fit."""
_CUT = "… [cut]"


class Wanted(NamedTuple):
    offset: int
    limit: int
    at_source: bool
    """Whether the operation itself begins at the offset."""


def requested(tool: Tool, values: Json) -> Wanted:
    """The page that is wanted, taken out of the arguments; what the operation must know for it is put in."""
    if not tool.rows:
        return Wanted(0, 0, False)
    offset = _whole_number(values.pop("offset", 0), "offset", 0)
    limit = min(_whole_number(values.pop("limit", tool.page), "limit", 1), 200)
    accepted = _accepted(tool)
    if "offset" in accepted:
        values |= {"offset": offset, "limit": limit}
    elif "limit" in accepted:
        values["limit"] = offset + limit + 1
    return Wanted(offset, limit, "offset" in accepted)


def _accepted(tool: Tool) -> set[str]:
    from segue.service.signatures import signature

    return set(signature(tool.operation).request.__struct_fields__) - set(tool.hidden)


def _whole_number(value: Any, name: str, least: int) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise BadInput(f"{name} is a whole number of {least} or more.", "Leave it out for the default.")
    return value


def page(tool: Tool, answer: Json, wanted: Wanted) -> Json:
    """The page of an answer that was asked for, as far as it fits."""
    whole = {name: answer[name] for name in tool.whole if name in answer}
    rest = {name: value for name, value in answer.items() if name not in tool.whole}
    for path in tool.omitted:
        rest = _without(rest, path.split("."))
    fitted = _rows(tool.rows, rest, wanted) if tool.rows else _shrunk(rest)
    return {**whole, **fitted}


def _without(value: Any, path: list[str]) -> Any:
    """A value, or each row of a list, without a member of it."""
    if isinstance(value, list | tuple):
        return [_without(row, path) for row in value]
    first, *rest = path
    if not isinstance(value, dict) or first not in value:
        return value
    if rest:
        return {**value, first: _without(value[first], rest)}
    return {name: item for name, item in value.items() if name != first}


def _rows(name: str, answer: Json, wanted: Wanted) -> Json:
    known: list[Any] = answer[name]
    given = known if wanted.at_source else known[wanted.offset : wanted.offset + wanted.limit]
    cut = [_clipped(row, _LONGEST, 50) for row in given]
    rest = _shrunk(
        {field: value for field, value in answer.items() if field not in (name, "next_offset")}, MOST // 2
    )
    room = MOST - _size(rest)
    kept: list[Any] = []
    for row in cut:
        room -= _size(row)
        if kept and room < 0:
            break
        kept.append(row)
    after = wanted.offset + len(kept)
    told: Json = {**rest, name: kept}
    more = len(kept) < len(given) or ("next_offset" in answer if wanted.at_source else after < len(known))
    if more:
        told["next_offset"] = after
    notes = [f"More {name} follow: ask again with offset {after}."] if more else []
    if any(_size(row) != _size(whole) for row, whole in zip(kept, given, strict=False)):
        notes.append("Long texts are cut.")
    return {**told, "truncated": " ".join(notes)} if notes else told


def _shrunk(answer: Json, most: int = MOST) -> Json:
    """An answer without rows, its longest texts and lists cut until it fits."""
    if _size(answer) <= most:
        return answer
    for longest, items in _STEPS:
        made: Json = _clipped(answer, longest, items)
        if _size(made) <= most:
            break
    return {**made, "truncated": "Long texts and lists are cut to keep this answer small."}


def _clipped(value: Any, longest: int, items: int) -> Any:
    if isinstance(value, str):
        return value if len(value) <= longest else value[: longest - len(_CUT)] + _CUT
    if isinstance(value, dict):
        return {name: _clipped(item, longest, items) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [_clipped(item, longest, items) for item in value[:items]]
    return value


def _size(value: Any) -> int:
    return len(json.dumps(value, ensure_ascii=False))

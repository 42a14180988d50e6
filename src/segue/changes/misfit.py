"""Where a value does not fit its type: every place of it, in words that name what would fit.

msgspec tells of the first fault alone and does not say what it would have taken. The type is walked only
once something is known to be wrong, so a value that fits costs one conversion.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterator
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from segue.errors import BadInput
from segue.model.value import NamedTuple

Fitting = TypeVar("Fitting")

_WORDS: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"Expected `str` of length >= 1$"), "it is empty"),
    (re.compile(r"Expected `(?:str|array)` of length >= (\d+)"), r"it is too short, \1 is the least"),
    (re.compile(r"Expected `(?:str|array)` of length <= (\d+)"), r"it is too long, \1 is the most"),
    (re.compile(r"Expected `(.+)`, got `(.+)`"), r"it is of type \2 where \1 is expected"),
    (re.compile(r"Expected `int` >= (-?\d+)"), r"it is less than \1"),
    (re.compile(r"Expected `str` matching regex (.+)"), r"it does not look like \1"),
)


class Misfit(NamedTuple):
    """`where` is a path as `test_cases[0].status`, empty for the value itself."""

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


def misfits(value: Any, kind: Any, where: str = "") -> Iterator[Misfit]:
    """Every place at which a value does not fit a type; nothing if it fits."""
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as fault:
        inner = [
            found
            for place, part, part_kind in _parts(value, kind)
            for found in misfits(part, part_kind, where + place)
        ]
        inner += [Misfit(where.lstrip("."), what) for what in _gaps(value, kind)]
        if inner:
            yield from inner
        else:
            what, _, place = str(fault).partition(" - at `$")
            yield Misfit((where + place.rstrip("`")).lstrip("."), _explained(what, value, kind))


def fitted(value: Any, kind: type[Fitting], what: str, hint: str) -> Fitting:
    """The value as that type. Raises BadInput with every place that does not fit."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError:
        told = "; ".join(map(str, misfits(value, kind)))
        raise BadInput(f"{what} does not fit: {told}.", hint) from None


def _explained(fault: str, value: Any, kind: Any) -> str:
    plain = _plain(kind)
    if typing.get_origin(plain) is Literal and isinstance(value, str):
        return f"{value!r} is none of {', '.join(typing.get_args(plain))}"
    if value and isinstance(value, str) and (told := _described(kind)):
        return f"{value!r} is not what it should be: {told.rstrip('.')}"
    for pattern, words in _WORDS:
        if found := pattern.search(fault):
            return found.expand(words)
    return fault


def _parts(value: Any, kind: Any) -> Iterator[tuple[str, Any, Any]]:
    """What a value is made of, each with its place and its type."""
    plain = _plain(kind)
    if isinstance(value, dict) and _is_struct(plain):
        for field in msgspec.structs.fields(plain):
            if field.encode_name in value:
                yield f".{field.encode_name}", value[field.encode_name], field.type
    elif isinstance(value, list) and typing.get_origin(plain) is list:
        for number, item in enumerate(value):
            yield f"[{number}]", item, typing.get_args(plain)[0]


def _gaps(value: Any, kind: Any) -> Iterator[str]:
    """Fields that an object lacks, and those it should not have."""
    plain = _plain(kind)
    if not isinstance(value, dict) or not _is_struct(plain):
        return
    fields = {field.encode_name: field for field in msgspec.structs.fields(plain)}
    yield from (
        f"{name} is missing" for name, field in fields.items() if field.required and name not in value
    )
    if plain.__struct_config__.forbid_unknown_fields:
        yield from (f"there is no field {name!r}" for name in value if name not in fields)


def _plain(kind: Any) -> Any:
    """A type without what only limits it, or lets it be absent."""
    while True:
        if typing.get_origin(kind) is Annotated:
            kind = typing.get_args(kind)[0]
        elif _is_union(kind):
            chosen = [one for one in typing.get_args(kind) if one not in (type(None), msgspec.UnsetType)]
            if len(chosen) != 1:
                return kind
            kind = chosen[0]
        else:
            return kind


def _described(kind: Any) -> str:
    """What a type says of itself; empty if it says nothing."""
    given = typing.get_args(kind)
    if typing.get_origin(kind) is Annotated:
        told = [one.description for one in given[1:] if isinstance(one, msgspec.Meta) and one.description]
        return told[0] if told else _described(given[0])
    return next(filter(None, map(_described, given)), "") if _is_union(kind) else ""


def _is_union(kind: Any) -> bool:
    return isinstance(kind, types.UnionType) or typing.get_origin(kind) is typing.Union


def _is_struct(kind: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, msgspec.Struct)

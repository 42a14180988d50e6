"""`NamedTuple` without `typing`: the same classes at a fifth of the price.

A hook would spend 5 of its 35 ms on importing `typing`, and a handoff makes sixty such classes before it begins: each of
`collections.namedtuple` compiles a constructor, where one for each number of fields is enough. Type checkers see the
real one.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import _tuplegetter

    _NAMESPACE = {"new": tuple.__new__}
    _constructors = {}

    def _constructor(fields, defaults):
        code = _constructors.get(len(fields))
        if code is None:
            given = "".join(f"_{place}, " for place in range(len(fields)))
            code = _constructors[len(fields)] = eval(f"lambda _cls, {given}: new(_cls, ({given}))").__code__  # noqa: S307
        named = code.replace(co_varnames=("_cls", *fields), co_name="__new__", co_qualname="__new__")
        return type(_constructor)(named, _NAMESPACE, None, defaults)

    class _Tuple(tuple):
        __slots__ = ()

        @classmethod
        def _make(cls, values):
            made = tuple.__new__(cls, values)
            if len(made) != len(cls._fields):
                raise TypeError(f"Expected {len(cls._fields)} arguments, got {len(made)}")
            return made

        def _replace(self, /, **changes):
            made = self._make(map(changes.pop, self._fields, self))
            if changes:
                raise ValueError(f"Got unexpected field names: {list(changes)!r}")
            return made

        def _asdict(self):
            return dict(zip(self._fields, self, strict=True))

        def __repr__(self):
            values = ", ".join(f"{field}={value!r}" for field, value in self._asdict().items())
            return f"{self.__class__.__name__}({values})"

        def __getnewargs__(self):
            return tuple(self)

    class _Fields(type):
        def __new__(meta, name, bases, body):
            if not bases:
                return super().__new__(meta, name, bases, body)
            fields = tuple(body.get("__annotations__", ()))
            defaults = {field: body[field] for field in fields if field in body}
            body["__slots__"], body["_fields"], body["_field_defaults"] = (), fields, defaults
            body["__match_args__"] = fields
            body["__new__"] = _constructor(fields, tuple(defaults.values()))
            body.update((field, _tuplegetter(place, "")) for place, field in enumerate(fields))
            return type(name, (_Tuple,), body)

    class NamedTuple(metaclass=_Fields):
        """A tuple whose places have names."""

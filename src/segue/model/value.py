"""`NamedTuple` without `typing`: the same classes at half the price.

A hook would spend 5 of its 35 ms on importing `typing`, and a handoff makes sixty such classes before it begins. Type
checkers see the real one.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple
else:
    from collections import namedtuple

    class _Fields(type):
        def __new__(meta, name, bases, body):
            if not bases:
                return super().__new__(meta, name, bases, body)
            fields = list(body.get("__annotations__", ()))
            defaults = [body[field] for field in fields if field in body]
            made = namedtuple(name, fields, defaults=defaults, module=body["__module__"])
            for attribute in body.keys() - {*fields, "__module__", "__qualname__"}:
                setattr(made, attribute, body[attribute])
            return made

    class NamedTuple(metaclass=_Fields):
        """A tuple whose places have names."""

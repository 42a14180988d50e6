"""What a thing has to remember to go on later, as plain values and back.

A thing names the attributes that change while it works, each with its type; everything else it has is
made anew. What was recalled behaves as if it had never been put away.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import msgspec

Memory = dict[str, Any]
"""Text, numbers, truth values, nulls, lists and objects only."""


class Forgotten(ValueError):
    """A memory is not one of the thing that is to recall it."""


class Rememberer(Protocol):
    @property
    def REMEMBERS(self) -> Mapping[str, Any]:
        """The attributes to be remembered and their types."""


def remembered(thing: Rememberer) -> Memory:
    """The memory of a thing as it is now; later changes of the thing do not touch it."""
    return {name: msgspec.to_builtins(getattr(thing, name)) for name in thing.REMEMBERS}


def recall(thing: Rememberer, memory: Memory) -> None:
    """Puts a memory back. Raises Forgotten for what no such thing ever remembered."""
    try:
        for name, kind in thing.REMEMBERS.items():
            setattr(thing, name, msgspec.convert(memory[name], kind))
    except (msgspec.ValidationError, KeyError) as fault:
        raise Forgotten(f"{type(thing).__name__} does not remember: {fault}") from None

"""The client's methods, made from the table of operations: each takes what its operation takes."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import Parameter
from typing import Any

from msgspec.structs import fields

from segue.service.operations import OPERATIONS, Operation
from segue.service.signatures import signature

Ask = Callable[[str, dict[str, Any], str | None], Any]
STREAMED = "thread.events"
"""Its frames come one by one, by a method that the client has of its own."""


class Group:
    """Methods for the operations of one group. What they answer is what `ask` returns for the operation's name, the
    values and the idempotency key: given an `ask` that is awaited, they are awaited."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    def __init_subclass__(cls, operations: str | None = None) -> None:
        for operation in OPERATIONS:
            if group_of(operation) == operations and operation.name != STREAMED:
                setattr(cls, name_of(operation), _Unmade(cls, operation))


class _Unmade:
    """Stands for a method until it is looked up: what it takes and does is known only when the module of its operation
    is imported, and to import them all takes a tenth of a second."""

    def __init__(self, group: type[Group], operation: Operation) -> None:
        self._group, self._operation = group, operation

    def __get__(self, client: Group | None, kind: type[Group]) -> Any:
        made = _method(self._operation, self._group)
        setattr(self._group, made.__name__, made)
        return made if client is None else made.__get__(client, kind)


def group_of(operation: Operation) -> str:
    """The first word of the operation's name; none if that is all of it."""
    before, dot, _ = operation.name.partition(".")
    return before if dot else ""


def name_of(operation: Operation) -> str:
    verb = operation.name.rpartition(".")[2].replace("-", "_")
    return "import_" if verb == "import" else verb


def parameters(operation: Operation) -> list[Parameter]:
    """What the operation's method takes, in the order of the function's own parameters."""
    known = signature(operation)
    hints = {field.name: field.type for field in fields(known.request)} | {known.body: bytes}
    taken = [
        parameter.replace(annotation=hints[name], kind=Parameter.POSITIONAL_OR_KEYWORD)
        for name, parameter in inspect.signature(operation.load()).parameters.items()
        if name in hints
    ]
    key = Parameter("key", Parameter.KEYWORD_ONLY, default=None, annotation=str | None)
    return [*taken, key] if known.keyed else taken


def _method(operation: Operation, group: type[Group]) -> Callable[..., Any]:
    taken = inspect.Signature(parameters(operation), return_annotation=signature(operation).answer)

    def method(self: Group, /, *given: Any, **named: Any) -> Any:
        try:
            bound = taken.bind(*given, **named)
        except TypeError as fault:
            raise TypeError(f"{method.__qualname__}() {fault}") from None
        bound.apply_defaults()
        values = bound.arguments
        key = values.pop("key", None)
        return self._ask(operation.name, values, key)

    method.__name__ = name_of(operation)
    method.__qualname__ = f"{group.__name__}.{method.__name__}"
    method.__module__ = group.__module__
    method.__doc__ = summary(operation)
    shown = [Parameter("self", Parameter.POSITIONAL_OR_KEYWORD), *taken.parameters.values()]
    method.__signature__ = taken.replace(parameters=shown)  # type: ignore[attr-defined]
    return method


def summary(operation: Operation) -> str:
    """What a method says it does: the first paragraph that the operation's function says."""
    return signature(operation).summary.partition("\n\n")[0]

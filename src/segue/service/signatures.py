"""What an operation takes and gives, read from its function's signature.

A server's routes and their description, the tools of MCP and the SDKs' types all come from here, so an
operation is described once: by the function that does it. Parameters that a surface fills in itself (the
workspace, who acts, the idempotency key, the channel it speaks for) and those that only code can give (callbacks) are not part of a
request.
"""

from __future__ import annotations

import collections.abc
import inspect
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, get_args, get_origin, get_type_hints

import msgspec

from segue.errors import BadInput
from segue.model import answers, change_answers, handoff_answers
from segue.model.thread import Provenance
from segue.model.value import NamedTuple
from segue.model.wire import is_deeper
from segue.service.operations import Operation
from segue.service.refusals import refusal
from segue.service.workspace import Workspace

if TYPE_CHECKING:
    from segue.service.sessions.rows import Progress

_ANSWERS = (answers, handoff_answers, change_answers)
_NAMES = {one.__name__.rpartition(".")[2]: one for one in _ANSWERS} | {"Workspace": Workspace}
_NAMES |= {name: type_ for one in _ANSWERS for name, type_ in vars(one).items()}
"""Types that operations import for the type checker alone."""
BY = "by"
ACTORS = ("actor_id", "origin")
"""What callers name where an operation records who acts."""
_GIVEN = ("workspace", BY, "key", "channel")
DEEPEST = 100
"""Levels of lists and objects in a request. What is stored must be read again by programs that go down by recursion."""


class Signature(NamedTuple):
    """`request` is the type of what a caller says; `answer` of what it hears."""

    request: type[msgspec.Struct]
    answer: Any
    path: tuple[str, ...]
    """Parameters that are part of the address."""
    body: str
    """The parameter that is raw bytes, if there is one."""
    stamped: bool
    """Whether it records who acts."""
    keyed: bool
    """Whether it takes an idempotency key itself."""
    channelled: bool
    """Whether its answer depends on what the channel may carry."""
    tells: bool
    """Whether it tells how far it is."""
    speaks: bool
    """Whether it writes sentences of ours into a text, which name what the surface offers."""
    summary: str


@cache
def signature(operation: Operation) -> Signature:
    """The request and the answer of an operation."""
    function = operation.load()
    hints = get_type_hints(function, localns=_NAMES)
    parameters = inspect.signature(function).parameters
    fields: list[Any] = []
    body = ""
    for name, parameter in parameters.items():
        if name in _GIVEN or name in operation.inside or not _can_be_said(parameter, hints.get(name)):
            continue
        if hints[name] is bytes:
            body = name
            continue
        fields.append(_field(name, hints[name], parameter.default))
    path = operation.route.partition(" ")[2]
    return Signature(
        msgspec.defstruct(
            _type_name(operation.name), fields, kw_only=True, forbid_unknown_fields=True, frozen=True
        ),
        hints["return"],
        tuple(name for name, *_ in fields if f"{{{name}}}" in path),
        body,
        "by" in parameters,
        "key" in parameters,
        "channel" in parameters,
        "progress" in parameters,
        "said" in parameters,
        inspect.getdoc(function) or "",
    )


def perform(
    operation: Operation,
    workspace: Workspace,
    values: Mapping[str, Any],
    by: Provenance,
    key: str | None = None,
    channel: str | None = None,
    strict: bool = True,
    progress: Progress | None = None,
    hidden: Collection[str] = (),
    said: Callable[[str], str] = str,
) -> Any:
    """Does what a caller of any surface asks for. `channel` is the one that carries the answer away from this
    machine's own agents, if any; `strict` is false where all values arrive as text; `progress` hears how far it
    is, where that can be told; `hidden` are parameters that the surface does not offer, and `BY` where callers do not
    say who acts; `said` puts a sentence into its words."""
    known = signature(operation)
    spoken, raw = values, {}
    if known.body and known.body in values:
        raw = {known.body: values[known.body]}
        spoken = {name: value for name, value in values.items() if name not in raw}
    if is_deeper(spoken, DEEPEST):
        raise refusal("too-deep", name=operation.name, deepest=DEEPEST)
    try:
        request = msgspec.convert(spoken, known.request, strict=strict)
    except msgspec.ValidationError as fault:
        unseen = {*hidden, BY} if operation.route.startswith("GET") else hidden
        raise BadInput(f"{operation.name}: {_sentence(fault)}", _usage(known, unseen, fault)) from None
    given = msgspec.structs.asdict(request)
    if known.stamped:
        given["by"] = by
    if known.keyed:
        given["key"] = key
    if known.channelled:
        given["channel"] = channel
    if known.tells and progress is not None:
        given["progress"] = progress
    if known.speaks:
        given["said"] = said
    return operation.load()(workspace, **given, **raw)


def _can_be_said(parameter: inspect.Parameter, hint: Any) -> bool:
    if parameter.kind in (parameter.VAR_KEYWORD, parameter.VAR_POSITIONAL):
        return False
    return not any(get_origin(one) is collections.abc.Callable for one in (hint, *get_args(hint)))


def _field(name: str, hint: Any, default: Any) -> tuple[Any, ...]:
    if default is inspect.Parameter.empty:
        return (name, hint)
    return (name, hint, list(default) if default == () else default)


def _type_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.replace("-", ".").split(".")) + "Request"


def _sentence(fault: msgspec.ValidationError) -> str:
    said = str(fault).replace("`", "'")
    return said if said.endswith(".") else f"{said}."


def _usage(known: Signature, hidden: Collection[str], fault: msgspec.ValidationError) -> str:
    """What the place takes where something is wrong: the request, or the object in it."""
    place = re.search(r"`\$\.(\w+)`$", str(fault))
    inner = place and next((one for one in _fields(known.request) if one.name == place[1]), None)
    if inner and isinstance(inner.type, type) and issubclass(inner.type, msgspec.Struct):
        below = {path.partition(".")[2] for path in hidden}
        return f"`{inner.name}` takes {', '.join(_names(inner.type, below))}."
    who = [f"{name} (optional)" for name in ACTORS if known.stamped and BY not in hidden]
    names = ", ".join([*_names(known.request, hidden), *who])
    return f"It takes {names}." if names else "It takes nothing."


def _names(type_: type[msgspec.Struct], hidden: Collection[str]) -> Iterator[str]:
    for field in _fields(type_):
        if field.name not in hidden:
            yield field.name if field.required else f"{field.name} (optional)"


def _fields(type_: type[msgspec.Struct]) -> tuple[msgspec.structs.FieldInfo, ...]:
    return msgspec.structs.fields(type_)

"""Writes the types of the client's methods, src/segue/sdk/groups.pyi, from the table of operations:
`python docs/generate_sdk.py`."""

from __future__ import annotations

import collections.abc
import subprocess
import sys
import types
from inspect import Parameter
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

from segue.sdk.methods import STREAMED, group_of, name_of, parameters, summary
from segue.service.operations import OPERATIONS, Operation
from segue.service.signatures import signature

PLACE = Path(__file__).parent.parent / "src" / "segue" / "sdk"
GROUPS = {
    "thread": "Threads",
    "artifact": "Artifacts",
    "session": "Sessions",
    "handoff": "Handoffs",
    "draft": "Drafts",
    "change": "Changes",
    "": "Upkeep",
}
HEAD = """# Written by docs/generate_sdk.py from the table of operations; a test compares.

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal

{imports}

Ask = Callable[[str, dict[str, Any], str | None], Any]
AsyncAsk = Callable[[str, dict[str, Any], str | None], Awaitable[Any]]
"""


def text() -> str:
    imports: dict[str, set[str]] = {}
    classes = [_class(group, is_awaited, imports) for is_awaited in (False, True) for group in GROUPS]
    lines = [
        f"from {module} import {', '.join(sorted(names, key=str.lower))}"
        for module, names in sorted(imports.items())
    ]
    return "\n\n".join([HEAD.format(imports="\n".join(lines)), *classes])


def _class(group: str, is_awaited: bool, imports: dict[str, set[str]]) -> str:
    prefix = "Async" if is_awaited else ""
    lines = [f"class {prefix}{GROUPS[group]}:", f"    def __init__(self, ask: {prefix}Ask) -> None: ..."]
    for operation in OPERATIONS:
        if group_of(operation) == group and operation.name != STREAMED:
            lines += _method(operation, is_awaited, imports)
    return "\n".join(lines) + "\n"


def _method(operation: Operation, is_awaited: bool, imports: dict[str, set[str]]) -> list[str]:
    taken = ["self"]
    for parameter in parameters(operation):
        taken += ["*"] if parameter.kind is Parameter.KEYWORD_ONLY else []
        taken.append(_parameter(parameter, imports))
    answer = spelled(signature(operation).answer, imports)
    head = f"def {name_of(operation)}({', '.join(taken)}) -> {answer}:"
    if is_awaited:
        return [f"    async {head} ..."]
    doc = summary(operation).replace("\n", "\n        ")
    return [f"    {head}", f'        """{doc}"""']


def _parameter(parameter: Parameter, imports: dict[str, set[str]]) -> str:
    said = f"{parameter.name}: {spelled(parameter.annotation, imports)}"
    return said if parameter.default is Parameter.empty else f"{said} = {parameter.default!r}"


def spelled(hint: Any, imports: dict[str, set[str]]) -> str:
    """A type as source says it, with what it needs noted for import."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint is type(None) or hint is None:
        return "None"
    if hint is Any:
        return "Any"
    if origin is Literal:
        return f"Literal[{', '.join(map(_quoted, parts))}]"
    if origin in (Union, types.UnionType):
        return " | ".join(spelled(part, imports) for part in parts)
    if origin in (list, tuple, collections.abc.Sequence):
        return f"Sequence[{spelled(parts[0], imports)}]"
    if origin is dict:
        return f"dict[{spelled(parts[0], imports)}, {spelled(parts[1], imports)}]"
    if hint.__module__ == "builtins":
        return str(hint.__name__)
    imports.setdefault(hint.__module__, set()).add(hint.__name__)
    return str(hint.__name__)


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def files() -> dict[str, str]:
    """The generated file by name, as the project's formatter has it."""
    place = PLACE / "groups.pyi"
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(place), "-"]
    formatted = subprocess.run(command, input=text(), capture_output=True, text=True, check=True).stdout
    return {place.name: formatted}


if __name__ == "__main__":
    for name, source in files().items():
        (PLACE / name).write_text(source, encoding="utf-8")

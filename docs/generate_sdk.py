"""Writes the client's typed methods, src/segue/sdk/groups.py and the types of the awaited ones in async_groups.pyi, from
the table of operations: `python docs/generate_sdk.py`."""

from __future__ import annotations

import collections.abc
import subprocess
import sys
import types
from inspect import Parameter
from inspect import signature as python_signature
from pathlib import Path
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

import msgspec

from segue.service.operations import OPERATIONS, Operation
from segue.service.signatures import signature

PLACE = Path(__file__).parent.parent / "src" / "segue" / "sdk"
WIDTH = 110
STREAMED = "thread.events"
GROUPS = {
    "thread": ("Threads", "Threads: append-only streams, branched and handed off by links."),
    "artifact": ("Artifacts", "Content-addressed bytes."),
    "session": ("Sessions", "Sessions that agents left behind in this project."),
    "handoff": ("Handoffs", "Handoffs: draft, commit, judge, check."),
    "draft": ("Drafts", "Rich handoffs, written and approved."),
    "change": ("Changes", "Change records."),
    "": ("Upkeep", "What concerns the workspace as a whole."),
}
HEAD = '''"""The client's methods, one for each operation.

Written by docs/generate_sdk.py from the table of operations; a test compares.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
{imports}

Ask = Callable[[str, dict[str, Any], str | None], Any]
'''
STUB_HEAD = """# Written by docs/generate_sdk.py from the table of operations; a test compares.

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Literal

{imports}

Ask = Callable[[str, dict[str, Any], str | None], Awaitable[Any]]
"""


class Manner(NamedTuple):
    """What a file holds: methods that answer, or the types of those that are awaited."""

    head: str
    prefix: str
    begin: str
    stub: bool


FILES = {
    "groups.py": Manner(HEAD, "", "    def", False),
    "async_groups.pyi": Manner(STUB_HEAD, "Async", "    async def", True),
}


def text(manner: Manner) -> str:
    imports: dict[str, set[str]] = {}
    classes = [_class(group, manner, imports) for group in GROUPS]
    lines = [
        line
        for module, names in sorted(imports.items())
        for line in _import_lines(module, sorted(names, key=str.lower))
    ]
    if manner.stub:
        lines = [line.removeprefix("    ") for line in lines]
    return "\n\n".join([manner.head.format(imports="\n".join(lines)), *classes])


def _import_lines(module: str, names: list[str]) -> list[str]:
    line = f"    from {module} import {', '.join(names)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"    from {module} import (", *(f"        {name}," for name in names), "    )"]


def _class(group: str, manner: Manner, imports: dict[str, set[str]]) -> str:
    name, about = GROUPS[group]
    lines = [f"class {manner.prefix}{name}:"]
    lines += [] if manner.stub else [f'    """{about}"""', ""]
    lines += [
        "    def __init__(self, ask: Ask) -> None:",
        "        ..." if manner.stub else "        self._ask = ask",
    ]
    for operation in OPERATIONS:
        before, dot, verb = operation.name.partition(".")
        if (before if dot else "") == group and operation.name != STREAMED:
            lines += ["", *_method(operation, verb or before, manner, imports)]
    return "\n".join(lines) + "\n"


def _method(operation: Operation, verb: str, manner: Manner, imports: dict[str, set[str]]) -> list[str]:
    known = signature(operation)
    name = "import_" if verb == "import" else verb.replace("-", "_")
    hints = {field.name: field.type for field in msgspec.structs.fields(known.request)}
    parameters, said = ["self"], []
    for parameter in python_signature(operation.load()).parameters.values():
        hint = bytes if parameter.name == known.body else hints.get(parameter.name)
        if hint is not None:
            parameters.append(_parameter(parameter, spelled(hint, imports)))
            said.append(f'"{parameter.name}": {parameter.name}')
    if known.keyed:
        parameters += ["*", "key: str | None = None"]
    answer = spelled(known.answer, imports)
    doc = known.summary.split("\n\n")[0].replace("\n", "\n        ")
    call = f'self._ask("{operation.name}", {{{", ".join(said)}}}, {"key" if known.keyed else "None"})'
    head = f"{manner.begin} {name}({', '.join(parameters)}) -> {answer}:"
    if manner.stub:
        return [head, "        ..."]
    return [
        head,
        f'        """{doc}"""',
        *(
            [f"        return {call}"]
            if answer == "Any"
            else [f"        answer: {answer} = {call}", "        return answer"]
        ),
    ]


def _parameter(parameter: Parameter, hint: str) -> str:
    if parameter.default is Parameter.empty:
        return f"{parameter.name}: {hint}"
    return f"{parameter.name}: {hint} = {parameter.default!r}"


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
    """The generated files by name, as the project's formatter has them."""
    return {name: _formatted(text(manner), PLACE / name) for name, manner in FILES.items()}


def _formatted(source: str, place: Path) -> str:
    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(place), "-"]
    return subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    for name, source in files().items():
        (PLACE / name).write_text(source, encoding="utf-8")

"""Writes src/segue/sdk/groups.py, the client's typed methods, from the table of operations:
`python docs/generate_sdk.py`."""

from __future__ import annotations

import collections.abc
import types
from inspect import Parameter
from inspect import signature as python_signature
from pathlib import Path
from typing import Any, Literal, Union, get_args, get_origin

import msgspec

from segue.model import answers
from segue.service.operations import OPERATIONS, Operation
from segue.service.signatures import signature

PLACE = Path(__file__).parent.parent / "src" / "segue" / "sdk" / "groups.py"
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
HEAD = '''"""The client's methods, one for each operation. Written by docs/generate_sdk.py from the table of operations;
a test compares.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
{imports}

Ask = Callable[[str, dict[str, Any], str | None], Any]
AskLater = Callable[[str, dict[str, Any], str | None], Awaitable[Any]]
'''


def text() -> str:
    imports: dict[str, set[str]] = {}
    classes = [_class(group, later, imports) for later in (False, True) for group in GROUPS]
    lines = [
        line for module, names in sorted(imports.items()) for line in _import_lines(module, sorted(names))
    ]
    return "\n\n".join([HEAD.replace("{imports}", "\n".join(lines)), *classes])


def _import_lines(module: str, names: list[str]) -> list[str]:
    line = f"    from {module} import {', '.join(names)}"
    if len(line) <= WIDTH:
        return [line]
    return [f"    from {module} import (", *(f"        {name}," for name in names), "    )"]


def _class(group: str, later: bool, imports: dict[str, set[str]]) -> str:
    name, about = GROUPS[group]
    lines = [
        f"class {'Async' if later else ''}{name}:",
        f'    """{about}"""',
        "",
        f"    def __init__(self, ask: {'AskLater' if later else 'Ask'}) -> None:",
        "        self._ask = ask",
    ]
    for operation in OPERATIONS:
        before, dot, verb = operation.name.partition(".")
        if (before if dot else "") == group and operation.name != STREAMED:
            lines += ["", *_method(operation, verb or before, later, imports)]
    return "\n".join(lines) + "\n"


def _method(operation: Operation, verb: str, later: bool, imports: dict[str, set[str]]) -> list[str]:
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
    begin, wait = ("    async def", "await ") if later else ("    def", "")
    doc = known.summary.split("\n\n")[0].replace("\n", "\n        ")
    call = f'{wait}self._ask("{operation.name}", {{{", ".join(said)}}}, {"key" if known.keyed else "None"})'
    return [
        *_header(f"{begin} {name}", parameters, answer),
        f'        """{doc}"""',
        *(
            [f"        return {call}"]
            if answer == "Any"
            else [f"        answer: {answer} = {call}", "        return answer"]
        ),
    ]


def _header(begin: str, parameters: list[str], answer: str) -> list[str]:
    return [f"{begin}({', '.join(parameters)}) -> {answer}:"]


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
    module = answers.__name__ if hasattr(answers, hint.__name__) else hint.__module__
    imports.setdefault(module, set()).add(hint.__name__)
    return str(hint.__name__)


def _quoted(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def formatted() -> str:
    """The text as the project's formatter has it."""
    import subprocess
    import sys

    command = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(PLACE), "-"]
    return subprocess.run(command, input=text(), capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    PLACE.write_text(formatted(), encoding="utf-8")

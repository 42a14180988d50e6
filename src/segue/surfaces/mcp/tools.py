"""The tools: which operations an agent may call, and in what words it is told of them.

The table is `tools.toml`. A row names an operation; what it takes and gives comes from the operation's own signature,
whether it writes from the operations table. A person's approval is nobody else's to give, so what would approve is not
offered.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from typing import Any, NamedTuple

from segue.service.operations import Operation, named


class Tool(NamedTuple):
    does: str
    """The operation."""
    toolset: str
    title: str
    description: str
    rows: str = ""
    """The list in the answer that is given page by page."""
    page: int = 20
    hidden: tuple[str, ...] = ()
    """Parameters not offered; a dot leads into one."""
    whole: tuple[str, ...] = ()
    """Texts of the answer that are made to be read as they are: rendered by segue, within a budget."""
    omitted: tuple[str, ...] = ()
    """What of the answer only costs tokens here; a dot leads into a member or into rows."""
    quotes: bool = False
    """Whether the answer quotes what sessions, threads or records say."""
    defaults: Mapping[str, int] = {}
    """What is taken where the caller says nothing, smaller than an answer elsewhere."""
    idempotent: bool = False
    open_shape: bool = False
    """Whether the answer holds a file that others write, too, so that its shape cannot be promised."""

    @property
    def name(self) -> str:
        return f"segue_{self.does.replace('.', '_')}"

    @property
    def operation(self) -> Operation:
        return named(self.does)


def _read() -> tuple[tuple[Tool, ...], dict[str, str]]:
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "tools.toml"), "rb") as file:
        table = tomllib.load(file)
    rows: list[dict[str, Any]] = [
        {name: tuple(value) if isinstance(value, list) else value for name, value in row.items()}
        for row in table["tools"].values()
    ]
    tools = (Tool(does, **row) for does, row in zip(table["tools"], rows, strict=True))
    return tuple(tools), table["fields"]


TOOLS, FIELDS = _read()
"""The tools, and what a parameter means, where it means the same in every tool."""

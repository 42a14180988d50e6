"""The rules: `rules.toml` is their table, and each row's function is the one of its name in a module beside it."""

from __future__ import annotations

import os
import tomllib
from typing import Any

from segue.handoff.headings import TAIL_HEADING
from segue.handoff.lint import claims, contradictions, shape, steps, truth
from segue.handoff.lint.rule import Rule, Slot
from segue.model import packet

_FILLED = {
    "{EVERY_SECTION}": "\n".join(f"## {name}\n- something" for name in packet.SECTIONS),
    "{LONG}": "long " * 3300,
    "{PASSWORD}": "s3cr3tW0rd9",
    "{TAIL}": TAIL_HEADING,
    **{f"{{{name}}}": getattr(packet, name) for name in ("ASKED", "FAILING", "GIT", "RAN", "STEPS", "TODOS")},
}
"""What stands for what in an example: labels of a packet, which nobody should have to spell twice, and what is long."""


def _read() -> tuple[Rule, ...]:
    with open(
        os.path.join(os.path.dirname(os.path.abspath(__file__)), "rules.toml"), encoding="utf-8"
    ) as file:
        rows: dict[str, dict[str, Any]] = tomllib.loads(file.read())
    modules = (claims, contradictions, shape, steps, truth)
    functions = {name: found for module in modules for name, found in vars(module).items()}
    return tuple(_rule(name, functions[name.replace("-", "_")], **row) for name, row in rows.items())


def _rule(name: str, find: Any, bad: str, good: str, hint: str, slot: Slot = "whole", **more: Any) -> Rule:
    return Rule(
        name=name, find=find, slot=slot, bad=_filled(bad), good=_filled(good), hint=_filled(hint), **more
    )


def _filled(text: str) -> str:
    for name, told in _FILLED.items():
        text = text.replace(name, told)
    return text


RULES = _read()

"""The rules: `rules.toml` is their table. A row's function is the one of its name in a module beside it; a rule about
words alone is its row."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator
from typing import Any

from segue import handoff
from segue.handoff.headings import TAIL_HEADING
from segue.handoff.lint import claims, contradictions, shape, steps, truth
from segue.handoff.lint.reading import Reading
from segue.handoff.lint.rule import Find, Given, Hit, Rule, Slot
from segue.handoff.lint.steps import excerpt
from segue.model import packet, prose
from segue.model.finding import Severity

_TABLE = f"{handoff.__path__[0]}/lint/rules.toml"
_FILLED = {
    "{EVERY_SECTION}": "\n".join(f"## {name}\n- something" for name in packet.SECTIONS),
    "{LONG}": "long " * 3300,
    "{PASSWORD}": "s3cr3tW0rd9",
    "{TAIL}": TAIL_HEADING,
    **{f"{{{name}}}": getattr(packet, name) for name in ("ASKED", "FAILING", "GIT", "RAN", "STEPS", "TODOS")},
}
"""What stands for what in an example: labels of a packet, which nobody should have to spell twice, and what is long."""


def _read() -> tuple[Rule, ...]:
    with open(_TABLE, encoding="utf-8") as file:
        rows: dict[str, dict[str, Any]] = tomllib.loads(file.read())
    modules = (claims, contradictions, shape, steps, truth)
    functions = {name: found for module in modules for name, found in vars(module).items()}
    return tuple(_rule(name, functions.get(name.replace("-", "_")), **row) for name, row in rows.items())


def _rule(
    name: str,
    find: Find | None,
    severity: Severity,
    meaning: str,
    bad: str,
    good: str,
    hint: str,
    slot: Slot = "whole",
    **words: Any,
) -> Rule:
    return Rule(
        name, severity, meaning, slot, _filled(bad), _filled(good), _filled(hint), find or _about(**words)
    )


def _about(of: str, says: str, sign: str = "", spares: Collection[str] = ()) -> Find:
    """A rule about words, as its row tells it."""
    signs: Callable[[str], object] = getattr(prose, sign) if sign else lambda text: True

    def find(reading: Reading, given: Given) -> Iterator[Hit]:
        for said in (said for part in of.split() for said in getattr(reading, part)):
            spared = any(getattr(said, name, False) for name in spares)
            if (
                not spared
                and (found := signs(said.text))
                and not ("proven" in spares and prose.proven(said.text))
            ):
                yield Hit(said.where, says.format(text=excerpt(said.text), sign=found))

    return find


def _filled(text: str) -> str:
    for name, told in _FILLED.items():
        text = text.replace(name, told)
    return text


RULES = _read()

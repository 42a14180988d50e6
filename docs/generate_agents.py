"""Writes `docs/reference/agents.md` from what each reader says about itself.

    python docs/generate_agents.py

A test compares the page with the readers, so neither changes without the other.
"""

from __future__ import annotations

import inspect
from pathlib import Path

from segue.agents.contract import Home
from segue.agents.registry import READERS, reader

_SHOWN = 4
"""Places of one agent that the table shows."""

PAGE = Path(__file__).parent / "reference" / "agents.md"

INTRODUCTION = """\
# Agents

<!-- Made by docs/generate_agents.py from the docstrings in src/segue/agents. -->

segue reads the sessions of these programs, wherever they lie, and never writes to them. `segue sessions list`
looks in the places below; `--from FILE` takes a file from anywhere and finds out whose it is. A session of a program
that is not here can be converted to the [generic format](generic-sessions.md).

What a reader does not understand is carried along and counted, never dropped. `--branch` is an option of
`segue sessions show`; in Python it is the argument `branch` of a reader's `read`.
"""


def page() -> str:
    """The page as it should be."""
    rows = [f"| [`{agent}`](#{agent}) | {_title(agent)} | {_places(agent)} |" for agent in READERS]
    table = "\n".join(["| agent | sessions | looked for in |", "|---|---|---|", *rows])
    return "\n".join([INTRODUCTION, table, *(_section(agent) for agent in READERS)]) + "\n"


def _said(agent: str) -> list[str]:
    return (inspect.getdoc(reader(agent)) or "").splitlines()


def _title(agent: str) -> str:
    return _said(agent)[0].rstrip(".")


def _all_places(agent: str) -> list[str]:
    return [f"`{place}`" for place in reader(agent).places(Home("~", {}), None)]


def _places(agent: str) -> str:
    places = _all_places(agent)
    more = [f"and {len(places) - _SHOWN} more, [below](#{agent})"] if len(places) > _SHOWN else []
    return "<br>".join(places[:_SHOWN] + more)


def _section(agent: str) -> str:
    body = "\n".join(_said(agent)[1:]).strip()
    places = _all_places(agent)
    if len(places) > _SHOWN:
        body += "\n\n**Looked for in**\n\n" + "\n".join(f"- {place}" for place in places)
    return f"\n## {agent}\n\n{_title(agent)}.\n\n{body}"


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")

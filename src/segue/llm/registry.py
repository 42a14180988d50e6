"""Names to models: an agent program that is installed here, an API, or any program of the person's own."""

from __future__ import annotations

from functools import partial

from segue.errors import BadInput
from segue.llm.contract import Model

PROGRAMS = ("claude", "codex", "pi", "gemini", "opencode", "copilot", "llm", "ollama")
APIS = ("openai", "anthropic")
NAMED = ("ollama", "llm", *APIS)
"""Programs and services that hold many models, so that one has to be named."""


def model(name: str) -> Model:
    """The model of that name: `claude`, `claude:MODEL`, `openai:MODEL`, `command:PROGRAM ARGS`. Raises BadInput for a kind
    nobody has."""
    kind, _, rest = name.partition(":")
    if kind == "command" and rest.strip():
        from segue.llm import command

        # What a person's own program does with a prompt is that person's to know.
        return Model("", partial(command.ask, command.words(rest)))
    if kind in APIS and rest:
        from segue.llm import apis, http_client

        return Model(http_client.destination(apis.SERVICES[kind]), partial(getattr(apis, kind), rest))
    if kind in PROGRAMS and (rest or kind not in NAMED):
        from segue.llm.clis import Program

        found = Program(kind, rest)
        return Model(found.destination, found.ask)
    known = ", ".join(f"{one}:NAME" if one in NAMED else one for one in (*PROGRAMS, *APIS))
    raise BadInput(f"There is no model {name!r}.", f"One of {known}, or command:PROGRAM ARGS.")

"""Names to models: an agent program that is installed here, or any program of the person's own."""

from __future__ import annotations

from segue.errors import BadInput
from segue.llm.contract import Model

NAMED = ("ollama", "llm")
"""Programs that hold many models, so that one has to be named."""


def model(name: str) -> Model:
    """The model of that name: `claude`, `claude:MODEL`, `ollama:MODEL`, `command:PROGRAM ARGS`. Raises BadInput for a kind
    nobody has."""
    kind, _, rest = name.partition(":")
    if kind == "command" and rest.strip():
        from segue.llm.command import CommandModel

        return CommandModel(rest)
    from segue.llm.clis import CLIS, CliModel

    if kind in CLIS and (rest or kind not in NAMED):
        return CliModel(kind, rest)
    known = ", ".join(f"{cli}:NAME" if cli in NAMED else cli for cli in CLIS)
    raise BadInput(f"There is no model {name!r}.", f"One of {known}, or command:PROGRAM ARGS.")

"""Names to models: `command:PROGRAM ARGS` runs a program of yours, the prompt on its standard input."""

from __future__ import annotations

from segue.errors import BadInput
from segue.llm.contract import Model


def model(name: str) -> Model:
    """The model of that name. Raises BadInput for a kind nobody has."""
    kind, _, rest = name.partition(":")
    if kind == "command" and rest.strip():
        from segue.llm.command import CommandModel

        return CommandModel(rest)
    raise BadInput(
        f"There is no model {name!r}.",
        "Write command:PROGRAM ARGS, for example --model 'command:claude -p' or --model 'command:ollama run qwen3'.",
    )

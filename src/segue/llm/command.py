"""`command:PROGRAM ARGS`: a program of the person's own, the prompt on standard input, the text on standard output."""

from __future__ import annotations

import shlex

from segue.errors import BadInput
from segue.llm import program
from segue.llm.contract import SECONDS


class CommandModel:
    def __init__(self, command: str) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as fault:
            raise BadInput(
                f"The command {command!r} cannot be read: {fault}.", "Quote it as a shell would need it."
            ) from None

    def write(self, prompt: str, seconds: float = SECONDS) -> str:
        words = [program.find(self._words[0]), *self._words[1:]]
        with program.empty_directory() as place:
            return program.ask(words, prompt, place, seconds)

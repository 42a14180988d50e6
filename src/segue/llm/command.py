"""`command:PROGRAM ARGS`: a program of the person's own, the prompt on standard input, the text on standard output."""

from __future__ import annotations

import os
import shlex

from segue.errors import BadInput
from segue.llm import printed, program, prompts
from segue.llm.contract import Answer, Request


def words(command: str) -> list[str]:
    """The words of a command line. Raises BadInput for one that cannot be read."""
    try:
        return shlex.split(command)
    except ValueError as fault:
        raise BadInput(
            f"The command {command!r} cannot be read: {fault}.", "Quote it as a shell would need it."
        ) from None


def ask(command: list[str], asked: Request) -> Answer:
    found = program.find(command[0])
    prompt = prompts.joined(asked.system, asked.prompt, asked.schema)
    with program.empty_directory() as place:
        said = program.ask([found, *command[1:]], prompt, place, asked.seconds)
        return printed.plain(os.path.basename(found), said)

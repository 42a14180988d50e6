"""A model behind a command: the prompt on standard input, the text on standard output. No shell is involved."""

from __future__ import annotations

import shlex
import subprocess

from segue.errors import BadInput, Unavailable
from segue.llm.contract import SECONDS

_LARGEST = 4_000_000


class CommandModel:
    def __init__(self, command: str) -> None:
        try:
            self._words = shlex.split(command)
        except ValueError as fault:
            raise BadInput(
                f"The command {command!r} cannot be read: {fault}.", "Quote it as a shell would need it."
            ) from None

    def write(self, prompt: str, seconds: float = SECONDS) -> str:
        name = self._words[0]
        try:
            done = subprocess.run(
                self._words, input=prompt.encode(), capture_output=True, timeout=seconds, check=False
            )
        except subprocess.TimeoutExpired:
            raise Unavailable(
                f"{name} did not answer within {seconds:g} seconds.", "Try again, or without --model."
            ) from None
        except OSError as fault:
            raise Unavailable(
                f"{name} cannot be started: {fault.strerror}.", "Check --model, or leave it out."
            ) from None
        text = done.stdout[:_LARGEST].decode(errors="replace")
        if done.returncode or not text.strip():
            last = done.stderr.decode(errors="replace").strip().splitlines()[-1:] or ["it said nothing"]
            raise Unavailable(f"{name} failed: {last[0][:200]}.", "Try again, or without --model.")
        return text

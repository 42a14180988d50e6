"""What a model is here: a text in, a text out, within a time. It is asked only when somebody names it."""

from __future__ import annotations

from typing import Protocol

SECONDS = 180.0


class Model(Protocol):
    def write(self, prompt: str, seconds: float = SECONDS) -> str:
        """The model's text. Raises Unavailable when there is none."""

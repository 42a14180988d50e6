"""What a model is here: a text in, a text out, within a time. It is asked only when a person names it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from segue.model.value import NamedTuple

SECONDS = 180.0
LARGEST = 4_000_000
"""Bytes of an answer; one that is longer is not read to its end."""
Schema = Mapping[str, Any]


class Answer(NamedTuple):
    """What a model wrote, and what that took as far as the provider says."""

    text: str
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost_usd: float | None = None
    model: str | None = None


class Request(NamedTuple):
    prompt: str
    seconds: float
    system: str
    schema: Schema | None
    most_tokens: int | None


class Model(NamedTuple):
    """A provider's function, and where it sends a prompt: nowhere for a model of this machine."""

    destination: str
    ask: Callable[[Request], Answer]

    def write(
        self,
        prompt: str,
        seconds: float = SECONDS,
        system: str = "",
        schema: Schema | None = None,
        most_tokens: int | None = None,
    ) -> Answer:
        """The model's text; with the JSON Schema of an object, that object as JSON, which is not validated here.
        `most_tokens` bounds the answer where the provider takes a bound. Raises Unavailable when there is no whole answer."""
        return self.ask(Request(prompt, seconds, system, schema, most_tokens))

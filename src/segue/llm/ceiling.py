"""What the models of one handoff may use up, counted call by call. A provider that does not tell its tokens is counted by
the bytes of what it was sent and what it wrote."""

from __future__ import annotations

from segue.errors import Refused
from segue.llm.contract import Answer
from segue.model.value import NamedTuple


class Ceiling(NamedTuple):
    """The settings `model_most_tokens` and `model_most_usd`, and what was used so far."""

    most_tokens: int
    most_usd: float
    tokens: int = 0
    usd: float = 0.0
    calls: int = 0

    def after(self, prompt: str, answer: Answer | None = None) -> Ceiling:
        """The count with one more call in it; without its answer, what it would be at least. Raises Refused beyond it."""
        answer = answer or Answer("")
        sent = _estimated(prompt) if answer.input_tokens is None else answer.input_tokens
        written = _estimated(answer.text) if answer.output_tokens is None else answer.output_tokens
        tokens, usd = self.tokens + sent + written, self.usd + (answer.cost_usd or 0.0)
        if tokens > self.most_tokens or usd > self.most_usd:
            raise Refused(
                f"A model may use {self.most_tokens:,} tokens and {self.most_usd:.2f} USD for one handoff; "
                f"call {self.calls + 1} makes it {tokens:,} and {usd:.2f}.",
                "Raise model_most_tokens or model_most_usd in your own settings.",
                "ceiling",
            )
        return self._replace(tokens=tokens, usd=usd, calls=self.calls + 1)


def _estimated(text: str) -> int:
    return len(text.encode(errors="replace")) // 4

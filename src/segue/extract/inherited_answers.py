"""What the person's first words answer, where an earlier session had asked: told with that question.

`yes, briefly` says nothing without it, and the message that asked is not in this session. Where the agent has asked
something here before, the words are an answer to that.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import replace

from segue.extract.remarks.unanswered import still_open
from segue.extract.words.assent import answers
from segue.model.facts import Quote, Word

if TYPE_CHECKING:
    from segue.extract.carried import Carried

_Said = TypeVar("_Said", bound=Quote)


def with_questions(
    packets: Sequence[Carried],
    prompts: Sequence[Quote],
    words: Sequence[Word],
    told: Sequence[tuple[int, str]],
) -> tuple[list[Quote], list[Word]]:
    """The prompts and words, those that answer an open question of a packet with it. `told` is what the agent said, by
    line."""
    questions = [question for packet in packets for question in packet.questions]
    first = prompts[0] if questions and prompts else None
    if first is None or any("?" in said for line, said in told if line < first.evidence[0].line):
        return list(prompts), list(words)
    at = first.evidence[0].line
    return (
        [_answering(first, questions), *prompts[1:]],
        [_answering(word, questions) if _is_at(word, at) else word for word in words],
    )


def _is_at(word: Word, line: int) -> bool:
    return not word.origin and bool(word.strength) and word.evidence[-1].line == line


def _answering(said: _Said, questions: Sequence[Quote]) -> _Said:
    """What was said with the question it answers, the one asked last where it may be several."""
    for question in () if said.to else reversed(questions):
        if answers(said.text, question.text) and not still_open(question, [said.text], []):
            return replace(
                said, to=question.text, to_line=question.evidence[0].line, to_origin=question.origin
            )
    return said

"""What the person said: every word, verbatim and in order.

Prompts, words queued while the agent worked, answers with their question, rejections with what was rejected. The same
prompt again is counted, not listed; prompts that differ in little are one with a count, of which the first and the
last are kept. Nothing is concluded from the words: where two were said, both stand and the later wins.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from segue.extract.pasted import condensed, own_words
from segue.extract.text.prose import clipped, ends, flat
from segue.extract.text.sentence import parsed, sentences
from segue.model.facts import Evidence, Prompt, PromptKind, Role

_KEPT = 12_000
"""Characters of one prompt that are remembered, at both ends."""
_REMEMBERED = 1500
_COMPARED = 60
"""With how many distinct prompts before it one is compared."""
_ALIKE = 0.7
_FOLDED, _FOLDED_APART = 3, 8
"""From how many on prompts that are alike but for numbers are one, and those that differ in words, too."""
_BRIEF = 60
"""Characters of a prompt that may say nothing without what it answers."""
_QUESTION = 300
_LINE, _RULE, _SHORT, _LONG = 140, 280, 520, 1600


class _Said(msgspec.Struct):
    text: str
    at: Evidence
    kind: PromptKind
    to: str = ""
    to_line: int = 0
    count: int = 1
    last: Evidence | None = None


class Talk:
    """The person's words as they come."""

    def __init__(self) -> None:
        self._said: dict[tuple[str, str], _Said] = {}
        self._forgotten = 0

    def add(self, text: str, at: Evidence, kind: PromptKind, to: str = "", to_line: int = 0) -> None:
        text = ends(text.strip(), _KEPT)
        if not text and kind != "rejection":
            return
        key = text, to if kind in ("answer", "rejection") or len(text) <= _BRIEF else ""
        known = self._said.pop(key, None)
        if known:
            known.count += 1
            known.last = at
        else:
            known = _Said(text, at, kind, to, to_line)
        self._said[key] = known
        if len(self._said) > _REMEMBERED:
            first, second, *_ = self._said
            self._said.pop(second if self._said[first].at.line < self._said[second].at.line else first)
            self._forgotten += 1

    def forgotten(self) -> tuple[str, ...]:
        return (f"{self._forgotten} earlier prompts",) if self._forgotten else ()

    def close(self, clean: Callable[[str], str]) -> list[Prompt]:
        """The prompts in their order, those that are alike as one."""
        said = sorted(self._said.values(), key=lambda one: one.at.line)
        return _folded([_prompt(one, clean) for one in said])


def _prompt(said: _Said, clean: Callable[[str], str]) -> Prompt:
    text = own_words(clean(said.text))
    role = _role(text)
    places = (said.at, said.last) if said.last else (said.at,)
    brief, short, long = condensed(text, _RULE if role else _LINE, _SHORT, _LONG)
    return Prompt(
        text=text,
        brief=brief,
        short=short,
        long=long,
        kind=said.kind,
        count=said.count,
        evidence=places,
        to=clipped(flat(clean(said.to)), _QUESTION) if said.kind != "prompt" or len(text) <= _BRIEF else "",
        to_line=said.to_line,
        role=role,
    )


def _role(text: str) -> Role:
    """`rule` where a sentence of the person's own has such a marker; what is quoted as code is none."""
    own = "\n".join(line for line in text.split("\n") if line[:1] not in ("`", "["))
    return "rule" if any("rule" in sentence.roles for sentence in sentences(own)) else ""


def _template(text: str) -> frozenset[str]:
    """What a prompt shares with others of its shape: its words, numbers aside."""
    return frozenset("#" if word[0].isdigit() else word for word in parsed(text[:400]).words)


def _folded(prompts: Sequence[Prompt]) -> list[Prompt]:
    """Prompts in their order; many that share most of their words are one, told by the first and the last."""
    groups: list[tuple[frozenset[str], list[Prompt]]] = []
    for prompt in prompts:
        alone = prompt.to or prompt.kind not in ("prompt", "queued", "command")
        shape = frozenset() if alone else _template(prompt.text)
        mine = next((g for g in groups[: -_COMPARED - 1 : -1] if shape and _alike(shape, g[0])), None)
        if mine:
            mine[1].append(prompt)
        else:
            groups.append((shape, [prompt]))
    found = [one for _, members in groups for one in (_together(members) if _is_many(members) else members)]
    return sorted(found, key=lambda prompt: prompt.evidence[0].line)


def _is_many(members: list[Prompt]) -> bool:
    """So many are alike that they are one. A few rules of one shape, or a few orders that differ in a word, may each be
    about another thing."""
    if len(members) < _FOLDED:
        return False
    same = len({_template(member.text) for member in members}) == 1 and not any(m.role for m in members)
    return same or len(members) >= _FOLDED_APART


def _alike(one: frozenset[str], other: frozenset[str]) -> bool:
    common = len(one & other)
    return common >= _ALIKE * (len(one) + len(other) - common)


def _together(members: list[Prompt]) -> list[Prompt]:
    """The first of several alike, with their number and the last of them."""
    first, last = members[0], members[-1]
    count = sum(member.count for member in members)
    return [
        msgspec.structs.replace(
            first,
            count=count,
            last=last.short if last.text != first.text else "",
            evidence=(first.evidence[0], last.evidence[-1]),
        )
    ]

"""Wishes that are put as questions: `can you also make it handle empty keys?`, `why not just use sqlite?`

A person asks that something be so, and the answer is that it is done. Questions that want to know something, and
requests to look, explain, run or hand in something now, wish for nothing that lasts.
"""

from __future__ import annotations

from segue.extract.text.prose import word_set

_PROPOSES = (
    "why not ", "why don't we ", "why don't you ", "how about ", "what if we ", "what about using ", "what about a ", "would it be possible to ",
    "would you mind ", "any chance ", "might it be better ", "would it be better ", "wouldn't it be better ", "is there a way to keep ",
    "pourquoi ne pas ", "por qué no ", "por que não ", "perché non ", "почему бы не ", "warum nicht ", "wie wäre es mit ",
    "wie wäre es, ", "et si on ", "y si ", "que tal ", "qué tal ",
)  # fmt: skip
_MODALS = word_set("can could would will")
_BETWEEN = word_set("also please maybe just perhaps then now still possibly simply")
_AT_HAND = word_set("it this that i there someone anyone")
_DETERMINES = word_set("the our all every each")
_LASTS = word_set(
    """
    make have let support handle allow keep use limit skip go stay be accept return show store cache log include exclude
    retry ignore treat default fall print hide sort group validate reject require respect preserve avoid name call move
    put rename replace switch extend drop restrict cap throttle emit send write save format
    """
)
"""Verbs of what something shall do or be from then on."""
_ASKED_ELSEWHERE = (
    "kannst du", "könntest du", "können wir", "könnten wir", "peux-tu", "pourrais-tu", "pouvez-vous", "pourriez-vous",
    "peut-on", "pourrait-on", "puedes ", "podrías ", "podemos ", "podríamos ", "você pode", "pode ", "poderia ",
    "puoi ", "potresti ", "можешь ", "можно ", "можем ", "мог бы ", "可以", "能不能", "能否", "能", "できますか",
    "もらえますか", "くれますか", "해 줄 수", "할 수 있",
)  # fmt: skip
_NOW_ELSEWHERE = (
    "erklär", "ansehen", "anschau", "schau", "prüf", "zeig", "sagen", "helfen", "expliqu", "regard", "vérifi", "montr", "dire",
    "aide", "explic", "mirar", "mira ", "revis", "mostrar", "decir", "dizer", "ayud", "ajud", "olhar", "ver ", "spieg",
    "guard", "объясн", "посмотр", "провер", "покаж", "сказать", "помо", "解释", "看", "检查", "说", "帮", "説明", "見", "確認",
    "教え", "설명", "봐", "확인", "commit", "push",
)  # fmt: skip


def wishes(question: str) -> bool:
    """A question, in small letters with plain marks, asks that something be so."""
    question = question.strip("¿ ?")
    if question.startswith(_PROPOSES):
        return not question.startswith("how about the ")
    words = question.split()
    if len(words) > _FEWEST and words[0] in _MODALS:
        return _asks_for(words)
    if words[:1] and words[0] in ("shouldn't", "couldn't", "can't"):
        return len(words) > _FEWEST and (words[1] not in _AT_HAND or words[2] in _LASTS)
    asked = question.startswith(_ASKED_ELSEWHERE) or (
        not question.isascii() and any(sign in question for sign in _ASKED_ELSEWHERE if not sign.isascii())
    )
    return asked and not any(sign in question for sign in _NOW_ELSEWHERE)


_FEWEST = 3


def asks_the_agent(question: str) -> bool:
    """A polite order: `can you make sure that it never blocks?`; `can we record it without losing rate?` wants to know."""
    words = [word for word in question.split() if word not in _BETWEEN and word != "not"]
    if words[:1] and words[0] in _MODALS:
        return words[1:2] == ["you"] and words[2:3] != [] and words[2] not in _TELLS
    return True


def refuses_politely(question: str) -> bool:
    """`Could you please not touch the schema?`"""
    words = [word for word in question.split() if word not in _BETWEEN]
    return len(words) > _FEWEST and words[0] in _MODALS and words[1:3] == ["you", "not"]


_TELLS = word_set(
    "tell explain check see show look find verify confirm describe summarize guess remember recall say think"
)
"""What is answered and not done."""


def _asks_for(words: list[str]) -> bool:
    who, rest = words[1], [word for word in words[2:] if word not in _BETWEEN]
    if who in _AT_HAND:
        return "also" in words[2:4] and rest[:1] != [] and rest[0] in _LASTS
    if who in ("you", "we"):
        return rest[:3] == ["get", "rid", "of"] or (
            rest[:1] != [] and rest[0] in _LASTS and rest[1:2] not in (["a"], ["me"])
        )
    return (words[0] in ("can", "could") and who in _DETERMINES) or any(word in _LASTS for word in rest[:4])

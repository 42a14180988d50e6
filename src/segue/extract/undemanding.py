"""What a person says that asks the agent for nothing: thanks, praise, a farewell, a ban.

Such words begin no work, so what was finished before them stays finished. After a question of the agent the same words
may be its answer.
"""

from __future__ import annotations

from segue.extract.overruled import only_forbids
from segue.extract.settled import BESIDE_PRAISE, praises
from segue.extract.text.prose import phrases, word_set, words_of

_LONGEST = 80
"""Characters up to which words may be nothing but a farewell."""
_CLOSING = word_set(
    "thanks thank thx ty cheers bye goodbye goodnight exit quit danke dank tschüss merci gracias adiós obrigado obrigada grazie ciao"
    " спасибо dzięki dziękuję ありがとう ありがとうございます 谢谢 感谢 감사합니다 고마워"
)
_CLOSES = phrases(
    "that s all|that is all|thats all|that s it|that will be all|that ll be all|all for today|all for now|done for today|done for now"
    "|good night|see you|das war s|c est tout|eso es todo|è tutto|это всё"
)
_BESIDE = (
    BESIDE_PRAISE
    | _CLOSING
    | word_set(
        "s ll i m we re for today tomorrow later night be will see have a lot day one thats then and your help work many again"
        " das war vielen dank bis morgen c est tout beaucoup eso es todo muchas è tutto mille это всё"
    )
)
_YES = word_set("yes yep yeah yup ok okay sure please good great perfect ja oui sí si sim да")
_EMOJI = frozenset("👍👌🙏🎉❤💯🙌👏😊😀😄🙂🥳👋💪🫡🤝✅✔♥")
_JOINS = frozenset("\ufe0f\u200d🏻🏼🏽🏾🏿 \n!.")
"""What stands beside an emoji, or colours it."""


def asks_nothing(said: str, *, answering: bool) -> bool:
    """Nothing is to be done that was not asked for before; `answering` says that the agent had asked something."""
    if answering:
        return _bids_farewell(said) and _YES.isdisjoint(words_of(said))
    return _bids_farewell(said) or _only_emoji(said) or _only_praises(said) or only_forbids(said)


def _bids_farewell(said: str) -> bool:
    if len(said) > _LONGEST or "?" in said:
        return False
    words = words_of(said)
    closes = not _CLOSING.isdisjoint(words) or any(sign in " ".join(words) for sign in _CLOSES)
    return closes and _BESIDE.issuperset(words)


def _only_praises(said: str) -> bool:
    """A person who says `done` may have done what the agent waits for."""
    return praises(said) and "done" not in words_of(said)


def _only_emoji(said: str) -> bool:
    return not _EMOJI.isdisjoint(said) and (_EMOJI | _JOINS).issuperset(said)

"""What a person's sentence is: a rule, a correction, a preference, or only talk.

Markers are whole words, in the languages that cost one row each. A marker makes a sentence a
candidate; kind and strength come from the table, quotas elsewhere see to it that sentences full
of markers cannot push the rest out. Plain questions are not rules.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from segue.model.facts import WordKind


class Signal(NamedTuple):
    """`strength` is 3 for what must not be broken, 2 for what is asked for firmly, 1 for a wish."""

    kind: WordKind
    strength: int


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"(?<![\w'])(?:{pattern})(?![\w'])", re.I)


_CORRECTION = re.compile(
    r"(?:no|nope|nah|actually|wait|hold on|hmm,? no|not that|wrong|sorry|oops|correction|scratch that|on second thought|instead"
    r"|nein|doch nicht|non|attends|espera|perdón|нет|стой|不对|不是|错了|いや|違う|違います|아니|아니요)(?:[ ,.:;!—-]|$)"
    r"|.{0,80}\b(?:that'?s (?:not|wrong)|this is (?:wrong|not what)|i (?:said|meant|asked for|told you)|not what i"
    r"|you (?:forgot|missed|misunderst\w+|should(?:n't)? have|were supposed)|should have been|undo|revert|roll ?back"
    r"|change (?:it|that|this) (?:back|to)|back to the|go back to|no longer|forget (?:about )?(?:that|the|what)|never ?mind)\b",
    re.I,
)
_STRONG = _words(
    r"must(?:n't| not)?|never|always|do not|don'?t|dont|cannot|can'?t be|may not|under no circumstances|forbid\w*|forbidden"
    r"|required|mandatory|not allowed|prohibited|at all costs|non-negotiable|important"
    r"|niemals|nie|immer|muss|müssen|darf(?:st)? (?:nicht|kein\w*)|nicht|kein\w*|verboten|unbedingt"
    r"|jamais|toujours|ne \w+ pas|n'\w+ pas|doit|doivent|interdit|il faut|surtout pas|obligatoire"
    r"|nunca|siempre|jamás|debe\w*|prohibido|no (?:uses|toques|hagas|cambies|borres)|obligatorio|sempre|não|deve\w*|proibido|mai|non \w+are"
    r"|никогда|всегда|нельзя|должн\w+|обязательно|запрещ\w+|не (?:надо|нужно|трогай\w*|меняй\w*|используй\w*|делай\w*)"
)
_STRONG_UNSPACED = re.compile(
    r"不要|不能|不得|别(?!的)|必须|务必|禁止|一定要|始终|绝不|しないで|してはいけ|禁止|必ず|絶対|常に|하지\s?마|반드시|항상|절대|금지"
)
_FIRM = _words(
    r"only|instead|rather|keep|leave|avoid|make sure|be sure|ensure|without|should ?n'?t|should not|let'?s not|stop|not just"
    r"|no need|not \w+[^.,;]{0,40}\bbut|exactly|at least|at most|no more than|up to|ignore|skip|unless|except|wait (?:for|until)|before you"
    r"|maximum|minimum|limit(?:ed)? to|stick (?:to|with)|remember|strictly|nothing else|from now on"
    r"|nur|statt(?:dessen)?|ohne|behalte\w*|vermeide\w*|mindestens|höchstens|sondern|lass"
    r"|seulement|uniquement|au lieu de|sans|évite\w*|garde\w*|au moins|plutôt"
    r"|solo|sólo|solamente|en vez de|en lugar de|sin|evita\w*|mantén|al menos|apenas|em vez de|sem|mantenha|pelo menos|invece|senza"
    r"|только|вместо|без|оставь\w*|избегай\w*|не менее|не более|кроме"
)
_FIRM_UNSPACED = re.compile(
    r"只(?:要|能|用|改|有)|而不是|保留|避免|确保|不用|优先|代わりに|だけ|ずに|のまま|ようにして|말고|대신|유지|만\s"
)
_WISH = _words(
    r"should|ought to|needs? to|has to|have to|prefer\w*|i'?d like|i would like|i want|i like|better to|let'?s|we'?ll use|please use|use"
    r"|sollte\w*|bitte|lieber|möchte|nutze|verwende\w*|je préfère|je veux|utilise\w*|devrait|prefiero|quiero|usa|utiliza\w*|use"
    r"|prefiro|quero|preferisco|лучше|хочу|используй\w*|следует|надо|нужно"
)
_WISH_UNSPACED = re.compile(
    r"应该|最好|希望|使用|请用|べき|ほうがいい|てほしい|使って|してください|해야|하면 좋|써줘|사용해"
)
_PREFERENCE = _words(
    r"prefer\w*|i'?d like|i would like|i like|i'?d rather|i want|better to|lieber|möchte|je préfère|prefiero|prefiro|preferisco|лучше"
)
_NUMBERED = re.compile(
    r"(?<![\w.#/-])\d[\d.,]*\s?(?:%|ms|s|sec\w*|min\w*|hours?|days?|[kmg]i?b|kb|mb|gb|px|lines?|rows?|tokens?|chars?|characters|retries|times|x)\b",
    re.I,
)
_ASKED = re.compile(r"(?:please|can|could|would|will|let'?s)\b", re.I)
_FINDING = re.compile(r"\w\.\w{1,5}:\d+|\blines? \d+|(?:high|medium|low|critical|nit|p[0-3])\b\W", re.I)


def heard(sentence: str) -> Signal | None:
    """The signal of one sentence that a person wrote; None if it states no rule, correction or wish."""
    if sentence.endswith(("?", "？")) and not _ASKED.match(sentence):
        return None
    if _FINDING.search(sentence[:200]):
        return None
    strength = _strength(sentence)
    if _CORRECTION.match(sentence):
        return Signal("correction", max(strength, 2))
    if strength and _PREFERENCE.search(sentence):
        return Signal("preference", strength)
    if strength:
        return Signal("constraint", strength)
    return Signal("constraint", 1) if _NUMBERED.search(sentence) else None


def _strength(sentence: str) -> int:
    if _STRONG.search(sentence) or _STRONG_UNSPACED.search(sentence):
        return 3
    if _FIRM.search(sentence) or _FIRM_UNSPACED.search(sentence):
        return 2
    asked = sentence.endswith(("?", "？"))
    return int(not asked and bool(_WISH.search(sentence) or _WISH_UNSPACED.search(sentence)))

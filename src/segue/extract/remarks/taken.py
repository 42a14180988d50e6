"""Choices told in the present tense, by whoever makes them: `I take the queue since it survives a restart`.

Agents say in the same tense what they do next, so such a sentence is a choice only where it gives a reason, or names
what it is preferred to. Each pattern meets small letters and is compiled when the first of its stems is met.
"""

from __future__ import annotations

from segue.extract.text.prose import word_set

_TAKES = r"take (?!(?:it|that|a look|note|care|stock|over|this as)\b)|prefer (?!to (?:read|look|start|begin|check|see|wait)\b)|pick (?!up\b)|choose |favou?r |go (?:for|with) |stay (?:with|on|at) |stick (?:with|to) "
_LOOKS = "find|see|check|look|read|search|inspect|verify|list|confirm|trace|locate|get|know|learn|compare"
_USES = rf"use (?!.{{1,60}}? to (?:{_LOOKS})\b)|keep (?!\w+ing\b)|(?:move|switch)(?: over)? to |store |leave "
_MAKES = r"write |build |add |put |do |run |read |send |split |wrap |call "
_WHY = r" (?:because|since|so that|so it|so they|as it(?! is[.!]?$)|as they|as that|as the) "
_OVER = r" (?:instead of|rather than|over|and not) |, not "
STEMS = (
    "i take |we take |ll take |i prefer |we prefer |i pick |we pick |ll pick |i choose |we choose |i favo|i go for |i go with |we go for |ll go for "
    "|i stay |we stay |i stick |we stick |i use |we use |i keep |we keep |i move to|we move to|ll move to|i switch |we switch |ll switch |ll store |i store |i leave |we leave "
    "| instead.| instead;"
)
TAKEN = (
    r"^(?:[\w'-]+(?: [\w.'-]+){0,3},? )?(?:i|we)(?:'ll| will)?(?: now| therefore| simply| just| also)? "
    rf"(?:(?:{_TAKES}|{_USES}).{{2,200}}?(?:{_WHY}|{_OVER}|\binstead(?:[.;!]|$))|(?:{_MAKES}).{{2,160}}?(?:{_OVER}|\binstead(?:[.;!]|$)))"
    rf"|(?<=; )(?:i|we) (?:{_TAKES}|{_USES}|{_MAKES}).{{2,160}}?(?:{_OVER}|\binstead(?:[.;!]|$))"
)
ASIDE_STEMS = " aside|leave that out|leave it out|beiseite|de côté|de lado|в стороне"
ASIDE = (
    r"(?:so|[;,]) (?:i|we)(?:'ll)? (?:leave|left|set|put|lay) (?:that|it|this|them|the [\w ]{2,40}|[\w.+#-]+) aside\b"
    r"|(?:i|we)(?:'ll)? (?:leave|left|set|put) [\w .+#-]{2,40} aside(?:[,:;]| because| since| for now)|so (?:i|we) (?:leave|left) (?:that|it|this) out\b|lasse ich .{0,40}beiseite|ich lasse .{2,60} beiseite"
    r"|(?:je|on) (?:laisse|mets) .{0,60}de côté|(?:lo |la |los |las )?(?:dejo|dejamos|deixo|deixamos|lascio) .{0,60}(?:de lado|da parte)|оставля\w+ .{0,60}в стороне"
)
"""How something is told that was weighed and not taken."""
MOVES_STEMS = "i move to |we move to |i switch to |we switch to |i go over to "
MOVES = r"^(?:so |now )?(?:i|we) (?:move|switch|go over) to "
"""A choice only where the next sentence names what was weighed against it."""
_WEIGHED = word_set("considered rejected alternative alternatives weighed evaluated instead")
ABROAD_STEMS = (
    "ich nehme|nehme ich|ich bleibe|ich setze auf|ich verwende|ich behalte|ich ziehe |wir nehmen|wir bleiben|je prends|je préfère|je garde|j'utilise"
    "|je passe à|je pars sur|j'opte|on garde|on prend|me quedo|prefiero|elijo |uso |prefiro|fico com|escolho |preferisco|scelgo |беру |использую"
    "|предпочитаю|выбираю |остаюсь |wybieram|wolę |biorę |zostaję |ik neem|ik kies|ik gebruik|ik blijf|而不是|而不用|改用|ではなく|代わりに|よりも|대신|보다"
)
_WHY_ABROAD = (
    "weil|statt|anstatt|anstelle|denn|damit|sondern|parce que|car|puisque|plutôt que|plutôt qu'|au lieu|afin|porque|ya que|en vez|en lugar|pues|pois"
    "|em vez|invece|perché|anziché|потому|вместо|так как|чтобы|bo|ponieważ|zamiast|niż|omdat|in plaats"
)
TAKEN_ABROAD = (
    r"(?:ich (?:nehme|bleibe|setze auf|verwende|behalte|ziehe)|nehme ich|wir (?:nehmen|bleiben)|je (?:prends|préfère|garde|passe à|pars sur)|j'utilise|j'opte"
    r"|on (?:garde|prend)|me quedo con|prefiero|elijo|uso|prefiro|fico com|escolho|preferisco|scelgo|беру|использую|предпочитаю|выбираю|остаюсь"
    rf"|wybieram|wolę|biorę|zostaję przy|ik (?:neem|kies|gebruik|blijf)) .{{2,200}}?(?<!\w)(?:{_WHY_ABROAD})(?!\w)"
    r"|(?:je préfère|ich ziehe) .{2,60} (?:à|vor)\b"
    r"|\w*(?:我|们|就|先|改|所以|因此)?(?:用|选|采用|使用|改用|保留)[^。]{1,60}(?:而不是|而不用)"
    r"|\w*(?:ではなく|の代わりに|よりも)[^。]{1,60}(?:を使い|を使う|にします|を選|を採|を残し)"
    r"|\w*(?:대신|보다는?) .{1,60}(?:사용|쓰겠|선택|택하|유지)"
)


def weighs(after: str) -> bool:
    """The sentence behind a choice, in small letters, names what was weighed against it."""
    return not _WEIGHED.isdisjoint(after.replace(",", " ").replace(".", " ").split())

"""Rules that are lifted: `drop the tabs rule`, `you may touch legacy/ now`, `the linter is no longer needed`.

What a person allows again takes back what forbade it, what need not be done any more takes back what asked for it, and
what is to be forgotten goes either way; and only that: the sentence must be about little else than the rule
is, and name the same things.
"""

from __future__ import annotations

import re
from functools import lru_cache

from segue.extract.text.prose import phrases, plainly, typed, word_set
from segue.extract.text.unspaced import spaced
from segue.extract.words.supersede_drop import is_most
from segue.extract.words.supersede_subject import VALUE, about, bare, names_in
from segue.extract.words.supersede_turn import named as topical
from segue.model.patterns import compiled

_RULE = compiled(
    r"\b(?:drop|forget|ignore|lift|scrap|relax|remove|cancel|withdraw)(?: about)? (?:the|my|that|this|our)\b(?P<what>.{0,60}?)\s*"
    r"\b(?:rule|restriction|constraint|requirement|ban|limit|prohibition)\b"
    r"|(?<!n't )(?<!not )\b(?:forget|disregard|never ?mind)(?: about)?(?: what i (?:said|asked|told you) about)?(?! (?:it|that|this|to)\b)"
    r" (?:the |my |our |all )?(?P<gone>[^,.;:]{3,60})"
)
"""All patterns here are for lower case: to ignore it takes five times as long to compile."""
_AGAIN = r"(?:now|after all|again|anyway|from now on)\b"
_GRANTED = rf"\b(?:you|we)(?: may| are (?:allowed|free) to)\b(?! not).*\b{_AGAIN}"
"""Rare, as what follows `_ALLOWED`: compiled where one may stand."""
_ALLOWED = compiled(
    r"\b(?:is|are)(?: now)? (?:fine|ok|okay|allowed|acceptable|permitted|all right|alright)\b"
    r"|\b(?:you|we) (?:may|can)\b(?! not)|\bit'?s (?:fine|ok|okay|alright) to\b|\bfeel free to\b|\bgo ahead and\b"
)
_SAID_AGAIN = rf"\b(?:{_AGAIN})|\bfeel free to\b|\bgo ahead and\b"
_ALLOWED_ELSEWHERE = (
    ("darfst ", "jetzt"), ("dürfen ", "jetzt"), ("kannst ", "jetzt"), ("erlaubt", "jetzt"), ("in ordnung", "jetzt"),
    ("peux ", "maintenant"), ("pouvez ", "maintenant"), ("autorisé", "maintenant"), ("puedes ", "ahora"), ("ya puedes ", ""),
    ("agora pode", ""), ("ora puoi ", ""), ("теперь можно", ""), ("可以", "了"), ("てもいい", ""), ("ても構", ""),
    ("て大丈夫", ""), ("도 돼", ""), ("도 됩니다", ""),
)  # fmt: skip
"""`You may now` in other languages: two parts that stand in one clause."""
_NOT_NEEDED = (
    ("n't need", "any more"), ("n't need", "anymore"), ("n't need", "any longer"), ("n't have to ", "any"),
    ("no need ", "any"), ("no longer ", " need"), ("no longer ", "requir"), ("no longer ", "necessar"),
    ("no longer ", "have to "), ("n't required", "any"), ("n't needed", "any"), ("n't necessary", "any"),
    ("not required", "any"), ("not needed", "any"), ("not necessary", "any"), ("can stop ", "ing"),
    ("nicht mehr", "nötig"), ("nicht mehr", "muss"), ("nicht mehr", "müss"), ("nicht mehr", "brauch"),
    ("plus besoin", ""), ("plus nécessaire", ""), ("ya no hace falta", ""), ("ya no es necesario", ""),
    ("não precisa mais", ""), ("non serve più", ""), ("non devi più", ""), ("больше не нужно", ""), ("больше не надо", ""),
    ("不用", "了"), ("不需要", "了"), ("不必", "了"), ("なくていい", ""), ("なくてもいい", ""), ("なくて大丈夫", ""),
    ("안 해도", ""), ("않아도", ""),
)  # fmt: skip
"""That something need not be done any more."""
_CLAUSES = compiled(r"[,;:]\s*|\s(?:because|since)\s")


def lifts_plainly(sentence: str) -> bool:
    """It speaks of a rule, gives leave, or says what need not be done any more: a correction even if the rule is
    not found."""
    sentence = plainly(sentence)
    return (
        bool(_RULE.search(sentence))
        or _is_granted(sentence)
        or _spared(sentence)
        or _granted(sentence)
        or bool(forgotten(sentence))
    )


_FORGETTING = word_set(
    """
    scratch scrap strike forget ignore disregard drop olvida olvídate zapomnij zapomnijcie vergiss oublie oubliez esquece esqueça
    dimentica забудь
    """
)
_WHAT_WAS_SAID = phrases(
    "the bit about |the part about |the thing about |the stuff about |the point about |that bit about |that part about |"
    "the bit on |the part on |the bit with |the thing with |lo de |lo del |de lo de |de lo del |de |das mit |o tym, co mówiłem o |"
    "o |про |о |le |la |les |the bits about |what i said about |what i told you about |what i asked about "
)
_REMINDS = word_set("no nie nicht pas não non не don't not never n'oublie n'oubliez")


def forgotten(sentence: str) -> str:
    """What a sentence, in small letters, says to forget: `scratch the bit about caching`; `vergiss nicht …` reminds."""
    words = sentence.split()
    if _FORGETTING.isdisjoint(words):
        return ""
    place = next(n for n, word in enumerate(words) if word in _FORGETTING)
    if not _REMINDS.isdisjoint(words[max(0, place - 2) : place + 3]):
        return ""
    rest = " ".join(words[place + 1 :])
    about_it = next((lead for lead in _WHAT_WAS_SAID if rest.startswith(lead)), "")
    if words[place] in _ENGLISH and (not about_it or not about_it.startswith(("th", "what"))):
        return ""
    return _CLAUSES.split(rest[len(about_it) :].rstrip(" .!"))[0]


_ENGLISH = word_set("scratch scrap strike forget ignore disregard drop")
"""What says less alone than with `the bit about`."""


def may_lift(sentence: str) -> bool:
    """It allows something again, if that was forbidden; else it is only talk."""
    sentence = sentence.lower()
    return bool(_ALLOWED.search(sentence) and re.search(_SAID_AGAIN, sentence))


_FREELY = phrases("feel free|and feel free|also feel free|go ahead|oh and feel free|but feel free")


def allows_again(sentence: str) -> bool:
    """It says itself that this was otherwise before: `you may touch legacy/ now`."""
    sentence = sentence.replace("for now", "")
    again = may_lift(sentence) and not sentence.startswith(_FREELY)
    return again or _is_granted(sentence)


def _is_granted(sentence: str) -> bool:
    told = " may " in sentence or " allowed to " in sentence or " free to " in sentence
    return told and re.search(_GRANTED, sentence) is not None


@lru_cache(maxsize=1024)
def gives_leave(sentence: str) -> bool:
    return lifts_plainly(sentence) or may_lift(sentence)


def lifts(new: str, old: str, old_about: frozenset[str], refused: frozenset[str], *, forbids: bool) -> bool:
    """The new sentence, which gives leave, lifts the old rule, which is about `old_about`, refuses `refused`, and
    `forbids` or asks."""
    rule = _RULE.search(plainly(new))
    what = new[slice(*rule.span("what" if rule["what"] else "gone"))] if rule else ""
    said = forgotten(plainly(new))
    of_rule = said or (rule and (rule["what"] or " what i " in rule[0]))
    what = said or what
    if what and (named := about(what)):
        if not of_rule and not is_most(topical(what), old):
            return False
        return _same_things(what, old, all_of_them=False) and _share(named, old_about) >= _MOSTLY
    rest = _leave(f"{new[: rule.start()]} {new[rule.end() :]}" if rule else new)
    allowed = about(rest)
    if _spared(new.lower().replace("’", "'")):
        refused = frozenset() if forbids else old_about
    elif forbids and len(old_about) > 1 and old.isascii():
        first = next((found for word in old.split() if (found := about(word))), frozenset[str]())
        refused = refused - first or refused
    return (
        _same_things(rest, old, all_of_them=True)
        and not allowed.isdisjoint(refused)
        and _share(allowed, old_about) >= _MOSTLY
        and _share(old_about, allowed) >= _PARTLY
    )


_MOSTLY, _PARTLY = 0.75, 0.5
"""What share of the lifting sentence the rule must hold, and what share of the rule the sentence."""


def _leave(text: str) -> str:
    """The clause that gives leave, without the reasons around it."""
    return next((clause for clause in _CLAUSES.split(typed(text)) if gives_leave(clause)), text)


def _spared(sentence: str) -> bool:
    return _any_pair(sentence, _NOT_NEEDED)


def _granted(sentence: str) -> bool:
    return _any_pair(sentence, _ALLOWED_ELSEWHERE) and "看" not in sentence


def _any_pair(sentence: str, pairs: tuple[tuple[str, str], ...]) -> bool:
    return any(first in sentence and then in sentence for first, then in pairs)


def _share(part: frozenset[str], whole: frozenset[str]) -> float:
    return len(part & whole) / len(part) if part else 0.0


def _same_things(new: str, old: str, *, all_of_them: bool) -> bool:
    mine, others = _things(new), _things(old)
    return mine == others if all_of_them else mine <= others


def _things(text: str) -> frozenset[str]:
    text = spaced(text)
    return names_in(text) | {bare(value) for value in VALUE.findall(text)}

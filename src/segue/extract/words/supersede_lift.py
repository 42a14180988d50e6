"""Rules that are lifted: `drop the tabs rule`, `you may touch legacy/ now`, `the linter is no longer needed`.

What a person allows again takes back what forbade it, what need not be done any more takes back what asked for it, and
what is to be forgotten goes either way; and only that: the sentence must be about little else than the rule
is, and name the same things.
"""

from __future__ import annotations

import re
from functools import lru_cache

from segue.extract.text.prose import plainly, typed
from segue.extract.text.unspaced import spaced
from segue.extract.words.supersede_subject import VALUE, about, bare, names_in

_RULE = re.compile(
    r"\b(?:drop|forget|ignore|lift|scrap|relax|remove|cancel|withdraw)(?: about)? (?:the|my|that|this|our)\b(?P<what>.{0,60}?)\s*"
    r"\b(?:rule|restriction|constraint|requirement|ban|limit|prohibition)\b"
    r"|(?<!n't )(?<!not )\b(?:forget|disregard|never ?mind)(?: about)?(?: what i (?:said|asked|told you) about)?(?! (?:it|that|this|to)\b)"
    r" (?:the |my |our |all )?(?P<gone>[^,.;:]{3,60})"
)
"""All patterns here are for lower case: to ignore it takes five times as long to compile."""
_AGAIN = r"(?:now|after all|again|anyway|from now on)\b"
_GRANTED = re.compile(rf"\b(?:you|we)(?: may| are (?:allowed|free) to)\b(?! not).*\b{_AGAIN}")
_ALLOWED = re.compile(
    r"\b(?:is|are)(?: now)? (?:fine|ok|okay|allowed|acceptable|permitted|all right|alright)\b"
    r"|\b(?:you|we) (?:may|can)\b(?! not)|\bit'?s (?:fine|ok|okay|alright) to\b|\bfeel free to\b|\bgo ahead and\b"
)
_SAID_AGAIN = re.compile(rf"\b(?:{_AGAIN})|\bfeel free to\b|\bgo ahead and\b")
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
_CLAUSES = re.compile(r"[,;:]\s*|\s(?:because|since)\s")


def lifts_plainly(sentence: str) -> bool:
    """It speaks of a rule, gives leave, or says what need not be done any more: a correction even if the rule is
    not found."""
    sentence = plainly(sentence)
    return (
        bool(_RULE.search(sentence) or _GRANTED.search(sentence)) or _spared(sentence) or _granted(sentence)
    )


def may_lift(sentence: str) -> bool:
    """It allows something again, if that was forbidden; else it is only talk."""
    sentence = sentence.lower()
    return bool(_ALLOWED.search(sentence) and _SAID_AGAIN.search(sentence))


@lru_cache(maxsize=1024)
def gives_leave(sentence: str) -> bool:
    return lifts_plainly(sentence) or may_lift(sentence)


def lifts(new: str, old: str, old_about: frozenset[str], refused: frozenset[str], *, forbids: bool) -> bool:
    """The new sentence, which gives leave, lifts the old rule, which is about `old_about`, refuses `refused`, and
    `forbids` or asks."""
    rule = _RULE.search(plainly(new))
    what = new[slice(*rule.span("what" if rule["what"] else "gone"))] if rule else ""
    if rule and (named := about(what)):
        return _same_things(what, old, all_of_them=False) and _share(named, old_about) >= _MOSTLY
    rest = _leave(f"{new[: rule.start()]} {new[rule.end() :]}" if rule else new)
    allowed = about(rest)
    if _spared(new.lower().replace("’", "'")):
        refused = frozenset() if forbids else old_about
    elif forbids and len(old_about) > 1 and old.isascii():
        refused -= next((found for word in old.split() if (found := about(word))), frozenset())
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
    return _any_pair(sentence, _ALLOWED_ELSEWHERE)


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

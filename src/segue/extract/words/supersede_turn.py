"""A change of mind in free words: `the schema is fair game now`, `turns out legal wants eu-central-1`.

Nobody says which rule is meant, so the sentence must be about what the rule is about, and about nothing else: a ban is
freed by what permits the same thing, a duty or a limit by what discards it, and a choice gives way to another one in the
same place of the same phrase, or to a name of the same build. Where only the subject and a turn of speech agree,
nothing is replaced, and both are told.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from segue.extract.text.prose import phrases, plainly, typed, word_set
from segue.extract.words.conduct import PACES, TASKS
from segue.extract.words.supersede_subject import VALUE, about, bare, names_in, same_shape

_PERMITS = phrases(
    "is fair game|are fair game|up for grabs|is open|are open|no problem|approval for|approval to|"
    "is approved|are approved|as you like|in scope|on the table|unfrozen|unlocked|green light|"
    "go ahead and|go ahead|feel free to|can be|may be|be my guest|is ok|are ok|is okay|are okay|"
    "is allowed|are allowed|is fine|are fine|can now|you can|you may|we can|we may|can have|have at it|"
    "is yours|are yours|don't mind|darf|dürfen|darfst|kannst|ist erlaubt|sind erlaubt|ist freigegeben|"
    "sind freigegeben|tu peux|vous pouvez|on peut|est permis|est autorisé|est autorisée|sont autorisés|"
    "sont autorisées|puedes|podemos|se puede|se pueden|está permitido|pode|podem|podemos|можно|разрешено"
)
_DISCARDS = phrases(
    "can go|may go|is gone|are gone|is dead|are dead|is over|is lifted|are lifted|is history|"
    "can be dropped|can be removed|can be deleted|is obsolete|are obsolete|is off|doesn't matter|"
    "don't matter|is no good|are no good|was too|were too|don't care about|is out|are out|was dropped|"
    "were dropped|is dropped|are dropped|can drop|may drop|not needed|don't bother with|kann weg|"
    "können weg|fällt weg|entfällt|n'est plus|ne sont plus|ya no|não é mais|больше не|peut disparaître|"
    "peuvent disparaître|puede irse|pueden irse|pode sair|podem sair"
)
_GUARDS = (
    "frozen", "freeze", "only if i", "unless i", "until i", "read-only", "locked", "off limits", "off-limits",
    "hands off", "ask me", "alone", "untouched", "only with my", "eingefroren", "gelé", "congelad", "заморож",
)  # fmt: skip
"""What forbids without a negation."""
_TURNS = phrases(
    "turns out|after all|instead| now|now |from here on|from now on|on reflection|make that |make it |"
    "it is|upgraded|switched|moved|migrated|renamed|changed|wants|want |asked for|decided|any more|"
    "anymore|no longer|again|approv|fair game| gone| dead|is over|lifted|actually|wait|moment,|can go|"
    "can be|you can|you may|we can|go ahead|feel free|is fine|are fine| ok|dropped|doch|jetzt|lieber|"
    "finalement|maintenant|plutôt|al final|ahora|mejor|agora|afinal|melhor|теперь|лучше|всё-таки|现在|改|"
    "やっぱり|ことにな"
)
_REPORTS = word_set(
    "fails fail failing failed broken error errors crash crashes crashed works worked passes passed pass red"
)
_BESIDE = word_set(
    """
    cap limit rule freeze ban restriction requirement under below above over within after all everything anything again always
    ok okay sure so also say frozen locked open fair game product sales legal ops team boss customer client confirmed asked
    wants want turns turn out goes come comes just finally got get today yesterday hm ugh wait moment fine now please it is
    have morning week month year since still ajoute n'ajoute ajouter
    fass fassen anfassen ändern geändert werden doch freigegeben moment modifier changer toucher touche finalement final cambiar
    modificar tocar toques mexer mexa mudar calling called call alterar altere менять меняй трогать трогай
    """
)
"""Words beside the subject: who wants it, how sure it is, that there was a rule."""
_PLACES = word_set(
    "as in to at on with via under by for from into against als auf mit unter comme en dans avec como con em com"
)
_AS, _IS = word_set("as als"), word_set("be is are sein ist sind")
"""`The report must be a PDF` and `the report as HTML` have one place."""
_WHERE = phrases(
    " go to | goes to | go into | goes into | live in | lives in | live on | lives on | belong in "
)
_LOCAL = word_set("in to into on at under")
"""`Keep the backup in S3`, and later `backups go to the box`."""
_ASKS = word_set("wants want needs need prefers prefer asked insists decided says")
"""Who wants something else stands before these."""
_MAKES = word_set("make set change bump raise lower put")
_ADVERBS = word_set(
    "now again finally jetzt wieder maintenant désormais ahora agora теперь снова also just ya já sí sim doch"
)
_SHORT, _BRIEF, _LONG = 4, 6, 160
_NEARLY, _PARTLY = 0.66, 0.5
_FEWEST = 3


def frees(new: str, old: str, *, forbids: bool) -> bool:
    """The new sentence permits what the old one forbids, or discards what it asks for or bounds."""
    found = _freed(new)
    if not found:
        return False
    guarded = forbids or any(sign in plainly(old) for sign in _GUARDS)
    rules = (old, *_refused_in(old)) if forbids else (old,)
    return any(_is_freed(freed, rule) for freed in found if guarded or not freed.permits for rule in rules)


def _is_freed(freed: _Freed, rule: str) -> bool:
    others, named = topic(rule), _names(rule)
    if freed.names != named:
        return False
    shared = freed.about & others
    enough = max(1, _NEARLY * len(freed.about), _PARTLY * len(others))
    if len(shared) >= enough and (shared - _verb(rule) or others <= _verb(rule)):
        return True
    return bool(named) and not freed.about


def _refused_in(rule: str) -> tuple[str, ...]:
    """What a rule says there shall be none of, beside what else it says: `compiler flags only, no source changes`."""
    return tuple(clause for clause in clauses(rule) if clause[:3].lower() == "no ")


def _verb(rule: str) -> frozenset[str]:
    """What a rule is about that is said first: leave to commit is no leave to commit secrets."""
    if not rule.isascii() or rule[:3].lower() == "no ":
        return frozenset()
    return next((found for word in spelled(rule) if (found := topic(word))), frozenset())


def frees_something(sentence: str) -> bool:
    """It permits or discards: `the shims can go` does not repeat `keep the shims`."""
    return bool(_freed(sentence))


def sets_otherwise(new: str, old: str, *, corrects: bool) -> bool:
    """The new sentence puts something else where the old one has its choice; neither forbids."""
    turned = corrects or turns(new)
    begins = new.lower().split(" ", 2)[:2]
    again = begins[0] == old.split(" ", 1)[0].lower()
    told = turned or again or " as " in new or any(verb in new for verb in _WHERE)
    if not (told or not _MAKES.isdisjoint(begins) or _numbers(plainly(new)).keys() & _numbers(plainly(old))):
        return False
    old = plainly(old)
    for clause in map(_wanted, clauses(new)):
        if turned and (_another_of_its_build(clause, old) or _another_number(clause, old)):
            return True
        if (
            _made_anew(clause, old)
            or _at_another_pace(clause, old)
            or _another_format(clause, old)
            or _another_complement(clause, old, turned=turned)
        ):
            return True
    return False


def builds_otherwise(new: str, old: str, *, corrects: bool) -> bool:
    """The new sentence has nothing in common with the old one but a name of the same build."""
    if not _built(plainly(old)) or not (corrects or turns(new)):
        return False
    return any(_another_of_its_build(clause, plainly(old)) for clause in map(_wanted, clauses(new)))


@lru_cache(maxsize=1024)
def turns(sentence: str) -> bool:
    """It has a turn of speech with which people change their minds."""
    sentence = plainly(sentence)
    return any(sign in sentence for sign in _TURNS) or any(
        word.endswith("ed") for word in sentence.partition(" to ")[0].split()[-1:]
    )


def touches(new: str, old: str) -> bool:
    """The new sentence turns on what the old one is about; it is not sure how."""
    if len(new) > _LONG or not turns(new) or new.endswith(("?", "？")):
        return False
    words = spelled(plainly(new))
    mine, others = topic(_nameless(words)), topic(_nameless(spelled(old)))
    most = 0 if len(words) <= _BRIEF else _PARTLY * len(mine)
    enough = max(1, most, 0 if _freed(new) else _PARTLY * len(others))
    if not (mine & others) - _verb(old) and not named(old) <= _verb(old):
        return False
    return len(mine & others) >= enough and _REPORTS.isdisjoint(words) and words[0] not in TASKS


def _nameless(words: list[str]) -> str:
    return " ".join(word for word in words if len(_parts(word)) == 1)


def fills_the_place(clause: str, old: str) -> bool:
    """The clause has something else where the old sentence, which was found fault with, has its choice."""
    return _another_complement(_wanted(clause), plainly(old), turned=True)


class _Freed(NamedTuple):
    """What a clause permits, or discards."""

    permits: bool
    about: frozenset[str]
    names: frozenset[str]


@lru_cache(maxsize=1024)
def _freed(sentence: str) -> tuple[_Freed, ...]:
    plain = _unhurried(plainly(sentence))
    if " not " in plain or not any(sign in plain for sign in (*_DISCARDS, *_PERMITS)):
        return ()
    found = []
    for clause in clauses(sentence):
        lower = _unhurried(clause.lower())
        for signs in (_DISCARDS, _PERMITS):
            sign = next((sign for sign in signs if f" {sign} " in f" {lower} "), "")
            if sign and not (sign in _OUT and _is_published(lower, sign)):
                told = _before_its_bound(lower) if signs is _PERMITS else lower
                about_it = topic(told.replace(sign, " "))
                found.append(_Freed(signs is _PERMITS, about_it, _names(told if told != lower else clause)))
    return tuple(found)


_OUT = ("is out", "are out")


def _is_published(clause: str, sign: str) -> bool:
    """`Windows 12 is out since May` tells that there is one now."""
    return any(map(str.isdigit, clause)) or not clause.endswith(sign)


def _before_its_bound(clause: str) -> str:
    """`Source changes are allowed in src/simd only`, without the place to which the leave is bound."""
    told = clause.rstrip(" .!").removesuffix(" only")
    place = next((place for place in (" in ", " under ", " inside ", " within ") if place in told), "")
    return told.rpartition(place)[0] if place and told != clause.rstrip(" .!") else clause


def _unhurried(text: str) -> str:
    """The text without the adverbs that may stand within a phrase: `is now fair game`."""
    return " ".join(word for word in text.split() if word not in _ADVERBS)


@lru_cache(maxsize=1024)
def clauses(sentence: str) -> tuple[str, ...]:
    """The clauses of a sentence; what is called by a short label belongs to what follows it."""
    sentence = typed(sentence)
    label, colon, rest = sentence.partition(": ")
    if colon and len(label.split()) <= _SHORT:
        sentence = f"{label} {rest}"
    for mark in (";", ": ", " because ", " since ", " so ", " - "):
        sentence = sentence.replace(mark, ", ")
    return tuple(clause.strip(" .!") for clause in sentence.split(", ") if clause.strip(" .!"))


def spelled(text: str) -> list[str]:
    return [word for part in text.split() if (word := part.strip(".,;:!?()\"'`"))]


@lru_cache(maxsize=2048)
def topic(text: str) -> frozenset[str]:
    told = " ".join(word for word in spelled(text) if word.lower() not in _BESIDE)
    return frozenset(term[:-1] if term.endswith("s") and len(term) > 2 else term for term in about(told))


def named(text: str) -> frozenset[str]:
    """What a text is about, the names in it too."""
    return topic(text) | names_in(text)


@lru_cache(maxsize=1024)
def _wanted(clause: str) -> str:
    """A clause, in small letters, without who wants it; nothing if it refuses."""
    words = clause.lower().split()
    if not _REFUSES.isdisjoint(words):
        return ""
    asks = next((n for n, word in enumerate(words[:5]) if word in _ASKS), -1)
    return " ".join(words[asks + 1 :])


_REFUSES = word_set(
    "not don't never no nicht kein keine nie pas jamais nunca não не никогда without avoid stop"
)


def _names(text: str) -> frozenset[str]:
    return names_in(text) | frozenset(map(bare, VALUE.findall(text)))


def _another_of_its_build(new: str, old: str) -> bool:
    """`eu-central-1` for `eu-west-1`, where the old rule is about little else than that name."""
    mine, others = _built(new), _built(old)
    if len(others) != 1 or len(mine) != 1 or mine == others:
        return False
    (one,), (other,) = mine, others
    pairs = list(zip(_parts(one), _parts(other), strict=False))
    alike = len(_parts(one)) == len(_parts(other)) and any(a == b for a, b in pairs)
    asked, said = topic(old.replace(other, " ")), topic(new.replace(one, " "))
    return alike and asked - topic(spelled(old)[0]) <= said <= asked


@lru_cache(maxsize=1024)
def _built(text: str) -> frozenset[str]:
    return frozenset(
        word for word in spelled(text) if len(_parts(word)) > 1 and word.isascii() and not word[0].isdigit()
    )


def _parts(word: str) -> list[str]:
    """`eu-west-1` is eu, west, 1; `es5` is es, 5."""
    for mark in "-/_.":
        word = word.replace(mark, " ")
    letters = word.rstrip("0123456789")
    return f"{letters} {word[len(letters) :]}".split() if letters.isalpha() else word.split()


def _another_number(new: str, old: str) -> bool:
    """`so Node 22 it is` after `we target Node 18`, `make that 20k rows` after `50k rows`, and `make that 4 times on 503`
    after `3 times on 503`."""
    mine, others = _numbers(new), _numbers(old)
    made = spelled(new)[:2] in (["make", "it"], ["make", "that"])
    if made:
        kept = mine.keys() & others.keys()
        mine, others = ({n: at for n, at in found.items() if n not in kept} for found in (mine, others))
    if not mine or len(others) != 1 or mine.keys() & others.keys():
        return False
    ((before, after),) = others.values()
    if made and len(spelled(new)) == _FEWEST:
        return same_shape(frozenset(mine), frozenset(others))
    same = [
        n for n, around in mine.items() if (before and before == around[0]) or (after and after == around[1])
    ]
    left, right = topic(old) - topic(new), topic(new) - topic(old)
    return bool(same) and (not left or not right)


def _made_anew(new: str, old: str) -> bool:
    """`make the cache TTL an hour` after `the cache TTL is 5 minutes`."""
    numbers = _numbers(old)
    if len(numbers) != 1 or _numbers(new) or _MAKES.isdisjoint(spelled(new)[:2]):
        return False
    ((_, unit),) = numbers.values()
    thing = topic(old) - topic(unit)
    return len(thing) > 1 and thing <= topic(new) and len(topic(new) - thing) == 1


def _at_another_pace(new: str, old: str) -> bool:
    """`run the backfill weekly` after `run the backfill nightly`."""
    mine, others = PACES.intersection(spelled(new)), PACES.intersection(spelled(old))
    if len(mine) != 1 or len(others) != 1 or mine == others:
        return False
    return topic(new) - topic(*mine) == topic(old) - topic(*others)


_FORMATS = word_set(
    "csv tsv xlsx xls ods json jsonl yaml toml xml html pdf docx markdown md txt parquet avro sqlite svg png jpeg jpg webp gif"
)


def _another_format(new: str, old: str) -> bool:
    """`make it xlsx` after `store the reports as csv`."""
    words, last = spelled(new), spelled(old)[-1:]
    made = words[:2] == ["make", "it"] and len(words) <= _SHORT and words[-1] in _FORMATS
    return made and words[-1:] != last and not _FORMATS.isdisjoint(last)


@lru_cache(maxsize=1024)
def _numbers(text: str) -> dict[str, tuple[str, str]]:
    """The numbers of a text, each with the thing before and the unit after it."""
    words = spelled(text)
    found = {}
    for place, word in enumerate(words):
        if word[0].isdigit():
            near = (words[place - 1] if place else "", words[place + 1] if place + 1 < len(words) else "")
            found[word] = (near[0] if about(near[0]) else "", near[1] if about(near[1]) else "")
    return found


def _another_complement(clause: str, old: str, *, turned: bool) -> bool:
    """`amounts as integer cents` after `store amounts as floats`: the same phrase with another end."""
    if topic(clause).isdisjoint(topic(old)):
        return False
    mine, others = spelled(clause), spelled(old)
    places = [(place, place) for place in _PLACES.intersection(mine, others)]
    if any(verb in clause for verb in _WHERE):
        places += [(one, other) for one in _LOCAL.intersection(mine) for other in _LOCAL.intersection(others)]
    if turned:
        places += [(one, other) for one in _AS.intersection(mine) for other in _IS.intersection(others)]
        places += [(one, other) for one in _IS.intersection(mine) for other in _AS.intersection(others)]
    return any(_ends_otherwise(mine, one, others, other) for one, other in places)


def _ends_otherwise(mine: list[str], one: str, others: list[str], other: str) -> bool:
    """What stands behind the prepositions differs, and nothing else but who does it."""
    (head, chosen), (first, left) = _halves(mine, one), _halves(others, other)
    if not named(chosen) - named(left) or not named(left) - named(chosen):
        return False
    if _names(head) != _names(first) or frozenset(VALUE.findall(chosen)) != frozenset(VALUE.findall(left)):
        return False
    said, asked = topic(head), topic(first)
    return (
        bool(said & asked)
        and said <= asked | topic(left)
        and asked - topic(others[0]) <= said | topic(chosen)
    )


def _halves(words: list[str], place: str) -> tuple[str, str]:
    """All but what stands behind a preposition, and that, as far as the next one."""
    begin = words.index(place) + 1
    ends = (n for n, word in enumerate(words[begin:], begin) if word in _PLACES or word in _NO_MORE)
    end = next(ends, len(words))
    return " ".join(words[: begin - 1] + words[end:]), " ".join(words[begin:end])


_NO_MORE = word_set("after now please bitte")

"""What a person gives up or renames: `drop Windows support`, `scrap camelCase`, `rename the branch to feature/b`.

What is given up takes the rule with it that asked for just that: all that is given up stands in the rule, and is what the
rule chose, or half of what it is about. `Drop the table` is done to data, `drop the import in windows.py` to one place,
and neither says anything about a rule.
"""

from __future__ import annotations

from functools import lru_cache

from segue.extract.text.prose import phrases, plainly, word_set
from segue.extract.words.supersede_prompt import choice
from segue.extract.words.supersede_subject import is_choice, names_in
from segue.extract.words.supersede_turn import clauses, named, spelled
from segue.extract.words.supersede_word import negated
from segue.model.value import NamedTuple

_DROPS = word_set(
    """
    drop scrap ditch abandon axe nix dropping scrapping ditching abandoning dropped scrapped ditched abandoned
    streiche streich verwirf quita descarta abandona elimina abandonne supprime
    """
)
_DROPS_IN_WORDS = phrases(
    "get rid of |getting rid of |got rid of |forget about |forget |do away with |give up on |gave up on |no need for |"
    "verzichte auf |verzichten auf |verzichten wir auf |vergiss |olvida |olvídate de |prescinde de |laisse tomber |oublie "
)
_IS_DROPPED = phrases(
    " fällt weg| fallen weg| entfällt| entfallen| kann weg| können weg| is dropped| are dropped| was dropped| were dropped|"
    " is history| queda descartado| queda descartada"
)
_SIGNS = _DROPS | word_set(
    """
    rid forget away give gave need verzichte verzichten vergiss olvida olvídate prescinde tomber oublie
    weg entfällt entfallen history queda
    """
)
"""One of these stands wherever something is given up; to look for a word is cheaper than for a phrase."""
_LEADS = word_set(
    """
    please so then ok okay yes well actually and but also just now oh hm sorry let's lets we we're we've i i'm i've they have are
    decided to should can could want will let us me you may bitte wir also dann entonces pues mejor alors
    """
)
"""Who gives up, and how it is said, before the verb."""
_BESIDE = word_set(
    """
    support idea approach plan requirement rule thing stuff part bit constraint restriction altogether entirely completely good
    unterstützung anforderung idee regel soporte requisito
    """
)
_SMALL = word_set(
    "the a an this that our my your all any of for in with to at on it der die das den dem el la los las le les de del du"
)
_STEM = 5
"""Letters by which a word is known with any ending."""
_BESIDE_STEMS = named(" ".join(_BESIDE))
"""What is said of a thing that is given up, whether the rule said it or not."""
_DATA = word_set(
    """
    table tables column columns index indexes database databases db schema view views row rows collection collections
    connection connections packet packets file files branch branches stash container containers volume volumes key keys
    cache caches queue queues partition partitions line lines import imports call calls
    """
)
"""What is dropped by doing it once."""
_TAKEN_AWAY = _DROPS | word_set("remove delete replace migrate convert kill stop avoid get")
"""How a rule begins that gives the same up already."""
_INSTEAD = phrases(
    " and go with | and use | and switch to | and move to | in favor of | in favour of | und nimm | y usa | et prends "
)
"""What stands between a thing that is given up and the one that takes its place."""
_UNDONE = {"disable": "enable", "hide": "show", "exclude": "include", "reject": "accept"}
_TAILS = phrases(
    " any more| anymore| any longer| for good| for now| again| entirely| altogether| completely| please| then| now| instead|"
    " bitte| ganz| wieder| del todo"
)


def turns_on_something(sentence: str) -> bool:
    """It gives something up, undoes or renames it: rare, so asked once of a sentence and not for every rule."""
    words = spelled(plainly(sentence))
    early = words[:_EARLY]
    if not _REFUSES.isdisjoint(early) and _refused_act(sentence):
        return True
    if _SIGNS.isdisjoint(words) and _CALLS.isdisjoint(early) and not any(map(_done_before, early)):
        return False
    return bool(dropped(sentence) or _undone(sentence) or _renamed(sentence))


def takes_away(new: str, old: str) -> bool:
    """The new sentence gives up, undoes or refuses what the old one asks for, or renames it."""
    begins = spelled(plainly(old))[:1]
    if (act := _refused_act(new)) and _asks_for(act, old):
        return True
    if _TAKEN_AWAY.isdisjoint(begins) and any(
        is_what(thing, old) and not _refused(thing, old) for thing in dropped(new)
    ):
        return True
    undone = _undone(new)
    return (undone is not None and [undone.verb] == begins and is_what(undone.thing, old)) or _renames(
        new, old
    )


def _refused(thing: str, old: str) -> bool:
    """`Use tabs, not spaces` refuses spaces already."""
    return any(negated(clause) for clause in clauses(old) if not named(clause).isdisjoint(named(thing)))


def is_what(thing: str, old: str) -> bool:
    """A thing is what a rule chose, or half of what it is about; nothing is in it that the rule does not name."""
    mine = named(_apart(thing))
    told = (mine & named(_apart(old))) - _BESIDE_STEMS
    return bool(told) and _is_named_by(thing, old) and is_most(mine, old)


def _is_named_by(thing: str, old: str) -> bool:
    """Every word for the thing stands in the rule, whatever its ending: the TypeScript warnings are not TypeScript."""
    begins = {word[:_STEM] for word in spelled(_apart(plainly(old)))}
    words = (word for word in spelled(_apart(plainly(thing))) if word not in _SMALL and word not in _BESIDE)
    return all(word[:_STEM] in begins for word in words)


def is_most(mine: frozenset[str], old: str) -> bool:
    """What is named is what a rule chose, or half of what it is about."""
    others = named(_apart(old))
    chosen = choice(old)[0] if is_choice(old) else names_in(old)
    return (bool(chosen) and chosen <= mine) or 2 * len(mine & others) >= len(others)


def _apart(text: str) -> str:
    return text.replace("-", " ")


@lru_cache(maxsize=1024)
def dropped(sentence: str) -> tuple[str, ...]:
    """What a sentence says is no longer wanted, clause by clause."""
    if sentence.endswith("?"):
        return ()
    return tuple(thing for clause in clauses(sentence) if (thing := _dropped_in(clause)))


def _dropped_in(clause: str) -> str:
    told = _led_by_the_verb(clause)
    for tail in _TAILS:
        told = told[: -len(tail)] if told.lower().endswith(tail) else told
    low = told.lower()
    verb, _, thing = told.partition(" ")
    if verb.lower() not in _DROPS:
        lead = next((lead for lead in _DROPS_IN_WORDS if low.startswith(lead)), "")
        end = next((end for end in _IS_DROPPED if low.endswith(end)), "")
        thing = told[len(lead) :] if lead else told[: -len(end)] if end else ""
    for instead in _INSTEAD:
        thing = thing.partition(instead)[0]
    return thing if _DATA.isdisjoint(spelled(thing.lower())[-1:]) else ""


def _led_by_the_verb(clause: str) -> str:
    words = clause.split()
    while len(words) > 1 and words[0].lower() in _LEADS:
        del words[0]
    return " ".join(words)


class _Act(NamedTuple):
    """What is not to be done, and to what: `don't put them in tests/unit`."""

    verb: str
    clause: str


_REFUSES = word_set("don't dont never not")


@lru_cache(maxsize=1024)
def _refused_act(sentence: str) -> _Act | None:
    clause = next((c for c in clauses(plainly(sentence)) if " " in c), "")
    words = spelled(_led_by_the_verb(clause.replace("do not ", "don't ")))
    if len(words) <= _FEWEST or words[0] not in _REFUSES or words[1] in _ANY_MORE:
        return None
    return _Act(words[1], " ".join(words[2:]))


def _asks_for(act: _Act, old: str) -> bool:
    """A rule asks for an act in the same words, and forbids nothing."""
    asked, words = named(act.clause), spelled(plainly(old))
    exact = {word for word in act.clause.split() if "/" in word or word[0].isdigit()}
    does = any(word.startswith(act.verb) for word in words)
    if not does or not exact.issubset(words):
        return False
    if not asked or not asked <= named(old) or negated(old):
        return False
    return bool(exact) or 2 * len(asked) >= len(named(old))


_ANY_MORE = word_set("forget worry only just bother mind that the a in on with")
_FEWEST = 2


class _Undone(NamedTuple):
    """What is to be done no more, and to what: `uncap the frame rate`."""

    verb: str
    thing: str


@lru_cache(maxsize=1024)
def _undone(sentence: str) -> _Undone | None:
    verb, _, thing = _led_by_the_verb(next(iter(clauses(sentence)), "")).partition(" ")
    does = _done_before(verb.lower())
    return _Undone(does, thing) if does else None


def _done_before(verb: str) -> str:
    """What is undone by a verb: `cap` by `uncap`."""
    return verb[2:] if verb[:2] == "un" else _UNDONE.get(verb, "")


_NAMES, _RENAMES = word_set("name call nenne"), word_set("rename renombra renomme benenne")
_CALLS = _NAMES | _RENAMES
_INTO = word_set("to as in into a como en")
_IT = word_set("it this that es ihn sie")
_ARTICLES = word_set("the our my den die das la el le")
_OTHERWISE = word_set("no nope nein hm hmm wait instead actually rather stattdessen lieber doch")
_BEHIND = _OTHERWISE | word_set("please bitte now um")
_NO_NAMES = word_set("a an twice once again first with from only when if before after and for until")
"""What follows `call it` where something is called and not named."""
_EARLY, _LONGEST = 5, 3
"""Words before which the verb stands, and that a name has at most."""


class _Renamed(NamedTuple):
    """What is renamed, nothing where that is `it`, and how it is called from now on."""

    thing: list[str]
    name: list[str]


def _renames(new: str, old: str) -> bool:
    """The new sentence gives another name to what the old one names or chooses by its name."""
    renamed = _renamed(new)
    if not renamed:
        return False
    first, *rest = [*spelled(plainly(old)), ""]
    called = [word for word in rest[:-1] if word not in _ARTICLES]
    thing, name = renamed
    if called[-len(name) :] == name:
        return False
    if first in _NAMES or (first and _is_called(called)):
        return called[: len(thing)] == thing or called[-len(thing) :] == thing
    return is_choice(old) and called[:-1] == thing and not called[-1][0].isdigit()


def _is_called(words: list[str]) -> bool:
    """`The function should be called load_rows`."""
    return words[-3:-1] in (["be", "called"], ["be", "named"], ["is", "called"], ["is", "named"])


@lru_cache(maxsize=1024)
def _renamed(sentence: str) -> _Renamed | None:
    said = spelled(plainly(sentence))
    words = spelled(_led_by_the_verb(next((c for c in clauses(plainly(sentence)) if " " in c), "")))
    while words and words[-1] in _BEHIND:
        del words[-1]
    if len(words) < 3 or words[0] not in _CALLS:
        return None
    if words[0] in _NAMES:
        names = words[1] in _IT and not _OTHERWISE.isdisjoint(said) and words[2] not in _NO_NAMES
        return _Renamed([], words[2:]) if names else None
    at = next((n for n, word in enumerate(words) if n > 1 and word in _INTO), len(words))
    thing, name = [word for word in words[1:at] if word not in _ARTICLES], words[at + 1 :]
    if not name or len(name) > _LONGEST or len(thing) > _LONGEST:
        return None
    return _Renamed([] if _IT.issuperset(thing) else thing, name)

"""What tells and does not rule, though a word of a rule stands in it: `the rows keep playing`, `it must have started with
the upgrade`, `there's only one file left`, `I removed all of them, except for the border`; and what is fulfilled with one act."""

from __future__ import annotations

from segue.extract.text.prose import phrases, word_set
from segue.extract.words.conduct import LEADS, TASKS

_HAPPENS = tuple(
    f"{lead}only {verb} "
    for lead in ("", "it ", "this ", "that ")
    for verb in (
        "happens",
        "occurs",
        "appears",
        "fails",
        "breaks",
        "crashes",
        "happened",
        "failed",
        "crashed",
    )
)
"""`Only happens on Firefox`: when something goes wrong, not what shall be."""
_THIS_ONCE = (
    "this once",
    "this one time",
    "just this time",
    "only this time",
    "for this run",
    "for this one run",
)
"""What holds for one turn, and is told with what was asked in it."""
_FOR_NOW = phrases(" for now| for the moment| vorerst| erstmal| pour l'instant| por ahora| per ora| пока")
_ONE_ACT = word_set(
    "commit push merge release deploy publish tag ship stage stash committe commite pushe mergea sube закоммить"
)
_BEFORE_AN_ACT = LEADS | word_set("only just bitte nur let's lets you can")


def happens(sentence: str) -> bool:
    """The sentence, in small letters, tells only when something goes wrong."""
    return sentence.startswith(_HAPPENS)


def is_for_once(sentence: str) -> bool:
    """`commit only the parser for now` is done with one commit; `don't commit for now` holds until it is lifted."""
    if " this " in f" {sentence}" and any(phrase in sentence for phrase in _THIS_ONCE):
        return True
    if not any(phrase in sentence for phrase in _FOR_NOW):
        return False
    return next((word for word in sentence.split() if word.strip(",") not in _BEFORE_AN_ACT), "") in _ONE_ACT


def without_reports(sentence: str) -> str:
    """The sentence without what it only tells."""
    if " keep " in sentence:
        sentence = _without_habit(sentence)
    if " must have " in sentence:
        sentence = _without_guess(sentence)
    return sentence


def without_the_count(sentence: str) -> str:
    """The sentence without the `only` of `there's only one file left`, which bounds nothing."""
    if " only " not in sentence or ":" in sentence:
        return sentence
    return sentence.replace("there's only ", "there's ").replace("there is only ", "there is ")


_ORDERED = word_set(
    """
    please and or to but so then just also always must should shall will would can could may you we i let us now not never on do
    """
)
_OPENS = word_set(
    "in on for at with when while from after before if during since unless until as let make please"
)


def _without_habit(sentence: str) -> str:
    """The sentence without `the rows in the feed keep playing …`: what something does, not what to do."""
    before, _, rest = sentence.partition(" keep ")
    words, doing = before.split(), rest.split(None, 1)
    told = doing and doing[0].endswith("ing") and words and words[-1] not in _ORDERED
    if not told or before.endswith((",", ":", ";", "-", ".")) or words[0] in _OPENS or words[0] in TASKS:
        return sentence
    return rest.partition(",")[2].strip()


_GUESSED = word_set("it this that i you he she they something somebody someone")
_PARTICIPLES = word_set("been gone come broken lost hit")
_FOLLOWS = word_set("with when after by in since because from to the it at on this that something")


def _without_guess(sentence: str) -> str:
    """The sentence without `it must have started with …`; what something must have is a noun."""
    before, _, rest = sentence.partition(" must have ")
    who, words = before.rpartition(" ")[2], rest.rstrip(" .!").split()
    done, after = words[0] if words else "", words[1] if len(words) > 1 else "it"
    participle = done in _PARTICIPLES or (done.endswith("ed") and after in _FOLLOWS)
    guesses = participle and (who in _GUESSED or (done != "been" and after in _GUESSED))
    return f"{before} {rest}" if guesses else sentence


def reports_own_work(sentence: str) -> bool:
    """`I manually removed almost all of them, except for the border`: what the person did, not what shall be."""
    words = [word for word in sentence.replace(",", " ").split() if word not in LEADS]
    if not words or words[0] not in _I_DID or any(sign in sentence for sign in _AND_SO):
        return False
    verb = next((word for word in words[1:4] if not word.endswith("ly") and word not in _ALREADY), "")
    return (verb in _DID or verb.endswith("ed")) and verb not in _WANTED and _NOW_YOU.isdisjoint(words)


_AND_SO = (", only ", ", no ", ", just ", "; ", " - ", ". ")
_I_DID, _ALREADY = word_set("i i've we've"), word_set("already just also have now only even")
_DID = word_set("did made put ran got took wrote went had found saw left built done kept gave sent read cut")
_WANTED = word_set(
    "wanted needed asked decided agreed preferred expected planned promised noticed need indeed"
)
_NOW_YOU = word_set(
    "mind you your should must please so don't instead let's keep leave make use never always"
)

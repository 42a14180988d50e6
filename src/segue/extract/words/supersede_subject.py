"""What a rule is about: its subject words, the things it names, and the values it sets.

`Module 2 must stay under 100 lines` is about a module and names the second one; 100 is what it sets. Two
rules that name different things say nothing about each other, however alike they read, so a number
counts as a name unless the words around it show that something is set to it.
"""

from __future__ import annotations

import re

from segue.extract.text.prose import word_set
from segue.extract.text.relevance import stem, terms
from segue.extract.text.unspaced import spaced
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

VALUE = compiled(
    r"https?://[^\s,;)\"']*[^\s,;)\"'.]|(?<![\w.])(?<![A-Za-z]-)\d(?:[\w.,:%]*\w)?|`[^`]+`|\"[^\"]{1,60}\"|'[^']{2,60}'"
)
_NAME = compiled(r"(?<![\w.#/`'\"-])(?:[A-Za-z]++[-_]?\d[\w-]*|[B-HJ-Z](?![\w'.+#])|(?<=\w )A(?![\w'.+#]))")
"""`v1`, `p99`, `staging-2`, the B of `phase B`."""
_BEFORE = compiled(r"([^\W\d_][\w'-]*)\W{0,3}$")
_SUBJECT = compiled(
    r"[`'\"]?,? (?:must|should|shall|may|might|can|cannot|will|is|are|has|have|needs?|stays?|keeps?)\b"
)
_VERB = 12
"""Characters in which such a verb stands."""
_CHOICE = compiled(
    r"\s*(?:please |let'?s )?(?:use|go with|call (?=the|it|this)|name (?=the|it|this)|from now on,? use|always use|pick|take|choose|i(?:'d)? prefer|i(?:'d)? like|stick with|nimm|verwende|nutze|utilise|usa|используй|使用|用)\b"
)
_BOUNDS = word_set(
    "than exceed exceeds over above below under beneath beyond past within least most after max maximum min minimum"
)
_SET = _BOUNDS | word_set(
    """
    is are be was to at by of in for every each exactly only about around equals it as called named use return exit status
    port timeout version limit delay interval size width height depth threshold budget deadline branch ttl retention
    batch concurrency parallelism rate quota count level temperature seed retries attempts workers threads
    """
)
"""What stands before a value that something is set to."""
MANNER = word_set(
    """
    drop remove delete ditch kill rid preserve leave prefer running every each always never must shall only ever strictly mandatory
    required requires require necessary needed needs allowed allow permitted forbidden please instead rather actually
    touch change changing edit modify update alter add adding include exclude skip ignore name call named called meant
    max maximum min minimum raise lower increase decrease bump reduce set running run alone untouched limits hands pas ahead
    anymore longer ensure avoid stop switch switched may feel free acceptable earlier previous forget said told
    bitte lieber doch nutze nutzen verwende verwenden nimm immer nie niemals muss musst müssen darf darfst dürfen
    jetzt mehr kein keine keinen keiner keinem nein nur statt stattdessen du wir sind brauchst brauchen nötig erlaubt
    sollte sollen wieder dem ordnung neue neuen neuer neues
    utilise utilisez utiliser n'utilise n'utilisez plutôt finalement jamais toujours doit faut maintenant peux pouvez plus besoin nécessaire non
    usa usar utiliza mejor siempre nunca debe ahora puedes puede falta hace necesario
    enough plenty suffices genug reicht reichen suffit basta
    sempre deve agora pode precisa mais melhor mai ora puoi meglio
    используй используйте лучше всегда никогда нужно надо теперь можно больше пожалуйста нет не
    """
)
MANNER |= frozenset(map(stem, MANNER))
"""What says how something is meant, not what it is about."""


class Subject(NamedTuple):
    about: frozenset[str]
    """The subject words, without values and without the verbs that only say keep or drop."""
    names: frozenset[str]
    """The things it names: `module 2`, `v1`, `fetch_all`."""
    values: frozenset[str]
    """Every value in it, a name's number too."""


def subject_of(text: str, *, refused: bool) -> Subject:
    """The subject of a rule. Where it refuses something, only a bound is set; any other value names what is
    refused."""
    chosen = _chosen_at(text) if text.isascii() else -1
    text = spaced(text)
    names = names_in(text)
    for value in VALUE.finditer(text):
        before = _BEFORE.search(text[: value.start()])
        word = before[1].lower() if before else ""
        sets = (
            (word in (_BOUNDS if refused else _SET)) or not word or (not refused and value.start() == chosen)
        )
        if (
            not sets
            or text[: value.start()].endswith("#")
            or _SUBJECT.match(text[value.end() : value.end() + _VERB].lower())
        ):
            names |= {f"{stem(word)} {bare(value[0])}"}
    return Subject(about(text), names, frozenset(VALUE.findall(text)))


def about(text: str) -> frozenset[str]:
    """The subject words of a text."""
    found = (t for t in terms(VALUE.sub(" ", spaced(text))) if not t[0].isdigit() and t not in MANNER)
    return frozenset(map(_uninflected, found))


def whole_words(subject: frozenset[str]) -> frozenset[str]:
    """The subject words without the parts of others: `TypeScript` is one word, not three."""
    return frozenset(t for t in subject if not any(t in other for other in subject if other != t))


def _uninflected(term: str) -> str:
    """`externe` and `externen` are one word."""
    for ending in ("en", "er", "es", "em", "e"):
        if len(term) > 5 and term.endswith(ending):
            return term[: -len(ending)]
    return term


def names_in(text: str) -> frozenset[str]:
    """The names in a text that are letters with a number, or one letter."""
    return frozenset(name.lower() for name in _NAME.findall(text))


def is_choice(text: str) -> bool:
    """It says to use one thing."""
    return chooses_at(text) > 0


def chooses_at(text: str) -> int:
    """Where the thing begins that a text says to use; 0 if it chooses nothing."""
    verb = _CHOICE.match(text.lower())
    return verb.end() if verb else 0


def bare(value: str) -> str:
    return value.strip("`'\"").lower()


def _chosen_at(text: str) -> int:
    """Where the value of `use Python 3.12` stands; -1 if nothing is chosen by value."""
    verb = _CHOICE.match(text.lower())
    value = VALUE.search(text, verb.end()) if verb else None
    return value.start() if verb and value and len(text[verb.end() : value.start()].split()) <= 2 else -1


def same_shape(old: frozenset[str], new: frozenset[str]) -> bool:
    """8080 may stand where 9090 stood, not where 30 did, but 12px where 8px did; a quoted name where a quoted name did."""
    return not {_shape(v) for v in old}.isdisjoint(_shape(v) for v in new)


def _shape(value: str) -> str:
    if not value[0].isdigit():
        return value[0]
    unit = value.lstrip("0123456789.,")
    if unit.isalpha() or unit == "%" or len(value) < _MANY_DIGITS:
        return f"0{unit}"
    return re.sub(r"\d", "0", value)


_MANY_DIGITS = 3
"""From as many on numbers of different length are of different things."""

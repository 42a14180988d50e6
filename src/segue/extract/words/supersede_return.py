"""A return to what was said before: `use port 8080`, `no, 9090`, `go back to 8080` leaves 8080.

The rule that was replaced stands again, and what had taken its place is replaced by the word that returns.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from segue.extract.text.prose import phrases, plainly, word_set
from segue.extract.words.supersede_subject import is_choice
from segue.extract.words.supersede_turn import named, spelled
from segue.extract.words.supersede_word import stated
from segue.model.facts import Word

_BACK = phrases(
    "back to |return to |revert to |returning to |zurück zu |zurück auf |doch wieder |revenons à |retour à |volvemos a |"
    "volver a |vuelve a |torniamo a |voltamos para |вернёмся к "
)
_AGAIN = phrases(" again| after all| wieder| de nuevo| à nouveau")
_BESIDE = word_set(
    "again after all please bitte then use using it instead the old with as was before let's lets go"
)
_TELLS = word_set(
    "is are was were fails failed fail down broken works runs hangs crashes crashed ist war est es"
)
_LONGEST, _FEW = 100, 5


def returns(sentence: str) -> bool:
    """It may return to something: rare, so asked once of a sentence and not for every rule."""
    if len(sentence) > _LONGEST or sentence.endswith("?"):
        return False
    told = plainly(sentence)
    if any(sign in told for sign in _BACK):
        return True
    chooses = is_choice(told) or len(told.split()) <= _FEW
    return chooses and any(sign in told for sign in _AGAIN) and _TELLS.isdisjoint(spelled(told))


def returned_to(later: int, words: Sequence[Word], marks: Mapping[int, int]) -> tuple[int, int] | None:
    """The replaced word that a later one returns to, and the one that stands in its place now."""
    wanted = _wanted(stated(words[later]))
    for earlier in sorted(marks, reverse=True) if wanted else ():
        head = marks[earlier]
        while head in marks:
            head = marks[head]
        if head < later and wanted <= _told(words[earlier].text) and not wanted <= _told(words[head].text):
            return earlier, head
    return None


def _wanted(sentence: str) -> frozenset[str]:
    told = plainly(sentence)
    lead = next((lead for lead in _BACK if lead in told), "")
    told = told.partition(lead)[2] if lead else told
    for end in (", ", "; ", " - ", " because ", " since "):
        told = told.partition(end)[0] if lead else told
    return _told(" ".join(word for word in spelled(told) if word not in _BESIDE))


def _told(text: str) -> frozenset[str]:
    return named(text) | frozenset(word for word in spelled(plainly(text)) if word[0].isdigit())

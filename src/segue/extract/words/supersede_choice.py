"""Choices of one thing: `use Redis for the job queue` after `use Postgres for the job queue`.

A choice gives way to another choice for the same purpose, to a refusal in its own words, and, where it is the only one
within reach, to a short correction that names something else.
"""

from __future__ import annotations

from segue.extract.text.prose import phrases, plainly, word_set
from segue.extract.words.stated import passes
from segue.extract.words.supersede_subject import Subject, is_choice
from segue.extract.words.supersede_turn import spelled
from segue.extract.words.supersede_word import LEAD, prohibits, same_breath, stated
from segue.model.facts import Word

_THAT = phrases(
    "scrap that|scratch that|forget that|revert that|undo that|i changed my mind|i've changed my mind|"
    "i have changed my mind|hm"
)
"""How a correction of what was said last begins."""
_ANEW = word_set("instead now")
_CHOSEN = 2
"""Up to how many subject words a choice of one thing has."""
REACH = 12
"""How many words back a bare correction may point."""


def sets_anew(old: Word, new: Word, was: Subject, now: Subject) -> bool:
    """`Use Redis for the job queue` after `use Postgres for the job queue`: the same thing, another choice."""
    if prohibits(old) or prohibits(new) or was.names != now.names or not is_choice(old.text):
        return False
    shared, left, right = len(was.about & now.about), len(was.about - now.about), len(now.about - was.about)
    if not (left and right) or max(left, right) > _CHOSEN:
        return False
    made = _makes_it_a_name(new.text)
    changes = made or new.kind == "correction" or not _ANEW.isdisjoint(spelled(new.text.lower()))
    chooses = made or is_choice(stated(new))
    alike = left == right == 1 or _purpose(old.text) == _purpose(new.text) != ""
    return shared >= (1 if changes and chooses and alike else 2) and (changes or chooses)


def _makes_it_a_name(text: str) -> bool:
    """`Make that Memcached for caching`; `make it fast` chooses nothing."""
    words = text.split()
    return plainly(text).startswith(("make that ", "make it ")) and words[2:3] != [
        w.lower() for w in words[2:3]
    ]


def _purpose(text: str) -> str:
    """What something is chosen for: `storage` of `Let's use Postgres for storage instead`."""
    return plainly(text).rstrip(" .!").removesuffix(" instead").partition(" for ")[2]


def refuses_the_choice(old: Word, new: Word, was: Subject, now: Subject) -> bool:
    """`Never use port 9090` after `use port 9090`: nothing else is said, and in the same words."""
    if not was.about or was.about != now.about or was.values != now.values or not is_choice(old.text):
        return False
    verb = "use" if "use" in old.text.lower().split() else old.text.split(None, 1)[0].lower()
    return prohibits(new) and not prohibits(old) and verb in new.text.lower().split()


def chosen_before(
    words: list[Word], subjects: list[Subject], marks: dict[int, int], later: int
) -> int | None:
    """The choice of one thing that a correction to another thing takes back: what was said last where it
    says so, else the only choice within reach."""
    new = words[later]
    if new.kind != "correction":
        return None
    takes_back = plainly(new.text).startswith(_THAT)
    most = 2 * _CHOSEN if takes_back else _CHOSEN
    if not 0 < len(subjects[later].about) <= most or subjects[later].values:
        return None
    if not LEAD.match(plainly(new.text)) or prohibits(new) or passes(new.text):
        return None
    choices = [
        i
        for i in range(max(0, later - REACH), later)
        if i not in marks
        and 0 < len(subjects[i].about) <= _CHOSEN
        and is_choice(words[i].text)
        and not words[i].superseded_by
        and (takes_back or not same_breath(words[i], new))
    ]
    if takes_back:
        return choices[-1] if choices else None
    return choices[0] if len(choices) == 1 else None

"""Choices of one thing: `use Redis for the job queue` after `use Postgres for the job queue`.

A choice gives way to another choice for the same purpose, to a refusal in its own words, and, where it is what was
said last, to a correction that names something else which fits in its place.
"""

from __future__ import annotations

from collections.abc import Sequence

from segue.extract.text.prose import phrases, plainly, word_set
from segue.extract.words.conduct import TASKS
from segue.extract.words.stated import passes
from segue.extract.words.supersede_adds import adds
from segue.extract.words.supersede_subject import Subject, about, chooses_at, is_choice
from segue.extract.words.supersede_turn import clauses, spelled
from segue.extract.words.supersede_word import LEAD, prohibits, same_breath, stated
from segue.model.facts import Word
from segue.model.value import NamedTuple

_THAT = phrases("scrap that|scratch that|forget that|revert that|undo that")
"""How a correction of what was said last begins."""
_ANEW = word_set("instead now")
_CHOSEN = 2
"""Up to how many words a choice of one thing has."""
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
    """The choice that a correction to another thing takes back: what the prompt before it ends with, if the other thing
    fits there, or the last choice of that prompt where the person says "that"."""
    new = words[later]
    if new.kind != "correction" or subjects[later].values or not LEAD.match(plainly(new.text)):
        return None
    if prohibits(new) or passes(stated(new)) or adds(new.text):
        return None
    that = plainly(new.text).startswith(_THAT)
    said = _chosen(stated(new), leads_to_it=_leads_to_a_choice(new))
    if not said or len(said.thing) > (2 * _CHOSEN if that else _CHOSEN):
        return None
    before = prompt_before(words, later)
    for earlier in reversed(before if that else before[-1:]):
        old = _chosen(words[earlier].text) if is_choice(words[earlier].text) else None
        if earlier in marks or words[earlier].superseded_by or not old or len(old.thing) > _CHOSEN:
            continue
        return (
            earlier
            if that or (_fits(said, old) and _is_spelled_alike(new.text, words[earlier].text))
            else None
        )
    return None


class _Chosen(NamedTuple):
    """What is chosen, what stands before it, and what it is for."""

    article: str
    thing: tuple[str, ...]
    purpose: tuple[str, ...]
    liked: bool


def _chosen(sentence: str, *, leads_to_it: bool = False) -> _Chosen | None:
    """The one thing that a sentence chooses, or names and says nothing of: `spaces please`."""
    clause = next(iter(clauses(plainly(sentence))), "")
    verb = chooses_at(clause)
    words = [word for word in spelled(clause[verb:]) if word not in _BESIDE]
    article = next((kind for kind, articles in _ARTICLES.items() if words[:1] and words[0] in articles), "")
    words = words[1:] if article else words
    end = next((n for n, word in enumerate(words) if word in _FOR), len(words))
    thing = tuple(words[:end])
    alone = len(thing) == 1 and clause.isascii() and thing[0] not in TASKS and about(thing[0])
    if not thing or thing[0] in _IT or not (verb or leads_to_it or alone):
        return None
    return _Chosen(article, thing, tuple(words[end + 1 :]), clause[:verb].strip().endswith(_LIKES))


def _fits(new: _Chosen, old: _Chosen) -> bool:
    """`Spaces` where stood `tabs`: a name for a name, many for many. `The other button` is no choice of that sort."""
    if new.article != old.article or new.article == _CERTAIN or len(new.thing) != len(old.thing):
        return False
    if (new.purpose and new.purpose != old.purpose) or new.thing[0].isascii() != old.thing[0].isascii():
        return False
    return not old.liked or new.thing[-1].endswith("s") == old.thing[-1].endswith("s")


def _is_spelled_alike(new: str, old: str) -> bool:
    """Whoever writes names with a capital letter, and one in the old rule, does not mean a name where there is none."""
    return not new[:1].isupper() or _names_something(new) or not _names_something(old)


def _names_something(sentence: str) -> bool:
    return any(not word.islower() for word in spelled(sentence)[1:])


def _leads_to_a_choice(new: Word) -> bool:
    """`Switch to MariaDB`: how the correction begins says that something is chosen."""
    return (
        new.text[: len(new.text) - len(stated(new))].rstrip().lower().endswith((" to", "用", "改成", "换成"))
    )


def prompt_before(words: Sequence[Word], later: int) -> list[int]:
    """The places of what was said in the prompt right before."""
    end = later
    while end and same_breath(words[end - 1], words[later]):
        end -= 1
    begin = end
    while begin and same_breath(words[begin - 1], words[end - 1]):
        begin -= 1
    return list(range(begin, end))


_CERTAIN = "the"
_ARTICLES = {"a": word_set("a an"), _CERTAIN: word_set("the our my your its this that these those")}
_FOR = word_set("for in on when as with because since")
_BESIDE = word_set("please then instead now there just rather after all")
_LIKES = ("prefer", "like")
_IT = word_set("it them one both either neither that this those these")

"""What a person does not mean: taken back in the same breath, said in jest or to somebody else, or only supposed.

`Always sign the tarball. Actually forget I said that.` asks for nothing, and `If this were a bank we must deploy on Sundays`
binds no one. A sentence that takes back has no subject of its own, and takes back the one before it only.
"""

from __future__ import annotations

from segue.extract.text.prose import phrases, plainly, word_set

_LONGEST = 60
"""Characters up to which a sentence may only take back another."""
_JESTS = word_set("kidding joking jk j/k joke sarcasm")
_TAKES_BACK = (
    "forget i said", "forget i asked", "scratch that", "scrap that", "strike that", "take that back", "take it back", "didn't mean that", "not really",
    "obviously not", "obviously don't", "of course don't", "actually no", "wait no", "no wait", "second thought no",
    "second thought don't",
)  # fmt: skip
_TAKES_A_RULE_BACK = ("forget that", "forget it", "never mind", "nevermind", "disregard that", "ignore that")
"""What may also be said of a thing: `The old job fails. Disregard that.`"""
_EARNEST = ("not kidding", "no kidding", "not joking", "no joke", "not a joke", "not jk")
_AROUND = word_set(
    """
    no nope nah oh ok okay wait actually sorry hm hmm haha lol just only but and i i'm am was we don't do not please that it
    this a of course obviously really on second thought to be clear all said asked anything one last
    forget scratch scrap strike never mind nevermind disregard ignore take back didn't mean
    """
)
_AROUND |= _JESTS
"""All that a sentence which only takes back is made of."""
_PRONOUNS = word_set("this that it i he she there")
_SUPPOSES = ("suppose ", "imagine ", "pretend ", "let's pretend ", "say we ", "assume ")
_UNREAL = ("hypothetically", "in a perfect world", "in an ideal world", "theoretically")
_NOT_MEANT = (" kidding", " joking", " jk", "wrong window", "wrong chat", "wrong tab", "wrong terminal")
_UNDECIDED = ("n't made up my mind", "part of me thinks", "i haven't decided", "we haven't decided")
_PAST, _WOULD = word_set("had were"), word_set("would could we'd i'd you'd")
_ARTICLES, _MANY = word_set("the a an my our your"), word_set("data people media children")
_POLITE = (
    "would like",
    "would prefer",
    "would be",
    "would love",
    "would appreciate",
    "would help",
    "would want",
)


def takes_back(sentence: str, *, after_a_rule: bool) -> bool:
    """The sentence takes back the one before it, and says nothing else."""
    if len(sentence) > _LONGEST:
        return False
    words = plainly(sentence).replace(",", " ").replace(";", " ").rstrip(" .!)").lstrip("(").split()
    if not _AROUND.issuperset(words):
        return False
    told = " ".join(words)
    if not _JESTS.isdisjoint(words):
        return not any(phrase in told for phrase in _EARNEST)
    phrases = (*_TAKES_BACK, *_TAKES_A_RULE_BACK) if after_a_rule else _TAKES_BACK
    return any(phrase in told for phrase in phrases)


def turned_within(sentence: str) -> tuple[str, ...]:
    """The sentence, or its two halves where the person turns in the middle of it: `use biber, wait no, stay with bibtex`."""
    if not any(word in sentence for word in _TURNING):
        return (sentence,)
    plain = plainly(sentence)
    for turn in _TURNS:
        before, found, after = plain.partition(turn)
        at = len(before.rstrip(" ,;-.("))
        marked = before[-1:] in (" ", "(") and before.rstrip()[-1:] in _MARKS
        if found and marked and not before.startswith(_TURNS) and len(after.split()) > 1:
            return sentence[:at], sentence[len(before) :]
    return (sentence,)


_TURNING = ("wait", "scratch that", "scrap that", "actually no", "actually, no")
_TURNS = phrases("wait no|no wait|wait, no|no, wait|actually no|actually, no|scratch that|scrap that")
_MARKS = (",", ";", "-", ".", "(")


def is_unreal(sentence: str) -> bool:
    """A sentence, in small letters, supposes what is not so, leaves it open, or says itself that it is not meant."""
    end = sentence.rstrip(" .!)")
    if (end.endswith(_NOT_MEANT) and not end.endswith(_EARNEST)) or sentence.startswith(_UNREAL):
        return True
    if any(phrase in sentence for phrase in _UNDECIDED):
        return True
    supposed = sentence.startswith(_SUPPOSES)
    if not supposed and not sentence.startswith(("if ", "but if ", "and if ")):
        return False
    words = sentence.replace(",", " ").split()
    if "were" in words[2:] and (supposed or _one_thing(words[: words.index("were", 2)])):
        return True
    if _PAST.isdisjoint(words) or _WOULD.isdisjoint(words):
        return False
    return not any(phrase in sentence for phrase in _POLITE)


def _one_thing(subject: list[str]) -> bool:
    """`If the client were …`: of one thing only what is not so is told in this way."""
    last = subject[-1]
    return last in _PRONOUNS or (subject[-2] in _ARTICLES and not last.endswith("s") and last not in _MANY)

"""Small talk that begins as a correction does: `hm, go on`, `nope all good`, `oh no`, `sorry for shouting before`.

It must be made of nothing else: `no, go ahead` may answer a question, and `sorry about that, 9090` sets something.
"""

from __future__ import annotations

from segue.extract.text.prose import phrases, word_set

_GLAD = word_set(
    """
    good great nice fine perfect awesome cool thanks thank works excellent amazing lgtm love super better brilliant
    gut prima passt danke schön bien parfait merci bueno gracias perfecto
    """
)
_REFUSALS = word_set("no nope nah wait nein non stop")
"""What refuses where nothing glad is said with it."""
_AROUND = word_set(
    """
    hm hmm hmmm oh ah ok okay actually sorry well oops and but so go on ahead continue keep going carry proceed work job all
    it it's its that that's thats this is was looks look sounds really very pretty much already done then now yes yeah yep sure
    right haha lol you i just alles weiter mach todo tout c'est es ja
    """
)
_CHATTER = _GLAD | _REFUSALS | _AROUND
_APOLOGIES = phrases("sorry for |sorry about |sorry to |sorry if |sorry i was |sorry that ")
_GOES_ON = phrases(",|;|:|. | - | but ")
_LONGEST = 60


def is_chatter(sentence: str) -> bool:
    """A sentence, in small letters, only hums, agrees, praises or apologises."""
    if len(sentence) > _LONGEST:
        return False
    if sentence.startswith(_APOLOGIES):
        return not any(mark in sentence.rstrip(" .!")[7:] for mark in _GOES_ON)
    words = [word for part in sentence.replace(",", " ").split() if (word := part.strip(".!;:-()"))]
    if not _CHATTER.issuperset(words):
        return False
    return not _GLAD.isdisjoint(words) or words[:1] == ["oh"] or _REFUSALS.isdisjoint(words)

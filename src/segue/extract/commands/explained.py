"""Failures explained: the agent says that one is none of its work, but of the set-up or older than the session.

Only what is said outright counts; a doubt, a question and what is yet to be looked into explain nothing.
"""

from __future__ import annotations

from segue.extract.text.prose import phrases, plainly, sentences, word_set

_SIGNS = phrases(
    "pre-existing|preexisting|already fail|already broken|was failing before|failing before|"
    "fails on main|fail on main|failed before my|unrelated to|not related to|not caused by|setup issue|"
    "setup problem|setup artifact|infrastructure issue|network issue|is not from |environment issue|"
    "environmental|artifact of|artefact of|fault of the set|known flake|sandbox has no|sandbox blocks|"
    "sandbox restriction|no network|harness issue|schon vorher|bereits vorher|既存の|無関係|与本次|préexistant|"
    "preexistente"
)
_DOUBTS = word_set(
    """
    if whether might may maybe perhaps possibly probably could check verify see confirm let let's likely seems looks
    broke not isn't aren't wasn't ob vielleicht
    """
)
_PLAIN_NOT = ("not related to", "not caused by", ", not of", ", not the")
_HEAD = 1500


def explains(text: str) -> bool:
    """It puts a failure down to something other than the work."""
    low = text[:_HEAD].lower()
    if not any(sign in low for sign in _SIGNS):
        return False
    return any(map(_says_so, sentences(text[:_HEAD])))


def _says_so(sentence: str) -> bool:
    said = plainly(sentence)
    if said.endswith("?") or not any(sign in said for sign in _SIGNS):
        return False
    for words in _PLAIN_NOT:
        said = said.replace(words, " ")
    return _DOUBTS.isdisjoint(said.replace(",", " ").replace(".", " ").split())

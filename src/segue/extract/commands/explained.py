"""Failures explained: the agent says that one is none of its work, but of the set-up or older than the session, or that
it gives up the way that failed.

Only what is said outright counts; a doubt, a question and what is yet to be looked into explain nothing. What judges
the work is not given up by going another way.
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
_CLOSED = phrases(
    "dead end|dead-end|way is closed|route is closed|path is closed|road is closed|door is closed|way is blocked|"
    "way is barred|give that up|give this up|give it up|given up on|giving up on|give up on|abandon|no option|"
    "not an option|not viable|not feasible|not workable|is off the table|is ruled out|rule that out|rule this out|"
    "ruling out|won't get anywhere|leads nowhere|no way around|drop that idea|drop this idea|drop that approach|"
    "drop this approach|is hopeless|no use trying|sackgasse|keine option|scheidet aus|fällt weg|gebe ich auf|impasse|"
    "voie sans issue|est fermée|est exclu|j'abandonne|callejón sin salida|no es viable|descartad|sem saída|descartad|"
    "inviável|vicolo cieco|тупик|не вариант|ślepy zaułek|行き止まり|諦め|断念|死路|行不通|走不通|막다른"
)
"""How an agent says that a way leads nowhere."""
_ELSEWISE = phrases(
    " instead|another way|another route|different approach|other approach|different way|falling back to|fall back to|"
    "fall back on|switching to|switch to|stattdessen|à la place|en su lugar|em vez disso|вместо этого|"
    "zamiast tego|代わりに|改用|换成|대신"
)
"""How it says that it goes another way."""
_COMES_BACK = phrases(
    "for now|first|temporar|until|later|then retry|try again|again|retry|einstweilen|zunächst|erst |später|nochmal|pour l'instant|"
    "d'abord|plus tard|por ahora|primero|más tarde|por enquanto|depois|пока|потом|на время|まず|後で|先"
)
"""How it says that it comes back."""
_OWN = word_set("i i'll i'm i've we we'll ich je yo eu")
_PLAIN_NOT = ("not related to", "not caused by", ", not of", ", not the")
_THINKS = _DOUBTS | word_set("think believe")
_CLOSED_NOT = ("not an option", "not viable", "not feasible", "not workable")
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


def gives_up(text: str, *, changes: bool) -> bool:
    """It calls the way that failed closed, or goes another; of what `changes` something out there only that it is
    closed tells that nobody comes back to it."""
    low = text[:_HEAD].lower()
    signs = _CLOSED if changes else (*_CLOSED, *_ELSEWISE)
    return any(sign in low for sign in signs) and any(
        _leaves(said, signs) for said in sentences(text[:_HEAD])
    )


def _leaves(sentence: str, signs: tuple[str, ...]) -> bool:
    said = plainly(sentence).replace("instead of", " ")
    if said.endswith("?"):
        return False
    clauses = [clause.strip() for clause in said.replace(";", ",").replace(":", ",").split(",")]
    comes_back = any(sign in said for sign in _COMES_BACK)
    return any(
        not _is_doubted(clause)
        and (any(sign in clause for sign in _CLOSED) or (not comes_back and _is_own(clause)))
        for clause in clauses
        if any(sign in clause for sign in signs)
    )


def _is_doubted(clause: str) -> bool:
    for verdict in _CLOSED_NOT:
        clause = clause.replace(verdict, " ")
    return not _THINKS.isdisjoint(clause.replace(".", " ").split())


def _is_own(clause: str) -> bool:
    """It is the agent that does it."""
    words = clause.split()
    return not clause.isascii() or words[0].endswith(("ing", "use")) or not _OWN.isdisjoint(words)

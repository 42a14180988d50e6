"""Claims that the agent took back, or that the person denied and nobody proved.

"All six are up." "Only two of six!" "Correct, two." Who reads the first sentence alone takes it for true. A denial is
of what the agent had last said: of a sentence that claims something to be well or done and names what is denied. What
it said of causes and of trouble stands, for denying that something works denies none of it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec.structs import replace

from segue.extract.remarks.objected import approves, gave_in
from segue.extract.text.prose import phrases, plainly, sentences, word_set
from segue.extract.text.relevance import terms
from segue.extract.text.unspaced import spaced
from segue.model.facts import Note
from segue.model.turn import Turn
from segue.model.value import NamedTuple

_SAID, _BRIEF = 300, 160
"""Characters of a prompt in which it denies, and of one that need not name what."""
_FEW = 3
"""Sentences of a message up to which a denial that names none of them means what they claim."""
_REACH = 6
"""How many turns before an answer may be that is called wrong."""
_SHORTEST = 36
"""Characters that must be left of a statement."""
_AGREES = word_set(
    "right correct true indeed yes exactly stimmt richtig genau exact correcto cierto certo верно"
)
"""First words of an answer that give in where the person denied something, and else only agree."""
_DENIES = phrases(
    " is not | isn't | are not | aren't | was not | wasn't | were not | weren't | does not | doesn't | did not | didn't | has not | hasn't |"
    " have not | haven't | not true| untrue| is wrong| are wrong|'s wrong| that's not | it's not | not under | not over | still |"
    " look again| check again| it says | says fail| nope | no, | stimmt nicht| ist nicht | sind nicht | hat nicht | immer noch | noch immer |"
    " falsch | n'est pas | ne sont pas | toujours | no es | no está | no son | todavía | sigue | não é | não está |"
    " ainda | non è | ancora | это не | ещё | всё равно | nie jest | nadal "
)
"""How a sentence denies, in small letters and with spaces about it."""
_ONLY = word_set("only just nur seulement solo sólo só только tylko")
"""What denies before a number."""
_DENIES_UNSPACED = phrases("不对|不是|还是|仍然|只有|違い|ではありません|まだ|だけ|아니|아직|여전히")
_BIDS = phrases("don't |do not |please |never |let's |can |could |use |keep |make |leave |bitte |no ")
"""How a sentence begins that asks for something and denies nothing."""
_CLAIMS = word_set(
    """
    pass passes passed passing green clean succeed succeeds succeeded match matches matched fixed works worked working
    over healthy compliant done solved resolved ready complete completed finished correct valid identical safe fine ok
    stable gone merged renewed published nothing under below all every both no zero none fully everything now live deployed restored up running covered
    läuft laufen grün sauber fertig gelöst behoben erledigt gültig konform alle alles jetzt kein keine
    marche passent passe résolu terminé conforme valide tous tout toutes maintenant
    pasa pasan funciona listo lista resuelto corregido completo todo todos ahora ningún
    passa passam pronto resolvido corrigido tudo todos agora готово исправлено решена работает проходят все теперь
    gotowe naprawione działa wszystkie
    """
)
_CLAIMS_UNSPACED = phrases(
    "通りま|通過|成功|完了|直りま|解決|すべて|通过|完成|修复|全部|正常|통과|완료|해결|모두"
)
_TROUBLE = word_set(
    "fail fails failed failing missing broken breaks broke crash crashes crashed hangs wrong cannot can't because since"
    " not n't isn't doesn't weil nicht fehlt porque parce"
)
_BAD = word_set(
    "fail fails failed failing error errors expired invalid empty missing broken red crash crashes crashed stale old"
    " fehler rot leer kaputt fehlt abgelaufen"
)
"""What a person tells of that is not well."""
_OWN_WORDS = word_set(
    "response answer reply claim statement conclusion analysis message explanation summary assessment report"
)
_EARLIER = word_set("earlier previous prior last first initial former")
_WRONG_ABOUT = phrases("I was wrong about |I was mistaken about |I misread |I misjudged ")
_IS_WRONG = phrases(" wrong| incorrect| mistaken| inaccurate| false| not right| not correct")


class _Denial(NamedTuple):
    about: frozenset[str]
    """What is denied, and what the agent says instead."""
    brief: bool
    """In few words, and the agent gave in: it needs to name nothing."""
    plain: bool
    """The agent gave in to a plain no."""
    least: int
    """How much of it a claim must name: a long prompt speaks of many things."""


def standing(notes: Sequence[Note], turns: Sequence[Turn]) -> list[Note]:
    """The statements without the sentences that were denied, and without the messages that were called wrong."""
    told: dict[int, list[str]] = {}
    for note in notes:
        if not note.origin:
            told.setdefault(note.evidence[0].line, []).append(note.text)
    taken: dict[int, frozenset[str]] = {}
    for before, turn in pairwise(turns):
        if before.closing_line in told and (denial := _denial(turn)):
            taken[before.closing_line] = _denied([before.closing, *told[before.closing_line]], denial)
    for line, about in _wrong_about(told):
        for at in [at for at in told if at < line]:
            taken[at] = taken.get(at, frozenset()) | _mistaken(told[at], about)
    wrong = _called_wrong(told, turns)
    if not wrong and not any(taken.values()):
        return list(notes)
    kept: list[Note] = []
    for note in notes:
        line = 0 if note.origin else note.evidence[0].line
        if line not in wrong:
            kept += _without(note, taken.get(line, frozenset()))
    return kept


def _without(note: Note, denied: frozenset[str]) -> list[Note]:
    if not denied:
        return [note]
    spoken = sentences(note.text) or [note.text]
    left = [said for said in spoken if plainly(said) not in denied]
    if len(left) == len(spoken):
        return [note]
    text = " ".join(left)
    return [replace(note, text=text)] if len(text) >= _SHORTEST else []


def _denial(turn: Turn) -> _Denial | None:
    """What the prompt says is not so; or a number or a trouble that it tells of, where the agent gives in."""
    said = turn.prompt[:_SAID]
    against = [sentence for sentence in sentences(said) if _denies(sentence)]
    gives_in = gave_in(turn)
    brief, least = len(turn.prompt) <= _BRIEF, 1 if len(turn.prompt) <= _SAID else 2
    if against:
        conceded = gives_in or _first_word(turn.opening) in _AGREES
        answer = sentences(turn.opening)[:1] if conceded else []
        return _Denial(_terms([*against, *answer]), conceded and brief, gives_in, least)
    if not gives_in or approves(said) or least > 1:
        return None
    told = [sentence for sentence in sentences(said) if _tells_of_trouble(sentence)]
    return _Denial(_terms(told), brief, False, least) if told else None


def _tells_of_trouble(sentence: str) -> bool:
    plain = plainly(sentence)
    if plain.endswith("?") or plain.startswith(_BIDS):
        return False
    return any(map(str.isdigit, plain)) or not _BAD.isdisjoint(
        plain.replace(",", " ").replace(".", " ").split()
    )


def _denies(sentence: str) -> bool:
    plain = plainly(sentence)
    if not sentence.isascii() and any(sign in plain for sign in _DENIES_UNSPACED):
        return True
    if plain.endswith("?") or plain.startswith(_BIDS):
        return False
    words = plain.split()
    if any(word in _ONLY and then[0].isdigit() for word, then in pairwise(words)):
        return True
    return any(sign in f" {plain.replace('!', ' ')} " for sign in _DENIES)


def _denied(words: Iterable[str], denial: _Denial) -> frozenset[str]:
    """The sentences of the agent's last words that are meant, in small letters."""
    spoken = list(dict.fromkeys(said for text in words for said in sentences(text.replace("**", ""))))
    claims = [said for said in spoken if _claims(said)]
    named = [said for said in claims if len(denial.about & _terms([said])) >= denial.least]
    if not named and denial.brief and len(spoken) <= _FEW:
        named = [said for said in claims if ", so " not in said and ", deshalb " not in said]
    if not claims and denial.plain and len(spoken) == 1 and not denial.about.isdisjoint(_terms(spoken)):
        named = spoken
    return frozenset(map(plainly, named))


def _claims(sentence: str) -> bool:
    plain = plainly(sentence)
    if not sentence.isascii() and any(sign in plain for sign in _CLAIMS_UNSPACED):
        return True
    words = (
        plain.replace(",", " ")
        .replace(".", " ")
        .replace(":", " ")
        .replace(";", " ")
        .replace("!", " ")
        .split()
    )
    return not _CLAIMS.isdisjoint(words) and _TROUBLE.isdisjoint(words)


def _wrong_about(told: Mapping[int, Sequence[str]]) -> Iterator[tuple[int, frozenset[str]]]:
    """Where the agent says that it was wrong, and about what."""
    for line, texts in told.items():
        for said in (
            said for text in texts if " wrong " in text or " mis" in text for said in sentences(text)
        ):
            sign = next((sign for sign in _WRONG_ABOUT if sign in said), "")
            if sign:
                yield line, _terms([said.partition(sign)[2]])


def _mistaken(texts: Iterable[str], about: frozenset[str]) -> frozenset[str]:
    """The claims that name it: by a number, or by two of its words."""
    claims = [said for text in texts for said in sentences(text) if _claims(said)]
    shared = ((said, about & _terms([said])) for said in claims)
    return frozenset(
        plainly(said) for said, some in shared if len(some) > 1 or any(term[0].isdigit() for term in some)
    )


def _called_wrong(told: Mapping[int, Sequence[str]], turns: Sequence[Turn]) -> frozenset[int]:
    """The lines of earlier messages that the agent itself calls wrong as a whole: the likest one each time."""
    spoken = {turn.closing_line: turn.closing for turn in turns}
    texts = [*spoken.items(), *((line, text) for line, some in told.items() for text in some)]
    found: set[int] = set()
    for line, text in texts:
        if not any(sign in text for sign in _IS_WRONG):
            continue
        if any(map(_calls_itself_wrong, sentences(plainly(text)))):
            about = _terms([spoken.get(line, ""), *told.get(line, ())])
            earlier = [at for at in spoken if at < line][-_REACH:]
            alike = {at: len(about & _terms([spoken[at], *told.get(at, ())])) for at in earlier}
            found.update(sorted(alike, key=lambda at: alike[at])[-1:])
    return frozenset(found)


def _calls_itself_wrong(said: str) -> bool:
    words = said.split()
    at = words.index("my") if "my" in words else len(words)
    own = words[at + 1 : at + 4]
    return (
        not _EARLIER.isdisjoint(own)
        and not _OWN_WORDS.isdisjoint(own)
        and any(sign in said for sign in _IS_WRONG)
    )


def _terms(spoken: Iterable[str]) -> frozenset[str]:
    return frozenset(term for said in spoken for term in terms(spaced(said)))


def _first_word(text: str) -> str:
    return next(iter(text[:40].lower().split()), "").strip("*_,.!?;:-—")

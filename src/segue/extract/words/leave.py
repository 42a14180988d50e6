"""Leave that a person gives: `you can push to staging whenever`, `Puedes reiniciar lb02`, `deploy は自由にやって大丈夫です`.

What is allowed binds nobody, and who does not know it only asks again; what was allowed and taken back must be told
together. `You can see the log there` tells something, `so you can mirror it` says what for, and neither allows anything.
"""

from __future__ import annotations

from segue.extract.text.prose import phrases, word_set

_LONGEST = 220
_LEADS = word_set(
    """
    and also oh ok okay btw yes yeah yep sure fine please then well actually ah y e también bien vale sí además por cierto a i też oraz
    tak und auch ja gut et aussi oui d'accord também sim bem anche да и а также ещё
    """
)
_CAN = phrases("you can |u can |you could also ")
_MAY = phrases(
    "you may |you're free to |you are free to |you're allowed to |you are allowed to |you're welcome to |you are welcome to |"
    "feel free to |it's fine to |it's ok to |it's okay to |it is fine to |it is ok to |fine to |ok to |okay to |"
    "i don't mind if you |i don't mind you |no need to ask "
)
ACTS = word_set(
    """
    push force-push merge commit deploy restart reboot delete drop remove install add use touch edit change modify rename break
    skip ignore upgrade bump rewrite refactor publish release create open close overwrite move write access call query download
    kill stop reset squash rebase amend tag disable enable migrate reformat spend assume choose pick decide leave keep
    reuse copy share raise lower force spin ssh hit read run cut trim hardcode mock stub pin vendor
    """
)
"""What an agent does only if somebody lets it."""
_SHOWN = word_set("see find notice want need have know recall ask look tell check get imagine guess be")
_AT_HAND = word_set("it that this them now then there here please and for a bit")
"""What is done once: `you can commit now` asks for a commit."""
_ADVERBS = word_set("also just always now safely freely then still totally absolutely of course again")
_PURPOSES = (" to see ", " to verify ", " to check ", " to reproduce ", " to get ", " to test ", "by running")
_FINE = phrases(
    " is fine| are fine| is ok| are ok| is okay| are okay| is allowed| are allowed| is permitted| are permitted|"
    " is acceptable| are acceptable| is alright| are alright"
)
_WHERE = word_set(
    "in for after on from to with when if as here now until before at between within during too there via by"
)
_POINTED = word_set(
    "the these those they this that it all both my your everything nothing something anything which what"
)
_ELSEWHERE = word_set(
    """
    puedes podéis puede pueden możesz możecie można wolno darfst dürft kannst könnt peux pouvez pode podes podem puoi potete può
    можешь можете можно разрешаю permitido erlaubt
    """
)
_SIGNS = _ELSEWHERE | word_set(
    "you you're u free fine ok okay allowed permitted acceptable alright mind need"
)
"""One of these stands in every leave; to look for a word is cheaper than for a phrase."""
_PEOPLE = word_set("se du ihr man tu vous on você vocês si ci tak sí ya już jetzt ahora agora")
_IMPERSONAL = word_set("puede pueden può")
_BARRED = word_set(
    """
    no not nie nicht kein keine ne non não не że czy jak que como donde cuando si wie was wo ob wenn dass comment où quand quando
    come как где что чтобы когда żeby aby damit
    """
)
"""What makes it a ban, a question or a clause of something else."""
_LOOKS = word_set(
    """
    ver mirar encontrar seguir continuar empezar comprobar revisar decirme ayudarme explicarme zobaczyć sprawdzić znaleźć
    kontynuować zacząć przejść sehen schauen finden weitermachen anfangen prüfen mir voir regarder trouver continuer commencer
    olhar começar vedere guardare trovare continuare увидеть посмотреть найти продолжать начинать
    """
)
_UNSPACED = phrases(
    "てよい|てもよい|ていい|てもいい|ても構|て構いま|て大丈夫|自由に|你可以|可以直接|可以自由|可以随|随时可以|允许你|允许|"
    "도 돼|도 됩니다|도 괜찮"
)
_UNSPACED_NOT = phrases(
    "いい感じ|なくて|ですか|ますか|か?|吗|不可以|不允许|是否|看到|ないで|不要|别|禁止|지 마|나요"
)
_EARLY = 4
"""Words before which a modal verb stands where it speaks to the agent."""


def permits(sentence: str) -> bool:
    """A sentence, in small letters and not a question, allows something and asks for nothing."""
    if len(sentence) > _LONGEST:
        return False
    if not sentence.isascii() and any(sign in sentence for sign in _UNSPACED):
        return not any(sign in sentence for sign in _UNSPACED_NOT)
    words = sentence.rstrip(" .!").replace(",", " ,").split()
    if _SIGNS.isdisjoint(words):
        return False
    while len(words) > 1 and (words[0] in _LEADS or words[0] == ",") and words[1] != "to":
        del words[0]
    told = " ".join(words)
    if told.startswith(_MAY):
        return _first_act(told, _MAY) not in _SHOWN
    if told.startswith(_CAN):
        act = _first_act(told, _CAN)
        what = told.partition(f" {act} ")[2].split()
        return act in ACTS and not _AT_HAND.issuperset(what) and not any(sign in told for sign in _PURPOSES)
    if " you may " in told:
        _, _, act = told.partition(", you may ")
        return bool(act) and act.split()[0] not in _SHOWN and told.startswith(("if ", "when ", "after "))
    if _is_fine(told):
        return True
    if _ELSEWHERE.isdisjoint(words):
        return False
    return any(_allows_elsewhere(clause.split()) for clause in told.split(" , "))


def _first_act(told: str, begins: tuple[str, ...]) -> str:
    begin = next(begin for begin in begins if told.startswith(begin))
    return next((word for word in told[len(begin) :].split() if word not in _ADVERBS), "")


def _is_fine(told: str) -> bool:
    """`Pushing to staging is fine`, `a debug flag is fine`, `reads are fine after ten`; `the tests are fine` reports."""
    for sign in _FINE:
        before, found, after = told.partition(sign)
        if not found or after[:1] not in ("", " ", ",", ";"):
            continue
        subject = before.rpartition(": ")[2].rpartition(" , ")[2].split()
        if not subject or subject[0] in _POINTED or "not" in subject:
            return False
        doing = subject[0].endswith("ing") and len(subject) > 1
        many = subject[-1].endswith("s") or sign.startswith(" are")
        said_where = not _WHERE.isdisjoint(subject[1:]) or not _WHERE.isdisjoint(after.split()[:1])
        return subject[0] in ("a", "an", "any") or doing or (many and said_where)
    return False


def _allows_elsewhere(words: list[str]) -> bool:
    place = next((n for n, word in enumerate(words[:_EARLY]) if word in _ELSEWHERE), -1)
    if place < 0 or len(words) < place + 2 or not _BARRED.isdisjoint(words[:place]):
        return False
    if words[place] in _IMPERSONAL and words[place - 1 : place] not in (["se"], ["si"]):
        return False
    acts = [word for word in words[place + 1 :] if word not in _PEOPLE]
    return bool(acts) and _LOOKS.isdisjoint(acts[:4]) and acts[0] not in _BARRED

"""Facts that a person states: `Python 3.10 is the floor.`, `We're still on React 17.`, `chunk size 50k rows.`

A short sentence that tells how something is, for as long as anybody can see, must not be lost, though nothing marks
it as a rule. What to do now, what was seen to happen, what is wrong, what somebody thinks, praise and thanks tell none.
"""

from __future__ import annotations

from itertools import pairwise

from segue.extract.text.prose import phrases, word_set
from segue.extract.words.conduct import LEADS, TASKS

_LONGEST, _FEWEST = 160, 3
"""Characters up to which, and words from which on, a sentence may state a fact."""
_LEADS = LEADS | word_set(
    """
    fyi fyi: remember remember: heads-up: reminder that note for context: basically turns out
    y por favor ah además también bitte und auch et aussi też oraz proszę
    """
)
_PASSING = word_set(
    """
    fails fail failed failing failure failures broken breaks broke crash crashes crashed error errors exception wrong bug bugs
    works work worked working good great nice perfect awesome cool fine amazing thanks thank looks look looking seems seem
    sounds feels weird strange odd missing stuck blank typo incorrect invalid ugly bad worse better think guess wonder maybe
    perhaps feel hope probably suspect believe sorry yes yep yeah nope wow passes pass passing passed happened done finished
    ready merged pushed committed fixed dropped already yet again unclear confusing doesn't didn't following
    lol haha hahaha hehe lmao rofl xd
    attached below above shows show warning warnings incomplete forever hangs messed
    kaputt fehler funktioniert klappt danke super gut falsch komisch sieht scheint glaube vielleicht stürzt schlägt
    marche erreur échoue cassé merci bien faux plante bizarre semble pense peut-être
    falla roto gracias perfecto mal raro parece creo quizá quizás funciona
    erro falha quebrado obrigado valeu bom ruim estranho acho talvez
    ошибка ошибку ошибки падает сломан сломано спасибо хорошо отлично кажется думаю работает
    """
)
"""What a report, an opinion or a compliment has in it."""
_PASSING_UNSPACED = phrases(
    "报错|失败|错误|崩溃|谢谢|好的|好像|觉得|请|帮|吗|吧|エラー|失敗|落ち|壊れ|ありがと|その通り|了解|ください|思い|ました|ません|お願い|いい感じ|良さそう|よさそう|素晴らし|完璧|助かり|すごい|ですね|很好|不错|完美|太棒|좋네|좋아요|오류|실패|감사|주세요|해줘|같아"
)
_POINTING = word_set(
    """
    i i'm i've i'd i'll it it's its that that's this these those there there's here here's you you're u he she they they're mine yours
    what what's which why how when where who if because since once while after before whether can could would should
    will did does do is are was were and then let let's lets not your
    ich es du sie hier warum was wie wenn weil dann je j'ai j c'est ça il elle tu vous pourquoi voici voilà quand si yo esto eso ya hay
    tú por qué cuando eu isso isto você quando я он она оно ты вы это почему как когда если
    """
)
"""How a sentence begins whose subject is at hand, or that depends on another."""
_OWN_THINGS = word_set(
    """
    repo repository project service codebase package library branch app application module folder directory table cluster
    environment server machine box database db api product team company customer system pipeline tool cli
    """
)
_COUNTED = word_set("no two three four five several")
_BINDS = word_set("that which where who if when how whether what while because i")
"""What makes the verb after it that of a clause."""
_WHO_EVER = word_set(
    "nobody everybody everyone everything nothing none all most half each every anything anyone only some"
)
_BE = word_set("is are isn't aren't has have hasn't haven't was")
_HABITS = word_set(
    """
    belong live run come own go expect read write hold sit ship speak talk hate like love want freeze close end start cost take
    mean count depend maintain review approve deploy publish build serve cache sync trigger get host sign stay share reach
    pay rely charge bill store rotate happen expire restart die arrive land send receive return accept reject support
    manage handle control poll call wrap carry contain include know see treat ignore drop fire open require need use edit consume change vary differ grow
    """
)
_SINGULAR = frozenset(
    verb[:-1] + "ies" if verb.endswith("y") and verb[-2] not in "ae" else verb + "s" for verb in _HABITS
) | {
    "goes",
    "reaches",
    "publishes",
}
_WE = _HABITS | word_set("are have still only also mostly never")
_OURS = word_set(
    "we we're we've our ours wir unser unsere nous notre nos nosotros nuestro nuestra nós nosso nossa мы наш наша наши у"
)
_JOINS = word_set("and or of in on at from to with by for as into per via than")
_DETERMINES = (
    word_set("the a an our my your their its his her this that these those each every all some any no")
    | _COUNTED
)
_ELSEWHERE = word_set(
    """
    ist sind hat haben gehört gehören läuft laufen liegt liegen kommt kommen bleibt bleiben nutzt nutzen braucht brauchen steht
    stehen gilt gelten heißt wird werden
    est sont ont appartient appartiennent sommes tourne tournent vient viennent reste restent passe passent vit vivent
    es son está están tiene tienen pertenece pertenecen viene vienen usan estamos seguimos va van corre corren vive viven tenemos
    é são estão tem têm pertence pertencem vem vêm roda rodam fica ficam temos
    è sono ha hanno appartiene siamo gira girano
    это принадлежит принадлежат используется хранится хранятся лежит лежат идёт идут живёт является есть приходят приходит
    """
)
_ARTICLES = word_set(
    "der die das le la les l el los las os il lo gli unser unsere notre nos nuestro nuestra nuestros nosso nossa nossos"
)
"""Articles, and what says that it is ours."""
_STATED_UNSPACED = (
    *("です", "ます", "である", "是", "在用", "属于", "归", "使用", "由", "走", "在", "为", "有", "每"),
    *("입니다", "습니다", "이다"),
)


def states(sentence: str) -> bool:
    """A sentence, in small letters, is a fact that a person states."""
    if len(sentence) > _LONGEST or sentence.endswith(("?", ":", "...", ",")):
        return False
    if not sentence.isascii() and any(sign in sentence for sign in _STATED_UNSPACED):
        return not any(sign in sentence for sign in _PASSING_UNSPACED)
    words = [word for part in sentence.rstrip(" .!").split() if (word := part.strip(",;()\"'*"))]
    while len(words) > 1 and words[0] in _LEADS:
        del words[0]
    if _is_pinned(words):
        return True
    if (
        len(words) < _FEWEST
        or not _PASSING.isdisjoint(words)
        or words[0] in TASKS
        or _too_much(words)
        or _is_private(words)
        or _coloured(words)
    ):
        return False
    if words[0] in _POINTING and not _points_at_ours(words):
        return False
    if "still" in words and words[0] not in _OURS:
        return False
    return _tells(words) or _sets(words) or _tells_elsewhere(words)


def _is_pinned(words: list[str]) -> bool:
    """`Node 20.`, `accent #8abeb7`, `tool error bg 3c2828`: a name and nothing but its version or colour; or a colour, and
    what it is of."""
    if not 1 < len(words) <= _SHORT + _SHORT:
        return False
    if _is_colour(words[0]):
        return _PASSING.isdisjoint(words)
    *name, value = words
    if _is_colour(value):
        return len(name) < _SHORT and all(map(str.isalpha, name)) and name[0] not in _NUMBERED
    return len(name) == 1 and name[0] in _VERSIONED and value[0].isdigit()


def _is_colour(word: str) -> bool:
    digits = word.removeprefix("#")
    if not _HEX.issuperset(digits) or not any(map(str.isdigit, digits)):
        return False
    return len(digits) == _RGB or (len(digits) == _RGB // 2 and digits != word)


_RGB = 6
_HEX = frozenset("0123456789abcdef")
_VERSIONED = word_set(
    """
    node python ruby go golang java jdk php postgres postgresql mysql mariadb sqlite redis rust swift kotlin scala elixir erlang ghc
    react vue angular svelte rails django laravel spring ios android macos ubuntu debian fedora alpine typescript dotnet npm pnpm
    yarn bun deno terraform kubernetes gcc clang perl lua
    """
)


def passes(sentence: str) -> bool:
    """It has a word of a report, an opinion or a compliment."""
    return not _PASSING.isdisjoint(word.strip(".,;:!?") for word in sentence.lower().split())


def _too_much(words: list[str]) -> bool:
    """`too bright` judges; `the app reads it, too` does not."""
    return "too" in words[:-1]


def _is_private(words: list[str]) -> bool:
    """`my tea is cold by now`."""
    return any(whose in _MINE and what in _AT_HOME for whose, what in pairwise(words[:5]))


_MINE = word_set("my mein meine mon ma mes mi mis meu minha mio mia moja mój мой моя")
_AT_HOME = word_set(
    """
    tea coffee lunch dinner breakfast beer pizza cat dog kid kids child children daughter son wife husband girlfriend boyfriend
    partner mom mum dad mother father sister brother baby neighbour neighbor doctor dentist train bus flight weekend birthday
    vacation holiday holidays back head eyes bed bike
    tee kaffee katze hund tochter sohn frau mann kinder zug thé café chat chien fille fils femme mari enfants
    té gato perro hija hijo mujer marido hijos chá filha filho чай кофе кот собака дочь сын
    """
)


def _coloured(words: list[str]) -> bool:
    """Checks are green or red; a brand is, too, but is not told to be so now."""
    return words[-1] in _COLOURS or (words[-1] == "now" and words[-2] in _COLOURS)


_COLOURS = word_set("green red grün rot")


def _points_at_ours(words: list[str]) -> bool:
    """`this repo is …`, `there are two databases`, `das Schema gehört …`."""
    if words[0] in ("this", "these", "those"):
        return words[1] in _OWN_THINGS
    if words[0] in ("there", "there's"):
        return not _COUNTED.isdisjoint(words[1:3])
    return words[:2] in (["i", "own"], ["i", "maintain"]) or words[:3] == ["i", "have", "no"]


def _tells(words: list[str]) -> bool:
    """A subject, and in the present tense what it is or does."""
    if words[0] in _WHO_EVER:
        return len(words) > _FEWEST and words[1] != "i" and not words[1].endswith("ed")
    if words[0] in ("we're", "we've"):
        return (
            not words[1].endswith(("ing", "ed"))
            and not words[-1].endswith("ing")
            and _BINDS.isdisjoint(words)
        )
    if words[0] == "we":
        return words[1] in _WE and not words[2].endswith("ing")
    for place, (before, word) in enumerate(pairwise(words[:9]), 1):
        if word in _BINDS or before in _BINDS:
            return False
        after = words[place + 1] if place + 1 < len(words) else ""
        if word in _BE:
            return bool(after) and not after.endswith("ing")
        if not after or before in _DETERMINES or before in _JOINS:
            continue
        many = _ends_in_s(before)
        if word in (_HABITS if many else _SINGULAR) or (
            words[0] in _DETERMINES and not many and _ends_in_s(word)
        ):
            return True
    return False


def _ends_in_s(word: str) -> bool:
    """It is the plural of a noun, or a verb of the third person."""
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _sets(words: list[str]) -> bool:
    """`chunk size 50k rows`, `link color #8abeb7`: what it is called, and its value."""
    place = next((n for n, word in enumerate(words[:4]) if word[:1] in _DIGITS), 0)
    called = words[:place]
    named = all(map(str.isalpha, called)) and _NUMBERED.isdisjoint(called)
    return place > 0 and len(words) <= _SHORT and named


def amounts_to(sentence: str) -> bool:
    """`Account is 441907`, `it is 34 MB`: it tells a number of something, and sets none."""
    words = [word.strip(",;()\"'*") for word in sentence.rstrip(" .!").split()]
    place = next((n for n, word in enumerate(words[:_FAR]) if word in _IS), 0)
    told = next((word for word in words[place + 1 : place + 3] if word not in _ABOUT), "")
    return place > 0 and told[:1].isdigit() and _BOUNDED.isdisjoint(words[:place])


_IS, _ABOUT = word_set("is are was were"), word_set("on at about around roughly only now")
_BOUNDED = word_set(
    """
    limit max maximum min minimum timeout budget deadline threshold cap quota port version target interval delay size width height
    retention ttl rate floor ceiling
    """
)
"""What is set by being told."""
_FAR = 6
_DIGITS = frozenset("0123456789#<>=~")
_SHORT = 6
_NUMBERED = (
    TASKS
    | _POINTING
    | word_set(
        "exit step phase option finished number part line took todo task issue pr heading node now sleep wait in at for last top first next"
    )
)
"""What a number stands behind that sets nothing."""


def _tells_elsewhere(words: list[str]) -> bool:
    """The same in other languages, of which some need no verb, and whose articles begin no order."""
    if not _ELSEWHERE.isdisjoint(words[:6]) or (words[0] in _OURS and not words[0].isascii()):
        return True
    return len(words) > _FEWEST and words[0].partition("'")[0] in _ARTICLES

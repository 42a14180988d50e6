"""Rules that are hardly a sentence: a thing and what it is to be.

`25 hz, final answer.`, `DDL on prod still no.`, `Figures: viridis palette`, `…で確定です`, `Commity pisz po angielsku`: nothing in
them says that they rule but that a matter is closed, or that a topic and its value stand side by side. What a program
printed looks alike, so a label counts only where a person talks.
"""

from __future__ import annotations

from itertools import pairwise

from segue.extract.text.prose import phrases, word_set
from segue.extract.words.conduct import LEADS, TASKS

_LONGEST = 220
_CLOSED = phrases(
    "final answer|that's final|is final|final decision|end of discussion|end of story|that's settled|is settled|we settled on|i settled on|"
    "let's settle on|it's decided|that's decided|set in stone|die entscheidung steht|es bleibt dabei|bleibt es bei|"
    "c'est décidé|c'est définitif|está decidido|es definitivo|é definitivo|è deciso|так и оставь"
)
_CLOSING = word_set(
    "final settled settle decided discussion story stone steht dabei bei décidé définitif decidido definitivo deciso оставь"
)
_SAYS_NO_MORE = _CLOSING | word_set(
    "that's it's is thanks thank you then ok good great nice so and that it final answer"
)
"""`Thanks, that's settled then` does not say what is."""
_CLOSED_WORDS = word_set(
    "endgültig definitivamente définitivement definitivo ostatecznie окончательно definitywnie"
)
_CONFIRMED = word_set(
    """
    confirmed confirmado confirmada bestätigt confirmé potwierdzone potwierdzam ustalone zostaje zostajemy zostawiamy dejamos quedamos
    queda quedan bleibt bleiben beschlossen festgelegt reste restons gardons ficamos fica confermato restiamo rimane
    подтверждаю решено остаётся остаемся остановились stanęło
    """
)
"""What closes a matter beside a value."""
_STILL = phrases(
    "still a no|still none|still forbidden|still banned|still off limits|still off-limits|still off the table|still off,|still not allowed|still prohibited|still taboo"
)
_SAME = phrases(
    "same for |same goes for |same applies to |same with |ditto for |likewise for |lo mismo para |lo mismo con |lo mismo vale para |"
    "dasselbe gilt für |gleiches gilt für |das gleiche gilt für |pareil pour |idem pour |o mesmo para |lo stesso per |"
    "то же для |to samo dla |to samo dotyczy "
)
_UNSPACED = phrases(
    "確定|に決め|に決ま|必要になりました|不必要になりました|不必要|でお願いします|でいきます|で行きます|に統一|にします|に変更です|も同様|も同じ|"
    "定了|就用|定为|最终用|敲定|还是用|已确认|확정|로 결정"
)
_BOUNDS_UNSPACED = phrases("最低|最大|以上|以下|以内|まで|至少|至多|最多|不超过|최소|최대")
_SEEN_UNSPACED = phrases("ました|エラー|出ます|かかり|太|了|오류")
_ENDS_UNSPACED = phrases("で|です|こと|以内|以下|以上|まで|に|お願いします")
_ASKED_UNSPACED = phrases("ますか|ですか|でしょうか|吗|呢|나요|까요")
_POLISH_RULES = word_set(
    """
    pisz używaj stosuj trzymaj pamiętaj unikaj dodawaj rób twórz nazywaj formatuj commituj komituj pytaj zostaw zachowaj zostawiaj testuj
    loguj zapisuj odpowiadaj komentuj uruchamiaj pilnuj piszmy używajmy trzymajmy róbmy musi musisz muszą należy trzeba
    powinien powinna powinno powinny zawsze tylko wyłącznie zamiast nigdy
    """
)
"""Imperatives of verbs that tell a habit, and words of duty; an imperative of the other aspect asks for one thing."""
_SPANISH_RULES = word_set("asegúrate recuerda respeta deja dejad procura pon acuérdate cuida")
_SPANISH = word_set("el la los las del al que lo una para por con su en está esto eso más ni hasta de y un")
_SUBJUNCTIVES = word_set(
    "hagas pongas salgas digas traigas vayas construyas escribas subas metas añadas abras corras muevas leas rompas incluyas vuelvas pidas"
)
_INDICATIVES = word_set(
    """
    tienes puedes debes quieres sabes eres ves haces dices vienes pones sales entiendes crees lees escribes vives pierdes sigues
    pides olvides antes entonces meses veces es tres menos tests changes files
    """
)
_MODALS = word_set("puede pueden puedes debe deben debes")
_CLITICS = word_set("lo la los las le les me te se nos")
_POLISH = word_set("się na do że to jest w z po dla przez są jak co tego oraz od za przed przy bez nad pod")
_REPORTS = word_set(
    """
    fails fail failed failing broken breaks crash crashed error errors wrong bug works worked done finished passes passed pass passing
    returns throws hangs shows says gives stops prints crashes stopped went
    looks seems is was were got i i'm i've it it's there this that's you why how what
    """
)
_HEADS = word_set(
    """
    error errors warning warnings note notes nb ps edit update file files path url link source target output input result results
    status version versions os platform browser environment env commit branch date author title name description summary
    context task todo question answer example examples steps expected actual reproduction issue bug problem fix cause reason
    high medium low critical nit info debug license code type import fyi tldr hint tip here context: background goal aim plan
    option first second third next then also so however e.g i.e user agent assistant system human prompt review feedback
    password pw token key id traceback stack log logs subject from to cc re location address email phone repo repository docs
    """
)
"""What a form, a log or a remark is headed with."""
_OF = word_set("about regarding concerning for re on as")
_COMPARED = ("er", "more", "less")
"""`20px wider` changes something once."""
_MAKES = word_set("make set keep put")
_CANNOT = word_set("can't cant cannot")
_PERCEIVED = word_set("see find tell know get believe imagine expect even really")
_FEWEST = 3
_BRIEF, _LABEL, _VALUE = 5, 4, 24
_CODE = frozenset("{}[]<>=;|\\$@")
_NUMBERS = word_set("one two three four five six seven eight")
_TALKED_OF = word_set("tests options lines files steps results changes commits findings thanks")
_SETS = phrases(
    ", go |, make it |, make that |, set it to |, put it at |, bump it to |, lower it to |, raise it to |, so go "
)
_STEPS = word_set("steps by of or times more ahead back")


def fixes(sentence: str) -> int:
    """How firmly a sentence, in small letters and not a question, closes a matter: 2, 1, or 0 for not."""
    if len(sentence) > _LONGEST:
        return 0
    if not sentence.isascii() and (found := _unspaced(sentence)):
        return found
    words = [word for part in sentence.rstrip(" .!").split() if (word := part.strip(",;:()\"'"))]
    while len(words) > 1 and words[0] in LEADS:
        del words[0]
    if not words:
        return 0
    if not _CLOSING.isdisjoint(words) and any(sign in sentence for sign in _CLOSED):
        return 0 if _SAYS_NO_MORE.issuperset(words) else 2
    if "still" in words:
        return 2 * _still_refuses(sentence, words)
    if is_same_for(words):
        return 1
    if words[0] in ("you", "u") and words[1:2] != [] and words[1] in _CANNOT:
        return 2 * (len(words) > _FEWEST and words[2] not in _PERCEIVED)
    if words[-1] in ("final", "settled") and 1 < len(words) <= _BRIEF and _REPORTS.isdisjoint(words):
        return 2
    if not _CLOSED_WORDS.isdisjoint(words):
        return 2 if len(words) > 1 else 0
    counted = any(word[0].isdigit() for word in words)
    if counted and not _CONFIRMED.isdisjoint(words) and _confirms(words):
        return 2
    if (counted and _sets_a_number(sentence, words)) or _is_style(sentence, words):
        return 1
    return _rules_elsewhere(words)


def _confirms(words: list[str]) -> bool:
    """`El puerto queda en 9090`, `9090, confirmed`; `we confirmed 3 bugs` and `bleibt nach 3 Anfragen hängen` report."""
    if not _REPORTS.isdisjoint(words):
        return False
    if words[0] in _CONFIRMED or words[-1] in _CONFIRMED:
        return True
    place = next(n for n, word in enumerate(words) if word in _CONFIRMED)
    behind = words[place + 1 : place + 4]
    return (
        words[place] not in _AGREED and behind[0] not in _LATER and any(word[0].isdigit() for word in behind)
    )


_AGREED = word_set("confirmed bestätigt confirmado confirmé confermato")
_LATER = word_set("nach después après após dopo po bloqué hängen stehen")


def is_same_for(words: list[str]) -> bool:
    """`Same for the worker`: what was said last holds for something else too."""
    return " ".join(words[words[0] == "the" :]).startswith(_SAME)


def _unspaced(sentence: str) -> int:
    if any(sign in sentence for sign in _ASKED_UNSPACED):
        return 0
    if any(sign in sentence for sign in _UNSPACED):
        return 2
    bounded = any(sign in sentence for sign in _BOUNDS_UNSPACED) and any(map(str.isdigit, sentence))
    if not bounded or any(sign in sentence for sign in _SEEN_UNSPACED):
        return 0
    in_japanese = any(particle in sentence for particle in "はをがに")
    return 2 if not in_japanese or sentence.rstrip(" .!").endswith(_ENDS_UNSPACED) else 0


def _still_refuses(sentence: str, words: list[str]) -> bool:
    """`DDL on prod still no, obviously`; `still no luck` and a bare `still no` report."""
    if any(sign in sentence for sign in _STILL) or words[-2:] == ["still", "off"]:
        return len(words) > 2
    _, found, after = f"{sentence.rstrip(' .!')},".partition(" still no")
    return bool(found) and after[0] in ",;" and words[0] != "still"


def _sets_a_number(sentence: str, words: list[str]) -> bool:
    """It says which number it shall be: `…, go 20 hz`, `make it 3%`, `make the cutoff 5 trips`, `260 kb is ok now`."""
    if words[0] in _MAKES and words[1:2] == ["the"]:
        place = next((n for n, word in enumerate(words[3:7], 3) if word[0].isdigit()), 0)
        return place > 0 and not any(word.endswith(_COMPARED) for word in words[place + 1 : place + 3])
    for sign in _SETS:
        _, found, after = f", {sentence}".rpartition(sign)
        if found and after[:1].isdigit():
            behind = after.rstrip(" .!").split()
            return not behind[0].isdigit() or (len(behind) > 1 and behind[1] not in _STEPS)
    return _is_enough(words)


def _is_enough(words: list[str]) -> bool:
    """`…, so 260 kb is ok now`."""
    for place, word in enumerate(words[:-2]):
        if word[0].isdigit():
            said = words[place + 1 : place + 4]
            if said[:1] and said[0] in _IS:
                return not word.isdigit() and said[1:2] != [] and said[1] in _ENOUGH
            return said[1:2] != [] and said[1] in _IS and said[2:3] != [] and said[2] in _ENOUGH
    return False


_IS, _ENOUGH = word_set("is are"), word_set("ok okay fine enough plenty")


def _is_style(sentence: str, words: list[str]) -> bool:
    """`Tabs, two wide.`: what it is, and how many."""
    if not 3 <= len(words) <= _BRIEF or not words[0].endswith("s") or words[0] in _TALKED_OF:
        return False
    counted = words[1] in _NUMBERS or words[1].isdigit()
    return counted and f"{words[0]}," in sentence and _REPORTS.isdisjoint(words)


def _rules_elsewhere(words: list[str]) -> int:
    if not _SPANISH_RULES.isdisjoint(words[:3]) and not _SPANISH.isdisjoint(words):
        return 2
    if forbids_in_spanish(words) or _forbids_in_russian(words):
        return 3
    if words[0] == "ne" and "plus" in words[2:4] and words[1] not in _FRENCH_REPORTS:
        return 2
    if not _POLISH_RULES.isdisjoint(words) and (
        not "".join(words).isascii() or not _POLISH.isdisjoint(words)
    ):
        return 2
    return 0


def forbids_in_spanish(words: list[str]) -> bool:
    """`no lo reinicies`, `no toques la base`: the mood tells an order."""
    if "no" not in words or _SPANISH.isdisjoint(words):
        return False
    for place, word in enumerate(words[:-1]):
        if word == "no":
            rest = [w for w in words[place + 1 :] if w not in _CLITICS]
            act = rest[0] if rest else ""
            if (
                act in _SUBJUNCTIVES
                or act in _MODALS
                or (act.endswith(("es", "éis")) and len(act) > _FEWEST and act not in _INDICATIVES)
            ):
                return True
    return False


def _forbids_in_russian(words: list[str]) -> bool:
    """`логи не удаляй`."""
    return "не" in words and any(word == "не" and after.endswith(_ORDERED) for word, after in pairwise(words))


_ORDERED = ("ай", "яй", "уй", "юй", "айте", "яйте", "уйте", "юйте")
_FRENCH_REPORTS = word_set("marche fonctionne compile passe répond démarre s'affiche charge")


def in_polish(sentence: str) -> bool:
    return not _POLISH.isdisjoint(sentence.split()) or any(letter in sentence for letter in "ąćęłńśźż")


def forbids_in_polish(sentence: str) -> bool:
    """`nie ruszaj`, `nie wolno`, `nie ma być`; `nie działa` reports."""
    words = sentence.replace(",", " ").rstrip(" .!").split()
    for place, word in enumerate(words[:-1]):
        after = words[place + 1]
        if word == "nie" and (
            after in _BANS
            or after.endswith(("aj", "uj", "ij", "yj", "sz", "ób", "órz", "ajcie", "ujcie", "my"))
        ):
            return after not in _TELLS
    return False


_BANS = word_set("wolno można trzeba należy może mogą możesz powinno powinien powinny ma pisz")
_TELLS = word_set("masz widzisz wiesz rozumiesz pamiętasz my wiemy mamy możemy widzimy")


def labels(sentence: str) -> bool:
    """A sentence of talk is a topic and its value: `Figures: viridis palette, captions in the qmd`."""
    label, _, value = sentence.partition(": ")
    head, told = label.split(), value.rstrip(" .!").split()
    if not 0 < len(head) <= _LABEL or not 0 < len(told) <= _VALUE or not _CODE.isdisjoint(sentence):
        return False
    if value.endswith(("?", ":", ",")) or not all(
        word.replace("-", "").replace("'", "").replace("/", "").isalpha() for word in head
    ):
        return False
    first = told[0].strip("\"'(,")
    if (
        first in TASKS
        or first in _REPORTS
        or "://" in value
        or not _REPORTS.isdisjoint(word.rstrip(",;.") for word in told[:4])
    ):
        return False
    if head[0] in _OF:
        return len(head) > 1 and len(told) > 1
    says = not any(word in TASKS or word in _REPORTS or word in _HEADS or word in LEADS for word in head)
    return says and head[0] not in _ALONE and (len(told) > 1 or any(map(str.isdigit, value)))


def is_entry(sentence: str) -> bool:
    """`Next.js version: 16.2.4 (Turbopack)`: a line of a form, not a rule."""
    label, colon, value = sentence.partition(": ")
    said = value.partition(" (")[0] if value.endswith(")") else value
    return bool(colon) and " " not in said and label.rpartition(" ")[2] in _HEADS


_ALONE = word_set(
    "i i'd i'll we one two a an my your no yes ok hm well let's maybe whats what's slight quick two"
)

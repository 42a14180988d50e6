"""Where a person shows what somebody else said: a tweet, an email, a comment, a page of the docs.

"check this tweet: …" and "here is what support wrote: …" introduce material. What follows rules nothing
unless the person says so; a short last paragraph that speaks to the agent is the person's again.
"""

from __future__ import annotations

import re
from functools import cache

from segue.extract.text.prose import phrases, word_set
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_DOING = word_set("do follow apply address implement fix use make add obey")
_LONGEST_LEAD = 160
_HINTS = word_set(
    """
    tweet post email e-mail mail message comment comments thread article blog quote reply replies transcript review
    feedback issue ticket report said says wrote writes think thinks replied answered posted suggest suggests suggested
    told commented tweeted emailed complained docs documentation readme manual website changelog
    pasted copied forwarded quoting quoted
    """
)
"""One of these stands in every introduction; to look for a word is cheaper than for a phrase."""
_OWN = 240
"""Characters of a last paragraph that may be the person's again."""
_TO_THE_AGENT = compiled(r"\b(?:you|your|please|i|we|let's|can|should|what|do|don't|only|fix|add|make|use)\b")


_MATERIAL = word_set(
    """
    output log logs trace traceback stacktrace error errors warning warnings review reviews feedback report findings comment
    comments message email mail answer response reply transcript result results linter diff dump thread ticket pasting
    comentou comentó commenté kommentierte прокомментировал
    ausgabe fehler fehlermeldung protokoll bericht rückmeldung kommentar kommentare antwort ergebnis ergebnisse meldung
    nachricht schrieb schreibt sagt sagte meint
    sortie erreur erreurs journal avis retour retours revue rapport commentaire commentaires réponse résultat résultats écrit dit
    salida registro revisión informe comentario comentarios respuesta resultado resultados mensaje escribió dijo dice
    saída erro erros registros revisão relatório comentário comentários resposta mensagem escreveu disse diz
    uscita errore errori revisione rapporto commento commenti risposta risultato messaggio scritto
    вывод ошибка ошибки лог логи ревью отчёт отчет комментарий комментарии ответ результат сообщение написал написала написали
    сказал сказала
    """
)
"""What is pasted, by its name, or that somebody said it."""
_MATERIAL_UNSPACED = phrases(
    "输出|日志|错误|报错|评审|评论|审查|报告|结果|回复|反馈|说|写道|出力|ログ|エラー|レビュー|報告|結果|コメント|返信|回答|출력|로그|오류|리뷰|결과|답변"
)
_OWN_WORDS = word_set(
    """
    my mine i i'd i'll we our rule rules requirements requirement want follow should must format handling never always only
    mein meine meinen ich wir mon ma mes je nous mi mis yo meu minha eu mio mia мой моя мои я
    """
)
"""What makes it the person's own, or a subject of its own."""
_OWN_UNSPACED = ("我的", "私の", "自分の", "规则", "ルール", "내 ")
_CAME = word_set("got back received came note notes summary word")
_WHAT_OTHERS = phrases(
    "here s what |here is what |this is what |voilà ce que |voici ce que |das ist was |hier ist was |"
    "esto es lo que |isto é o que |ecco cosa |вот что "
)
_FEW = 12
"""Words up to which a line only introduces."""


class Shown(NamedTuple):
    """A text in which what introduces stands on a line of its own, and where in it somebody else speaks."""

    text: str
    begin: int = 0
    end: int = 0


def shown(text: str) -> Shown:
    begin = _introduced(text) if ":" in text or "：" in text else 0
    if not begin or not text[begin:].strip():
        return Shown(text)
    text = f"{text[:begin]}\n{text[begin:].lstrip()}"
    end = len(text)
    last = text.rstrip().rfind("\n\n", begin)
    if last > 0 and len(text) - last <= _OWN and _speaks_to_the_agent(text[last:].lower()):
        end = last
    return Shown(text, begin + 1, end)


def is_review(text: str) -> bool:
    """A long text judges a plan or a change point by point, as agents and reviewers do and people hardly: each point begins with
    what it is called in bold, and the beginning says that it judges."""
    if text.count("**") < _BOLD or _JUDGING.isdisjoint(text[:_BEGINS].lower().translate(_APART).split()):
        return False
    points = (line.lstrip(_POINTS) for line in text.split("\n") if line[:1] in _LISTED)
    return sum("**" in point[:_CALLED] for point in points) > 1


_BOLD, _BEGINS, _CALLED = 4, 400, 120
"""Marks of bold type in such a text, and characters of its beginning and of what a point is called."""
_POINTS = " \t0123456789.)-*•"
_LISTED = frozenset("0123456789-*•")
_JUDGING = word_set(
    "review reviewed reviewing flag flagged feedback findings verdict nits concerns assessment critique pushback revised lgtm"
)


def _introduced(text: str) -> int:
    """Where the first line ends its introduction with a colon and somebody else's words begin; 0 if none does."""
    at = end = 0
    for line in text.split("\n"):
        at, end = end, end + len(line) + 1
        if ":" not in line and "：" not in line:
            continue
        if line[-1] in _LAST and line.rstrip().endswith((":", "：")) and _names_material(line.lower()):
            return end - 1
        head, colon, rest = line.partition(":")
        if colon and 0 < len(head) <= _LONGEST_LEAD and rest[:2] != "//" and not rest[:1].isdigit():
            words = head.lower().split()
            if (len(words) > 1 or not _PASTED.isdisjoint(words)) and not _HINTS.isdisjoint(words):
                head = head.lower()
                if _leads().search(head):
                    return 0 if _adopts(head) else at + len(head) + 1
    return 0


_LAST = ":： \t\r"
_PASTED = word_set("pasted copied forwarded quoting quoted")
"""What introduces alone; all else is said in two words."""


def _names_material(line: str) -> bool:
    """The whole line says that something follows which the person did not write: `voici le log :`."""
    line = line.strip()
    if " " not in line and line.isascii():
        return line[:-1] in _MATERIAL
    words = line.translate(_APART).split()
    if not words or len(words) > _FEW or _adopts(" ".join(words)):
        return False
    if "from" in words and (words[0] == "from" or not _CAME.isdisjoint(words)):
        return True
    if not _OWN_WORDS.isdisjoint(words):
        return False
    if not _MATERIAL.isdisjoint(words) or " ".join(words).startswith(_WHAT_OTHERS):
        return True
    named = not line.isascii() and any(sign in line for sign in _MATERIAL_UNSPACED)
    return named and not any(sign in line for sign in _OWN_UNSPACED)


_APART = str.maketrans("：:.,;!?¡¿'’()\"*`#", " " * 17)


def _speaks_to_the_agent(paragraph: str) -> bool:
    if _TO_THE_AGENT.search(paragraph):
        return True
    spoken = not _ADDRESSES.isdisjoint(paragraph.translate(_APART).split())
    return spoken or (
        not paragraph.isascii()
        and any(sign in paragraph for sign in ("请", "你", "ください", "して", "해 주"))
    )


_ADDRESSES = word_set(
    """
    bitte du ich wir mach nur behebe korrigiere s'il tu vous je nous corrige il por favor yo quiero corrige arregla solo você eu
    corrija пожалуйста ты вы я мы исправь только
    """
)


def _adopts(lead: str) -> bool:
    """`do what the review says: …` makes it the person's own."""
    return not _DOING.isdisjoint(lead.removeprefix("please ").split()[:1])


@cache
def _leads() -> re.Pattern[str]:
    """What introduces, in the words before a colon; compiled where one might."""
    thing = (
        r"(?:tweet|post|e-?mail|mail|message|comments?|thread|article|blog|quote|reply|replies|transcript|review|feedback"
        r"|(?:github|gitlab|jira|linear|support|bug) (?:issue|ticket|report))"
    )
    return compiled(
        rf"(?:\b(?:this|these|the following|following) (?:\w+ ){{0,3}}{thing}\b"
        rf"|\b{thing} (?:\w+ )?(?:from|by|of|on|in) \w"
        r"|\b(?:what|how) (?!i\b|we\b|you\b)(?:[\w@.-]+ ){1,4}(?:said|says|wrote|writes|thinks?|replied|answered|posted|suggest\w*|told me)\b"
        r"|^(?!i |we |you )(?:the |my |our |a )?(?:[\w@.-]+ ){1,3}(?:said|says|wrote|writes|replied|commented|answered|posted|tweeted|emailed|complained)\b"
        r"|\b(?:from|according to) the (?:docs|documentation|readme|manual|website|changelog)\b"
        r"|\b(?:pasted|copied|forwarded|quoting|quoted)\b)"
    )

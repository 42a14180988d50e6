"""What the person asked to have done with the work, and nobody saw happen: a commit, a push, a request, a last command.

It is told by the order in a prompt and by the lack of any sign of it afterwards, so a step made of it
says that none was seen. Who forbids it later takes the order back.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from segue.extract.text.prose import plainly, sentences, word_set, words_of
from segue.model.claim import ClaimAct
from segue.model.facts import NextStep, Quote
from segue.model.turn import Index
from segue.model.value import NamedTuple

OWED = "owed"
"""The basis of a step that the person asked for."""
AS_ASKED = " when it is ready, as the person asked: "
"""What stands in such a step behind the order."""


class _Act(NamedTuple):
    order: str
    verb: str
    objects: frozenset[str]
    """What the verb must be followed by; empty for a verb that says it all."""
    ran: tuple[str, ...]
    """Commands that do it."""
    shown: ClaimAct
    """What a claim tells of that shows it."""
    sign: str
    """What is missing while it was not done."""


_REQUESTS = word_set("pr prs mr pull merge request")
_COMMIT = _Act("Commit the work", "commit", frozenset(), ("git commit",), "commit", "no commit")
_PUSH = _Act("Push the work", "push", frozenset(), ("git push",), "push", "no push")
_OPEN = _Act("Open the pull request", "open", _REQUESTS, ("pr create", "mr create"), "opening", "none")
_BY_ORDER = {act.order: act for act in (_COMMIT, _PUSH, _OPEN)}
_ORDERS = {
    _COMMIT: word_set("committe committen einchecken commite commitez commiter commitea закоммить коммить"),
    _PUSH: word_set("pushe pushen hochladen pousse poussez pousser pushea запушь пушь запушить"),
}
"""Forms of a verb that are an order by themselves, in languages other than English."""
_ACTS = {
    **{act.verb: act for act in (_COMMIT, _PUSH)},
    **{verb: act for act, verbs in _ORDERS.items() for verb in verbs},
    **dict.fromkeys(word_set("open create make raise file submit"), _OPEN),
    **dict.fromkeys(
        word_set("öffne erstelle mach mache eröffne ouvre crée abre crea abra crie faça haz открой создай"),
        _OPEN,
    ),
}
_UNSPACED = (
    (_COMMIT, ("コミット", "提交", "커밋"), ("コミットし", "提交", "커밋해")),
    (_PUSH, ("プッシュ", "推送", "푸시"), ("プッシュし", "推送", "푸시해")),
    (
        _OPEN,
        ("pr", "プルリク"),
        (
            "prを作",
            "prを出",
            "プルリク",
            "创建一个 pr",
            "创建 pr",
            "创建pr",
            "提 pr",
            "提一个 pr",
            "开 pr",
            "开一个 pr",
            "pr을 ",
            "pr 만들",
        ),
    ),
)
"""For languages without spaces between words: the act, how it is named, and how it is ordered."""
_UNSPACED_NO = ("しないで", "するな", "不要", "别", "勿", "不用", "지 마", "지 말")
_UNSPACED_NOUNS = (
    "提交信息",
    "提交记录",
    "提交历史",
    "提交消息",
    "的提交",
    "コミットメッセージ",
    "コミット履歴",
)
_LEADS = word_set(
    "and then please also lets now ahead just finally afterwards haz haga faça fais faites mach mache y e et und puis ensuite"
    " dann danach anschließend luego después depois bitte"
)
_ASKS = word_set("can could please should must would will to")
_NO = word_set(
    "not dont never without no cannot cant nicht nie niemals kein keine keinen ne pas jamais sin nunca não nem не никогда"
)
_FORGOTTEN = word_set(
    "forget vergessen vergiss oublie oubliez oublier olvides olvidar esqueça esquecer забудь забудьте"
)
"""Who is told not to forget something is told to do it."""
_NO_BEHIND = word_set("nicht nie niemals pas jamais")
_FOLLOWS = word_set(
    "it them this that these those the to and then when changes everything your all my our up as now with once for"
    " please after before in on at so if again what only both y e et und puis dann luego depois"
)
"""What may follow the verb; anything else makes it a noun, as in `commit message` or `push side`."""
_DESCRIBES = word_set("they people users tools youll assume assumes usually normally typically")
"""What tells how things are done elsewhere."""
_GOES_ON = word_set(
    "for with from against to on and then when as in so please that once of if after upstream auf wenn sobald quand cuando"
    " quando когда dès une"
)
"""What may follow the object of an order."""
_OFFERS = word_set("i me we ill id soll ich je puedo posso")
"""Who offers to do something."""
_DECLINES = _NO | word_set("nope nah nein non wait later stop instead rather hold skip jamais noch нет")
_REACH = 6
"""How many words before a verb may deny it, and how many after it may be its object."""
_LAST_COMMAND = (
    r"\b(?:by|finally|then)\b[^.\n]{0,20}\brun(?:ning)? (?:the )?[`'\"]?([a-z][a-z_-]+)[`'\"]? command\b"
)
"""`submit your changes by running the submit command`: what ends the work."""
_LONG, _EDGE = 2400, 1000
_NAMED = ("commit", "push", "einchecken", "hochladen", "pouss", "pull", "merge", "request")
_REQUESTED = tuple(f"{name}{after}" for name in ("pr", "prs", "mr") for after in " .,;:!?)\n")


def owed(index: Index) -> Iterator[NextStep]:
    """An order for each act that was asked for and not seen since; the last asking of each."""
    asked: dict[str, tuple[_Act, Quote]] = {}
    taken_back: set[str] = set()
    for prompt in index.prompts:
        for act in _taken_up(prompt) if prompt.to else ():
            asked[act.order] = act, prompt
        for sentence in _spoken(prompt.text) if _may_order(prompt.text) else ():
            for act, wanted in _wishes(sentence.lower()).items():
                if wanted:
                    asked[act.order] = act, prompt
                else:
                    asked.pop(act.order, None)
                    taken_back.add(act.order)
        if "command" in prompt.text and (last := re.search(_LAST_COMMAND, prompt.text.lower())):
            asked[last[1]] = _last_command(last[1]), prompt
    for act, prompt in asked.values():
        if not _seen(act, index, prompt.evidence[0].line):
            text = f"{act.order}{AS_ASKED}{act.sign} was seen since."
            yield NextStep(text=text, basis=OWED, evidence=prompt.evidence)
    yield from _owed_before(index, {*taken_back, *(act.order for act, _ in asked.values())})
    yield from _pushed_before(index, asked)


def _owed_before(index: Index, settled: Collection[str]) -> Iterator[NextStep]:
    """What earlier sessions were asked for, where this one neither did it nor was asked for it or against it."""
    for step in index.announced:
        order = step.text.partition(AS_ASKED)[0]
        if step.basis == OWED and order not in settled:
            act = _BY_ORDER.get(order) or _last_command(order[len("Run `") : -1])
            if not _seen(act, index, 0):
                yield step


def _last_command(name: str) -> _Act:
    return _Act(f"Run `{name}`", name, frozenset(), (name,), "", "no run of it")


def _pushed_before(index: Index, asked: Collection[str]) -> Iterator[NextStep]:
    """What the session had pushed or opened and then edited further, where nobody asked for that already."""
    left = next((claim for claim in index.claims if claim.act == "uncommitted" and not claim.origin), None)
    pushed = [c.evidence[0].line for c in index.claims if c.act in ("push", "opening") and not c.origin]
    if (
        left
        and pushed
        and left.evidence[0].line > max(pushed)
        and not {_COMMIT.order, _PUSH.order} & set(asked)
    ):
        work = left.text.partition(" since ")[2]
        text = f"Commit and push what no commit holds yet, once it is ready: {work}."
        yield NextStep(text=text, basis="owed", evidence=left.evidence)


def _taken_up(prompt: Quote) -> list[_Act]:
    """The acts that the agent offered and the person agreed to."""
    words = words_of(plainly(prompt.text))
    if not words or not _DECLINES.isdisjoint(words) or not _may_order(prompt.to):
        return []
    return [act for said in sentences(prompt.to) for act in _offered(said.lower())]


def _offered(sentence: str) -> Iterator[_Act]:
    words = "".join(c if c.isalnum() or c == " " else "" for c in sentence).split()
    for i, word in enumerate(words):
        act = _ACTS.get(word)
        following, before = words[i + 1 : i + 1 + _REACH], words[max(0, i - _REACH) : i]
        if act is None or not (_OFFERS & set(before)) or not _NO.isdisjoint(before):
            continue
        if _has_object(following, act.objects) if act.objects else not following or following[0] in _FOLLOWS:
            yield act


def _may_order(text: str) -> bool:
    """A quick look before sentences are taken apart: most prompts name none of the acts."""
    if not text.isascii():
        return True
    lower = f" {text.lower()} "
    return any(sign in lower for sign in _NAMED) or any(sign in lower for sign in _REQUESTED)


def _spoken(text: str) -> list[str]:
    return sentences(text if len(text) <= _LONG else f"{text[:_EDGE]}\n{text[-_EDGE:]}")


def _wishes(sentence: str) -> dict[_Act, bool]:
    """The acts that a sentence orders, and those that it forbids."""
    words = "".join(c if c.isalnum() or c in " ,;" else "" for c in sentence).split()
    found: dict[_Act, bool] = {}
    for i, word in enumerate(words):
        act = _ACTS.get(word.rstrip(",;"))
        if act and (wanted := _wanted(act, words, i)) is not None:
            found.setdefault(act, wanted)
    if not sentence.isascii() and not any(noun in sentence for noun in _UNSPACED_NOUNS):
        forbids = any(no in sentence for no in _UNSPACED_NO)
        for act, names, orders in _UNSPACED:
            if any(name in sentence for name in (names if forbids else orders)):
                found.setdefault(act, not forbids)
    return found


def _wanted(act: _Act, words: list[str], i: int) -> bool | None:
    """True where the word orders the act, False where it is forbidden, None where it does neither."""
    verb = words[i].rstrip(",;")
    following = [w.rstrip(",;") for w in words[i + 1 : i + 1 + _REACH]]
    if act.objects and not _has_object(following, act.objects):
        return None
    abroad = verb in _ORDERS.get(act, ())
    before = [w.rstrip(",;") for w in words[max(0, i - _REACH) : i]]
    reminded = not _FORGOTTEN.isdisjoint(before)
    if not _NO.isdisjoint(before) and not reminded:
        return False
    if abroad:
        return _NO_BEHIND.isdisjoint(following[:3])
    if not act.objects and following and following[0] not in _FOLLOWS:
        return None
    return True if (reminded or _is_ordered(words[:i])) and _DESCRIBES.isdisjoint(words[:i]) else None


def _has_object(following: list[str], objects: frozenset[str]) -> bool:
    """One of these is what the verb is about, and not the first half of something else."""
    at = next((i for i, word in enumerate(following[:4]) if word in objects), None)
    rest = [word for word in following[at:] if word not in objects] if at is not None else []
    return at is not None and (not rest or rest[0] in _GOES_ON)


def _is_ordered(before: list[str]) -> bool:
    """The verb after these words is an order, not a noun or a condition."""
    if not before or before[-1].endswith((",", ";")) or before[-1] in _LEADS:
        return True
    return before[-1] == "you" and len(before) > 1 and before[-2] in _ASKS


def _seen(act: _Act, index: Index, since: int) -> bool:
    if act.shown and any(
        c.act == act.shown and c.evidence[0].line > since for c in index.claims if not c.origin
    ):
        return True
    if any(name in turn.tools for turn in index.turns if turn.last_line > since for name in act.ran):
        return True
    return any(
        name in run.command or run.key.startswith(name)
        for run in index.commands
        if run.last_ok and run.last_ok.evidence.line > since and not run.origin
        for name in act.ran
    )

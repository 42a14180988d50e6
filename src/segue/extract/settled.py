"""What looks done: to-dos that a commit names or a check proved, and work that was handed in.

Agents finish more than they tick off. What was handed in after a to-do list was last kept may be what
the list asks for, so the list is then a thing to look at and no longer a list of orders.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from segue.extract.commands import concern, shell
from segue.extract.commands.judged import can_judge
from segue.extract.overruled import only_forbids
from segue.extract.text.prose import phrases, plainly, sentences, word_set, words_of
from segue.extract.text.relevance import terms
from segue.model.claim import ClaimAct
from segue.model.entry import SUBMITTED
from segue.model.facts import Claim, CommandFact, Evidence, Quote, TodoFact
from segue.model.turn import Index

HANDED_IN: tuple[ClaimAct, ...] = ("commit", "push", "opening")
"""What a claim tells of that shows work handed in."""
_NAMED = 0.75
"""What share of a to-do's terms a commit must hold to speak of it."""
_CHECKING = word_set(
    "test lint check verify build suite full unit pass format typecheck compil green verifi all"
)
"""The terms of a to-do that asks for a check."""
_SORTS_OF_TESTS = word_set("unit integration functional e2e acceptance system smoke")
"""Folders that tell which tests lie in them, not of what."""
_PRAISE = word_set(
    "works worked working nice great thanks thank perfect awesome excellent lovely good cool done love lgtm super brilliant"
    " wonderful amazing beautiful"
)
BESIDE_PRAISE = _PRAISE | word_set(
    "looks look that this it now much very so well ok okay yes yep all the you job is was"
)
_PRAISE_LENGTH = 60
_ANNOUNCES = phrases(
    "let me |now let me |now let's |now i'll |next, i'll |next i'll |first, i'll |i'll now |i'm now |"
    "i'm going to |i am going to |i'm moving |i'm checking |i'm running |i'm reading |i'll start |"
    "i'll create |i'll read |i'll check |i'll run |i'll look |now i need to |now the "
)
"""How an agent begins to tell what it does next, in the same breath."""
_PROMISES = phrases(
    " i'll begin| i'll start| i'll do| i'll take| i'll get| i'll run| i'll fix| i'll build| i'll write| i'll check| i'll look| i'll first| i will |"
    " i'm going to | i am going to | let me | noted:| noted,| will do| on it.| starting with | first the | ich werde | ich fange | ich beginne |"
    " je vais | je commence | voy a | empiezo | vou | começo | сейчас | начну | zaczynam | zacznę |始めます|取り掛か|我会|我将|我先|하겠"
)
_PROMISE_LENGTH = 200
_SPEAKING = word_set("attempt_completion plan_mode_respond ask_followup_question finish respond message")
"""Tools by which some agents only say something."""
_LEFT = (
    "still to do|still to be done|left to do|remains to be|still need|still missing|still pending|still open|waiting for your|waiting on your"
    "|i need to|is not done|not finished|has to wait|what's missing|what is missing"
    "|muss noch|müssen noch|fehlt noch|fehlen noch|noch aus|noch nicht|noch offen|reste à|reste encore|pas encore|il faut encore|il manque"
    "|attend ton|attend votre|todavía falta|aún falta|todavía no|aún no|queda por|pendiente|falta |ainda não|pendente|осталось|остаётся|ещё не"
    "|еще не|нужно ещё|нужно еще|まだ|残って|未実行|还需要|还没|尚未|还未|有待|아직|남아"
)
"""How an agent tells that something is not done, in small letters; a sign ends at `|`."""
_WAITS = (
    ("i'll ", "i will "),
    ("once you ", "as soon as you ", "when you ", "after you ", "after your ", "until you "),
)
_WAITS_ABROAD = "sobald du|sobald sie|dès que tu|dès que vous|en cuanto |cuando lo apruebes|cuando apruebes|cuando me |assim que você|quando você |как только|次第"
"""How it tells that it goes on when the person says so."""
_NOTHING = ("nothing ", "no ", "none ", "if ", "there is nothing ", "there's nothing ")
_NOTHING_ABROAD = ("nichts", "rien", "nada", "ничего", "ありません", "没有剩")


def handed_in(index: Index) -> Claim | None:
    """The last commit, push or request of this session."""
    shown = [c for c in index.claims if c.act in HANDED_IN and not c.origin]
    return max(shown, key=lambda claim: claim.evidence[0].line, default=None)


def submitted(index: Index) -> Evidence | None:
    """The end of the session, where the agent's program took the work there."""
    turn = index.turns[-1] if index.turns else None
    return Evidence(turn.last_line) if turn and SUBMITTED in turn.signals else None


def last_edit(index: Index) -> int:
    """The line of the last edit of this session."""
    return max((f.evidence[0].line for f in index.files if f.work_state and not f.origin), default=0)


def last_passed(index: Index) -> CommandFact | None:
    """The check that went well last; of those of one line a test."""
    return max(_passed(index), key=_late_test, default=None)


def _passed(index: Index) -> list[CommandFact]:
    return [c for c in index.commands if c.check and c.last_ok and c.last_ok.proved and c.state != "open"]


def _late_test(run: CommandFact) -> tuple[int, bool]:
    return _went_well_at(run), shell.is_test(tuple(run.key.split()))


def last_passed_on(index: Index, paths: Sequence[str]) -> CommandFact | None:
    """Of the checks that went well and judge one of these files the last test, else the last."""
    runs = [c for c in _passed(index) if any(judges(c, path) for path in paths)]
    tests = [run for run in runs if shell.is_test(tuple(run.key.split()))]
    return max(tests or runs, key=_late_test, default=None)


def judges(run: CommandFact, path: str) -> bool:
    """It is a check of this file: it reads such files and was given it, or everything."""
    command = run.command
    words = tuple((command.partition(" && ")[2] if command.startswith("cd ") else command).split())
    if not can_judge(words, path):
        return False
    chosen = [value.lower() for _, value in shell.selection(words)]
    if chosen:
        return any(concern.subject(path) in value for value in chosen)
    places = concern.scope([words])
    return not places or concern.within(path, places) or any(_tests_of(place, path) for place in places)


def _tests_of(place: str, path: str) -> bool:
    """A folder of tests, of everything or of what the path lies in."""
    folders = place.split("/")
    own = [folder for folder in folders if not concern.tests(folder) and folder not in _SORTS_OF_TESTS]
    return "." not in folders[-1] and len(own) < len(folders) and set(own).issubset(path.split("/"))


def mended(index: Index) -> CommandFact | None:
    """The last command that had failed and is seen to go well."""
    runs = [
        c for c in index.commands if c.last_bad and c.last_ok and c.last_ok.proved and c.state == "resolved"
    ]
    return max((run for run in runs if not run.origin), key=_went_well_at, default=None)


def _went_well_at(run: CommandFact) -> int:
    return run.last_ok.evidence.line if run.last_ok and not run.origin else 0


def last_request(index: Index) -> Quote | None:
    """The last prompt that says more than that it is well, or what is not to be done."""
    asked = (p for p in reversed(index.prompts) if not praises(p.text) and not only_forbids(p.text))
    return next(asked, None)


def praised(index: Index) -> bool:
    """The last prompt says that it is well, and nothing else."""
    return bool(index.prompts) and praises(index.prompts[-1].text)


def praises(said: str) -> bool:
    """It says that something is well, and nothing else."""
    if len(said) > _PRAISE_LENGTH or "?" in said:
        return False
    words = words_of(said)
    return not _PRAISE.isdisjoint(words) and BESIDE_PRAISE.issuperset(words)


def left_over(index: Index) -> Quote | None:
    """What the agent's last words say is not done; the last sentence of that sort."""
    turn = index.turns[-1] if index.turns else None
    for said in reversed(sentences(turn.closing)) if turn else ():
        plain = plainly(said).rstrip(".! ")
        if _says_left(plain) and not plain.startswith(_NOTHING):
            return Quote(text=said, evidence=(Evidence(turn.closing_line),)) if turn else None
    return None


def _says_left(plain: str) -> bool:
    if plain.endswith((" yet", " run", " tested")) and ("n't " in plain or " not " in plain):
        return True
    if any(sign in plain for sign in f"{_LEFT}|{_WAITS_ABROAD}".split("|")):
        return not any(sign in plain for sign in _NOTHING_ABROAD)
    return all(any(sign in plain for sign in signs) for signs in _WAITS)


def announced(index: Index) -> Quote | None:
    """What the agent was about to do when its last words were the last thing seen."""
    turn = index.turns[-1] if index.turns else None
    if turn is None or not turn.closing or turn.last_line > turn.closing_line:
        return None
    last = turn.closing.strip().rsplit("\n", 1)[-1].strip()
    said = next(reversed(sentences(last)), "")
    plain = plainly(said)
    announces = plain.startswith(_ANNOUNCES) and not plain.startswith("let me know")
    return Quote(text=said, evidence=(Evidence(turn.closing_line),)) if announces else None


def promised(index: Index) -> Quote | None:
    """The last prompt, where the agent did nothing after it but say in few words that it would."""
    turn = index.turns[-1] if index.turns else None
    asked = index.prompts[-1] if index.prompts else None
    if not turn or not asked or not asked.evidence or len(turn.closing) > _PROMISE_LENGTH:
        return None
    if (
        not _SPEAKING.issuperset(turn.tools)
        or turn.first_line != asked.evidence[0].line
        or asked.text.rstrip().endswith("?")
        or _begins_with_praise(asked.text)
    ):
        return None
    said = sentences(turn.closing)
    conditional = any(
        sign in plainly(turn.closing) for sign in ("if you", "once you", "when you", "let me know", "?")
    )
    promises = any(sign in f" {plainly(sentence)}" for sentence in said for sign in _PROMISES)
    return asked if promises and not conditional else None


def _begins_with_praise(said: str) -> bool:
    """It praises and asks for nothing that takes more words."""
    words = words_of(said)
    return len(said) <= _PRAISE_LENGTH and not _PRAISE.isdisjoint(words[:2])


def todos(index: Index, fresh_after: int) -> list[TodoFact]:
    """The to-dos, of which those that may be done are called stale: nobody kept the list for several turns, work
    was handed in since and the turn ended, or they are shown to be done."""
    given = handed_in(index)
    given_at = given.evidence[0].line if given else 0
    now = index.turns[-1].first_line if index.turns else 0
    done = shown_done(index)
    judged = []
    for todo in index.todos:
        if todo.state == "cancelled":
            continue
        at = todo.evidence[0].line if todo.evidence else 0
        turned = index.source.ended == "finished" or at < now
        stale = at < fresh_after or (turned and given_at > at) or done(todo)
        judged.append(replace(todo, stale=stale and not todo.origin))
    return judged


def shown_done(index: Index) -> Callable[[TodoFact], bool]:
    """Tells whether a commit names a to-do, or a check did what it asks for, since the list was kept."""
    handed = (c for c in index.claims if c.act in HANDED_IN and not c.origin)
    commits = [(c.evidence[0].line, frozenset(terms(c.text))) for c in handed]
    passed = last_passed(index)
    passed_at = _went_well_at(passed) if passed else 0
    edited_at = last_edit(index)

    def is_done(todo: TodoFact) -> bool:
        at = todo.evidence[0].line if todo.evidence else 0
        asks = frozenset(terms(todo.text))
        if not asks:
            return False
        if _CHECKING.issuperset(asks) and passed_at > max(at, edited_at):
            return True
        return any(line > at and len(asks & said) >= _NAMED * len(asks) for line, said in commits)

    return is_done

"""Statements that did not last: what the person took back or refused, what a check refutes, what is gone.

An agent tells how things are at the time. The session goes on: the person undoes the work, the check that was said to
pass fails, the failure that was explained is mended, the file that was described is deleted. Who reads such a sentence
later takes it for true, so it is not told; a finding about a failure that was mended since is told as such, because
causes come back.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec.structs import replace

from segue.extract.remarks import conceded, corrected, outlived
from segue.extract.text.prose import phrases, plainly, sentences, word_set
from segue.extract.text.relevance import terms
from segue.extract.text.unspaced import spaced
from segue.model.facts import CommandFact, FailedRun, FileFact, Note
from segue.model.turn import Turn
from segue.model.value import NamedTuple

MENDED = "mended since: "
"""How a finding is told that explains a failure which is none any more."""
_SAID = 400
"""Characters of a prompt in which it refuses."""
_REACH = 3
"""How many prompts later something may be refused that the prompt names."""
_UNDOES = phrases(
    "undo |undo.|undid|i reverted|i've reverted|i rolled |i discarded|i threw |revert |roll back|roll it back|roll that back|take it back|"
    "take that back|you broke|start over|throw it away|throw that away|rückgängig|zurückgesetzt|nimm das zurück|nimm es zurück|annule |annulé|deshaz|deshice|"
    "revierte|revertí|desfaz|desfiz|откати|отмени|cofnij|cofnął|撤销|回滚|还原|元に戻|取り消|되돌려|되돌렸"
)
"""How a prompt says that the work is taken back, in small letters."""
_REFUSES = phrases(
    "not right|n't right|is wrong|are wrong|was wrong|'s wrong|n't want|not want|not what i|shouldn't|should not|bad idea|n't like|not a fan|"
    "overkill|you can't|u can't|we can't|you cannot|we cannot|falsch|nicht so|pas bon|no quiero|está mal|no puedes|nie tak|"
    "不对|不要|違い|ではなく|아니"
)
_BRIEF_UNSPACED = 16
"""Characters in which a sentence without spaces names nothing beside that."""
_NOT_SO = phrases("if |unless |don't |do not |never |when |wenn |falls |si |не |no ")
"""How a sentence begins that takes nothing back."""
_WORK = word_set(
    "chang edit undo undid undone revert roll rolled back commit last everyth try again file read full stuff whole previous work"
    " broke break start over discard threw throw away take took please that it this thing code version your befor completely"
    " mach bitte nimm zurück rückgängig alles änderung änderungen wieder deshaz deshice revierte cambio favor todo annule modificat changement tes vos ton cela isso esto eso ça myself yourself selbst"
    " desfaz alterações отмени откати изменения всё это свои cofnij zmiany proszę"
)
"""What one takes back without naming it."""
_FAILS = word_set(
    """
    fail fails failed failing missing broken breaks broke crash crashes crashed hangs wrong
    falla fallan falló faltan falta rompe schlägt fehlt fehlen kaputt échoue échouent manque manquent falha falham
    падает падают failuje pada brakuje
    """
)
_FAILS_UNSPACED = ("失敗", "落ち", "足り", "失败", "缺少", "报错", "실패", "누락")
_WELL = word_set(
    """
    healthy compliant solved resolved valid complete completed done stable
    pass passes passed passing green clean succeed succeeds succeeded match matches matched agree agrees fixed works
    pasa pasan coinciden coincide funciona verde läuft laufen grün stimmen stimmt passe passent concorde concordent marche
    passa passam проходит проходят сходятся przechodzi przechodzą zgadzają
    """
)
_PASSES = _WELL - word_set(
    "match matches matched agree agrees fixed works funciona läuft laufen marche clean"
    " healthy compliant solved resolved valid complete completed done stable"
)
"""Those that are said of nothing but a check."""
_WELL_UNSPACED = ("通りま", "通っ", "通過", "成功し", "一致", "通过", "통과", "일치")
_WELL_OR_NOT = _WELL | _FAILS
_NOT_WELL = word_set(
    "not no don't doesn't didn't isn't aren't won't cannot can't until once if unless by should must nicht kein"
)
_REASONS = word_set("because since but so weil porque pero parce car mais потому")
_SHORTEST = 36
"""Characters that must be left of a statement."""
_BRIEF = 3
"""Letters that may be a part of any word."""
_LINES, _LINE = 6, 160
"""Lines of a complaint that are compared, and characters of each."""
_SUBJECT = 4
"""Words before a verb in which its subject is looked for."""
_CHECKING = word_set(
    "verification verify verifying test tests testing build building check compile compiling lint"
)
_OF_PEOPLE = word_set("you your user person approval review merge merging policy policies")
_VAGUE = word_set(
    "test tests error fail failed failur file line pass check result row expected found command src lib run python python3 node npm npx"
    " pnpm yarn cargo rust make bash uv poetry pytest build main app"
)
"""What is in many commands and their complaints."""
_AFTER_PASSES = word_set(
    "in on for with across now again everywhere and too en auf mit dans sur nun jetzt ya y und et w na em"
)
"""What may follow a verb that passes nothing on."""


class _Refusal(NamedTuple):
    about: frozenset[str]
    """What is refused; nothing for all that was said in the turn before."""
    least: int


class _Failure(NamedTuple):
    """A run that failed: what it complained of, where it did, and where it went well again."""

    said: str
    line: int
    good: int


class _Evidence(NamedTuple):
    """What the checks say in the end."""

    failing: list[_Failure]
    mended: list[_Failure]
    doubtful: list[str]
    """Each command that fails, or that nobody saw succeed, with what it said."""
    passed: list[int]
    """Where checks were last seen to go well, in order."""


def standing(
    notes: Sequence[Note], turns: Sequence[Turn], commands: Sequence[CommandFact], files: Sequence[FileFact]
) -> list[Note]:
    """The statements that nothing later refutes."""
    own = [note for note in notes if not note.origin]
    if not own:
        return list(notes)
    starts = [turn.first_line for turn in turns]
    refusals = _refusals(own, turns, starts)
    shown = _evidence(commands)
    since, later = outlived.since(files, turns), corrected.later(commands, own)
    kept: list[Note] = []
    for note in conceded.standing(notes, turns):
        if note.origin:
            kept.append(note)
        elif not _refused(note, refusals, starts):
            kept += _lasting(note, shown, since, later)
    return kept


def _lasting(note: Note, shown: _Evidence, since: outlived.Since, later: corrected.Later) -> list[Note]:
    """The statement without its sentences that did not last, if enough is left of it."""
    if note.kind == "blocked" and _unblocked(note, shown):
        return [replace(note, text=MENDED + note.text, score=note.score - 1)]
    doubtful = corrected.may_be(note.text, later)
    if not doubtful and not _may_not_last(note.text) and not outlived.may_be(note.text, since):
        return [note]
    line = note.evidence[0].line
    spoken = sentences(note.text) or [note.text]
    kept = [
        said
        for said in spoken
        if not (
            outlived.outlived(said, line, since)
            or _disproved(said, line, shown)
            or (doubtful and corrected.corrected(said, line, later))
        )
    ]
    lasting = [said for said in kept if not _mended(said, line, shown)]
    if len(lasting) == len(spoken):
        return [note]
    if note.kind == "finding" and kept == spoken:
        return [replace(note, text=MENDED + note.text, score=note.score - 1)]
    text = " ".join(lasting)
    return [replace(note, text=text)] if len(text) >= _SHORTEST else []


def _unblocked(note: Note, shown: _Evidence) -> bool:
    """It says that something stands in the way of a check, and one has gone well since."""
    words = _words(note.text)
    line = note.evidence[0].line
    checks = not _CHECKING.isdisjoint(words) and _OF_PEOPLE.isdisjoint(words)
    return checks and any(line < good for good in shown.passed)


def _may_not_last(text: str) -> bool:
    """A quick look: it has a word of going well or failing."""
    if not _WELL_OR_NOT.isdisjoint(_words(text)):
        return True
    return not text.isascii() and any(sign in text for sign in (*_WELL_UNSPACED, *_FAILS_UNSPACED))


def _refusals(notes: Iterable[Note], turns: Sequence[Turn], starts: Sequence[int]) -> dict[int, _Refusal]:
    """By their places the turns, of those soon after a statement, that begin with a refusal."""
    soon = {
        place
        for after in {bisect_right(starts, note.evidence[0].line) for note in notes}
        for place in range(len(turns))[after:][:_REACH]
    }
    found = {place: _refusal(turns[place].prompt[:_SAID]) for place in soon}
    return {place: refusal for place, refusal in found.items() if refusal}


def _refusal(prompt: str) -> _Refusal | None:
    lower = plainly(prompt)
    if any(sign in lower for sign in _UNDOES):
        for said in re.split(r"[,;] ", "\n".join(sentences(lower)).replace("\n", "; ")):
            if any(sign in f"{said}." for sign in _UNDOES) and not said.startswith(_NOT_SO):
                brief = not said.isascii() and len(said) <= _BRIEF_UNSPACED and " " not in said
                return _Refusal(frozenset() if brief else frozenset(terms(spaced(said))) - _WORK, 1)
    if any(sign in lower for sign in _REFUSES):
        return _Refusal(frozenset(terms(spaced(prompt))) - _WORK, 2)
    return None


def _refused(note: Note, refusals: Mapping[int, _Refusal], starts: Sequence[int]) -> bool:
    if not refusals:
        return False
    after = bisect_right(starts, note.evidence[0].line)
    for place in range(after, after + _REACH):
        refusal = refusals.get(place)
        if refusal is None:
            continue
        if not refusal.about:
            if place == after:
                return True
        elif _shares(refusal, note.text):
            return True
    return False


def _shares(refusal: _Refusal, text: str) -> bool:
    """A text speaks of what is refused. To look for the terms in it is cheaper than to take it apart."""
    lower = text.lower()
    if sum(term in lower for term in refusal.about) < refusal.least:
        return False
    return len(refusal.about.intersection(terms(spaced(text)))) >= refusal.least


def _evidence(commands: Sequence[CommandFact]) -> _Evidence:
    passed = sorted(
        run.last_ok.evidence.line
        for run in commands
        if run.check and run.last_ok and run.last_ok.proved and not run.origin
    )
    shown = _Evidence([], [], [], passed)
    for run in commands:
        bad, good = run.last_bad, run.last_ok
        if run.state == "open" and bad:
            shown.failing.append(_failure(bad, 0))
            shown.doubtful.append(f"{run.key} {_complaint(bad)}".lower())
        elif run.state == "resolved" and bad and good and not run.origin:
            shown.mended.append(_failure(bad, good.evidence.line))
        elif run.check and good and not good.proved:
            shown.doubtful.append(f"{run.key} {good.outcome}".lower())
    return shown


def _failure(bad: FailedRun, good: int) -> _Failure:
    return _Failure(_complaint(bad), bad.evidence.line, good)


def _complaint(bad: FailedRun) -> str:
    return " ".join(line[:_LINE] for line in bad.error_lines[:_LINES])


@lru_cache(maxsize=512)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(terms(spaced(text))) - _VAGUE


def _words(text: str) -> list[str]:
    return plainly(text).replace(",", " ").replace(".", " ").replace(";", " ").replace(":", " ").split()


def _disproved(said: str, line: int, shown: _Evidence) -> bool:
    """It says that something is well of which a check says otherwise, or none says so."""
    if not shown.doubtful:
        return False
    words = _words(said)
    if not said.isascii() and any(sign in said for sign in _WELL_UNSPACED):
        return _speaks_of_one(_terms_of(said), shown.doubtful)
    if _WELL.isdisjoint(words) or not _NOT_WELL.isdisjoint(words):
        return False
    at = next(place for place, word in enumerate(words) if word in _WELL)
    subject = _terms_of(" ".join(words[max(0, at - _SUBJECT) : at]))
    if _speaks_of_one(subject, shown.doubtful):
        return True
    return _REASONS.isdisjoint(words) and _says_passes(words) and _failed_last(line, shown)


def _speaks_of_one(subject: frozenset[str], runs: Iterable[str]) -> bool:
    """One of the runs has a term of the subject in its text, which is cheaper to see than what its own terms are."""
    telling = [term for term in subject if len(term) > _BRIEF or not term.isascii()]
    return any(term in run for run in runs for term in telling)


def _says_passes(words: Sequence[str]) -> bool:
    return any(
        word in _PASSES and then in _AFTER_PASSES
        for word, then in zip(words, (*words[1:], "now"), strict=True)
    )


def _failed_last(line: int, shown: _Evidence) -> bool:
    """Of the checks before this line the last one failed, and still does."""
    failed = max((run.line for run in shown.failing if run.line < line), default=0)
    passed = max((good for good in shown.passed if good < line), default=0)
    return failed > passed


def _mended(said: str, line: int, shown: _Evidence) -> bool:
    """It tells of a failure that none of the failing checks shows, and that was mended since."""
    words = _words(said)
    unspaced = not said.isascii() and any(sign in said for sign in _FAILS_UNSPACED)
    if not unspaced and _FAILS.isdisjoint(words):
        return False
    named = (word.strip("`'\"()") for word, then in pairwise(words) if then in _FAILS)
    names = [name for name in named if "_" in name]
    if any(line < good for good in shown.passed) and any(
        not any(name in run.said.lower() for run in shown.failing) for name in names
    ):
        return True
    mended = [run for run in shown.mended if run.line <= line < run.good]
    if not mended:
        return False
    own = _terms_of(said)
    still = max((len(own & _terms_of(run.said)) for run in shown.failing), default=0)
    for run in mended:
        shared = own & _terms_of(run.said)
        if len(shared) > still and (len(shared) > 1 or any(map(_is_name, shared))):
            return True
    return False


def _is_name(term: str) -> bool:
    return not term.isalpha()

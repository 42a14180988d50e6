"""Claims against the results of tools: ids, addresses, counts, commands and how they came out.

What a claim names has to stand in the results it points to, else it is refuted; what it says in words of
its own and no result repeats cannot be known. An agent's prose proves nothing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from segue.handoff.item_reading import ParsedItem
from segue.handoff.verify.evidence import Shown, Transcript, ran, same_words, says
from segue.handoff.verify.statements import places
from segue.model.claim import PROVEN
from segue.model.facts import CommandFact
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_CODE = compiled(r"`([^`]+)`")
_QUOTE = compiled(r'"(.+)"')
_ADDRESS = compiled(r"https?://[^\s\"'<>)\]`]*[\w/]")
_ID = compiled(r"\b(?=[a-f]*\d)[0-9a-f]{7,40}\b|(?<=[Cc]ommit )[0-9a-f]{7,40}\b")
_COUNT = compiled(r"(?<![\w.#-])(\d+)\s+([^\W\d_]{2,})")
_NUMBER = compiled(r"(?<![\w#])\d+(?:[.:]\d+)*(?!\w)")
_WORD = compiled(r"[^\W\d_]{3,}")
_EXIT = compiled(r"\bexit(?:ed)?(?: with)?(?: code| status)?:? (\d+)")
_COMMITTED = compiled(r"[Cc]ommit ([0-9a-f]{7,40})(?: \(([0-9a-f]{7,40}) when it was made\))? on (.+?): (.+)")
_PUSHED = compiled(r"pushed (\S.* -> \S+)(?: \((\S+)\))?")
_ENDED = compiled(r"`[^`]+` (?:passed|failed|worked)(?: — (.+))?")


def _word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_PASSES = _word_set("pass passes passed passing succeeds succeeded success works worked green clean")
_FAILS = _word_set("fail fails failed failing failure failures broken breaks broke red crashes crashed")
_COUNTED = _word_set("pass passes passed passing test tests ok total examples specs checks succeeded")
_OWN = _word_set(
    "commit commits committed pushed opened the and for with that this was were are has have been now all more"
    " exit code status not but its from into since before after again done built tested"
)
"""Words in which a handoff tells what a result shows; the result itself need not hold them."""


class Parts(NamedTuple):
    """What a claim names. `exact` are phrases that must stand there word by word."""

    commands: tuple[str, ...]
    exact: tuple[str, ...]
    ids: tuple[str, ...]
    addresses: tuple[str, ...]
    counts: tuple[tuple[str, str], ...]
    numbers: tuple[str, ...]
    words: frozenset[str]
    """What is left, in words of its own."""

    @property
    def marks(self) -> tuple[str, ...]:
        """What a result that shows it must hold, letter by letter."""
        counted = (f"{number} {unit}" for number, unit in self.counts)
        return (*self.ids, *self.addresses, *counted)


class Judged(NamedTuple):
    """What of a claim no result shows: what refutes it, and what merely cannot be told."""

    refuted: tuple[str, ...] = ()
    untold: tuple[str, ...] = ()
    checked: bool = True


def parts(text: str) -> Parts:
    """What a claim names, by its form where it has one of ours."""
    commands = tuple(_CODE.findall(text))
    quotes = tuple(quote for quote in _QUOTE.findall(_CODE.sub(" ", text)))
    prose = _QUOTE.sub(" ", _CODE.sub(" ", text))
    exact: tuple[str, ...] = quotes
    if committed := _COMMITTED.fullmatch(text):
        sha, made, *told = committed.groups()
        return Parts((), tuple(told), (made or sha,), (), (), (), frozenset())
    if pushed := _PUSHED.fullmatch(text):
        return Parts((), tuple(part for part in pushed.groups() if part), (), (), (), (), frozenset())
    if ended := _ENDED.fullmatch(text):
        outcome, more, _ = (ended[1] or "").partition(" (and ")
        exact = (outcome,) if outcome else ()
        return Parts(commands, exact, (), (), (), (), frozenset((text[text.rindex(more) :],) if more else ()))
    addresses = tuple(_ADDRESS.findall(prose))
    prose = _EXIT.sub(" ", _ADDRESS.sub(" ", prose))
    ids = tuple(_ID.findall(prose))
    prose = _ID.sub(" ", prose)
    counts = tuple((number, unit.casefold()) for number, unit in _COUNT.findall(prose))
    numbers = tuple(_NUMBER.findall(_COUNT.sub(" ", prose)))
    words = frozenset(word.casefold() for word in _WORD.findall(prose)) - _OWN - _PASSES - _FAILS
    return Parts(commands, exact, ids, addresses, counts, numbers, words)


def judged(item: ParsedItem, transcript: Transcript) -> Judged:
    """A claim against the results it points to, or, where it points nowhere, those that hold its marks."""
    named = parts(item.text)
    if item.evidence:
        there = transcript.at(item)
        if not there:
            return Judged((f"anything at {places(item)}",))
    else:
        there = list(transcript.found.get(named.marks, ()))
        if not there:
            return _by_its_commands(item, named, transcript)
    if item.state in PROVEN:
        results = [shown for shown in there if shown.by in ("result", "call")]
        if not any(shown.by == "result" for shown in results):
            return Judged((f"the result of a tool at {places(item)}",))
        there = results
    return _compared(item, named, there, transcript)


def _compared(item: ParsedItem, named: Parts, there: Sequence[Shown], transcript: Transcript) -> Judged:
    text = "\n".join(f"{shown.command}\n{shown.text}" for shown in there)
    refuted = [f"`{told}`" for told in named.commands if not _names(there, told)]
    refuted += [repr(phrase) for phrase in named.exact if not says(text, phrase)]
    refuted += [id for id in named.ids if not _has_id(text, id)]
    refuted += [url for url in named.addresses if not re.search(rf"{re.escape(url)}(?![\w-])", text)]
    refuted += [f"{number} {unit}" for number, unit in named.counts if not _counts(text, number, unit)]
    refuted += [number for number in named.numbers if not says(text, number)]
    refuted += _outcome(item, there, transcript)
    untold = sorted(word for word in named.words if not says(text, word))
    return Judged(tuple(refuted), tuple(untold), checked=any(named) or bool(_EXIT.search(item.text)))


def _by_its_commands(item: ParsedItem, named: Parts, transcript: Transcript) -> Judged:
    """A claim that points nowhere and whose marks no result holds: what the ledger knows of its commands."""
    if named.marks:
        return Judged(named.marks)
    refuted = []
    for told in named.commands:
        run = known_run(told, transcript.index.commands)
        if run is None:
            refuted.append(f"a run of `{told}`")
        elif expected(item) is True and run.last_ok is None:
            refuted.append(f"a run of `{told}` that went well")
        elif expected(item) is False and run.last_bad is None:
            refuted.append(f"a run of `{told}` that failed")
    return Judged(tuple(refuted), tuple(sorted(named.words)), checked=bool(named.commands))


def known_run(told: str, commands: Sequence[CommandFact]) -> CommandFact | None:
    """The command of the ledger that a handoff tells so."""
    return next(reversed(known_runs(told, commands)), None)


def known_runs(told: str, commands: Sequence[CommandFact]) -> list[CommandFact]:
    """Those that it may mean: one that is told short may be any of several."""
    fits = [run for run in commands if told in _spellings(run)]
    return fits or [run for run in commands if any(ran(line, told) for line in _spellings(run))]


def _spellings(run: CommandFact) -> tuple[str, ...]:
    """How its lines were written: what failed may have been given more than what went well."""
    return (run.command, run.key, *((run.last_bad.command,) if run.last_bad else ()))


def expected(item: ParsedItem) -> bool | None:
    """Whether the claim says that something went well; None where it says neither."""
    prose = _QUOTE.sub(" ", _CODE.sub(" ", item.text)).partition(" — ")[0].casefold()
    words = set(_WORD.findall(prose))
    status = _EXIT.search(prose)
    if words & _FAILS or (status and status[1] != "0"):
        return False
    if words & _PASSES or status or item.state in ("tested", "built"):
        return True
    return None


def _outcome(item: ParsedItem, there: Sequence[Shown], transcript: Transcript) -> list[str]:
    """What the results do not show of how it came out."""
    found = []
    prose = _CODE.sub(" ", item.text).partition(" — ")[0]
    status = _EXIT.search(prose)
    if status and not any(shown.exit_code == int(status[1]) for shown in there):
        found.append(f"exit {status[1]}")
    well = expected(item)
    if item.state in ("tested", "built") and (well is False or not any(shown.command for shown in there)):
        found.append("a check that passed")
    elif well is True and not went(there, transcript, well=True):
        found.append("a run that went well")
    elif well is False and not _COUNT.search(prose) and not went(there, transcript, well=False):
        found.append("a run that failed")
    if item.state == "pushed" and not any(
        "push" in shown.command and shown.failed is not True for shown in there
    ):
        found.append("a push")
    return found


def went(there: Sequence[Shown], transcript: Transcript, *, well: bool) -> bool:
    """One of the results can be called so: by its own record, or as the ledger reads what it printed."""
    good = {run.last_ok.evidence.line for run in transcript.index.commands if run.last_ok}
    bad = {run.last_bad.evidence.line for run in transcript.index.commands if run.last_bad}
    lines = {shown.line for shown in there}
    if lines & (good if well else bad):
        return True
    if lines & (bad if well else good):
        return False
    records = [shown.failed for shown in there if shown.by == "result"]
    return False in records or None in records if well else True in records


def _names(there: Sequence[Shown], told: str) -> bool:
    return any(ran(shown.command, told) or says(shown.text, told) for shown in there)


def _has_id(text: str, id: str) -> bool:
    return any(other.startswith(id) or id.startswith(other) for other in _ID_LIKE.findall(text))


_ID_LIKE = compiled(r"\b[0-9a-f]{7,40}\b")


def _counts(text: str, number: str, unit: str) -> bool:
    """The number stands there with its unit, before it or behind it with a colon; tests that passed are told
    in several words."""
    units = _COUNTED if unit in _COUNTED else {unit}
    folded = text.casefold()
    for found in re.finditer(rf"(?<![\w.,]){number}(?![\w.])", folded):
        after = _WORD.match(folded, found.end() + _gap(folded, found.end()))
        before = re.search(r"([^\W\d_]{2,})\s*[:=]\s*$", folded[max(0, found.start() - 40) : found.start()])
        if (after and after[0] in units) or (before and before[1] in units):
            return True
    return False


def _gap(text: str, place: int) -> int:
    """How much stands between a number and what follows it in the same line."""
    return len(text[place : place + 3]) - len(text[place : place + 3].lstrip(" \t,"))


def known_claim(item: ParsedItem, transcript: Transcript) -> bool:
    """The transcript, read today, gives this very claim."""
    return any(
        claim.state == item.state
        and same_words(claim.text, item.text)
        and (not item.evidence or any(place.line in item.evidence for place in claim.evidence))
        for claim in transcript.index.claims
    )

"""Claims that a later run or a later number corrects: of what runs, and of what was measured.

"The new host is upgraded and its proxy runs again", and the next command fails on that host. "A steady 40 Hz", and the
next measurement says 31, or the agent itself does: "31 Hz and not 40".
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import pairwise

from segue.extract.commands.measured import readings
from segue.extract.text.prose import plainly, word_set
from segue.extract.text.relevance import terms
from segue.extract.text.unspaced import spaced
from segue.model.facts import CommandFact, Note
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_STATES = word_set(
    """
    running runs up upgraded deployed live started restarted restored installed connected reachable online ready migrated
    synced active back healthy serving available reconnected recovered enabled working works finished
    läuft laufen aktualisiert erreichbar bereit tourne fonctionne démarré funcionando corriendo listo actualizado rodando
    работает запущен обновлён działa uruchomiony
    """
)
_NOT_YET = word_set(
    "not no isn't aren't won't cannot can't until once if unless should must will would when before to nicht pas ne no не nie"
)
_VAGUE = word_set(
    "server servers service host hosts again now test tests build command file error failed fatal msg main run src lib app"
)
_JOINS = word_set("so because since but and while weil und aber car et mais porque y pero")
"""Words with which a sentence goes on to something else."""
_NUMBER = r"(\d[\d.,]*) ?([a-z%]*)"
_CLOSE = 0.03
"""How far a number may be from the measured one, as a part of it, to be the same rounded."""


class Later(NamedTuple):
    """What came of claims: the runs that fail, the numbers measured last, and those that the agent took back."""

    failing: list[tuple[int, str]]
    """The line of each, with the command and its complaint in small letters."""
    measured: list[tuple[int, dict[str, float]]]
    taken_back: list[tuple[int, str, str]]
    """The line where it was done, the number and its unit."""


def later(commands: Sequence[CommandFact], notes: Iterable[Note]) -> Later:
    well = _went_well(commands)
    failing = [
        (run.last_bad.evidence.line, f"{run.command} {' '.join(run.last_bad.error_lines[:6])}".lower())
        for run in commands
        if run.last_bad and not run.origin
        # A look that failed is open nowhere, and says how things are all the same.
        if run.state == "open" or well.get(run.key.partition(" ")[0], 0) < run.last_bad.evidence.line
    ]
    measured = [
        (run.last_ok.evidence.line, read)
        for run in commands
        if run.last_ok and run.last_ok.outcome and not run.check and not run.origin
        if (read := readings(run.last_ok.outcome))
    ]
    return Later(failing, measured, [taken for note in notes for taken in _taken_back(note)])


def _went_well(commands: Sequence[CommandFact]) -> dict[str, int]:
    """Where a run of each program last went well."""
    found: dict[str, int] = {}
    for run in commands:
        if run.last_ok:
            program = run.key.partition(" ")[0]
            found[program] = max(found.get(program, 0), run.last_ok.evidence.line)
    return found


def may_be(text: str, since: Later) -> bool:
    """A quick look: it tells of a state, or of a number."""
    if (since.measured or since.taken_back) and any(map(str.isdigit, text)):
        return True
    return bool(since.failing) and not _STATES.isdisjoint(_words(text))


def corrected(said: str, line: int, since: Later) -> bool:
    """What the sentence, said at this line, claims was shown or said otherwise later."""
    words = _words(said)
    if not _STATES.isdisjoint(words) and _NOT_YET.isdisjoint(words) and _fails_since(words, line, since):
        return True
    if not any(map(str.isdigit, said)):
        return False
    lower = plainly(said)
    if any(line < at and _gives(lower, number, unit) for at, number, unit in since.taken_back):
        return True
    return any(line < at and _reads_otherwise(words, read) for at, read in since.measured)


def _fails_since(words: Sequence[str], line: int, since: Later) -> bool:
    """A run after it fails and names what is said to be well: by a name that is no plain word, or by two words."""
    state = next(place for place, word in enumerate(words) if word in _STATES)
    end = next((place for place, word in enumerate(words) if place > state and word in _JOINS), len(words))
    subject = frozenset(terms(spaced(" ".join(words[:end])))) - _VAGUE
    for at, text in since.failing:
        shared = [term for term in subject if term in text] if line < at else []
        if len(shared) > 1 or any(not term.isalpha() and not term[0].isdigit() for term in shared):
            return True
    return False


def _reads_otherwise(words: Sequence[str], read: dict[str, float]) -> bool:
    """The sentence gives one number for what was measured, and another was measured since."""
    told = [word.rstrip("abcdefghijklmnopqrstuvwxyz%") for word in words if word[0].isdigit()]
    numbers = [float(number) for number in told if number.replace(".", "", 1).isdigit()]
    labels = [label for label in read if label in words]
    if len(numbers) != 1 or not labels:
        return False
    return all(abs(numbers[0] - read[label]) > _CLOSE * max(abs(read[label]), 1.0) for label in labels)


@cache
def _pattern() -> re.Pattern[str]:
    return compiled(rf"{_NUMBER},? (?:and |but )?not {_NUMBER}|not {_NUMBER},? but {_NUMBER}")


def _taken_back(note: Note) -> Iterable[tuple[int, str, str]]:
    if " not " not in note.text or note.origin:
        return
    for found in _pattern().finditer(plainly(note.text)):
        right, unit, wrong, its, wrong_first, first, right_last, last = found.groups()
        number = wrong or wrong_first
        if number.strip(".,") != (right or right_last).strip(".,"):
            yield note.evidence[0].line, number.strip(".,"), its or unit or first or last or ""


def _gives(said: str, number: str, unit: str) -> bool:
    """The sentence, in small letters, gives this number with this unit."""
    if not unit or number not in said:
        return False
    words = said.replace(",", " ").replace(";", " ").replace(":", " ").rstrip(".! ").split()
    return f"{number}{unit}" in words or any(
        word == number and after.rstrip(".") == unit for word, after in pairwise(words)
    )


def _words(text: str) -> list[str]:
    return (
        plainly(text)
        .replace(",", " ")
        .replace(". ", " ")
        .replace(";", " ")
        .replace(":", " ")
        .rstrip(".! ")
        .split()
    )

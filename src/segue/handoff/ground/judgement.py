"""One statement against the session: each atom has to stand where it points, and nothing there may say the opposite."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import Literal

from segue.handoff.ground.atoms import (
    Atom,
    akin,
    atoms,
    counted,
    figures,
    items,
    parts_of_name,
    same_figure,
    stands,
    stem,
    unnamed,
)
from segue.handoff.ground.markers import attributes, compound, marker, verdicts
from segue.handoff.ground.session import Seen, Session, pieces
from segue.handoff.wording import is_line, says, spelled
from segue.model.entry import TodoState
from segue.model.facts import Facts
from segue.model.prose import english, says_nothing
from segue.model.value import NamedTuple

Verdict = Literal["shown", "elsewhere", "not_seen", "contradicted"]
Severity = Literal["ok", "note", "warning", "error"]

_WORD = re.compile(r"[^\W\d_]{3,}")
_SHORT_WORD = re.compile(r"\b[^\W\d_]{3,4}\b")
_SENTENCE = re.compile(r"(?<=[.!?;。！？])\s+|\n+")
_JOINT = re.compile(r"…|(?:^|\s)[-+]\s")
"""What a brief puts between parts of a text, and before the old and the new of an edit."""
_TIMES = re.compile(r"(\d{1,9})×")
_BOX = re.compile(r"\[([ x~-])\]")
_BOXES: dict[str, TodoState] = {" ": "pending", "~": "in_progress", "x": "completed", "-": "cancelled"}
_REACH = 3
"""Entries beside a place in which a statement's plain words may stand."""
_SUPPORT, _FOUND, _BETTER, _ALIEN = 0.3, 0.6, 0.3, 0.8
"""Shares of a statement's words: too few at its place, enough at another, so many more there, too many known nowhere."""
_FEW_WORDS, _HALF = 4, 0.5
_SMALL, _LONG = 2, 4
"""Figures of a number that stands anywhere, and of one that names something."""
_HEAD, _TAIL = 2, 3
"""Lines at the ends of a text that sum it up."""
_PLACES = 3
_SHARED, _MANY = 2, 3
"""Words that a correction shares with what it corrects: where they are most of it, and in any case."""
_HELD = 0.3
"""Which part of a statement's words, by their weight, has to stand where it points so that a name may stand nearby."""
_LISTED = 0.15
"""The same in the item of a list that the statement names by its number."""
_BESIDE, _LONG_SESSION = 3, 50
"""Entries beside a place that may name what a statement is about: so many, fewer in a session of few lines."""
_BULK = 12_000
"""Characters of a place that holds so many names that it proves nothing to find some in it."""
_SHOWN = 80


class Statement(NamedTuple):
    """`lines` are those of the session it points to, `quotes` what it gives as somebody's words, `at` is the line of the
    text it stands on."""

    text: str
    lines: tuple[int, ...] = ()
    quotes: tuple[str, ...] = ()
    by_person: bool = False
    at: int = 0


class Judgement(NamedTuple):
    """`atom` is what is wrong, `lines` are the pointers as they should be."""

    statement: Statement
    verdict: Verdict
    atom: str
    lines: tuple[int, ...]
    severity: Severity
    message: str


class _Fault(NamedTuple):
    verdict: Verdict
    atom: str
    message: str
    lines: tuple[int, ...] = ()
    severity: Severity = "error"


def judge(
    statement: Statement, session: Session, facts: Facts | None = None, told: Iterable[int] = ()
) -> Judgement:
    """How a statement stands. `told` are other lines that its text points to, so that a reader is led there too."""
    case = _Case(statement, session, facts, frozenset(told))
    for check in case.checks():
        if fault := check():
            lines = fault.lines or statement.lines
            return Judgement(statement, fault.verdict, fault.atom, lines, fault.severity, fault.message)
    return Judgement(statement, "shown", "", statement.lines, "ok", "The session shows it.")


def checkable(statement: Statement) -> bool:
    """It points somewhere or names something."""
    return bool(statement.lines or statement.quotes or atoms(statement.text)[0])


def stems(text: str) -> set[str]:
    """The words of a text that say something, by their stems."""
    words = (word.casefold() for word in _WORD.findall(text))
    return {stem(word) for word in words if not says_nothing(word) and not marker("telling").fullmatch(word)}


class _Case:
    """A statement with what stands where it points. Each check gives the fault that it finds."""

    def __init__(
        self, statement: Statement, session: Session, facts: Facts | None, told: frozenset[int]
    ) -> None:
        self.statement, self.session, self.facts, self.told = statement, session, facts, told
        self.atoms, self.prose = atoms(statement.text)
        if _TIMES.fullmatch(statement.text) or _BOX.fullmatch(statement.text):
            self.atoms = []
        own = {f"#{line}" for line in statement.lines}
        self.atoms = [atom for atom in self.atoms if atom.text not in own]
        self.told_words = [atom for atom in self.atoms if atom.kind == "quotation"]
        """Quotations in the text itself, which it gives as somebody's words; the others are only evidence."""
        if statement.by_person:
            self.told_words += [Atom("quotation", quote) for quote in statement.quotes]
        shown = (piece for quote in statement.quotes for piece in _JOINT.split(quote))
        self.atoms += [Atom("quotation", piece) for piece in shown if spelled(piece)]
        self.words = stems(f"{self.prose} {' '.join(atom.text for atom in self.atoms)}")
        self.claim = unnamed(statement.text)
        """Its words with their numbers, and without what it names or quotes."""
        self.lines = statement.lines
        self.here = session.at(*self.lines)
        self.asked = session.asked_before(*self.lines)
        self.place = _listed(self.lines)

    def checks(self) -> tuple[Callable[[], _Fault | None], ...]:
        if not self.lines:
            return (self.unpointed,)
        if not self.here:
            return self.elsewhere, lambda: _Fault("not_seen", self.place, f"Nothing stands at {self.place}.")
        known = (self.speaker, self.missing, self.miscounted, self.ended_otherwise, self.listed_otherwise)
        return (*known, self.settled, self.replaced, self.unsupported)

    def unpointed(self) -> _Fault | None:
        """Without a pointer what it names has to stand anywhere."""
        if absent := next((atom for atom in self.atoms if not self._holders(atom)), None):
            small = absent.kind == "number" or len(spelled(absent.text)) <= _SMALL
            message = f"{_short(absent.text)} stands nowhere in the session."
            return _Fault("not_seen", absent.text, message, severity="note" if small else "warning")
        found = self.elsewhere() if self._weights else None
        return found and _Fault("elsewhere", "", "It has no pointer.", found.lines, "note")

    def missing(self) -> _Fault | None:
        """An atom that does not stand there; a name that only says what the rest is about may stand nearby."""
        absent = [atom for atom in self.atoms if not self._stands(atom, self.here)]
        about = [atom for atom in self.atoms if atom.kind not in ("number", "label")]
        missed = sum(atom in absent for atom in about)
        if len(about) < _SHARED or missed * 2 <= len(about):
            absent = [atom for atom in absent if not self._beside(atom)]
        if not absent:
            return None
        missed = sum(atom in absent for atom in about)
        named = missed * 2 < len(about) or any(atom.kind == "label" for atom in absent)
        if not named and (found := self.elsewhere()):
            return found if set(found.lines) - set(self.lines) else None
        atom = absent[0]
        places = sorted({seen.line for seen in self._holders(atom)})
        where = f"; it stands at {_listed(places)}" if places else " nor anywhere else in the session"
        message = f"{_short(atom.text)} does not stand at {self.place}{where}."
        return self._other_count(atom) or _Fault("not_seen", atom.text, message)

    def miscounted(self) -> _Fault | None:
        if times := _TIMES.fullmatch(self.statement.text):
            among = [seen for seen in self.session.words if min(self.lines) <= seen.line <= max(self.lines)]
            said = sum(says(seen.text, self.statement.quotes[0]) for seen in among)
            if len(self.statement.quotes) == 1 and int(times[1]) > said:
                return _Fault("contradicted", times[0], f"It was said {said}×, not {times[0]}.")
        small = {atom for atom in self.atoms if len(atom.text.lstrip("0")) <= _SMALL}
        loose = (atom for atom in self.atoms if atom in small or not self._stands(atom, self.here))
        return next((fault for atom in loose if (fault := self._other_count(atom))), None)

    def _other_count(self, atom: Atom) -> _Fault | None:
        """Another number than this one stands beside the very thing that it counts."""
        known = {figure for seen in self.here for figure in counted(atom, seen.text)}
        known = {figure for figure in known if "." in atom.text or "." not in figure}
        if not known or any(same_figure(atom, figure) for figure in known):
            return None
        others = " and ".join(sorted(known)[:_PLACES])
        return _Fault("contradicted", atom.text, f"{self.place} has {others}, not {atom.text}.")

    def speaker(self) -> _Fault | None:
        """Whose words they are told as, against who speaks at the very lines."""
        agent = attributes(self.prose, "agent")
        person = attributes(self.prose, "person") or (self.statement.by_person and not agent)
        spoken = self.session.only_at(*self.lines)
        if person == agent or not spoken or any(seen.by == "asker" for seen in spoken):
            return None
        mine = [seen for seen in spoken if seen.by == "person"]
        if agent:
            wrong = mine and all(seen.by in ("person", "other") for seen in spoken)
            message = f"The person said it at {self.place}, not the agent."
            return _Fault("contradicted", "agent", message) if wrong else None
        foreign = [atom for atom in self.told_words if not self._stands(atom, [*mine, *self.asked])]
        if (mine or self.told_words) and not foreign:
            return None
        if found := self.elsewhere(person=True):
            return found
        if mine and not any(self._stands(atom, self.here) for atom in foreign):
            return None
        who = foreign[0].text if foreign else "person"
        return _Fault("contradicted", who, f"The person did not say it at {self.place}.")

    def ended_otherwise(self) -> _Fault | None:
        """Every place it points to says the opposite."""
        claimed = verdicts(self.claim)
        if "unknown" in claimed:
            recorded = any(seen.failed is not None and not compound(seen.command) for seen in self.here)
            return _Fault("contradicted", "outcome", f"{self.place} says how it ended.") if recorded else None
        known = self._endings() if len(claimed) == 1 else set()
        if not known or claimed & known or any(not said or claimed & said for said in self._told_at_each()):
            return None
        ended = "failed" if "fail" in known else "went well"
        return _Fault(
            "contradicted", next(iter(claimed)), f"The record at {self.place} says that it {ended}."
        )

    def _endings(self) -> set[str]:
        """How it ended: by the very lines of the evidence that hold an atom, else by the call that has most of it."""
        lines = [line for seen in self.here if seen.prints for line in seen.text.split("\n")]
        if self.atoms:
            sought = [atom for atom in self.atoms if atom.kind != "path"]
            lines = [line for line in lines if any(stands(a, line, f" {spelled(line)} ") for a in sought)]
        else:
            shared = [len(self.words.intersection(pieces(line))) for line in lines]
            lines = [line for line, count in zip(lines, shared, strict=True) if count == max(shared) > 0]
        known: set[str] = {verdict for line in lines for verdict in verdicts(line, evidence=True)}
        if known:
            known |= {"pass"} if any(seen.went_well for seen in self.here) else set()
            return known | ({"fail"} if any(seen.failed for seen in self.here) else set())
        groups: dict[int, list[Seen]] = {}
        for seen in self.here:
            groups.setdefault(seen.group, []).append(seen)
        share = {
            group: self._share(rows) for group, rows in groups.items() if any(seen.verdicts for seen in rows)
        }
        best = [seen for group in share if share[group] == max(share.values()) for seen in groups[group]]
        return {verdict for seen in best for verdict in seen.verdicts}

    def _told_at_each(self) -> Iterator[frozenset[str]]:
        """What each message, and each run with its result, says of how it ended; one that has nothing which the statement
        names may tell of another thing, unless it is silent."""
        for line in self.lines:
            told = [seen for seen in self.session.at(line) if seen.prints and seen.by != "person"]
            said = frozenset(verdict for seen in told for verdict in seen.verdicts)
            if told and (not said or not self.atoms or self._share(self.session.at(line))[0]):
                yield said

    def _share(self, seen: Sequence[Seen]) -> tuple[int, float]:
        """How many atoms stand there, and how much of the plain words."""
        return sum(self._stands(atom, seen) for atom in self.atoms), self._support(seen)

    def listed_otherwise(self) -> _Fault | None:
        box = _BOX.fullmatch(self.statement.text)
        if box is None:
            return None
        text, todos = self.statement.quotes[0], self.session.todos
        state = next((state for known, state in todos.items() if says(known, text)), None)
        if state is None:
            return _Fault("not_seen", text, "The last to-do list does not have it.")
        listed = f"The last to-do list has it as {state.replace('_', ' ')}."
        return _Fault("contradicted", text, listed) if state != _BOXES[box[1]] else None

    def settled(self) -> _Fault | None:
        """A failure told as one of now, which a later run took back."""
        if verdicts(self.prose) != {"fail"} or not marker("now").search(self.prose):
            return None
        for atom in self.atoms if self.lines else ():
            runs = [run for run in self.session.runs if is_line(run.command, atom.text)]
            if runs and runs[-1].line > max(self.lines) and runs[-1].failed is False:
                return _Fault("contradicted", atom.text, f"It went well at #{runs[-1].line}.")
            for command in self.facts.commands if self.facts else ():
                if command.settled_by and is_line(command.command, atom.text):
                    message = f"{_short(command.settled_by)} went well at #{command.settled_line}."
                    return _Fault("contradicted", atom.text, message)
        return None

    def replaced(self) -> _Fault | None:
        """Words of the person that they themselves took back later."""
        mine = [seen.line for seen in self.here if seen.by == "person"]
        for seen in self.session.words if mine else ():
            if seen.line <= max(*self.lines, *mine) or seen.line in self.told:
                continue
            for sentence in _SENTENCE.split(seen.text):
                others = stems(sentence)
                shared = len(self.words & others)
                most = min(len(self.words), len(others)) / 3 if self.told_words else (len(others) + 1) / 2
                same = shared >= _MANY or shared >= max(_SHARED, most)
                if same and marker("replaced").search(sentence):
                    message = f"The person replaced it at #{seen.line}: {_short(sentence)}."
                    return _Fault("contradicted", _short(sentence), message)
        return None

    def unsupported(self) -> _Fault | None:
        """Plain words of which the place has next to none, and nothing else that could prove anything."""
        words = stems(self.prose)
        if len(words) < _FEW_WORDS or self._foreign():
            return None
        if all(map(self._weak, self.atoms)) and not marker("not").search(self.prose):
            here = self._support(self.session.around(*self.lines, reach=_REACH))
            best = max(self.session.sharing(words), key=lambda seen: self._support([seen]), default=None)
            if best and here < _HELD and self._support([best]) >= max(_FOUND, here + _BETTER):
                message = f"{self.place} says less of it than #{best.line}."
                return _Fault("elsewhere", self.place, message, (best.line,), "warning")
            if here < _SUPPORT:
                message = f"{self.place} says nothing of the kind."
                return _Fault("not_seen", "statement", message, severity="warning")
        alien = sum(not self.session.rows(word) for word in words)
        if alien > _FEW_WORDS and alien >= _ALIEN * len(words):
            message = "Most of its words stand nowhere in the session."
            return _Fault("not_seen", "statement", message, severity="warning")
        return None

    @cached_property
    def _weights(self) -> dict[str, float]:
        return {word: self.session.weight(word) for word in stems(self.prose)}

    def _support(self, seen: Iterable[Seen]) -> float:
        """Which part of its plain words stands there, rare ones counting for more."""
        held = self._weights.keys() & set().union(*(one.stems for one in seen))
        return sum(self._weights[word] for word in held) / (sum(self._weights.values()) or 1)

    def _weak(self, atom: Atom) -> bool:
        """A small number that does not stand beside what it counts: it proves little."""
        if atom.kind != "number" or len(atom.text) > _SMALL:
            return not spelled(atom.text)
        return not any(same_figure(atom, known) for seen in self.here for known in counted(atom, seen.text))

    def _foreign(self) -> bool:
        """Its smallest words are none of this session's: it is in another language, and words prove nothing."""
        if english(self.prose) and self.session.knows("the"):
            return False
        small = set(_SHORT_WORD.findall(self.prose))
        return bool(small) and sum(self.session.knows(word) for word in small) * 3 < len(small)

    def _stands(self, atom: Atom, seen: Sequence[Seen]) -> bool:
        if atom.kind == "number" and self._is_quoted(atom):
            return True
        if atom.kind == "label":
            return self._is_item(atom)
        if atom.kind == "number" and len(atom.text) <= _SMALL:
            return any(self._beside_words(atom, one.text) for one in seen)
        if any(stands(atom, one.text, one.plain) for one in seen):
            return True
        if atom.kind == "path":
            return self._path_stands(atom, seen)
        parts = parts_of_name(atom.text)
        return bool(parts) and all(any(f" {spelled(part)} " in one.plain for one in seen) for part in parts)

    def _is_quoted(self, atom: Atom) -> bool:
        """The statement quotes it from its evidence; quotations are looked for by themselves."""
        return any(same_figure(atom, known) for quote in self.statement.quotes for known in figures(quote))

    def _beside_words(self, atom: Atom, text: str) -> bool:
        """A small number counts beside what it counts; else in a long text only on the line of an id of the statement, on
        one that has another word of it, or where the text begins or ends."""
        names = (a.text for a in self.atoms if a.kind == "id" or (len(a.text) > _LONG and a.text.isdigit()))
        ids = {piece for name in names for piece in pieces(name)}
        rows = [(stands(atom, line, ""), set(pieces(line))) for line in text.split("\n")]
        if any(same_figure(atom, known) for known in counted(atom, text)):
            return True
        if any(ids & row for _, row in rows):
            return any(found and ids & row for found, row in rows)
        words, last = self.words.union(atom.near), len(rows) - _TAIL
        return any(found and (not _HEAD <= n < last or words & row) for n, (found, row) in enumerate(rows))

    def _path_stands(self, atom: Atom, seen: Sequence[Seen]) -> bool:
        """Its beginning and its end stand there, as where a folder is listed or entered; or its name does, and the whole
        path somewhere else."""
        parts = atom.text.strip("/").split("/")
        for n in range(len(parts) - 1, 0, -1):
            head, tail = (f" {spelled('/'.join(part))} " for part in (parts[:n], parts[n:]))
            if not any(tail in one.plain for one in seen):
                return False
            named = n == len(parts) - 1 and "." in parts[-1] and self._holders(atom)
            if named or any(head in one.plain for one in seen):
                return True
        return False

    def _beside(self, atom: Atom) -> bool:
        """It only says what the statement is about: most of the words of that stand at the place, and the name right beside
        it. One name put for another stands where other things are told."""
        if self._share_of(set().union(*(seen.stems for seen in self.here)), atom) < _HELD:
            return False
        if atom.kind == "quotation":
            return bool(marker("person").search(self.prose)) and self._stands(atom, self.asked)
        reach = min(_BESIDE, 1 + self.session.last // _LONG_SESSION)
        if atom.kind == "number":
            near = self.session.around(*self.lines, reach=reach) if len(atom.text) >= _SMALL else []
            return any(same_figure(atom, known) for seen in near for known in counted(atom, seen.text))
        if (
            self._stands(atom, self.session.around(*self.lines, reach=reach))
            or atom.text in self.session.folders
        ):
            return True
        if atom.kind == "code" and len(atom.text.split()) > 1 and not verdicts(self.claim):
            return bool(self._holders(atom))
        return atom.kind == "id" and self._latest(atom)

    def _latest(self, atom: Atom) -> bool:
        """The place names none of its kind, and this is the one named last before it or next, as people speak of "the pull
        request"."""
        if any(akin(atom, seen.text) for seen in self.here):
            return False
        ways = (self.session.before(max(self.lines)), self.session.after(max(self.lines)))
        named = (next((seen for seen in way if akin(atom, seen.text)), None) for way in ways)
        return any(seen is not None and stands(atom, seen.text, seen.plain) for seen in named)

    def _is_item(self, label: Atom) -> bool:
        """No other item of the lists there tells more of the statement than that with this number, nor of those that somebody
        wrote elsewhere. Several items told of together are only looked for."""
        labels = {atom.text for atom in self.atoms if atom.kind == "label"}
        written = (seen for seen in self.session.sharing(self.words) if seen.by == "agent")
        for seen, least in ((self.here, 0.0), ([*self.session.words, *written], _LISTED)):
            shares: dict[str, float] = {}
            for number, words in (item for one in seen for item in items(one.text)):
                share = self._share_of(set(pieces(words)), label)
                shares[number] = max(share, shares.get(number, 0.0))
            if label.text in shares:
                others = [share for number, share in shares.items() if number not in labels]
                return len(labels) > _SHARED or shares[label.text] >= max(least, *others, 0.0)
        return False

    def _share_of(self, found: set[str], atom: Atom) -> float:
        """Which part of the statement's words and names, the atom aside, these hold by weight."""
        words = {*stems(self.prose), *(p for one in self.atoms for p in pieces(one.text))}
        words -= set(pieces(atom.text))
        whole = sum(self.session.weight(word) for word in words) or 1
        return sum(self.session.weight(word) for word in words & found) / whole

    def _holders(self, atom: Atom) -> list[Seen]:
        if atom.kind == "label":
            among = (*self.session.words, *self.session.sharing(self.words))
            return [seen for seen in dict.fromkeys(among) if stands(atom, seen.text, "")]
        words = f"{atom.text} {' '.join(atom.near[:1])}" if atom.kind == "number" else atom.text
        return [seen for seen in self.session.holding(words) if stands(atom, seen.text, seen.plain)]

    def elsewhere(self, person: bool = False) -> _Fault | None:
        """The one other place, or the few, where all of it stands."""
        groups: dict[int, set[int]] | None = None
        for atom in sorted(self.atoms, key=lambda atom: atom.kind == "number"):
            if groups is not None and atom.kind == "number":
                held = self.session.at(*(line for lines in groups.values() for line in lines))
                holders = [seen for seen in held if stands(atom, seen.text, seen.plain)]
            else:
                holders = self._holders(atom)
            if atom.kind == "number" and len(atom.text) <= _SMALL and atom.near:
                holders = [s for s in holders if any(same_figure(atom, f) for f in counted(atom, s.text))]
            found: dict[int, set[int]] = {}
            for seen in holders:
                if not person or seen.by == "person":
                    found.setdefault(seen.group, set()).add(seen.line)
            groups = found if groups is None else {g: groups[g] | found[g] for g in groups.keys() & found}
        lines = tuple(sorted(set().union(*groups.values()))) if groups and len(groups) <= _PLACES else ()
        if not lines or not self._holds_at(lines):
            return None
        message = f"It does not stand at {self.place} but at {_listed(lines)}."
        return _Fault("elsewhere", self.place, message, lines, "warning")

    def _holds_at(self, lines: tuple[int, ...]) -> bool:
        """Whether it would be shown there, and no less of its plain words than where it points."""
        other = _Case(self.statement._replace(lines=lines), self.session, self.facts, self.told)
        if sum(len(seen.text) for seen in other.here) > _BULK:
            return False
        checks = (other.miscounted, other.ended_otherwise, other.settled, other.replaced)
        if any(check() for check in checks) or not verdicts(self.prose) <= other._endings():
            return False
        named = not any(atom.kind == "quotation" for atom in self.atoms)
        least = max(self._support(self.here), _HALF * (named and len(self._weights) > 1))
        return not self._weights or other._support(other.here) >= least


def _short(text: str) -> str:
    text = " ".join(text.split())
    return repr(text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…")


def _listed(lines: Sequence[int]) -> str:
    more = f" and {len(lines) - _PLACES} more" if len(lines) > _PLACES else ""
    return ", ".join(f"#{line}" for line in lines[:_PLACES]) + more

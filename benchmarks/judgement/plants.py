"""Falsehoods for true packets: thirteen kinds, each made from one true row so that a reader could believe it.

Nothing here is shared with the program that is measured: what a session says is joined from the fields of its entries, and
numbers, ids, paths and symbols are found by patterns of their own.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

from segue.model.entry import Entry

POINTER = re.compile(r"\[#\d+(?:[ ,]+#\d+)*\]")
NUMBER = re.compile(r"(?<![\w#.,/`:-])\d+(?:[.,]\d+)*(?=[\s,;.)%s]|ms|px|$)(?!\.\w)")
ID = re.compile(r"(?<![\w-])(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}(?![\w-])")
CODE = re.compile(r"`([^`]+)`")
PATH = re.compile(r"[\w.@()+/-]+\.[a-z]{1,5}|(?:[\w.@()+-]+/)+[\w.@()+-]*")
SYMBOL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_]\w*)*")
QUOTE = re.compile(r"\"([^\"]{12,})\"")
WORD = re.compile(r"[A-Za-z]{4,}")
NAMED_PATH = re.compile(r"(?<![\w/.-])(?:[\w.@+~-]+/)*[\w.@+-]*\w\.(?:[a-z]{2,4}|[a-z]\d?)(?![\w/.-])")
NAMED_SYMBOL = re.compile(
    r"(?<![\w/.-])(?:[a-z]+[A-Z]\w+|[A-Z][a-z]+[A-Z]\w+|[a-z]+_[a-z_]*[a-z])(?![\w/.-])"
)
_FLIPS = (
    ("passes", "fails"),
    ("passed", "failed"),
    ("pass", "fail"),
    ("succeeded", "failed"),
    ("succeeds", "fails"),
    ("is clean", "is failing"),
    ("worked", "failed"),
    ("works", "fails"),
    ("failed", "passed"),
    ("fails", "passes"),
    ("went through", "failed"),
    (" ok", " failed"),
)
_FOUND: dict[tuple[re.Pattern[str], int], list[str]] = {}
_CONDITION = re.compile(r"\b(?:if|when|unless|until|once|whenever)\b[^.;,:]*$|\s+(?:if|when|unless|until)\b")
_ROUGH = re.compile(r"\b(?:about|around|roughly|nearly|almost|some) $")
_ABSENT = re.compile(r"\b(?:no|not|nothing|never|without)\b|n't", re.I)
_OTHER = ("tomorrow", "database", "never", "customers", "seventeen", "purple", "delete", "always")
_CORRECTIONS = (
    "Actually, forget what I said about {words}: we do it the other way round.",
    "I changed my mind, {words} is not wanted any more.",
    "No longer {words}, please.",
    "Don't {words} after all.",
    "Scratch that: instead of {words}, leave everything as it was.",
    "On second thought drop the {words} thing.",
)
_INVENTED = (
    "The billing service was moved to another cluster after the outage",
    "Two reviewers demanded a rewrite of the payment adapter before the release",
    "`src/payments/stripe_gateway.py` was refactored into three classes",
    "The nightly backup job was disabled because it filled the disk",
    "A feature flag `enable_dark_launch` guards the new checkout",
    "Load tests showed 4,812 requests per second on the staging cluster",
    "Support for Windows 7 was dropped after talking to the customer",
    "Commit `deadb0a7` reverts the experiment with the message queue",
    "The licence of the charting library turned out to be incompatible",
    "Passwords are now hashed with argon2 instead of bcrypt",
    "The team agreed to freeze the public interface until spring",
    "An index on the invoices table made the report nine times faster",
)


class View(NamedTuple):
    """A session as the planter sees it."""

    entries: Sequence[Entry]
    texts: dict[int, str]
    person: list[tuple[int, str]]
    agent: list[tuple[int, str]]
    beside: dict[int, set[int]]
    """For each line those of the same calls: a call and its result are one place."""


class Plant(NamedTuple):
    """`text` replaces the row; `more` are entries that the session gets at its end."""

    kind: str
    text: str
    more: tuple[Entry, ...] = ()


def view(entries: Sequence[Entry], whole: Callable[[int], str]) -> View:
    """`whole` gives what a record holds beyond the excerpts of its entry."""
    texts: dict[int, str] = {}
    calls: dict[str, list[int]] = {}
    for entry in entries:
        edits = (part for edit in entry.edits for part in (edit.path, edit.old, edit.new))
        said = "\n".join((entry.command, entry.text, entry.reason, *entry.paths, *edits))
        more = whole(entry.line) if entry.edits else ""
        texts[entry.line] = f"{texts.get(entry.line, '')}\n{said}\n{more}"
        if entry.call_id:
            calls.setdefault(entry.call_id, []).append(entry.line)
    person = [(e.line, e.text) for e in entries if e.kind == "user" and e.by == "person"]
    beside: dict[int, set[int]] = {}
    for lines in calls.values():
        for line in lines:
            beside.setdefault(line, set()).update(lines)
    return View(entries, texts, person, [(e.line, e.text) for e in entries if e.kind == "agent"], beside)


def plants(row: str, seen: View, rng: random.Random) -> list[Plant]:
    """Every falsehood that can be made of a row, one a kind."""
    made = []
    for kind, make in _KINDS.items():
        found = make(row, seen, rng)
        if isinstance(found, Plant):
            made.append(found)
        elif found and found != row:
            made.append(Plant(kind, found))
    return made


def _moved(row: str, seen: View, rng: random.Random) -> str:
    """To a line that, with its neighbours, has none of the row's marked words and hardly one of its others. What tells of
    something that did not happen stands nowhere, and is left alone."""
    bare = POINTER.sub(" ", row)
    if _ABSENT.search(bare):
        return ""
    marked = {w.casefold() for w in re.findall(r"[\w./-]*[\d_./A-Z][\w./-]*", bare) if len(w) > 3}
    marked |= {part.casefold() for code in CODE.findall(bare) for part in re.findall(r"\w{3,}", code)}
    plain = {word.casefold()[:5] for word in WORD.findall(bare)}
    old = {int(n) for p in POINTER.findall(row) for n in re.findall(r"\d+", p)}
    lines = [n for n in seen.texts if all(abs(n - o) > 4 for o in old)]
    rng.shuffle(lines)
    for line in lines:
        place = {*range(line - 2, line + 3), *seen.beside.get(line, ())}
        near = "\n".join(seen.texts.get(n, "") for n in place).casefold()
        if not any(word in near for word in marked) and sum(word in near for word in plain) * 4 <= len(plain):
            return POINTER.sub(f"[#{line}]", row)
    return ""


def _inside(row: str, pattern: re.Pattern[str], change: Callable[[str], str], rng: random.Random) -> str:
    """The row with one hit of the pattern, outside its pointers, changed."""
    taken = [m.span() for m in POINTER.finditer(row)]
    hits = [m for m in pattern.finditer(row) if not any(a <= m.start() < b for a, b in taken)]
    if not hits:
        return ""
    hit = rng.choice(hits)
    other = change(hit[0])
    return f"{row[: hit.start()]}{other}{row[hit.end() :]}" if other else ""


def _digit(text: str, rng: random.Random) -> str:
    place = rng.choice([n for n, c in enumerate(text) if c.isdigit()])
    low = 1 if place == 0 and len(text) > 1 else 0
    return text[:place] + rng.choice([d for d in "0123456789"[low:] if d != text[place]]) + text[place + 1 :]


def _number(row: str, seen: View, rng: random.Random) -> str:
    """One digit changed: not in a number that is told as a rough one, and not into one that the row has anyway, which makes
    a row odd ("findings 5 and 5") but tells of nothing that is not there."""
    quiet = CODE.sub(lambda m: "x" * len(m[0]), row)
    hits = [
        m
        for m in NUMBER.finditer(quiet)
        if not any(p.start() <= m.start() < p.end() for p in POINTER.finditer(row))
    ]
    hits = [m for m in hits if not re.match(r"\s*\d+[.)] ", row) or m.start() > 3]
    if not hits:
        return ""
    hit = rng.choice(hits)
    other = _digit(hit[0], rng)
    if other in NUMBER.findall(quiet) or _ROUGH.search(quiet[: hit.start()]):
        return ""
    return f"{row[: hit.start()]}{other}{row[hit.end() :]}"


def _id(row: str, seen: View, rng: random.Random) -> str:
    def change(text: str) -> str:
        place = rng.randrange(len(text) if len(text) < 12 else 8)
        return (
            text[:place] + rng.choice([c for c in "0123456789abcdef" if c != text[place]]) + text[place + 1 :]
        )

    return _inside(row, ID, change, rng)


def _swapped(code: str, others: list[str], rng: random.Random) -> str:
    """A misspelling, or another one of the same session."""
    if others and rng.random() < 0.5:
        return rng.choice(others)
    word = rng.choice(re.findall(r"[A-Za-z]{3,}", code) or [code])
    return code.replace(
        word, f"{word}{rng.choice(['s', '_v2', 'er', 'New'])}" if rng.random() < 0.5 else word[:-1] + "x", 1
    )


def _path(row: str, seen: View, rng: random.Random) -> str:
    codes = [c for c in CODE.findall(row) if PATH.fullmatch(c)]
    if not codes:
        return ""
    code = rng.choice(codes)
    known = sorted({p for e in seen.entries for p in e.paths})
    others = [p for p in known if _far(p, row, seen)]
    return row.replace(f"`{code}`", f"`{_swapped(code, others, rng)}`", 1)


def _symbol(row: str, seen: View, rng: random.Random) -> str:
    codes = [c for c in CODE.findall(row) if SYMBOL.fullmatch(c) and not ID.fullmatch(c) and len(c) > 3]
    if not codes:
        return ""
    code = rng.choice(codes)
    every = " ".join(seen.texts.values())
    others = sorted(
        {s for s in re.findall(r"\b[a-z]+[A-Z]\w+|\b[a-z]+_[a-z_]+\b", every) if _far(s, row, seen)}
    )
    return row.replace(f"`{code}`", f"`{_swapped(code, others, rng)}`", 1)


def _far(name: str, row: str, seen: View) -> bool:
    """It stands nowhere near where the row points."""
    lines = [int(n) for p in POINTER.findall(row) for n in re.findall(r"\d+", p)]
    near = "\n".join(seen.texts.get(m, "") for n in lines for m in range(n - 12, n + 13))
    return name.rpartition("/")[2] not in near and name not in row


def _other(pattern: re.Pattern[str]) -> Callable[[str, View, random.Random], str]:
    """Makes the row with one name in it exchanged for another of the same session: one that does not stand where the row
    points nor right beside it, as often one of the names used most as any."""

    def made(row: str, seen: View, rng: random.Random) -> str:
        lines = {int(n) for p in POINTER.findall(row) for n in re.findall(r"\d+", p)}
        place = {m for n in lines for m in (*range(n - 2, n + 3), *seen.beside.get(n, ()))}
        near = "\n".join(seen.texts.get(n, "") for n in place).casefold()

        def change(name: str) -> str:
            counts = _names(pattern, seen)
            others = [other for other in counts if not _alike(other, name) and not _within(other, near, row)]
            return rng.choice(others[:20] if rng.random() < 0.5 else others) if others else ""

        return _inside(row, pattern, change, rng)

    return made


def _names(pattern: re.Pattern[str], seen: View) -> list[str]:
    """What the pattern finds in a session, the most frequent first."""
    if (pattern, id(seen)) not in _FOUND:
        counts = Counter(name for text in seen.texts.values() for name in set(pattern.findall(text)))
        _FOUND[pattern, id(seen)] = sorted(counts, key=lambda name: (-counts[name], name))
    return _FOUND[pattern, id(seen)]


def _alike(one: str, other: str) -> bool:
    """They may name the same thing."""
    one, other = (name.rpartition("/")[2].casefold() for name in (one, other))
    return one.startswith(other[:7]) if ID.fullmatch(other) else one in other or other in one


def _within(name: str, near: str, row: str) -> bool:
    name = name.rpartition("/")[2].casefold()
    name = name[:7] if ID.fullmatch(name) else name
    return name in near or name in row.casefold()


def _quotation(row: str, seen: View, rng: random.Random) -> str:
    def change(text: str) -> str:
        words = WORD.findall(text)
        return text.replace(rng.choice(words), rng.choice(_OTHER), 1) if len(words) > 1 else ""

    return _inside(row, QUOTE, change, rng)


def _flipped(row: str, seen: View, rng: random.Random) -> str:
    """How a run ended, told the other way round. It is a falsehood where the row names the run, the record of every run it
    points to says how that ended, and the row says the same; a condition ("fails if") tells of no run."""
    quiet = re.sub(r"`[^`]*`|\"[^\"]*\"", lambda m: "x" * len(m[0]), row)
    both = [pair for pair in _FLIPS if re.search(rf"(?<!\w){re.escape(pair[0].strip())}(?!\w)", quiet)]
    negated = re.search(
        r"\b(?:not|no|never|nothing|without|0)\b|n't|no longer|but |although|pass(?:es|ed)? (?:the|on (?!its|the first))\b",
        quiet,
    )
    ends = re.findall(r"\b(?:pass|fail|succeed|work|ok|clean|error)", quiet)
    if not both or negated or len(ends) != 1:
        return ""
    was, now = both[0]
    hit = re.search(rf"(?<!\w){re.escape(was.strip())}(?!\w)", quiet)
    assert hit is not None
    told = "ill" if was.startswith("fail") else "well"
    if _CONDITION.search(quiet[: hit.start()]) or _CONDITION.match(quiet[hit.end() :]):
        return ""
    if _recorded(row, seen) != {told}:
        return ""
    return f"{row[: hit.start()]}{now.strip()}{row[hit.end() :]}"


def _recorded(row: str, seen: View) -> set[str]:
    """How the runs ended that the row points to and names: well, ill, or nobody says."""
    lines = {int(n) for p in POINTER.findall(row) for n in re.findall(r"\d+", p)}
    words = {word.casefold() for word in WORD.findall(POINTER.sub(" ", row))}
    runs = {
        entry.call_id
        for entry in seen.entries
        if entry.kind == "tool_call" and entry.tool_kind == "shell"
        if words & {word.casefold() for word in WORD.findall(entry.command)}
    }
    return {
        "unknown"
        if entry.exit_code is entry.is_error is None
        else "ill"
        if entry.exit_code or entry.is_error
        else "well"
        for entry in seen.entries
        if entry.kind == "tool_result" and entry.call_id in runs
        if lines & {entry.line, *seen.beside.get(entry.line, ())}
    }


def _speaker(row: str, seen: View, rng: random.Random) -> str:
    """The agent's words as the person's, or the other way round."""
    mine = rng.random() < 0.5 or not seen.person
    words = [(n, " ".join(t.split())) for n, t in (seen.agent if mine else seen.person)]
    words = [(n, re.sub(r"[`\"*\[\]]", "", t)) for n, t in words if len(t) > 30 and "\n" not in t[:1]]
    if not words:
        return ""
    line, text = rng.choice(words)
    quote = " ".join(text.split()[:9])
    told = (
        rng.choice(("The user said: ", "The user demands ", "User: "))
        if mine
        else rng.choice(("The agent said: ", "The agent decided "))
    )
    return f'- {told}"{quote}" [#{line}]'


def _superseded(row: str, seen: View, rng: random.Random) -> Plant | None:
    """A demand of the person, told as in force, that they take back at the end of the session."""
    words = [(n, " ".join(t.split())) for n, t in seen.person if 4 <= len(WORD.findall(t)) <= 60]
    if not words:
        return None
    line, text = rng.choice(words)
    quote = " ".join(re.split(r"(?<=[.!?])\s", text)[0].split()[:12]).replace('"', "")
    kept = [
        word for word in WORD.findall(quote) if len(word) > 4 and word.casefold() not in ("these", "there")
    ]
    if len(kept) < 3:
        return None
    last = seen.entries[-1]
    said = rng.choice(_CORRECTIONS).format(words=" ".join(kept[: rng.choice((4, 5, 6))]))
    more = Entry(kind="user", file=last.file, line=last.line + 2, by="person", via="prompt", text=said)
    return Plant("superseded rule", f'- The user demands: "{quote}" [#{line}]', (more,))


def _invented(row: str, seen: View, rng: random.Random) -> str:
    return f"- {rng.choice(_INVENTED)} [#{rng.choice(list(seen.texts))}]"


_KINDS: dict[str, Callable[[str, View, random.Random], str | Plant | None]] = {
    "moved pointer": _moved,
    "changed number": _number,
    "changed id": _id,
    "changed path": _path,
    "changed symbol": _symbol,
    "exchanged id": _other(ID),
    "exchanged path": _other(NAMED_PATH),
    "exchanged symbol": _other(NAMED_SYMBOL),
    "altered quotation": _quotation,
    "flipped verdict": _flipped,
    "foreign speaker": _speaker,
    "superseded rule": _superseded,
    "invented statement": _invented,
}
KINDS = tuple(_KINDS)


def adversarial(
    rows: Sequence[str], seen: View, rng: random.Random
) -> tuple[str, tuple[int, ...], tuple[Entry, ...]]:
    """A statement that no line supports, with the lines it points to, and what the session gets at its end: a falsehood
    whose pointers are as they were, or a true row of another session's kind with names that this one never had."""
    kinds = [kind for kind in KINDS if kind != "moved pointer"]
    pointed = [row for row in rows if POINTER.search(row)]
    while True:
        made = {plant.kind: plant for plant in plants(rng.choice(pointed), seen, rng)}
        kind = rng.choice(kinds)
        if kind in made and (found := POINTER.findall(made[kind].text)):
            lines = tuple(int(n) for pointer in found for n in re.findall(r"\d+", pointer))
            return POINTER.sub("", made[kind].text).lstrip("-* "), lines, made[kind].more

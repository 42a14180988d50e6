"""What really happened after a cut, and so what a handoff at the cut should have kept.

A session is cut; what comes before is all that a handoff may know, what comes after tells what was
needed. A need is a file or a command that the first calls after the cut used and that had been used
or named before. A link is a code symbol tied to a needed file on both sides of the cut. Words are
the sentences in which the person stated a rule. Failures are commands that failed last and that
nothing made good. Reading and moving files is no need: every successor does that unasked.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from segue.extract.commands import shell
from segue.extract.commands.command_line import simple_commands
from segue.extract.commands.failures import run_key
from segue.extract.commands.verdict import error_lines, mistyped, printed_failure
from segue.extract.text.prose import sentences
from segue.extract.text.symbols import SYMBOL
from segue.extract.words.signals import heard
from segue.model.entry import Entry

HORIZON = 40
RECENT = 80
_SHOWN = 8


class Failure(NamedTuple):
    key: tuple[str, ...]
    errors: tuple[str, ...]


class Truth(NamedTuple):
    paths: frozenset[str]
    commands: frozenset[tuple[str, ...]]
    links: dict[str, frozenset[str]]
    words: tuple[str, ...]
    failures: tuple[Failure, ...]


def truth(before: Sequence[Entry], after: Sequence[Entry]) -> Truth:
    roots = {e.cwd.rstrip("/") for e in before if e.cwd} | {
        str(e.data["cwd"]).rstrip("/") for e in before if e.data.get("cwd")
    }
    known, tied = _used(before, roots, prose=True), _ties(before, roots)
    ahead = _first_calls(after)
    needed, later = _used(ahead, roots), _ties(ahead, roots)
    paths = frozenset(needed[0]) & frozenset(known[0])
    return Truth(
        paths,
        frozenset(needed[1]) & frozenset(known[1]),
        {
            p: frozenset(both)
            for p in paths
            if (both := [s for s, _ in later[p].most_common() if s in tied[p]][:12])
        },
        tuple(_rules(before)),
        tuple(_open_failures(before)),
    )


def path_key(path: str, roots: Iterable[str]) -> str:
    """The last two parts of a path; only the name of a file that lies directly in a root."""
    path = shell.as_path(path)
    parts = [p for p in path.split("/") if p not in ("", ".", "..", "~")]
    if not parts:
        return ""
    return parts[-1] if len(parts) == 1 or path.rpartition("/")[0] in roots else "/".join(parts[-2:])


def _first_calls(after: Sequence[Entry]) -> list[Entry]:
    found, calls = [], 0
    for entry in after:
        found.append(entry)
        calls += (
            entry.kind == "tool_call"
            and "resumes" not in entry.data
            and bool(entry.paths or entry.command or entry.edits)
        )
        if calls >= HORIZON:
            break
    return found


def _used(
    entries: Iterable[Entry], roots: set[str], prose: bool = False
) -> tuple[Counter[str], Counter[tuple[str, ...]]]:
    paths: Counter[str] = Counter()
    commands: Counter[tuple[str, ...]] = Counter()
    for entry in entries:
        named: list[str] = []
        if entry.kind == "tool_call":
            named += [*entry.paths, *(edit.path for edit in entry.edits)]
            for simple in simple_commands(entry.command) if entry.command else ():
                if simple.words:
                    named += shell.named_paths(simple.words)
                    if key := shell.key(simple.words):
                        commands[key[:3]] += 1
        elif prose and entry.kind in ("user", "agent", "summary") and entry.by != "harness":
            named += re.findall(r"[\w@.~/+-]+\.\w+", entry.text)
        paths.update(key for path in named if (key := path_key(path, roots)))
    return paths, commands


def _ties(entries: Iterable[Entry], roots: set[str]) -> dict[str, Counter[str]]:
    """Files and the symbols that were changed there, sought there, or named on one line with them."""
    found: dict[str, Counter[str]] = _Ties()
    for entry in entries:
        if entry.kind == "tool_call":
            for edit in entry.edits:
                found[path_key(edit.path, roots)].update(_symbols(f"{edit.new}\n{edit.old}"))
            if entry.tool_kind == "search":
                for path in entry.paths:
                    found[path_key(path, roots)].update(_symbols(entry.text))
        elif entry.kind in ("user", "agent", "summary") and entry.by != "harness":
            for row in entry.text.split("\n"):
                for path in {path_key(p, roots) for p in re.findall(r"[\w@.~/+-]+\.\w+", row)} - {""}:
                    found[path].update(_symbols(row))
    return found


class _Ties(dict[str, Counter[str]]):
    def __missing__(self, key: str) -> Counter[str]:
        return self.setdefault(key, Counter())


def _symbols(text: str) -> set[str]:
    return {s for s in SYMBOL.findall(text[:6000]) if len(s) > 5}


def _rules(before: Iterable[Entry]) -> list[str]:
    """Firm sentences of the person; of a long prompt only its two ends are speech."""
    found: dict[str, None] = {}
    for entry in before:
        if (
            entry.by != "person"
            or entry.kind not in ("user", "rejection", "answer")
            or entry.via in ("plan", "shell")
        ):
            continue
        text = entry.text if len(entry.text) <= 800 else f"{entry.text[:300]}\n{entry.text[-300:]}"
        for sentence in sentences(text):
            signal = heard(sentence)
            if signal and signal.strength > 1 and len(content_words(sentence)) > 2:
                found[sentence] = None
    return list(found)


_WORD = re.compile(r"[^\W_][\w./:@#'-]*")
_SMALL = frozenset(
    re.findall(
        r"\w+",
        "a an and are as at be but by can do for from have i if in is it its me my no not of on or our so that the them then this to up us use was we with you your",
    )
)


def content_words(text: str) -> list[str]:
    """The words of a text that carry it, lower case, in order."""
    words = (w.rstrip(".:'-/") for w in _WORD.findall(text.lower()))
    return [
        w for w in words if w not in _SMALL and (len(w) > 2 or any(c.isdigit() for c in w) or not w.isascii())
    ]


def _open_failures(before: Sequence[Entry]) -> list[Failure]:
    calls = {e.call_id: e for e in before if e.kind == "tool_call" and e.command and "resumes" not in e.data}
    runs = [
        (calls[e.call_id], e)
        for e in before
        if e.kind == "tool_result" and e.call_id in calls and not e.background
    ]
    found: dict[tuple[str, ...], Failure] = {}
    for call, result in runs[-RECENT:]:
        simple = [s for s in simple_commands(call.command) if s.words]
        keys = [key for s in simple if (key := run_key(s.words))]
        if not keys:
            continue
        check = any(shell.is_check(s.words) for s in simple)
        if result.is_error or (check and printed_failure(result.text)):
            errors = error_lines(result.text, _SHOWN)
            if errors and not mistyped(errors):
                found[keys[-1]] = Failure(keys[-1], errors)
        elif result.is_error is False:
            for key in keys:
                for old in [k for k in found if k == key or (len(key) > 1 and k[:2] == key[:2])]:
                    del found[old]
    return list(found.values())

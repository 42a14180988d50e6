"""A text taken apart into statements: rows of lists and tables, sentences, listed paths, each with its own pointers.

Any Markdown is read. Rows under the labels of a packet are verbatim by construction, so their words count as quotations.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import get_args

from segue.handoff.file_reading import named_files
from segue.handoff.ground.judgement import Statement
from segue.handoff.ground.markers import marker
from segue.handoff.headings import TAIL, Line, lines, title_of
from segue.handoff.item_reading import apart, codes, said
from segue.handoff.run_reading import told_run
from segue.model import packet as labels
from segue.model.facts import CLAIM_STATES, FileAction
from segue.model.value import NamedTuple

POINTER = re.compile(r"\[#\d{1,12}(?:(?: ?[-–,] ?|[ ,]+)#?\d{1,12})*(?P<origin> of [\w.:-]+)?\]")
_POINTERS = re.compile(
    rf"{re.sub(r'P<origin>', ':', POINTER.pattern)}(?:[ ,;]{{0,3}}{re.sub(r'P<origin>', ':', POINTER.pattern)})*"
)
"""One pointer or several beside each other, which all show what stands before them."""
_STEP = re.compile(r"([-–])? ?#?(\d+)")
_MARK = re.compile(r"[ \t]*(?:[-*+•]|\d{1,4}[.)])[ \t]+(?:\[(?P<box>[ xX~-])\][ \t]+)?")
_LABEL = re.compile(r"\*\*([^*]{1,80}?):?\*\*:?(?: \([^()]*\))?\s*")
_CELL = re.compile(r"\s*\|\s*")
_RULED = re.compile(r"[\s|:-]+")
_TAG = re.compile(r"</?(?:read-files|modified-files)>\s*")
_SAID_BEFORE = re.compile(rf"(?:{'|'.join(CLAIM_STATES)}): ", re.I)
_COMMIT = re.compile(
    r"commit (?P<now>[0-9a-f]{7,40}|\([^()]*\))(?: \((?P<made>[0-9a-f]{7,40}) when it was made\))?(?: on \S+?)?(?:: (?P<subject>.+))?"
)
_MORE = re.compile(r" and \d+ (?:before|after|more)[\w ]*$| … and \d+ more$")
_NAMED = re.compile(r"`[^`]*`|\".*\"")
_TOUCHED = re.compile(rf"(`[^`]+`) \((?:{'|'.join(get_args(FileAction))})\b[^()]*\)")
"""How a document lists a file: what follows was seen at other lines, too."""
_RUNS = (labels.RAN, labels.FAILING, labels.FAILED_EARLIER)
_OUTCOMES = {"failed": "failed", "ok": "ok", "unknown": "outcome not recorded", "running": "no result seen"}
_STEPS = (labels.NEXT, labels.STEPS, labels.BEFORE, labels.STOPPED, labels.RUNNING)
_VERBATIM_STEP = re.compile(
    r"(?:Get past the error at which it stopped|(?:Go on with|Take up) the to-do): (.+)", re.S
)
"""Steps of code that give something in its own words."""
_VERBATIM = (labels.REPORTED, labels.LAST_REPORT, labels.SUMMARY)
_NOT_OF_THE_SESSION = (
    labels.REPOSITORY,
    "Repository when this was made",
    labels.GOAL,
    labels.TRANSCRIPT,
    TAIL,
)
_OWN_LINES = (labels.OPENING, labels.CLOSING, "A navigation aid:", "Redacted:", "Redacted (rules ", "<!--")
"""How lines begin that a packet says of itself."""
_RANGE = 60
LONGEST = 4_000
"""Characters of one statement that are judged."""


class Row(NamedTuple):
    """A row of a list or table, or a paragraph. `group` is what it stands under, `below` what is quoted beneath it."""

    text: str
    at: int
    group: str = ""
    heading: str = ""
    below: tuple[str, ...] = ()
    box: str = ""


def statements(text: str) -> Iterator[Statement]:
    """What a text states, in order, with the line of the text where it stands. What comes from an earlier session, and
    what is told of the world as it is now, is left out."""
    for row in _rows(text):
        if row.group.startswith(_NOT_OF_THE_SESSION) or row.heading.startswith(TAIL):
            continue
        yield from _stated(row)


def carried(text: str) -> int:
    """How many pointers of a text are into an earlier session."""
    return sum(bool(match["origin"]) for match in POINTER.finditer(text))


def pointed(pointer: str) -> tuple[int, ...]:
    """The lines that a pointer names; a range names all of its lines."""
    found: list[int] = []
    for dash, number in _STEP.findall(pointer):
        line = int(number)
        if dash and found and 0 < line - found[-1] <= _RANGE:
            found.extend(range(found[-1] + 1, line))
        found.append(line)
    return tuple(dict.fromkeys(found))


def _rows(text: str) -> Iterator[Row]:
    row: Row | None = None
    group = heading = listing = ""
    quoted: list[str] = []
    for line in lines(text):
        told = line.text
        if (title := title_of(line)) is not None or line.fenced or not told.strip() or _TAG.fullmatch(told):
            if row:
                yield row
            row = None
            heading = title if title is not None else heading
            group = "" if title is not None else group
            if _TAG.fullmatch(told):
                listing = "" if told.startswith("</") else told.strip(" <>\n")
            continue
        if told.lstrip().startswith(">"):
            quote = told.lstrip()[1:].strip()
            if row and POINTER.fullmatch(row.text):
                yield row
                row = None
            row = row._replace(below=(*row.below, quote)) if row else row
            quoted += [] if row else [quote]
            continue
        mark = _MARK.match(told)
        label = None if mark else _LABEL.match(told)
        ruled = told.lstrip().startswith("|")
        if row and (
            mark
            or label
            or ruled
            or listing
            or group.endswith("/")
            or (told[0] not in " \t" and not _goes_on(row, line))
        ):
            yield row
            row = None
        if label:
            group = label[1]
            told = told[label.end() :]
        elif not mark and told.endswith("/") and " " not in told.strip():
            group, told = told.strip(), ""
        if listing or not told.strip() or (ruled and _RULED.fullmatch(told)):
            if listing:
                yield Row(f"`{told.strip()}`", line.number, listing)
        elif row:
            row = row._replace(text=f"{row.text}\n{told.strip()}")
        else:
            words = told[mark.end() :] if mark else _CELL.sub(" · ", told).strip(" ·") if ruled else told
            row = Row(
                words.strip(), line.number, group, heading, tuple(quoted), (mark["box"] or "") if mark else ""
            )
            quoted = []
    if row:
        yield row


def _goes_on(row: Row, line: Line) -> bool:
    """A line that goes on with a paragraph; a packet has one thing a line."""
    return (
        not row.group
        and not line.text.startswith((labels.OPENING, labels.CLOSING, "<!--"))
        and not row.text.startswith((labels.OPENING, "<!--"))
    )


def _stated(row: Row) -> Iterator[Statement]:
    text = row.text[:LONGEST]
    if row.group in (labels.READ_FILES, labels.MODIFIED_FILES):
        yield Statement(text, at=row.at)
        return
    if text.startswith(_OWN_LINES):
        return
    if row.group.startswith(labels.ASKED):
        yield from _prompt(row)
        return
    if row.group.startswith(_RUNS):
        yield from _run(row)
        return
    asked = bool(marker("person").search(row.heading) or marker("person").search(row.group))
    begin = 0
    found = list(_POINTERS.finditer(text))
    for n, match in enumerate(found):
        last = n == len(found) - 1
        piece = text[begin : match.start()] + (text[match.end() :] if last else "")
        first = begin + len(text[begin:]) - len(text[begin:].lstrip(" .,;\n"))
        begin = match.end()
        lines = [line for one in POINTER.finditer(match[0]) if not one["origin"] for line in pointed(one[0])]
        if lines and (piece.strip(" .,;\n") or row.below):
            here = row._replace(at=row.at + text[:first].count("\n"), below=row.below if last else ())
            yield _statement(piece.strip(), tuple(lines), here, asked)
    if not found:
        yield _statement(text, (), row, asked)


def _prompt(row: Row) -> Iterator[Statement]:
    text, _ = apart(row.text) if row.text.endswith(")") else (row.text, "")
    pointers = list(POINTER.finditer(text))
    if pointers and not pointers[-1]["origin"]:
        words = said(text[: pointers[-1].start()].strip())
        quotes = tuple(filter(None, (words.text, words.last))) if words else (text[: pointers[-1].start()],)
        times = f"{words.times}×" if words and words.times > 1 else ""
        yield Statement(times, pointed(pointers[-1][0]), quotes, True, row.at)


def _run(row: Row) -> Iterator[Statement]:
    """A row of commands: the last pointer is the run's own, those inside it are of other things."""
    pointers = [match for match in POINTER.finditer(row.text) if not match["origin"]]
    run = told_run(row.text[: pointers[-1].start()].strip()) if pointers else None
    if run is None:
        yield from (Statement(f"`{code}`", at=row.at) for code in codes(row.text.removeprefix(labels.ALSO)))
        return
    ended = _OUTCOMES[run.outcome] + (f" exit {run.exit_code}" if run.exit_code is not None else "")
    still = "now " if run.outcome == "failed" and not (run.through or run.again or run.settled_by) else ""
    quotes = tuple(filter(None, (run.printed, *row.below)))
    yield Statement(f"`{run.command}` {still}{ended}", pointed(pointers[-1][0]), quotes, at=row.at)
    if run.settled_by:
        yield Statement(f"`{run.settled_by}` ok", (run.settled_line,), at=row.at)


def _statement(text: str, lines: tuple[int, ...], row: Row, asked: bool) -> Statement:
    quotes = below = tuple(filter(None, row.below))
    text = _SAID_BEFORE.sub("", text, count=1) if _SAID_BEFORE.match(text) else text
    if row.group.startswith(labels.TODOS) and row.box:
        text, quotes = f"[{row.box.lower()}]", (_MORE.sub("", text),)
    elif row.group.startswith(_VERBATIM):
        quotes, text = (*([text] if text else []), *below), ""
    elif row.group.endswith("/") and row.heading == "Files":
        paths = [posixpath.normpath(row.group + name) for name, _ in named_files(text)]
        text = " ".join(f"`{path}`" for path in paths)
    elif file := _TOUCHED.match(text):
        text = file[1]
    elif row.group in _STEPS:
        named = " ".join(match[0] for match in _NAMED.finditer(text))
        verbatim = _VERBATIM_STEP.fullmatch(text)
        text, quotes = (named, below) if named or not verbatim else ("", (verbatim[1],))
    elif commit := _COMMIT.fullmatch(text):
        text, quotes = (
            f"commit {commit['made'] or commit['now']}",
            tuple(filter(None, (commit["subject"], *below))),
        )
    elif row.group == labels.PLAN:
        text = ""
    return Statement(text, lines, quotes, asked and '"' in text and not marker("agent").search(text), row.at)

"""Rules about a handoff that contradicts itself: two of its statements cannot both be so.

They are found without the session. Where two things were told of one place, a later pointer wins and is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from segue.handoff.file_reading import listed
from segue.handoff.item_reading import ParsedItem, said
from segue.handoff.lint.reading import Reading, says_nothing
from segue.handoff.lint.rule import Given, Hit
from segue.handoff.lint.steps import excerpt
from segue.handoff.packet_facts import listed_todo, todo_of
from segue.handoff.parse import Parsed
from segue.handoff.run_reading import ToldRun, told_run
from segue.handoff.wording import same_words, says
from segue.model import prose
from segue.model.packet import ASKED, BEFORE, FAILED_EARLIER, FAILING, NEXT, RAN, RUNNING, STEPS, STOPPED

_QUOTE = re.compile(r'"(.+)"')
_CODE = re.compile(r"`([^`]+)`")
_ID = re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{7,40}\b")
_ADDRESS = re.compile(r"https?://[^\s\"'<>)\]`]*[\w/]")
_ACTS = {"commit": "commit ", "push": "pushed ", "open": "opened "}
"""By the word with which a step asks for it: how the claim begins that it is done."""
_QUESTION = "unanswered question: "
_CHANGED = ("created", "modified", "renamed")
_GONE = ("deleted", "reverted", "stashed")


def _at(item: ParsedItem) -> str:
    return f"line {item.line}"


def _items(reading: Reading) -> tuple[ParsedItem, ...]:
    """Every item; none of a change record's block, which has its own form."""
    parsed = reading.parsed
    return (*parsed.head, *(item for s in parsed.sections for item in s.items)) if parsed else ()


def _under(reading: Reading, *labels: str) -> Iterable[ParsedItem]:
    return (item for item in _items(reading) if item.group in labels)


def answered_and_open(reading: Reading, given: Given) -> Iterator[Hit]:
    answers = [
        (item, words)
        for item in _under(reading, ASKED)
        if (words := said(item.text)) and words.kind == "answer"
    ]
    for item in _items(reading):
        asked = (item.group in (NEXT, STEPS) and "?" in item.text) or item.text.startswith(_QUESTION)
        quote = _QUOTE.search(item.text) if asked and answers else None
        for answer, words in answers if quote else ():
            settled = not item.evidence or not answer.evidence or max(answer.evidence) > max(item.evidence)
            if quote and settled and (says(words.to, quote[1]) or says(words.text, quote[1])):
                yield Hit(_at(item), f"{excerpt(quote[1])} is open here and answered at {_at(answer)}.")


def told_two_ways(reading: Reading, given: Given) -> Iterator[Hit]:
    """One run with two outcomes, or a line told as failing that went well at a later place."""
    told = [
        (item, run) for item in _under(reading, FAILING, FAILED_EARLIER, RAN) if (run := told_run(item.text))
    ]
    told += [
        (item, ToldRun(command, "running"))
        for item in _under(reading, STOPPED, RUNNING)
        for command in _CODE.findall(item.text)
    ]
    for place, (item, run) in enumerate(told):
        for other, known in told[:place]:
            alike = item.origin == other.origin and run.command == known.command
            once = set(item.evidence) & set(other.evidence) or _outlived(item, run, other, known)
            if alike and once and run.outcome != known.outcome:
                told_there = f"{known.outcome} at {_at(other)}"
                yield Hit(_at(item), f"{excerpt(run.command)} is {run.outcome} here and {told_there}.")


def _outlived(one: ParsedItem, run: ToldRun, other: ParsedItem, known: ToldRun) -> bool:
    """One of two runs failed and the other, which is later, did not."""
    by_outcome = {run.outcome: one, known.outcome: other}
    bad, good = by_outcome.get("failed"), by_outcome.get("ok")
    return bool(bad and good and bad.evidence and good.evidence and max(bad.evidence) < max(good.evidence))


def path_in_both_lists(reading: Reading, given: Given) -> Iterator[Hit]:
    """A path that is read by one list and changed by another, or changed by a list and gone by its row."""
    if reading.parsed is None:
        return
    read, modified = set(reading.parsed.read_files), set(reading.parsed.modified_files)
    for path in sorted(read & modified):
        yield Hit("the blocks", f"{excerpt(path)} is in both lists.")
    for file in listed(reading.parsed):
        if file.path in read and file.action in _CHANGED:
            yield Hit(file.where, f"{excerpt(file.path)} is {file.action} here and listed as read.")
        elif file.path in modified and file.action in _GONE:
            yield Hit(file.where, f"{excerpt(file.path)} is {file.action} here and listed as modified.")


def open_and_completed(reading: Reading, given: Given) -> Iterator[Hit]:
    completed = [item for item in _items(reading) if item.box in ("x", "-")]
    for item in _items(reading):
        open_text = listed_todo(item)[0] if item.box in (" ", "~") and item.box else todo_of(item)[0]
        for other in completed if open_text else ():
            if same_words(listed_todo(other)[0], open_text) and item.origin == other.origin:
                yield Hit(_at(item), f"{excerpt(open_text)} is open here and ticked at {_at(other)}.")


def step_already_done(reading: Reading, given: Given) -> Iterator[Hit]:
    """A step, or what comes before it, that asks for a commit, a push or a request that a claim shows as done."""
    claims = [item for item in _items(reading) if item.state in ("done", "pushed")]
    for step in (*_under(reading, NEXT, BEFORE, STEPS), *_unlabelled_steps(reading.parsed)):
        own = _QUOTE.sub(" ", step.text) if step.evidence else step.text
        act = next((word for word in prose.bare(own).split() if word in _ACTS), "")
        for claim in claims:
            if act and claim.text.startswith(_ACTS[act]) and _same(own, claim, act, claims):
                yield Hit(
                    _at(step),
                    f"{excerpt(step.text)} asks for what {_at(claim)} shows: {excerpt(claim.text)}.",
                )


def _unlabelled_steps(parsed: Parsed | None) -> list[ParsedItem]:
    named = ("Task", "Immediate next actions")
    return [item for name in named for item in parsed.items(name) if not item.group] if parsed else []


def _same(step: str, claim: ParsedItem, act: str, claims: list[ParsedItem]) -> bool:
    """The step names the commit by its subject, the request by its address, the push by the commit at its end; or by its
    branch, where that was pushed after all commits."""
    if act == "commit":
        subject = claim.text.partition(": ")[2]
        return bool(subject) and says(step, subject)
    if act == "open":
        return any(address in step for address in _ADDRESS.findall(claim.text))
    if named := _ID.findall(step):
        end = _ID.findall(claim.text)[-1:]
        return any(one.startswith(other) or other.startswith(one) for one in named for other in end)
    commits = (line for other in claims if other.text.startswith(_ACTS["commit"]) for line in other.evidence)
    branch = claim.text.removeprefix(_ACTS[act]).partition(" ")[0]
    return branch in step.split() and max(commits, default=0) < max(claim.evidence, default=0)


def repeated(reading: Reading, given: Given) -> Iterator[Hit]:
    """What stands twice in one list: a row with the same words and pointers, or a step, blocker, note or decision with
    the same words."""
    seen: dict[tuple[object, ...], str] = {}
    for item in _items(reading):
        key = (item.group, item.text, item.evidence, item.origin, item.below, item.box)
        if item.text and item.listed and key in seen and not says_nothing(item.text):
            yield Hit(_at(item), f"{excerpt(item.text)} stands already at {seen[key]}.")
        seen.setdefault(key, _at(item))
    for role in (reading.steps, reading.blockers, reading.context, reading.decisions):
        first: dict[str, str] = {}
        for row in role:
            words = prose.bare(row.text)
            if words and words in first:
                yield Hit(row.where, f"{excerpt(row.text)} stands already at {first[words]}.")
            first.setdefault(words, row.where)

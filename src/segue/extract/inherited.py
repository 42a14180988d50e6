"""What of earlier packets still stands after this session.

Words, decisions and findings stand until something replaces them. What was open stands until this
session settled it: a failure until the command went well, a to-do or a step until it was ticked off
or a commit names it. A packet that took another one over speaks for both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from segue.extract.commands.command_line import simple_commands
from segue.extract.commands.conditions import asks_for_less, conditions
from segue.extract.commands.elsewhere import ran_beside
from segue.extract.commands.mended import makes_good
from segue.extract.commands.run_keys import known_as
from segue.extract.commands.runs import Parsed
from segue.extract.commands.shell import is_check
from segue.extract.remarks.unanswered import still_open
from segue.extract.settled import HANDED_IN
from segue.extract.text.prose import flat
from segue.extract.text.relevance import terms
from segue.model.facts import Claim, CommandFact, FileFact, NextStep, Plan, Quote, TodoFact, each_once

if TYPE_CHECKING:
    from segue.extract.carried import Carried

_SAME = 0.75
"""What share of its terms another text must hold to speak of the same piece of work."""
_WORKED, _QUESTIONS = 12, 3
"""How many commands that went well, and how many questions, are carried on."""


def latest(packets: Sequence[Carried]) -> list[Carried]:
    """The packets that no later one took over."""
    return [
        packet
        for place, packet in enumerate(packets)
        if not any(packet.lineage.origin in later.origins for later in packets[place + 1 :])
    ]


def in_order(packet: Carried) -> list[str]:
    """The sessions that a packet speaks of, in the order in which they were asked for something."""
    return list(dict.fromkeys(quote.origin for quote in packet.asked if quote.origin))


def asked_before(packets: Sequence[Carried]) -> list[Quote]:
    """What the sessions before were asked for, each request where it was made first."""
    found: dict[str, Quote] = {}
    for packet in packets:
        for quote in packet.asked:
            found.setdefault(flat(quote.text), quote)
    return list(found.values())


def failures(packets: Sequence[Carried], runs: Sequence[Parsed]) -> list[CommandFact]:
    """Earlier failures, the most telling last, resolved where the command went well since. One that failed
    again is this session's."""
    again = {run.known_as for run in runs if run.bad}
    good = [run for run in runs if run.passed and not run.only]
    found: dict[str, CommandFact] = {}
    for run in (run for packet in packets for run in reversed(packet.failing)):
        simple = simple_commands(run.command)
        name = known_as(simple)
        if name in again:
            continue
        told, before = run.last_bad.error_lines if run.last_bad else (), conditions(simple)
        mended = bool(name) and any(
            makes_good(later.proved_keys, name)
            and not asks_for_less(later.conditions, before, told)
            and not ran_beside(later.passed, run.command)
            for later in good
        )
        key = " ".join(name) or run.command
        found[key] = replace(
            run,
            key=key,
            check=any(is_check(part.words) for part in simple if part.words),
            state="resolved" if mended else "open",
        )
    return list(found.values())


def files(packet: Carried, runs: Sequence[Parsed]) -> Sequence[FileFact]:
    """The files as they were left; what had been stashed is there again where this session took it out."""
    if not any(file.action == "stashed" for file in packet.files):
        return packet.files
    words = (part.words[:3] for run in runs if run.good for part in run.simple)
    if not any(said[:2] == ("git", "stash") and said[2:] in (("pop",), ("apply",)) for said in words):
        return packet.files
    return [
        replace(file, action="modified", work_state="needs_review") if file.action == "stashed" else file
        for file in packet.files
    ]


def worked(packets: Sequence[Carried], runs: Sequence[Parsed]) -> list[CommandFact]:
    """Commands that went well before and that this session did not run, the best last."""
    ran = {" ".join(key) for run in runs for key in (run.known_as, *run.proved_keys)}
    left = each_once(lambda run: run.key, (run for packet in packets for run in reversed(packet.worked)))
    return [run for run in left if run.key not in ran][-_WORKED:]


def todos(packets: Sequence[Carried], own: Sequence[TodoFact], claims: Sequence[Claim]) -> list[TodoFact]:
    """Earlier to-dos that this session neither lists itself nor shows to be done."""
    listed = [frozenset(terms(todo.text)) for todo in own] + _done(own, claims)
    left = each_once(lambda todo: flat(todo.text), (todo for packet in packets for todo in packet.todos))
    return [todo for todo in left if not _spoken_of(todo.text, listed)]


def steps(packets: Sequence[Carried], own: Sequence[TodoFact], claims: Sequence[Claim]) -> list[NextStep]:
    """Earlier steps that nothing shows to be done."""
    done = _done(own, claims)
    left = each_once(lambda step: flat(step.text), (step for packet in packets for step in packet.steps))
    return [step for step in left if not _spoken_of(step.text, done)]


def questions(packets: Sequence[Carried], prompts: Sequence[Quote]) -> list[Quote]:
    """Earlier questions that this session, by what it was asked for, leaves open."""
    found: list[Quote] = []
    for packet in packets:
        aims = [quote.text for quote in packet.asked if not quote.origin]
        said = [prompt.text for prompt in prompts if prompt.text not in aims]
        found += [question for question in packet.questions if still_open(question, said, aims)]
    return each_once(lambda question: flat(question.text), found)[-_QUESTIONS:]


def plan(packets: Sequence[Carried], own: Plan | None) -> Plan | None:
    """This session's plan, else the last one that was handed on."""
    if own and own.text:
        return own
    return next((packet.plan for packet in reversed(packets) if packet.plan), own)


def _done(own: Sequence[TodoFact], claims: Sequence[Claim]) -> list[frozenset[str]]:
    texts = [todo.text for todo in own if todo.state in ("completed", "cancelled")]
    texts += [claim.text for claim in claims if claim.act in HANDED_IN and not claim.origin]
    return [frozenset(terms(text)) for text in texts]


def _spoken_of(text: str, others: Sequence[frozenset[str]]) -> bool:
    mine = frozenset(terms(text))
    return bool(mine) and any(len(mine & other) >= _SAME * len(mine) for other in others)

"""The groups of a packet: where each stands and under which label."""

from __future__ import annotations

from segue.model.packet import (
    ASKED,
    DEAD_ENDS,
    DECIDED,
    FAILED_BEFORE,
    FAILED_LAST,
    FAILING,
    NOTED,
    PLAN,
    STATE,
    STEPS,
    TODOS,
    WORDS,
    WORKED,
    Heading,
)
from segue.model.value import NamedTuple


class Group(NamedTuple):
    heading: Heading
    label: str


OPERATIONAL: Heading = "Operational Context"
GROUPS: dict[str, Group] = {
    "asked": Group("Context", f"**{ASKED}**"),
    "words": Group("Context", f"**{WORDS}; the later one wins**"),
    "decided": Group("Context", f"**{DECIDED}** (as the agent said)"),
    "state": Group("Context", f"**{STATE}**"),
    "summary": Group("Context", "**From the last compaction summary** (written by a model, unverified)"),
    "failing": Group(OPERATIONAL, f"**{FAILING}**"),
    "failed last": Group(OPERATIONAL, f"**{FAILED_LAST}** (edits since, not run again)"),
    "failed before": Group(OPERATIONAL, f"**{FAILED_BEFORE}** (not run since)"),
    "flight": Group(OPERATIONAL, "**Where it stopped**"),
    "running": Group(OPERATIONAL, "**Still running when last seen**"),
    "worked": Group(OPERATIONAL, f"**{WORKED}**"),
    "ran": Group(OPERATIONAL, "**Commands that ran, outcome unknown**"),
    "fixed": Group(OPERATIONAL, "**Failed earlier, fixed or abandoned since**"),
    "missing": Group(OPERATIONAL, "**Not installed here**"),
    "repo": Group(OPERATIONAL, "**Repository**"),
    "files": Group("Files", ""),
    "goal": Group("Task", ""),
    "steps": Group("Task", f"**{STEPS}**"),
    "todos": Group("Task", f"**{TODOS}**"),
    "old todos": Group("Task", f"**{TODOS}** (not kept since, may be done)"),
    "earlier todos": Group("Task", f"**{TODOS}** (of an earlier session, may be done)"),
    "plan": Group("Task", f"**{PLAN}**"),
    "dead": Group("Notes", f"**{DEAD_ENDS}**"),
    "known": Group("Notes", f"**{NOTED}** (as the agent said)"),
    "said": Group("Notes", "**Said on the way** (as the agent said, unverified)"),
    "last": Group("Notes", "**Last words of the agent** (reported)"),
    "last before": Group("Notes", "**Last words of the agent** (reported, before the last request)"),
}
"""Every group a packet may have, in the order in which it is printed."""

WORD = "word of the person"
REPEATED = "word of the person that the goal repeats"
STEPPED = "to-do that is told as a step"
FAILURE = "failure"
PROMPT = "prompt"
"""What pieces are called that the order of dropping turns on."""

"""The drop order: what a packet gives up first, as one table read from the bottom.

Each row is one thing in one form. Forms are taken from the top as long as they fit the budget, a fuller
one in place of the briefer; what is below gives way to what is above. From the last to go to the first:
the goal; the person's words and the files they want named; what fails, the first step and where it
stopped; the names of files and commands, the other steps and what was committed, pushed or opened; their symbols and outcomes; decisions,
dead ends and other claims; earlier prompts and the agent's last words; fuller forms of any of these. A
preset lifts the groups that its kind of work turns on.
"""

from __future__ import annotations

from segue.model.value import NamedTuple


class Row(NamedTuple):
    told: str
    """What is told, and how much of it where that is not a matter of characters."""
    rank: float
    step: float = 0
    """How far each next one of its kind is below the one before it."""
    room: int = 0
    """Characters of the text that are worth this rank; 0 where it is told whole."""

    def at(self, place: int, lower: float = 0) -> float:
        """The rank of the one at that place, 0 for the best."""
        return self.rank - lower - self.step * place


GOAL = Row("the goal", 99, room=240)
NAMED = Row("what best tells what is open, one line where words leave no room for it", 96)
WANTED_FILE = Row("a file that must be named: its name", 95.005, 0.01)
FIRM_WORD = Row("a rule of the person", 95, 0.01, room=100)
LIFTED_WORD = Row("a word of the person that would not fit where it stands", 94.5)
FAILURE = Row("a command that fails, with its first complaint", 92, 0.5, room=100)
FAILURE_TOLD = Row("a command that fails, with two complaints", 92, 0.5, room=240)
STEP = Row("a next step", 90, 2.5)
LIFTED = Row("the highest that a preset lifts anything but a failure", 90)
REFUTED = Row("what refutes the agent's last words", 89.1, 0.01)
STOP = Row("where it stopped", 89, room=200)
REPEATED_WORD = Row("a word of the person that the goal repeats", 88.5)
LAST_PROMPT = Row("the last request", 88.45, room=110)
FIRST_PROMPT = Row("the first request", 88.4, room=110)
WORD = Row("any other word of the person", 88, 0.25, room=100)
CHANGED_FILE = Row("a changed file: its name", 88, 0.15)
FURTHER_FAILURE = Row("one of many commands that fail", 87.4, 0.3, room=100)
LAST_PROMPT_TOLD = Row("the last request", 87, room=240)
RUNNING = Row("a job still running", 86.8, 3, room=120)
PUBLISHED = Row("what was committed, pushed or opened, as nothing else tells of it", 86.6, 2.5)
WEIGHTIEST = Row("in a small packet, the weightiest of what was decided, given up or said", 86.1)
COMMAND = Row("a command that worked: its line", 86, 0.4, room=100)
SMALL_TODO = Row("in a small packet, an open to-do that no step tells", 85.5, 0.1, room=160)
SEEN_FILE = Row("a file that was only read: its name", 85, 0.15)
CHANGED_FILE_SYMBOLS = Row("a changed file: three of its symbols", 85, 0.5)
SECOND_WEIGHTIEST = Row("in a small packet, the second of these", 85)
FIRST_PROMPT_TOLD = Row("the first request", 84, room=200)
DECISION = Row("a decision", 84, 3, room=180)
DEAD_END = Row("a dead end", 84, 2)
REPOSITORY_STUCK = Row("the repository in the middle of an operation", 84)
NOT_TESTED = Row("what was not tested", 83, 1)
FIXED = Row("a failure that was fixed", 83, 1.5, room=110)
REPOSITORY = Row("branch and commit", 81)
THIRD_WEIGHTIEST = Row("in a small packet, the third of these", 80.5)
TODO = Row("a to-do", 80, 0.5, room=160)
SEEN_FILE_SYMBOLS = Row("a file that was only read: three of its symbols", 80, 0.5)
LAST_WORDS = Row("the agent's last words", 80, room=500)
FURTHER_FAILURE_TOLD = Row("one of many commands that fail, with its first complaint", 78.5, 0.3, room=240)
CLAIM = Row("what was tested, built or otherwise shown", 78, 1)
NOTE = Row("a finding", 78, 3)
OLD_TODO = Row("a to-do of an earlier session, or one not kept since", 76, 0.5, room=160)
FAILURE_IN_DOUBT = Row("two complaints of a command that failed long ago and may be mended", 72, room=240)
REPOSITORY_CHANGES = Row("what git calls changed", 71)
STOP_WHOLE = Row("where it stopped, a long call whole", 71, room=2000)
CHECK_TOLD = Row("a check that passed, with its outcome", 70, 1.5, room=180)
GOAL_LONGER = Row("the goal", 68, room=1200)
LAST_PROMPT_LONGER = Row("the last request", 66, room=1000)
FAILURE_WHOLE = Row("a command that fails, with all complaints", 65, 1, room=240)
CHANGED_FILE_REASON = Row("a changed file: six symbols, how often it was edited and why", 65, 0.5)
FIRST_PROMPT_LONGER = Row("the first request", 62, room=800)
COMMAND_TOLD = Row("a command that worked, with its outcome", 62, 1.5, room=180)
AMONG_NAMES = Row("in a larger packet, the weightiest of what was said on the way", 61, 2)
SEEN_FILE_REASON = Row("a file that was only read: six symbols and why", 60, 0.5)
REPORTED = Row("what the agent reported", 60, 1)
LATER_PROMPT = Row("a request between the first and the last", 58, 1, room=140)
FIXED_TOLD = Row("a failure that was fixed", 58, 1, room=240)
REPOSITORY_DIFF = Row("how much git calls changed", 57)
PLANNED = Row("the plan", 56, room=400)
REPOSITORY_LOG = Row("the last commits", 55)
DONE_TODO = Row("a to-do that is done", 50, 0.5, room=160)
LAST_WORDS_LONGER = Row("the agent's last words", 50, room=1400)
OLD_DONE_TODO = Row("an old to-do that is done", 46, 0.5, room=160)
SUMMARY = Row("the last compaction summary", 46, room=700)
DECISION_WHOLE = Row("a decision", 45, 1)
CHANGED_FILE_WHOLE = Row("a changed file: twelve symbols", 45, 0.5)
MODIFIED_PATHS = Row("the list of modified files, which repeats what Files tells", 44)
CHECK_CLAIMED = Row("a check that passed, with an outcome that a claim tells already", 40, 1.5, room=180)
SEEN_FILE_WHOLE = Row("a file that was only read: twelve symbols", 40, 0.5)
LATER_PROMPT_LONGER = Row("a request between the first and the last", 38, 1, room=400)
SAID = Row("what else the agent said on the way", 34, 0.2)
PLANNED_LONGER = Row("the plan", 32, room=1600)
LAST_WORDS_WHOLE = Row("the agent's last words", 30, room=3000)
READ_PATHS = Row("the list of files that were read", 30)
STEPPED_TODO = Row("a to-do that is told as a step", 23.9, 0.01, room=160)
RAN = Row("one of many commands of which nobody knows how they ended: its line", 23.6, 0.02, room=100)
RAN_TOLD = Row("a command of which nobody knows how it ended: its whole line", 23.1, 0.02, room=180)
GOAL_LONG = Row("the goal", 23, room=4000)
GOAL_WHOLE = Row("the goal", 22, room=13_000)
SUMMARY_WHOLE = Row("the last compaction summary", 22, room=3000)
FIRST_PROMPT_LONG = Row("the first request", 21, room=3600)
LAST_PROMPT_LONG = Row("the last request", 20, room=3600)
LATER_PROMPT_LONG = Row("a request between the first and the last", 19, 0.1, room=3600)
FIRST_PROMPT_WHOLE = Row("the first request", 18, room=13_000)
LAST_PROMPT_WHOLE = Row("the last request", 17, room=13_000)
LATER_PROMPT_WHOLE = Row("a request between the first and the last", 16, room=13_000)
PLANNED_WHOLE = Row("the plan", 15, room=6000)

OUTSIDE, SCRATCH = 6, 30
"""How far a file that was only read is below the others: outside the project, and in a folder for scratch."""
SAID_AMONG_NAMES = 5
"""How many of what was said on the way a larger packet tells before all that is known of files."""

PRESETS: dict[str, dict[str, float]] = {
    "": {},
    "implement": {"todos": 3, "earlier todos": 3, "plan": 8, "decided": 3},
    "debug": {
        "failing": 2,
        "failed last": 2,
        "failed before": 2,
        "fixed": 10,
        "dead": 8,
        "known": 8,
        "worked": 3,
    },
    "review": {"state": 6, "decided": 6, "files": 3, "repo": 6},
    "docs": {"decided": 8, "known": 6, "asked": 4},
}
"""How far each `Preset` lifts the ranks of a group."""

TINY = 600
"""Tokens below which a packet's first and last lines are told in few words."""
FOLDER_TOLD = 1000
"""Tokens from which the first line says what paths are relative to."""
ROOMY = 1500
"""Tokens from which a packet holds what was said on the way beside all names."""
VITAL_FAILURES = 4
"""How many commands that fail come before all that was done; of more of them each competes with the rest."""
VITAL_WORDS = 24
"""How many words of the person are, in a packet of any size, the last to be given up."""
TOKENS_FOR_A_RULE = 60
"""One rule more is kept so for each of these, where that gives more of them."""

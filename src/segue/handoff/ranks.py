"""The drop order: what a packet gives up first, as one table read from the bottom.

Each row is one thing in one form. Forms are taken from the top as long as they fit the budget, a fuller one in place
of the briefer; what is below gives way to what is above. The goal, the next step and the way to the transcript stand
in the first lines and are never dropped.
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


WANTED_FILE = Row("a file that must be named: its name", 96, 0.01)
STATEMENT = Row("a statement of a model that the session shows, in the room of the reports", 95.5, 0.001)
RULE = Row("a prompt with a rule, an answer, a rejection, the last prompt", 95, 0.02)
FAILURE = Row("a line that failed when last run, with its first complaint", 92, 0.5, room=140)
STOP = Row("where it stopped", 91, room=300)
FIRST_PROMPT = Row("the first prompt", 90.5)
CHANGED_FILE = Row("a changed file: its name", 89.2, 0.05)
STEP = Row("a further step", 87.5, 0.7)
LAST_REPORT = Row("the agent's last report", 85.5, room=420)
GIT = Row("what was committed, pushed or opened", 86.6, 0.8)
RUNNING = Row("a job or a sub-agent not seen to end", 86.5, 2)
PROMPT = Row("any other prompt", 89.0, 0.6)
COMMAND = Row("a command: its line", 88.8, 0.25, room=100)
REPORT = Row("the best sentences of earlier reports", 84.4, 0.22)
CHANGED_FILE_SYMBOLS = Row("a changed file: three of its symbols", 88.4, 0.1)
SEEN_FILE = Row("a file that was only read: its name", 88.0, 0.04)
TODO = Row("an open to-do", 84, 0.4, room=160)
FAILED_EARLIER = Row("a line that failed before the last turns or the last commit", 91.2, 1.0, room=140)
SETTLED = Row("a line that failed, and of whose kind another went well since", 84.5, 0.5, room=140)
FAILURE_TOLD = Row("a line that failed when last run, with all complaints", 88.5, 1.5, room=300)
REPOSITORY = Row("branch and commit", 79)
SEEN_FILE_SYMBOLS = Row("a file that was only read: three of its symbols", 87.2, 0.06)
CHECK_TOLD = Row("a check with what it printed last", 84.4, 1.0, room=200)
GAP = Row("where evidence is missing", 76, 1)
LAST_REPORT_LONGER = Row("the agent's last report", 75, room=1400)
RULE_LONGER = Row("a prompt with a rule, in a few sentences", 87.0, 0.3)
FIRST_PROMPT_LONGER = Row("the first prompt, in a few sentences", 73.5)
CHANGED_FILE_REASON = Row("a changed file: six symbols, how often it was edited and why", 85.6, 0.25)
PROMPT_LONGER = Row("any other prompt, in a few sentences", 70, 0.4)
REPOSITORY_CHANGES = Row("what git calls changed", 69)
COMMAND_TOLD = Row("a command with how it went", 68, 0.8, room=180)
SUMMARY = Row("the last compaction summary", 66, room=900)
PLAN = Row("the plan", 65, room=500)
SEEN_FILE_REASON = Row("a file that was only read: six symbols", 62, 0.4)
LINEAGE = Row("an earlier handoff that this one goes on from", 61, 1)
RULE_WHOLE = Row("a prompt with a rule, the first or the last, whole", 60, 0.5, room=1600)
LAST_REPORT_WHOLE = Row("the agent's last report", 56, room=3000)
PROMPT_WHOLE = Row("any other prompt, whole", 50, 0.5, room=1600)
DONE_TODO = Row("how many to-dos are done, and the last of them", 78.5, room=120)
REPOSITORY_LOG = Row("the last commits", 47)
CHANGED_FILE_WHOLE = Row("a changed file: twelve symbols", 46, 0.4)
MODIFIED_PATHS = Row("the list of modified files, which repeats what Files tells", 45)
READ_PATHS = Row("the list of files that were read", 40)
SUMMARY_LONGER = Row("the last compaction summary", 38, room=2400)
PLAN_LONGER = Row("the plan", 36, room=1800)
FIRST_PROMPT_WHOLE = Row("the first or the last prompt of any length", 30, room=5000)

OUTSIDE = 6
"""How far a file that was only read is below the others where it lies outside the project."""

PRESETS: dict[str, dict[str, float]] = {
    "": {},
    "implement": {"todos": 3, "plan": 20, "steps": 2},
    "debug": {"failing": 2, "commands": 4, "reports": 2},
    "review": {"git": 6, "files": 3, "repository": 10},
    "docs": {"reports": 6, "asked": 2, "files": 2},
}
"""How far each `Preset` lifts the ranks of a group."""
ROOMY_LIFTS = {"asked": 4.0, "reports": 4.0}
"""The same where there is room: what was said comes before the ends of long lists."""
SMALL, SMALL_LIFTS = 1000, {"asked": 5.0}
"""And below so many tokens, where the person's words come before all that can be looked up."""

TINY = 600
"""Tokens below which the first and last lines are told in few words."""
ROOMY = 2000
"""Tokens from which the first lines say where the file of the transcript lies."""
COMMANDS_TOLD = 14
"""Of how many commands that are no checks it is told how they went."""
VITAL_FAILURES = 4
"""How many failing lines come before all that was done."""
VITAL_PROMPTS = 24
"""How many rules of the person are, in a packet of any size, the last to be given up."""
TOKENS_FOR_A_RULE = 60
"""One rule more is kept so for each of these, where that gives more of them."""

"""Commands against the transcript: the line stands in the call, and the record of its result has the status told."""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.handoff.item_reading import ParsedItem
from segue.handoff.run_reading import ToldRun, told_run
from segue.handoff.verify.finding import at, short
from segue.handoff.verify.transcript import Shown, Transcript
from segue.handoff.verify.words import calls, tells
from segue.handoff.wording import is_line, says

_CODE = re.compile(r"`([^`]+)`")
_BEHIND = {"piped through": "|", "output written to": ">", "output discarded": ">", "followed by": ""}
"""What is told to stand between a command and its record, and the sign of it in the line."""
_STOPPED_BY_ERROR = "an error: "


def ran(item: ParsedItem, transcript: Transcript) -> Iterator[str]:
    """A run as a row tells it, with what is quoted of its output."""
    told = told_run(item.text)
    if told is None:
        return
    there = [shown for shown in transcript.at(*item.evidence) if is_line(shown.command, told.command)]
    results = [shown for shown in there if shown.by == "result" or shown.kind == "user"]
    if not there:
        yield f"{at(item)} does not run {short(told.command)}"
        return
    if told.outcome == "running":
        if any(not shown.background for shown in results):
            yield "the transcript has its result"
        return
    if not results:
        yield f"there is no result at {at(item)}"
        return
    yield from _status(told, results)
    for line in filter(None, (told.printed, *item.below)):
        if not any(says(shown.whole, line) for shown in results):
            yield f"it did not print {short(line)}"
    yield from _around(told, transcript)
    if told.outcome == "failed" and not told.through:
        yield from _since(results[-1], transcript)


def _status(told: ToldRun, results: list[Shown]) -> Iterator[str]:
    """The status told against the record's own. Where a pipe or a later command took the exit status, what was printed
    decides, and that is looked for."""
    masked = told.through or any(_masks(shown.command) for shown in results)
    recorded = results[-1]
    if told.exit_code is not None and all(shown.exit_code != told.exit_code for shown in results):
        yield f"its record has {_told_status(recorded)}"
    elif told.outcome == "failed" and all(shown.failed is False for shown in results) and not masked:
        yield "its record says that it went well"
    elif told.outcome == "ok" and all(shown.failed for shown in results) and not (masked and told.printed):
        yield f"its record has {_told_status(recorded)}"
    elif told.outcome == "unknown":
        yield from _unrecorded(told, results)


def _unrecorded(told: ToldRun, results: list[Shown]) -> Iterator[str]:
    if told.silent and all(shown.text.strip() for shown in results) and not told.through:
        yield "it printed something"
    if not told.through and all(shown.failed is not None and not shown.reason for shown in results):
        yield f"its record has {_told_status(results[-1])}"
    for said, sign in _BEHIND.items():
        if said in told.through and not any(sign in shown.command for shown in results):
            yield f"it was not {said} anything"


def _told_status(shown: Shown) -> str:
    if shown.exit_code is not None:
        return f"exit {shown.exit_code}"
    return "no status" if shown.failed is None else "an error" if shown.failed else "no error"


def _masks(command: str) -> bool:
    return any(sign in command for sign in ("|", ";", "\n", "&"))


def _around(told: ToldRun, transcript: Transcript) -> Iterator[str]:
    """Other lines that a row points to: an earlier failure, an edit since, what went well since."""
    before = transcript.at(told.failed_before) if told.failed_before else []
    if told.failed_before and not any(shown.by == "result" and shown.command for shown in before):
        yield f"#{told.failed_before} is no run"
    if told.edited_since and not transcript.at(told.edited_since):
        yield f"nothing was edited at #{told.edited_since}"
    if told.again and not any(is_line(shown.command, told.command) for shown in transcript.at(told.again)):
        yield f"#{told.again} does not run it"
    if told.settled_by:
        later = [s for s in transcript.at(told.settled_line) if is_line(s.command, told.settled_by)]
        if not later or all(shown.failed for shown in later if shown.by == "result"):
            yield f"#{told.settled_line} shows no run of {short(told.settled_by)} that went well"


def _since(failed: Shown, transcript: Transcript) -> Iterator[str]:
    """A later run of the very line that failed, which went well."""
    for run in transcript.runs:
        if run.line > failed.line and run.failed is False and run.command == failed.command:
            yield f"it went well at #{run.line}"
            return


def listed(commands: list[str], transcript: Transcript) -> Iterator[str]:
    """Commands that are told by their lines alone."""
    for command in commands:
        if not any(is_line(run.command, command) for run in transcript.runs):
            yield f"no run of {short(command)} is there"


def running(item: ParsedItem, transcript: Transcript) -> Iterator[str]:
    """A job or a sub-agent that was started at this line and not seen to end."""
    there = transcript.at(*item.evidence)
    for told in _CODE.findall(item.text):
        mine = [shown for shown in there if calls(shown, told)]
        if not mine:
            yield f"{at(item)} does not start {short(told)}"
        elif all(shown.call_id in transcript.ended for shown in mine):
            yield "the transcript has its end"


def stopped(item: ParsedItem, transcript: Transcript) -> Iterator[str]:
    """Where it stopped: calls without a result, an error, or words."""
    there = transcript.at(*item.evidence)
    if not item.text.startswith("no result was seen of `"):
        words = item.text.removeprefix(_STOPPED_BY_ERROR)
        if not tells(there, words):
            yield f"{at(item)} does not say {short(words)}"
        return
    for told in _CODE.findall(item.text):
        mine = [shown.call_id for shown in there if shown.by == "call" and calls(shown, told)]
        if not mine:
            yield f"{at(item)} does not call {short(told)}"
        elif transcript.ended.issuperset(mine):
            yield f"the transcript has the result of {short(told)}"

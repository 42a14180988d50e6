"""Commands as facts: one for each, whatever lines it was part of."""

from __future__ import annotations

from msgspec.structs import replace

from segue.extract.commands import shell
from segue.extract.commands.purpose import looks_up
from segue.extract.commands.run_keys import run_key
from segue.extract.commands.runs import Parsed
from segue.model.facts import CommandFact, Evidence, FailedRun, RunState

_NONE_RAN = "no test ran"


def command_facts(rows: list[Parsed], running: frozenset[int] = frozenset()) -> list[CommandFact]:
    """One fact per command, the one that ran last at the end. A line that failed is one fact as it was run;
    of a line that went well each command is that did something and ended, but no look at something of which nobody
    knows how it ended: `running` are the lines at which one was
    left behind that still runs."""
    facts: dict[str, CommandFact] = {}
    idle = {row.bad_line for row in rows if row.slip or row.aborted}
    for row in rows:
        for place, simple in enumerate(row.simple) if row.good else ():
            key = run_key(simple.words) if simple.words else ()
            if simple.then == "&" and row.ok_line in running:
                continue
            if key and not shell.only_lists(simple.words):
                check = shell.is_check(simple.words)
                ran_none = check and row.only == shell.NO_TESTS and shell.is_test(simple.words)
                check = check and not ran_none
                hidden = place in row.hidden and not check
                told = place == max(row.hidden) if row.hidden else key == row.known_as
                against = row.against if told else ""
                if ran_none and row.good and not row.good.outcome:
                    against = against or _NONE_RAN
                unknown = hidden or simple not in row.passed
                if unknown and not against and not check and looks_up(simple.words):
                    continue
                _add(
                    facts,
                    " ".join(key),
                    simple.text,
                    row,
                    idle,
                    failed=False,
                    check=check,
                    hidden=hidden,
                    against=against,
                )
        if row.bad and row.known_as:
            _add(facts, " ".join(row.known_as), row.bad.command, row, idle, failed=True, check=row.check)
        if row.state == "running" and row.known_as:
            _add(facts, " ".join(row.known_as), row.simple[-1].text, row, idle, failed=False, check=row.check)
    return list(facts.values())


def _add(
    facts: dict[str, CommandFact],
    key: str,
    text: str,
    row: Parsed,
    idle: set[int],
    *,
    failed: bool,
    check: bool,
    hidden: bool = False,
    against: str = "",
) -> None:
    """`idle` are the lines of bad runs that say nothing of the work; of a `hidden` one nobody knows how it ended, and
    `against` is what it printed against its having gone well."""
    known = facts.pop(key, None) or CommandFact(command=text, key=key, runs=0, state="running")
    last_bad = known.last_bad
    if row.bad and failed and (last_bad is None or _says_more(row.bad, last_bad, idle)):
        last_bad = row.bad
    last_ok = known.last_ok
    if row.good and not failed and row.ok_line >= (last_ok.evidence.line if last_ok else 0):
        outcome = against or (row.good.outcome if key == " ".join(row.known_as) else "")
        proved = not hidden and any(" ".join(run_key(s.words)) == key for s in row.passed if s.words)
        last_ok = replace(row.good, outcome=outcome, proved=proved)
    state: RunState = known.state
    if last_bad is None:
        state = "ok" if last_ok else "running"
    elif last_bad is row.bad:
        state = row.state
    facts[key] = CommandFact(
        command=known.command if known.last_ok and last_ok is known.last_ok else text,
        key=key,
        runs=known.runs + row.runs,
        failures=known.failures + (row.failures if failed else 0),
        check=known.check or check,
        state=state,
        last_ok=last_ok,
        last_bad=last_bad,
        evidence=(Evidence(row.line),),
    )


def _says_more(new: FailedRun, old: FailedRun, idle: set[int]) -> bool:
    """The later failure is the one to tell, but no slip of the pen over a real one."""
    slips = new.evidence.line in idle, old.evidence.line in idle
    return new.evidence.line >= old.evidence.line if slips[0] == slips[1] else slips[1]

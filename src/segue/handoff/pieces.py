"""Facts as the pieces of a packet, each in forms from the briefest to the fullest, with their ranks (see `ranks`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from segue.handoff import ranks
from segue.handoff.fit import Form, Piece, distinct
from segue.handoff.items import lines, places, pointer
from segue.handoff.quote import MISSING, block, code, cut, cut_lines, inline, path, quoted
from segue.model import packet as labels
from segue.model.facts import CommandFact, Evidence, Facts, FileFact, Item, Prompt, Report, Run
from segue.model.scratch import is_scratch
from segue.model.value import NamedTuple


class Group(NamedTuple):
    heading: labels.Heading
    label: str


GROUPS: dict[str, Group] = {
    "asked": Group("Context", f"**{labels.ASKED}** (verbatim; the later wins)"),
    **{
        kind: Group("Context", f"**{label}** (by a model; the lines show it)")
        for kind, label in labels.STATED.items()
    },
    "reports": Group("Context", f"**{labels.REPORTED}** (unverified)"),
    "last report": Group("Context", f"**{labels.LAST_REPORT}** (unverified)"),
    "summary": Group("Context", f"**{labels.SUMMARY}** (written by a model, unverified)"),
    "flight": Group("Operational Context", f"**{labels.STOPPED}**"),
    "failing": Group("Operational Context", f"**{labels.FAILING}**"),
    "failed earlier": Group("Operational Context", f"**{labels.FAILED_EARLIER}**"),
    "running": Group("Operational Context", f"**{labels.RUNNING}** (no end was seen)"),
    "commands": Group("Operational Context", f"**{labels.RAN}** (the last run of each)"),
    "git": Group("Operational Context", f"**{labels.GIT}**"),
    "repository": Group("Operational Context", f"**{labels.REPOSITORY}**"),
    "files": Group("Files", ""),
    "steps": Group("Task", f"**{labels.STEPS}**"),
    "todos": Group("Task", f"**{labels.TODOS}**"),
    "plan": Group("Task", f"**{labels.PLAN}**"),
    "notes": Group("Notes", ""),
}
"""Every group a packet may have, in the order in which it is printed."""

STATEMENT, RULE, PROMPT, FAILURE, WANTED, PATHS = (
    "statement",
    "rule of the person",
    "prompt",
    "failure",
    "file asked for",
    "list of paths",
)
"""What pieces are called that the order of dropping turns on."""

_BOXES = {"pending": " ", "in_progress": "~"}
_UNTOUCHED = ("read", "mentioned")
_STATUS_ROWS = 12
_ROWS = 40
"""Lines of a report or a summary that are quoted at most."""
_COMPLAINTS = 240


def pieces(facts: Facts, budget: int) -> list[Piece]:
    lifts = Counter(ranks.PRESETS.get(facts.preset, {}))
    lifts.update(
        ranks.ROOMY_LIFTS if budget >= ranks.ROOMY else ranks.SMALL_LIFTS if budget < ranks.SMALL else {}
    )
    return [
        _lifted(piece, lifts[piece.group]) if piece.group in lifts else piece
        for piece in (
            *_asked(facts, budget),
            *_statements(facts),
            *_reports(facts),
            *_flight(facts),
            *_failing(facts),
            *_running(facts),
            *_commands(facts),
            *_git(facts),
            *_repository(facts),
            *_files(facts),
            *_task(facts),
            *_notes(facts),
        )
    ]


def _lifted(piece: Piece, by: float) -> Piece:
    """The piece with higher ranks, but none that passes what fails."""
    most = ranks.STOP.rank
    forms = (form._replace(rank=max(form.rank, min(form.rank + by, most))) for form in piece.forms)
    return piece._replace(forms=tuple(forms))


# What was said


def _asked(facts: Facts, budget: int) -> Iterator[Piece]:
    own = [n for n, prompt in enumerate(facts.prompts) if not prompt.origin]
    first, last = (own[0], own[-1]) if own else (-1, -1)
    most = max(ranks.VITAL_PROMPTS, budget // ranks.TOKENS_FOR_A_RULE)
    rules = [n for n in _by_score(facts.prompts) if _is_rule(facts.prompts[n]) or n == last]
    ordinary = [n for n in _by_score(facts.prompts) if n not in set(rules)]
    for place, n in enumerate(rules):
        yield _prompt_piece(
            facts.prompts[n], n, place, rule=True, vital=place < most, ends=n in (first, last)
        )
    for place, n in enumerate(ordinary):
        yield _prompt_piece(facts.prompts[n], n, place, rule=False, vital=False, ends=n in (first, last))


def _is_rule(prompt: Prompt) -> bool:
    return prompt.role == "rule" or prompt.kind in ("answer", "rejection")


def _by_score(items: Sequence[Item]) -> list[int]:
    return sorted(range(len(items)), key=lambda n: (-items[n].score, -n))


def _prompt_piece(prompt: Prompt, order: int, place: int, *, rule: bool, vital: bool, ends: bool) -> Piece:
    if rule:
        rows = (ranks.RULE, ranks.RULE_LONGER, ranks.RULE_WHOLE)
    elif ends:
        rows = (ranks.FIRST_PROMPT, ranks.FIRST_PROMPT_LONGER, ranks.RULE_WHOLE)
    else:
        rows = (ranks.PROMPT, ranks.PROMPT_LONGER, ranks.PROMPT_WHOLE)
    line, few, whole = rows
    forms = [
        Form(line.at(place), asked(prompt, prompt.brief or prompt.text, 120)),
        Form(few.at(place), asked(prompt, prompt.short or prompt.text)),
        Form(whole.at(place), asked(prompt, prompt.long or prompt.text)),
    ]
    if ends and len(prompt.text) <= ranks.FIRST_PROMPT_WHOLE.room:
        forms.append(Form(ranks.FIRST_PROMPT_WHOLE.rank, asked(prompt, prompt.text)))
    return Piece("asked", order, RULE if rule else PROMPT, distinct(*forms), vital=vital, lines=lines(prompt))


def asked(prompt: Prompt, text: str, room: int = 300) -> str:
    """A prompt on one line: what was rejected or answered, how often, its words, where."""
    count = f"{prompt.count}× " if prompt.count > 1 else ""
    words = quoted(text) if text else "(no words)"
    last = f" … the last: {quoted(cut(prompt.last, 200))}" if prompt.last else ""
    if prompt.kind == "rejection" and prompt.to:
        words = f"rejected {code(cut(prompt.to, 160))}: {words}"
    elif prompt.kind == "answer":
        words = f"answer to {quoted(prompt.to)}: {words}" if prompt.to else f"answered: {words}"
    aside = ""
    if prompt.to and prompt.kind not in ("rejection", "answer"):
        at = (
            pointer(Item(evidence=(Evidence(prompt.to_line),), origin=prompt.origin))
            if prompt.to_line
            else ""
        )
        aside = f" (to the agent's {quoted(cut(prompt.to, room))}{at})"
    return f"- {count}{words}{last}{pointer(prompt)}{aside}"


def _statements(facts: Facts) -> Iterator[Piece]:
    """What a model stated, in its own order, which is by importance; its steps stand among the steps."""
    told = [statement for statement in facts.statements if statement.kind in labels.STATED]
    for place, statement in enumerate(told):
        mark = "" if statement.seen else "reported: "
        form = Form(ranks.STATEMENT.at(place), f"- {mark}{inline(statement.text)}{pointer(statement)}")
        yield Piece(statement.kind, place, STATEMENT, (form,), lines=lines(statement))


def _reports(facts: Facts) -> Iterator[Piece]:
    old = [report for report in facts.reports if not report.text]
    for report, place in zip(old, places(old), strict=True):
        text = f" {MISSING} ".join(inline(remark.text) for remark in report.remarks)
        order = facts.reports.index(report)
        yield Piece(
            "reports",
            order,
            "report",
            (Form(ranks.REPORT.at(place), f"- {text}{pointer(report)}"),),
            lines=lines(report),
        )
    for report in facts.reports:
        if report.text:
            yield Piece(
                "last report",
                facts.reports.index(report),
                "last report",
                distinct(*_last_report(report)),
                lines=lines(report),
            )
    for summary in facts.summaries:
        forms = (
            Form(row.rank, f"{block(_ends(summary.text, row.room, 2))}\n{pointer(summary).strip()}")
            for row in (ranks.SUMMARY, ranks.SUMMARY_LONGER)
        )
        yield Piece("summary", 0, "summary", distinct(*forms), lines=lines(summary))


def _last_report(report: Report) -> Iterator[Form]:
    for row in (ranks.LAST_REPORT, ranks.LAST_REPORT_LONGER, ranks.LAST_REPORT_WHOLE):
        yield Form(row.rank, f"{block(_ends(report.text, row.room))}\n{pointer(report).strip()}")


def _ends(text: str, room: int, thirds: int = 1) -> str:
    """The beginning of a report and, in so many thirds of the room, its end: it opens with what was done and closes with
    what is open."""
    rows = [row for row in text.split("\n") if row.strip() and not row.startswith("::")]
    if sum(map(len, rows)) <= room:
        return cut_lines(text, room)
    first, left = len(rows), room * thirds // 3
    least = max(1, first - _ROWS * thirds // 3)
    while first > least and len(rows[first - 1]) <= left:
        first -= 1
        left -= len(rows[first])
    closing = rows[first:]
    head = cut_lines("\n".join(rows[:first]), room - sum(map(len, closing))).split("\n")
    fits = _ROWS - len(closing)
    return "\n".join((*(head if len(head) <= fits else [*head[: fits - 1], MISSING]), *closing))


# What was done


def _flight(facts: Facts) -> Iterator[Piece]:
    flight = facts.in_flight
    if flight is None or flight.kind == "turn":
        return
    shown = (
        code(cut(flight.text, ranks.STOP.room))
        if flight.kind == "call"
        else inline(cut(flight.text, ranks.STOP.room))
    )
    said = {"call": f"no result was seen of {shown}", "error": f"an error: {shown}"}.get(flight.kind, shown)
    beside = (
        f"; beside it {', '.join(code(cut(text, 80)) for text in flight.beside)}" if flight.beside else ""
    )
    form = Form(ranks.STOP.rank, f"- {said}{beside}{pointer(flight)}")
    yield Piece("flight", 0, "stop", (form,), lines=lines(flight))


def _failing(facts: Facts) -> Iterator[Piece]:
    failing = [c for c in facts.commands if c.state == "failing"]
    newest = sorted(failing, key=lambda c: (not c.open, bool(c.settled_by), not c.check, -c.score))
    for place, command in enumerate(newest):
        row = ranks.FAILURE if command.open else ranks.SETTLED if command.settled_by else ranks.FAILED_EARLIER
        vital = not command.settled_by and place < ranks.VITAL_FAILURES
        forms = [Form(row.at(place), failed(command, row.room, 2 if vital else 1))]
        if vital:
            forms.append(Form(ranks.FAILURE_TOLD.at(place), failed(command, ranks.FAILURE_TOLD.room, 4)))
        group = "failing" if command.open else "failed earlier"
        yield Piece(group, -_line(command), FAILURE, distinct(*forms), vital=vital, lines=lines(command))


def _line(command: CommandFact) -> int:
    return command.failed.evidence.line if command.failed else 0


def failed(command: CommandFact, room: int, complaints: int) -> str:
    """A failing line with its exit status, what it complained of, and what happened since."""
    bad = command.failed
    status = (
        "failed"
        if bad is None or bad.exit_code is None
        else f"exit {bad.exit_code}"
        if bad.exit_code
        else "printed a failure"
    )
    seen = Item(evidence=(bad.evidence,) if bad else command.evidence, origin=command.origin)
    since = [inline(bad.through) if bad else ""]
    if command.settled_by:
        since.append(f"later {code(cut(command.settled_by, 80))} ok [#{command.settled_line}]")
    elif (again := command.last) and bad and again.evidence.line > bad.evidence.line:
        since.append(f"run again [#{again.evidence.line}], {verdict(again)}")
    elif command.check and command.edited_since and not command.origin:
        since.append(f"edited since [#{command.edited_since}], not run again")
    told = "; ".join(filter(None, since))
    rows = [f"- {code(cut(command.command, room))} {status}{f' ({told})' if told else ''}{pointer(seen)}"]
    rows += [f"  > {inline(cut(line, _COMPLAINTS))}" for line in (bad.printed if bad else ())[:complaints]]
    return "\n".join(rows)


def _running(facts: Facts) -> Iterator[Piece]:
    jobs = [*facts.background, *(agent for agent in facts.subagents if agent.state == "running")]
    for place, job in enumerate(jobs):
        text = f"- {code(cut(job.text, 160))}{pointer(job)}"
        yield Piece("running", place, "job", (Form(ranks.RUNNING.at(place), text),), lines=lines(job))


def _commands(facts: Facts) -> Iterator[Piece]:
    running = {job.text for job in facts.background}
    told = [
        c
        for c in facts.commands
        if c.state != "failing" and not c.key.startswith("git ") and not (c.state == "running" and running)
    ]
    listed: set[str] = set()
    for place, command in sorted(zip(places(told), told, strict=True), key=lambda pair: pair[0]):
        full = ranks.CHECK_TOLD if command.check else ranks.COMMAND_TOLD
        name = _brief(command)
        if name in listed:
            continue
        listed.add(name)
        forms = [Form(ranks.COMMAND.at(place), code(name), brief=True)]
        if command.check or place < ranks.COMMANDS_TOLD:
            forms.append(Form(full.at(place), ran(command, full.room)))
        yield Piece("commands", -_at(command), "command", distinct(*forms), lines=lines(command))


def _at(command: CommandFact) -> int:
    return command.evidence[0].line if command.evidence else 0


def ran(command: CommandFact, room: int) -> str:
    """A line with the harness's verdict on its last run and the line in which it sums itself up."""
    run = command.last
    since = [f"failed before [#{_line(command)}]"] if command.failed and command.state == "ok" else []
    since += [f"edited since [#{command.edited_since}]"] if command.edited_since else []
    how = "no result seen" if run is None or command.state == "running" else verdict(run)
    around = f" ({'; '.join(since)})" if since else ""
    return f"- {code(cut(command.command, room))} {how}{around}{pointer(command)}"


def verdict(run: Run) -> str:
    """The harness's word on a run, and the line of its output that tells most."""
    printed = f": {inline(cut(run.printed[-1], 160))}" if run.printed else ""
    if run.verdict == "ok":
        return f"ok{f' ({inline(run.through)})' if run.through else ''}{printed}"
    why = "; ".join(filter(None, (run.through, run.said)))
    return f"outcome not recorded{f' ({inline(why)})' if why else ''}{printed or (', printed nothing' if run.through else '')}"


def _brief(command: CommandFact) -> str:
    """A command short enough for a list; of a long one its key, where it begins with that."""
    room = ranks.COMMAND.room
    if len(command.command) <= room:
        return command.command
    return (
        f"{command.key} {MISSING}" if command.command.startswith(command.key) else cut(command.command, room)
    )


def _git(facts: Facts) -> Iterator[Piece]:
    told = [claim for claim in facts.claims if claim.state != "pending"]
    for place, claim in enumerate(reversed(told)):
        state = "" if claim.text.startswith(claim.state) else f"{claim.state}: "
        form = Form(ranks.GIT.at(place), f"- {state}{inline(claim.text)}{pointer(claim)}")
        yield Piece("git", -place, "claim", (form,), lines=lines(claim))


def _repository(facts: Facts) -> Iterator[Piece]:
    repo = facts.repo
    if repo is None:
        return
    rows = []
    if repo.branch or repo.head:
        note = f" ({inline(repo.note)})" if repo.note else ""
        rows.append(
            (
                ranks.REPOSITORY,
                f"- {inline(repo.branch or 'no branch')} at {inline(repo.head or 'no commit')}{note}",
            )
        )
    elif repo.note:
        rows.append((ranks.REPOSITORY, f"- {inline(repo.note)}"))
    if repo.status:
        changed = ", ".join(inline(line.strip()) for line in repo.status[:_STATUS_ROWS])
        more = f", {MISSING}" if len(repo.status) > _STATUS_ROWS else ""
        rows.append((ranks.REPOSITORY_CHANGES, f"- changed: {changed}{more}"))
    if repo.log:
        commits = "; ".join(inline(cut(line, 80)) for line in repo.log[:5])
        rows.append((ranks.REPOSITORY_LOG, f"- last commits: {commits}"))
    for order, (row, text) in enumerate(rows):
        yield Piece("repository", order, "repository state", (Form(row.rank, text),))


def _files(facts: Facts) -> Iterator[Piece]:
    ranked = sorted(zip(places(facts.files), facts.files, strict=True), key=lambda pair: pair[0])
    for place, file in ranked:
        directory, _, name = file.path.rpartition("/")
        changed = file.action not in _UNTOUCHED
        rows: tuple[ranks.Row, ...] = (ranks.SEEN_FILE, ranks.SEEN_FILE_SYMBOLS, ranks.SEEN_FILE_REASON)
        if changed:
            rows = (ranks.CHANGED_FILE, ranks.CHANGED_FILE_SYMBOLS, ranks.CHANGED_FILE_REASON)
        lower = 0.0 if changed else _outside(file.path)
        named = ranks.WANTED_FILE.at(place) if file.wanted else rows[0].at(place, lower)
        forms = [
            Form(named, path(name) + _marked(file), brief=True),
            Form(rows[1].at(place, lower), file_line(name, file, 3)),
            Form(rows[2].at(place, lower), file_line(name, file, 6, full=True)),
        ]
        if changed:
            forms.append(Form(ranks.CHANGED_FILE_WHOLE.at(place), file_line(name, file, 12, full=True)))
        under = f"{path(directory)}/" if directory else "./"
        what = WANTED if file.wanted else "file"
        yield Piece("files", place, what, distinct(*forms), under=under, lines=lines(file))


def _outside(place: str) -> float:
    """How far a file is below the others for where it lies."""
    if not place.startswith(("/", "~")):
        return 0.0
    return ranks.OUTSIDE * (5.0 if is_scratch(place) else 1.0)


def file_line(name: str, file: FileFact, symbols: int, *, full: bool = False) -> str:
    state = file.work_state if file.action not in ("deleted", *_UNTOUCHED) else None
    again = f" {file.edits}×" if full and file.edits > 1 and file.action == "modified" else ""
    marked = _marked(file, again, f", {state.replace('_', ' ')}" if state else "")
    named = ", ".join(inline(symbol) for symbol in file.symbols[:symbols])
    return f"- {path(name)}{marked}{': ' + named if named else ''}{pointer(file) if full and marked else ''}"


def _marked(file: FileFact, again: str = "", state: str = "") -> str:
    """What became of a file, behind its name; nothing of one that was read."""
    return "" if file.action == "read" else f" ({file.action}{again}{state})"


# What comes next


def _task(facts: Facts) -> Iterator[Piece]:
    for place, step in enumerate(facts.next_steps[1:]):
        form = Form(ranks.STEP.at(place), f"{place + 1}. {inline(step.text)}{pointer(step)}")
        yield Piece("steps", place, "step", (form,), lines=lines(step))
    stepped = {step.text.partition(": ")[2] for step in facts.next_steps if step.basis == "todo"}
    ahead = [todo for todo in facts.todos if todo.state in ("pending", "in_progress")]
    for place, todo in enumerate(ahead):
        if todo.text not in stepped and not todo.stale:
            text = f"- [{_BOXES[todo.state]}] {inline(cut(todo.text, ranks.TODO.room))}{pointer(todo)}"
            yield Piece("todos", place, "to-do", (Form(ranks.TODO.at(place), text),), lines=lines(todo))
    done = [todo for todo in facts.todos if todo.state == "completed" and not todo.stale]
    if done:
        last = inline(cut(done[-1].text, ranks.DONE_TODO.room))
        text = f"- [x] {last}{f' and {len(done) - 1} before it' if len(done) > 1 else ''}{pointer(done[-1])}"
        yield Piece("todos", len(ahead), "to-do", (Form(ranks.DONE_TODO.rank, text),), lines=lines(done[-1]))
    plan = facts.plan
    if plan:
        since = (
            f", {plan.edits_since} file{'s' * (plan.edits_since != 1)} edited since"
            if plan.edits_since
            else ""
        )
        head = f"- {plan.outcome}{since}{pointer(plan)}"
        rows = (ranks.PLAN, ranks.PLAN_LONGER)
        forms = (Form(row.rank, f"{head}\n{block(cut_lines(plan.text, row.room))}") for row in rows)
        yield Piece("plan", 0, "plan", distinct(*forms), lines=lines(plan))


def _notes(facts: Facts) -> Iterator[Piece]:
    for place, gap in enumerate(facts.gaps):
        yield Piece("notes", place, "note", (Form(ranks.GAP.at(place), f"- {inline(gap)}"),))
    left = [todo for todo in facts.todos if todo.stale and todo.state in _BOXES]
    if left:
        text = f"- A to-do list with open items was not kept since then.{pointer(left[-1])}"
        yield Piece("notes", 9, "note", (Form(ranks.DONE_TODO.rank, text),), lines=lines(left[-1]))
    for place, link in enumerate(facts.lineage[-3:]):
        goal = f", for {quoted(cut(link.goal, 120))}" if link.goal else ""
        text = f"- It goes on from {inline(link.agent)} session {inline(link.session_id)}{goal}; [#n of {inline(link.origin)}] is a line of that."
        yield Piece("notes", 10 + place, "note", (Form(ranks.LINEAGE.at(place), text),))

"""Next steps from evidence: what stopped, what fails, what was left, what was asked.

Each step is an order that can be carried out, with the place it follows from. What the agent only
proposed comes last and is marked as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from segue.extract.commands.run_keys import marked
from segue.extract.commands.shell import is_test
from segue.extract.commands.summed import only_counts
from segue.extract.overruled import spoken_of
from segue.extract.owed import OWED, owed
from segue.extract.resumed import resumed
from segue.extract.settled import (
    handed_in,
    judges,
    last_edit,
    last_passed,
    last_passed_on,
    last_request,
    left_over,
    mended,
    praised,
    shown_done,
    submitted,
)
from segue.extract.text.prose import clipped, phrases
from segue.extract.undemanding import asks_nothing
from segue.model.facts import CommandFact, Evidence, FailedRun, FileFact, NextStep, TodoFact
from segue.model.scratch import is_scratch
from segue.model.turn import Index

_DONE = r"(?:i'?ve|i have|we'?ve|(?:that|this|it)(?:'s| is))\b|(?:fixed|added|updated|pushed|committed|opened|created|implemented|moved|removed|resolved|kept|landed|finished|completed|done)\b|`?[0-9a-f]{7,}"
"""How a report of something done begins; compiled when the first proposal is looked at."""

HANDED_OVER = "handed over"
"""The basis of a step that stood in an earlier packet and follows from none of its facts."""
_HANDING_IN = (
    "git push",
    "git commit",
    "git merge",
    "git rebase",
    "git cherry-pick",
    "git pull",
    "gh pr create",
)
"""Commands whose failure keeps finished work from being handed in."""
_SAYS_WHAT = phrases("expected|error: |assert|panicked|exception|cannot |undefined|not found| != |want ")
_MARKS = "→×❯✗✘✕>•- "
_FINISH = "Finish"
_LAST_EDITED = 2
_OLDER = 2
_REMEMBERED = 4
"""How many turns back a proposal may lie."""
_HANDED_OVER = 3


def next_steps(
    index: Index,
    failures: Sequence[CommandFact],
    todos: Sequence[TodoFact],
    start_in: Sequence[FileFact],
    fresh_after: int,
    *,
    goal: bool = False,
    spelled: bool = True,
) -> list[NextStep]:
    """The steps, most pressing first. `start_in` are the files that the goal is about, where there is a `goal`, which
    may have `spelled` their names; to-dos and remarks from before the line `fresh_after` are too old to be steps."""
    broken, doubtful = _repair(index, failures, fresh_after)
    to_do = list(_to_do(index, todos, fresh_after))
    taken_up = list(resumed(index, [step for step in to_do if step.text.startswith(_FINISH)]))
    open_ones = [*taken_up, *broken, *_ask(index), *(step for step in to_do if step not in taken_up)]
    proposed = list(_consider(index, fresh_after))
    owing = list(owed(index))
    closed = _closed(failures, todos)
    ended = not (goal or open_ones or owing or proposed) and index.source.ended == "finished"
    unmet = list(_unmet(index)) if ended else []
    left = [] if ended else list(_left(index, proposed))
    finished = list(_finish(index, closed)) if ended and not unmet else []
    return [
        *open_ones,
        *unmet,
        *(finished or _begin(index, start_in, spelled=spelled)),
        *_check_again(index, failures),
        *doubtful,
        *owing,
        *left,
        *_handed_over(index),
        *proposed,
    ] or list(_go_on(index))


def _closed(failures: Sequence[CommandFact], todos: Sequence[TodoFact]) -> str:
    """What there is none of, in words; questions are steps, so where it is asked for there is none."""
    left = any(todo.state in ("in_progress", "pending") for todo in todos)
    kinds = [*([] if failures else ["failure"]), *([] if left else ["to-do"])]
    return f"{', '.join(kinds)} or question" if kinds else "question"


def _repair(
    index: Index, failures: Sequence[CommandFact], fresh_after: int
) -> tuple[list[NextStep], list[NextStep]]:
    """The checks that fail and what keeps the work from being handed in, then whatever else fails; but not what
    failed long before that. Second, what failed long ago and may be mended: another check of its sort went well
    since."""
    broken: list[NextStep] = []
    others: list[NextStep] = []
    doubted: dict[str, list[tuple[str, FailedRun]]] = {}
    since = handed_in(index)
    given = since.evidence[0].line if since else 0
    for run in failures:
        bad = run.last_bad
        if bad is None:
            continue
        pressing = run.check or run.key.startswith(_HANDING_IN)
        if not run.origin and bad.evidence.line < (min(fresh_after, given) if pressing else given):
            continue
        ran = bad.command or run.command
        whole = len(ran) <= 100 or not (" && " in ran or ran.startswith(run.key))
        name = f"`{clipped(ran, 100) if whole else marked(run.key, 80)}`"
        recent = run.origin or bad.evidence.line >= fresh_after or not pressing
        better = None if recent else _passed_since(index, run, bad)
        if better and better.last_ok:
            how = "passed" if better.last_ok.proved else "ran without a complaint"
            doubted.setdefault(f"`{clipped(better.command, 90)}` {how} later", []).append((name, bad))
        else:
            at = run.evidence if run.origin else (bad.evidence,)
            why = f" — {clipped(_telling(bad.error_lines).lstrip(_MARKS), 110)}" if bad.error_lines else ""
            text = f"Make {name} pass{why}" if run.check else f"Get {name} through{why}"
            if run.edited_since:
                text = f"Run {name} again: it failed before the last edits{why}"
            (broken if pressing else others).append(
                NextStep(text=text, basis="failure", evidence=at, origin=run.origin)
            )
    return [*broken, *others], [_doubt(since, runs) for since, runs in doubted.items()]


def _telling(lines: Sequence[str]) -> str:
    """Of the lines of a failure the first that says what is wrong, not only that, where or how often something is."""
    said = [line for line in lines if not only_counts(line)] or list(lines)
    said = [line for line in said if not line.rstrip().endswith((":", "failed)"))] or said
    return next((line for line in said if any(sign in line.lower() for sign in _SAYS_WHAT)), said[0])


def _doubt(since: str, runs: Sequence[tuple[str, FailedRun]]) -> NextStep:
    """One step for all that the same later run speaks for."""
    names = ", ".join(name for name, _ in runs)
    text = f"See whether {names} still fail{'s' * (len(runs) == 1)}: not run since, and {since}."
    return NextStep(text=text, basis="failure", evidence=tuple(bad.evidence for _, bad in runs))


def _passed_since(index: Index, failed: CommandFact, bad: FailedRun) -> CommandFact | None:
    """The last check of the same sort, a test or none, that went well after the failure."""
    tests = _is_test(failed)
    later = [
        run
        for run in index.commands
        if run.check and run.last_ok and run.state != "open" and run.last_ok.evidence.line > bad.evidence.line
        if _is_test(run) == tests and not run.origin
    ]
    return later[-1] if later else None


def _unmet(index: Index) -> Iterator[NextStep]:
    """What was asked for after the last sign of work, and what the agent itself called undone."""
    asked, given = last_request(index), handed_in(index)
    worked = max(last_edit(index), given.evidence[0].line if given else 0)
    if praised(index) or not worked:
        return
    if asked and asked.evidence and asked.evidence[0].line > worked:
        said = " ".join(asked.text.split())
        if said.endswith("?"):
            yield from _go_on(index)
        else:
            text = f'See whether "{clipped(said, 160)}" is met: no edit, commit or push was seen since.'
            yield NextStep(text=text, basis="request", evidence=asked.evidence)
    else:
        yield from _left(index)


def _left(index: Index, told: Sequence[NextStep] = ()) -> Iterator[NextStep]:
    """What the agent's last words call undone, where none of the steps told says so."""
    left = left_over(index) if index.source.ended == "finished" else None
    if left and not any(clipped(left.text, 160).removesuffix("…") in step.text for step in told):
        text = f'See to what the agent said is left: "{clipped(left.text, 160)}"'
        yield NextStep(text=text, basis="said", evidence=left.evidence)


def _finish(index: Index, closed: str) -> Iterator[NextStep]:
    """Of work that was handed in, checked or praised after its last edit: that it looks finished."""
    if any(c.act == "lack" for c in index.claims):
        return
    given, passed, edited = handed_in(index), last_passed(index), last_edit(index)
    if praised(index):
        proof, at = "the person's last word is praise", index.prompts[-1].evidence
    elif end := submitted(index):
        proof, at = "it was submitted", (end,)
    elif given and given.evidence[0].line >= edited:
        proof, at = clipped(given.text, 140), given.evidence
    elif (run := mended(index)) and run.last_ok and edited and run.last_ok.evidence.line >= edited:
        proof, at = (
            f"`{clipped(run.command, 90)}`, which had failed, went well after the last edit",
            (run.last_ok.evidence,),
        )
    elif (
        edited and passed and passed.last_ok and passed.last_ok.evidence.line >= edited and not passed.origin
    ):
        proof, at = f"`{clipped(passed.command, 90)}` passed after the last edit", (passed.last_ok.evidence,)
    else:
        return
    text = f"Treat the work as finished unless told otherwise: {proof}, and no {closed} is open."
    yield NextStep(text=text, basis="finished", evidence=at)


def _begin(index: Index, start_in: Sequence[FileFact], *, spelled: bool) -> Iterator[NextStep]:
    """Where to open the editor: what the goal is about, else what was being worked on and is not handed in."""
    given = handed_in(index)
    if not start_in and given and given.evidence[0].line >= last_edit(index):
        return
    about = "what the goal names" if spelled else "what the goal is about"
    files, lead = (start_in, about) if start_in else (_edited(index), "what was edited last")
    if files:
        named = ", ".join(f.path + (f" ({', '.join(f.symbols[:2])})" if f.symbols else "") for f in files)
        origin = files[0].origin
        places = dict.fromkeys(Evidence(e.line) for f in files if f.origin == origin for e in f.evidence)
        yield NextStep(
            text=f"Begin with {lead}: {named}.",
            basis="goal" if start_in else "recent",
            evidence=tuple(places),
            origin=origin,
        )


def _edited(index: Index) -> list[FileFact]:
    """What was edited last, the last first."""
    changed = [f for f in index.files if f.work_state and f.action != "deleted"]
    changed = [f for f in changed if not is_aside(f.path)] or changed
    return sorted(changed, key=lambda f: 0 if f.origin else f.evidence[0].line)[-_LAST_EDITED:][::-1]


def is_aside(path: str) -> bool:
    """Outside the project and no work of its own: scratch, or a setting or note in a hidden folder."""
    return is_scratch(path) or (path.startswith(("/", "~")) and "/." in path)


def _to_do(index: Index, todos: Sequence[TodoFact], fresh_after: int) -> Iterator[NextStep]:
    """What is left of a list that was kept; of one that may be done, that it is to be looked at."""
    left = [t for t in todos if not t.origin and t.state in ("in_progress", "pending")]
    if not left:
        return
    for todo in left:
        since = None if todo.stale else spoken_of(todo, index.prompts)
        if not todo.stale and not (since and since.forbids):
            verb = _FINISH if todo.state == "in_progress" else "Do"
            but = f" (but see #{since.by.evidence[0].line})" if since else ""
            at = (*todo.evidence, *since.by.evidence) if since else todo.evidence
            yield NextStep(text=f"{verb}: {clipped(todo.text, 140)}{but}", basis="todo", evidence=at)
    is_done = shown_done(index)
    doubtful = [t for t in left if t.evidence[0].line >= fresh_after and not is_done(t)]
    if doubtful and all(t.stale for t in left):
        text = "See which to-dos are left: the list was last kept before work that was handed in since."
        yield NextStep(text=text, basis="todo", evidence=doubtful[0].evidence)


def _check_again(index: Index, failures: Sequence[CommandFact]) -> Iterator[NextStep]:
    """Of the checks of what was edited last the one that passed last: due again when something was edited since,
    else the one to end with. Where a check of that fails, to make it pass is the step."""
    untested = next((c for c in reversed(index.claims) if c.act == "lack"), None)
    files = [file.path for file in _edited(index)]
    edited = [file.path for file in index.files if untested and file.path in untested.text] or files
    check = last_passed_on(index, edited) if edited else last_passed(index)
    if untested:
        failing = [run for run in failures if run.check and all(judges(run, path) for path in edited)]
        if failing and (check is None or not _is_test(check) or any(map(_is_test, failing))):
            return
        order = f"Run `{clipped(check.command, 90)}` again" if check else "Check the last edits"
        at, origin = untested.evidence, untested.origin
        yield NextStep(text=f"{order}: {untested.text}.", basis="check", evidence=at, origin=origin)
    elif check and check.last_ok:
        when = "in an earlier session" if check.origin else "last"
        text = f"Verify with `{clipped(check.command, 110)}`, which passed {when}."
        at = check.evidence if check.origin else (check.last_ok.evidence,)
        yield NextStep(text=text, basis="check", evidence=at, origin=check.origin)


def _is_test(run: CommandFact) -> bool:
    return is_test(tuple(run.key.split()))


def _ask(index: Index) -> Iterator[NextStep]:
    for question in {" ".join(q.text.split()): q for q in index.questions}.values():
        text = f'Settle what the agent asked and nobody answered: "{clipped(question.text, 180)}"'
        yield NextStep(text=text, basis="question", evidence=question.evidence, origin=question.origin)


def _handed_over(index: Index) -> Iterator[NextStep]:
    """What stood in the packet that the session began with and follows from no other fact."""
    yield from [step for step in index.announced if step.basis == HANDED_OVER][:_HANDED_OVER]


def _consider(index: Index, fresh_after: int) -> Iterator[NextStep]:
    """What the agent proposed of late at the end of a turn, then the last things it proposed before: those may
    be done. What it proposed before it handed in its work, or went on with at once, is taken as done."""
    since = handed_in(index)
    past = since.evidence[0].line if since else 0
    closing = {turn.closing_line for turn in index.turns if turn.last_line <= turn.closing_line}
    proposed = [
        step
        for step in index.announced
        if step.basis not in (HANDED_OVER, OWED)
        and not re.match(_DONE, step.text.lower())
        and (step.origin or (step.evidence[0].line >= past and step.evidence[0].line in closing))
    ]
    fresh = [step for step in proposed if not step.origin and step.evidence[0].line >= fresh_after]
    remembered = index.turns[-_REMEMBERED].first_line if len(index.turns) >= _REMEMBERED else 0
    older = [s for s in proposed if s not in fresh and (s.origin or s.evidence[0].line >= remembered)][
        -_OLDER:
    ]
    for step in fresh:
        text = f'Weigh what the agent proposed: "{clipped(step.text, 200)}"'
        yield NextStep(text=text, basis="said", evidence=step.evidence)
    for step in reversed(older):
        text = f'See whether this was done: "{clipped(step.text, 160)}"'
        yield NextStep(text=text, basis="said earlier", evidence=step.evidence, origin=step.origin)


def _go_on(index: Index) -> Iterator[NextStep]:
    """A session that left no trace of what is to be done leaves at least its last request."""
    asked = index.prompts or index.asked_before
    if not asked:
        return
    last = next((p for p in reversed(asked) if not asks_nothing(p.text, answering=bool(p.to))), asked[-1])
    said = f'"{clipped(" ".join(last.text.split()), 160)}"'
    answered = bool(last.evidence) and any(t.closing_line > last.evidence[0].line for t in index.turns)
    text = (
        f"Ask what comes next: {said} was answered."
        if answered and index.source.ended == "finished" and not last.origin
        else f"Go on with {said}."
    )
    yield NextStep(text=text, basis="request", evidence=last.evidence, origin=last.origin)

"""Files as facts: what was done to each, its symbols, and how far along it is by what was seen after its last edit.

`editing`: the session stopped in the turn that changed it. `partially_done`: a check that fails since its last edit
names it. `ready`: a commit holds it. `needs_review`: none of these.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from segue.extract.text.prose import clipped, sentences
from segue.extract.text.symbols import ranked, spread
from segue.extract.tree.touched import Touched
from segue.model.facts import CommandFact, Evidence, FileFact, WorkState

_CHANGED = ("created", "modified", "deleted", "renamed")
_SYMBOLS = 24
_WHY = 160


def file_facts(
    touched: Sequence[Touched],
    commands: Sequence[CommandFact],
    committed: Callable[[str, int], bool],
    stopped_since: int,
) -> list[FileFact]:
    """The files in the order of their last touch. `committed` tells whether a commit holds a file as it was left at a
    line; what was edited after the line `stopped_since` is still being edited."""
    failing = [
        (fact.failed.evidence.line, "\n".join(fact.failed.printed))
        for fact in commands
        if fact.check and fact.open and fact.failed and not fact.origin
    ]
    shared = spread(file.symbols for file in touched)
    return [
        _fact(file, failing, committed, stopped_since, tuple(ranked(file.symbols, shared)[:_SYMBOLS]))
        for file in touched
    ]


def _fact(
    file: Touched,
    failing: Sequence[tuple[int, str]],
    committed: Callable[[str, int], bool],
    stopped_since: int,
    symbols: tuple[str, ...],
) -> FileFact:
    changed = file.action in _CHANGED
    earlier = file.earlier if file.earlier and file.action == file.earlier.action else None
    return FileFact(
        path=file.path,
        action=file.action,
        reads=file.reads,
        edits=file.edits or (earlier.edits if earlier else 0),
        work_state=_state(file, failing, committed, stopped_since) if changed else None,
        why=_why(file.why) if changed and file.edits else earlier.why if earlier else "",
        symbols=symbols,
        evidence=earlier.evidence
        if earlier
        else (Evidence(file.edit_line or file.line, file.id if file.edit_line else ""),),
        origin=earlier.origin if earlier else "",
    )


def _why(said: str) -> str:
    """What the agent said before it edited a file: its last sentence that does not only announce the next."""
    told = [sentence for sentence in sentences(said) if not sentence.endswith(":")]
    return clipped(told[-1], _WHY) if told else ""


def _state(
    file: Touched,
    failing: Sequence[tuple[int, str]],
    committed: Callable[[str, int], bool],
    stopped_since: int,
) -> WorkState:
    if file.earlier and not file.edits:
        return file.earlier.work_state or "needs_review"
    name = file.path.rpartition("/")[2]
    if any(line > file.edit_line and name in printed for line, printed in failing):
        return "partially_done"
    if committed(file.path, file.edit_line):
        return "ready"
    return "editing" if stopped_since and file.edit_line >= stopped_since else "needs_review"

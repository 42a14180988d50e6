"""Work states: how far along each changed file is, from what happened after its last edit.

`editing`: the session stopped in the middle of the turn that changed it. `partially_done`: a check
fails since. `ready`: a check passed since, or it was committed in a session where no check passed or
could have. `needs_review`: none of these.
"""

from __future__ import annotations

import re

from msgspec.structs import replace

from segue.extract.failures import Parsed
from segue.extract.files import Touched, can_be_checked
from segue.extract.prose import clipped, flat, sentences
from segue.extract.symbols import ranked, spread
from segue.model.facts import Ended, Evidence, FileFact, WorkState
from segue.model.turn import Turn

_LEAD_IN = re.compile(
    r"^(?:(?:ok(?:ay)?|good|great|perfect|now|next|first|then|so|alright|right|finally|also)[,.!:]?\s+)*"
    r"(?:(?:let me|let's|i'?ll|i will|i'?m going to|i am going to|i'?m|i need to|i should|we need to|i can)\s+)?(?:now\s+|also\s+|first\s+)?",
    re.I,
)
_EMPTY_WHY = re.compile(
    r"(?:check|look|see|read|view|verify|run|start|explore|examine|understand|continue|done|same|one more|catch|point)\b"
    r"|(?:that|this|it|there|here|you)(?:'s|'re| is| are| was)\b|found (?:it|the)\b|i (?:now )?(?:have|see|understand|found|got)\b"
    r"|(?:all |both )?(?:the )?(?:\d+ )?(?:\w+ )?(?:tests?|checks?|build|lint)\b.{0,20}\b(?:pass|green|clean|fail)",
    re.I,
)
"""What reports or only leads on, and says nothing of why a file was changed."""
_WHY_LIMIT = 110
_SYMBOLS = 24


def file_facts(
    touched: list[Touched], commands: list[Parsed], last_commit: int, turns: list[Turn], ended: Ended
) -> list[FileFact]:
    """The files as facts, in the order of their last touch."""
    passed = max((row.ok_line for row in commands if row.check and row.proved), default=0)
    failing = max((row.bad_line for row in commands if row.check and row.state == "open"), default=0)
    last_turn = turns[-1].first_line if turns else 0
    prompts = [(turn.first_line, turn.prompt) for turn in turns if turn.prompt]
    shared = spread(file.symbols for file in touched)
    facts = []
    for file in touched:
        symbols = tuple(ranked(file.symbols, shared)[:_SYMBOLS])
        if file.earlier and file.action == file.earlier.action and not (file.action == "read" and file.reads):
            facts.append(_inherited(file, file.earlier, symbols, passed, failing, last_commit))
            continue
        changed = file.action in ("created", "modified", "deleted", "renamed")
        stopped = ended != "finished" and file.edit_line >= last_turn
        facts.append(
            FileFact(
                path=file.path,
                action=file.action,
                reads=file.reads,
                edits=file.edits,
                work_state=_state(file, passed, failing, last_commit, stopped) if changed else None,
                why=_why(file, prompts) if changed else "",
                symbols=symbols,
                evidence=(Evidence(file.edit_line or file.line, file.id if file.edit_line else ""),),
            )
        )
    return facts


def _inherited(
    file: Touched, earlier: FileFact, symbols: tuple[str, ...], passed: int, failing: int, committed: int
) -> FileFact:
    """A file that nobody changed since an earlier handoff, whose state a check or a commit may have settled."""
    state = earlier.work_state
    if file.edit_line:
        since = _state(file, passed, failing, committed, stopped=False)
        state = state if since == "needs_review" else since
    return replace(earlier, path=file.path, reads=file.reads, symbols=symbols, work_state=state)


def _state(file: Touched, passed: int, failing: int, committed: int, stopped: bool) -> WorkState:
    if file.edit_line < passed:
        return "ready"
    if file.edit_line < committed:
        return "needs_review" if passed and can_be_checked(file.path) else "ready"
    if failing > file.edit_line:
        return "partially_done"
    return "editing" if stopped else "needs_review"


def _why(file: Touched, prompts: list[tuple[int, str]]) -> str:
    """The agent's own sentence before the edit, else the prompt that led to it."""
    for sentence in sentences(file.why)[:2]:
        said = _LEAD_IN.sub("", flat(sentence)).rstrip(".:… ")
        if len(said) > 12 and not _EMPTY_WHY.match(said):
            return clipped(said, _WHY_LIMIT)
    asked = next((p for line, p in reversed(prompts) if line <= file.edit_line), "")
    first = next((s for s in sentences(asked) if len(s.split()) > 2 and not s.endswith(":")), "")
    return f'for: "{clipped(flat(first), _WHY_LIMIT)}"' if first else ""

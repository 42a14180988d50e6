"""Facts: what of a session's index is told for one goal, judged once.

Everything that a person or an agent reads is rendered from the value made here. Nothing is left out for want of room:
that is the packet's affair, which drops by `score`. The same index, goal and repository give the same facts.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from segue.extract import budget as sizes
from segue.extract import reports, steps
from segue.extract.text.prose import clipped, flat
from segue.extract.text.relevance import Goal, aim_of
from segue.extract.text.sentence import parsed
from segue.extract.text.symbols import parts
from segue.extract.tree.touched import can_be_checked
from segue.model.facts import FORGOTTEN, CommandFact, Dropped, Facts, FileFact, Prompt, RecentTurn, RepoState
from segue.model.turn import Index, Turn

_FILES, _COMMANDS, _SYMBOLS = 160, 60, 12
_RECENT = 3
_MENTIONED = 10
"""How many files are told that nobody opened."""
_CHANGED = ("created", "modified", "renamed", "deleted")


def select(
    index: Index,
    goal: str = "",
    *,
    budget: int = sizes.DEFAULT,
    preset: str = "",
    repo: RepoState | None = None,
    include_files: Sequence[str] = (),
) -> Facts:
    """The facts for a goal. `include_files` must be named whatever else is."""
    sizes.require(budget)
    aim = aim_of(goal)
    edited = max(
        (_at(f) for f in index.files if f.edits and f.action in _CHANGED and can_be_checked(f.path)),
        default=0,
    )
    commands = [replace(c, edited_since=steps.edited_since(c, edited)) for c in index.commands]
    index = replace(index, commands=tuple(commands))
    return Facts(
        source=index.source,
        goal=goal,
        preset=preset,
        prompts=tuple(_prompts(index, aim)),
        reports=tuple(reports.select(index.reports, aim, sizes.report_room(budget), index.source.turns)),
        commands=tuple(_commands(commands, aim)),
        files=tuple(_files(index, aim, include_files)),
        todos=index.todos,
        plan=index.plan,
        background=index.background,
        subagents=tuple(agent for agent in index.subagents if agent.state == "running"),
        questions=index.questions,
        in_flight=index.in_flight,
        claims=index.claims,
        summaries=index.summaries[-1:],
        statements=index.statements,
        recent=tuple(_recent(turn) for turn in index.turns[-_RECENT:] if turn.number),
        repo=repo,
        standing=tuple(steps.standing(index, repo)),
        gaps=index.gaps,
        next_steps=tuple(steps.next_steps(index, aim)),
        lineage=index.lineage,
        dropped=tuple(Dropped(what=what, why=FORGOTTEN) for what in index.forgotten),
    )


def _at(fact: FileFact | CommandFact) -> int:
    return fact.evidence[0].line if fact.evidence and not fact.origin else 0


def _prompts(index: Index, aim: Goal) -> list[Prompt]:
    """Every prompt, with what it weighs: the first and the last two most, then what a marker calls a rule, then what
    names something; least what is brief and was said by the way."""
    count = len(index.prompts)
    own = [n for n, prompt in enumerate(index.prompts) if not prompt.origin]
    first, late = (own[0], own[-2:]) if own else (-1, [])
    seen: set[str] = set()
    found = []
    for place, prompt in enumerate(index.prompts):
        sentence = parsed(prompt.text[:600])
        terms = sentence.terms
        new = len(terms - seen) / max(1, len(terms))
        seen |= terms
        weight = 3.0 * (place == first) + (4.0 if own and place == own[-1] else 2.0 * (place in late))
        weight += 1.5 * (prompt.role == "rule") + 1.0 * (prompt.kind in ("answer", "rejection"))
        weight += 0.25 * min(sum(sentence.named), 4) + 0.8 * new + aim.score(prompt.text)
        weight += 0.5 * place / count - 1.2 * (len(sentence.words) < 4) - 0.8 * (prompt.count > 2)
        found.append(replace(prompt, score=round(weight, 4)))
    return found


def _commands(commands: Sequence[CommandFact], aim: Goal) -> list[CommandFact]:
    """The lines that are worth telling, failing ones first, then checks, then by how late and how often they ran."""
    last = max((_at(command) for command in commands), default=1) or 1
    found = []
    for command in commands:
        weight = 1.5 * _at(command) / last + aim.score(command.command) + 0.2 * min(command.runs, 5)
        weight += (3.0 if command.open else 1.2 * (command.state == "failing")) + 1.0 * command.check
        found.append(replace(command, score=round(weight - (2.0 if command.origin else 0.0), 4)))
    keep = sorted(found, key=lambda c: -c.score)[:_COMMANDS]
    return [command for command in found if command in keep]


def _files(index: Index, aim: Goal, include: Sequence[str]) -> list[FileFact]:
    """The files by what they weigh: changed ones, late ones, those of the goal; with the symbols that name its parts
    first. What nobody touched is told only where the goal or a person names it."""
    last = max((_at(file) for file in index.files), default=1) or 1
    found = []
    for file in index.files:
        weight = 1.6 * _at(file) / last + 2.0 * (file.action in _CHANGED) + aim.score_path(file.path)
        weight += 0.15 * min(file.edits, 6) + 0.1 * min(file.reads, 4) - 1.2 * (file.action == "mentioned")
        weight -= 1.0 * file.path.startswith(("/", "~")) + (0.8 if file.origin else 0.0)
        wanted = file.path in include
        found.append(
            replace(
                file, score=round(weight, 4), wanted=wanted, symbols=_symbols(file, aim), why=flat(file.why)
            )
        )
    known = {file.path for file in found}
    found += [
        FileFact(path=path, action="mentioned", wanted=True, score=9.0)
        for path in include
        if path not in known
    ]
    found.sort(key=lambda file: (-file.wanted, -file.score, file.path))
    spoken_of = [file for file in found if file.action == "mentioned" and not file.wanted][_MENTIONED:]
    return [file for file in found if file not in spoken_of][:_FILES]


def _symbols(file: FileFact, aim: Goal) -> tuple[str, ...]:
    meant = (
        [s for s in file.symbols if s.lower() in aim.terms or aim.terms.intersection(parts(s))]
        if aim.terms
        else []
    )
    return tuple(dict.fromkeys((*meant, *file.symbols)))[:_SYMBOLS]


def _recent(turn: Turn) -> RecentTurn:
    return RecentTurn(
        number=turn.number,
        asked=clipped(flat(turn.prompt), 300),
        said=clipped(flat(turn.closing), 300),
        actions=tuple(f"{tool} {count}×" for tool, count in turn.tools.items()),
    )

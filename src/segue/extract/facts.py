"""Facts for one goal: the index, judged, ordered and cut to its quotas.

Coverage comes first: the first prompt, the person's words, decisions, open failures and the last
turns are there whatever the goal is. Relevance to the goal then orders what competes for the rest.
Nothing is dropped silently: what a quota turns away is listed with the reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from msgspec.structs import replace

from segue.extract import judge, planned, settled
from segue.extract.anchors import Anchor, anchors
from segue.extract.budget import Quotas, quotas
from segue.extract.steps import next_steps
from segue.extract.text.prose import clipped, ends, flat, plainly, word_set
from segue.extract.text.relevance import Goal, aim_of
from segue.extract.tree.touched import can_be_checked
from segue.extract.words.assent import REACH, referred
from segue.model.facts import (
    FORGOTTEN,
    Dropped,
    Evidence,
    Facts,
    FileFact,
    Item,
    Objective,
    Quote,
    RecentTurn,
    RepoState,
)
from segue.model.turn import Index, Turn

_Fact = TypeVar("_Fact", bound=Item)
_PROMPT_LIMIT = 13_000
"""No prompt is kept longer; how much of it is told is a matter of the budget."""
_PROPOSES = (
    "next step|next up|next:|next,|i suggest|i'd suggest|i recommend|i'd recommend|i propose|i'd propose|proposal|the plan|option"
    "|let me know|i can |i could |i would |i'd |we could |if you |ready to|ready for|remaining|still to|once you|waiting for"
    "|vorschlag|schlage vor|als nächstes|nächste|je propose|prochaine|propongo|siguiente|próximo|предлагаю|далее"
    "|建议|下一步|接下来|提案|次に|次は|다음|제안"
)
"""How an agent proposes something, in small letters; a sign ends at `|`."""
_GOES_ON = word_set(
    "continue go on going keep carry proceed resume please and with it the work now then weiter mach bitte continuez"
    " continúa sigue continua продолжай 继续 続けて 계속"
)
_AGREES = _GOES_ON | word_set(
    "yes yep yeah y ok okay k sure fine thanks thank you great good nice perfect cool lgtm do that ja oui sí si да 好 はい 네"
)
_FRESH_TURNS, _LATE_TURNS = 3, 2
_START_IN = 3
_SHARED, _SPELLED = 4, 6
"""What `Goal.score_path` gives a file whose name holds two words of the goal, and one whose name is in it."""


def select(
    index: Index,
    goal: str,
    *,
    budget: int,
    preset: str = "",
    repo: RepoState | None = None,
    include_files: Sequence[str] = (),
) -> tuple[Facts, tuple[Anchor, ...]]:
    """The facts of a session for a goal, and the turns they rest on. Without a goal, the last thing the
    person asked for is it."""
    limits = quotas(budget)
    asked = [*index.asked_before, *index.prompts]
    own, before = aim_of(goal), _answered(goal, index)
    given = before if not _goes_on(goal) or _proposes(before.to) else Quote(text=goal)
    aim = aim_of(f"{goal} {before.to}") if before.to else own
    if not aim.terms and asked:
        aim = aim_of(f"{goal} {asked[-1].text} {asked[-1].to}")
    stand_on = anchors(index, aim)
    last = max((t.last_line for t in index.turns), default=1)
    fresh = index.turns[-_FRESH_TURNS].first_line if len(index.turns) >= _FRESH_TURNS else 0
    late = index.turns[-_LATE_TURNS].first_line if len(index.turns) >= _LATE_TURNS else 0
    dropped = [Dropped(what=what, why=FORGOTTEN) for what in index.forgotten]

    def keep(items: Sequence[_Fact], quota: int, name: str) -> tuple[_Fact, ...]:
        return _best(items, quota, name, dropped)

    runs = judge.commands(index.commands, aim, _last_edit(index.files))
    failing = sorted((c for c in runs if c.state == "open"), key=lambda c: -c.score)
    failing = _first(failing, limits.failures, "failure", dropped)
    files = judge.files(index.files, aim, include_files, limits.symbols)
    todos = settled.todos(index, fresh)
    named, spelled = _named_by_goal(files, own._replace(paths=own.paths | aim_of(given.to).paths))
    steps = next_steps(index, failing, todos, named, fresh, goal=bool(goal), spelled=spelled)
    facts = Facts(
        source=index.source,
        goal=goal,
        goal_to=given.to,
        goal_to_line=given.to_line,
        preset=preset,
        objective=_objective(index, stand_on, limits, dropped),
        words=keep([judge.word(w, aim, last) for w in index.words], limits.words, "word of the person"),
        decisions=keep(
            [judge.choice(d, d.text, aim, last, late) for d in index.decisions], limits.decisions, "decision"
        ),
        dead_ends=keep(
            [judge.remark(d, d.tried, aim, last) for d in index.dead_ends], limits.dead_ends, "dead end"
        ),
        notes=keep([judge.remark(n, n.text, aim, last) for n in index.notes], limits.notes, "note"),
        commands=(*failing, *keep([c for c in runs if c.state != "open"], limits.commands, "command")),
        files=keep(files, limits.files + len(include_files), "file"),
        todos=tuple(_first(todos, limits.todos, "to-do", dropped)),
        plan=planned.plan(index, todos),
        background=index.background,
        subagents=tuple(a for a in index.subagents if a.state == "running"),
        questions=index.questions,
        said=keep([judge.choice(n, n.text, aim, last, late) for n in index.said], limits.said, "statement"),
        in_flight=index.in_flight,
        claims=keep([replace(c, score=float(i)) for i, c in enumerate(index.claims)], limits.claims, "claim"),
        summaries=tuple(
            replace(s, text=ends(s.text, limits.summary_characters)) for s in index.summaries[-1:]
        ),
        recent=tuple(_recent(t, index) for t in index.turns[-limits.recent :]),
        repo=repo,
        next_steps=tuple(
            replace(step, score=float(-i))
            for i, step in enumerate(_first(steps, limits.steps, "next step", dropped))
        ),
        lineage=index.lineage,
        dropped=tuple(dropped),
    )
    return facts, stand_on


def _best(items: Sequence[_Fact], quota: int, name: str, dropped: list[Dropped]) -> tuple[_Fact, ...]:
    """The best of a class within its quota, in the order of the session."""
    if len(items) <= quota:
        return tuple(items)
    order = sorted(range(len(items)), key=lambda i: (-items[i].score, -i))
    kept = set(order[:quota])
    dropped += [Dropped(what=name, why="quota", evidence=items[i].evidence) for i in order[quota:]]
    return tuple(item for i, item in enumerate(items) if i in kept)


def _first(items: list[_Fact], quota: int, name: str, dropped: list[Dropped]) -> list[_Fact]:
    """The first of a class, which are in the order of their importance."""
    dropped += [Dropped(what=name, why="quota", evidence=item.evidence) for item in items[quota:]]
    return items[:quota]


def _last_edit(files: Sequence[FileFact]) -> int:
    """The line of the last edit of this session that a check can judge."""
    edited = (f for f in files if f.edits and not f.origin and can_be_checked(f.path))
    return max((f.evidence[0].line for f in edited), default=0)


def _named_by_goal(files: Sequence[FileFact], aim: Goal) -> tuple[list[FileFact], bool]:
    """The files that a goal is plainly about, best first, and whether it spells their names. Of those that only share
    words with it the ones that were worked on: many a file that was read is called alike."""
    own = [f for f in files if not f.path.startswith(("/", "~"))]
    named = [f for f in own if aim.score_path(f.path) >= _SPELLED]
    about = named or [f for f in own if aim.score_path(f.path) >= _SHARED and f.work_state]
    return sorted(about, key=lambda f: (-aim.score_path(f.path), -f.score, f.path))[:_START_IN], bool(named)


def _objective(
    index: Index, stand_on: tuple[Anchor, ...], limits: Quotas, dropped: list[Dropped]
) -> Objective:
    """The first prompt, the last, and of those between the ones whose turns matter most, unless the
    person's words say all there is in them. What earlier sessions were asked for comes before."""
    prompts = [*index.asked_before, *index.prompts]
    if not prompts:
        return Objective()
    lines = {turn.number: turn.first_line for turn in index.turns}
    worth = {lines[anchor.turn]: anchor.score for anchor in stand_on}
    said = {flat(w.text) for w in index.words}
    between = [
        replace(_short(p, _PROMPT_LIMIT), score=0.0 if p.origin else worth.get(p.evidence[0].line, 0.0))
        for p in prompts[1:-1]
        if (p.to or _asks_for_something(p.text)) and flat(p.text) not in said
    ]
    shifts = _best(between, limits.shifts, "prompt", dropped)
    current = _short(prompts[-1], _PROMPT_LIMIT) if len(prompts) > 1 else None
    return Objective(first=_short(prompts[0], _PROMPT_LIMIT), current=current, shifts=shifts)


def _answered(goal: str, index: Index) -> Quote:
    """A goal that was given, with what of the agent's last words it answers."""
    said = [(turn.closing_line, turn.closing) for turn in index.turns[-REACH:] if turn.closing]
    found = referred(goal, said, spoken=False)
    return Quote(text=goal, to=found.text if found else "", to_line=found.line if found else 0)


def _goes_on(goal: str) -> bool:
    """The goal says that the work goes on, and nothing else."""
    return _GOES_ON.issuperset(_plain_words(goal))


def _asks_for_something(prompt: str) -> bool:
    """It says more than that the agent may go on."""
    words = [word for word in _plain_words(prompt) if not word.isdecimal()]
    return not _AGREES.issuperset(words)


def _plain_words(text: str) -> list[str]:
    return plainly(text).replace(",", " ").replace(".", " ").replace("!", " ").split()


def _proposes(said: str) -> bool:
    """What was said last is a question or a proposal: nothing else is what `continue` says yes to."""
    lower = plainly(said)
    return "?" in lower or any(sign in lower for sign in _PROPOSES.split("|"))


def _short(quote: Quote, limit: int) -> Quote:
    return replace(quote, text=clipped(flat(quote.text), limit))


def _recent(turn: Turn, index: Index) -> RecentTurn:
    """One of the last turns: the prompt, the edits and runs it made, its last words."""
    here = range(turn.first_line, turn.last_line + 1)
    edited = [f.path for f in index.files if f.edits and not f.origin and f.evidence[0].line in here]
    ran = [
        f"`{clipped(c.key, 60)}` {'failed' if c.state == 'open' else 'ran'}"
        for c in index.commands
        if c.check and not c.origin and c.evidence[0].line in here
    ]
    return RecentTurn(
        number=turn.number,
        asked=clipped(flat(turn.prompt), 300),
        said=turn.closing,
        actions=(*(f"edited {p}" for p in edited[-8:]), *ran[-6:]),
        evidence=tuple(Evidence(line) for line in (turn.first_line, turn.closing_line) if line),
    )

"""What the collectors kept of a session, made into its index.

Collectors hold raw text until the end; `clean` (redaction, with all secrets of the session learned by then) goes over
it once, and only cleaned text is thought about or leaves this module. What was said, by the person and by the agent, is
understood aside: what was done is not weighed by it until the end, and takes as long.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol, TypeVar

from segue.extract import inherited, inherited_claims
from segue.extract.claims import last_edit
from segue.extract.collectors import Collectors
from segue.extract.commands.command_facts import command_facts
from segue.extract.commands.elsewhere import tell_where
from segue.extract.inherited_answers import with_questions
from segue.extract.remarks import amounts, dead_ends, edited, objected, refuted, remarks, unanswered
from segue.extract.remarks.remarks import Remark
from segue.extract.tree.work import file_facts
from segue.extract.uncommitted import at_least, uncommitted
from segue.extract.words.talk import Spoken
from segue.model.facts import DeadEnd, Decision, InFlight, Note, each_once
from segue.model.turn import Index
from segue.model.value import NamedTuple

if TYPE_CHECKING:
    from segue.extract.carried import Carried

Clean = Callable[[str], str]
_Done = TypeVar("_Done")


class Aside(Protocol):
    """Has something done while this process goes on; what it gives back waits for that and gives what came of it."""

    def __call__(self, work: Callable[[Clean], _Done], kind: type[_Done]) -> Callable[[], _Done]: ...


class _Said(NamedTuple):
    """What came of all that was said."""

    by_the_person: Spoken
    remarked: list[Remark]
    beyond: list[Note]


def conclude(
    kept: Collectors, agent: str, path: str, in_flight: InFlight | None, clean: Clean, aside: Aside
) -> Index:
    packets = kept.packets.close(clean)
    closing, closing_line = kept.turns.closing()
    understood = _said_aside(kept, packets, closing_line, aside)
    standing = inherited.latest(packets)
    commands = kept.runs.close(clean)
    for packet in standing:
        held = kept.history.held_before(inherited.in_order(packet))
        kept.files.inherit(inherited.files(packet, commands), max(1, packet.lineage.evidence[0].line), held)
    touched = kept.files.close(commands, kept.history.thrown(), clean)
    tell_where(commands, kept.places.root)
    turns = kept.turns.close(clean, kept.places.shown)
    todos = kept.board.todos(clean)
    refused = kept.runs.refusals(clean)
    checked = inherited_claims.checked(standing)
    claimed = kept.claims.close(clean, commands, touched, closing, closing_line, refused, checked=checked)
    claimed += kept.flight.declined(clean, kept.places)
    claimed += uncommitted(touched, commands, kept.claims, kept.session.branch, clean)
    forgotten = kept.runs.forgotten() + kept.files.forgotten()
    claimed = at_least(claimed) if forgotten else claimed
    background = kept.jobs.close(clean, commands)
    running = frozenset(job.evidence[0].line for job in background)
    asked = kept.unanswered.close(clean), kept.board.questions(clean, closing, closing_line)
    ended = kept.flight.ended
    failing = inherited.failures(standing, commands)
    begun = max((max(1, packet.lineage.evidence[0].line) for packet in standing), default=0)
    files = file_facts(
        touched, commands, kept.claims.committed, turns, ended, failing, begun, seen_to_pass=checked > 0
    )
    runs = *inherited.worked(standing, commands), *failing, *command_facts(commands, running)
    (prompts, words), remarked, said = understood()
    prompts, words = with_questions(standing, prompts, words, kept.talk.told)
    asked_for = amounts.asked_for(words)
    decided, dropped = objected.weighed(_decisions(packets, remarked), turns, asked_for)
    told = refuted.standing([*_notes(packets, remarked), *said], turns, runs, files)
    told = edited.lasting(amounts.lasting(told, asked_for), kept.edits.made, refuted.MENDED)
    ends = amounts.without_old_tail(_dead_ends(packets, remarked, kept.claims.commits()), asked_for)
    return Index(
        source=kept.session.facts(
            agent,
            path,
            clean,
            root=kept.places.root,
            branch=kept.history.branch,
            turns=kept.turns.number,
            ended=ended,
            of_subagent=kept.session.is_requested and not prompts,
        ),
        turns=tuple(turns),
        prompts=tuple(prompts or kept.session.requested(clean)),
        asked_before=tuple(inherited.asked_before(packets)),
        words=tuple(words),
        decisions=tuple(decided),
        dead_ends=(*ends, *dropped),
        notes=tuple(note for note in told if note.kind != "said"),
        announced=(
            *inherited.steps(standing, todos, claimed),
            *(remarks.announced(r) for r in remarked if r.kind == "next"),
        ),
        commands=runs,
        files=tuple(edited.explained(files, kept.edits.made)),
        todos=(*todos, *inherited.todos(standing, todos, claimed)),
        plan=inherited.plan(standing, kept.board.the_plan(clean)),
        background=tuple(background),
        subagents=tuple(kept.board.subagents(clean)),
        questions=(
            *inherited.questions(standing, prompts),
            *unanswered.each_once([question for some in asked for question in some]),
        ),
        said=tuple(note for note in told if note.kind == "said"),
        in_flight=in_flight,
        claims=tuple(
            inherited_claims.claims(standing, claimed, commands, touched, edited=last_edit(touched) > checked)
        ),
        summaries=tuple(kept.session.summaries(clean)),
        lineage=tuple(packet.lineage for packet in packets),
        forgotten=forgotten,
    )


def _said_aside(
    kept: Collectors, packets: Sequence[Carried], closing_line: int, aside: Aside
) -> Callable[[], _Said]:
    earlier = [word for packet in packets for word in packet.words]

    def understood(clean: Clean) -> _Said:
        from segue.extract.words.spoken import spoken  # 20 ms, which a second process may spend

        remarked = kept.remarks.close(clean)
        beyond = kept.statements.close(clean, [remark.text for remark in remarked], closing_line)
        return _Said(spoken(kept.talk, earlier, clean), remarked, beyond)

    return aside(understood, _Said)


def _decisions(packets: Sequence[Carried], remarked: Sequence[Remark]) -> list[Decision]:
    return each_once(
        lambda decision: decision.text,
        (decision for packet in packets for decision in packet.decisions),
        (remarks.decision(r) for r in remarked if r.kind == "decision"),
    )


def _dead_ends(
    packets: Sequence[Carried], remarked: Sequence[Remark], commits: Sequence[tuple[int, str]]
) -> list[DeadEnd]:
    ends = each_once(
        lambda end: end.tried,
        (end for packet in packets for end in packet.dead_ends),
        (remarks.dead_end(r) for r in remarked if r.kind == "dead_end"),
    )
    chosen = [(r.line, r.text) for r in remarked if r.kind == "decision"]
    return dead_ends.still_dead(ends, commits, chosen)


def _notes(packets: Sequence[Carried], remarked: Sequence[Remark]) -> list[Note]:
    return each_once(
        lambda note: note.text,
        (note for packet in packets for note in packet.notes),
        (remarks.note(r, r.kind) for r in remarked if r.kind in ("finding", "risk", "blocked")),
    )

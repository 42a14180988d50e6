"""One draft in the form somebody asked for, and the answer every surface gives about it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from segue.model import wire
from segue.model.bundle import handoff_bundle
from segue.model.packet import OF_FACTS
from segue.redaction.redact import Redactor, redact_entry

if TYPE_CHECKING:
    from segue.service.handoffs.draft import Draft, Proposal
    from segue.service.sessions.lookup import Source
    from segue.service.workspace import Workspace

_NAMES = {"document": "a document", "tc": "a change record's block", "json": "facts"}
_REVIEWED = "> Derived by segue from the evidence of one session; a person has reviewed it."


def rendered_as(
    form: str, made: Draft, source: Source, workspace: Workspace, committed: dict[str, Any]
) -> str:
    """The draft as packet, document, bundle, change-record block or facts."""
    if form == "document":
        from segue.handoff.document import render_document
        from segue.handoff.tail import recent_tail
        from segue.service.sessions.own_traces import without

        clean = partial(redact_entry, redactor=made.redactor.twin())
        return render_document(made.facts, recent_tail(without(source.entries()), clean=clean))
    if form == "bundle":
        if committed:
            return workspace.artifacts.get(committed["summary_artifact_id"]).decode() + "\n"
        from segue.handoff.bundle import file_refs

        return wire.canonical(handoff_bundle(made.text, {}, [], [], file_refs(made.facts))).decode() + "\n"
    if form in ("tc", "json"):
        from segue.handoff.tc import handoff_block, render_block

        facts, block = made.facts, form == "tc"
        told = handoff_block(facts, now_ms=facts.source.ended_ms) if block else msgspec.to_builtins(facts)
        return render_block(told)
    return made.text


def as_reviewed(form: str, made: Draft, text: str) -> str:
    """A form of its own as a person left it, without the secrets they added. A document no longer says that nobody has
    reviewed it, and its receipt tells of what was taken out since."""
    if form != "document":
        return made.redactor.redact(text)
    from segue.extract.budget import DEFAULT
    from segue.handoff.document import MECHANICAL
    from segue.service.handoffs.draft import revised

    text = text.replace(MECHANICAL.partition("\n")[0], _REVIEWED)
    return revised(msgspec.structs.replace(made, budget=DEFAULT), text).text


def measured(form: str, made: Draft, text: str) -> str:
    """What was made and how large it is; the budget is the packet's, whatever the form."""
    packet = f"{made.tokens} of {made.budget} tokens"
    if form not in OF_FACTS:
        return packet if form == "packet" else f"a bundle with a packet of {packet}"
    from segue.extract.tokens import count

    return f"{_NAMES[form]} of {count(text)} tokens (the budget is the packet's)"


def mechanical(source: Source, root: str) -> tuple[str, Source, Redactor]:
    """The document derived from a session's evidence for the project at `root`, without its tail; the session as it was read for that, and what
    knows its secrets."""
    from segue.handoff.document import render_document
    from segue.service.handoffs.draft import Session, draft
    from segue.service.sessions.recording import Recording

    recording = Recording()
    made = draft(Session(source.agent, source.path, source.entries(), root=root), recording=recording)
    return render_document(made.facts, ""), source._replace(read=recording), made.redactor


def answer(made: Draft, proposal: Proposal, notes: Sequence[str] = ()) -> dict[str, Any]:
    """The result of `handoff` as data: the packet as it was left, and the notes on the draft and on a review; ids are
    added by who commits."""
    from segue.service.handoffs.reviews import lint_text

    facts = made.facts
    said = [*proposal.notes, *notes]
    report = lint_text(made.text, kind="packet", budget=made.budget, facts=facts)
    return {
        "packet": made.text,
        "tokens": made.tokens,
        "budget": made.budget,
        "agent": proposal.source.agent,
        "session_id": facts.source.session_id,
        "redactions": {
            "total": facts.redactions.total,
            "by_kind": dict(sorted(facts.redactions.by_kind.items())),
        },
        "lint": report,
        "dropped": _plain(facts.dropped),
        **({"notes": said} if said else {}),
    }


def explain(made: Draft) -> str:
    """The index, what of each turn is told and what it weighs, and what was left out: for a person who wants to know."""
    source, worth = made.facts.source, _scores_by_turn(made)
    turns = f"{len(made.index.turns)} turn{'s' * (len(made.index.turns) != 1)}"
    entries = f"{source.entries} {'entry' if source.entries == 1 else 'entries'}"
    lines = [f"{turns}, {entries} of {source.agent}"]
    for turn in made.index.turns:
        tools = ", ".join(f"{name}×{n}" for name, n in turn.tools.items())
        lines.append(
            f"turn {turn.number:>4}  #{turn.first_line}-{turn.last_line}  {turn.calls} calls, {turn.errors} errors  {tools}"
        )
        if turn.prompt:
            lines.append(f"           {' '.join(turn.prompt.split())[:110]}")
        if turn.number in worth:
            lines.append(f"           told: {', '.join(worth[turn.number])}")
    lines += ["", f"kept {made.tokens} of {made.budget} tokens; left out:"]
    lines += [
        f"  {drop.what}{''.join(f' #{seen.line}' for seen in drop.evidence)}: {drop.why}"
        for drop in made.facts.dropped
    ] or ["  nothing"]
    return "\n".join(lines)


def explained(made: Draft) -> dict[str, Any]:
    """The same for programs."""
    return {
        "tokens": made.tokens,
        "budget": made.budget,
        "index": _plain(made.index),
        "anchors": [{"turn": turn, "reasons": reasons} for turn, reasons in _scores_by_turn(made).items()],
        "left_out": _plain(made.facts.dropped),
    }


def _scores_by_turn(made: Draft) -> dict[int, list[str]]:
    """By the number of a turn what of it is told, and what that weighs."""
    starts = [turn.first_line for turn in made.index.turns]
    found: dict[int, list[str]] = {}
    for name, items in (("prompt", made.facts.prompts), ("report", made.facts.reports)):
        for item in items:
            at = bisect_right(starts, item.evidence[0].line) - 1 if item.evidence else -1
            if at >= 0 and not item.origin:
                found.setdefault(made.index.turns[at].number, []).append(f"{name} {item.score:.1f}")
    return dict(sorted(found.items()))


def _plain(value: Any) -> Any:
    """As it is on the wire: the library answers with lists too, where `to_builtins` would leave tuples."""
    return msgspec.json.decode(msgspec.json.encode(value))

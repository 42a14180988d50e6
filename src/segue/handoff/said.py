"""What was said, as pieces of a packet: by the person, by the agent, by earlier summaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from segue.handoff import ranks
from segue.handoff.ahead import goal_told
from segue.handoff.fit import Form, Piece, distinct
from segue.handoff.groups import PROMPT, REPEATED, WORD
from segue.handoff.items import answering, lines, places, pointer, refutes_last_words
from segue.handoff.quote import MISSING, block, cut, cut_lines, inline, quoted
from segue.model.facts import Claim, Facts, Quote, Word

_NOTHING = Quote(text="")
_ENOUGH = 12
"""Characters that must be left of a prompt to be told without the words in it."""

_FIRST = (
    ranks.FIRST_PROMPT,
    ranks.FIRST_PROMPT_TOLD,
    ranks.FIRST_PROMPT_LONGER,
    ranks.FIRST_PROMPT_LONG,
    ranks.FIRST_PROMPT_WHOLE,
)
_LATER = (
    ranks.LATER_PROMPT,
    ranks.LATER_PROMPT_LONGER,
    ranks.LATER_PROMPT_LONG,
    ranks.LATER_PROMPT_WHOLE,
)
_LAST = (
    ranks.LAST_PROMPT,
    ranks.LAST_PROMPT_TOLD,
    ranks.LAST_PROMPT_LONGER,
    ranks.LAST_PROMPT_LONG,
    ranks.LAST_PROMPT_WHOLE,
)
_SUMMARY = (ranks.SUMMARY, ranks.SUMMARY_WHOLE)
_LAST_WORDS = (ranks.LAST_WORDS, ranks.LAST_WORDS_LONGER, ranks.LAST_WORDS_WHOLE)
_CLAIMS = {
    "pushed": ranks.PUBLISHED,
    "done": ranks.PUBLISHED,
    "not tested": ranks.NOT_TESTED,
    "reported": ranks.REPORTED,
}
"""By the state of a claim; any other is a `CLAIM`."""


def asked(facts: Facts) -> Iterator[Piece]:
    objective = facts.objective
    goal = facts.goal or (objective.current or objective.first or _NOTHING).text
    ranked = zip(facts.words, places(facts.words), strict=True)
    told = [word for word, place in ranked if place < ranks.VITAL_WORDS]
    if objective.first and not _same(objective.first, goal):
        yield _prompt(0, "first", objective.first, _FIRST, told)
    for i, (shift, place) in enumerate(zip(objective.shifts, places(objective.shifts), strict=True)):
        yield _prompt(i + 1, "then", shift, _LATER, told, place)
    if objective.current and not _same(objective.current, goal):
        yield _prompt(10_000, "last", objective.current, _LAST, told)


def _same(quote: Quote, goal: str) -> bool:
    """What was asked for stands under Task already."""
    return quote.text.split() == goal.split()


def _prompt(
    order: int,
    lead: str,
    quote: Quote,
    forms: Sequence[ranks.Row],
    words: Sequence[Word],
    place: int = 0,
) -> Piece:
    """A prompt, without what stands among the words, which come before it in a packet of any size."""
    text = _untold(quote, words)
    told = (
        Form(
            row.at(place),
            f"- {lead}: {quoted(cut(text, row.room))}{pointer(quote)}{answering(quote, row.room)}",
        )
        for row in forms
    )
    return Piece("asked", order, PROMPT, distinct(*told), lines=lines(quote))


def _untold(quote: Quote, words: Sequence[Word]) -> str:
    """What of a prompt is not told as a word of the person, with its beginning; all of it where little would be left."""
    text, left = " ".join(quote.text.split()), ""
    for word in words:
        here = word.evidence[-1:] == quote.evidence[-1:] and word.origin == quote.origin
        if here and word.strength and not text.startswith(word.text):
            left = (left or text).replace(word.text, MISSING)
    if not left:
        return text
    while f"{MISSING} {MISSING}" in left:
        left = left.replace(f"{MISSING} {MISSING}", MISSING)
    return left if len(left.strip(f" {MISSING}")) >= _ENOUGH else text


def words(facts: Facts, budget: int) -> Iterator[Piece]:
    """Words that stand. One that was replaced is told with the word that replaced it. The best are vital, and
    whole where they rule something; the many more that a person may have said compete with the rest. One that the
    goal repeats comes after what fails."""
    most = max(ranks.VITAL_WORDS, budget // ranks.TOKENS_FOR_A_RULE)
    goal = " ".join(goal_told(facts).split())
    standing = [w for w in facts.words if not w.superseded_by]
    before, beside = replaced(facts.words, standing), doubted(standing)
    for i, (word, place) in enumerate(zip(standing, places(standing), strict=True)):
        if i in beside:
            continue
        mark = {3: "must", 2: "firm"}.get(word.strength, "wish") if word.kind == "constraint" else word.kind
        firm = word.strength > 1 and place < most
        row = ranks.FIRM_WORD if firm else ranks.WORD
        rank, brief = row.at(place), row.room
        old, at = before.get(i, []), pointer(word)
        perhaps = may_replace([standing[n] for n, by in beside.items() if by == i]) if beside else ""
        repeated = not old and not perhaps and not word.to and " ".join(word.text.split()) in goal
        if repeated:
            rank = min(rank, ranks.REPEATED_WORD.rank)
        forms = distinct(
            Form(
                rank,
                f"- {mark}: {quoted(cut(word.text, brief))}{at}{replaces(word, old, brief) or perhaps}{answering(word, brief)}",
            ),
            Form(rank, f"- {mark}: {quoted(word.text)}{at}{replaces(word, old) or perhaps}{answering(word)}"),
        )
        what, vital = (REPEATED, False) if repeated else (WORD, firm or place < ranks.VITAL_WORDS)
        yield Piece("words", i, what, forms, vital=vital, whole=firm and vital, lines=lines(word))


def replaced(words: Sequence[Word], standing: Sequence[Word]) -> dict[int, list[Word]]:
    """For each standing word the ones it replaced. Of several said in one breath it was the one that the old one
    names, else the correction, else the one that has most in common with it."""
    found: dict[int, list[Word]] = {}
    for old in words:
        if old.superseded_by:
            there = [
                (
                    word.text == old.superseded_text,
                    word.kind in ("correction", "rejection"),
                    len(_spelled(word) & _spelled(old)),
                    i,
                )
                for i, word in enumerate(standing)
                if word.origin == old.superseded_in
                and word.evidence[-1:]
                and word.evidence[-1].line == old.superseded_by.line
            ]
            told_by_name = any(by_name for by_name, *_ in there)
            if there and (told_by_name or not _was_replaced_itself(old, words)):
                found.setdefault(max(there)[-1], []).append(old)
    return found


def _was_replaced_itself(old: Word, words: Sequence[Word]) -> bool:
    """What replaced the word was replaced in its turn: nothing else said in that breath did it."""
    return any(word.superseded_by and word.text == old.superseded_text for word in words)


def doubted(standing: Sequence[Word]) -> dict[int, int]:
    """For each standing word that a later one may have replaced, the one it is told with: by their places."""
    found: dict[int, int] = {}
    for i, old in reversed(list(enumerate(standing))):
        if old.doubted_by:
            for later in range(i + 1, len(standing)):
                word = standing[later]
                if word.text == old.doubted_text and old.doubted_by in word.evidence:
                    found[i] = found.get(later, later)
    return found


def may_replace(before: Sequence[Word]) -> str:
    """What a word may have taken the place of, whole, as both may stand."""
    return f" (may replace {', '.join(f'{quoted(b.text)}{pointer(b)}' for b in before)})" if before else ""


def _spelled(word: Word) -> set[str]:
    return set(word.text.lower().split())


def replaces(word: Word, before: list[Word], room: int = 360) -> str:
    """What a word took the place of; at length only where the new one cannot be read without it, or where some of
    the old one still stands."""
    if not before:
        return ""
    brief = room if len(word.text) < 30 else 60
    told = (
        f"part of {quoted(b.text)}{pointer(b)}"
        if b.superseded_in_part
        else f"{quoted(cut(b.text, brief))}{pointer(b)}"
        for b in before
    )
    return f" (replaces {', '.join(told)})"


def decisions(facts: Facts) -> Iterator[Piece]:
    for i, (decision, place) in enumerate(zip(facts.decisions, places(facts.decisions), strict=True)):
        yield Piece(
            "decided",
            i,
            "decision",
            distinct(
                Form(
                    ranks.DECISION.at(place),
                    f"- {inline(cut(decision.text, ranks.DECISION.room))}{pointer(decision)}",
                ),
                Form(ranks.DECISION_WHOLE.at(place), f"- {inline(decision.text)}{pointer(decision)}"),
            ),
            lines=lines(decision),
        )


def claims(facts: Facts) -> Iterator[Piece]:
    ranked = [_claim_row(claim) for claim in facts.claims]
    order = places(facts.claims)
    for i, (claim, row) in enumerate(zip(facts.claims, ranked, strict=True)):
        place = sum(other is row and order[n] < order[i] for n, other in enumerate(ranked))
        said = quoted(claim.text) if claim.state == "reported" else inline(claim.text)
        text = f"- {claim.state}: {said}{pointer(claim)}"
        forms = (Form(row.at(place), text),)
        yield Piece("state", i, "claim", forms, lines=lines(claim), refutes=refutes_last_words(claim))


def _claim_row(claim: Claim) -> ranks.Row:
    if refutes_last_words(claim):
        return ranks.REFUTED
    return ranks.CLAIM if claim.act == "check" else _CLAIMS.get(claim.state, ranks.CLAIM)


def summaries(facts: Facts) -> Iterator[Piece]:
    for i, summary in enumerate(facts.summaries):
        forms = distinct(*(Form(row.rank, block(cut_lines(summary.text, row.room))) for row in _SUMMARY))
        yield Piece("summary", i, "summary", forms, lines=lines(summary))


def notes(facts: Facts) -> Iterator[Piece]:
    for i, (dead, place) in enumerate(zip(facts.dead_ends, places(facts.dead_ends), strict=True)):
        text = f"- {inline(dead.tried)}{pointer(dead)}"
        yield Piece("dead", i, "dead end", (Form(ranks.DEAD_END.at(place), text),), lines=lines(dead))
    for i, (note, place) in enumerate(zip(facts.notes, places(facts.notes), strict=True)):
        text = f"- {inline(note.text)}{pointer(note)}"
        yield Piece("known", i, "note", (Form(ranks.NOTE.at(place), text),), lines=lines(note))
    for i, (note, place) in enumerate(zip(facts.said, places(facts.said), strict=True)):
        text = f"- {quoted(note.text)}{pointer(note)}"
        yield Piece("said", i, "statement", (Form(ranks.SAID.at(place), text),), lines=lines(note))
    last = next((t for t in reversed(facts.recent) if t.said), None)
    stop = facts.in_flight
    if last and not (stop and stop.kind == "turn" and stop.text.split() == last.said.split()):
        forms = distinct(*(Form(row.rank, block(cut_lines(last.said, row.room))) for row in _LAST_WORDS))
        group = "last" if last is facts.recent[-1] else "last before"
        refuted = any(map(refutes_last_words, facts.claims))
        yield Piece(group, 0, "last words", forms, lines=lines(last), refuted=refuted)

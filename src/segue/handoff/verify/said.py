"""Words against the transcript: do they stand where the handoff says, and whose are they?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from segue.handoff.verify.evidence import Transcript, same_words, says
from segue.handoff.verify.finding import READ, Finding
from segue.handoff.verify.statements import Replacement, Row, Statement, places, short
from segue.model.packet import WORDS
from segue.model.patterns import compiled

_SPEAKERS = {"person": ("person",), "agent": ("agent", "person", "call")}
"""Who may have said what is told as somebody's. A decision that an agent tells of may be the person's own."""
_PARTED = compiled(r'"; (?:why|rejected): "|", "')
_ON_THE_WAY = "Said on the way"
_SENTENCE = compiled(r"(?<=[.!?]) ")
"""What was said on the way is told without the sentences between that say nothing."""
_LEAD = compiled(
    r"^(?:(?:superseded|finding|risk|dropped by the person|the person objected|changed by the person since|mended since): )+"
)
_BY = compiled(r" \(by the (?:agent|person)\)$")


def said_by(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    """Words of the person, or of the agent, at the places they are said to stand."""
    item, where = statement.item, statement.where
    words = _words(statement)
    if not item.evidence:
        if item.group.startswith(WORDS):
            yield _unpointed_word(words[0], where, transcript)
        return
    there = transcript.at(item)
    speakers = [shown for shown in there if shown.by in _SPEAKERS[statement.role]]
    if all(any(says(shown.text, piece) for shown in speakers) for piece in words):
        yield Finding("holds", "quote", where, f"{places(item)} says {short(words[0])}.")
    elif any(says(shown.text, words[0]) for shown in there):
        message = f"{places(item)} says {short(words[0])}, but it was not the {statement.role} who said it."
        yield Finding("drifted", "quote", where, message, READ)
    else:
        yield Finding("drifted", "quote", where, f"{places(item)} does not say {short(words[0])}.", READ)


def _unpointed_word(word: str, where: str, transcript: Transcript) -> Finding:
    if any(same_words(known.text, word) for known in transcript.index.words):
        return Finding("holds", "quote", where, f"The transcript says {short(word)}.")
    message = f"{short(word)} points nowhere; whether the person said it is not known."
    return Finding("unknown", "quote", where, message, READ)


def replaced_so(replacement: Replacement, transcript: Transcript) -> Iterator[Finding]:
    """That a later word took the place of an earlier one, as the session is read today."""
    later, earlier = replacement.later, replacement.earlier
    if later.origin or earlier.origin:
        return
    old = earlier.text[earlier.text.find('"') + 1 : earlier.text.rfind('"')]
    known = [word for word in transcript.index.words if same_words(word.text, old)]
    by = {word.superseded_by.line for word in known if word.superseded_by}
    if by.intersection(later.evidence):
        message = f"{short(old)} was replaced at {places(later)}."
        yield Finding("holds", "quote", replacement.where, message)
    elif known:
        message = f"The transcript does not show that {short(old)} was replaced at {places(later) or 'all'}."
        yield Finding("drifted", "quote", replacement.where, message, READ)
    else:
        message = f"Whether {short(old)} was replaced is not known."
        yield Finding("unknown", "quote", replacement.where, message, READ)


def _words(statement: Statement) -> list[str]:
    """What is quoted in a row; a row that quotes nothing is itself what was said."""
    text = _LEAD.sub("", _BY.sub("", statement.item.text))
    begin, end = text.find('"'), text.rfind('"')
    whole = text.startswith('"') and text.endswith('"')
    if statement.role != "person" and not whole and statement.item.state != "reported":
        return [text]
    parted = _SENTENCE if statement.item.group.startswith(_ON_THE_WAY) else _PARTED
    return parted.split(text[begin + 1 : end]) if 0 <= begin < end else [text]


def last_said(statement: Statement, transcript: Transcript) -> Iterator[Finding]:
    """What was last said or asked, or in which error it ended, wherever the pointer goes."""
    text = statement.item.text
    quote = text[text.find('"') + 1 : text.rfind('"')]
    there = [turn.closing for turn in transcript.index.turns[-1:]]
    there += [shown.command for shown in transcript.at(statement.item) if shown.by == "call"]
    if flight := transcript.index.in_flight:
        there.append("; ".join((*flight.beside, flight.text)))
    if any(says(said, quote) for said in there):
        yield Finding("holds", "quote", statement.where, f"The session ends with {short(quote)}.")
    else:
        message = f"The session does not end with {short(quote)}."
        yield Finding("drifted", "quote", statement.where, message, READ)


def quoted_row(row: Row, transcript: Transcript) -> Iterator[Finding]:
    """A line quoted below a run, or of a block: the agent's last words, a summary, the plan."""
    if row.under is not None and row.under.evidence and not row.under.origin:
        there = [shown.text for shown in transcript.at(row.under)]
    else:
        there = list(_block(row.label, transcript))
    if there and row.spelled and not any(says(text, row.text) for text in there):
        message = f"The transcript does not say {short(row.text)} there."
        yield Finding("drifted", "quote", row.where, message, READ)


def _block(label: str, transcript: Transcript) -> Iterable[str]:
    index = transcript.index
    if label.startswith("Last words"):
        return [turn.closing for turn in index.turns if turn.closing]
    if label.startswith("From the last compaction summary"):
        return [summary.text for summary in index.summaries]
    return [index.plan.text] if label.startswith("Plan") and index.plan else ()

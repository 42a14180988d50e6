"""What the operations on handoffs answer: drafting, judging, checking and handing them over."""

from __future__ import annotations

from typing import Any, NotRequired, TypedDict


class Redacted(TypedDict):
    total: int
    by_kind: dict[str, int]


class Acknowledged(TypedDict):
    thread_id: str
    seq: int
    sha256: str


class Replayed(TypedDict):
    replayed: bool
    text: NotRequired[str]


class CurrentHandoff(TypedDict):
    text: str


class LintFinding(TypedDict):
    rule: str
    severity: str
    where: str
    message: str
    hint: str


Judgement = TypedDict("Judgement", {"pass": bool, "score": int, "findings": list[LintFinding]})


class HandoffFinding(TypedDict):
    """`state` is `holds`, `drifted` or `unknown`; `line` is that of the handoff, where it is about one."""

    state: str
    severity: str
    kind: str
    where: str
    message: str
    hint: str
    line: NotRequired[int]


class HandoffVerdict(TypedDict):
    ok: bool
    findings: list[HandoffFinding]


class GroundFinding(TypedDict):
    """`kind` is `elsewhere`, `not_seen` or `contradicted`; `atom` what does not stand there, `lines` where it does."""

    kind: str
    where: str
    line: int
    severity: str
    atom: str
    message: str
    hint: str
    lines: list[int]


class Lost(TypedDict):
    what: str
    text: str
    evidence: list[int]


class Grounded(TypedDict):
    """`text` is the repaired one, where that was asked for."""

    ok: bool
    session_id: str
    findings: list[GroundFinding]
    checked: int
    shown: int
    corrected: int
    missing: list[Lost]
    text: NotRequired[str]


class Dropped(TypedDict):
    what: str
    why: str
    evidence: NotRequired[Any]


class Proposal(TypedDict):
    packet: str
    tokens: int
    budget: int
    agent: str
    session_id: str
    redactions: Redacted
    lint: Judgement
    dropped: list[Dropped]
    notes: NotRequired[list[str]]
    rendered: NotRequired[str]


class Committed(Proposal):
    thread_id: str
    from_thread_id: str
    from_seq: int
    from_message_id: NotRequired[str]
    summary_artifact_id: str


class BriefMade(TypedDict):
    """`lines` are the first and the last that it tells of, `folded` counts rows that it tells only by their number."""

    brief: str
    tokens: int
    budget: int
    agent: str
    session_id: str
    lines: list[int]
    folded: int


class DraftTaken(TypedDict):
    """A draft that did not pass lint is not written. `findings` is what its session does not show; with an error among
    them it waits, whatever the settings say."""

    written: bool
    lint: Judgement
    artifact_id: NotRequired[str]
    approval: NotRequired[str]
    replaces: NotRequired[str]
    sha256: NotRequired[str]
    cleared: NotRequired[list[str]]
    findings: NotRequired[list[GroundFinding]]


class DraftApproved(TypedDict):
    approval: str
    artifact_id: str
    sha256: str
    cleared: NotRequired[list[str]]


class DraftRejected(TypedDict):
    approval: str
    artifact_id: str


class HandoffState(TypedDict):
    """The current handoff document. `rich` and `recorded` are what the log says: approved, and known at all. `edited` is
    true where the file is not what was approved, which is what sessions are given."""

    exists: bool
    path: str
    bytes: NotRequired[int]
    sha256: NotRequired[str]
    tokens: NotRequired[int]
    rich: NotRequired[bool]
    recorded: NotRequired[bool]
    edited: NotRequired[bool]
    sensitivity: NotRequired[str]
    age_ms: NotRequired[int | None]


class WaitingDraft(TypedDict):
    """A draft that waits for approval; without `text` where the channel may not carry it."""

    artifact_id: str
    thread_id: str
    host: str
    session_id: str
    sensitivity: str
    place: NotRequired[str]
    path: str
    bytes: int
    sha256: str
    tokens: int
    age_ms: int | None
    text: NotRequired[str]


class DraftState(TypedDict):
    current: HandoffState
    pending: NotRequired[WaitingDraft]

"""Reviews of a handoff: is it well made (`lint_text`), and does it still hold (`verify_handoff`)?

Both answer with data that every surface gives as it is. Neither writes anything.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Any, Literal

from segue.errors import BadInput, NotFound, SegueError
from segue.handoff import lint
from segue.model.finding import report
from segue.service.handoffs.bundles import bundled, of_bundle
from segue.service.portable_paths import local
from segue.service.refusals import refusal
from segue.stores import private_files

if TYPE_CHECKING:
    from segue.handoff.ground import Session
    from segue.handoff.verify.finding import Finding
    from segue.model.facts import Facts
    from segue.model.handoff_answers import HandoffFinding, HandoffVerdict, Judgement, LintFinding
    from segue.service.changes.files import Tree
    from segue.service.handoffs.draft import Draft
    from segue.service.workspace import Workspace

CURRENT = os.path.join("transcripts", ".handoff.md")

_SEVERITIES = {"holds": "ok", "unknown": "note", "drifted": "error"}

Kind = Literal["auto", "packet", "document", "tc"]


def lint_text(
    text: str | bytes,
    kind: Kind = "auto",
    budget: int | None = None,
    facts: Facts | None = None,
    head: int | None = None,
    path: str | None = None,
) -> Judgement:
    """The judgement on a handoff: `{pass, score, findings}`. Raises BadInput for what is no text, or no handoff.

    A bundle, the answer of `handoff` and facts are judged by their packet. The file of a change record is judged as `change lint` judges the record; `path` says where it lies, and so
    which repository it is about.
    """
    from segue.extract.tokens import count

    if budget is not None and budget < 1:
        raise BadInput("A budget is a number of tokens above 0.", "Leave it out for no budget.")
    if isinstance(text, bytes):
        try:
            text = text.decode("utf-8-sig")
        except UnicodeDecodeError as fault:
            raise refusal("not-utf8", start=fault.start) from None
    record = _record(text) if kind in ("auto", "tc") and budget is None else None
    if record is not None:
        from segue.service.changes import git
        from segue.service.changes.lint import judged

        tree = _tree_around(path)
        return report(judged(record, git.dirty(tree.root) if tree else frozenset(), tree))
    if kind == "auto":
        from segue.service.handoffs.unwrapping import unwrapped

        given = unwrapped(text, path)
        text, facts = given.text, facts or given.facts
    now_ms = int(time.time() * 1000)
    found = lint.lint(text, kind=kind, budget=budget, facts=facts, count=count, now_ms=now_ms, head=head)
    return found.as_dict()


def worsened(before: Draft, after: Draft) -> list[LintFinding]:
    """What is wrong with a packet as somebody left it and was not with the draft; notes aside."""
    judged = [
        lint_text(made.text, kind="packet", budget=made.budget, facts=made.facts)["findings"]
        for made in (before, after)
    ]
    known = [(found["rule"], found["message"]) for found in judged[0]]
    return [
        found
        for found in judged[1]
        if found["severity"] != "note" and (found["rule"], found["message"]) not in known
    ]


def _tree_around(path: str | None) -> Tree | None:
    """The records of the project whose record the file is."""
    from segue.service.changes.files import FOLDER, RECORD, Tree

    folders, _, name = os.path.abspath(path or "").replace(os.sep, "/").rpartition("/")
    root, found, _ = folders.rpartition(f"/{FOLDER}/records/")
    return Tree(root) if found and name == RECORD else None


def _record(text: str) -> dict[str, Any] | None:
    """The change record that a text is, if it is one."""
    from segue.changes.document import read

    if not text.lstrip().startswith("{") or '"tc_id"' not in text:
        return None
    try:
        document = read(text.encode(errors="surrogatepass"), "This")[0]
    except BadInput:
        return None
    return document if "tc_id" in document and "session_context" in document else None


def verify_handoff(
    workspace: Workspace,
    text: str | None = None,
    artifact_id: str | None = None,
    facts: Facts | None = None,
    transcript: str | None = None,
) -> HandoffVerdict:
    """What of a handoff still holds: `{ok, findings: [{state, kind, where, message, hint}]}`.

    The handoff is `text`, as a packet or document or what holds one, or the bundle of `artifact_id`, or else the newest one of this workspace: its
    current document, or the bundle of the last handoff committed. Its facts come with a bundle;
    `transcript` names the session's file where the facts do not, and raises NotFound or BadInput where
    no session can be read there.
    """
    from segue.handoff.parse import parse
    from segue.handoff.verify.statements import against_session
    from segue.handoff.verify.verdict import verify, wanted
    from segue.service.handoffs.grounding import read
    from segue.service.repository.observations import observe
    from segue.service.sessions import lookup

    if text is not None:
        text, facts = _text_and_facts(workspace, text, facts)
    else:
        text, facts = bundled(workspace, artifact_id) if artifact_id else _newest(workspace)
    parsed = parse(text)
    if transcript:
        session: Session | None = read(lookup.find(transcript, directory=workspace.root))
    else:
        session = _where_it_was(workspace, facts) if facts else None
    length = session.last if session else None
    observed = observe(workspace.root, wanted(parsed, facts), base=_base(workspace, facts), lines=length)
    findings = verify(parsed, facts, observed, against_session(text, parsed, session, facts))
    if not findings and not any(section.known for section in parsed.sections):
        raise refusal("no-sections")
    return {
        "ok": all(finding.state != "drifted" for finding in findings),
        "findings": [_to_json(finding) for finding in findings],
    }


def _to_json(finding: Finding) -> HandoffFinding:
    state, kind, where, message, hint, line = finding
    told: HandoffFinding = {
        "state": state,
        "severity": _SEVERITIES[state],
        "kind": kind,
        "where": where,
        "message": message,
        "hint": hint,
    }
    return {**told, "line": line} if line else told


def document_is_newest(workspace: Workspace) -> bool:
    """Whether the current document is younger than the last handoff that was committed."""
    place = os.path.join(workspace.folder, CURRENT)
    written = os.path.getmtime(place) * 1000 if private_files.is_file(place) else -1.0
    return written > _last_committed(workspace)[0]


def _newest(workspace: Workspace) -> tuple[str, Facts | None]:
    """The current document, or the last handoff that was committed, whichever is younger."""
    if document_is_newest(workspace):
        text = private_files.read(os.path.join(workspace.folder, CURRENT))
        return text[: lint.LARGEST].decode(errors="replace"), None
    if bundle := _last_committed(workspace)[1]:
        return bundled(workspace, bundle)
    raise NotFound("There is no handoff here yet.", "`segue handoff` makes one; a file can be named, too.")


def _last_committed(workspace: Workspace) -> tuple[int, str]:
    """(when, bundle id) of the newest handoff in the log."""
    if not workspace.exists:
        return -1, ""
    for row in sorted(workspace.catalog.states(), key=lambda row: -row["created_at_ms"]):
        for frame in workspace.log.read(row["thread_id"], types=("continuity_handoff_created",), limit=1):
            made = frame.data
            return made["timestamp_ms"], str(made.get("summary_artifact_id", ""))
    return -1, ""


def _text_and_facts(workspace: Workspace, text: str, facts: Facts | None) -> tuple[str, Facts | None]:
    """The packet or document in a text, and what is known of its facts. Raises BadInput for a block, which names
    nothing that could be looked up by itself."""
    from segue.service.handoffs.unwrapping import unwrapped

    given = unwrapped(text)
    if given.block:
        raise refusal("not-verifiable")
    if given.bundle is not None and workspace.exists:
        return of_bundle(workspace, given.bundle)
    return given.text, facts or given.facts


def _where_it_was(workspace: Workspace, facts: Facts) -> Session | None:
    """The session where the handoff found it, or else the one of its id; None where it cannot be read any more."""
    from segue.service.handoffs.grounding import read
    from segue.service.sessions import lookup

    told = facts.source
    path = local(told.path, workspace.root)
    try:
        if os.path.isabs(path):
            return read(lookup.at(path, told.agent))
        if not told.session_id or told.name == lookup.STDIN:
            return None
        return read(lookup.known_as(f"{told.agent}:{told.session_id}", workspace.root))
    except (SegueError, OSError):
        return None


def _base(workspace: Workspace, facts: Facts | None) -> str:
    """Where the session's paths begin: its working directory, where that lies in the workspace."""
    cwd = os.path.realpath(local(facts.source.cwd, workspace.root)) if facts and facts.source.cwd else ""
    root = os.path.realpath(workspace.root)
    inside = cwd == root or cwd.startswith(root.rstrip(os.sep) + os.sep)
    return cwd if inside and os.path.isdir(cwd) else workspace.root

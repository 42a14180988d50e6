"""Threads: make, find, write to, branch, hand off, relate.

Results are plain JSON values in the shapes of the contract, the same for every surface. A child
thread appears in one commit with the frame that ties it to its parent; a blob is stored before the
frame that names it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from segue.errors import BadInput, NotFound
from segue.model import frame as kinds
from segue.model import wire
from segue.model.frame import Draft, Frame
from segue.model.ids import new_id
from segue.model.thread import LIBRARY, Provenance
from segue.service.paging import page, within
from segue.service.refusals import refusal
from segue.service.threads import incoming
from segue.service.threads.naming import DEFAULT_KEY, resolve
from segue.stores.contract import NEW
from segue.stores.seal import CALLERS
from segue.threads import cut, links, state

if TYPE_CHECKING:
    from segue.model import answers
    from segue.service.workspace import Workspace

ROLES = ("user", "assistant", "system")
_ABREAST = 500
"""Threads that a page reads at a time, until it has as many as it wants."""


def ensure(workspace: Workspace, by: Provenance = LIBRARY) -> answers.ThreadId:
    """The workspace's default thread, made at the first call and the same ever after."""
    frames = workspace.establish().log.keyed(DEFAULT_KEY) or workspace.log.append(
        new_id(),
        [links.created(workspace.root, None, by, default=True)],
        expect=NEW,
        key=DEFAULT_KEY,
    )
    return {"thread_id": frames[0].stream_id}


def create(
    workspace: Workspace, title: str | None = None, by: Provenance = LIBRARY, key: str | None = None
) -> answers.ThreadId:
    """A new thread without a parent."""
    by = incoming.vouched(by)
    draft = links.created(workspace.root, incoming.title(title), by)
    frames = workspace.establish().log.append(
        new_id(), [draft], expect=NEW, key=user_key(key), request=digest_of("create", title)
    )
    return {"thread_id": frames[0].stream_id}


def list_threads(
    workspace: Workspace,
    archived: bool = False,
    tag: str | None = None,
    limit: int | None = None,
    after: str | None = None,
) -> answers.ThreadList:
    """All threads, oldest first; archived ones only when asked for; at most `limit` of those that follow the one
    named `after`. Where more follow, `next_after` is where the next page begins."""
    if not workspace.exists and after is None:
        return {"threads": []}
    known = map(_row, _states(workspace, after, limit))
    rows, more = page(
        (row for row in known if (archived or not row["archived"]) and (tag is None or tag in row["tags"])),
        limit,
    )
    found: answers.ThreadList = {"threads": rows}
    if more:
        found["next_after"] = rows[-1]["thread_id"]
    return found


def _states(workspace: Workspace, after: str | None, limit: int | None) -> Iterator[dict[str, Any]]:
    """What the catalog knows of the threads that follow one; some at a time where only some are wanted."""
    if after is not None:
        after = show(workspace, after)["thread_id"]
    most = -1 if limit is None else _ABREAST
    while states := workspace.catalog.states(after, most):
        yield from states
        if limit is None:
            return
        after = states[-1]["thread_id"]


def show(workspace: Workspace, thread_id: str) -> answers.ThreadDetail:
    """One thread, with the hash that identifies its whole content."""
    known = workspace.catalog.state(thread_id) if workspace.exists else None
    if known is None:
        thread_id = resolve(workspace, thread_id)
        known = workspace.catalog.state(thread_id)
    if known is None:
        raise NotFound(f"{thread_id} is not a thread.", "`segue thread list` shows the threads.")
    return {**_row(known), "head_hash": known["hash"]}


def post(
    workspace: Workspace,
    thread_id: str,
    content: str,
    role: str = "user",
    run: str | None = None,
    run_ended: str | None = None,
    effects: Sequence[dict[str, Any]] = (),
    by: Provenance = LIBRARY,
    key: str | None = None,
    expect: int | None = None,
) -> answers.Posted:
    """Adds a message and, in the same commit, the run it started, what its tools did, and its end."""
    thread_id = resolve(workspace, thread_id)
    if role not in ROLES:
        raise BadInput(f"{role!r} is not a role.", f"Roles are {', '.join(ROLES)}.")
    if (effects or run_ended) and run is None:
        raise BadInput("Side effects and the end of a run need the run they belong to.", "Give --run.")
    text = incoming.message(content)
    if run is None:
        text = incoming.redacted(text)
    else:  # together: what is learnt to be a secret from one is taken out of the others
        text, effects, run_ended = incoming.redacted([text, list(effects), run_ended])
    by = incoming.vouched(by)
    message_id = new_id()
    drafts = [
        Draft(kinds.MESSAGE, by.stamp({"role": role, "content": text, "run_session_id": run}), message_id)
    ]
    if run is not None:
        of_run = {"run_session_id": run, "message_id": message_id}
        drafts.append(Draft(kinds.RUN_SPAWNED, by.stamp(of_run)))
        drafts += [Draft(kinds.SIDE_EFFECTS, incoming.effect(effect, run, by)) for effect in effects]
        if run_ended is not None:
            drafts.append(Draft(kinds.RUN_ENDED, by.stamp({**of_run, "reason": run_ended})))
    request = digest_of("post", thread_id, role, text, run, run_ended, list(effects))
    said = workspace.log.append(thread_id, drafts, expect=expect, key=user_key(key), request=request)[0]
    return {"thread_id": said.stream_id, "message_id": said.id, "seq": said.seq}


def branch(
    workspace: Workspace,
    thread_id: str,
    title: str | None = None,
    from_message_id: str | None = None,
    from_seq: int | None = None,
    by: Provenance = LIBRARY,
    key: str | None = None,
) -> answers.Branched:
    """A child that inherits the parent's history up to a cut; nothing is copied."""
    by = incoming.vouched(by)
    thread_id, chosen = _cut(workspace, thread_id, from_message_id, from_seq)
    drafts = [links.created(workspace.root, incoming.title(title), by), links.branched(thread_id, chosen, by)]
    request = digest_of("branch", thread_id, title, from_message_id, from_seq)
    frames = workspace.log.append(new_id(), drafts, expect=NEW, key=user_key(key), request=request)
    made: answers.Branched = _without_none(
        thread_id=frames[0].stream_id,
        parent_thread_id=thread_id,
        parent_seq=frames[1].data["parent_seq"],
        parent_message_id=frames[1].data.get("parent_message_id"),
    )
    return made


def handoff(
    workspace: Workspace,
    thread_id: str,
    title: str | None = None,
    summary_markdown: str | None = None,
    summary_artifact_id: str | None = None,
    goal: str | None = None,
    refs: dict[str, list[dict[str, Any]]] | None = None,
    from_message_id: str | None = None,
    from_seq: int | None = None,
    by: Provenance = LIBRARY,
    key: str | None = None,
    agent: str | None = None,
    session_id: str | None = None,
    bundle_extra: dict[str, Any] | None = None,
    beside: Sequence[Draft] = (),
    **recorded: Any,
) -> answers.HandedOff:
    """A child that starts fresh from a bundle: a summary and references, never the parent's history. `agent` and
    `session_id` are those of the session that it was drafted from, where it was; `beside` are frames of the same commit."""
    by = incoming.vouched(by)
    from segue.service.threads import bundles

    thread_id, chosen = _cut(workspace, thread_id, from_message_id, from_seq)
    request = digest_of(
        "handoff",
        thread_id,
        title,
        summary_markdown,
        summary_artifact_id,
        goal,
        refs,
        from_message_id,
        from_seq,
        *((agent, session_id) if agent or session_id else ()),
    )
    drafts = [links.created(workspace.root, incoming.title(title), by)]
    if key is None or workspace.log.keyed(f"user:{key}") is None:
        bundle_id, markdown, redactions = bundles.store_bundle(
            workspace, thread_id, chosen, summary_markdown, summary_artifact_id, refs, bundle_extra
        )
        told = {
            "summary_markdown": markdown,
            "goal": incoming.redacted(goal),
            "redactions": redactions,
            "agent": incoming.title(agent),
            "session_id": incoming.title(session_id),
            **recorded,
        }
        drafts += [links.handed_off(thread_id, chosen, bundle_id, by, **told), *beside]
    frames = workspace.log.append(new_id(), drafts, expect=NEW, key=user_key(key), request=request)
    link_data = frames[1].data
    made: answers.HandedOff = _without_none(
        thread_id=frames[0].stream_id,
        from_thread_id=thread_id,
        from_seq=link_data["from_seq"],
        from_message_id=link_data.get("from_message_id"),
        summary_artifact_id=link_data["summary_artifact_id"],
    )
    return made


def reference(
    workspace: Workspace,
    thread_id: str,
    to_thread_id: str,
    to_seq: int | None = None,
    note: str | None = None,
    by: Provenance = LIBRARY,
    key: str | None = None,
) -> answers.Referenced:
    """Records that this thread draws on another one, up to a cut."""
    by = incoming.vouched(by)
    thread_id = resolve(workspace, thread_id)
    to_thread_id, chosen = _cut(workspace, to_thread_id, None, to_seq)
    if to_thread_id == thread_id:
        raise BadInput("A thread cannot refer to itself.", "Name another thread.")
    payload = by.stamp({"to_thread_id": to_thread_id, "to_seq": chosen.seq, "note": incoming.redacted(note)})
    request = digest_of("reference", thread_id, to_thread_id, to_seq, note)
    frame = workspace.log.append(
        thread_id, [Draft(kinds.REFERENCED, payload)], key=user_key(key), request=request
    )[0]
    return {"thread_id": thread_id, "to_thread_id": to_thread_id, "to_seq": chosen.seq, "seq": frame.seq}


def amend(
    workspace: Workspace,
    thread_id: str,
    title: str | None = None,
    add_tags: Sequence[str] = (),
    remove_tags: Sequence[str] = (),
    archived: bool | None = None,
    by: Provenance = LIBRARY,
    key: str | None = None,
) -> answers.ThreadDetail:
    """Renames a thread, tags it, puts it away or brings it back: what is given, in one commit."""
    by = incoming.vouched(by)
    thread_id = resolve(workspace, thread_id)
    drafts = []
    if title is not None:
        if not (cleaned := incoming.title(title)):
            raise refusal("title-empty")
        drafts.append(Draft(kinds.RENAMED, by.stamp({"title": cleaned})))
    added, removed = (
        sorted(set(filter(None, map(incoming.title, words)))) for words in (add_tags, remove_tags)
    )
    if added or removed:
        drafts.append(Draft(kinds.TAGGED, by.stamp({"added": added, "removed": removed})))
    if archived is not None:
        drafts.append(Draft(kinds.ARCHIVED, by.stamp({"archived": archived})))
    if not drafts:
        raise refusal("nothing-to-change")
    request = digest_of("amend", thread_id, title, added, removed, archived)
    workspace.log.append(thread_id, drafts, key=user_key(key), request=request)
    return show(workspace, thread_id)


def events(
    workspace: Workspace,
    thread_id: str,
    after_seq: int = -1,
    follow: bool = False,
    max_events: int | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Iterator[Frame]:
    """Frames after a sequence number: those there are and, with `follow`, those to come."""
    thread_id = resolve(workspace, thread_id)
    if max_events is not None and max_events < 1:
        raise BadInput("--max-events counts frames, so it is 1 or more.", "Leave it out for all of them.")
    first = after_seq + 1
    if not follow:
        return workspace.log.read(thread_id, first, limit=max_events)
    return islice(workspace.log.follow(thread_id, first, stop), max_events)


def search(workspace: Workspace, words: str, limit: int = 20) -> answers.ThreadHits:
    """Threads whose titles, messages or touched paths hold all the words."""
    if not words.strip():
        raise BadInput("Give at least one word to look for.", "`segue thread list` shows all threads.")
    limit = within(limit)
    found = workspace.catalog.search(words, limit) if workspace.exists else []
    return {"hits": [{"thread_id": t, "seq": seq, "snippet": snippet} for t, seq, snippet in found]}


def _cut(
    workspace: Workspace, thread_id: str, from_message_id: str | None, from_seq: int | None
) -> tuple[str, cut.Cut]:
    """The thread's full id and the cut; a message may be named by the id its own program gave it,
    or a beginning of that."""
    thread_id = resolve(workspace, thread_id)
    head = workspace.log.head(thread_id)
    if head is None:
        raise NotFound(f"There is no thread {thread_id}.", "`segue thread list` shows the threads.")
    if from_message_id is not None and workspace.log.frame(from_message_id) is None:
        from segue.service.catalogs import message_named

        from_message_id = message_named(workspace.catalog, thread_id, from_message_id)
    if from_message_id is None:
        return thread_id, cut.choose(workspace.log, thread_id, head.seq, None, from_seq)
    runs = workspace.catalog.last_of_run
    return thread_id, cut.choose(workspace.log, thread_id, head.seq, from_message_id, from_seq, runs)


def _row(known: dict[str, Any]) -> answers.ThreadRow:
    fields = state.ThreadState(**known)
    row: answers.ThreadRow = _without_none(
        thread_id=fields.thread_id,
        title=fields.title,
        created_at_ms=fields.created_at_ms,
        head_seq=fields.seq,
        archived=fields.archived,
        tags=list(fields.tags),
        default=fields.default,
    )
    if fields.parent_id is not None and fields.parent_seq is not None and fields.relation is not None:
        row["parent"] = {"thread_id": fields.parent_id, "seq": fields.parent_seq, "relation": fields.relation}
    return row


def user_key(key: str | None) -> str | None:
    """A caller's idempotency key, in a namespace of its own."""
    return None if key is None else f"{CALLERS}{key}"


def digest_of(*parts: Any) -> str:
    """What a repeated request is recognised by."""
    return wire.content_id(wire.canonical(parts))


def _without_none(**fields: Any) -> Any:
    """An answer: a field that nobody filled is left out."""
    return {name: value for name, value in fields.items() if value is not None}

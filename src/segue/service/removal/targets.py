"""What somebody wants forgotten, as frames, artifacts and sessions of this workspace."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from segue.errors import BadInput
from segue.model.frame import CREATED, Frame
from segue.model.value import NamedTuple
from segue.service.forgotten import is_forgotten
from segue.service.refusals import refusal
from segue.service.threads.naming import resolve
from segue.service.workspace import Workspace

_SHORTEST = 4
"""Characters that name a session at least."""


class Session(NamedTuple):
    """An agent's session that a thread was made from; `path` is where the agent keeps it."""

    agent: str
    session_id: str
    path: str = ""


class Targets(NamedTuple):
    """What is to go. `frames` are all that were named, with content or without."""

    frames: tuple[Frame, ...]
    artifacts: tuple[str, ...]
    sessions: tuple[Session, ...]
    """Those whose transcripts hold what is forgotten."""
    whole: frozenset[str]
    """Threads of which all is to go, not a message that somebody named."""


def named(
    workspace: Workspace, targets: Sequence[str], artifacts: Sequence[str], sessions: Sequence[str]
) -> Targets:
    """`targets` are THREAD@SEQ, the id of a message, or a THREAD for all that it says; `sessions` are AGENT:ID.
    Raises NotFound or BadInput for what names nothing here."""
    if not (targets or artifacts or sessions):
        raise BadInput("Nothing is named.", "Name a message, a thread, an artifact or a session.")
    frames = {frame.id: frame for target in targets for frame in _frames(workspace, target)}
    meant = []
    for name in sessions:
        found, one = _session(workspace, name)
        frames |= {frame.id: frame for frame in found}
        meant.append(one)
    counts = Counter(frame.stream_id for frame in frames.values())
    for thread_id in counts:
        meant += _source(workspace, thread_id)
    heads = {head.stream_id: head.seq for head in map(workspace.log.head, counts) if head}
    whole = frozenset(thread_id for thread_id, seq in heads.items() if counts[thread_id] > seq)
    ids = tuple(dict.fromkeys(_artifact(workspace, name) for name in artifacts))
    return Targets(tuple(frames.values()), ids, _each_once(meant), whole)


def _frames(workspace: Workspace, target: str) -> Iterator[Frame]:
    thread, at, seq = target.partition("@")
    if at:
        if not seq.isdecimal() or len(seq) > 10:
            raise refusal("no-frame-named", target=target)
        thread_id = resolve(workspace, thread)
        frame = next(workspace.log.read(thread_id, int(seq), int(seq)), None)
        if frame is None:
            raise refusal("no-such-frame", thread_id=thread_id, seq=seq)
        return iter((frame,))
    message = workspace.log.frame(thread) if workspace.exists else None
    if message is not None:
        return iter((message,))
    return workspace.log.read(resolve(workspace, thread))


def _session(workspace: Workspace, name: str) -> tuple[list[Frame], Session]:
    """The frames of all threads that a session was brought into: its own, and one for each branch it took. A beginning of
    its id does where it is the only one."""
    agent, colon, session_id = name.partition(":")
    if not (agent and colon and session_id):
        raise BadInput(f"{name!r} names no session.", "Give AGENT:ID, as in claude-code:1b2c….")
    begun = [used for used in workspace.log.keys() if used.key.startswith(f"import:{name}")]  # noqa: SIM118
    mine = [used for used in begun if f"{used.key}:".startswith(f"import:{name}:")]
    if begun and not mine:
        threads = dict.fromkeys(used.stream_id for used in begun)
        known = sorted({one.session_id for thread_id in threads for one in _source(workspace, thread_id)})
        if len(known) == 1 and len(session_id) >= _SHORTEST:
            return _session(workspace, f"{agent}:{known[0]}")
        raise BadInput(f"{name!r} may be {' or '.join(known[:5])}.", "Give more of the id.")
    frames = [
        frame
        for thread_id in dict.fromkeys(used.stream_id for used in mine)
        for frame in workspace.log.read(thread_id)
    ]
    if not frames:
        raise refusal("session-not-here", name=name)
    return frames, Session(agent, session_id)


def _source(workspace: Workspace, thread_id: str) -> Iterator[Session]:
    yield from filter(None, map(session_of, workspace.log.read(thread_id, 0, 0, types=(CREATED,))))


def session_of(frame: Frame) -> Session | None:
    """The session that a frame says its thread was made from."""
    source = frame.data.get("source") if frame.type == CREATED else None
    if isinstance(source, dict) and all(isinstance(source.get(n), str) for n in ("agent", "session_id")):
        return Session(source["agent"], source["session_id"], str(source.get("path") or ""))
    return None


def _each_once(sessions: Sequence[Session]) -> tuple[Session, ...]:
    found: dict[tuple[str, str], Session] = {}
    for one in sessions:
        known = found.get(one[:2])
        found[one[:2]] = one if known is None or not known.path else known
    return tuple(found.values())


def _artifact(workspace: Workspace, name: str) -> str:
    """The full id; one that was forgotten before may be named once more, in full."""
    return name if is_forgotten(workspace.log, name) else workspace.artifacts.resolve(name)

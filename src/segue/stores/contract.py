"""The two seams of storage: a log of frames and a box of artifacts.

A log keeps streams. Within a stream sequence numbers are 0, 1, 2 … without gaps; the next one
comes from the head the writer expected, so of two writers that saw the same head one wins and
the other gets `Conflict`. What `append` returned survives a power cut. The suite in
`tests/stores/` is the contract: every backend runs all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple, Protocol, TypedDict, Unpack, runtime_checkable

from segue.errors import SegueError
from segue.model.frame import Draft, Frame, Payload, Which
from segue.model.tombstone import Record

NEW = -1
"""The expected head of a stream that must not exist yet."""

FORMAT = 2
"""The log format this version writes: every row has a checksum, which rows of format 1 may lack until the log is
rebuilt. A log of a higher one is refused in a sentence."""

MAX_FRAME_BYTES = 16 * 1024 * 1024
"""A larger frame is refused: what is that big belongs in an artifact."""


ERROR, NOTE = "error", "note"


class Head(NamedTuple):
    """Where a stream stands. `touched` orders heads by their last commit within one log; given to `heads`,
    the highest one a reader got leads on from there."""

    stream_id: str
    stream_kind: str
    seq: int
    hash: bytes
    touched: int


class Request(NamedTuple):
    """An append to be: what `append` takes, as a value."""

    stream_id: str
    drafts: Sequence[Draft]
    expect: int | None = None
    stream_kind: str = "continuity"
    key: str | None = None
    request: str = ""


class More(TypedDict, total=False):
    """What an append may be told besides its stream and drafts: the rest of `Request`."""

    expect: int | None
    stream_kind: str
    key: str | None
    request: str


class Key(NamedTuple):
    """An idempotency key, the request it was used for and the frames it stands for."""

    key: str
    request: str
    stream_id: str
    first: int
    last: int


class Finding(NamedTuple):
    """Something `verify` found: what kind, where, what it means, what to do. A note is no damage."""

    kind: str
    where: str
    message: str
    hint: str
    severity: str = ERROR


class Log(Protocol):
    @property
    def rows_read(self) -> int:
        """Rows fetched so far by this object; benchmarks and tests read it."""

    def append(self, stream_id: str, drafts: Sequence[Draft], **more: Unpack[More]) -> list[Frame]:
        """Adds frames to one stream in one commit and returns them as stored, durable.

        `expect` is the head sequence the writer saw (`NEW` for a stream that must not exist); `None`
        takes whatever the head is. A moved head raises Conflict. With an idempotency `key`, a repeated
        call returns the frames of the first one; the same key with another `request` (a digest the
        caller chooses) raises Conflict with code `idempotency_clash`."""

    def append_all(self, requests: Sequence[Request]) -> list[list[Frame] | SegueError]:
        """Several appends in one commit, in their order. Each gets its frames, or the error that `append`
        would have raised, whatever becomes of the others; what keeps the commit itself from happening
        is raised."""

    def adopt(self, frames: Sequence[Frame], forgotten: Sequence[Record] = ()) -> None:
        """Adds frames of another log to the end of their stream as they are: ids, sequence and hashes stay.
        Raises Conflict, with nothing written, when they do not follow what is here. `forgotten` are the tombstones of
        the stream, which frames to come will name."""

    def forget(self, tombstones: Sequence[Frame], note: Draft) -> Frame:
        """Puts tombstones in the place of frames of one stream and adds the frame that names them, in one commit;
        returns that one. Raises Conflict, with nothing written, when a frame is not there as it was read."""

    def wipe(self) -> str:
        """Removes what is left of forgotten content in files that this process can write; returns what stays
        elsewhere, as a sentence, empty where nothing does."""

    def keys(self) -> Iterator[Key]:
        """Every idempotency key, sorted, in bounded memory."""

    def adopt_keys(self, keys: Sequence[Key]) -> None:
        """Adds keys of another log whose frames are here. Raises Conflict for one that stands for something
        else here, or for frames that are missing; those before it may have been added."""

    def keyed(self, key: str) -> list[Frame] | None:
        """The frames an idempotency key stands for, if it was used."""

    def read(
        self, stream_id: str, first: int = 0, last: int | None = None, **which: Unpack[Which]
    ) -> Iterator[Frame]:
        """Frames with first <= seq <= last, optionally of some types only, in bounded memory, holding
        no lock and no cursor between pages."""

    def frame(self, frame_id: str) -> Frame | None:
        """The frame of that id, whatever its stream."""

    def count(self, stream_id: str, types: Sequence[str], last: int | None = None) -> int:
        """How many frames of these types a stream has up to and including `last`."""

    def head(self, stream_id: str) -> Head | None: ...

    def heads(self, since: int = 0) -> list[Head]:
        """Heads touched after `since`, in the order of their last commit. A reader that goes on from the
        last one it got misses nothing; while others write it may get a head again."""

    def find(self, prefix: str, limit: int = 2) -> list[str]:
        """Stream ids that begin with a prefix, for abbreviated ids."""

    def follow(self, stream_id: str, first: int, stop: Callable[[], bool]) -> Iterator[Frame]:
        """Frames from `first` on: those there are, then those other processes add, until `stop()`."""

    def verify(self) -> Iterator[Finding]:
        """Re-derives every hash and sequence and compares heads with frames."""

    def rebuild(self, accept_loss: Payload | None = None) -> int:
        """Makes everything derivable inside the log again from the frames; returns how many streams. Raises
        Refused, with nothing changed, where frames that were acknowledged are missing at the end of a stream.
        With `accept_loss`, which says who accepts it, a frame records each such loss and keys of lost frames go."""

    def close(self) -> None: ...


StreamListener = Callable[[str], None]
"""Hears the id of a stream that may have grown; an empty one where any may have."""


@runtime_checkable
class Notifying(Protocol):
    """What some logs are beside: they say by themselves when others add to them."""

    def listen(self, heard: StreamListener) -> Callable[[], None]:
        """Has `heard` called from another thread until the returned function is."""


class Artifacts(Protocol):
    def put(self, data: bytes | Iterable[bytes]) -> tuple[str, int]:
        """Stores bytes under their sha256 and returns (artifact_id, size), durable; a second put of the
        same bytes writes nothing."""

    def get(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> bytes:
        """The bytes, or a range of them. Raises NotFound, or Unavailable when they do not hash to
        their name (checked on whole reads)."""

    def read(self, artifact_id: str, offset: int = 0, max_bytes: int | None = None) -> Iterator[bytes]:
        """What `get` gives, in pieces of bounded size. It raises what `get` raises, at the latest before the last
        piece: nobody gets all of an artifact that is damaged."""

    def size(self, artifact_id: str) -> int | None:
        """Uncompressed size, None if there is no such artifact."""

    def resolve(self, prefix: str) -> str:
        """The full id of a unique prefix of at least 8 characters. BadInput if short or ambiguous,
        NotFound if nothing matches."""

    def ids(self, after: str = "") -> Iterator[tuple[str, int]]:
        """Every (artifact_id, uncompressed size) whose id follows `after`, sorted by id."""

    def forget(self, artifact_id: str) -> bool:
        """Removes an artifact; False where there was none."""

    def verify(self) -> Iterator[Finding]:
        """Re-hashes every blob."""

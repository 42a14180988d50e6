"""What a line of history rests on and refers to, beside its own messages.

A handoff rests on its bundle: the summary, then its references as far as they fit. A reference brings
what compiling the thread it names would bring: the bundle that one rests on, its newest messages,
inherited ones too, and what it refers to in turn. Each brings its eight newest messages before any brings
more. Everything comes once, however often it is named, and what stayed out is said.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import Any

from segue.errors import Refused, SegueError, Unavailable
from segue.model.bundle import SOURCE_CUT, Bundle, read_handoff_bundle
from segue.model.frame import REFERENCED
from segue.model.tombstone import GONE
from segue.model.value import NamedTuple
from segue.threads import messages
from segue.threads.history import Blobs, History
from segue.threads.lineage import Segment, inherited
from segue.threads.links import Link
from segue.threads.token_budget import ITEM_TOKENS, Item, TokenBudget

MESSAGES_PER_REFERENCE = 8
"""How many a reference brings before what else wants the tokens has had its turn."""
FORGOTTEN = "forgotten"
"""The code of the error for a bundle whose content somebody removed for good."""
MAX_REFERENCES = 16
"""How many threads are followed for one purpose; a thread that says nothing costs no tokens."""

Resets = list[dict[str, Any]]
_Cut = tuple[str, int]


class _Followed(NamedTuple):
    """A reference, and what it brought."""

    thread_id: str
    segments: Sequence[Segment]
    base: list[Item]
    said: list[Item]


class Surroundings:
    """Gathers for one compilation. `bought` are the ids of the messages already paid for. With `deep`,
    references bring as many messages as there are tokens for."""

    def __init__(self, history: History, blobs: Blobs, resets: Resets, deep: bool = False) -> None:
        self.bought: set[str] = set()
        self._history = history
        self._blobs = blobs
        self._resets = resets
        self._deep = deep
        self._followed: set[_Cut] = set()
        self._named: set[tuple[str | None, ...]] = set()

    def handoff(self, thread_id: str, link: Link, purse: TokenBudget, share: TokenBudget) -> list[Item]:
        """What a handoff starts from; `share` is what its references may cost. Raises the error of a bundle
        that is missing or altered: without it there is nothing to start from."""
        items, cited = self._bundle(thread_id, link, purse, share, vital=True)
        return items + self._follow(cited, 0, share)

    def references(self, segments: Iterable[Segment], share: TokenBudget) -> list[Item]:
        """What these segments refer to, newest reference first."""
        return self._follow(*self._referred(segments), share)

    def _follow(self, cuts: Iterable[_Cut], left: int, share: TokenBudget) -> list[Item]:
        """Breadth first, so that what is named here comes before what that names in turn."""
        queue, rows = deque(cuts), list[_Followed]()
        while queue and len(rows) < MAX_REFERENCES and share.left > ITEM_TOKENS:
            cut = queue.popleft()
            if cut in self._followed:
                continue
            self._followed.add(cut)
            segments, base = inherited(self._history, *cut)
            found, cited = self._bundle(*base, share, share) if base is not None else ([], [])
            queue.extend(cited)
            said = self._newest(segments, share, MESSAGES_PER_REFERENCE)
            rows.append(_Followed(cut[0], segments, found, said))
            further, uncounted = self._referred(segments)
            queue.extend(further)
            left += uncounted
        if self._deep:
            rows = [self._deepened(row, share) for row in rows]
        left += len(set(queue) - self._followed)
        if left:
            reason = "The nearest references are followed, as far as the budget goes."
            self._reset("thread_reference", "left_out", reason, count=left)
        for row in rows:
            if action := messages.shortfall(self._history, row.segments, row.said):
                reason = "Its newest messages are taken, as far as the budget goes."
                self._reset("thread_reference", action, reason, ref=row.thread_id)
        return [item for row in rows for item in (*row.base, *row.said)]

    def _deepened(self, row: _Followed, share: TokenBudget) -> _Followed:
        """With older messages, where the newest ones are whole: those that are paid for cost nothing again."""
        if share.left <= ITEM_TOKENS or any("truncated" in item for item in row.said):
            return row
        return row._replace(said=self._newest(row.segments, share))

    def _newest(
        self, segments: Sequence[Segment], share: TokenBudget, limit: int | None = None
    ) -> list[Item]:
        return messages.newest(self._history, segments, share, self.bought, limit=limit)

    def _referred(self, segments: Iterable[Segment]) -> tuple[list[_Cut], int]:
        """Where these segments refer to, newest first, and how many older references were not looked at."""
        cuts, left = list[_Cut](), 0
        for segment in segments:
            if not segment.marked:
                continue
            room = MAX_REFERENCES - len(cuts)
            frames = self._history.read(
                segment.thread_id, 0, segment.last, types=(REFERENCED,), reverse=True, limit=room
            )
            found = [(data["to_thread_id"], data["to_seq"]) for data in (frame.data for frame in frames)]
            cuts += found
            if len(found) == room:
                left += self._history.count(segment.thread_id, (REFERENCED,), segment.last) - room
        return cuts, left

    def _bundle(
        self, thread_id: str, link: Link, purse: TokenBudget, share: TokenBudget, vital: bool = False
    ) -> tuple[list[Item], list[_Cut]]:
        """The items of a handoff's bundle, and the threads it cites."""
        name = link.bundle_id or thread_id
        if not self._first_time("handoff_bundle_ref", name):
            return [], []
        item: Item = {"type": "handoff_bundle_ref"}
        if link.bundle_id is None:
            return self._summary(item, link.summary or "", purse, name), []
        item["artifact_id"] = link.bundle_id
        try:
            bundle = read_handoff_bundle(self._blobs.get(link.bundle_id))
        except SegueError as fault:
            if fault.code == FORGOTTEN:
                return self._summary(item, GONE, purse, name), []
            if vital:
                raise Unavailable(
                    f"This thread starts from the bundle {link.bundle_id}, which cannot be read. {fault.message}",
                    "Restore the artifact from a backup; `segue verify artifacts` checks all of them.",
                    "damaged",
                ) from None
            self._reset("handoff_bundle", "ignored", fault.message, ref=name)
            return [item] if purse.buy(item) else [], []
        items = self._summary(item, bundle["summary_markdown"], purse, name)
        items += self._refs(bundle, share, name)
        cited = bundle["refs"]["threads"]
        return items, [(ref["thread_id"], ref["seq"]) for ref in cited if ref.get("note") != SOURCE_CUT]

    def _summary(self, item: Item, text: str, purse: TokenBudget, name: str) -> list[Item]:
        """The item with its text, with the beginning of it, or bare, whichever fits first."""
        whole = {**item, "content": text}
        if purse.buy(whole):
            return [whole]
        reason = f"The summary of {len(text)} characters does not fit the budget."
        part = purse.buy_beginning(whole)
        self._reset("handoff_bundle", "shortened" if part else "left_out", reason, ref=name)
        if part:
            return [part]
        return [item] if purse.buy(item) else []

    def _refs(self, bundle: Bundle, share: TokenBudget, name: str) -> list[Item]:
        """Artifacts, then files, each with its text when that fits and bare when not."""
        refs, items = bundle["refs"], list[Item]()
        # A file by the snapshot taken when the bundle was made: the disk may have moved on, the log has not.
        rows = [("artifact_ref", "artifact_id", ref, ref["artifact_id"]) for ref in refs["artifacts"]]
        rows += [("file_ref", "path", ref, ref.get("snapshot_artifact_id")) for ref in refs["files"]]
        unresolved = 0
        for place, (kind, key, ref, blob_id) in enumerate(rows):
            item: Item = {"type": kind, key: ref[key]}
            if isinstance(ref.get("note"), str):
                item["note"] = ref["note"]
            if not self._first_time(kind, ref[key], blob_id, item.get("note")):
                continue
            if share.price(item) > share.left:
                left = len(rows) - place
                self._reset("handoff_refs", "left_out", "They do not fit the budget.", ref=name, count=left)
                break
            text = self._text(blob_id) if blob_id else None
            if text is not None and share.buy(whole := {**item, "content": text}):
                item = whole
            else:
                share.buy(item)
                unresolved += text is not None
            items.append(item)
        if unresolved:
            reason = "Their texts do not fit the budget."
            self._reset("handoff_refs", "unresolved", reason, ref=name, count=unresolved)
        return items

    def _text(self, artifact_id: str) -> str | None:
        """An artifact as text; None when it is missing, damaged, not text, or not to be handed on."""
        try:
            return self._blobs.get(artifact_id).decode()
        except Refused as fault:
            self._reset("handoff_refs", "withheld", fault.message, ref=artifact_id)
            return None
        except (SegueError, UnicodeDecodeError):
            return None

    def _first_time(self, *name: str | None) -> bool:
        if name in self._named:
            return False
        self._named.add(name)
        return True

    def _reset(self, what: str, action: str, reason: str, **more: Any) -> None:
        self._resets.append({"input": what, "action": action, "reason": reason, **more})

"""A log behaves like a dictionary of lists, whatever is done to it in whatever order."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    rule,
    run_state_machine_as_test,
)

from segue.errors import Conflict
from segue.model.frame import MESSAGE, Draft
from segue.model.ids import new_id
from segue.stores.contract import NEW, Frame, Log

streams = st.integers(0, 3)
kinds = st.sampled_from([MESSAGE, "note", "other"])
drafts = st.lists(st.tuples(kinds, st.text(max_size=20)), min_size=1, max_size=5)
seqs = st.integers(-2, 40)

EXAMPLES = {"postgresql": 12, "postgresql in parts": 4}
"""Each step is a round trip to a server there."""


def drafted(kind: str, text: str) -> Draft:
    return Draft(kind, {"role": "user", "content": text, "actor_id": "user", "origin": "test"})


class LogMachine(RuleBasedStateMachine):
    open_at: Callable[[Path], Log]

    @initialize()
    def start(self) -> None:
        self.folder = Path(tempfile.mkdtemp())
        self.log = type(self).open_at(self.folder)
        self.ids = [new_id() for _ in range(4)]
        self.model: dict[str, list[tuple[str, str]]] = {}
        self.order: list[str] = []
        self.keys: list[tuple[str, str, list[Frame]]] = []

    def teardown(self) -> None:
        self.log.close()
        shutil.rmtree(self.folder)

    def head(self, stream: str) -> int:
        return len(self.model.get(stream, [])) - 1

    def appended(self, stream: str, made: list[tuple[str, str]], frames: list[Frame]) -> None:
        assert [frame.seq for frame in frames] == [self.head(stream) + 1 + n for n in range(len(made))]
        self.model.setdefault(stream, []).extend(made)
        self.order = [*(other for other in self.order if other != stream), stream]

    @rule(which=streams, made=drafts, expecting=st.booleans())
    def append(self, which: int, made: list[tuple[str, str]], expecting: bool) -> None:
        stream = self.ids[which]
        expect = self.head(stream) if expecting else None
        frames = self.log.append(stream, [drafted(*draft) for draft in made], expect=expect)
        self.appended(stream, made, frames)

    @rule(which=streams, made=drafts, off=st.integers(-3, 3).filter(bool))
    def append_with_a_stale_head(self, which: int, made: list[tuple[str, str]], off: int) -> None:
        stream = self.ids[which]
        with pytest.raises(Conflict):
            self.log.append(
                stream, [drafted(*draft) for draft in made], expect=max(self.head(stream) + off, -2)
            )

    @rule(which=streams, made=drafts, request=st.sampled_from("rs"))
    def append_with_a_key(self, which: int, made: list[tuple[str, str]], request: str) -> None:
        stream, key = self.ids[which], f"key {len(self.keys)}"
        frames = self.log.append(
            stream, [drafted(*draft) for draft in made], expect=self.head(stream), key=key, request=request
        )
        self.appended(stream, made, frames)
        self.keys.append((key, request, frames))

    @rule(data=st.data())
    def retry_with_a_used_key(self, data: st.DataObject) -> None:
        if self.keys:
            key, request, frames = data.draw(st.sampled_from(self.keys))
            again = [drafted("note", "again")]
            assert self.log.append(self.ids[0], again, expect=NEW, key=key, request=request) == frames
            with pytest.raises(Conflict):
                self.log.append(self.ids[0], again, key=key, request="another request")

    @rule()
    def reopen(self) -> None:
        self.log.close()
        self.log = type(self).open_at(self.folder)

    @rule()
    def rebuild(self) -> None:
        assert self.log.rebuild() == len(self.model)

    @rule(
        which=streams,
        first=seqs,
        last=st.none() | seqs,
        types=st.sets(kinds),
        reverse=st.booleans(),
        limit=st.none() | st.integers(0, 10),
    )
    def read(
        self, which: int, first: int, last: int | None, types: set[str], reverse: bool, limit: int | None
    ) -> None:
        stream = self.ids[which]
        expected: list[Any] = [
            (seq, kind, text)
            for seq, (kind, text) in enumerate(self.model.get(stream, []))
            if seq >= first and (last is None or seq <= last) and (not types or kind in types)
        ]
        expected = (expected[::-1] if reverse else expected)[:limit]
        found = self.log.read(stream, first, last, types=sorted(types), reverse=reverse, limit=limit)
        assert [(frame.seq, frame.type, frame.data["content"]) for frame in found] == expected

    @invariant()
    def heads_are_where_the_lists_end(self) -> None:
        if hasattr(self, "log"):
            heads = self.log.heads()
            assert [(head.stream_id, head.seq) for head in heads] == [(s, self.head(s)) for s in self.order]

    @rule()
    def verify(self) -> None:
        assert list(self.log.verify()) == []


def test_a_log_behaves_like_a_dictionary_of_lists(
    open_at: Callable[[Path], Log], request: pytest.FixtureRequest
) -> None:
    machine = type("Machine", (LogMachine,), {"open_at": staticmethod(open_at)})
    limits = settings(
        max_examples=EXAMPLES.get(request.node.callspec.params["open_at"], 40),
        stateful_step_count=30,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],
    )
    run_state_machine_as_test(machine, settings=limits)  # type: ignore[no-untyped-call]

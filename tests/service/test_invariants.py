"""What must hold whatever is done to a workspace: a state machine against a model made of dictionaries.

The model knows messages and cuts and nothing of storage. After any sequence of operations, with caches
deleted and the log reopened in between, every answer is what the model says.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import Any, NamedTuple

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, precondition, rule

from segue.service import workspace
from segue.service.health import checkup
from segue.service.threads import contexts, lineage, streams

TEXTS = st.lists(st.text(max_size=40).map("m{}".format), max_size=3)


class Known(NamedTuple):
    """A thread as the model sees it: its own frames as (seq, message), its parent and the cut, and its
    checkpoints and references as (seq, what they reach)."""

    parent: str | None
    cut: int
    inherits: bool
    messages: list[tuple[int, str]]
    checkpoints: list[tuple[int, int]]
    references: list[tuple[int, tuple[str, int]]]


class Continuity(RuleBasedStateMachine):
    ids = Bundle("ids")

    @initialize()
    def open(self) -> None:
        self.root = tempfile.mkdtemp(prefix="segue-test-")
        self.workspace = workspace.find(self.root)
        self.model: dict[str, Known] = {}
        self.heads: dict[str, int] = {}
        self.compiled: list[tuple[str, int, str]] = []

    def teardown(self) -> None:
        if hasattr(self, "workspace"):
            try:
                for thread_id in list(self.model):
                    self.compile(thread_id)
            finally:
                self.workspace.close()
                shutil.rmtree(self.root)

    @rule(target=ids, texts=TEXTS)
    def create(self, texts: list[str]) -> str:
        thread_id: str = streams.create(self.workspace)["thread_id"]
        self.model[thread_id] = Known(None, -1, False, [], [], [])
        self.heads[thread_id] = 0
        self.post(thread_id, texts)
        return thread_id

    @rule(thread_id=ids, texts=TEXTS)
    def post(self, thread_id: str, texts: list[str]) -> None:
        for text in texts:
            done = streams.post(self.workspace, thread_id, text)
            self.heads[thread_id] += 1
            assert done["seq"] == self.heads[thread_id]
            self.model[thread_id].messages.append((done["seq"], text))

    @rule(target=ids, thread_id=ids, texts=TEXTS, data=st.data())
    def branch(self, thread_id: str, texts: list[str], data: st.DataObject) -> str:
        seq = data.draw(st.one_of(st.none(), st.integers(0, self.heads[thread_id])))
        made = streams.branch(self.workspace, thread_id, from_seq=seq)
        cut = self.heads[thread_id] if seq is None else seq
        assert made["parent_seq"] == cut
        return self._child(made["thread_id"], thread_id, cut, texts, inherits=True)

    @rule(target=ids, thread_id=ids, texts=TEXTS)
    def handoff(self, thread_id: str, texts: list[str]) -> str:
        made = streams.handoff(self.workspace, thread_id, summary_markdown="the summary")
        return self._child(made["thread_id"], thread_id, self.heads[thread_id], texts, inherits=False)

    def _child(self, child: str, parent: str, cut: int, texts: list[str], inherits: bool) -> str:
        self.model[child] = Known(parent, cut, inherits, [], [], [])
        self.heads[child] = 1
        self.post(child, texts)
        return child

    @precondition(lambda self: any(known.messages for known in self.model.values()))
    @rule(data=st.data())
    def checkpoint(self, data: st.DataObject) -> None:
        own = [(thread_id, seq) for thread_id, known in self.model.items() for seq, _ in known.messages]
        thread_id, to_seq = data.draw(st.sampled_from(own))
        made = contexts.checkpoint(self.workspace, thread_id, to_seq=to_seq)
        self.heads[thread_id] += 1
        assert made["to_seq"] == to_seq
        self.model[thread_id].checkpoints.append((self.heads[thread_id], to_seq))

    @rule(thread_id=ids, to=ids, data=st.data())
    def reference(self, thread_id: str, to: str, data: st.DataObject) -> None:
        if thread_id == to:
            return
        to_seq = data.draw(st.integers(0, self.heads[to]))
        streams.reference(self.workspace, thread_id, to, to_seq)
        self.heads[thread_id] += 1
        self.model[thread_id].references.append((self.heads[thread_id], (to, to_seq)))

    @rule(thread_id=ids)
    def compile(self, thread_id: str) -> None:
        cut = self.heads[thread_id]
        items = self._compiled(thread_id, cut)
        messages = [item for item in items if item["type"] == "message"]
        said = [(item["thread_id"], item["thread_seq"], item["content"]) for item in messages]
        assert len(said) == len(set(said))
        expected = self._history(thread_id, cut)
        assert said[len(said) - len(expected) :] == expected
        for other, seq in self._references(thread_id, cut)[:8]:
            assert set(self._history(other, seq)[-8:]) <= set(said)
        summarized = {item["thread_id"]: item["note"] for item in items if item["type"] == "summary_ref"}
        assert summarized == {
            segment: f"summary up to seq {covered}"
            for segment, _, covered in self._segments(thread_id, cut)
            if covered >= 0
        }

    @rule(target=ids, thread_id=ids)
    def branch_at_the_head_inherits_all(self, thread_id: str) -> str:
        before = self._compiled(thread_id, self.heads[thread_id])
        child: str = streams.branch(self.workspace, thread_id)["thread_id"]
        self._child(child, thread_id, self.heads[thread_id], [], inherits=True)
        assert self._compiled(child, 1) == before
        return child

    def _compiled(self, thread_id: str, cut: int) -> list[dict[str, Any]]:
        made = contexts.compile_thread(self.workspace, thread_id, at_seq=cut)
        self.heads[thread_id] += 2
        self.compiled.append((thread_id, cut, made["bundle_artifact_id"]))
        items: list[dict[str, Any]] = made["bundle"]["items"]
        return items

    def _segments(self, thread_id: str | None, cut: int) -> list[tuple[str, int, int]]:
        """(thread, cut, how far its checkpoints reach) for all a thread consists of, newest first."""
        found = []
        while thread_id is not None:
            known = self.model[thread_id]
            reached = [to_seq for seq, to_seq in known.checkpoints if seq <= cut]
            found.append((thread_id, cut, max(reached, default=-1)))
            thread_id, cut = (known.parent if known.inherits else None), known.cut
        return found

    def _history(self, thread_id: str, cut: int) -> list[tuple[str, int, str]]:
        """The messages of all segments, oldest first: there are tokens enough for all, summed up or not."""
        return [
            (segment, seq, text)
            for segment, last, _ in reversed(self._segments(thread_id, cut))
            for seq, text in self.model[segment].messages
            if seq <= last
        ]

    def _references(self, thread_id: str, cut: int) -> list[tuple[str, int]]:
        """Where all segments refer to, newest first."""
        return [
            to
            for segment, last, _ in self._segments(thread_id, cut)
            for seq, to in reversed(self.model[segment].references)
            if seq <= last
        ]

    @rule(rebuilt=st.booleans())
    def lose_every_cache(self, rebuilt: bool) -> None:
        self.workspace.close()
        for name in os.listdir(self.workspace.folder) if self.workspace.exists else ():
            if name.startswith("cache.db"):
                os.unlink(os.path.join(self.workspace.folder, name))
        self.workspace = workspace.find(self.root)
        if rebuilt and self.workspace.exists:
            assert checkup.rebuild(self.workspace)["threads"] == len(self.model)
        for thread_id, cut, bundle_id in self.compiled[-2:]:
            again = contexts.compile_thread(self.workspace, thread_id, at_seq=cut)
            self.heads[thread_id] += 2
            assert again["bundle_artifact_id"] == bundle_id

    @invariant()
    def the_list_is_what_the_model_says(self) -> None:
        if hasattr(self, "workspace"):
            rows = streams.list_threads(self.workspace)["threads"]
            assert {row["thread_id"]: row["head_seq"] for row in rows} == self.heads

    @invariant()
    def lineage_is_what_the_model_says(self) -> None:
        for thread_id in list(getattr(self, "model", {}))[-2:]:
            found = lineage.of(self.workspace, thread_id)
            expected, at = [], self.model[thread_id]
            while at.parent is not None:
                expected.append((at.parent, "branch" if at.inherits else "handoff", at.cut))
                at = self.model[at.parent]
            assert [(row["thread_id"], row["relation"], row["seq"]) for row in found["ancestors"]] == expected
            children = {child for child, known in self.model.items() if known.parent == thread_id}
            assert {row["thread_id"] for row in found["children"]} == children

    @invariant()
    def everything_verifies(self) -> None:
        if hasattr(self, "workspace"):
            assert checkup.verify(self.workspace) == {"ok": True, "findings": []}


TestContinuity = Continuity.TestCase
TestContinuity.settings = settings(max_examples=50, stateful_step_count=20, deadline=None)

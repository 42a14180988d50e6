"""What must hold whatever is done to a workspace: a state machine against a model made of dictionaries.

The model knows messages and cuts and nothing of storage. After any sequence of operations, with caches
deleted and the log reopened in between, every answer is what the model says.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from typing import NamedTuple

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule

from segue.service import contexts, health, lineage, threads, workspace


class Known(NamedTuple):
    """A thread as the model sees it: its own frames as (seq, message), its parent and the cut."""

    messages: list[tuple[int, str]]
    parent: str | None
    cut: int
    inherits: bool


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
            self.workspace.close()
            shutil.rmtree(self.root)

    @rule(target=ids)
    def create(self) -> str:
        thread_id: str = threads.create(self.workspace)["thread_id"]
        self.model[thread_id] = Known([], None, -1, False)
        self.heads[thread_id] = 0
        return thread_id

    @rule(thread_id=ids, text=st.text(min_size=1, max_size=40))
    def post(self, thread_id: str, text: str) -> None:
        done = threads.post(self.workspace, thread_id, text)
        self.heads[thread_id] += 1
        assert done["seq"] == self.heads[thread_id]
        self.model[thread_id].messages.append((done["seq"], text))

    @rule(target=ids, thread_id=ids, data=st.data())
    def branch(self, thread_id: str, data: st.DataObject) -> str:
        seq = data.draw(st.one_of(st.none(), st.integers(0, self.heads[thread_id])))
        made = threads.branch(self.workspace, thread_id, from_seq=seq)
        cut = self.heads[thread_id] if seq is None else seq
        assert made["parent_seq"] == cut
        return self._child(made["thread_id"], thread_id, cut, inherits=True)

    @rule(target=ids, thread_id=ids)
    def handoff(self, thread_id: str) -> str:
        made = threads.handoff(self.workspace, thread_id, summary_markdown="the summary")
        return self._child(made["thread_id"], thread_id, self.heads[thread_id], inherits=False)

    def _child(self, child: str, parent: str, cut: int, inherits: bool) -> str:
        self.model[child] = Known([], parent, cut, inherits)
        self.heads[child] = 1
        return child

    @rule(thread_id=ids)
    def compile(self, thread_id: str) -> None:
        cut = self.heads[thread_id]
        made = contexts.compile_thread(self.workspace, thread_id, at_seq=cut)
        self.heads[thread_id] += 2
        said = [item["content"] for item in made["bundle"]["items"] if item["type"] == "message"]
        assert said == self._expected(thread_id, cut)
        self.compiled.append((thread_id, cut, made["bundle_artifact_id"]))

    def _expected(self, thread_id: str, cut: int) -> list[str]:
        known = self.model[thread_id]
        inherited = self._expected(known.parent, known.cut) if known.inherits and known.parent else []
        return inherited + [text for seq, text in known.messages if seq <= cut]

    @rule()
    def recompile(self) -> None:
        for thread_id, cut, bundle_id in self.compiled[-2:]:
            again = contexts.compile_thread(self.workspace, thread_id, at_seq=cut)
            self.heads[thread_id] += 2
            assert again["bundle_artifact_id"] == bundle_id

    @rule()
    def lose_every_cache(self) -> None:
        self.workspace.close()
        for name in os.listdir(self.workspace.folder) if self.workspace.exists else ():
            if name.startswith("cache.db"):
                os.unlink(os.path.join(self.workspace.folder, name))
        self.workspace = workspace.find(self.root)

    @rule()
    def rebuild(self) -> None:
        if self.workspace.exists:
            assert health.rebuild(self.workspace)["threads"] == len(self.model)

    @invariant()
    def the_list_is_what_the_model_says(self) -> None:
        if hasattr(self, "workspace"):
            rows = threads.list_threads(self.workspace)["threads"]
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
            assert health.verify(self.workspace) == {"ok": True, "findings": []}


TestContinuity = Continuity.TestCase
TestContinuity.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)

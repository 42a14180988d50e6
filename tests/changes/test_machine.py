"""Whatever updates come, in whatever order: the record stays sound, its history complete, its registry right.

The validator is the oracle; a small model beside it knows the status and the lists.
"""

from __future__ import annotations

import copy
import os
import shutil
import tempfile
from typing import Any

import msgspec
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from segue.changes import record, registry, revisions
from segue.errors import BadInput, Refused
from segue.model.change import STATUSES
from segue.model.change_update import Update
from segue.service import workspace as workspaces
from segue.service.changes import reading, records, sessions, upkeep
from segue.service.changes.files import Tree

TEXTS = st.sampled_from(
    [
        "Add a test for 503",
        "add a  test for 503",
        "Update README.md",
        "continue",
        "日本語",
        "x" * 300,
        "a:b c",
    ]
)
PATHS = st.sampled_from(["a.py", "src/a b.py", "x:y.md"])
REFS = st.sampled_from(["1", "2", "Update", "nothing like it"])
STATES = st.sampled_from(["editing", "needs_review", "partially_done", "ready"])
UPDATES: dict[str, st.SearchStrategy[Any]] = {
    "title": st.sampled_from(["Retry uploads", "Retry 🚀 all", "x" * 120]),
    "priority": st.sampled_from(["low", "high"]),
    "project": st.sampled_from(["desk", "dock"]),
    "scope": st.sampled_from(["feature", "hotfix"]),
    "summary": st.sampled_from(["Ten letters", "Another summary"]),
    "motivation": TEXTS,
    "detailed_design": TEXTS,
    "effort": st.sampled_from(["trivial", "epic"]),
    "add_breaking_changes": st.lists(TEXTS, max_size=1),
    "remove_breaking_changes": st.lists(REFS, max_size=1),
    "add_dependencies": st.lists(TEXTS, max_size=1),
    "remove_dependencies": st.lists(REFS, max_size=1),
    "coverage": st.sampled_from(["none", "partial", "full"]),
    "parent": st.sampled_from(["", "1", "2"]),
    "relate": st.lists(st.sampled_from(["1", "2", "TC-002"]), max_size=2),
    "unrelate": st.lists(st.just("2"), max_size=1),
    "threads": st.just(["current"]),
    "handoff": st.fixed_dictionaries(
        {"progress_summary": TEXTS, "next_steps": st.lists(TEXTS, max_size=2), "blockers": st.lists(TEXTS, max_size=1)}
    ),
    "add_next": st.lists(TEXTS, max_size=2),
    "complete_next": st.lists(REFS, max_size=1),
    "remove_next": st.lists(REFS, max_size=1),
    "move_next": st.lists(st.fixed_dictionaries({"step": REFS, "to": st.integers(1, 3)}), max_size=1),
    "add_blockers": st.lists(TEXTS, max_size=2),
    "resolve_blockers": st.lists(st.fixed_dictionaries({"blocker": REFS}), max_size=1),
    "add_context": st.lists(TEXTS, max_size=1),
    "remove_context": st.lists(REFS, max_size=1),
    "add_tags": st.lists(TEXTS, max_size=2),
    "remove_tags": st.lists(REFS, max_size=1),
    "notes": st.lists(TEXTS, max_size=2),
    "progress": TEXTS,
    "files": st.lists(st.fixed_dictionaries({"path": PATHS, "action": st.sampled_from(["created", "deleted"])}), max_size=2),
    "remove_files": st.lists(PATHS, max_size=1),
    "files_in_progress": st.lists(st.fixed_dictionaries({"path": PATHS, "state": STATES}), max_size=2),
    "drop_files_in_progress": st.lists(PATHS, max_size=1),
    "decisions": st.lists(st.fixed_dictionaries({"decision": TEXTS, "rationale": TEXTS}), max_size=1),
    "remove_decisions": st.lists(REFS, max_size=1),
    "add_tests": st.lists(st.fixed_dictionaries({"title": TEXTS, "procedure": st.just(["run"]), "expected_result": TEXTS}), max_size=1),
    "test_results": st.lists(
        st.fixed_dictionaries(
            {"test_id": st.sampled_from(["T1", "T2"]), "status": st.sampled_from(["pass", "fail", "skip", "pending"])},
            optional={"actual_result": TEXTS},
        ),
        max_size=1,
    ),
    "add_evidence": st.lists(
        st.fixed_dictionaries(
            {"test_id": st.just("T1"), "type": st.just("log_snippet"), "description": TEXTS, "content": st.sampled_from(["ok", " "])}
        ),
        max_size=1,
    ),
    "approve": st.fixed_dictionaries({"by": st.sampled_from(["approver", "second approver"])}),
    "revoke_approval": st.booleans(),
    "add_subs": st.lists(st.fixed_dictionaries({"title": TEXTS, "files": st.lists(PATHS, max_size=1)}), max_size=1),
    "sub_edits": st.lists(st.fixed_dictionaries({"sub_id": st.sampled_from(["A", "B"]), "status": st.sampled_from(STATUSES)}), max_size=1),
    "status": st.sampled_from(STATUSES),
    "maturity": st.just({"level": "draft"}),
}  # fmt: skip
BOTH = st.sampled_from(sorted(UPDATES)).flatmap(
    lambda a: st.sampled_from(sorted(UPDATES)).map(lambda b: {a, b})
)
CHOSEN = BOTH.flatmap(lambda names: st.fixed_dictionaries({name: UPDATES[name] for name in sorted(names)}))


class Records(RuleBasedStateMachine):
    """One project, one record that is worked on, and one to relate it to."""

    @initialize()
    def begin(self) -> None:
        self.folder = tempfile.mkdtemp()
        self.workspace = workspaces.find(self.folder)
        upkeep.init(self.workspace, "desk", "maker")
        self.tc_id = records.new(self.workspace, "Retry uploads", motivation="They fail")["tc_id"]
        self.other = records.new(self.workspace, "Another one", motivation="To relate to")["tc_id"]
        self.history = self.document["revision_history"]

    @property
    def document(self) -> dict[str, Any]:
        return reading.show(self.workspace, self.tc_id)

    def attempt(self, call: Any, *words: Any, **options: Any) -> None:
        """Does it, or is refused with a sentence and a hint and changes nothing."""
        before = self.document
        try:
            done = call(self.workspace, self.tc_id, *words, **options)
        except (Refused, BadInput) as refusal:
            assert refusal.message
            assert refusal.hint
            assert self.document == before
            return
        after = self.document
        assert len(after["revision_history"]) == len(before["revision_history"]) + done["updated"]
        assert done["updated"] == (after != before)
        if done["updated"]:
            told = after["revision_history"][-1]["field_changes"]
            expected = revisions.differences(before, after)
            assert [{**c, "reason": None} for c in told] == expected

    @rule(values=CHOSEN, reason=st.sampled_from(["", "why"]))
    def update(self, values: dict[str, Any], reason: str) -> None:
        self.attempt(records.update, msgspec.convert(values, Update), "fixer", reason)

    @rule(values=CHOSEN)
    def update_strictly(self, values: dict[str, Any]) -> None:
        self.attempt(records.update, msgspec.convert(values, Update), "fixer", "why", True)

    @rule()
    def resume(self) -> None:
        self.attempt(sessions.resume, platform="codex")

    @rule()
    def close(self) -> None:
        self.attempt(records.close, approve_by="approver")

    @rule(status=st.sampled_from(["implemented", "tested", "deployed"]))
    def walk_on(self, status: str) -> None:
        """Gives a status what it needs, so that the far end of the machine is reached too."""
        earned = {
            "files": [{"path": path} for path in ("a.py", "src/a b.py", "x:y.md")],
            "files_in_progress": [{"path": "a.py", "state": "ready"}],
            "add_tests": [{"title": "One that runs", "procedure": ["run"], "expected_result": "ok"}],
            "test_results": [{"test_id": "T1", "status": "skip", "actual_result": "no device"}],
            "approve": {"by": "approver"},
            "status": status,
        }
        self.attempt(records.update, msgspec.convert(earned, Update), "fixer", "walk on")

    @invariant()
    def the_record_is_sound(self) -> None:
        if hasattr(self, "tc_id"):
            assert record.errors(self.document) == []

    @invariant()
    def the_history_only_grows(self) -> None:
        if hasattr(self, "tc_id"):
            history = self.document["revision_history"]
            assert history[: len(self.history)] == self.history
            self.history = copy.deepcopy(history)

    @invariant()
    def the_registry_is_what_the_records_say(self) -> None:
        if hasattr(self, "tc_id"):
            listed = Tree(self.folder).read_registry()[0]
            rows = [{name: row[name] for name in row if name != "check"} for row in listed["records"]]
            other = reading.show(self.workspace, self.other)
            assert rows == [registry.row(self.document), registry.row(other)]

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            shutil.rmtree(self.folder)


def test_the_machine_knows_every_field_of_an_update() -> None:
    assert set(UPDATES) == set(Update.__struct_fields__)


Records.TestCase.settings = settings(
    max_examples=int(os.environ.get("SEGUE_MACHINE_RUNS", "15")),
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
TestRecords = Records.TestCase

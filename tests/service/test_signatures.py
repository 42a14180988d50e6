"""A request is what a function takes, and nothing else."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from segue.errors import BadInput, Conflict, Refused
from segue.handoff.headings import DOCUMENT
from segue.model.thread import Provenance
from segue.service.boundary import documents
from segue.service.operations import OPERATIONS, Operation, named
from segue.service.signatures import perform, signature
from segue.service.workspace import Workspace

BY = Provenance("user", "test")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(str(tmp_path))


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_request_can_be_described(operation: Operation) -> None:
    assert msgspec.json.schema_components([signature(operation).request])


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_what_stands_in_the_address_is_a_parameter(operation: Operation) -> None:
    assert len(signature(operation).path) == operation.route.count("{")


def test_no_two_operations_share_a_route() -> None:
    assert len({operation.route for operation in OPERATIONS}) == len(OPERATIONS)


@pytest.mark.parametrize(
    ("name", "values"),
    [("handoff.current", {"channel": "generic"}), ("thread.handoff", {"thread_id": "x", "bundle_extra": {}})],
)
def test_a_caller_cannot_choose_the_channel_or_reach_inside(
    workspace: Workspace, name: str, values: dict[str, object]
) -> None:
    with pytest.raises(BadInput, match=list(values)[-1]):
        perform(named(name), workspace, values, BY)


def test_an_unknown_field_is_refused_with_those_there_are(workspace: Workspace) -> None:
    with pytest.raises(BadInput, match="colour") as refused:
        perform(named("thread.create"), workspace, {"colour": "red"}, BY)
    assert refused.value.hint == "It takes title (optional), actor_id (optional), origin (optional)."


def test_text_becomes_numbers_only_where_all_values_are_text(workspace: Workspace) -> None:
    perform(named("thread.ensure"), workspace, {}, BY)
    values = {"thread_id": "default", "stride": "3"}
    assert perform(named("thread.cut-points"), workspace, values, BY, strict=False)["stride_messages"] == 3
    with pytest.raises(BadInput, match="stride"):
        perform(named("thread.cut-points"), workspace, values, BY)


@pytest.mark.parametrize(
    ("name", "values", "other"),
    [
        ("thread.amend", {"title": "a"}, {"title": "b"}),
        ("thread.checkpoint", {"summary_markdown": "All went well."}, {"summary_markdown": "It did not."}),
        ("thread.compile", {"budget": 500}, {"budget": 600}),
        ("thread.post", {"content": "a"}, {"content": "b"}),
    ],
)
def test_a_repeated_key_gives_the_first_answer_and_adds_nothing(
    workspace: Workspace, name: str, values: dict[str, object], other: dict[str, object]
) -> None:
    thread = perform(named("thread.ensure"), workspace, {}, BY)
    perform(named("thread.post"), workspace, {**thread, "content": "first"}, BY)
    first = perform(named(name), workspace, {**thread, **values}, BY, "k")
    before = workspace.log.head(thread["thread_id"])
    assert perform(named(name), workspace, {**thread, **values}, BY, "k") == first
    assert workspace.log.head(thread["thread_id"]) == before
    with pytest.raises(Conflict):
        perform(named(name), workspace, {**thread, **other}, BY, "k")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("thread.search", {"words": "x", "limit": 0}),
        ("thread.cut-points", {"thread_id": "default", "limit": -65535}),
        ("session.list", {"limit": -1}),
    ],
)
def test_a_limit_counts_from_one(workspace: Workspace, name: str, values: dict[str, object]) -> None:
    perform(named("thread.ensure"), workspace, {}, BY)
    with pytest.raises(BadInput, match="1 or more"):
        perform(named(name), workspace, values, BY)


def test_a_handoff_document_is_no_artifact_for_a_channel(workspace: Workspace) -> None:
    text = "\n".join(f"## {name}\nsomething" for name in DOCUMENT)
    alike = perform(named("artifact.put"), workspace, {"data": f"{text}\n".encode()}, BY)
    assert perform(
        named("artifact.get"), workspace, {"artifact_id": alike["artifact_id"]}, BY, channel="server"
    )
    values = {"artifact_id": documents.write(workspace, text, documents.About(), lambda _: None).sha256}
    assert perform(named("artifact.get"), workspace, values, BY) == text.encode()
    with pytest.raises(Refused):
        perform(named("artifact.get"), workspace, values, BY, channel="server")

"""What a service says in the words of the command line, a surface says in its own."""

from __future__ import annotations

import pytest

from segue.service.operations import OPERATIONS, Operation, named
from segue.service.wording import parameter, reworded
from segue.surfaces.cli.change.flags import EVERYWHERE, UPDATING, Flag


def route(operation: Operation) -> str:
    return operation.route


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("`segue thread list` shows the threads.", "`GET /threads` shows the threads."),
        ("`segue thread events ID` shows them.", "`GET /threads/{thread_id}/events` shows them."),
        ("`segue doctor --fix` closes them.", "`POST /doctor` with `fix` closes them."),
        ("List all: `segue sessions list --all`.", "List all: `GET /sessions`."),
        (
            "`segue change update TC-1 --status in_progress --resolve-blocker 1 'how'` opens it again.",
            "`PATCH /changes/{tc_id}` with `wanted.status in_progress` and `wanted.resolve_blockers` opens it again.",
        ),
        ("Give --from-message-id or --from-seq.", "Give `from_message_id` or `from_seq`."),
        ("`segue install pi` puts it there.", "`segue install pi` puts it there."),
        ("Choose a directory with --workspace.", "Choose a directory with --workspace."),
        ("Nothing of the kind -- really.", "Nothing of the kind -- really."),
    ],
)
def test_commands_and_flags_become_what_the_surface_calls_them(said: str, heard: str) -> None:
    assert reworded(said, route, named("thread.branch")) == heard


def test_a_flag_alone_is_a_parameter_of_the_operation_at_hand() -> None:
    heard = reworded("Record it with `--decision TEXT WHY`.", route, named("change.update"))
    assert heard == "Record it with `wanted.decisions`."


def test_what_a_surface_does_not_offer_stays_a_command() -> None:
    assert reworded("Run `segue rebuild`.", lambda operation: None) == "Run `segue rebuild`."


def test_where_a_command_does_several_things_the_one_at_hand_is_meant() -> None:
    assert reworded("`segue handoff`", route, named("handoff.draft")) == "`POST /handoffs/draft`"


@pytest.mark.parametrize(
    ("asked", "meant"), [("draft.approve", "GET /boundary/draft"), ("artifact.get", "GET /handoffs/current")]
)
def test_of_operations_that_share_a_command_one_about_the_same_thing_is_meant(asked: str, meant: str) -> None:
    assert reworded("`segue draft show` shows it.", route, named(asked)) == f"`{meant}` shows it."


def test_a_sentence_said_twice_stays_the_same() -> None:
    once = reworded("`segue thread list`, or --from-seq.", route, named("thread.branch"))
    assert reworded(once, route, named("thread.branch")) == once


def test_every_operation_is_known_by_its_command() -> None:
    for operation in OPERATIONS:
        assert reworded(f"`segue {operation.command}`", route, operation) == f"`{operation.route}`"


@pytest.mark.parametrize("flag", [*EVERYWHERE, *UPDATING], ids=lambda flag: flag.row.names[0])
def test_every_flag_of_an_update_is_known_by_its_field(flag: Flag) -> None:
    for name in flag.row.names:
        assert parameter(named("change.update"), name) == f"wanted.{flag.field}"

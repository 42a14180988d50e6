"""The table of contents tells the truth."""

from __future__ import annotations

import inspect

import pytest

from segue.service.operations import OPERATIONS, Operation
from segue.surfaces.cli import app


def names(operation: Operation) -> str:
    return operation.name


@pytest.mark.parametrize("operation", OPERATIONS, ids=names)
def test_every_row_leads_to_a_documented_function_of_a_workspace(operation: Operation) -> None:
    function = operation.load()
    assert next(iter(inspect.signature(function).parameters)) == "workspace"
    assert inspect.getdoc(function)


@pytest.mark.parametrize("operation", OPERATIONS, ids=names)
def test_every_operation_can_be_reached_from_the_command_line(
    operation: Operation, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        app.run([*operation.command.split(), "--help"])
    assert left.value.code == 0
    assert capsys.readouterr().out.startswith(f"usage: segue {operation.command}")

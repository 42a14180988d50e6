"""Every error a person may see tells what to do next."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from segue import errors
from segue.changes.sentences import table
from segue.errors import SegueError

SOURCE = Path(__file__).parent.parent / "src" / "segue"
KINDS = {name for name, value in vars(errors).items() if isinstance(value, type)}


def unhinted(tree: ast.AST) -> Iterator[int]:
    """The lines where an error is made without a hint."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", getattr(node.func, "attr", "")) in KINDS:
            named = [word.value for word in node.keywords if word.arg == "hint"]
            hint = (node.args[1:2] or named or [ast.Constant("")])[0]
            if isinstance(hint, ast.Constant) and not hint.value:
                yield node.lineno


def test_no_error_in_the_source_lacks_a_hint() -> None:
    found = [
        f"{path.relative_to(SOURCE)}:{line}"
        for path in sorted(SOURCE.rglob("*.py"))
        for line in unhinted(ast.parse(path.read_text()))
    ]
    assert found == []


def test_no_error_of_a_table_lacks_a_hint() -> None:
    assert [name for name, (_, _, hint) in table("refusals").items() if not hint] == []
    assert {about.partition(" ")[0] for about, _, _ in table("refusals").values()} <= KINDS


@pytest.mark.parametrize("call", ["BadInput('x')", "errors.NotFound('x', '')", "Refused('x', hint='')"])
def test_the_walk_sees_an_error_without_a_hint(call: str) -> None:
    assert list(unhinted(ast.parse(f"raise {call}"))) == [1]


def test_an_error_cannot_be_made_without_a_hint() -> None:
    with pytest.raises(TypeError):
        SegueError("Something is wrong.")  # type: ignore[call-arg]

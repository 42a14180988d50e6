"""Every error a person may see tells what to do next."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from segue import errors
from segue.errors import SegueError
from segue.model.sentences import table

SOURCE = Path(__file__).parent.parent / "src" / "segue"
TABLES = sorted(SOURCE.rglob("refusals.txt"))
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


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parent.name)
def test_no_error_of_a_table_lacks_a_hint(path: Path) -> None:
    rows = table(str(path)).values()
    assert [message for _, message, hint in rows if not (message and hint)] == []
    assert {about.partition(" ")[0] for about, *_ in rows} <= KINDS


@pytest.mark.parametrize("path", TABLES, ids=lambda path: path.parent.name)
def test_every_error_of_a_table_is_made_somewhere_and_no_other(path: Path) -> None:
    places = [
        place
        for place in SOURCE.rglob("*.py")
        if ("changes" in place.parts) is (path.parent.name == "changes")
    ]
    said = re.findall(r'\brefusal\(\s*(f?)"([a-z0-9.-]+)', "\n".join(place.read_text() for place in places))
    whole, begun = ({name for mark, name in said if bool(mark) is opened} for opened in (False, True))
    rows = set(table(str(path)))
    assert whole <= rows
    assert [row for row in rows - whole if not row.startswith(tuple(begun) or ("-",))] == []


@pytest.mark.parametrize("call", ["BadInput('x')", "errors.NotFound('x', '')", "Refused('x', hint='')"])
def test_the_walk_sees_an_error_without_a_hint(call: str) -> None:
    assert list(unhinted(ast.parse(f"raise {call}"))) == [1]


def test_an_error_cannot_be_made_without_a_hint() -> None:
    with pytest.raises(TypeError):
        SegueError("Something is wrong.")  # type: ignore[call-arg]

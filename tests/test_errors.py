"""Every error a person may see tells what to do next."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest

from segue import errors
from segue.errors import SegueError
from segue.model.sentences import table

SOURCE = Path(__file__).parent.parent / "src" / "segue"
TABLES = sorted((*SOURCE.rglob("refusals.txt"), *SOURCE.rglob("findings.txt")))
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


@pytest.mark.parametrize(
    "path", [path for path in TABLES if path.stem == "refusals"], ids=lambda path: path.parent.name
)
def test_no_error_of_a_table_lacks_a_hint(path: Path) -> None:
    rows = table(str(path)).values()
    assert [message for _, message, hint in rows if not (message and hint)] == []
    assert {about.partition(" ")[0] for about, *_ in rows} <= KINDS


def told_by(calls: set[str], room: str) -> Iterator[tuple[str, bool, set[str]]]:
    """What the code of a room fills into the sentences of its table: the name, whether that goes on, and what is given."""
    for path in SOURCE.rglob("*.py"):
        if room == next((one for one in ("changes", "http") if one in path.parts), "service"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and getattr(node.func, "id", "") in calls and node.args:
                    given = {word.arg or "*" for word in node.keywords}
                    if isinstance(node.args[0], ast.JoinedStr):
                        yield ast.literal_eval(node.args[0].values[0]), True, given
                    elif isinstance(node.args[0], ast.Constant):
                        yield node.args[0].value, False, given


@pytest.mark.parametrize("path", TABLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_every_sentence_of_a_table_is_said_with_what_it_names(path: Path) -> None:
    calls = {"refusal"} if path.stem == "refusals" else {"finding", "found_wrong"}
    rows, said = table(str(path)), set()
    for name, opened, given in told_by(calls, path.parent.name):
        meant = [row for row in rows if row == name or (opened and row.startswith(name))]
        assert meant, f"{name} is in no table"
        said.update(meant)
        for row in meant:
            fields = {field for text in rows[row] for _, field, *_ in Formatter().parse(text) if field}
            assert "*" in given or fields == given, row
    assert set(rows) == said


@pytest.mark.parametrize("call", ["BadInput('x')", "errors.NotFound('x', '')", "Refused('x', hint='')"])
def test_the_walk_sees_an_error_without_a_hint(call: str) -> None:
    assert list(unhinted(ast.parse(f"raise {call}"))) == [1]


def test_an_error_cannot_be_made_without_a_hint() -> None:
    with pytest.raises(TypeError):
        SegueError("Something is wrong.")  # type: ignore[call-arg]

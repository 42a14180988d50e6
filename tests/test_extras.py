"""What an install brings is what the source imports: nothing is missing, and nothing comes along for nothing."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src" / "segue"
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS: dict[str, list[str]] = PROJECT["optional-dependencies"]
THROUGH_ANOTHER = {
    "httptools": "uvicorn.protocols.http.httptools_impl, which is imported, is written on it",
    "uvloop": "uvicorn runs on it wherever it is installed",
    "psycopg_binary": "psycopg is a shell around it",
}
"""What the source uses without importing it itself."""


@cache
def imported() -> frozenset[str]:
    """Every module from elsewhere that a file of the source names."""
    found: set[str] = set()
    for path in SOURCE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                found |= {alias.name.partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return frozenset(found - {"segue"} - sys.stdlib_module_names)


@cache
def installed() -> Mapping[str, list[str]]:
    return packages_distributions()


def modules(requirement: str) -> set[str]:
    """The modules that a requirement brings, its own extras included."""
    found = re.match(r"([\w.-]+)(?:\[([\w,]+)\])?", requirement)
    assert found
    name, extras = found[1], (found[2] or "").split(",")
    wanted = {_normal(name), *(_normal(f"{name}-{extra}") for extra in extras if extra)}
    return {
        module
        for module, distributions in installed().items()
        if wanted & set(map(_normal, distributions)) and module.isidentifier() and module[0] != "_"
    }


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def brought(requirements: list[str]) -> set[str]:
    return {module for one in requirements for module in modules(one) if not one.startswith("segue[")}


def test_all_that_is_imported_is_declared() -> None:
    declared = brought(PROJECT["dependencies"]).union(*map(brought, EXTRAS.values()))
    assert imported() - declared == set()


def test_a_plain_install_brings_only_what_is_imported() -> None:
    assert brought(PROJECT["dependencies"]) - imported() == set()


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_brings_only_what_is_used(extra: str) -> None:
    assert brought(EXTRAS[extra]) - imported() - set(THROUGH_ANOTHER) == set()


def test_extras_that_stand_for_others_name_extras_there_are() -> None:
    named = re.findall(r"segue\[([\w,]+)\]", " ".join(one for rows in EXTRAS.values() for one in rows))
    assert {extra for names in named for extra in names.split(",")} <= set(EXTRAS)


def test_every_extra_that_a_hint_or_a_page_names_exists() -> None:
    places = [*SOURCE.rglob("*.py"), *(ROOT / "docs").rglob("*.md"), ROOT / "README.md"]
    named = {
        extra
        for place in places
        for names in re.findall(r"segue\[([a-z0-9,]+)\]", place.read_text(encoding="utf-8"))
        for extra in names.split(",")
    }
    assert named <= set(EXTRAS)


def test_what_is_used_through_another_is_still_declared() -> None:
    assert set(THROUGH_ANOTHER) <= set().union(*map(brought, EXTRAS.values()))

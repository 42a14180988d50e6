"""The fixtures of all readers: every folder below `tests/fixtures/agents/<agent>/` is a case.

A case holds `input.*`, a file, or `input/`, a folder; an `input.sql` is made into a database first.
Beside it stands `expected.json`, the entries it must give. A test that takes `case` runs for all of
them, so a new reader needs a folder and no test code.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import NamedTuple

import apsw
import pytest

from segue.agents.registry import READERS, reader
from segue.model.entry import Entry

FIXTURES = Path(__file__).parent.parent / "fixtures" / "agents"


class Case(NamedTuple):
    agent: str
    folder: Path

    @property
    def input(self) -> Path:
        """The file or folder to read; what belongs to it has a longer name."""
        return min(self.folder.glob("input*"), key=lambda path: (path.is_dir(), len(path.name)))

    @property
    def is_text(self) -> bool:
        return self.input.is_file() and self.input.suffix != ".sql"

    @property
    def expected(self) -> Path:
        return self.folder / "expected.json"

    def copied(self, to: Path) -> Path:
        """The case in a scratch folder, as its program would have left it."""
        shutil.copytree(self.folder, to, dirs_exist_ok=True)
        path = to / self.input.name
        if path.is_dir() and not reader(self.agent).sniff(str(path), b""):
            return max((file for file in path.rglob("*") if file.is_file()), key=self._confidence)
        if path.suffix != ".sql":
            return path
        database = path.with_suffix(".db")
        connection = apsw.Connection(str(database))
        connection.execute(path.read_text("utf-8")).fetchall()
        connection.close()
        return database

    def _confidence(self, file: Path) -> int:
        return reader(self.agent).sniff(str(file), file.read_bytes()[: 64 * 1024])

    def read(self, path: Path, branch: str | None = None) -> list[Entry]:
        return list(reader(self.agent).read(str(path), branch=branch))


CASES = [
    Case(agent, folder)
    for agent in READERS
    for folder in sorted((FIXTURES / agent).glob("*"))
    if folder.is_dir()
]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "case" in metafunc.fixturenames:
        metafunc.parametrize(
            "case", [pytest.param(case, id=f"{case.agent}-{case.folder.name}") for case in CASES]
        )

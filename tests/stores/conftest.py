"""Every backend under test. A new one joins by a line in `LOGS` or `ARTIFACTS`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from segue.model.frame import MESSAGE, Draft
from segue.stores.contract import Artifacts, Log
from segue.stores.registry import open_artifacts, open_log

LOGS: dict[str, Callable[[Path], Log]] = {
    "sqlite": lambda folder: open_log("sqlite", str(folder)),
}
ARTIFACTS: dict[str, Callable[[Path], Artifacts]] = {
    "files": lambda folder: open_artifacts("files", str(folder)),
}

OpenAt = Callable[[Path], Log]
Opener = Callable[[], Log]
Say = Callable[[str], Draft]


@pytest.fixture(params=LOGS)
def open_at(request: pytest.FixtureRequest) -> OpenAt:
    """Opens a log of the backend under test."""
    return LOGS[request.param]


@pytest.fixture
def reopen(open_at: OpenAt, tmp_path: Path) -> Iterator[Opener]:
    """Opens the same log once more, as another process would."""
    opened: list[Log] = []

    def again() -> Log:
        opened.append(open_at(tmp_path / "store"))
        return opened[-1]

    yield again
    for log in opened:
        log.close()


@pytest.fixture
def log(reopen: Opener) -> Log:
    return reopen()


@pytest.fixture(params=ARTIFACTS)
def artifacts(request: pytest.FixtureRequest, tmp_path: Path) -> Artifacts:
    return ARTIFACTS[request.param](tmp_path / "store")


@pytest.fixture(scope="session")
def say() -> Say:
    """A message, as a draft."""

    def said(text: str) -> Draft:
        return Draft(MESSAGE, {"role": "user", "content": text, "actor_id": "user", "origin": "test"})

    return said

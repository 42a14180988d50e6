"""Every backend under test. A new one joins by a line in `LOGS` or `ARTIFACTS`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from segue.model.frame import MESSAGE, Draft
from segue.model.ids import new_id
from segue.stores.contract import Artifacts, Log
from segue.stores.registry import open_artifacts, open_log

from . import postgres_server, seaweed

LOGS: dict[str, Callable[[pytest.FixtureRequest, Path], Log]] = {
    "sqlite": lambda request, folder: open_log("sqlite", str(folder)),
    "memory": lambda request, folder: open_log("memory", str(folder)),
    "postgresql": lambda request, folder: open_log(
        request.getfixturevalue("postgres").address_for(folder), str(folder)
    ),
    "postgresql in parts": lambda request, folder: open_log(
        request.getfixturevalue("postgres").partitioned_for(folder), str(folder)
    ),
}
ARTIFACTS: dict[str, Callable[[pytest.FixtureRequest, Path], Artifacts]] = {
    "files": lambda request, folder: open_artifacts("files", str(folder)),
    "memory": lambda request, folder: open_artifacts("memory", str(folder)),
    "s3": lambda request, folder: open_artifacts(request.getfixturevalue("s3_address"), str(folder)),
}

OpenAt = Callable[[Path], Log]
Opener = Callable[[], Log]
Say = Callable[[str], Draft]


@pytest.fixture(params=LOGS)
def open_at(request: pytest.FixtureRequest) -> OpenAt:
    """Opens a log of the backend under test."""
    return partial(LOGS[request.param], request)


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


@pytest.fixture(scope="session")
def postgres() -> Iterator[postgres_server.Server]:
    """A real PostgreSQL, started when the first test wants it."""
    with postgres_server.running() as server:
        yield server


@pytest.fixture(params=ARTIFACTS)
def artifacts(request: pytest.FixtureRequest, tmp_path: Path) -> Artifacts:
    return ARTIFACTS[request.param](request, tmp_path / "store")


@pytest.fixture(scope="session")
def object_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The endpoint of a real object store, started when the first test wants it."""
    with seaweed.running(tmp_path_factory.mktemp("seaweed")) as endpoint:
        yield endpoint


@pytest.fixture
def s3_address(object_server: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of an empty place in the object store, with credentials in the environment."""
    for name, value in seaweed.CREDENTIALS.items():
        monkeypatch.setenv(name, value)
    return f"s3://{seaweed.BUCKET}/team/{new_id()}?endpoint={object_server}"


@pytest.fixture(scope="session")
def say() -> Say:
    """A message, as a draft."""

    def said(text: str) -> Draft:
        return Draft(MESSAGE, {"role": "user", "content": text, "actor_id": "user", "origin": "test"})

    return said

"""What a second process tells is what this one would have read, whatever becomes of that process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread

import pytest

from segue.agents.contract import Changed, Mark
from segue.agents.registry import READERS, reader
from segue.model.entry import Entry
from segue.service.handoffs import copies, told_apart
from segue.service.handoffs.readings import Shelf, Source, begin
from segue.service.handoffs.told_apart import Marked, Tell, begun
from segue.service.handoffs.walk import draft

FIXTURES = Path(__file__).parents[2] / "fixtures" / "agents"
HERE = os.getpid()
pytestmark = pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")


@pytest.fixture(autouse=True)
def copied_in_any_case(monkeypatch: pytest.MonkeyPatch) -> None:
    """The runner of the tests has threads; these are idle."""
    monkeypatch.setattr(copies, "can_be_made", lambda: True)


def said(number: int, text: str = "") -> Entry:
    return Entry(kind="user", file="f", line=number, text=text or f"Do part {number}.")


def ignored(_: Mark) -> None:
    raise AssertionError("no mark was asked for")


def telling(count: int, then: Callable[[int], None] = lambda _: None) -> Tell:
    """Tells so many entries; `then` runs after each, with its number."""

    def tell(_: Marked) -> Iterator[Entry]:
        for number in range(count):
            yield said(number)
            then(number)

    return tell


def is_the_copy() -> bool:
    return os.getpid() != HERE


@pytest.mark.parametrize(
    "path",
    [
        path
        for agent in READERS
        for path in sorted((FIXTURES / agent).glob("*/input*"))
        if path.is_file() and path.suffix != ".sql"
    ],
    ids=lambda path: "-".join(path.parts[-3:-1]),
)
def test_entries_arrive_as_they_were_read(path: Path) -> None:
    module = reader(path.parts[-3])
    tell = begun(lambda _: module.read(str(path)))
    assert list(tell(ignored)) == list(module.read(str(path)))


def test_the_copy_is_what_tells() -> None:
    told = begun(lambda _: iter([said(os.getpid())]))(ignored)
    assert next(told).line != HERE


@pytest.mark.parametrize("lost_after", [0, 63, 64, 200, 299])
def test_what_a_lost_process_did_not_tell_is_read_here(lost_after: int) -> None:
    def lose(number: int) -> None:
        if number == lost_after and is_the_copy():
            os._exit(9)

    assert [entry.line for entry in begun(telling(300, lose))(ignored)] == list(range(300))


def test_an_exception_is_met_here_where_it_was_met_there() -> None:
    def fail(number: int) -> None:
        if number == 99:
            raise Changed

    heard = []
    with pytest.raises(Changed):
        for entry in begun(telling(200, fail))(ignored):
            heard.append(entry.line)
    assert heard == list(range(100))


@pytest.mark.parametrize("value", [{"text": "half \ud800 a character"}, {"data": {"big": 1 << 80}}])
def test_what_cannot_be_sent_is_read_here(value: dict[str, object]) -> None:
    odd = Entry(kind="user", file="f", line=100, **value)  # type: ignore[arg-type]
    entries = [*(said(number) for number in range(100)), odd, said(101)]
    assert list(begun(lambda _: iter(entries))(ignored)) == entries


def test_a_mark_comes_between_the_entries_it_stands_between() -> None:
    def tell(marked: Marked) -> Iterator[Entry]:
        yield from map(said, range(70))
        marked(Mark(7, 70, {"part": {"open": ["a"]}}))
        yield from map(said, range(70, 90))

    heard: list[object] = []
    for entry in begun(tell)(heard.append):
        heard.append(entry.line)
    assert heard == [*range(70), Mark(7, 70, {"part": {"open": ["a"]}}), *range(70, 90)]


def test_who_stops_listening_leaves_no_process_behind() -> None:
    pids: list[int] = []
    plain = os.fork
    try:
        os.fork = lambda: pids.append(plain()) or pids[-1]  # type: ignore[func-returns-value]
        told = begun(telling(1_000_000))(ignored)
    finally:
        os.fork = plain
    next(told)
    told.close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_a_program_with_threads_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    enough = Event()
    other = Thread(target=enough.wait)
    other.start()
    try:
        assert [entry.line for entry in begun(lambda _: iter([said(os.getpid())]))(ignored)] == [HERE]
    finally:
        enough.set()
        other.join()


def test_a_kept_index_is_gone_on_from_in_a_second_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(told_apart, "WORTH", 0)
    path, shelf = tmp_path / "session.jsonl", Shelf(str(tmp_path / "shelf"), worth=0, tail=200)
    lines = (FIXTURES / "claude-code" / "session" / "input.jsonl").read_bytes().splitlines(keepends=True)

    def drafted(apart: bool) -> object:
        source = Source("claude-code", str(path), reader("claude-code").read(str(path)))
        return draft(begin(source, shelf if apart else None, apart=apart), "go on")

    path.write_bytes(b"".join(lines[: len(lines) // 2]))
    assert drafted(apart=True) == drafted(apart=False)
    assert any((tmp_path / "shelf").iterdir())
    path.write_bytes(b"".join(lines))
    assert drafted(apart=True) == drafted(apart=False)

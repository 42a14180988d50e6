"""What a second process tells is what this one would have read, whatever becomes of that process."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event, Thread

import pytest

from segue.agents.contract import Changed, Mark
from segue.agents.registry import READERS, reader
from segue.model import patterns
from segue.model.entry import Entry
from segue.model.patterns import compiled
from segue.redaction.redactor import Redactor
from segue.redaction.withholding import without_sensitive_files
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

    def tell(_: Redactor, __: Marked) -> Iterator[Entry]:
        for number in range(count):
            yield said(number)
            then(number)

    return tell


def told(tell: Tell, redactor: Redactor | None = None) -> list[Entry]:
    return list(begun(tell)(redactor or Redactor(), ignored))


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
    assert told(lambda _, __: module.read(str(path))) == list(module.read(str(path)))


def test_the_copy_is_what_tells() -> None:
    assert told(lambda _, __: iter([said(os.getpid())]))[0].line != HERE


@pytest.mark.parametrize("lost_after", [0, 63, 64, 200, 299])
def test_what_a_lost_process_did_not_tell_is_read_here(lost_after: int) -> None:
    def lose(number: int) -> None:
        if number == lost_after and is_the_copy():
            os._exit(9)

    assert [entry.line for entry in told(telling(300, lose))] == list(range(300))


def test_an_exception_is_met_here_where_it_was_met_there() -> None:
    def fail(number: int) -> None:
        if number == 99:
            raise Changed

    heard = []
    with pytest.raises(Changed):
        for entry in begun(telling(200, fail))(Redactor(), ignored):
            heard.append(entry.line)
    assert heard == list(range(100))


@pytest.mark.parametrize("value", [{"text": "half \ud800 a character"}, {"data": {"big": 1 << 80}}])
def test_what_cannot_be_sent_is_read_here(value: dict[str, object]) -> None:
    odd = Entry(kind="user", file="f", line=100, **value)  # type: ignore[arg-type]
    entries = [*(said(number) for number in range(100)), odd, said(101)]
    assert told(lambda _, __: iter(entries)) == entries


def test_a_mark_comes_between_the_entries_it_stands_between() -> None:
    def tell(_: Redactor, marked: Marked) -> Iterator[Entry]:
        yield from map(said, range(70))
        marked(Mark(7, 70, {"part": {"open": ["a"]}}))
        yield from map(said, range(70, 90))

    heard: list[object] = []
    for entry in begun(tell)(Redactor(), heard.append):
        heard.append(entry.line)
    assert heard == [*range(70), Mark(7, 70, {"part": {"open": ["a"]}}), *range(70, 90)]


SECRET = "correct-horse-battery-staple-9"


def shows_secrets() -> list[Entry]:
    call = Entry(kind="tool_call", file="f", line=1, tool_kind="read", call_id="c", paths=("/w/.env",))
    result = Entry(kind="tool_result", file="f", line=2, call_id="c", text=f"DB_PASSWORD={SECRET}\n")
    return [said(0), call, result, *map(said, range(3, 200)), said(200, f"It is {SECRET}.")]


def knows(lose_after: int = -1) -> Redactor:
    """What knows the secrets of that session, told by a copy that is lost after so many entries."""

    def tell(redactor: Redactor, _: Marked) -> Iterator[Entry]:
        for entry in without_sensitive_files(shows_secrets(), redactor):
            if entry.line == lose_after and is_the_copy():
                os._exit(9)
            yield entry

    redactor = Redactor()
    assert [entry.line for entry in told(tell, redactor)] == list(range(201))
    return redactor


@pytest.mark.parametrize("lost_after", [-1, 0, 1, 2, 3, 100, 200])
def test_what_the_copy_learnt_is_known_here_whatever_becomes_of_it(lost_after: int) -> None:
    here = Redactor()
    list(without_sensitive_files(shows_secrets(), here))
    redactor = knows(lost_after)
    assert redactor.known() == here.known()
    assert redactor.redact(f"it is {SECRET} now") == "it is [redacted:known-value] now"


def test_at_a_mark_all_is_known_that_was_told_before_it() -> None:
    def tell(redactor: Redactor, marked: Marked) -> Iterator[Entry]:
        yield from without_sensitive_files(shows_secrets(), redactor)
        marked(Mark(7, 70, {}))

    redactor, learned = Redactor(), []
    for _ in begun(tell)(redactor, lambda _: learned.append(redactor.learned)):
        assert not redactor.learned
    assert learned == [{SECRET}]


def test_patterns_that_the_copy_had_to_make_are_noted_here() -> None:
    def tell(_: Redactor, __: Marked) -> Iterator[Entry]:
        compiled("made by the (?:copy|other process)")
        yield said(0)

    told(tell)
    assert any(written.text == "made by the (?:copy|other process)" for written in patterns.new())


@pytest.mark.parametrize("apart", [True, False])
def test_work_ahead_is_done_on_things_as_they_are(apart: bool) -> None:
    things = [b"now"]
    done = copies.ahead(lambda: b"".join(things) * 1_000_000, apart=apart)
    things[0] = b"later"
    assert done() == b"now" * 1_000_000


def test_work_ahead_that_was_lost_gives_nothing() -> None:
    assert copies.ahead(lambda: os._exit(9), apart=True)() == b""


def test_who_stops_listening_leaves_no_process_behind() -> None:
    pids: list[int] = []
    plain = os.fork
    try:
        os.fork = lambda: pids.append(plain()) or pids[-1]  # type: ignore[func-returns-value]
        entries = begun(telling(1_000_000))(Redactor(), ignored)
    finally:
        os.fork = plain
    next(entries)
    entries.close()  # type: ignore[attr-defined]
    with pytest.raises(ProcessLookupError):
        os.kill(pids[0], 0)


def test_a_program_with_threads_is_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    enough = Event()
    other = Thread(target=enough.wait)
    other.start()
    try:
        assert [entry.line for entry in told(lambda _, __: iter([said(os.getpid())]))] == [HERE]
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

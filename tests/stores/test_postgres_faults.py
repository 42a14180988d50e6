"""What a log in PostgreSQL does when the server, the network or the rights fail it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest

from segue.errors import BadInput, SegueError, Unavailable
from segue.model.frame import Draft, Frame
from segue.model.ids import new_id
from segue.stores.contract import Log, Request
from segue.stores.postgres import PostgresLog, open_log
from segue.stores.postgres_pool import Link
from segue.stores.postgres_write import Write, Writer

from .postgres_server import Server

Say = Callable[[str], Draft]
Reach = Callable[..., PostgresLog]


@pytest.fixture
def reach(postgres: Server, tmp_path: Path) -> Iterator[Reach]:
    """Opens the log of this test, with further options in its address."""
    opened: list[Log] = []

    def again(options: str = "", wait: float = 10.0) -> PostgresLog:
        log = open_log(postgres.address_for(tmp_path) + options, "", wait)
        assert isinstance(log, PostgresLog)
        opened.append(log)
        return log

    yield again
    for log in opened:
        log.close()


@pytest.fixture
def schema(postgres: Server, tmp_path: Path) -> str:
    return "segue_" + postgres.address_for(tmp_path).partition("workspace=")[2]


@pytest.fixture
def administrator(postgres: Server) -> Iterator[psycopg.Connection[Any]]:
    with postgres.administrator() as db:
        yield db


def texts(log: Log, stream: str) -> list[str]:
    return [frame.data["content"] for frame in log.read(stream)]


def waiting(db: psycopg.Connection[Any]) -> int:
    """The process of a backend that waits for a lock, once there is one."""
    while True:
        found = db.execute("SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'").fetchall()
        if found:
            return int(found[0][0])


class Elsewhere(threading.Thread):
    """Calls something in another thread and keeps what came of it."""

    def __init__(self, work: Callable[[], Any]) -> None:
        super().__init__()
        self._work = work
        self.outcome: Any = None
        self.start()

    def run(self) -> None:
        try:
            self.outcome = self._work()
        except SegueError as fault:
            self.outcome = fault

    def result(self) -> Any:
        self.join(60)
        return self.outcome


def test_a_server_that_is_not_there_is_said_without_the_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PGPASSWORD", "nowhere")
    log = open_log("postgresql://me@/db?host=/nowhere&workspace=team", "", 1.0)
    for ask in (log.heads, lambda: log.append(new_id(), [Draft("note", {})])):
        with pytest.raises(Unavailable) as caught:
            ask()
        assert caught.value.code == "unreachable"
        assert caught.value.message.startswith("The PostgreSQL log team at /nowhere/db cannot be reached: ")
        assert "nowhere" not in caught.value.message.partition("reached: ")[2]


@pytest.mark.parametrize(
    "address",
    [
        "postgresql://me:hunter2@host/db?workspace=team",
        "postgresql://host/db?workspace=team&password=hunter2",
        "postgresql://host/db?workspace=Team",
        "postgresql://host/db?workspace=a;drop",
        "postgresql://host/db?hunter2=1&workspace=team",
        "postgresql://host:hunter2/db?workspace=",
        "postgresql://host/%zz?workspace=team",
        "postgresql://host/db?workspace=team&pool=0",
        "postgresql://host/db?workspace=team&pool=many",
    ],
)
def test_an_address_with_a_password_or_of_no_sense_is_bad_input_that_repeats_nothing(address: str) -> None:
    with pytest.raises(BadInput) as caught:
        open_log(address, "", 1.0)
    assert "hunter2" not in caught.value.message + caught.value.hint


def test_what_the_address_leaves_out_comes_from_the_environment(
    postgres: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, reach: Reach, say: Say
) -> None:
    stream = new_id()
    reach().append(stream, [say("a")])
    monkeypatch.setenv("PGHOST", str(postgres.folder))
    monkeypatch.setenv("PGUSER", "postgres")
    monkeypatch.setenv("PGDATABASE", "postgres")
    log = open_log(
        "postgresql://?workspace=" + postgres.address_for(tmp_path).partition("workspace=")[2], "", 5
    )
    assert texts(log, stream) == ["a"]
    log.close()


def test_workspaces_in_one_database_know_nothing_of_each_other(
    postgres: Server, reach: Reach, say: Say
) -> None:
    mine, other, stream = reach(), open_log(postgres.address("another"), "", 5), new_id()
    mine.append(stream, [say("mine")], key="k")
    other.append(stream, [say("other")], key="k")
    assert (texts(mine, stream), texts(other, stream)) == (["mine"], ["other"])
    other.close()


def test_many_who_make_a_log_at_once_make_one(reach: Reach, say: Say) -> None:
    racers = [Elsewhere(partial(reach().append, new_id(), [say("first")])) for _ in range(6)]
    assert [type(racer.result()) for racer in racers] == [list] * 6
    assert len(reach().heads()) == 6


def test_connections_that_were_ended_are_replaced_unnoticed(postgres: Server, reach: Reach, say: Say) -> None:
    log, stream = reach(), new_id()
    for n in range(4):
        log.append(stream, [say(f"{n}")])
        assert postgres.terminate_backends() >= 1
    assert texts(log, stream) == ["0", "1", "2", "3"]


def test_a_restarted_server_is_used_again(postgres: Server, reach: Reach, say: Say) -> None:
    log, stream = reach(), new_id()
    log.append(stream, [say("before")])
    postgres.control("-m", "fast", "restart")
    log.append(stream, [say("after")], expect=0)
    assert texts(log, stream) == ["before", "after"]


def test_a_backend_killed_in_the_middle_of_an_append_costs_nothing(
    administrator: psycopg.Connection[Any], schema: str, reach: Reach, say: Say
) -> None:
    log, stream = reach(), new_id()
    log.append(stream, [say("a")])
    with administrator.transaction():
        administrator.execute(f"SELECT FROM {schema}.heads FOR UPDATE")
        writer = Elsewhere(lambda: log.append(stream, [say("b")], expect=0))
        administrator.execute("SELECT pg_terminate_backend(%s)", [waiting(administrator)])
    assert [frame.seq for frame in writer.result()] == [1]
    assert texts(log, stream) == ["a", "b"]


@pytest.mark.parametrize("together", [False, True])
@pytest.mark.parametrize("new", [False, True])
@pytest.mark.parametrize("expecting", [False, True])
def test_a_commit_whose_answer_was_lost_is_found_and_not_made_twice(
    reach: Reach, say: Say, monkeypatch: pytest.MonkeyPatch, together: bool, new: bool, expecting: bool
) -> None:
    log, stream = reach(), new_id()
    if not new:
        log.append(stream, [say("before")])
    lost: list[list[Frame]] = []
    send = Writer.one

    def commit_and_break(self: Writer, link: Link, each: Write) -> Any:
        answer = send(self, link, each)
        if not lost:
            lost.append(each.frames)
            if together:
                link.connection.execute("COMMIT")
            link.connection.close()
            raise psycopg.OperationalError("server closed the connection unexpectedly")
        return answer

    monkeypatch.setattr(Writer, "one", commit_and_break)
    expect = (-1 if new else 0) if expecting else None
    if together:
        (made,) = log.append_all([Request(stream, [say("once")], expect)])
    else:
        made = log.append(stream, [say("once")], expect=expect)
    assert [made] == lost
    assert texts(log, stream) == ([] if new else ["before"]) + ["once"]
    assert list(log.verify()) == []


def test_a_server_lost_in_the_middle_leaves_a_doubt_that_a_key_resolves(
    postgres: Server, schema: str, reach: Reach, say: Say
) -> None:
    log, stream = reach(wait=1.0), new_id()
    log.append(stream, [say("a")])
    holder = postgres.administrator()
    holder.execute(f"BEGIN; SELECT FROM {schema}.heads FOR UPDATE")
    writer = Elsewhere(lambda: log.append(stream, [say("b")], expect=0, key="k", request="r"))
    with postgres.administrator() as other:
        waiting(other)
    postgres.control("-m", "immediate", "stop")
    fault = writer.result()
    holder.close()
    postgres.control("start")
    assert isinstance(fault, Unavailable)
    assert fault.code == "in_doubt"
    assert "same idempotency key" in fault.hint
    for _ in range(2):
        (frame,) = log.append(stream, [say("b")], expect=0, key="k", request="r")
        assert frame.seq == 1
    assert texts(log, stream) == ["a", "b"]


def test_when_all_connections_are_in_use_a_caller_hears_so_in_time(reach: Reach) -> None:
    log, taken, release = reach("&pool=1", wait=0.2), threading.Event(), threading.Event()

    def hold(link: Link) -> None:
        taken.set()
        release.wait(60)

    holder = Elsewhere(partial(log._pool.writing, hold))
    assert taken.wait(60)
    with pytest.raises(Unavailable) as caught:
        log.heads()
    assert caught.value.code == "busy"
    assert "pool=N" in caught.value.hint
    release.set()
    holder.result()
    assert log.heads() == []


def test_a_lock_that_somebody_keeps_ends_the_wait_in_time(
    administrator: psycopg.Connection[Any], schema: str, reach: Reach, say: Say
) -> None:
    log, stream = reach(wait=0.3), new_id()
    log.append(stream, [say("a")])
    with administrator.transaction():
        administrator.execute(f"SELECT FROM {schema}.heads FOR UPDATE")
        with pytest.raises(Unavailable) as caught:
            log.append(stream, [say("b")])
    assert caught.value.code == "locked"
    assert [frame.seq for frame in log.append(stream, [say("b")])] == [1]


def test_a_log_of_a_newer_version_is_refused_in_a_sentence(
    administrator: psycopg.Connection[Any], schema: str, reach: Reach, say: Say
) -> None:
    reach().append(new_id(), [say("a")])
    administrator.execute(f"INSERT INTO {schema}.migrations VALUES (99)")
    for ask in (lambda: reach().heads(), lambda: reach().append(new_id(), [say("b")])):
        with pytest.raises(Unavailable, match="has version 99") as caught:
            ask()
        assert caught.value.code == "newer_format"


def test_a_standby_reads_and_says_that_it_cannot_be_written(reach: Reach, say: Say) -> None:
    stream = new_id()
    reach().append(stream, [say("a")])
    standby = reach("&options=-c%20default_transaction_read_only%3Don")
    assert texts(standby, stream) == ["a"]
    with pytest.raises(Unavailable) as caught:
        standby.append(stream, [say("b")])
    assert caught.value.code == "read_only"
    assert "target_session_attrs" in caught.value.hint


def test_a_commit_is_synced_even_where_the_server_would_not(reach: Reach, say: Say) -> None:
    for setting, expected in (("off", "on"), ("local", "local"), ("remote_apply", "remote_apply")):
        log = reach(f"&options=-c%20synchronous_commit%3D{setting}")
        log.append(new_id(), [say("a")])
        assert log._pool.query("SHOW synchronous_commit", {}) == [(expected,)]


def test_a_user_without_rights_is_told_so(
    administrator: psycopg.Connection[Any], postgres: Server, reach: Reach, say: Say, tmp_path: Path
) -> None:
    reach().append(new_id(), [say("a")])
    administrator.execute("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN")
    log = open_log(postgres.address_for(tmp_path).replace("postgres@", "guest@"), "", 5)
    with pytest.raises(Unavailable) as caught:
        log.heads()
    assert caught.value.code == "denied"
    log.close()


@pytest.mark.parametrize(
    ("change", "code"), [("/missing?", "unavailable"), ("postgres@/postgres?", "denied")]
)
def test_an_unknown_database_or_user_is_told_apart(postgres: Server, change: str, code: str) -> None:
    address = postgres.address("team")
    wrong = {
        "unavailable": address.replace("/postgres?", "/missing?"),
        "denied": address.replace("postgres@", "nobody_here@"),
    }[code]
    with pytest.raises(Unavailable) as caught:
        open_log(wrong, "", 5).heads()
    assert caught.value.code == code


@pytest.mark.parametrize("text", ["with\0nul", "lone\ud800surrogate"])
def test_what_postgresql_cannot_hold_is_bad_input(reach: Reach, say: Say, text: str) -> None:
    log = reach()
    for ask in (
        Request(new_id(), [Draft(text, {})]),
        Request(new_id(), [say("x")], key=text),
        Request(new_id(), [say("x")], key="k", request=text),
    ):
        with pytest.raises(BadInput, match="PostgreSQL cannot"):
            log.append(*ask[:2], key=ask.key, request=ask.request)
        (answer,) = log.append_all([ask])
        assert isinstance(answer, BadInput)
    assert (log.keyed(text), list(log.read(new_id(), types=[text])), log.count(new_id(), [text])) == (
        None,
        [],
        0,
    )


def test_a_commit_that_becomes_visible_late_is_not_missed(
    administrator: psycopg.Connection[Any], schema: str, reach: Reach, say: Say
) -> None:
    log, late, early = reach(), new_id(), new_id()
    log.append(late, [say("a")])
    log.append(early, [say("a")])
    with administrator.transaction():
        administrator.execute(
            f"UPDATE {schema}.heads SET touched = pg_current_xact_id()::text::bigint WHERE stream_id = %s",
            [late],
        )
        log.append(early, [say("b")])
        seen = log.heads()
        assert (seen[-1].stream_id, seen[-1].seq) == (early, 1)
    assert late in [head.stream_id for head in log.heads(seen[-1].touched)]
    assert log.heads(log.heads()[-1].touched) == []


def test_a_reader_that_polls_the_heads_beside_many_writers_misses_nothing(reach: Reach, say: Say) -> None:
    streams = [new_id() for _ in range(8)]

    def write(n: int) -> None:
        log = reach()
        for at in range(30):
            log.append(streams[(n * 3 + at) % 8], [say("x")])

    writers = [Elsewhere(partial(write, n)) for n in range(6)]
    log, known, since = reach(), dict[str, int](), 0
    while True:
        over = not any(writer.is_alive() for writer in writers)
        for head in log.heads(since):
            known[head.stream_id] = head.seq
            since = head.touched
        if over:
            break
    assert known == {head.stream_id: head.seq for head in log.heads()}
    assert sum(seq + 1 for seq in known.values()) == 6 * 30


def test_a_dump_restored_where_transactions_count_from_a_lower_number_goes_on(
    administrator: psycopg.Connection[Any], schema: str, reach: Reach, say: Say
) -> None:
    before, old = reach(), new_id()
    before.append(old, [say("a")])
    before.close()
    administrator.execute(f"UPDATE {schema}.clock SET lift = 1000000000")  # as a busier server would count
    before.append(old, [say("b")])
    position = before.heads()[-1].touched
    before.close()
    administrator.execute(f"UPDATE {schema}.clock SET lift = 0")
    log, fresh = reach(), new_id()
    for stream in (fresh, old, fresh):
        log.append(stream, [say("x")])
        (head,) = [head for head in reach().heads(position) if head.stream_id == stream]
        assert head.touched > position
        position = head.touched
    assert [head.stream_id for head in log.heads()] == [old, fresh]
    assert list(log.verify()) == []


def test_a_follower_hears_of_commits_whose_notification_was_lost(reach: Reach, say: Say) -> None:
    follower, writer, stream = reach(), reach(), new_id()
    writer._watch.publish = lambda frames: None  # type: ignore[method-assign]
    writer.append(stream, [say("past")])
    seen: list[int] = []
    asked: list[int] = []

    def stop() -> bool:
        asked.append(1)
        if len(asked) == 4:
            writer.append(stream, [say("unannounced")])
        return len(seen) == 2

    for frame in follower.follow(stream, 0, stop):
        seen.append(frame.seq)
    assert seen == [0, 1]


def test_a_log_may_be_closed_under_a_follower(reach: Reach, say: Say) -> None:
    log, stream = reach(), new_id()
    log.append(stream, [say("a")])
    following = log.follow(stream, 0, lambda: False)
    assert next(following).seq == 0
    log.close()
    following.close()  # type: ignore[attr-defined]
    assert log._watch._followers == {}


def test_a_follower_outlives_its_connections(postgres: Server, reach: Reach, say: Say) -> None:
    follower, writer, stream = reach(), reach(), new_id()
    seen: list[int] = []

    def stop() -> bool:
        if len(seen) < 3 and len(texts(writer, stream)) == len(seen):
            postgres.terminate_backends()
            writer.append(stream, [say("x")])
        return len(seen) == 3

    for frame in follower.follow(stream, 0, stop):
        seen.append(frame.seq)
    assert seen == [0, 1, 2]


def test_appends_too_large_for_one_statement_still_go_in_one_commit(
    reach: Reach, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("segue.stores.postgres_write.MAX_STATEMENT_BYTES", 1000)
    log, a, b = reach(), new_id(), new_id()
    asks = [Request(stream, [say(f"{n}")], key=f"{n}") for n, stream in enumerate((a, b, a, a, b, a))]
    answers = log.append_all(asks)
    assert [log.keyed(f"{n}") for n in range(6)] == answers
    assert (texts(log, a), texts(log, b)) == (["0", "2", "3", "5"], ["1", "4"])
    assert len({head.touched for head in log.heads()}) == 1
    with pytest.raises(BadInput, match="too much for one append"):
        log.append(a, [say("x" * 1000)])
    assert list(log.verify()) == []


def test_threads_that_append_to_the_same_new_streams_in_any_order_all_get_through(
    reach: Reach, say: Say
) -> None:
    streams = [new_id() for _ in range(6)]
    orders = [streams, streams[::-1], streams[3:] + streams[:3], streams]
    racers = [
        Elsewhere(partial(reach().append_all, [Request(stream, [say(f"{n}")]) for stream in order]))
        for n, order in enumerate(orders)
    ]
    for racer in racers:
        assert [type(answer) for answer in racer.result()] == [list] * 6
    log = reach()
    assert [sorted(texts(log, stream)) for stream in streams] == [["0", "1", "2", "3"]] * 6
    assert list(log.verify()) == []

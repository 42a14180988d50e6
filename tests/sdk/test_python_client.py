"""One client: a folder, a server, memory; at once or awaited; the same answers."""

from __future__ import annotations

import asyncio
import inspect
import runpy
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import segue
from segue.errors import BadInput, Conflict, NotFound
from segue.sdk import groups, testing
from segue.sdk.client import Client
from segue.sdk.methods import Group
from segue.service.operations import OPERATIONS
from segue.stores import accepted

DOCS = Path(__file__).parents[2] / "docs"


@pytest.fixture
def client(tmp_path: Path) -> Client:
    return segue.Client(str(tmp_path))


def test_the_methods_are_those_of_the_table() -> None:
    generator = runpy.run_path(str(DOCS / "generate_sdk.py"))
    made = generator["files"]()
    assert {name: (generator["PLACE"] / name).read_text(encoding="utf-8") for name in made} == made


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)
def test_every_operation_has_a_method_on_both_sides(client: Client, operation: object) -> None:
    name = operation.name  # type: ignore[attr-defined]
    group, dot, verb = name.partition(".")
    method = (verb or group).replace("-", "_").replace("import", "import_")
    for side in (client, client.aio):
        assert callable(getattr(getattr(side, f"{group}s") if dot else side, method))


def test_a_walk(client: Client) -> None:
    thread = client.threads.create("Retry tests")
    posted = client.threads.post(thread["thread_id"], "Make the retry test pass.", key="first")
    assert client.threads.post(thread["thread_id"], "Make the retry test pass.", key="first") == posted
    branch = client.threads.branch(thread["thread_id"], "Another way")
    assert branch["parent_seq"] == posted["seq"]
    stored = client.artifacts.put(b"some bytes")
    assert client.artifacts.get(stored["artifact_id"], offset=5) == b"bytes"
    types = [frame["type"] for frame in client.threads.events(thread["thread_id"])]
    assert types == ["continuity_created", "continuity_message_appended"]
    assert client.verify()["ok"]


def test_a_key_that_was_used_is_told_as_it_was_given(client: Client) -> None:
    client.threads.create("One", key="k-1")
    with pytest.raises(Conflict, match="The idempotency key 'k-1' was already used"):
        client.threads.create("Another", key="k-1")


def test_provenance_is_the_clients(tmp_path: Path) -> None:
    client = segue.Client(str(tmp_path), actor_id="robot", origin="workshop")
    thread = client.threads.create()
    (frame,) = client.threads.events(thread["thread_id"])
    assert (frame["actor_id"], frame["origin"]) == ("robot", "workshop")


def test_errors_are_ours(client: Client) -> None:
    with pytest.raises(NotFound):
        client.threads.show("00000000-0000-7000-8000-000000000000")
    with pytest.raises(BadInput, match="not both"):
        segue.Client("here", server="http://127.0.0.1:1")


def test_awaited_methods_answer_the_same_and_let_the_loop_go_on(client: Client) -> None:
    async def walk() -> list[str]:
        thread = await client.aio.threads.create("Awaited")
        await asyncio.gather(*(client.aio.threads.post(thread["thread_id"], f"{n}") for n in range(5)))
        return [frame["content"] async for frame in client.aio.threads.events(thread["thread_id"], 0)]

    assert sorted(asyncio.run(walk())) == ["0", "1", "2", "3", "4"]


def test_an_awaited_stream_follows_and_ends_when_the_consumer_leaves(client: Client) -> None:
    async def walk() -> list[str]:
        thread = await client.aio.threads.create("Followed")
        await client.aio.threads.post(thread["thread_id"], "first")
        seen = []
        stream = client.aio.threads.events(thread["thread_id"], 0, follow=True)
        async for frame in stream:
            seen.append(frame["content"])
            if len(seen) == 2:
                break
            await client.aio.threads.post(thread["thread_id"], "second")
        await stream.aclose()  # type: ignore[attr-defined]
        return seen

    assert asyncio.run(walk()) == ["first", "second"]
    for one in threading.enumerate():
        if one.name == "segue-events":
            one.join(5)
            assert not one.is_alive()


def test_threads_share_one_client(client: Client) -> None:
    thread = client.threads.create()["thread_id"]
    with ThreadPoolExecutor(8) as pool:
        seqs = list(pool.map(lambda n: client.threads.post(thread, f"{n}")["seq"], range(80)))
    assert sorted(seqs) == list(range(1, 81))


def test_memory_is_empty_at_first_and_gone_afterwards() -> None:
    with testing.client() as one, testing.client() as other:
        thread = one.threads.create("Only here")
        one.threads.post(thread["thread_id"], "hello")
        assert one.threads.compile(thread["thread_id"])["bundle"]["items"]
        assert one.verify()["ok"]
        assert other.threads.list() == {"threads": []}
    with testing.client() as again:
        assert again.threads.list() == {"threads": []}
    assert not [path for path in accepted.rows() if "segue-test-" in path]


def test_every_method_says_what_it_takes_and_does() -> None:
    kinds = [kind for kind in Group.__subclasses__() if kind.__module__ == groups.__name__]
    methods = [getattr(kind, name) for kind in kinds for name in vars(kind) if name[0] != "_"]
    assert (
        len(methods) == len(OPERATIONS) - 1
    )  # the frames of a thread come one by one, by a method of the client's own
    assert [method.__qualname__ for method in methods if not inspect.getdoc(method)] == []
    assert {method.__module__ for method in methods} == {groups.__name__}
    assert list(inspect.signature(groups.Threads.create).parameters) == ["self", "title", "key"]


def test_a_method_called_wrongly_names_itself_and_the_argument(client: Client) -> None:
    with pytest.raises(TypeError, match=r"Threads.post\(\) missing a required argument: 'content'"):
        client.threads.post("x")  # type: ignore[call-arg]
    with pytest.raises(TypeError, match=r"Upkeep.status\(\) got an unexpected keyword argument 'more'"):
        client.status(more=True)  # type: ignore[call-arg]

"""Artifacts in an object store that fails or lies: every fault is a sentence, and nothing that is not whole
is ever taken for an artifact. The store is real; a proxy before it does the harm."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest

from segue.errors import NotFound, Unavailable
from segue.model.wire import content_id
from segue.stores.blob_file import BLOCK, HEADER
from segue.stores.contract import Artifacts
from segue.stores.registry import open_artifacts
from segue.stores.s3_bucket import PART

from . import seaweed
from .fault_proxy import Answer, Fault, Forward, Proxy, Request, between, honest

SMALL = b"a line that repeats itself\n" * 40
LARGE = random.Random(1).randbytes(PART + 1000)


class Two(NamedTuple):
    """The same place, through the proxy and straight; `impatient` is through the proxy, too."""

    proxy: Proxy
    faulty: Artifacts
    impatient: Artifacts
    straight: Artifacts


@pytest.fixture
def two(object_server: str, s3_address: str) -> Iterator[Two]:
    with between(object_server) as (proxy, endpoint):
        faulty = s3_address.replace(object_server, endpoint)
        yield Two(proxy, *(open_artifacts(spec, "") for spec in (faulty, f"{faulty}&timeout=1", s3_address)))


def status(code: int) -> Fault:
    return lambda request, forward: Answer(code, {}, b"")


def no_answer(request: Request, forward: Forward) -> Answer:
    return Answer(0, {}, b"", "none")


def lost_answer(request: Request, forward: Forward) -> Answer:
    return forward(request)._replace(ending="none")


def cut_answer(request: Request, forward: Forward) -> Answer:
    return forward(request)._replace(ending="cut")


def shortened(request: Request, forward: Forward) -> Answer:
    answer = forward(request)
    return answer._replace(body=answer.body[: len(answer.body) // 2])


def altered(request: Request, forward: Forward) -> Answer:
    answer = forward(request)
    return answer._replace(body=flipped(answer.body))


def altered_on_the_way(request: Request, forward: Forward) -> Answer:
    return forward(request._replace(body=flipped(request.body)))


def shortened_on_the_way(request: Request, forward: Forward) -> Answer:
    half = request.body[: len(request.body) // 2]
    return forward(request._replace(body=half, headers={**request.headers, "content-length": str(len(half))}))


def pretended(request: Request, forward: Forward) -> Answer:
    return Answer(200, {"ETag": '"0"'}, b"")


def flipped(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


def on(method: str, fault: Fault, times: int = 1000) -> Fault:
    """A fault in the first so many requests of one method."""
    left = iter(range(times))

    def only_then(request: Request, forward: Forward) -> Answer:
        if request.method != method or next(left, None) is None:
            return forward(request)
        return fault(request, forward)

    return only_then


FAILURES = {
    "denied": (status(403), "denies access"),
    "an error": (status(500), "reports an error of its own"),
    "busy": (status(503), "is too busy"),
    "too many requests": (status(429), "is too busy"),
    "a bad request": (status(400), "rejects a request"),
    "elsewhere": (status(301), "belongs to another region or endpoint"),
    "not implemented": (status(501), "does not know a request"),
    "a reset": (no_answer, "broke off the connection"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_store_that_fails_is_unavailable_in_a_sentence_and_keeps_nothing(two: Two, failure: str) -> None:
    fault, verdict = FAILURES[failure]
    artifact_id, _ = two.straight.put(b"there before")
    asked: list[Callable[[], object]] = [
        lambda: two.faulty.put(SMALL),
        lambda: two.faulty.get(artifact_id),
        lambda: two.faulty.size(artifact_id),
        lambda: two.faulty.resolve(artifact_id),
        lambda: list(two.faulty.ids()),
        lambda: list(two.faulty.verify()),
    ]
    two.proxy.fault = fault
    for ask in asked:
        with pytest.raises(Unavailable, match=verdict) as caught:
            ask()
        assert caught.value.hint
        assert (
            seaweed.CREDENTIALS["AWS_SECRET_ACCESS_KEY"] not in f"{caught.value.message}{caught.value.hint}"
        )
    assert [found for found, _ in two.straight.ids()] == [artifact_id]


@pytest.mark.parametrize("method", ["PUT", "GET"])
def test_a_store_that_is_silent_is_given_up(two: Two, method: str) -> None:
    def silent(request: Request, forward: Forward) -> Answer:
        two.proxy.closing.wait()
        return Answer(500, {}, b"")

    artifact_id, _ = two.straight.put(b"there before")
    two.proxy.fault = on(method, silent)
    with pytest.raises(Unavailable, match="gave no answer in time"):
        two.impatient.put(SMALL) if method == "PUT" else two.impatient.get(artifact_id)
    assert [found for found, _ in two.straight.ids()] == [artifact_id]


@pytest.mark.parametrize("fault", [status(500), status(503), no_answer, cut_answer])
def test_reading_survives_a_fault_that_passes(two: Two, fault: Fault) -> None:
    artifact_id, _ = two.straight.put(SMALL)
    two.proxy.fault = on("GET", fault, times=2)
    assert two.faulty.get(artifact_id) == SMALL


@pytest.mark.parametrize("fault", [status(500), status(503), no_answer, lost_answer])
def test_writing_survives_a_fault_that_passes(two: Two, fault: Fault) -> None:
    two.proxy.fault = on("PUT", fault, times=2)
    assert two.faulty.put(SMALL) == (content_id(SMALL), len(SMALL))
    assert two.straight.get(content_id(SMALL)) == SMALL


WRONG_ANSWERS = {
    "cut": (cut_answer, "broke off the connection"),
    "shortened": (shortened, "it ends too early"),
    "altered": (altered, "do not hash to its name"),
}


@pytest.mark.parametrize("data", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize("wrong", WRONG_ANSWERS)
def test_bytes_that_arrive_wrong_are_never_handed_out(two: Two, wrong: str, data: bytes) -> None:
    fault, reason = WRONG_ANSWERS[wrong]
    artifact_id, _ = two.straight.put(data)
    two.proxy.fault = on("GET", fault)
    with pytest.raises(Unavailable, match=reason):
        two.faulty.get(artifact_id)
    assert two.straight.get(artifact_id) == data


@pytest.mark.parametrize("fault", [altered_on_the_way, shortened_on_the_way])
def test_bytes_that_were_stored_wrong_are_not_acknowledged_and_can_be_put_again(
    two: Two, fault: Fault
) -> None:
    two.proxy.fault = on("PUT", fault)
    with pytest.raises(Unavailable):
        two.faulty.put(SMALL)
    with pytest.raises((Unavailable, NotFound)):
        two.straight.get(content_id(SMALL))
    two.proxy.fault = honest
    two.faulty.put(SMALL)
    assert two.straight.get(content_id(SMALL)) == SMALL


@pytest.mark.parametrize("fault", [status(500), no_answer, pretended])
@pytest.mark.parametrize("step", ["PUT", "POST"])
def test_a_large_artifact_that_did_not_arrive_whole_does_not_exist(two: Two, step: str, fault: Fault) -> None:
    two.proxy.fault = on(step, fault)
    with pytest.raises(Unavailable):
        two.faulty.put(LARGE)
    assert two.straight.size(content_id(LARGE)) is None
    assert list(two.straight.ids()) == list(two.straight.verify()) == []


def test_a_store_that_says_it_took_what_it_does_not_have_is_not_believed(two: Two) -> None:
    two.proxy.fault = on("PUT", pretended)
    with pytest.raises(Unavailable, match="does not have it: there is no such object"):
        two.faulty.put(SMALL)


def test_a_store_that_denies_what_it_took_is_asked_for_the_bytes(two: Two) -> None:
    two.proxy.fault = on("HEAD", status(404))
    assert two.faulty.put(SMALL) == (content_id(SMALL), len(SMALL))


def test_a_store_that_says_it_has_what_it_does_not_have_gets_it(two: Two) -> None:
    def said_to_exist(request: Request, forward: Forward) -> Answer:
        return status(412)(request, forward) if "if-none-match" in request.headers else forward(request)

    two.proxy.fault = on("PUT", said_to_exist)
    two.faulty.put(SMALL)
    assert two.straight.get(content_id(SMALL)) == SMALL


def test_a_store_without_conditional_writes_loses_nothing(two: Two) -> None:
    def unconditional(request: Request, forward: Forward) -> Answer:
        answer = forward(request)
        return answer._replace(status=200, body=b"") if answer.status == 412 else answer

    two.proxy.fault = unconditional
    assert two.faulty.put(SMALL) == two.faulty.put(SMALL) == two.straight.put(SMALL)
    assert two.straight.get(content_id(SMALL)) == SMALL


def test_what_is_there_is_not_sent_again_when_it_is_large(two: Two) -> None:
    two.straight.put(LARGE)
    two.faulty.put(LARGE)
    assert {method for method, _ in two.proxy.seen} == {"GET"}


def test_what_was_sent_is_asked_for_but_not_read_back(two: Two) -> None:
    two.faulty.put(SMALL)
    assert [method for method, _ in two.proxy.seen] == ["PUT", "HEAD"]
    two.proxy.seen.clear()
    two.faulty.put(LARGE)
    assert [method for method, _ in two.proxy.seen] == ["GET", "POST", "PUT", "PUT", "POST", "HEAD"]


def test_a_whole_id_is_found_without_a_listing(two: Two) -> None:
    artifact_id, _ = two.straight.put(SMALL)
    assert two.faulty.resolve(artifact_id) == artifact_id
    assert [method for method, _ in two.proxy.seen] == ["HEAD"]


def test_sizes_are_asked_for_once(two: Two) -> None:
    made = sorted(two.straight.put(data) for data in (b"one", b"two"))
    assert list(two.faulty.ids()) == made
    two.proxy.seen.clear()
    assert list(two.faulty.ids()) == made
    assert len(two.proxy.seen) == 1


def test_a_range_far_inside_a_large_artifact_skips_what_lies_before_it(two: Two) -> None:
    artifact_id, _ = two.straight.put(LARGE)
    asked: list[str] = []

    def noted(request: Request, forward: Forward) -> Answer:
        asked.append(request.headers["range"])
        return forward(request)

    two.proxy.fault = noted
    assert two.faulty.get(artifact_id, PART, 100) == LARGE[PART : PART + 100]
    blocks_before = PART // BLOCK
    stored = 4 + BLOCK
    assert asked == [f"bytes={n and HEADER + n * stored}-" for n in range(blocks_before + 1)]

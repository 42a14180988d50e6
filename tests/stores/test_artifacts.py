"""The contract of a box of artifacts: the name is the sha256 of the bytes, and the bytes come back."""

from __future__ import annotations

import hashlib
import random
import tracemalloc
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from segue.errors import BadInput, NotFound
from segue.stores.contract import Artifacts
from segue.stores.memory import MemoryArtifacts

MEBI = 1024 * 1024
SAMPLES = {
    "empty": b"",
    "one byte": b"x",
    "text": "Größe 😀\n".encode() * 100,
    "compressible, one block": b"line of a log\n" * 20_000,
    "exactly one block": bytes(MEBI),
    "one block and a byte": bytes(MEBI) + b"x",
    "compressible, many blocks": b"0123456789abcdef" * (3 * MEBI // 16 + 7),
    "noise, many blocks": random.Random(1).randbytes(2 * MEBI + 12_345),
    "half noise": random.Random(2).randbytes(MEBI) + bytes(MEBI) + random.Random(3).randbytes(5),
}


def name(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize("sample", SAMPLES)
def test_bytes_come_back_under_the_sha256_of_themselves(artifacts: Artifacts, sample: str) -> None:
    data = SAMPLES[sample]
    assert artifacts.put(data) == (name(data), len(data))
    assert artifacts.get(name(data)) == data
    assert artifacts.size(name(data)) == len(data)
    assert list(artifacts.ids()) == [(name(data), len(data))]
    assert list(artifacts.verify()) == []


@pytest.mark.parametrize("sample", SAMPLES)
def test_a_range_is_a_slice(artifacts: Artifacts, sample: str) -> None:
    data = SAMPLES[sample]
    artifact_id, size = artifacts.put(data)
    for offset in (0, 1, 100, MEBI - 1, MEBI, MEBI + 1, 2 * MEBI + 3, size - 1, size, size + 10):
        for length in (None, 0, 1, 1000, MEBI, 3 * MEBI):
            if offset >= 0:
                end = None if length is None else offset + length
                assert artifacts.get(artifact_id, offset, length) == data[offset:end]
                pieces = list(artifacts.read(artifact_id, offset, length))
                assert b"".join(pieces) == data[offset:end]


@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(pieces=st.lists(st.binary(max_size=300), max_size=6), repeat=st.sampled_from([1, 1, 40, 3000]))
def test_pieces_are_stored_as_their_sum(artifacts: Artifacts, pieces: list[bytes], repeat: int) -> None:
    data = b"".join(pieces) * repeat
    assert artifacts.put(iter(pieces * repeat)) == (name(data), len(data))
    assert artifacts.get(name(data)) == data


def test_the_same_bytes_are_one_artifact_however_they_come(artifacts: Artifacts) -> None:
    data = SAMPLES["compressible, many blocks"]
    first = artifacts.put(data)
    assert artifacts.put(data) == artifacts.put([data[:10], b"", data[10:]]) == first
    assert list(artifacts.ids()) == [first]


def test_a_stream_of_many_megabytes_needs_little_memory(artifacts: Artifacts) -> None:
    def pieces() -> Iterator[bytes]:
        for n in range(64):
            yield bytes([n]) * MEBI

    if isinstance(artifacts, MemoryArtifacts):
        pytest.skip("this one keeps everything in memory: that is what it is for")
    artifacts.put(b"warm" * 10_000)
    tracemalloc.start()
    _, size = artifacts.put(pieces())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert size == 64 * MEBI
    assert peak < 10 * MEBI


def test_a_put_whose_source_fails_leaves_nothing(artifacts: Artifacts) -> None:
    def pieces() -> Iterator[bytes]:
        yield b"the beginning"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        artifacts.put(pieces())
    assert list(artifacts.ids()) == []
    assert list(artifacts.verify()) == []


def test_what_was_never_put_is_not_found(artifacts: Artifacts) -> None:
    missing = name(b"missing")
    with pytest.raises(NotFound, match=missing):
        artifacts.get(missing)
    with pytest.raises(NotFound):
        artifacts.resolve(missing[:12])
    assert artifacts.size(missing) is None
    assert list(artifacts.ids()) == []
    assert list(artifacts.verify()) == []


@pytest.mark.parametrize(
    "artifact_id", ["", "x", "../../etc/passwd", "A" * 64, name(b"x") + "\n", "/" + name(b"x"), "." * 64]
)
def test_what_is_not_an_artifact_id_is_refused(artifacts: Artifacts, artifact_id: str) -> None:
    for ask in (artifacts.get, artifacts.size, artifacts.resolve):
        with pytest.raises(BadInput):
            ask(artifact_id)


@pytest.mark.parametrize(("offset", "length"), [(-1, None), (0, -1)])
def test_ranges_do_not_go_backwards(artifacts: Artifacts, offset: int, length: int | None) -> None:
    artifact_id, _ = artifacts.put(b"abc")
    with pytest.raises(BadInput):
        artifacts.get(artifact_id, offset, length)


def test_a_prefix_of_eight_characters_names_an_artifact(artifacts: Artifacts) -> None:
    artifact_id, _ = artifacts.put(b"abc")
    artifacts.put(b"other")
    for length in (8, 20, 64):
        assert artifacts.resolve(artifact_id[:length]) == artifact_id
    with pytest.raises(BadInput, match="does not name an artifact"):
        artifacts.resolve(artifact_id[:7])


def test_a_prefix_of_two_artifacts_is_ambiguous(artifacts: Artifacts) -> None:
    first, second = (artifacts.put(data)[0] for data in (b"69235", b"95303"))
    assert first[:8] == second[:8] == "c11eb5e6"
    with pytest.raises(BadInput, match="names 2 artifacts"):
        artifacts.resolve(first[:8])
    assert artifacts.resolve(second) == second


def test_ids_are_sorted(artifacts: Artifacts) -> None:
    made = sorted(artifacts.put(b"%d" % n) for n in range(20))
    assert list(artifacts.ids()) == made


def test_ids_go_on_after_any_id(artifacts: Artifacts) -> None:
    made = sorted(artifacts.put(b"%d" % n) for n in range(5))
    assert list(artifacts.ids(made[1][0])) == made[2:]
    assert list(artifacts.ids("f" * 64)) == []
    assert list(artifacts.ids(made[0][0][:-1])) == made


def test_a_forgotten_artifact_is_gone_and_may_be_put_again(artifacts: Artifacts) -> None:
    artifact_id, _ = artifacts.put(b"secret")
    other, _ = artifacts.put(b"other")
    assert artifacts.forget(artifact_id)
    assert not artifacts.forget(artifact_id)
    assert artifacts.size(artifact_id) is None
    assert list(artifacts.ids()) == [(other, 5)]
    assert list(artifacts.verify()) == []
    assert artifacts.put(b"secret") == (artifact_id, 6)

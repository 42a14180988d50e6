"""Artifacts in a real object store: what lies in the bucket, what damage looks like, who else may write."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import obstore
import pytest

from segue.errors import Unavailable
from segue.model.wire import content_id
from segue.stores.registry import open_artifacts
from segue.stores.s3 import S3Artifacts
from segue.stores.s3_address import open_store, read_address
from segue.stores.s3_bucket import PART

TEXT = b"a line that repeats itself\n" * 4000
LARGE = random.Random(1).randbytes(PART + 1000)


@pytest.fixture
def artifacts(s3_address: str) -> S3Artifacts:
    opened = open_artifacts(s3_address, "")
    assert isinstance(opened, S3Artifacts)
    return opened


@pytest.fixture
def store(s3_address: str) -> obstore.store.S3Store:
    """The bucket beneath, for those who would do harm."""
    return open_store(read_address(s3_address))


def stored(store: obstore.store.S3Store, name: str) -> bytes:
    return bytes(obstore.get(store, name).bytes())


def test_an_object_is_the_blob_a_folder_would_hold(
    artifacts: S3Artifacts, store: obstore.store.S3Store
) -> None:
    artifact_id, _ = artifacts.put(b"hello")
    body = b"SGB1" + (5).to_bytes(8, "big") + (5).to_bytes(4, "big") + b"hello"
    assert stored(store, artifact_id) == body


def test_a_large_artifact_goes_in_parts_within_little_memory(artifacts: S3Artifacts) -> None:
    def pieces() -> Iterator[bytes]:
        noise = random.Random(2)
        for _ in range(48):
            yield noise.randbytes(1024 * 1024)

    artifacts.put(b"warm")
    tracemalloc.start()
    artifact_id, size = artifacts.put(pieces())
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 3 * PART
    assert artifacts.size(artifact_id) == size == 48 * 1024 * 1024


def test_what_is_there_is_left_as_it_is(artifacts: S3Artifacts, store: obstore.store.S3Store) -> None:
    for data in (TEXT, LARGE):
        artifact_id, _ = artifacts.put(data)
        before = obstore.head(store, artifact_id)
        artifacts.put(data)
        assert obstore.head(store, artifact_id) == before


DAMAGES = {
    "a flipped bit": lambda data: data[:-1] + bytes([data[-1] ^ 1]),
    "no header": lambda data: data[12:],
    "half a header": lambda data: data[:7],
    "cut short": lambda data: data[:-5],
    "empty": lambda data: b"",
    "a larger size": lambda data: data[:4] + (1 << 60).to_bytes(8, "big") + data[12:],
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_object_is_never_handed_out_always_found_and_mended_by_its_bytes(
    artifacts: S3Artifacts, store: obstore.store.S3Store, damage: str
) -> None:
    for data in (TEXT, LARGE):
        artifact_id, _ = artifacts.put(data)
        obstore.put(store, artifact_id, DAMAGES[damage](stored(store, artifact_id)))
        with pytest.raises(Unavailable) as caught:
            artifacts.get(artifact_id)
        assert caught.value.code == "damaged"
        assert [(found.kind, found.where) for found in artifacts.verify()] == [("damaged", artifact_id)]
        artifacts.put(data)
        assert artifacts.get(artifact_id) == data
        assert list(artifacts.verify()) == []


def test_bytes_after_the_end_are_found(artifacts: S3Artifacts, store: obstore.store.S3Store) -> None:
    artifact_id, _ = artifacts.put(TEXT)
    obstore.put(store, artifact_id, stored(store, artifact_id) + b"more")
    assert [found.kind for found in artifacts.verify()] == ["damaged"]


def test_a_damaged_object_does_not_hide_the_others(
    artifacts: S3Artifacts, store: obstore.store.S3Store
) -> None:
    damaged, other = artifacts.put(TEXT), artifacts.put(b"other")
    obstore.put(store, damaged[0], b"")
    assert list(artifacts.ids()) == [other]
    assert artifacts.resolve(damaged[0]) == damaged[0]


def test_foreign_objects_are_no_artifacts_and_are_found(
    artifacts: S3Artifacts, store: obstore.store.S3Store
) -> None:
    made = artifacts.put(TEXT)
    for name in ("notes.txt", f"older/{made[0]}", f"{made[0]}.bak"):
        obstore.put(store, name, b"mine")
    assert list(artifacts.ids()) == [made]
    assert artifacts.resolve(made[0][:8]) == made[0]
    assert sorted((found.kind, found.where) for found in artifacts.verify()) == [
        ("foreign", f"{made[0]}.bak"),
        ("foreign", "notes.txt"),
        ("foreign", f"older/{made[0]}"),
    ]


def test_a_prefix_keeps_to_itself(artifacts: S3Artifacts, s3_address: str) -> None:
    place, _, rest = s3_address.partition("?")
    neighbour = open_artifacts(f"{place}-2?{rest}", "")
    inner = open_artifacts(f"{place}/inner?{rest}", "")
    made = [box.put(b"mine") for box in (artifacts, neighbour, inner)]
    assert [list(box.ids()) for box in (artifacts, neighbour, inner)] == [[row] for row in made]


def test_a_listing_goes_beyond_one_page(artifacts: S3Artifacts, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("segue.stores.s3_bucket.PAGE", 7)
    made = sorted(artifacts.put(b"%d" % n) for n in range(25))
    assert list(artifacts.ids()) == made
    assert [artifacts.resolve(artifact_id[:16]) for artifact_id, _ in made] == [row[0] for row in made]


def test_many_writers_of_the_same_bytes_make_one_artifact(s3_address: str) -> None:
    boxes = [open_artifacts(s3_address, "") for _ in range(4)]
    for data in (TEXT, LARGE):
        with ThreadPoolExecutor(4) as threads:
            made = set(threads.map(lambda box, data=data: box.put(data), boxes))
        assert made == {(content_id(data), len(data))}
        assert boxes[0].get(content_id(data)) == data


@pytest.mark.parametrize("name", ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"])
def test_wrong_credentials_are_denied_in_a_sentence(
    s3_address: str, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setenv(name, "wrong")
    stranger = open_artifacts(s3_address, "")
    for ask in (lambda: stranger.put(b"x"), lambda: list(stranger.ids()), lambda: stranger.get("0" * 64)):
        with pytest.raises(Unavailable, match="denies access"):
            ask()


def test_a_bucket_that_is_not_there_is_said(s3_address: str) -> None:
    nowhere = open_artifacts(s3_address.replace("artifacts/", "elsewhere/"), "")
    for ask in (lambda: nowhere.put(b"x"), lambda: list(nowhere.ids()), lambda: nowhere.get("0" * 64)):
        with pytest.raises(Unavailable, match="does not exist") as caught:
            ask()
        assert "elsewhere" in caught.value.message


def test_a_store_that_is_not_there_is_said(s3_address: str) -> None:
    nowhere = open_artifacts("s3://team?endpoint=http://127.0.0.1:1", "")
    for ask in (lambda: nowhere.put(b"x"), lambda: list(nowhere.ids()), lambda: nowhere.get("0" * 64)):
        with pytest.raises(Unavailable, match="cannot be reached"):
            ask()

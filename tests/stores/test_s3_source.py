"""An object read like a file: whatever is skipped and read, forwards, the bytes are the file's."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.stores import s3_bucket
from segue.stores.s3_bucket import ObjectSource, expected_tag

BODY = bytes(range(256)) * 4


class Chunked:
    """A bucket with one object, which comes in chunks of a length of its own."""

    def __init__(self, chunk: int) -> None:
        self.chunk = chunk
        self.asked: list[int] = []

    def read(self, name: str, first: int = 0, end: int | None = None) -> Iterator[bytes]:
        self.asked.append(first)
        for at in range(first, len(BODY), self.chunk):
            yield BODY[at : at + self.chunk]


@pytest.fixture(autouse=True, scope="module")
def short_skips() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(s3_bucket, "CHUNK", 64)
        yield


@given(
    chunk=st.integers(1, 300),
    steps=st.lists(st.tuples(st.booleans(), st.integers(0, 400)), max_size=12),
)
def test_reading_and_skipping_give_what_a_file_gives(chunk: int, steps: list[tuple[bool, int]]) -> None:
    source, file = ObjectSource(Chunked(chunk), "x"), io.BytesIO(BODY)  # type: ignore[arg-type]
    for skip, length in steps:
        if skip:
            assert source.seek(length, os.SEEK_CUR) == file.seek(length, os.SEEK_CUR)
        else:
            assert source.read(length) == file.read(length)


def test_a_short_skip_reads_on_and_a_long_one_asks_anew() -> None:
    bucket = Chunked(10)
    source = ObjectSource(bucket, "x")  # type: ignore[arg-type]
    assert source.read(4) == BODY[:4]
    source.seek(60)
    assert source.read(4) == BODY[60:64]
    source.seek(500)
    assert source.read(4) == BODY[500:504]
    assert bucket.asked == [0, 500]


def test_the_tag_of_one_request_is_the_md5_of_its_body() -> None:
    assert expected_tag(io.BytesIO(b"hello")) == '"5d41402abc4b2a76b9719d911017c592"'

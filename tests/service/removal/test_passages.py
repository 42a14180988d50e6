"""What was quoted is found again, and what two texts share by chance is no quote."""

from __future__ import annotations

import json

import pytest

from segue.service.removal.passages import Passages, texts_of

SAID = """Uploads to the archive sometimes fail with 503. Add retries with exponential backoff to uploader.py.
Never retry on a 4xx answer.

https://archive.example.com/v2/buckets/ferret-saddle"""


@pytest.mark.parametrize(
    "text",
    [
        SAID,
        f"> {SAID}",
        " ".join(SAID.split()),
        '- first: "Uploads to the archive sometimes fail with 503. Add retries …"',
        "…ADD RETRIES WITH\n    exponential backoff to\n    uploader.py. Never retry",
        "see https://archive.example.com/v2/buckets/ferret-saddle for it",
    ],
)
def test_a_quote_is_found(text: str) -> None:
    passages = Passages([SAID])
    assert passages.occur_in(["something else", text])
    assert passages.occur_in(texts_of(text.encode()))
    assert passages.occur_in(texts_of(json.dumps({"items": [{"content": text}]}).encode()))
    assert passages.occur_in(texts_of(f"not JSON\n{json.dumps({'message': text})}\n".encode()))


@pytest.mark.parametrize("text", ["", "Never retry on a 4xx answer", "Add retries with backoff.", "archive"])
def test_what_texts_share_by_chance_is_no_quote(text: str) -> None:
    assert not Passages([SAID]).occur_in([text])


def test_a_short_text_is_looked_for_as_a_whole_and_a_shorter_one_not_at_all() -> None:
    passages = Passages(["hunter2-too", "yes"])
    assert passages.occur_in(["it is hunter2-too!"])
    assert not passages.occur_in(["yes, hunter2"])
    assert not Passages(["yes"])
    assert not Passages(["yes"]).occur_in(texts_of(b"yes"))

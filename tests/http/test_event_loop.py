"""The event loop does what is quick, and nothing else: whoever asks for little is never held up."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from segue.redaction.redact import Redactor

from .conftest import Serve

FEW = 4 * 1024
"""Characters of a text that takes a while."""


def test_a_large_text_is_redacted_while_others_are_answered(
    serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    call = serve().call
    call("POST", "/threads/ensure")
    redacting, answered = threading.Event(), threading.Event()
    at_once = Redactor.redact

    def slow(self: Redactor, text: str) -> str:
        if len(text) >= FEW:
            redacting.set()
            assert answered.wait(20)
        return at_once(self, text)

    monkeypatch.setattr(Redactor, "redact", slow)
    with ThreadPoolExecutor(1) as other:
        posting = other.submit(call, "POST", "/threads/default/messages", {"content": "x y " * (FEW // 4)})
        assert redacting.wait(20)
        assert call("GET", "/healthz").status == 200
        answered.set()
        assert posting.result().status == 201


def test_nothing_is_redacted_in_the_event_loop(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    served = serve()
    call = served.call
    call("POST", "/threads/ensure")
    threads: set[str] = set()
    at_once = Redactor.redact

    def noted(self: Redactor, text: str) -> str:
        threads.add(threading.current_thread().name.partition("-")[0])
        return at_once(self, text)

    monkeypatch.setattr(Redactor, "redact", noted)
    large = "pass word " * (FEW // 5)
    said = [
        ("/threads/default/messages", {"content": "small"}),
        ("/threads/default/messages", {"content": large}),
        (
            "/threads/default/messages",
            {"content": "small", "run": "r", "effects": [{"tool_id": "t", "tool_name": large}]},
        ),
        ("/threads", {"title": large[:3000]}),
        ("/threads/default/handoff", {"summary_markdown": large}),
        ("/boundary/ack", {"evidence": large}),
    ]
    for path, body in said:
        call("POST", path, body)
    call("POST", "/artifacts", data=large.encode())
    assert threads == {"writing"}

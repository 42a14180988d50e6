"""A session of Cline's command line version: one document, with its compaction beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from segue.agents import _document
from segue.agents._record import (
    At,
    by_name,
    items,
    millis,
    record,
    records,
    usage,
    whole,
    with_usage,
    word,
    words,
)
from segue.agents.cline import speech
from segue.errors import SegueError
from segue.model.entry import Entry

SUFFIX = ".messages.json"


def is_session(path: str) -> bool:
    return path.endswith(SUFFIX)


def name_of(path: str) -> str:
    return os.path.basename(path).removesuffix(SUFFIX)


def entries(path: str) -> Iterator[Entry]:
    document = _document.load(path)
    about = _beside(path, ".json")
    yield _meta(path, about)
    compaction = _beside(path, ".compaction.json")
    boundary = word(compaction.get("source_last_message_key")).removeprefix("id:")
    calls = speech.Calls()
    for number, message in enumerate(map(record, items(record(document.value).get("messages"))), 1):
        at = At(path, number, native_id=word(message.get("id")), time_ms=millis(message.get("ts")))
        yield from _message(at, message, calls)
        if boundary and boundary == at.native_id:
            yield from _compaction(path, compaction)
    if document.flaw:
        yield document.flaw


def _message(at: At, message: dict[str, Any], calls: speech.Calls) -> Iterator[Entry]:
    if message.get("role") == "user":
        for block in records(message.get("content")):
            if block.get("type") == "tool_result":
                yield from _result(at, block, calls)
        spoken = [block for block in records(message.get("content")) if block.get("type") != "tool_result"]
        yield from speech.of_user(at, spoken or word(message.get("content")), calls)
        return
    spent, model = record(message.get("metrics")), word(record(message.get("modelInfo")).get("id"))
    cost = usage(spent, "inputTokens", "outputTokens", "cacheReadTokens", "cacheWriteTokens")
    yield from with_usage(speech.of_agent(at, message.get("content"), calls), cost, model)


def _result(at: At, block: dict[str, Any], calls: speech.Calls) -> Iterator[Entry]:
    """A result is a text, or a list with one outcome for each thing asked."""
    call = calls.take(name=word(block.get("tool_use_id")))
    outcomes = records(block.get("content"))
    told = [outcome.get("success") for outcome in outcomes if isinstance(outcome.get("success"), bool)]
    text = "\n".join(
        words(outcome.get("result")) or words(outcome.get("error")) or words(outcome) for outcome in outcomes
    )
    failed = not all(told) if told else None
    yield from speech.result(at, call, text or words(block.get("content")), failed)


def _compaction(path: str, compaction: dict[str, Any]) -> Iterator[Entry]:
    file = path.removesuffix(SUFFIX) + ".compaction.json"
    for number, message in enumerate(records(compaction.get("messages")), 1):
        about = record(message.get("metadata"))
        if about.get("kind") == "compaction_summary":
            at = At(file, number, time_ms=millis(about.get("generatedAt")))
            text = word(about.get("summary")) or words(message.get("content"))
            yield from at.compaction(text, tokens_before=whole(about.get("tokensBefore")))


def _meta(path: str, about: dict[str, Any]) -> Entry:
    more = record(about.get("metadata"))
    return At(path, 1, time_ms=millis(about.get("started_at"))).meta(
        **by_name(name_of(path)),
        cwd=word(about.get("cwd")),
        title=word(more.get("title")),
        model=word(about.get("model")),
        agent_version=word(record(more.get("sessionHistoryOrigin")).get("version")),
        parent=word(about.get("parent_session_id")),
    )


def _beside(path: str, suffix: str) -> dict[str, Any]:
    try:
        return record(_document.load(path.removesuffix(SUFFIX) + suffix).value)
    except SegueError:
        return {}

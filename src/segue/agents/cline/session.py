"""A session of Cline's command line version: one document, with its compaction beside it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import msgspec

from segue.agents import _document
from segue.agents._record import At, items, millis, record, records, whole, word, words
from segue.agents._session_name import by_name
from segue.agents.cline import speech
from segue.errors import SegueError
from segue.model.entry import Entry, Usage

SUFFIX = ".messages.json"


def is_session(path: str) -> bool:
    return path.endswith(SUFFIX)


def name_of(path: str) -> str:
    return os.path.basename(path).removesuffix(SUFFIX)


def entries(path: str) -> Iterator[Entry]:
    document = _document.load(path)
    about = _beside(path, ".json")
    yield At(path, 1, time_ms=millis(about.get("started_at"))).entry(
        "meta", by="harness", **_meta(path, about)
    )
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
    usage, model = _usage(record(message.get("metrics"))), word(record(message.get("modelInfo")).get("id"))
    for entry in speech.of_agent(at, message.get("content"), calls):
        if usage and entry.kind in ("agent", "thought", "tool_call"):
            entry, usage = msgspec.structs.replace(entry, usage=usage, model=model), None
        yield entry


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
            yield at.entry(
                "compaction", by="harness", data={"tokens_before": whole(about.get("tokensBefore"))}
            )
            text = word(about.get("summary")) or words(message.get("content"))
            yield at.entry("summary", text, by="harness", via="summary")


def _meta(path: str, about: dict[str, Any]) -> dict[str, Any]:
    origin = record(record(about.get("metadata")).get("sessionHistoryOrigin"))
    facts = {
        **by_name(name_of(path)),
        "cwd": word(about.get("cwd")),
        "title": word(record(about.get("metadata")).get("title")),
        "model": word(about.get("model")),
        "agent_version": word(origin.get("version")),
        "parent": word(about.get("parent_session_id")),
    }
    data = {key: value for key, value in facts.items() if value}
    return {"cwd": data.get("cwd", ""), "data": data}


def _usage(metrics: dict[str, Any]) -> Usage | None:
    usage = Usage(
        input=whole(metrics.get("inputTokens")),
        output=whole(metrics.get("outputTokens")),
        cache_read=whole(metrics.get("cacheReadTokens")),
        cache_write=whole(metrics.get("cacheWriteTokens")),
    )
    return usage if usage != Usage() else None


def _beside(path: str, suffix: str) -> dict[str, Any]:
    try:
        return record(_document.load(path.removesuffix(SUFFIX) + suffix).value)
    except SegueError:
        return {}

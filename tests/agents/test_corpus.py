"""Real sessions are read whole: what people said, what was called, failed and compacted is all found.

The development corpus is not part of the repository; its manifest holds counts made by an independent
reader. Ours differ for reasons that can be counted: every cause below looks into the file, without our
readers, and says exactly by how much our count differs because of it. The causes of an agent hold for
all its files, so none of them excuses more than it explains.
"""

from __future__ import annotations

import csv
import json
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from segue.agents.locate import identify
from segue.agents.registry import READERS, reader
from segue.errors import BadInput

CORPUS = Path(__file__).parent.parent.parent.parent / "shared" / "corpus"
MANIFEST = CORPUS / "MANIFEST.tsv"
NAMES = {"specstory-md": "specstory"}
MEASURES = {"prompts": "user_turns", "calls": "tool_calls", "errors": "errors", "compactions": "compactions"}

pytestmark = pytest.mark.skipif(not MANIFEST.exists(), reason="the development corpus is not here")

Record = dict[str, Any]
Cause = Callable[[Path], int]


def records(path: Path) -> Iterator[Record]:
    """The objects of a JSONL file; two may share a line."""
    decoder = json.JSONDecoder()
    for line in path.read_text("utf-8").split("\n"):
        position = 0
        while position < len(line.rstrip()):
            value, position = decoder.raw_decode(line, position)
            yield value


def content(record: Record) -> list[Record]:
    """The blocks of a message in Anthropic's style."""
    found = (record.get("message") or {}).get("content")
    return [{"type": "text", "text": found}] if isinstance(found, str) else found or []


def text(blocks: list[Record]) -> str:
    return "\n".join(block.get("text") or "" for block in blocks).strip()


# Claude Code

NOT_TYPED = ("<command-", "<local-command-", "[Request interrupted", "<system-reminder>", "Caveat:")


def typed(record: Record) -> str:
    """The prompt that a line of Claude Code holds, empty if it is none."""
    blocks = content(record)
    ours = record.get("isMeta") or record.get("isCompactSummary") or record.get("isSidechain")
    if record["type"] != "user" or ours or any(block["type"] == "tool_result" for block in blocks):
        return ""
    words = text(blocks)
    return "" if words.startswith(NOT_TYPED) else words


def queued_and_never_a_line_of_their_own(path: Path) -> int:
    """A prompt typed while the agent works is in a queue operation or an attachment; the manifest counts
    user lines alone. Where it has such a line too, both count it once."""
    waiting: list[str] = []
    found = 0
    for record in records(path):
        attachment = record.get("attachment") or {}
        if record["type"] == "queue-operation" and record.get("content"):
            prompt = record["content"].strip()
            is_prompt = not re.match(r"<task-notification|/[\w:-]+(\s|$)", prompt)
            found += is_prompt
            waiting += [prompt] * is_prompt
        elif (
            attachment.get("type") == "queued_command"
            and attachment.get("commandMode") != "task-notification"
        ):
            prompt = attachment["prompt"]
            prompt = (prompt if isinstance(prompt, str) else text(prompt)).strip()
            found += prompt not in waiting
            waiting = [other for other in waiting if other != prompt]
        elif typed(record) in waiting:
            waiting.remove(typed(record))
            found -= 1
    return found


def left_behind_by_a_rewind(path: Path) -> int:
    """The manifest counts prompts of all branches, we those of the one that was gone on with."""
    lines = [record for record in records(path) if record.get("uuid") and not record.get("isSidechain")]
    known = {record["uuid"]: record for record in lines}
    at = next((r["uuid"] for r in reversed(lines) if r["type"] in ("user", "assistant")), None)
    active = set()
    while at in known and at not in active:
        active.add(at)
        at = known[at].get("parentUuid") or known[at].get("logicalParentUuid")
    # Where the chain is broken, in slices and hand-made samples, nothing can have been left behind.
    whole = at is None
    return -sum(whole and bool(typed(record)) and record["uuid"] not in active for record in lines)


def the_instructions_of_a_compaction(path: Path) -> int:
    """A file of the compaction call holds, as its only prompt, what the program asks of the model."""
    return -sum(
        text(content(r)).startswith("Your task is to create a detailed summary") for r in records(path)
    )


def calls_of_a_sidechain(path: Path) -> int:
    """Sidechains inside a session's file belong to sub-agents; the manifest counts them with the rest."""
    return -sum(block["type"] == "tool_use" for block in sidechain(path))


def errors_of_a_sidechain(path: Path) -> int:
    return -sum(block.get("is_error") is True for block in sidechain(path))


def sidechain(path: Path) -> list[Record]:
    if path.parent.name == "subagents":
        return []
    return [block for record in records(path) if record.get("isSidechain") for block in content(record)]


# Codex


def payloads(path: Path, kind: str) -> Iterator[Record]:
    """The payloads of one kind of record that are a thread's own."""
    for record in list(records(path))[copied(path) :]:
        if record.get("type") == kind:
            yield record["payload"]


def copied(path: Path) -> int:
    """How many records at the start of a fork are its parent's. Ids are times: a turn whose id is lower
    than the thread's was copied."""
    own = ""
    forked = False
    for number, record in enumerate(records(path)):
        payload = record.get("payload") or {}
        if record.get("type") == "session_meta":
            forked = forked or (bool(own) and payload["id"] != own)
            own = own or payload["id"]
        turn = payload.get("turn_id") or ""
        if payload.get("type") == "task_started" and len(turn) == len(own) and turn >= own:
            return number if forked else 0
    return 0


def inherited(matching: Callable[[Record], bool]) -> Cause:
    """What a fork's file repeats of its parent; the manifest counts it again in every fork."""
    return lambda path: -sum(map(matching, list(records(path))[: copied(path)]))


def is_prompt(record: Record) -> bool:
    return record["payload"].get("type") == "user_message"


def is_call(record: Record) -> bool:
    return record["payload"].get("type") in ("function_call", "custom_tool_call", "web_search_call")


def is_failure(record: Record) -> bool:
    """The manifest takes any number other than 0 after these words, wherever they stand, for a failure."""
    output = record["payload"].get("output")
    said = output if isinstance(output, str) else json.dumps(output)
    return (
        re.search(r"exited with code [1-9]|exit_code.{0,4}[1-9]|verification failed", said or "") is not None
    )


def an_approved_plan(path: Path) -> int:
    """The words Codex puts into a person's mouth who accepts a plan are an approval."""
    prompts = payloads(path, "event_msg")
    return -sum((prompt.get("message") or "").startswith("PLEASE IMPLEMENT THIS PLAN:") for prompt in prompts)


def prompts_without_an_event(path: Path) -> int:
    """The manifest counts events; a person's prompt may be there as an item alone, of the newer style."""
    items = (payload.get("item") or {} for payload in payloads(path, "event_msg"))
    return sum(item.get("type") == "UserMessage" for item in items)


def pictures_made(path: Path) -> int:
    """Making a picture is a call; the manifest does not know it."""
    return sum(item["type"] == "image_generation_call" for item in payloads(path, "response_item"))


def calls_that_could_not_be_made(path: Path) -> int:
    """The manifest knows a refused command and a refused patch, not a refused sub-agent or input."""
    outputs = (str(item.get("output") or "") for item in payloads(path, "response_item"))
    return sum(output.startswith(("collab spawn failed", "write_stdin failed")) for output in outputs)


def exit_codes_in_a_programs_words(path: Path) -> int:
    """A script that completed, and whose commands have no exit code, may print what a program says of
    another one's."""
    outputs = (json.dumps(item.get("output")) for item in payloads(path, "response_item"))
    return -sum(
        "Script completed" in output and "exit_code" not in output and "] exited with code 1" in output
        for output in outputs
    )


def boundaries_known_from_an_event(path: Path) -> int:
    """The manifest counts `compacted` records; a compaction may leave nothing but the event."""
    found, compacted = 0, False
    for record in records(path):
        kind = record["payload"].get("type")
        found += kind == "context_compacted" and not compacted
        compacted = (compacted or record["type"] == "compacted") and kind not in (
            "context_compacted",
            "task_started",
        )
    return found


# The others


def truncations(path: Path) -> int:
    """Copilot truncates where others compact: what came before is gone for the model."""
    return sum(record["type"] == "session.truncation" for record in records(path))


def requests_without_a_start(path: Path) -> int:
    """The manifest counts starts; a call may be there as a request and a result only."""
    asked, started = set(), set()
    for record in records(path):
        asked |= {request["toolCallId"] for request in record["data"].get("toolRequests") or []}
        started |= {record["data"]["toolCallId"]} if record["type"] == "tool.execution_start" else set()
    return len(asked - started)


def results_in_the_users_name(path: Path) -> int:
    """The manifest counts lines of the role user; some hold nothing but results of tools."""
    return -sum(
        record.get("role") == "user" and {block["type"] for block in content(record)} == {"tool_result"}
        for record in records(path)
    )


def exit_codes_told_in_words(path: Path) -> int:
    """Neither a flag nor a field: the output itself says that the command ended with another code than 0."""
    told = re.findall(
        r"\(exit code: [1-9]|Exit Code: [1-9]|Process exited with code [1-9]", path.read_text("utf-8")
    )
    return len(told)


def changes_shown_without_a_block(path: Path) -> int:
    """A file written or patched, shown as the agent's words: SpecStory wrote no block of a tool around it."""
    shown = re.findall(
        r"^_\*\*Agent[^\n]*\*\*_\n\n(?:\*\*(?:Add|Update|Delete): |```(?:ba|z)?sh\ncat >)",
        path.read_text("utf-8"),
        re.M,
    )
    return len(shown)


def exit_codes_beside_the_state(path: Path) -> int:
    """OpenCode calls a command completed that ended with another code than 0; the manifest's note counts
    them as `bash_nonzero_exit`."""
    return sum(
        part["type"] == "tool"
        and part["state"]["status"] == "completed"
        and (part["state"].get("metadata") or {}).get("exit") not in (0, None)
        for message in json.loads(path.read_text("utf-8"))["messages"]
        for part in message["parts"]
    )


def shown_to_the_person_alone(path: Path) -> int:
    """What a plugin writes in the person's name for the person to see is marked `ignored`."""
    return -sum(
        message["info"]["role"] == "user" and all(part.get("ignored") for part in message["parts"])
        for message in json.loads(path.read_text("utf-8"))["messages"]
    )


def steering(path: Path) -> int:
    """Words sent while the agent works are a queued prompt; the manifest counts `turn.prompt` alone."""
    return sum(record.get("type") == "turn.steer" for record in records(path))


def not_typed_in_qwen(path: Path) -> int:
    """The manifest counts lines of the role user, among them results of tools and notifications."""
    return -sum(
        (record.get("message") or {}).get("role") == "user"
        and (record["type"] == "tool_result" or record.get("subtype") == "notification")
        for record in records(path)
    )


def calls_in_parts(path: Path) -> int:
    """The manifest looks for calls in Anthropic's style; Qwen writes Gemini's."""
    return sum(
        "functionCall" in part
        for record in records(path)
        for part in (record.get("message") or {}).get("parts") or []
    )


def tracebacks(path: Path) -> int:
    """The manifest takes an observation that is a traceback for an error; nothing recorded says so."""
    steps = json.loads(path.read_text("utf-8"))["trajectory"]
    return -sum(step["observation"].startswith("Traceback") for step in steps)


def slash_commands(path: Path) -> int:
    """What a person tells Aider itself, or has it run in a shell, is no prompt."""
    return -len(re.findall(r"^#### /\w", path.read_text("utf-8"), re.M))


def commits(path: Path) -> int:
    """Aider commits by itself, which is a call of git; the manifest counts edits alone and notes commits."""
    return len(re.findall(r"^> Commit [0-9a-f]{7}", path.read_text("utf-8"), re.M))


def steps_that_act(path: Path) -> int:
    """Each step of Windsurf's that is neither the person's words nor the agent's is a call, of which the manifest
    knows none."""
    return sum(record["type"] not in ("user_input", "planner_response") for record in records(path))


def steps_that_failed(path: Path) -> int:
    return sum(record["status"] == "error" for record in records(path))


CAUSES: dict[tuple[str, str], tuple[Cause, ...]] = {
    ("claude-code", "prompts"): (
        queued_and_never_a_line_of_their_own,
        left_behind_by_a_rewind,
        the_instructions_of_a_compaction,
    ),
    ("claude-code", "calls"): (calls_of_a_sidechain,),
    ("claude-code", "errors"): (errors_of_a_sidechain,),
    ("codex", "prompts"): (inherited(is_prompt), an_approved_plan, prompts_without_an_event),
    ("codex", "calls"): (inherited(is_call), pictures_made),
    ("codex", "errors"): (
        inherited(is_failure),
        calls_that_could_not_be_made,
        exit_codes_in_a_programs_words,
    ),
    ("codex", "compactions"): (boundaries_known_from_an_event,),
    ("copilot-cli", "calls"): (requests_without_a_start,),
    ("copilot-cli", "compactions"): (truncations,),
    ("cursor", "prompts"): (results_in_the_users_name,),
    ("droid", "errors"): (exit_codes_told_in_words,),
    ("gemini-cli", "errors"): (exit_codes_told_in_words,),
    ("kimi-cli", "prompts"): (steering,),
    ("opencode", "prompts"): (shown_to_the_person_alone,),
    ("opencode", "errors"): (exit_codes_beside_the_state,),
    ("qwen-code", "prompts"): (not_typed_in_qwen,),
    ("qwen-code", "calls"): (calls_in_parts,),
    ("specstory", "calls"): (changes_shown_without_a_block,),
    ("specstory", "errors"): (exit_codes_told_in_words,),
    ("swe-agent", "errors"): (tracebacks,),
    ("windsurf", "calls"): (steps_that_act,),
    ("windsurf", "errors"): (steps_that_failed,),
    ("aider", "prompts"): (slash_commands,),
    ("aider", "calls"): (commits,),
}


def rows() -> list[dict[str, str]]:
    if not MANIFEST.exists():
        return []
    with MANIFEST.open(encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def names(agent: str) -> str:
    return NAMES.get(agent, agent)


KNOWN = [row for row in rows() if names(row["agent"]) in READERS]
UNKNOWN = [row for row in rows() if names(row["agent"]) not in READERS]
COUNTED = [
    row
    for row in KNOWN
    if any(row[column] not in ("", "0") for column in MEASURES.values())
    and "trimmed to the first" not in row["note"]
]
"""Rows whose counts are those of the file as it lies in the corpus: the manifest looks into no database
and no folder, and of a file that was cut it counts the whole."""


def number(row: dict[str, str]) -> str:
    return f"{row['agent']}-{rows().index(row)}"


def counts(path: str) -> Counter[str]:
    """What all sessions of a file hold."""
    found: Counter[str] = Counter()
    of = identify(path)[1]
    for session in of.sessions(path):
        for entry in of.read(path, session):
            found["prompts"] += (
                entry.kind == "user" and entry.by != "harness" and entry.via in ("prompt", "queued")
            )
            found["calls"] += entry.kind == "tool_call"
            found["errors"] += entry.kind == "tool_result" and entry.is_error is True
            found["compactions"] += entry.kind == "compaction"
            found["unreadable"] += entry.kind == "unreadable"
    return found


@pytest.mark.parametrize("row", KNOWN, ids=number)
def test_a_session_is_known_and_read_to_the_last_byte(row: dict[str, str]) -> None:
    path = str(CORPUS / row["file"])
    assert identify(path)[0] == names(row["agent"])
    assert counts(path)["unreadable"] == 0


@pytest.mark.parametrize("row", COUNTED, ids=number)
def test_counts_agree_with_an_independent_reader(row: dict[str, str]) -> None:
    path, agent = CORPUS / row["file"], names(row["agent"])
    found = counts(str(path))
    expected = {
        measure: int(row[column] or 0) + sum(cause(path) for cause in CAUSES.get((agent, measure), ()))
        for measure, column in MEASURES.items()
    }
    assert {measure: found[measure] for measure in MEASURES} == expected


@pytest.mark.parametrize("row", UNKNOWN, ids=number)
def test_a_session_of_an_unknown_program_is_refused_or_read(row: dict[str, str]) -> None:
    path = str(CORPUS / row["file"])
    try:
        agent, _ = identify(path)
    except BadInput as refused:
        assert "none of the" in refused.message or "program built on" in refused.message
    else:
        assert next(iter(reader(agent).read(path))).kind == "meta"

"""The agents' programs by name. What the real ones do when called so is shown by the suite of real clients."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from segue.errors import BadInput, Unavailable
from segue.llm.clis import CLIS
from segue.llm.contract import Answer
from segue.llm.registry import NAMED, model

STAND_IN = """#!/bin/sh
case "$*" in
  *--help*) echo '@HELP@' ;;
  "features list") printf '%s\\n' 'hooks stable true' 'shell_tool stable true' ;;
  *) printf '%s\\n' "$@" > '@SEEN@'; env > '@SEEN@.env'; cat > '@SEEN@.prompt'; echo '@ANSWER@' ;;
esac
"""


@pytest.fixture
def seen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where stand-ins for all the programs, first in the PATH, write how they were called."""
    place = tmp_path / "bin"
    place.mkdir()
    for cli in CLIS.values():
        install(place, cli.words.split()[0], f"{cli.needs} {cli.schema}", tmp_path / "seen")
    monkeypatch.setenv("PATH", f"{place}:{os.environ['PATH']}")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return tmp_path / "seen"


WRITTEN = {
    "claude": {
        "result": "written",
        "usage": {"input_tokens": 5, "cache_read_input_tokens": 6, "output_tokens": 7},
        "total_cost_usd": 0.25,
        "modelUsage": {"m-2026": {}},
    },
    "codex": {"type": "item.completed", "item": {"type": "agent_message", "text": "written"}},
    "gemini": {
        "response": "written",
        "stats": {"models": {"m-2026": {"tokens": {"prompt": 11, "candidates": 7}}}},
    },
}
"""What the programs print that do not print the text as it is."""


def install(place: Path, name: str, options: str, seen: Path, says: str = "", then: str = "") -> None:
    """A stand-in that prints, and goes on with a line of the shell."""
    written = json.dumps(WRITTEN[name]) if name in WRITTEN else "written"
    body = STAND_IN.replace("@HELP@", options).replace("@SEEN@", str(seen))
    body = body.replace("@ANSWER@'", f"{says or written}'{then and f'; {then}'}")
    (place / name).write_text(body)
    (place / name).chmod(0o755)


@pytest.mark.parametrize("name", CLIS)
def test_a_program_is_called_by_its_name_and_its_text_is_taken(name: str, seen: Path) -> None:
    assert model(f"{name}:some-model").write("the prompt").text.strip() == "written"
    assert "some-model" in seen.read_text().split()
    assert (seen.parent / "seen.prompt").read_text().endswith("the prompt")
    assert not any("{" in word and "}" in word for word in seen.read_text().splitlines())


def test_of_its_features_only_those_the_version_has_are_switched_off(seen: Path) -> None:
    model("codex").write("go")
    words = seen.read_text().split()
    assert [words[place + 1] for place, word in enumerate(words) if word == "--disable"] == [
        "hooks",
        "shell_tool",
    ]


def test_a_version_that_cannot_be_kept_pure_is_not_called(seen: Path, tmp_path: Path) -> None:
    install(tmp_path / "bin", "claude", "--tools --strict-mcp-config --no-session-persistence", seen)
    with pytest.raises(Unavailable, match="it has no --safe-mode"):
        model("claude").write("go")
    assert not seen.exists()


def test_a_session_that_asks_is_not_told_to_the_program(seen: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    model("claude").write("go")
    assert "CLAUDECODE" not in (seen.parent / "seen.env").read_text()


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("claude", Answer("written", 11, 7, 0.25, "m-2026")),
        ("gemini", Answer("written", 11, 7, None, "m-2026")),
        ("pi", Answer("written\n")),
    ],
)
def test_what_an_answer_took_is_told_where_the_program_tells_it(name: str, told: Answer, seen: Path) -> None:
    assert model(name).write("go") == told


def test_an_answer_in_a_list_or_after_a_warning_is_found(seen: Path, tmp_path: Path) -> None:
    listed = json.dumps([{"type": "system"}, WRITTEN["claude"]])
    install(tmp_path / "bin", "claude", CLIS["claude"].needs, seen, listed)
    assert model("claude").write("go").output_tokens == 7
    warned = f"(node) a warning\n{json.dumps(WRITTEN['gemini'], indent=1)}"
    install(tmp_path / "bin", "gemini", CLIS["gemini"].needs, seen, warned)
    assert model("gemini").write("go").text == "written"


def test_codex_tells_its_last_message_and_the_usage_at_the_end(seen: Path, tmp_path: Path) -> None:
    lines = [
        {"type": "item.completed", "item": {"type": "error", "message": "no metadata"}},
        {"type": "item.completed", "item": {"type": "agent_message", "text": "first"}},
        {"type": "item.completed", "item": {"type": "agent_message", "text": "last"}},
        {"type": "turn.completed", "usage": {"input_tokens": 11, "output_tokens": 7}},
    ]
    options = f"{CLIS['codex'].needs}"
    install(tmp_path / "bin", "codex", options, seen, "\n".join(map(json.dumps, lines)))
    assert model("codex").write("go") == Answer("last", 11, 7)


SCHEMA = {"type": "object", "properties": {"a {place}": {"type": "string"}}}


@pytest.mark.parametrize("name", CLIS)
def test_a_schema_goes_as_an_option_or_else_in_the_prompt(name: str, seen: Path) -> None:
    model(f"{name}:some-model").write("go", schema=SCHEMA)
    words, prompt = seen.read_text(), (seen.parent / "seen.prompt").read_text()
    option = CLIS[name].schema.split()[:1]
    assert all(word in words.split() for word in option)
    enforced = option and "{schema" in CLIS[name].schema
    assert (json.dumps(SCHEMA) in prompt) is not bool(enforced)
    if enforced and "{schema}" in CLIS[name].schema:
        assert json.dumps(SCHEMA) in words


def test_a_version_without_that_option_gets_the_schema_in_the_prompt(seen: Path, tmp_path: Path) -> None:
    install(tmp_path / "bin", "claude", CLIS["claude"].needs, seen)
    model("claude").write("go", schema=SCHEMA)
    assert "--json-schema" not in seen.read_text()
    assert json.dumps(SCHEMA) in (seen.parent / "seen.prompt").read_text()


def test_structured_output_is_the_text(seen: Path, tmp_path: Path) -> None:
    said = json.dumps({"result": "Done.", "structured_output": {"a": 1}})
    install(tmp_path / "bin", "claude", f"{CLIS['claude'].needs} --json-schema", seen, said)
    assert json.loads(model("claude").write("go", schema=SCHEMA).text) == {"a": 1}


@pytest.mark.parametrize("name", CLIS)
def test_a_system_text_of_the_caller_arrives_once(name: str, seen: Path) -> None:
    model(f"{name}:some-model").write("go", system="Speak of {model} and {place}.")
    told = [
        seen.read_text(),
        (seen.parent / "seen.prompt").read_text(),
        (seen.parent / "seen.env").read_text(),
    ]
    in_file = "{system_file}" in f"{CLIS[name].words}{CLIS[name].env}"
    assert sum(text.count("Speak of {model} and {place}.") for text in told) == (0 if in_file else 1)


@pytest.mark.parametrize(
    ("name", "says", "then", "code", "told"),
    [
        (
            "claude",
            {"result": "Credit balance is too low", "is_error": True},
            "exit 1",
            "unavailable",
            "Credit balance",
        ),
        (
            "claude",
            {"result": "Not it", "is_error": True, "api_error_status": 401},
            "exit 1",
            "not_signed_in",
            "login",
        ),
        (
            "claude",
            {"result": "Wait", "is_error": True, "api_error_status": 429},
            "exit 1",
            "rate_limited",
            "Wait",
        ),
        (
            "claude",
            {
                "result": "Long",
                "is_error": True,
                "api_error_status": 400,
                "terminal_reason": "prompt_too_long",
            },
            "exit 1",
            "too_large",
            "Long",
        ),
        ("claude", {"result": ["odd"]}, "", "unavailable", "odd"),
        ("claude", "no JSON", "echo broken >&2", "unavailable", "broken"),
        (
            "codex",
            {"type": "turn.failed", "error": {"message": "status 500"}},
            "exit 1",
            "unavailable",
            "status 500",
        ),
        (
            "codex",
            {"type": "turn.started"},
            "echo Error: sign in >&2; exit 1",
            "unavailable",
            "Error: sign in",
        ),
        (
            "gemini",
            "",
            'echo \'{"error": {"message": "Set an Auth method"}}\' >&2; exit 41',
            "not_signed_in",
            "login",
        ),
        ("gemini", {"error": {"message": "Quota"}}, "exit 1", "unavailable", "Quota"),
        ("pi", "half a", "echo No models available >&2; exit 1", "unavailable", "No models available"),
    ],
)
def test_why_there_is_no_text_is_told_apart_where_the_program_does(
    name: str, says: object, then: str, code: str, told: str, seen: Path, tmp_path: Path
) -> None:
    said = says if isinstance(says, str) else json.dumps(says)
    install(tmp_path / "bin", name, CLIS[name].needs, seen, said or " ", then)
    with pytest.raises(Unavailable, match=told) as fault:
        model(name).write("go")
    assert fault.value.code == code


def test_a_program_is_asked_for_its_options_once(seen: Path, tmp_path: Path) -> None:
    path = tmp_path / "bin" / "codex"
    path.write_text(path.read_text().replace("*--help*) ", f"*--help*) echo help >> '{tmp_path}/probes'; "))
    asked = model("codex")
    asked.write("go")
    asked.write("go")
    assert (tmp_path / "probes").read_text() == "help\n"


@pytest.mark.parametrize(
    ("name", "host", "stays"),
    [
        ("claude", "", False),
        ("llm:gpt", "", False),
        ("ollama:qwen3", "", True),
        ("ollama:qwen3", "127.0.0.1:11434", True),
        ("ollama:qwen3", "http://[::1]:11434", True),
        ("ollama:qwen3", "0.0.0.0", True),
        ("ollama:qwen3", ":11434", True),
        ("ollama:qwen3", "https://models.example:11434", False),
        ("ollama:qwen3", "http://models.example/", False),
        ("ollama:qwen3", "127.models.example", False),
        ("ollama:qwen3", "[", False),
        ("ollama:gpt-oss:120b-cloud", "", False),
        ("command:anything", "", True),
    ],
)
def test_a_model_tells_whether_a_prompt_leaves_this_machine(
    monkeypatch: pytest.MonkeyPatch, name: str, host: str, stays: bool
) -> None:
    monkeypatch.setenv("OLLAMA_HOST", host)
    assert (model(name).destination == "") is stays


def test_the_one_file_that_a_program_leaves_is_removed_and_no_other(seen: Path, tmp_path: Path) -> None:
    chats = tmp_path / "home" / ".gemini" / "tmp" / "project" / "chats"
    chats.mkdir(parents=True)
    (chats / "session-2026-01-01-01234567.jsonl").write_text("somebody's")
    body = (tmp_path / "bin" / "gemini").read_text()
    write = (
        'while [ $# -gt 0 ]; do [ "$1" = --session-id ] && id=$2; shift; done\n'
        f"short=$(echo $id | cut -c1-8); echo \"$id\" > '{chats}'/session-2026-$short.jsonl\n  "
    )
    (tmp_path / "bin" / "gemini").write_text(body.replace('echo \'{"response"', write + 'echo \'{"response"'))
    model("gemini").write("go")
    assert [path.read_text() for path in chats.iterdir()] == ["somebody's"]


@pytest.mark.parametrize("name", ["gpt-9", "command:", *NAMED])
def test_a_name_nobody_has_is_told_with_those_there_are(name: str) -> None:
    with pytest.raises(BadInput) as fault:
        model(name)
    assert "claude, codex, pi" in fault.value.hint and "ollama:NAME" in fault.value.hint

"""Over standard input and output: the right answer to every message, and nothing else on the wire."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, MODERN_PROTOCOL_VERSIONS

from segue.handoff.headings import DOCUMENT
from segue.model.frame import DRAFTED
from segue.service.sessions import lookup
from segue.service.workspace import Workspace
from segue.surfaces.mcp import protocol
from segue.surfaces.mcp.conversation import READ, Terms
from segue.surfaces.mcp.stdio import serve

from .conftest import Project, request

ME = {"name": "lighthouse", "version": "1"}
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": ME,
    "io.modelcontextprotocol/clientCapabilities": {},
}
NEW = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": ME}


def error(answer: dict[str, Any]) -> tuple[Any, int]:
    return answer["id"], answer["error"]["code"]


def test_the_revisions_are_those_of_the_official_sdk() -> None:
    assert protocol.HANDSHAKE == HANDSHAKE_PROTOCOL_VERSIONS
    assert protocol.STATELESS == MODERN_PROTOCOL_VERSIONS


@pytest.mark.parametrize("version", HANDSHAKE_PROTOCOL_VERSIONS)
def test_a_revision_we_speak_is_the_one_we_answer_in(bare: Project, version: str) -> None:
    (answer,) = bare.says(request("initialize", **{**NEW, "protocolVersion": version}))
    assert answer["result"]["protocolVersion"] == version
    assert answer["result"]["serverInfo"]["name"] == "segue"


@pytest.mark.parametrize("version", ["1999-01-01", "2027-01-01", None, 7])
def test_any_other_revision_is_answered_with_our_newest(bare: Project, version: Any) -> None:
    (answer,) = bare.says(request("initialize", **{**NEW, "protocolVersion": version}))
    assert answer["result"]["protocolVersion"] == "2025-11-25"


HOSTILE = {
    "no JSON": (b"{", None, protocol.PARSE_ERROR),
    "not UTF-8": (b'{"jsonrpc": "2.0", "id": "\xff"}', None, protocol.PARSE_ERROR),
    "a number": (b"7", None, protocol.INVALID_REQUEST),
    "not a number": (b"NaN", None, protocol.PARSE_ERROR),
    "null": (b"null", None, protocol.INVALID_REQUEST),
    "a tower of brackets": (b"[" * 100_000, None, protocol.PARSE_ERROR),
    "a number of a million digits": (b'{"id": ' + b"9" * 1_000_000 + b"}", None, protocol.PARSE_ERROR),
    "an empty batch": (b"[]", None, protocol.INVALID_REQUEST),
    "no version": (b'{"id": 1, "method": "ping"}', 1, protocol.INVALID_REQUEST),
    "no method": (b'{"jsonrpc": "2.0", "id": 1}', 1, protocol.INVALID_REQUEST),
    "a method that is a list": (b'{"jsonrpc": "2.0", "id": 1, "method": []}', 1, protocol.INVALID_REQUEST),
    "an id that is true": (
        b'{"jsonrpc": "2.0", "id": true, "method": "ping"}',
        None,
        protocol.INVALID_REQUEST,
    ),
    "an id that is null": (
        b'{"jsonrpc": "2.0", "id": null, "method": "ping"}',
        None,
        protocol.INVALID_REQUEST,
    ),
    "parameters that are a list": (
        b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}',
        1,
        protocol.INVALID_PARAMS,
    ),
    "an unknown method": (b'{"jsonrpc": "2.0", "id": 1, "method": "os/exec"}', 1, protocol.METHOD_NOT_FOUND),
    "a module as a method": (
        b'{"jsonrpc": "2.0", "id": 1, "method": "conversation:slow"}',
        1,
        protocol.METHOD_NOT_FOUND,
    ),
}


@pytest.mark.parametrize(("line", "request_id", "code"), HOSTILE.values(), ids=HOSTILE)
def test_a_bad_line_gets_its_code_and_the_next_one_its_answer(
    bare: Project, line: bytes, request_id: Any, code: int
) -> None:
    first, second = bare.says(line, request("ping", "after"))
    assert error(first) == (request_id, code)
    assert second == {"jsonrpc": "2.0", "id": "after", "result": {}}


def test_a_line_past_the_limit_is_refused_and_skipped(bare: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(protocol, "LARGEST", 1000)
    first, second = bare.says(b'{"x": "' + b"x" * 5000 + b'"}', request("ping"))
    assert error(first) == (None, protocol.INVALID_REQUEST)
    assert second["result"] == {}


PARAMETERS = {
    "a tool without a name": ("tools/call", {}),
    "a tool whose name is a number": ("tools/call", {"name": 7}),
    "an unknown tool": ("tools/call", {"name": "segue_draft_approve"}),
    "a cursor never given": ("tools/list", {"cursor": "../../etc"}),
    "a cursor that is a number": ("tools/list", {"cursor": 5}),
    "a negative cursor": ("prompts/list", {"cursor": "-1"}),
    "an unknown prompt": ("prompts/get", {"name": "../handoff"}),
    "a prompt's argument of the wrong type": ("prompts/get", {"name": "handoff", "arguments": {"goal": 1}}),
    "arguments of a prompt that are a list": ("prompts/get", {"name": "handoff", "arguments": ["x"]}),
    "a prompt's argument that is a book": (
        "prompts/get",
        {"name": "handoff", "arguments": {"goal": "x" * 9999}},
    ),
    "a resource without an address": ("resources/read", {}),
    "a level nobody knows": ("logging/setLevel", {"level": "loud"}),
    "a thread's place that is no number": ("resources/read", {"uri": "segue://threads/default?after_seq=x"}),
    "a thread that is too short": ("resources/read", {"uri": "segue://threads/.."}),
}


@pytest.mark.parametrize(("method", "params"), PARAMETERS.values(), ids=PARAMETERS)
def test_parameters_that_do_not_fit_are_refused(bare: Project, method: str, params: dict[str, Any]) -> None:
    (answer,) = bare.says(request(method, **params))
    assert error(answer) == (1, protocol.INVALID_PARAMS)


@pytest.mark.parametrize(
    "uri",
    ["file:///etc/passwd", "segue://handoff/current", "segue://nothing", f"segue://artifacts/{'0' * 64}", ""],
)
def test_a_resource_that_is_not_there_is_not_found(bare: Project, uri: str) -> None:
    (answer,) = bare.says(request("resources/read", uri=uri))
    assert error(answer) == (1, protocol.RESOURCE_NOT_FOUND)
    assert answer["error"]["data"]["hint"]


ARGUMENTS = {
    "a list": ("segue_thread_list", ["x"], "Arguments are an object."),
    "an unknown one": ("segue_thread_list", {"everything": True}, "unknown field"),
    "one of the wrong type": ("segue_thread_post", {"thread_id": 7, "content": "x"}, "Expected `str`"),
    "one missing": ("segue_thread_post", {"thread_id": "default"}, "missing required field"),
    "a negative offset": ("segue_thread_list", {"offset": -1}, "offset is a whole number"),
    "a limit that is true": ("segue_thread_list", {"limit": True}, "limit is a whole number"),
    "a file as a session": ("segue_session_show", {"session": "/etc/passwd"}, "not a session's id"),
    "a hidden one": (
        "segue_thread_post",
        {"thread_id": "default", "content": "x", "expect": 1},
        "does not take expect",
    ),
    "somebody else's place": ("segue_draft_write", {"text": "x", "directory": "/"}, "unknown field"),
}


@pytest.mark.parametrize(("tool", "arguments", "said"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_arguments_that_do_not_fit_are_told_with_a_hint(
    project: Project, tool: str, arguments: Any, said: str
) -> None:
    (answer,) = project.says(request("tools/call", name=tool, arguments=arguments))
    text = answer["result"]["content"][0]["text"]
    assert answer["result"]["isError"] and said.replace("`", "'") in text and "\nhint: " in text


def test_an_approval_in_disguise_is_refused(project: Project) -> None:
    given = {"approve": {"by": "me"}, "priority": "high"}
    told = project.calls("segue_change_update", tc_id=project.tc_id, wanted=given)
    assert told["isError"] and "does not take wanted.approve" in told["content"][0]["text"]
    told = project.calls("segue_change_close", tc_id=project.tc_id, approve_by="me")
    assert told["isError"] and "does not take approve_by" in told["content"][0]["text"]


def test_notifications_and_stray_responses_are_never_answered(bare: Project) -> None:
    assert (
        bare.says(
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}},
            {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": [7]},
            {"jsonrpc": "2.0", "method": "notifications/unheard_of"},
            {"jsonrpc": "2.0", "id": 4, "result": {}},
            b"",
        )
        == []
    )


def test_a_batch_is_answered_as_a_batch_by_revisions_that_know_it(bare: Project) -> None:
    old = request("initialize", **{**NEW, "protocolVersion": "2025-03-26"})
    answers = bare.says(old, [request("ping", 2), request("nothing", 3), {"jsonrpc": "2.0", "method": "x"}])
    assert [(one["id"], "error" in one) for one in answers[1]] == [(2, False), (3, True)]


def test_a_batch_in_a_batch_is_no_request(bare: Project) -> None:
    ((told,),) = bare.says(b"[[[[]]]]")
    assert error(told) == (None, protocol.INVALID_REQUEST)


def test_a_batch_is_refused_by_revisions_that_dropped_it(bare: Project) -> None:
    _, refused = bare.says(request("initialize", **NEW), [request("ping", 2)])
    assert error(refused) == (None, protocol.INVALID_REQUEST)


def test_a_request_that_stands_alone_is_answered_in_its_own_revision(bare: Project) -> None:
    (told,) = bare.says(request("tools/list", _meta=MODERN))
    assert told["result"]["resultType"] == "complete"
    assert told["result"]["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "segue"


def test_a_revision_from_the_future_is_told_which_ones_there_are(bare: Project) -> None:
    meta = {**MODERN, "io.modelcontextprotocol/protocolVersion": "2099-01-01"}
    (told,) = bare.says(request("server/discover", _meta=meta))
    assert error(told) == (1, protocol.UNSUPPORTED_VERSION)
    assert "2026-07-28" in told["error"]["data"]["supported"]


def test_what_an_agent_does_is_recorded_under_the_name_it_gives(project: Project) -> None:
    post = request(
        "tools/call", 2, name="segue_thread_post", arguments={"thread_id": "default", "content": "hi"}
    )
    project.says(request("initialize", **{**NEW, "clientInfo": {"name": "a\x1b[2J\nb " + "x" * 500}}), post)
    workspace = Workspace(project.root)
    frame = list(workspace.log.read(project.thread_id))[-1].data
    workspace.close()
    assert frame["origin"] == "mcp"
    assert frame["actor_id"].startswith("a [2J b xx") and len(frame["actor_id"]) == 80


@pytest.mark.parametrize(
    ("client", "above", "actor"),
    [
        ("Harbour Master", "", "claude-code"),
        ("user", "", "claude-code"),
        ("codex-mcp-client", "", "claude-code"),
        ("codex-mcp-client", "codex", "codex"),
    ],
)
def test_inside_an_agent_a_client_acts_under_the_name_of_that_agent(
    project: Project, monkeypatch: pytest.MonkeyPatch, client: str, above: str, actor: str
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    monkeypatch.setattr("segue.agents.inside.ancestors", lambda: iter([(77, above)] if above else []))
    post = request(
        "tools/call", 2, name="segue_thread_post", arguments={"thread_id": "default", "content": "hi"}
    )
    project.says(request("initialize", **{**NEW, "clientInfo": {"name": client}}), post)
    workspace = Workspace(project.root)
    frame = list(workspace.log.read(project.thread_id))[-1].data
    workspace.close()
    assert (frame["actor_id"], frame["origin"]) == (actor, "mcp")


def test_a_reader_is_offered_nothing_that_writes(bare: Project) -> None:
    terms = Terms(Workspace(bare.root), frozenset((READ,)))
    post = request(
        "tools/call", 3, name="segue_thread_post", arguments={"thread_id": "default", "content": "x"}
    )
    listed, prompts, refused = bare.says(request("tools/list"), request("prompts/list", 2), post, terms=terms)
    assert listed["result"]["tools"] and all(
        tool["annotations"]["readOnlyHint"] for tool in listed["result"]["tools"]
    )
    assert prompts["result"]["prompts"] == []
    assert error(refused) == (3, protocol.INVALID_PARAMS)


def test_reading_leaves_no_frame_and_no_workspace_behind(project: Project, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    calls = [
        ("segue_thread_list", {}),
        ("segue_session_list", {}),
        ("segue_change_list", {}),
        ("segue_status", {}),
    ]
    terms = Terms(Workspace(str(empty)))
    answers = project.says(
        *(request("tools/call", name=name, arguments=given) for name, given in calls),
        request("resources/list"),
        terms=terms,
    )
    assert [answer["result"].get("isError") for answer in answers] == [False, False, False, False, None]
    assert list(empty.iterdir()) == []


def test_a_request_cancelled_before_its_turn_is_never_begun(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun: list[str] = []
    source = Rendezvous()

    def listed(*given: Any, **named: Any) -> dict[str, Any]:
        begun.append("list")
        source.reached()
        return {"sessions": []}

    monkeypatch.setattr(lookup, "list_sessions", listed)
    first = request("tools/call", "first", name="segue_session_list")
    second = request("tools/call", "second", name="segue_session_list")
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "second"}}
    sink = io.BytesIO()
    serve(Terms(Workspace(project.root)), source.giving(first, second, cancel, request("ping", "p")), sink)
    answers = [json.loads(line)["id"] for line in sink.getvalue().splitlines()]
    assert (begun, answers) == (["list"], ["p", "first"])


def test_work_that_is_cancelled_stops_and_is_not_answered(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Rendezvous()
    steps: list[int] = []

    def listed(directory: str, agent: str | None, progress: Any) -> dict[str, Any]:
        source.reached()
        for step in range(3):
            steps.append(step)
            progress(step, 3, "x")
        return {"sessions": []}

    monkeypatch.setattr(lookup, "list_sessions", listed)
    work = request("tools/call", "work", name="segue_session_list")
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "work"}}
    sink = io.BytesIO()
    serve(Terms(Workspace(project.root)), source.giving(work, cancel, request("ping", "p")), sink)
    assert [json.loads(line)["id"] for line in sink.getvalue().splitlines()] == ["p"]
    assert steps == [0]


def test_progress_is_told_to_a_client_that_asked_and_only_grows(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    def listed(directory: str, agent: str | None, progress: Any) -> dict[str, Any]:
        for step in (1, 5, 3, 5, 9):
            progress(step, 9, "x")
        return {"sessions": []}

    monkeypatch.setattr(lookup, "list_sessions", listed)
    monkeypatch.setattr("segue.surfaces.mcp.caller._EVERY_S", 0)
    asked = request("tools/call", name="segue_session_list", _meta={"progressToken": "t"})
    *told, answer = project.says(asked, request("tools/call", 2, name="segue_session_list"))[:-1]
    assert [(one["params"]["progressToken"], one["params"]["progress"]) for one in told] == [
        ("t", 1),
        ("t", 5),
        ("t", 9),
    ]
    assert answer["id"] == 1


class Rendezvous:
    """A source of lines of which the worker has begun the first before the others are read, and goes on once all
    of them were."""

    def __init__(self) -> None:
        self._begun, self._read = threading.Event(), threading.Event()

    def reached(self) -> None:
        """The worker is at work."""
        self._begun.set()
        assert self._read.wait(20)

    def giving(self, *messages: Any) -> Any:
        lines = [json.dumps(message).encode() + b"\n" for message in messages]
        begun, read = self._begun, self._read

        class Source(io.BytesIO):
            def readline(self, size: int | None = -1, /) -> bytes:
                assert self.tell() == 0 or begun.wait(20)
                line = super().readline(-1 if size is None else size)
                if not line:
                    read.set()
                return line

        return Source(b"".join(lines))


def test_nothing_else_reaches_standard_output_and_the_end_of_input_ends_it(project: Project) -> None:
    lines = [
        request("initialize", **NEW),
        request("tools/call", 2, name="segue_handoff_draft", arguments={"goal": "finish", "budget": 800}),
    ]
    ran = subprocess.run(
        project.command(),
        input="".join(json.dumps(line) + "\n" for line in lines),
        env=project.environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stderr) == (0, "")
    assert [json.loads(line)["id"] for line in ran.stdout.splitlines()] == [1, 2]


def test_a_client_that_leaves_without_its_answers_is_no_failure(bare: Project) -> None:
    with subprocess.Popen(
        bare.command(),
        env=bare.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as server:
        assert server.stdin and server.stdout and server.stderr
        server.stdout.close()
        server.stdin.write(json.dumps(request("ping")).encode() + b"\n")
        server.stdin.close()
        assert (server.wait(60), server.stderr.read()) == (0, b"")


def test_an_unknown_toolset_is_named(bare: Project) -> None:
    ran = subprocess.run(
        bare.command("--toolsets", "magic"),
        env=bare.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "There is no toolset 'magic'." in ran.stderr


@pytest.mark.parametrize(("flags", "told"), [([], True), (["--workspace", "."], False)])
def test_who_set_a_server_for_the_commands_is_told_that_this_workspace_is_served(
    bare: Project, flags: list[str], told: bool
) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "segue", "mcp", *flags],
        input=json.dumps(request("ping")) + "\n",
        cwd=bare.root,
        env={**bare.environment, "SEGUE_SERVER": "http://127.0.0.1:7878"},
        capture_output=True,
        text=True,
    )
    assert json.loads(ran.stdout)["result"] == {}
    assert (f"serves {bare.root}" in ran.stderr and "http://127.0.0.1:7878/mcp" in ran.stderr) is told


def test_neither_its_environment_nor_its_name_makes_a_client_a_person(project: Project) -> None:
    document = "\n".join(f"## {name}\n\nThe lamp stays at 7 volts.\n" for name in DOCUMENT)
    messages = [
        request("initialize", **{**NEW, "clientInfo": {"name": "user"}}),
        request("tools/call", 2, name="segue_draft_write", arguments={"text": document}),
    ]
    ran = subprocess.run(
        project.command(),
        input="".join(json.dumps(one) + "\n" for one in messages),
        env={**project.environment, "SEGUE_BOUNDARY_APPROVAL": "auto"},
        capture_output=True,
        text=True,
        check=True,
    )
    told = json.loads(ran.stdout.splitlines()[-1])["result"]["structuredContent"]
    assert (told["written"], told["approval"]) == (True, "pending")
    workspace = Workspace(project.root)
    heads = workspace.log.heads()
    drafted = [f.data for head in heads for f in workspace.log.read(head.stream_id, types=[DRAFTED])]
    workspace.close()
    assert [frame["actor_id"] for frame in drafted] == ["agent"]

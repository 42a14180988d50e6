"""Inside an agent a handoff is of the session that asks for it, however many others are at work in the project."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from segue.agents.inside import Inside
from segue.handoff.headings import DOCUMENT
from segue.service.sessions.own import own
from segue.service.workspace import Workspace
from segue.stores.accepted import user_folder
from segue.stores.marks import Marks

CLAUDE_A, CLAUDE_B = "aaaaaaaa-0000-4000-8000-000000000001", "bbbbbbbb-0000-4000-8000-000000000002"
CODEX, PI = "cccccccc-0000-7000-8000-000000000003", "dddddddd-0000-7000-8000-000000000004"
TASKS = {CLAUDE_A: "uploads", CLAUDE_B: "billing", CODEX: "search", PI: "exports"}
INSIDE = {
    CLAUDE_A: {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": CLAUDE_A},
    CLAUDE_B: {"CLAUDECODE": "1", "CLAUDE_CODE_SESSION_ID": CLAUDE_B},
    CODEX: {"CODEX_CI": "1", "CODEX_THREAD_ID": CODEX},
    PI: {"PI_CODING_AGENT": "true", "PI_SESSION_ID": PI},
}
TOLD = {"pi": ("pi", PI), "claude": ("claude-code", CLAUDE_B)}
RICH = "\n".join(
    f"## {name}\n\n- Ported the loop in up.py; `pytest -q` printed 4 passed [#19].\n" for name in DOCUMENT
)


class Project:
    """A project in which four sessions of three agents are at work, and the home they keep their files in."""

    def __init__(self, folder: Path) -> None:
        self.home, self.root = folder / "home", folder / "project"
        self.root.mkdir()
        subprocess.run(["git", "init", "-q", str(self.root)], check=True)
        for session in (CLAUDE_A, CLAUDE_B):
            self._claude(session)
        self._codex()
        self._pi()

    def _written(self, path: str, *rows: dict[str, Any]) -> None:
        place = self.home / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def _claude(self, session: str) -> None:
        told = {"cwd": str(self.root), "sessionId": session, "version": "2.1.300", "isSidechain": False}
        said = [("user", f"Work on {TASKS[session]} in {TASKS[session]}.py"), ("assistant", "Started.")]
        rows = [
            {
                "type": role,
                "uuid": f"{session[:-1]}{place}",
                "parentUuid": f"{session[:-1]}{place - 1}" if place else None,
                "timestamp": f"2026-03-02T09:00:0{place}.000Z",
                "message": {"role": role, "content": [{"type": "text", "text": text}]},
                **told,
            }
            for place, (role, text) in enumerate(said)
        ]
        folder = str(self.root).replace("/", "-").replace("_", "-").replace(".", "-")
        self._written(f".claude/projects/{folder}/{session}.jsonl", *rows)

    def _codex(self) -> None:
        def row(kind: str, payload: dict[str, Any]) -> dict[str, Any]:
            return {"timestamp": "2026-03-02T09:00:01.000Z", "type": kind, "payload": payload}

        def said(role: str, kind: str, text: str) -> dict[str, Any]:
            return {"type": "message", "role": role, "content": [{"type": kind, "text": text}]}

        self._written(
            f".codex/sessions/2026/03/02/rollout-2026-03-02T09-00-00-{CODEX}.jsonl",
            row("session_meta", {"id": CODEX, "cwd": str(self.root), "cli_version": "0.166.0"}),
            row("response_item", said("user", "input_text", "Work on search in search.py")),
            row("event_msg", {"type": "user_message", "message": "Work on search in search.py"}),
            row("response_item", said("assistant", "output_text", "Started.")),
        )

    def _pi(self) -> None:
        def row(id: str, parent: str | None, role: str, text: str) -> dict[str, Any]:
            message = {"role": role, "content": [{"type": "text", "text": text}]}
            at = "2026-03-02T09:00:01.000Z"
            return {"type": "message", "id": id, "parentId": parent, "timestamp": at, "message": message}

        folder = str(self.root).strip("/").replace("/", "-")
        header = {"type": "session", "version": 3, "id": PI, "timestamp": "2026-03-02T09:00:00.000Z"}
        self._written(
            f".pi/agent/sessions/--{folder}--/2026-03-02T09-00-00-000Z_{PI}.jsonl",
            {**header, "cwd": str(self.root)},
            row("one", None, "user", "Work on exports in exports.py"),
            row("two", "one", "assistant", "The format is settled."),
            row("three", "two", "user", "Write it with pandas"),
            row("four", "three", "assistant", "pandas is too slow; I am stuck."),
        )

    def begin(
        self, *words: str, env: dict[str, str] | None = None, stdin: str = "", below: str = ""
    ) -> subprocess.Popen[str]:
        """Starts segue, below a process of the program `below` whose hook told of a session in `TOLD`."""
        clean = {**os.environ, "HOME": str(self.home), "XDG_CACHE_HOME": str(self.home / ".cache")}
        clean["XDG_CONFIG_HOME"] = os.path.dirname(user_folder())  # with the workspaces that a test made
        for name in ("CODEX_HOME", "CLAUDE_CONFIG_DIR"):
            clean.pop(name, None)
        program = [str(self._agent(below))] if below else []
        begun = subprocess.Popen(
            [*program, sys.executable, "-m", "segue", *words],
            cwd=self.root,
            env={**clean, **(env or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert begun.stdin is not None
        begun.stdin.write(stdin)
        begun.stdin.close()
        begun.stdin = None
        return begun

    def _agent(self, name: str) -> Path:
        """A program of an agent's name that marks itself as the process of a session, as hooks do, and runs what it is given."""
        host, session = TOLD[name]
        mark = self.root / ".segue" / "boundary" / f"runs-{host}-{session}"
        mark.parent.mkdir(exist_ok=True)
        place = self.home / name
        place.write_text(f"#!/bin/sh\nprintf '%s\\n%s' $$ {session} > {mark}\n\"$@\"\nexit $?\n")
        place.chmod(0o755)
        return place

    def run(
        self, *words: str, env: dict[str, str] | None = None, stdin: str = "", below: str = ""
    ) -> tuple[int, str, str]:
        begun = self.begin(*words, env=env, stdin=stdin, below=below)
        out, err = begun.communicate(timeout=60)
        return begun.returncode, out, err


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_sessions_that_hand_off_at_once_each_get_their_own(project: Project) -> None:
    begun = {
        session: project.begin("handoff", "go on", "--yes", "--json", env=env)
        for session, env in INSIDE.items()
    }
    for session, process in begun.items():
        out, err = process.communicate(timeout=120)
        assert process.returncode == 0, err
        made = json.loads(out)
        assert made["session_id"] == session
        named = [task for task in TASKS.values() if f"Work on {task}" in made["packet"]]
        assert named == [TASKS[session]]


def test_naming_the_own_agent_names_the_own_session(project: Project) -> None:
    for source in ("claude-code", "claude-code:"):
        code, out, err = project.run("handoff", "--from", source, "--dry-run", "--json", env=INSIDE[CLAUDE_A])
        assert (code, json.loads(out)["session_id"]) == (0, CLAUDE_A), err


def test_the_own_session_is_named_in_one_line(project: Project) -> None:
    _, _, err = project.run("handoff", "--dry-run", env=INSIDE[CLAUDE_A])
    assert err.startswith('segue: claude-code aaaaaaaa "Work on uploads in uploads.py"')


def asks_for_itself(project: Project) -> Path:
    """The transcript of a session whose last turn is the request for its handoff."""
    [path] = project.home.glob(f".claude/projects/*/{CLAUDE_A}.jsonl")
    last = json.loads(path.read_text().splitlines()[-1])
    typed = "<command-name>/handoff</command-name>\n<command-args>go on</command-args>"
    call = {"type": "tool_use", "id": "t1", "name": "Bash", "input": {"command": "segue handoff 'go on'"}}
    with path.open("a") as transcript:
        for place, (role, content) in enumerate([("user", typed), ("assistant", [call])], 2):
            here, before = f"{CLAUDE_A[:-1]}{place}", f"{CLAUDE_A[:-1]}{place - 1}"
            row = {
                "type": role,
                "uuid": here,
                "parentUuid": before,
                "message": {"role": role, "content": content},
            }
            transcript.write(json.dumps({**last, **row}) + "\n")
    return path


def test_the_last_messages_in_a_document_are_not_the_request_for_it(project: Project) -> None:
    path = asks_for_itself(project)
    _, document, err = project.run("handoff", "--format", "document", "--dry-run", env=INSIDE[CLAUDE_A])
    tail = document.partition("RECENT TAIL")[2]
    assert '"Started."' in tail and "handoff 'go on'" not in tail and "/handoff" not in tail, err
    project.run("thread", "ensure")
    told = {
        "session_id": CLAUDE_A,
        "transcript_path": str(path),
        "cwd": str(project.root),
        "trigger": "manual",
    }
    project.run("hook", "claude-code", "PreCompact", stdin=json.dumps(told))
    _, out, err = project.run("draft", "show", "--json")
    written = Path(json.loads(out)["current"]["path"]).read_text()
    assert '"Started."' in written and "handoff 'go on'" not in written and "/handoff" not in written, err


def test_a_session_that_is_named_is_the_one(project: Project) -> None:
    code, out, err = project.run("handoff", "--from", CODEX, "--dry-run", "--json", env=INSIDE[CLAUDE_A])
    assert (code, json.loads(out)["session_id"]) == (0, CODEX), err


def test_an_agent_that_does_not_tell_its_session_has_to_name_it(project: Project) -> None:
    code, out, err = project.run("handoff", "--dry-run", env={"GEMINI_CLI": "1"})
    assert (code, out) == (2, "")
    assert "This runs inside gemini-cli, which does not tell in which of its sessions." in err
    assert "--from" in err


def test_a_branch_ends_at_the_leaf_that_is_named(project: Project) -> None:
    _, whole, _ = project.run("handoff", "--dry-run", env=INSIDE[PI])
    code, branch, err = project.run("handoff", "--leaf", "two", "--dry-run", env=INSIDE[PI])
    assert code == 0, err
    assert "pandas" in whole and "The format is settled." in branch and "pandas" not in branch


def test_a_leaf_that_is_not_there_is_told(project: Project) -> None:
    code, _, err = project.run("handoff", "--leaf", "nine", "--dry-run", env=INSIDE[PI])
    assert code == 1 and "no record nine" in err


def test_a_draft_and_its_acknowledgement_are_of_the_own_session(project: Project) -> None:
    code, out, err = project.run("draft", "write", "-", "--json", env=INSIDE[CODEX], stdin=RICH)
    assert (code, json.loads(out)["written"]) == (0, True), err
    _, out, _ = project.run("draft", "show", "--json")
    waiting = json.loads(out)["pending"]
    assert (waiting["host"], waiting["session_id"]) == ("codex", CODEX)
    code, _, err = project.run("ack", env=INSIDE[CODEX])
    assert code == 1 and f"Session '{CODEX}' of codex was given no handoff" in err
    code, _, err = project.run("ack")
    assert code == 2 and "Nothing tells which session" in err


def drafted_by_tool(
    project: Project, client: str, env: dict[str, str], meta: dict[str, Any], below: str = ""
) -> Any:
    """What an agent gets that starts our MCP server, with this environment, and asks it for a draft."""
    hello = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": client, "version": "1"},
    }
    call = {"name": "segue_handoff_draft", "arguments": {"goal": "go on"}, "_meta": meta}
    asked = [("initialize", hello), ("tools/call", call)]
    lines = [
        json.dumps({"jsonrpc": "2.0", "id": place, "method": method, "params": params})
        for place, (method, params) in enumerate(asked)
    ]
    code, out, err = project.run("mcp", env=env, stdin="\n".join(lines) + "\n", below=below)
    assert code == 0, err
    return json.loads(out.splitlines()[-1])["result"]


@pytest.mark.parametrize(
    ("client", "env", "meta", "session"),
    [
        ("claude-code", INSIDE[CLAUDE_A], {}, CLAUDE_A),
        ("claude-code", INSIDE[CLAUDE_B], {}, CLAUDE_B),
        ("codex-mcp-client", {}, {"threadId": CODEX}, CODEX),
    ],
)
def test_a_tool_drafts_from_the_session_that_calls_it(
    project: Project, client: str, env: dict[str, str], meta: dict[str, Any], session: str
) -> None:
    assert drafted_by_tool(project, client, env, meta)["structuredContent"]["session_id"] == session


def test_a_tool_takes_no_session_that_its_caller_does_not_tell(project: Project) -> None:
    env = {"PI_CODING_AGENT": "true", "CLAUDE_CODE_SESSION_ID": CLAUDE_A}
    answer = drafted_by_tool(project, "pi", env, {})
    assert answer["isError"]
    told = answer["content"][0]["text"]
    assert "inside pi, which does not tell in which of its sessions" in told
    assert "`session`" in told and "`segue_session_list`" in told


def test_a_tool_takes_the_session_that_the_hook_of_its_caller_told(project: Project) -> None:
    Workspace(str(project.root)).establish()
    answer = drafted_by_tool(project, "pi", {"PI_CODING_AGENT": "true"}, {}, below="pi")
    assert answer["structuredContent"]["session_id"] == PI


def test_a_server_goes_along_when_its_agent_begins_another_session(project: Project) -> None:
    Workspace(str(project.root)).establish()
    answer = drafted_by_tool(project, "claude-code", INSIDE[CLAUDE_A], {}, below="claude")
    assert answer["structuredContent"]["session_id"] == CLAUDE_B


def test_a_session_that_another_process_left_behind_is_not_taken(project: Project) -> None:
    Workspace(str(project.root)).establish()
    code, _, err = project.run("handoff", "go", "--dry-run", env={"CLAUDECODE": "1"}, below="claude")
    assert code == 0 and CLAUDE_B[:8] in err
    code, _, err = project.run("handoff", "go", "--dry-run", env={"CLAUDECODE": "1"})
    assert code == 2 and "does not tell in which of its sessions" in err


def test_two_of_an_agent_that_tells_hooks_alone_are_told_apart_by_their_processes(
    project: Project, tmp_path: Path
) -> None:
    Workspace(str(project.root)).establish()
    agent = tmp_path / "gemini"
    code = "import sys; from segue.service.sessions.own import own; print(own(sys.argv[1]).session_id)"
    agent.write_text(
        "#!/bin/sh\nexport GEMINI_CLI=1\n"
        f'echo "$1" | {sys.executable} -m segue hook gemini-cli SessionStart >/dev/null\n'
        '(echo > "$3") & read met < "$2"\n'  # both have begun before either asks
        f"{sys.executable} -c '{code}' {project.root}/.segue\n"
    )
    agent.chmod(0o755)
    first, second = tmp_path / "first", tmp_path / "second"
    for pipe in (first, second):
        os.mkfifo(pipe)

    def begun(session: str, own: Path, other: Path) -> subprocess.Popen[str]:
        payload = json.dumps({"session_id": session, "cwd": str(project.root), "source": "startup"})
        words = [str(agent), payload, str(own), str(other)]
        return subprocess.Popen(words, cwd=project.root, stdout=subprocess.PIPE, text=True)

    processes = [begun("one", first, second), begun("two", second, first)]
    assert [process.communicate(timeout=60)[0].strip() for process in processes] == ["one", "two"]


def test_a_session_that_ended_is_nobodys_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GEMINI_CLI", "1")
    folder = str(Workspace(str(tmp_path)).establish().folder)
    monkeypatch.setattr("segue.agents.inside.above", lambda agents: [(agents[0], 77)])
    Marks(folder, "gemini-cli", "one").runs_in(77)
    assert own(folder) == Inside("gemini-cli", "one")
    Marks(folder, "gemini-cli", "two").runs_in(77)
    assert own(folder) == Inside("gemini-cli", "")
    Marks(folder, "gemini-cli", "one").over()
    assert own(folder) == Inside("gemini-cli", "two")

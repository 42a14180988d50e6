"""A job in the background runs until something shows that it ended."""

from __future__ import annotations

import pytest

from ..story import Story

SERVER = "uvicorn app:api --port 9000"


def begin(story: Story, command: str) -> None:
    name = story.call("Bash", "shell", command=command)
    story.add("tool_result", "in background", call_id=name, background=True, data={"task": "b7"})


@pytest.mark.parametrize(
    ("started", "ends"),
    [
        ("npm run dev", 'pkill -f "run dev" || true'),
        ("npm run dev", "killall node"),
        ("npx vite", "kill %1"),
        ("npx vite", 'kill "$SERVER_PID"'),
        (SERVER, "kill $(lsof -ti:9000)"),
        (SERVER, "lsof -ti tcp:9000 | xargs kill -9"),
        (SERVER, "kill $(pgrep -f uvicorn)"),
        (SERVER, "fuser -k 9000/tcp"),
        (SERVER, "npx kill-port 9000"),
        ("docker compose up", "docker compose down"),
        ("docker-compose up api", "docker-compose stop"),
        ("docker run --name pg postgres:16", "docker stop pg"),
        ("docker run --rm --name=pg postgres:16", "docker rm -f pg"),
    ],
)
def test_a_job_that_a_command_killed_no_longer_runs(story: Story, started: str, ends: str) -> None:
    begin(story, started)
    assert story.running == [started]
    story.run(ends)
    assert story.running == []


@pytest.mark.parametrize(
    ("command", "code"),
    [
        ("pkill -f webpack", 0),
        ("kill 3131", 0),
        ("kill -0 4242", 0),
        ("kill 4242", 1),
        ("docker stop pg", 0),
        ("docker compose down", 0),
        ("lsof -i :3000", 1),
        ("curl -s localhost:9000/health", 0),
    ],
)
def test_what_is_for_something_else_or_failed_ends_no_job(story: Story, command: str, code: int) -> None:
    begin(story, SERVER)
    story.run(command, "", code)
    assert story.running == [SERVER]


@pytest.mark.parametrize(
    ("look", "printed"),
    [
        ("ps aux | grep uvicorn", "me 4242 0.0 python uvicorn app:api --port 9000"),
        ("pgrep -f uvicorn", "4242"),
        ("lsof -i :9000", "COMMAND PID USER\npython 4242 me TCP *:9000 (LISTEN)"),
        ("cat server.pid", "4242"),
    ],
)
def test_a_job_is_killed_by_the_number_that_a_look_gave_for_it(story: Story, look: str, printed: str) -> None:
    begin(story, SERVER)
    story.run(look, printed)
    assert story.running == [SERVER]
    story.run("kill 4242")
    assert story.running == []


@pytest.mark.parametrize(
    ("look", "printed", "code"),
    [
        ("lsof -i :9000", "", 1),
        ("nc -z localhost 9000", "", 1),
        ("curl localhost:9000", "curl: (7) Failed to connect to localhost port 9000", 7),
    ],
)
def test_a_job_whose_port_is_free_no_longer_runs_unless_it_answers_later(
    story: Story, look: str, printed: str, code: int
) -> None:
    begin(story, SERVER)
    story.run(look, printed, code)
    assert story.running == []
    story.run("curl -s localhost:9000/health", "ok")
    assert story.running == [SERVER]


def test_what_a_line_leaves_running_is_a_job(story: Story) -> None:
    story.run(f"nohup {SERVER} > /tmp/u.log 2>&1 &\necho $!", "4242")
    assert story.running == [f"nohup {SERVER}"]
    story.run("kill 4242")
    assert story.running == []


@pytest.mark.parametrize("end", ["wait", "sleep 2; curl localhost:9000; kill %1", "kill $!"])
def test_what_a_line_waits_for_or_kills_is_no_job(story: Story, end: str) -> None:
    story.run(f"{SERVER} > /tmp/u.log 2>&1 &\n{end}", "")
    assert (story.running, story.states["uvicorn app:api 9000"]) == ([], "ok")


def test_of_several_jobs_only_the_one_meant_is_killed(story: Story) -> None:
    begin(story, SERVER)
    begin(story, "npm run dev -- --port 3000")
    story.run("kill $(lsof -ti:9000)")
    assert story.running == ["npm run dev -- --port 3000"]


@pytest.mark.parametrize(
    ("command", "output", "exit_code"),
    [
        ("ps -p 9134; tail -3 /tmp/bg.log", "    PID TTY          TIME CMD\nfull/200k   time: [11.8 s]", 0),
        ("ps -p 9134 -o pid,etime", "  PID     ELAPSED", 1),
        ("kill -0 9134", "bash: kill: (9134) - No such process", 1),
        ("pgrep -f 'cargo bench'", "", 1),
    ],
)
def test_a_job_that_is_looked_for_and_not_there_has_ended(
    story: Story, command: str, output: str, exit_code: int
) -> None:
    story.run("nohup cargo bench --bench full > /tmp/bg.log 2>&1 & echo $!", "9134\n")
    assert story.running == ["nohup cargo bench --bench full"]
    story.run("ps -p 9134", "    PID TTY          TIME CMD\n   9134 pts/0    00:01:10 cargo")
    assert story.running == ["nohup cargo bench --bench full"]
    story.run(command, output, exit_code)
    assert story.running == []


def test_a_poll_of_a_running_command_is_no_second_run(story: Story) -> None:
    name = story.call("exec", "shell", command="make test")
    story.add("tool_result", "still going", call_id=name, background=True)
    story.add(
        "tool_call", tool="wait", tool_kind="shell", call_id=name, command="make test", data={"resumes": name}
    )
    story.add("tool_result", "3 passed in 1s", call_id=name, exit_code=0, is_error=False)
    (run,) = story.index.commands
    assert (run.runs, run.state, run.last_ok.outcome) == (1, "ok", "3 passed in 1s")


def test_a_command_still_running_at_the_end_is_told(story: Story) -> None:
    begin(story, "make serve")
    assert story.running == ["make serve"]


def test_a_job_in_the_background_is_told_once(story: Story) -> None:
    begin(story, "npm run serve")
    story.run("ls", "")
    assert story.running == ["npm run serve"]
    assert story.index.in_flight is None


def test_a_job_that_was_only_started_has_not_worked_yet(story: Story) -> None:
    name = story.call("Bash", "shell", command="npm run serve")
    story.add("tool_result", "in background", call_id=name, background=True, exit_code=0, is_error=False)
    assert [(c.key, c.last_ok) for c in story.index.commands] == [("npm run serve", None)]
    assert story.running == ["npm run serve"]


@pytest.mark.parametrize("tool", ["KillShell", "KillBash", "TaskStop"])
def test_a_job_that_a_tool_stopped_no_longer_runs(story: Story, tool: str) -> None:
    begin(story, "npm run dev")
    story.call(tool, "other", text='{"shell_id":"b8"}')
    story.add("tool_result", "stopped b8", call_id="c2", is_error=False)
    assert story.running == ["npm run dev"]
    story.call(tool, "other", text='{"shell_id":"b7"}')
    story.add("tool_result", "stopped b7", call_id="c3", is_error=False)
    assert story.running == []


def test_a_job_that_was_killed_by_its_name_no_longer_runs(story: Story) -> None:
    begin(story, "npm run dev")
    story.run('pkill -f "npm run web"')
    assert story.running == ["npm run dev"]
    story.run('pkill -f "npm run dev"')
    assert story.running == []


@pytest.mark.parametrize("tool", ["BashOutput", "TaskOutput"])
def test_a_job_whose_output_says_how_it_ended_is_a_run_that_ended(story: Story, tool: str) -> None:
    begin(story, "pytest")
    story.call(tool, "other", text='{"bash_id":"b7"}')
    story.add("tool_result", "<status>running</status>", call_id="c2", is_error=False)
    assert story.running == ["pytest"]
    story.call(tool, "other", text='{"bash_id":"b7"}')
    ended = "<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<stdout>\n3 passed in 0.1s\n</stdout>"
    story.add("tool_result", ended, call_id="c3", exit_code=0, is_error=False)
    assert story.running == []
    assert story.claims == [("tested", "`pytest` passed — 3 passed in 0.1s")]


@pytest.mark.parametrize(
    ("status", "code", "state"), [("completed", 0, "ok"), ("failed", 2, "open"), ("killed", None, "running")]
)
def test_a_notice_tells_how_a_job_ended(story: Story, status: str, code: int | None, state: str) -> None:
    begin(story, "make test")
    data = {"task": "b7", "status": status}
    story.add("user", "it ended", by="harness", via="notification", exit_code=code, data=data)
    assert story.running == []
    assert [(run.command, run.state) for run in story.index.commands] == [("make test", state)]


def test_what_a_job_printed_is_read_after_the_notice_of_its_end(story: Story) -> None:
    begin(story, "pytest")
    data = {"task": "b7", "status": "completed"}
    story.add("user", "it ended", by="harness", via="notification", exit_code=0, data=data)
    story.call("TaskOutput", "other", text='{"task_id":"b7"}')
    ended = "<status>completed</status>\n\n<exit_code>0</exit_code>\n\n<output>\n3 passed in 0.1s\n</output>"
    line = story.add("tool_result", ended, call_id="c2", exit_code=0, is_error=False)
    assert [(c.text, c.evidence[0].line) for c in story.index.claims] == [
        ("`pytest` passed — 3 passed in 0.1s", line)
    ]


def test_what_was_left_running_has_not_worked_before_it_ended(story: Story) -> None:
    begun = story.run("nohup python train.py > log.txt 2>&1 & echo $!", "4411")
    assert story.index.commands == ()
    story.run("kill 4411")
    assert [(c.command, c.last_ok.evidence.line) for c in story.index.commands] == [
        ("nohup python train.py", begun)
    ]

"""A job in the background runs until something shows that it ended."""

from __future__ import annotations

import pytest

from .story import Story


def running(story: Story) -> list[str]:
    return [job.text for job in story.index.background]


def begin(story: Story, command: str, printed: str = "") -> None:
    story.prompt("go")
    name = story.call("Bash", "shell", command=command)
    story.add("tool_result", printed, call_id=name, background=True)


SERVER = "uvicorn app:api --port 9000"


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
    assert running(story) == [started]
    story.run(ends)
    assert running(story) == []


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
    assert running(story) == [SERVER]


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
    story.run("kill 4242")
    assert running(story) == []


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
    assert running(story) == []
    story.run("curl -s localhost:9000/health", "ok")
    assert running(story) == [SERVER]


def test_what_a_line_leaves_running_is_a_job(story: Story) -> None:
    story.prompt("go")
    story.run(f"nohup {SERVER} > /tmp/u.log 2>&1 &\necho $!", "4242")
    assert running(story) == [f"nohup {SERVER}"]
    story.run("kill 4242")
    assert running(story) == []


@pytest.mark.parametrize("end", ["wait", "sleep 2; curl localhost:9000; kill %1", "kill $!"])
def test_what_a_line_waits_for_or_kills_is_no_job(story: Story, end: str) -> None:
    story.prompt("go")
    story.run(f"{SERVER} > /tmp/u.log 2>&1 &\n{end}", "")
    assert running(story) == []


def test_of_several_jobs_only_the_one_meant_is_killed(story: Story) -> None:
    begin(story, SERVER)
    begin(story, "npm run dev -- --port 3000")
    story.run("kill $(lsof -ti:9000)")
    assert running(story) == ["npm run dev -- --port 3000"]


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
    story.prompt("go")
    story.run("nohup cargo bench --bench full > /tmp/bg.log 2>&1 & echo $!", "9134\n")
    assert len(story.index.background) == 1
    story.run("ps -p 9134", "    PID TTY          TIME CMD\n   9134 pts/0    00:01:10 cargo")
    assert len(story.index.background) == 1
    story.run(command, output, exit_code)
    assert story.index.background == ()

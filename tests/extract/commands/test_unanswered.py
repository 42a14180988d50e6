"""A look that nothing answered is open until something of its kind went well; one that found nothing is no failure."""

from __future__ import annotations

import pytest

from ..story import Story

REFUSED = "ERROR: connection refused by the other side"


@pytest.mark.parametrize(
    ("command", "output", "key"),
    [
        ("docker ps", "Cannot connect to the Docker daemon at unix:///var/run/docker.sock.", "docker ps"),
        (
            "kubectl get pods",
            "The connection to the server localhost:8080 was refused - did you specify the right host?",
            "kubectl get pods",
        ),
        ("redis-cli ping", "Could not connect to Redis at 127.0.0.1:6379", "redis-cli ping"),
        ("nc -z db 5432", "nc: connect to db port 5432 (tcp) failed: No route to host", "nc db 5432"),
        ("aws s3 ls", "Unable to locate credentials. You can configure credentials.", "aws s3 ls"),
        (
            "systemctl status nginx",
            "○ nginx.service - A web server\n     Loaded: loaded\n     Active: inactive (dead)",
            "systemctl status nginx",
        ),
        ("psql -c 'select 1'", "psql: error: connection refused", "psql"),
        (r"psql -c '\dt'", "psql: error: connection refused", r"psql \dt"),
        ("mysql -uroot -e 'select 1'", "ERROR 1045 (28000): Access denied for user root", "mysql"),
        ("cd api && psql -c 'select 1'", "psql: error: connection refused", "psql"),
    ],
)
def test_a_look_that_nothing_answered_is_open(story: Story, command: str, output: str, key: str) -> None:
    story.run(command, output, 1)
    story.says("It does not answer.")
    assert story.states == {key: "open"}


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("grep -rn 'connection refused' src", ""),
        ("diff a.log b.log", "< connection refused"),
        ("pgrep nginx", ""),
        ("npm ls left-pad", "app@1.0.0\n└── (empty)"),
        ("psql -c 'select nme from users'", 'ERROR:  column "nme" does not exist'),
    ],
)
def test_a_look_that_found_nothing_is_none(story: Story, command: str, output: str) -> None:
    story.run(command, output, 1)
    assert "open" not in story.states.values()


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        ("docker ps", "docker compose up -d"),
        ("kubectl get pods", "kubectl get services"),
        ("psql -c 'select 1'", "psql -c 'select 1'"),
        ("psql -c 'select 1'", "psql -h localhost -c 'select 2'"),
        ("psql -c 'select 1'", "psql -f schema.sql"),
        ("systemctl status nginx", "systemctl restart nginx"),
        ("nc -z db 5432", "nc -zv db 5432"),
    ],
)
def test_what_answers_since_is_open_no_more(story: Story, failed: str, later: str) -> None:
    story.run(failed, REFUSED, 1)
    story.run(later, "", 0)
    assert "open" not in story.states.values()


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        ("docker ps", "kubectl get pods"),
        ("systemctl status nginx", "systemctl status postgresql"),
        ("nc -z db 5432", "nc -z cache 6379"),
        ("psql -c 'select 1'", "git status"),
    ],
)
def test_what_something_else_answers_is_open_still(story: Story, failed: str, later: str) -> None:
    story.run(failed, REFUSED, 1)
    story.run(later, "", 0)
    assert "open" in story.states.values()


def test_a_statement_that_was_answered_is_not_told_among_the_commands(story: Story) -> None:
    story.run("psql -c 'select 1'", REFUSED, 2)
    story.run("psql -c 'select 1'", " 1\n(1 row)", 0)
    assert story.states == {}

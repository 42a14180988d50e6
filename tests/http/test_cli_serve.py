"""`segue serve` from the command line: tokens, and what it refuses before it listens."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from ..conftest import Run
from .processes import Process


def test_tokens_are_made_listed_and_revoked(segue: Run) -> None:
    made = segue("serve", "token", "create", "ci", "--scope", "read", "--expires", "30d", "--json").json
    assert (made["name"], made["scope"], made["expired"]) == ("ci", "read", False)
    assert made["token"].startswith("segue_")
    listed = segue("serve", "token", "list", "--json").json["tokens"]
    assert [row["name"] for row in listed] == ["ci"]
    assert made["token"] not in str(listed)
    assert "sha256" not in listed[0]
    assert segue("serve", "token", "revoke", "ci").code == 0
    assert segue("serve", "token", "list").out == "No tokens yet.\n"


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["token", "create"], 2, "Which token"),
        (["token", "create", "a", "--scope", "root"], 2, "--scope"),
        (["token", "create", "a", "--expires", "soon"], 2, "length of time"),
        (["token", "revoke", "nobody"], 1, "no token"),
        (["--host", "0.0.0.0"], 4, "needs a token"),
        (["--host", "0.0.0.0", "--no-token"], 4, "needs a token"),
        (["--port", "99999"], 2, "port"),
        (["--host", "no.such.host.invalid", "--no-token"], 4, "needs a token"),
        (["--workspace", "a=.", "--workspace", "a=."], 2, "name"),
        (["--workspace", "a b=."], 2, "name"),
        (["--workspace", "nowhere-at-all"], 1, "no directory"),
    ],
)
def test_what_cannot_be_served_is_refused_with_a_sentence(
    segue: Run, words: list[str], code: int, said: str
) -> None:
    ran = segue("serve", *words)
    assert (ran.code, said in ran.err) == (code, True), ran.err
    assert "hint: " in ran.err


def test_a_port_in_use_is_named(segue: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = segue("serve", "--port", str(taken.getsockname()[1]))
    assert ran.code == 5
    assert "cannot be listened on" in ran.err


def test_a_server_says_where_it_is_and_the_token_of_its_run(tmp_path: Path) -> None:
    root = tmp_path / "work"
    root.mkdir()
    server = Process(root)
    try:
        assert server.told["url"] == f"http://127.0.0.1:{server.port}"
        assert server.told["workspaces"] == ["default"]
        assert server.told["token"].startswith("segue_")
    finally:
        server.kill()

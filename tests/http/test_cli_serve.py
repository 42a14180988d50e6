"""`segue serve` from the command line: tokens, and what it refuses before it listens."""

from __future__ import annotations

import re
import resource
import socket
from pathlib import Path

import pytest

from segue.service import tokens
from segue.surfaces.cli import app, parsing
from segue.surfaces.http import serving

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
    assert segue("serve", "token", "list").out.startswith("No tokens yet")


def test_a_list_of_tokens_says_what_each_may_and_until_when(
    segue: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tokens, "now_ms", lambda: 1_800_000_000_000)
    segue("serve", "token", "create", "ci", "--scope", "read", "--workspace", "checkout", "--expires", "30d")
    segue("serve", "token", "create", "laptop")
    segue("serve", "token", "create", "gone", "--expires", "1h")
    monkeypatch.setattr(tokens, "now_ms", lambda: 1_800_010_000_000)
    assert segue("serve", "token", "list").out.splitlines() == [
        "ci      read   checkout        expires 2027-02-14 08:00Z",
        "laptop  write  all workspaces  never expires",
        "gone    write  all workspaces  expired 2027-01-15 09:00Z",
    ]
    assert segue("serve", "token", "list", "ci").out.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["token", "create"], 2, "Which token"),
        (["token", "create", "a", "--scope", "root"], 2, "--scope"),
        (["token", "create", "a", "--expires", "soon"], 2, "length of time"),
        (["token", "revoke", "nobody"], 1, "no token"),
        (["token", "list", "nobody"], 1, "no token"),
        (["--host", "0.0.0.0"], 4, "needs a token"),
        (["--host", "0.0.0.0", "--no-token"], 4, "needs a token"),
        (["--port", "99999"], 2, "port"),
        (["--cors", "*", "--no-token"], 4, "every page"),
        (["--cors", "board.example"], 2, "not an origin"),
        (["--cors", "https://board.example/"], 2, "not an origin"),
        (["--cors", "null"], 2, "not an origin"),
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


def test_a_name_is_given_once(segue: Run) -> None:
    assert segue("serve", "token", "create", "ci").code == 0
    again = segue("serve", "token", "create", "ci")
    assert (again.code, "segue serve token revoke ci" in again.err) == (2, True)


@pytest.mark.parametrize(
    "words",
    [
        ["serve"],
        ["serve", "token", "list"],
        ["mcp"],
        ["demo"],
        ["store", "copy"],
        ["install", "pi"],
        ["uninstall"],
    ],
)
def test_a_command_about_this_machine_has_no_server(segue: Run, words: list[str]) -> None:
    for ran in (
        segue(*words, "--server", "http://127.0.0.1:1"),
        segue("--server", "http://127.0.0.1:1", *words),
    ):
        assert (ran.code, "works on this machine" in ran.err) == (2, True)


@pytest.mark.parametrize("noun", sorted(parsing.LOCAL))
def test_a_command_about_this_machine_offers_no_server(noun: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        app.run([noun, "--help"])
    assert "--server" not in capsys.readouterr().out


@pytest.mark.parametrize("words", [["demo"], ["serve", "token", "list"], ["install", "pi", "--dry-run"]])
def test_a_server_in_the_environment_leaves_commands_about_this_machine_alone(
    segue: Run, words: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SEGUE_SERVER", "http://127.0.0.1:1")
    assert segue(*words).code == 0


def test_a_port_in_use_is_named(segue: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        ran = segue("serve", "--port", str(taken.getsockname()[1]))
    assert ran.code == 5
    assert "cannot be listened on" in ran.err


def test_a_server_may_have_as_many_connections_as_its_user_may(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, tuple[int, int]]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: (1024, 20_000))
    monkeypatch.setattr(resource, "setrlimit", lambda *limit: asked.append(limit))
    serving._allow_many_connections()
    assert asked == [(resource.RLIMIT_NOFILE, (20_000, 20_000))]


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


def test_the_servers_of_the_deployment_page_are_where_its_proxies_look_for_them() -> None:
    page = (Path(__file__).parents[2] / "docs" / "how-to" / "deployment.md").read_text()
    team = page.partition("## A team")[2].partition("### Rights in PostgreSQL")[0]
    servers = [line for line in team.splitlines() if line.startswith("segue serve --port")]
    listening = {line.split()[3] for line in servers}
    nginx, caddy = team.partition("### nginx")[2].split("### Caddy")
    assert len(listening) == 2
    assert set(re.findall(r"127\.0\.0\.1:(\d+)", nginx)) == listening
    assert set(re.findall(r"127\.0\.0\.1:(\d+)", caddy)) == listening
    (made,) = [line for line in team.splitlines() if line.startswith("segue serve token create")]
    assert {line.partition("--tokens ")[2].split()[0] for line in (*servers, made)} == {
        "/srv/segue/tokens.json"
    }

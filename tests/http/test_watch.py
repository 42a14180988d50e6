"""What an operator sees: whether the stores answer, and numbers without contents."""

from __future__ import annotations

from pathlib import Path

import pytest

from segue.service import tokens

from .conftest import Serve, Served


@pytest.fixture
def served(serve: Serve) -> Served:
    served = serve()
    served.call("POST", "/threads/ensure")
    served.call("POST", "/threads/default/messages", {"content": "a most private thought"})
    served.call("GET", "/threads/default")
    served.call("GET", "/nowhere")
    return served


def lines(served: Served) -> list[str]:
    return served.call("GET", "/metrics").body.decode().splitlines()


def test_metrics_count_requests_appends_and_what_they_took(served: Served) -> None:
    told = lines(served)
    for line in (
        'segue_requests_total{operation="thread.post",status="201"} 1',
        'segue_requests_total{operation="thread.show",status="200"} 1',
        'segue_requests_total{operation="none",status="404"} 1',
        'segue_request_seconds_bucket{le="+Inf"} 4',
        "segue_request_seconds_count 4",
        "segue_commit_appends_sum 2.000000",
        "segue_commit_appends_count 2",
        'segue_followers{workspace="default"} 0',
        'segue_store_up{workspace="default",kind="log"} 1',
        'segue_store_up{workspace="default",kind="artifacts"} 1',
    ):
        assert line in told
    assert "private" not in "".join(told)


def test_a_token_of_one_workspace_sees_its_names_and_numbers_alone(serve: Serve, tmp_path: Path) -> None:
    path = str(tmp_path / "keys" / "tokens.json")
    secrets = {name: tokens.create(path, name, "read", name)[1] for name in ("blue", "green", "red")}
    _, everywhere = tokens.create(path, "all", "write")
    for name in ("blue", "green"):
        (tmp_path / name).mkdir()
    call = serve(tokens=path, workspaces={name: str(tmp_path / name) for name in ("blue", "green")}).call
    for _ in range(3):
        call("POST", "/workspaces/green/threads", {}, token=everywhere)
    call("GET", "/status", token=everywhere)
    seen = {
        name: call("GET", "/metrics", token=secret).body.decode()
        for name, secret in {**secrets, "all": everywhere}.items()
    }
    created = 'segue_requests_total{operation="thread.create",status="201"} 3'
    status = 'segue_requests_total{operation="status",status="200"} 1'
    for name, visible, hidden in (("blue", status, created), ("green", created, status)):
        other = "green" if name == "blue" else "blue"
        assert visible in seen[name] and f'segue_followers{{workspace="{name}"}}' in seen[name]
        assert hidden not in seen[name] and other not in seen[name]
    assert "segue_commit_appends_count 0" in seen["blue"]
    assert created in seen["all"] and status in seen["all"]
    assert "another workspace" in seen["red"]


def test_metrics_want_a_token_and_health_wants_none(served: Served) -> None:
    assert served.call("GET", "/metrics", token=None).status == 401
    assert served.call("GET", "/healthz", token=None).json == {"status": "ok"}

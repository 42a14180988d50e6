"""What an operator sees: whether the stores answer, and numbers without contents."""

from __future__ import annotations

import pytest

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


def test_metrics_want_a_token_and_health_wants_none(served: Served) -> None:
    assert served.call("GET", "/metrics", token=None).status == 401
    assert served.call("GET", "/healthz", token=None).json == {"status": "ok"}

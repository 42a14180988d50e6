"""Nobody comes in without a token that is known, fresh and wide enough."""

from __future__ import annotations

import io
import os
import stat
from pathlib import Path

import pytest

from segue.errors import BadInput, NotFound, Refused, Unavailable
from segue.service import tokens
from segue.surfaces.http.serving import Options, Serving

from .conftest import Serve


@pytest.fixture
def path(tmp_path: Path) -> str:
    return str(tmp_path / "keys" / "tokens.json")


@pytest.mark.parametrize(
    ("scope", "allowed"),
    [("read", [200, 403, 403]), ("write", [200, 200, 403]), ("admin", [200, 200, 200])],
)
def test_a_scope_allows_what_narrower_scopes_allow(
    serve: Serve, path: str, scope: str, allowed: list[int]
) -> None:
    _, secret = tokens.create(path, "ci", scope)
    call = serve(tokens=path).call
    asked = [("GET", "/threads"), ("POST", "/threads/ensure"), ("POST", "/rebuild")]
    assert [call(method, where, token=secret).status for method, where in asked] == allowed


def test_only_admin_removes_content(serve: Serve, path: str) -> None:
    secrets = {scope: tokens.create(path, scope, scope)[1] for scope in ("write", "admin")}
    call = serve(tokens=path).call
    thread = call("POST", "/threads/ensure", token=secrets["write"]).json["thread_id"]
    said = {"content": "the database answers to ferret-saddle-41"}
    seq = call("POST", f"/threads/{thread}/messages", said, token=secrets["write"]).json["seq"]
    wanted = {"targets": [f"{thread}@{seq}"]}
    assert call("POST", "/forget", wanted, token=secrets["write"]).status == 403
    assert call("POST", "/gc", {}, token=secrets["write"]).status == 403
    assert call("POST", "/gc", {}, token=secrets["admin"]).json["removed"]
    assert call("POST", "/forget", wanted, token=secrets["admin"]).json["forgotten"]
    assert call("GET", "/search?words=ferret", token=secrets["write"]).json["hits"] == []
    assert call("GET", "/verify", token=secrets["write"]).json["ok"]


def test_only_admin_vouches_for_a_change(serve: Serve, path: str) -> None:
    secrets = {scope: tokens.create(path, scope, scope)[1] for scope in ("write", "admin")}
    call = serve(tokens=path).call
    call("POST", "/changes/init", {}, token=secrets["write"])
    words = {"title": "Retry uploads", "summary": "Retry uploads that fail", "motivation": "They fail"}
    approved = {"approve": {"by": "me"}}
    unsaid = {"title": "Retries before", "scope": "feature", "description": "Retried uploads that failed"}
    past = {**unsaid, "status": "in_progress"}
    assert call("POST", "/changes", {**words, "more": approved}, token=secrets["write"]).status == 403
    name = call("POST", "/changes", words, token=secrets["write"]).json["tc_id"]
    asked = [
        ("PATCH", f"/changes/{name}", {"wanted": approved}),
        ("PATCH", f"/changes/{name}", {"wanted": {}, "seal_anew": True, "reason": "merged"}),
        ("POST", f"/changes/{name}/close", {"approve_by": "me"}),
        (
            "POST",
            "/changes/retro",
            {"past": {"project": "p", "changes": [past, {**past, "status": "deployed"}]}},
        ),
        ("POST", "/changes/retro", {"past": {"project": "p", "changes": [{**past, "status": None}]}}),
        ("POST", "/changes/retro", {"past": {"project": "p", "changes": [unsaid]}}),
    ]
    assert [call(*one, token=secrets["write"]).status for one in asked] == [403] * 6
    begun = {"past": {"project": "p", "changes": [past]}}
    assert call("POST", "/changes/retro", begun, token=secrets["write"]).status == 201
    assert (
        call("PATCH", f"/changes/{name}", {"wanted": {"notes": ["x"]}}, token=secrets["write"]).status == 200
    )
    assert call(*asked[0], token=secrets["admin"]).status == 200


@pytest.mark.parametrize("workspace", ["../x", "a b", "", "a/b"])
def test_a_token_for_a_workspace_that_no_server_can_have_is_not_made(path: str, workspace: str) -> None:
    with pytest.raises(BadInput, match="No server calls a workspace"):
        tokens.create(path, "ci", "read", workspace)


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", "Bearer ", "Basic dXNlcjpwYXNz", "Bearer segue_wrong", "Bearer " + "x" * 9000, "bearer é"],
)
def test_without_a_known_token_the_answer_is_401_and_says_what_is_wanted(
    serve: Serve, path: str, header: str
) -> None:
    tokens.create(path, "ci", "read")
    answer = serve(tokens=path).call("GET", "/threads", headers={"Authorization": header}, token=None)
    assert (answer.status, answer.headers["www-authenticate"]) == (401, 'Bearer realm="segue"')
    assert "Authorization: Bearer" in answer.json["hint"]
    assert "SEGUE_TOKEN" in answer.json["command_line"]["hint"]


def test_an_expired_token_is_refused(serve: Serve, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    token, secret = tokens.create(path, "ci", "read", expires="30d")
    call = serve(tokens=path).call
    assert call("GET", "/threads", token=secret).status == 200
    assert token.expires_ms is not None
    monkeypatch.setattr(tokens, "now_ms", lambda: token.expires_ms)
    answer = call("GET", "/threads", token=secret)
    assert (answer.status, answer.json["detail"]) == (401, "This token has expired.")


def test_a_token_counts_from_the_next_request_on_and_until_it_is_revoked(serve: Serve, path: str) -> None:
    _, secret = tokens.create(path, "ci", "read")
    tokens.create(path, "other", "read")
    call = serve(tokens=path).call
    assert call("GET", "/threads", token=secret).status == 200
    tokens.revoke(path, "ci")
    assert call("GET", "/threads", token=secret).status == 401
    _, late = tokens.create(path, "late", "read")
    assert call("GET", "/threads", token=late).status == 200


def test_a_token_of_one_workspace_opens_no_other(serve: Serve, path: str, tmp_path: Path) -> None:
    roots = {name: str(tmp_path / name) for name in ("one", "two")}
    for root in roots.values():
        os.mkdir(root)
    _, secret = tokens.create(path, "ci", "write", workspace="two")
    call = serve(tokens=path, workspaces=roots).call
    asked = ["/workspaces/two/threads", "/workspaces/one/threads", "/threads", "/workspaces/three/threads"]
    assert [call("GET", where, token=secret).status for where in asked] == [200, 403, 403, 403]


def test_workspaces_know_nothing_of_each_other(serve: Serve, tmp_path: Path) -> None:
    roots = {name: str(tmp_path / name) for name in ("one", "two")}
    for root in roots.values():
        os.mkdir(root)
    call = serve(workspaces=roots).call
    there = call("POST", "/workspaces/two/threads", {"title": "there"}).json["thread_id"]
    assert call("GET", f"/workspaces/two/threads/{there}").json["title"] == "there"
    assert call("GET", f"/workspaces/one/threads/{there}").status == 404
    assert call("GET", f"/threads/{there}").status == 404
    assert call("POST", f"/threads/{there}/messages", {"content": "x"}).status == 404


def test_the_file_is_private_and_holds_no_secret(path: str) -> None:
    _, secret = tokens.create(path, "ci", "read")
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    assert secret.removeprefix(tokens.PREFIX) not in Path(path).read_text()


@pytest.mark.parametrize(
    ("name", "scope", "expires"),
    [("", "read", None), ("a\nb", "read", None), ("x" * 81, "read", None), ("a", "root", None)]
    + [("a", "read", text) for text in ("", "d", "0d", "-1d", "3y", "999999999d")],
)
def test_a_token_that_makes_no_sense_is_not_made(
    path: str, name: str, scope: str, expires: str | None
) -> None:
    with pytest.raises(BadInput):
        tokens.create(path, name, scope, expires=expires)


def test_names_of_tokens_are_their_own(path: str) -> None:
    tokens.create(path, "ci", "read")
    with pytest.raises(BadInput, match="already a token 'ci'") as refused:
        tokens.create(path, "ci", "write")
    assert "segue serve token revoke ci" in refused.value.hint
    with pytest.raises(NotFound):
        tokens.revoke(path, "nobody")


@pytest.mark.parametrize("text", ["{", '{"tokens": [{"name": "a"}]}', '{"tokens": 3}'])
def test_a_damaged_file_lets_nobody_in(serve: Serve, path: str, text: str) -> None:
    os.makedirs(os.path.dirname(path))
    Path(path).write_text(text)
    with pytest.raises(Unavailable):
        tokens.Keyring(path).tokens()
    with pytest.raises(Unavailable):
        serve(tokens=path)


@pytest.mark.parametrize("options", [{"host": "0.0.0.0"}, {"host": "0.0.0.0", "no_token": True}])
def test_a_server_for_others_does_not_start_without_a_token(
    tmp_path: Path, options: dict[str, object]
) -> None:
    asked = Options({"default": str(tmp_path)}, port=0, tokens=str(tmp_path / "none.json"), **options)  # type: ignore[arg-type]
    with pytest.raises(Refused, match="needs a token"):
        Serving(asked, io.StringIO())


def test_a_server_that_was_given_a_file_of_tokens_does_not_make_one_of_its_own(
    tmp_path: Path, path: str
) -> None:
    asked = Options({"default": str(tmp_path)}, port=0, tokens=path)
    with pytest.raises(Refused, match="There is no token in") as caught:
        Serving(asked, io.StringIO())
    assert f"segue serve token create NAME --tokens {path}" in caught.value.hint


def test_on_this_machine_a_token_can_be_waived(serve: Serve) -> None:
    assert serve(no_token=True).call("GET", "/threads", token=None).status == 200


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1", 200),
        ("localhost:7878", 200),
        ("[::1]:7878", 200),
        ("evil.example", 421),
        ("", 421),
        ("127.0.0.1.evil.example", 421),
        ("team.example:80", 200),
    ],
)
def test_a_page_under_a_foreign_name_cannot_reach_a_loopback_server(
    serve: Serve, host: str, status: int
) -> None:
    call = serve(allow_hosts=["team.example"]).call
    assert call("GET", "/threads", headers={"Host": host}).status == status


def test_browsers_may_call_only_where_an_origin_was_allowed(serve: Serve) -> None:
    asked = {"Origin": "https://app.example", "Access-Control-Request-Method": "POST"}
    closed, opened = serve().call, serve(cors=["https://app.example"]).call
    assert "access-control-allow-origin" not in closed("OPTIONS", "/threads", headers=asked).headers
    allowed = opened("OPTIONS", "/threads", headers=asked).headers
    assert allowed["access-control-allow-origin"] == "https://app.example"
    other = opened("GET", "/threads", headers={"Origin": "https://evil.example"}).headers
    assert "access-control-allow-origin" not in other


def test_any_origin_still_needs_a_token(serve: Serve) -> None:
    call = serve(cors=["*"]).call
    page = {"Origin": "https://elsewhere.example"}
    allowed = call("GET", "/threads", headers=page)
    assert (allowed.status, allowed.headers["access-control-allow-origin"]) == (200, "*")
    assert "access-control-allow-credentials" not in allowed.headers
    assert call("GET", "/threads", headers=page, token=None).status == 401

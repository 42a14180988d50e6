"""Pages of other sites in a browser on the server's machine: they neither read nor write, with a token or without."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from segue.service.operations import OPERATIONS

from .. import chromium
from ..chromium import Browser
from .conftest import Serve

FOREIGN = {
    "another site": {"Origin": "https://evil.example"},
    "another port of this machine": {"Origin": "http://127.0.0.1:1"},
    "another name of this machine": {"Origin": "http://localhost:1"},
    "a page without an origin": {"Origin": "null"},
    "an origin that is none": {"Origin": "http://[evil"},
    "a form, an image, a script": {"Sec-Fetch-Site": "cross-site"},
    "another port, without an origin": {"Sec-Fetch-Site": "same-site"},
}


@pytest.mark.parametrize("headers", FOREIGN.values(), ids=FOREIGN)
def test_no_route_answers_to_a_page_of_another_site(serve: Serve, headers: dict[str, str]) -> None:
    call = serve(no_token=True).call
    routes = [
        *(operation.route.split(" ") for operation in OPERATIONS),
        *(("GET", "/healthz"), ("GET", "/metrics"), ("GET", "/openapi.json"), ("GET", "/nothing")),
        *(("POST", "/mcp"), ("POST", "/workspaces/default/threads")),
    ]
    told = {(method, path): call(method, path, headers=headers) for method, path in routes}
    assert {answer.status for answer in told.values()} == {403}
    assert call("POST", "/threads", headers=headers).json["code"] == "foreign_page"
    assert call("GET", "/threads").json["threads"] == []


@pytest.mark.parametrize("fetched", ["same-origin", "none"])
def test_a_page_of_the_server_itself_and_an_address_that_was_typed_are_answered(
    serve: Serve, fetched: str
) -> None:
    call = serve(no_token=True).call
    own = {"Origin": f"http://127.0.0.1:{call.port}", "Sec-Fetch-Site": fetched}
    assert call("POST", "/threads", headers=own).status == 201
    assert call("GET", "/threads", headers={"Sec-Fetch-Site": fetched}).status == 200


def test_an_allowed_origin_lets_its_own_pages_in_and_no_others(serve: Serve) -> None:
    call = serve(no_token=True, cors=["https://app.example"]).call
    page = {"Origin": "https://app.example", "Sec-Fetch-Site": "cross-site"}
    assert call("POST", "/threads", headers=page).status == 201
    assert call("POST", "/threads", headers={**page, "Origin": "https://evil.example"}).status == 403
    assert call("POST", "/threads", headers={"Sec-Fetch-Site": "cross-site"}).status == 403


class Blank(BaseHTTPRequestHandler):
    """A page with nothing on it."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(b"<!doctype html><title>elsewhere</title>")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """The address of a page that is not segue's."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Blank) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield f"http://localhost:{server.server_port}/"
        server.shutdown()
        thread.join()


@pytest.fixture
def browser() -> Iterator[Browser]:
    with chromium.started() as browser:
        yield browser


TRICKS = """
(async place => {
  const quiet = {method: "POST", mode: "no-cors"};
  await fetch(place + "/threads?trick=quiet", quiet).catch(() => 0);
  await fetch(place + "/artifacts?trick=text", {...quiet, body: "planted"}).catch(() => 0);
  await fetch(place + "/boundary/draft/approve?trick=approve", quiet).catch(() => 0);
  await fetch(place + "/threads?trick=read", {mode: "no-cors"}).catch(() => 0);
  const put = (tag, attributes) => new Promise(done => {
    const element = Object.assign(document.createElement(tag), attributes, {onload: done, onerror: done});
    document.body.append(element);
  });
  await put("script", {src: place + "/status?trick=script"});
  await put("img", {src: place + "/status?trick=image"});
  const form = Object.assign(document.createElement("form"),
    {method: "POST", action: place + "/threads?trick=form", enctype: "text/plain", target: "shown"});
  document.body.append(form);
  const shown = put("iframe", {name: "shown"});
  form.submit();
  await shown;
  return await fetch(place + "/threads?trick=last").then(answer => answer.text(), fault => fault.name);
})
"""


TRIED = TRICKS.count("?trick=")


@chromium.NEEDED
def test_a_real_page_can_neither_read_nor_write(serve: Serve, elsewhere: str, browser: Browser) -> None:
    served = serve(no_token=True)
    browser("Page.navigate", url=elsewhere)
    browser.until("Page.loadEventFired")
    place = f"http://127.0.0.1:{served.call.port}"
    assert browser.value(f"({TRICKS})({json.dumps(place)})") == "TypeError"
    by_page: list[dict[str, object]] = []
    mine = set()
    while len(by_page) < TRIED:  # the form is sent without anybody waiting for it
        mine.add(served.call("GET", "/healthz").headers["x-request-id"])
        lines = map(json.loads, served.told().splitlines())
        by_page = [line for line in lines if line["event"] == "request" and line["status"] != 200]
    allowed = [
        json.loads(line)["request_id"]
        for line in served.log.getvalue().splitlines()
        if '"status":200' in line
    ]
    assert len(allowed) == 2 * len(mine)
    assert {line["status"] for line in by_page} == {403}
    assert served.call("GET", "/threads").json["threads"] == []
    assert served.call("GET", "/artifacts").json["artifacts"] == []

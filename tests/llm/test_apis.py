"""OpenAI-compatible and Anthropic-compatible services over real sockets: what they are asked, and what is made of every answer."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable

import pytest

from segue.errors import BadInput, SegueError, Unavailable
from segue.llm import apis, http_client
from segue.llm.contract import Answer
from segue.llm.registry import APIS, model

from .scripted import (
    KEY,
    Act,
    answers,
    anthropic_says,
    echoes_the_key,
    never_ends,
    openai_says,
    serving,
    wrong,
)

SCHEMA = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
SAYS: dict[str, Callable[..., Act]] = {"openai": openai_says, "anthropic": anthropic_says}


@pytest.fixture(params=APIS)
def api(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(autouse=True)
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Keys in the environment, and the pauses that are made instead of sleeping."""
    made: list[float] = []
    monkeypatch.setattr(http_client, "sleep", made.append)
    for service in apis.SERVICES.values():
        monkeypatch.setenv(service.key, KEY)
    return made


def point(monkeypatch: pytest.MonkeyPatch, api: str, url: str) -> None:
    monkeypatch.setenv(apis.SERVICES[api].base, f"{url}/v1")


def test_openai_is_asked_with_a_system_text_and_tells_what_it_took(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(openai_says("written")) as service:
        point(monkeypatch, "openai", service.url)
        assert model("openai:m").write("the prompt", system="be brief", most_tokens=9) == Answer(
            "written", 11, 7, None, "m-2026"
        )
    [asked] = service.asked
    assert asked.path == "/v1/chat/completions" and asked.headers["authorization"] == f"Bearer {KEY}"
    messages = [{"role": "system", "content": "be brief"}, {"role": "user", "content": "the prompt"}]
    assert asked.body == {"model": "m", "messages": messages, "max_tokens": 9}


@pytest.mark.parametrize("suffix", ["", "/", "/v1", "/v1/"])
def test_anthropic_is_asked_with_its_headers_and_tells_what_it_took(
    monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    with serving(anthropic_says("written")) as service:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", service.url + suffix)
        assert model("anthropic:m").write("go") == Answer("written", 11, 7, None, "m-2026")
    [asked] = service.asked
    assert asked.path == "/v1/messages"
    assert asked.headers["x-api-key"] == KEY and asked.headers["anthropic-version"]
    assert asked.body["max_tokens"] > 0 and asked.body["messages"] == [{"role": "user", "content": "go"}]


def test_a_price_that_a_service_tells_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(openai_says("x", usage={"prompt_tokens": True, "cost": 0.25})) as service:
        point(monkeypatch, "openai", service.url)
        assert model("openai:m").write("go") == Answer("x", None, None, 0.25, "m-2026")


def test_openai_gives_json_by_a_response_format(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(openai_says('{"n": 1}')) as service:
        point(monkeypatch, "openai", service.url)
        assert json.loads(model("openai:m").write("go", schema=SCHEMA).text) == {"n": 1}
    [asked] = service.asked
    assert asked.body["response_format"]["json_schema"]["schema"] == SCHEMA


@pytest.mark.parametrize("status", [400, 422])
def test_a_service_without_response_formats_is_asked_in_words_once(
    monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    refusing = wrong(status, "Unrecognized request argument supplied: response_format")
    with serving(refusing, openai_says('{"n": 1}')) as service:
        point(monkeypatch, "openai", service.url)
        model("openai:m").write("go", schema=SCHEMA)
    first, second = service.asked
    assert "response_format" in first.body and "response_format" not in second.body
    assert json.dumps(SCHEMA) in second.body["messages"][1]["content"]
    with serving(refusing) as service:
        point(monkeypatch, "openai", service.url)
        with pytest.raises(Unavailable):
            model("openai:m").write("go", schema=SCHEMA)
    assert len(service.asked) == 2


def test_a_service_with_another_name_for_the_bound_is_given_that(monkeypatch: pytest.MonkeyPatch) -> None:
    refusing = wrong(400, "Unsupported parameter: 'max_tokens' is not supported with this model.")
    with serving(refusing, openai_says("x")) as service:
        point(monkeypatch, "openai", service.url)
        model("openai:m").write("go", most_tokens=9)
    assert service.asked[1].body["max_completion_tokens"] == 9 and "max_tokens" not in service.asked[1].body


def test_anthropic_gives_json_by_a_tool_that_it_must_call(monkeypatch: pytest.MonkeyPatch) -> None:
    called = [{"type": "text", "text": "Here:"}, {"type": "tool_use", "name": "answer", "input": {"n": 1}}]
    with serving(anthropic_says("", "tool_use", content=called)) as service:
        point(monkeypatch, "anthropic", service.url)
        assert json.loads(model("anthropic:m").write("go", schema=SCHEMA).text) == {"n": 1}
    [asked] = service.asked
    assert [tool["input_schema"] for tool in asked.body["tools"]] == [SCHEMA]
    assert asked.body["tool_choice"] == {"type": "tool", "name": asked.body["tools"][0]["name"]}


WHOLE = b'{"choices": [{"message": {"content": "x"}}], "content": [{"type": "text", "text": "x"}]}'
FAILURES: dict[str, tuple[Act, str, str]] = {
    "the key is wrong": (
        wrong(401, f"Incorrect API key {KEY}"),
        "not_signed_in",
        "does not accept the login",
    ),
    "the key may not": (wrong(403, f"{KEY} may not"), "not_signed_in", "does not accept the login"),
    "no such model": (
        wrong(404, "The model `m` does not exist"),
        "wrong_address",
        "The model `m` does not exist",
    ),
    "no such address": (answers(405, b"no", "text/plain"), "wrong_address", "answered 405"),
    "beyond the window": (wrong(400, "too much", "context_length_exceeded"), "too_large", "too large for"),
    "beyond the window, in words": (wrong(400, "prompt is too long: 9 > 5"), "too_large", "too large for"),
    "beyond the body": (wrong(413, "request_too_large"), "too_large", "too large for"),
    "this input": (wrong(400, "messages: odd role"), "unavailable", "messages: odd role"),
    "limited": (wrong(429, "slow down"), "rate_limited", "slow down"),
    "limited for long": (wrong(429, "slow down", Retry_After="31"), "rate_limited", "slow down"),
    "limited beyond the time": (wrong(429, "slow down", Retry_After="21"), "rate_limited", "slow down"),
    "overloaded": (wrong(529, "Overloaded"), "rate_limited", "Overloaded"),
    "broken": (wrong(500, "oops"), "unavailable", "failed: oops"),
    "broken in HTML": (answers(502, b"<h1>Bad gateway</h1>", "text/html"), "unavailable", "answered 502"),
    "redirect": (
        answers(302, b"", Location="https://elsewhere.example/"),
        "wrong_address",
        "is not sent there",
    ),
    "kept redirect": (answers(307, b"", Location="/v1/other"), "wrong_address", "is not sent there"),
    "too much": (answers(200, b"[" + b" " * 10_000_000), "unavailable", "more than 4,000,000 bytes"),
    "no JSON": (answers(200, b"hello"), "wrong_address", "something else than a JSON object"),
    "half JSON": (answers(200, WHOLE[:-9]), "wrong_address", "something else than a JSON object"),
    "nested JSON": (answers(200, b"[" * 100_000), "wrong_address", "something else than a JSON object"),
    "a list": (answers(200, [1]), "wrong_address", "something else than a JSON object"),
    "not said to be JSON": (
        answers(200, WHOLE, "text/html"),
        "wrong_address",
        "something else than a JSON object",
    ),
    "empty": (answers(200, b""), "wrong_address", "something else than a JSON object"),
    "an empty object": (answers(200, {}), "unavailable", "it said nothing"),
    "odd fields": (
        answers(200, {"choices": [3], "content": [4], "usage": 5}),
        "unavailable",
        "it said nothing",
    ),
    "repeats the key": (echoes_the_key, "unavailable", "cannot be reached"),
    "repeats the key in words": (wrong(500, f"bad {KEY}"), "unavailable", "bad …"),
}


@pytest.mark.parametrize("why", FAILURES)
def test_every_failure_is_a_sentence_and_a_code_without_the_key(
    monkeypatch: pytest.MonkeyPatch, api: str, why: str, pauses: list[float]
) -> None:
    act, code, said = FAILURES[why]
    with serving(act) as service:
        point(monkeypatch, api, service.url)
        with pytest.raises(Unavailable, match=said) as fault:
            model(f"{api}:m").write("go", 20)
    assert (fault.value.code, len(service.asked), pauses) == (code, 1, [])
    _tells_no_key(fault.value)


def _tells_no_key(fault: SegueError) -> None:
    assert KEY not in f"{fault.message} {fault.hint} {''.join(traceback.format_exception(fault))}"


@pytest.mark.parametrize("status", [429, 503, 529])
def test_a_busy_service_is_asked_again_when_it_says(
    monkeypatch: pytest.MonkeyPatch, api: str, status: int, pauses: list[float]
) -> None:
    with serving(wrong(status, "busy", Retry_After="7"), SAYS[api]("written")) as service:
        point(monkeypatch, api, service.url)
        assert model(f"{api}:m").write("go").text == "written"
    assert pauses == [7.0]
    with serving(wrong(status, "busy", Retry_After="0")) as service:
        point(monkeypatch, api, service.url)
        with pytest.raises(Unavailable, match="busy"):
            model(f"{api}:m").write("go")
    assert len(service.asked) == 2


def test_an_answer_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch, api: str) -> None:
    with serving(never_ends) as service:
        point(monkeypatch, api, service.url)
        with pytest.raises(Unavailable, match="did not answer in time"):
            model(f"{api}:m").write("go", 0.5)


@pytest.mark.parametrize(("api", "stop"), [("openai", "length"), ("anthropic", "max_tokens")])
def test_half_an_answer_is_none(monkeypatch: pytest.MonkeyPatch, api: str, stop: str) -> None:
    with serving(SAYS[api]("half of", stop)) as service:
        point(monkeypatch, api, service.url)
        with pytest.raises(Unavailable) as fault:
            model(f"{api}:m").write("go")
    assert fault.value.code == "cut_off"


def test_a_text_that_repeats_the_key_does_not_have_it(monkeypatch: pytest.MonkeyPatch, api: str) -> None:
    with serving(SAYS[api](f"your key is {KEY}")) as service:
        point(monkeypatch, api, service.url)
        assert model(f"{api}:m").write("go").text == "your key is …"


def test_a_model_that_is_shown_shows_no_key(api: str) -> None:
    assert KEY not in repr(model(f"{api}:m"))


def test_nobody_there_is_told(monkeypatch: pytest.MonkeyPatch, api: str) -> None:
    with serving(openai_says("x")) as service:
        gone = service.url
    point(monkeypatch, api, gone)
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with pytest.raises(Unavailable, match=r"cannot be reached at 127\.0\.0\.1") as fault:
        model(f"{api}:m").write("go")
    assert "proxies of the environment are not used" in fault.value.hint


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://models.example/v1", "to models.example without encryption"),
        ("http://192.168.1.4:8080/v1", "without encryption"),
        ("http://localhost.example/v1", "without encryption"),
        ("https://ana:hunter2@models.example/v1", "is no address"),
        ("https://models.example/v1?token=hunter2", "is no address"),
        ("models.example", "is no address"),
        ("file:///etc/passwd", "is no address"),
        ("https://models.example:port", "is no address"),
        ("https://[", "is no address"),
    ],
)
def test_an_address_that_would_show_the_session_is_refused(
    monkeypatch: pytest.MonkeyPatch, api: str, address: str, said: str
) -> None:
    monkeypatch.setenv(apis.SERVICES[api].base, address)
    with pytest.raises(BadInput, match=said) as fault:
        model(f"{api}:m")
    assert "hunter2" not in fault.value.message + fault.value.hint
    _tells_no_key(fault.value)


def test_a_service_elsewhere_is_only_spoken_to_with_tls(monkeypatch: pytest.MonkeyPatch, api: str) -> None:
    """The scripted service speaks no TLS, so a client that insists on it fails before it has said anything."""
    with serving(SAYS[api]("x")) as service:
        monkeypatch.setenv(apis.SERVICES[api].base, service.url.replace("http://", "https://"))
        with pytest.raises(Unavailable, match="cannot be reached"):
            model(f"{api}:m").write("go")
    assert service.asked == []


def test_elsewhere_a_key_is_needed_and_here_it_is_not(monkeypatch: pytest.MonkeyPatch, api: str) -> None:
    monkeypatch.delenv(apis.SERVICES[api].key)
    monkeypatch.delenv(apis.SERVICES[api].base, raising=False)
    with pytest.raises(Unavailable, match="is not set") as fault:
        model(f"{api}:m").write("go")
    assert fault.value.code == "not_signed_in"
    with serving(SAYS[api]("written")) as service:
        point(monkeypatch, api, service.url)
        assert model(f"{api}:m").write("go").text == "written"
    assert not {"authorization", "x-api-key"} & set(service.asked[0].headers)


@pytest.mark.parametrize("key", ["two words", "a\nb", "ключ"])
def test_a_key_that_no_header_can_carry_is_not_repeated(
    monkeypatch: pytest.MonkeyPatch, api: str, key: str
) -> None:
    monkeypatch.setenv(apis.SERVICES[api].key, key)
    with pytest.raises(BadInput, match="has characters in it that no key has") as fault:
        model(f"{api}:m").write("go")
    assert key not in "".join(traceback.format_exception(fault.value))


@pytest.mark.parametrize(
    ("address", "destination"),
    [
        ("", True),
        ("https://models.example/v1", True),
        ("http://127.0.0.1:8080/v1", False),
        ("http://[::1]:8080/v1", False),
        ("http://localhost:11434/v1", False),
    ],
)
def test_a_model_tells_whether_a_prompt_goes_off_this_machine(
    monkeypatch: pytest.MonkeyPatch, api: str, address: str, destination: bool
) -> None:
    monkeypatch.setenv(apis.SERVICES[api].base, address)
    assert bool(model(f"{api}:m").destination) is destination

"""Where artifacts lie in an object store: addresses that are read, and those that are refused without
repeating what may be a secret."""

from __future__ import annotations

import sys

import pytest

from segue.errors import BadInput, Unavailable
from segue.stores.registry import open_artifacts
from segue.stores.s3_address import CREDENTIAL_SOURCES, ENDPOINTS, Address, open_store, read_address

READ = {
    "s3://team": Address("team"),
    "s3://team/": Address("team"),
    "s3://team/a/b-c_d.e/": Address("team", "a/b-c_d.e"),
    "s3://team?region=eu-central-1": Address("team", region="eu-central-1"),
    "s3://team/a?endpoint=https://s3.example.com": Address("team", "a", "https://s3.example.com"),
    "s3://team?endpoint=https%3A%2F%2Fs3.example.com%3A9000%2F": Address(
        "team", "", "https://s3.example.com:9000"
    ),
    "s3://team?endpoint=http://127.0.0.1:8333": Address("team", "", "http://127.0.0.1:8333"),
    "s3://team?endpoint=http://[::1]:8333": Address("team", "", "http://[::1]:8333"),
    "s3://team?endpoint=http://localhost": Address("team", "", "http://localhost"),
    "s3://team?endpoint=http://nas&allow_http=true": Address("team", "", "http://nas", "", True),
    "s3://team?allow_http=false&timeout=5": Address("team", timeout=5),
}
REFUSED = {
    "s3://": "does not name a bucket",
    "s3:///prefix": "does not name a bucket",
    "s3://ab": "does not name a bucket",
    "s3://-team": "does not name a bucket",
    "s3://team:9000/a": "does not name a bucket",
    "s3://te%61m": "does not name a bucket",
    "s3://team/../other": "has a prefix of other",
    "s3://team/a/./b": "has a prefix of other",
    "s3://team/a//b": "has a prefix of other",
    "s3://team/a b": "has a prefix of other",
    "s3://key:hunter2@team": "holds credentials",
    "s3://hunter2@team": "holds credentials",
    "s3://team?secret_access_key=hunter2": "has a setting that is not known",
    "s3://team?access_key_id=hunter2": "has a setting that is not known",
    "s3://team?hunter2": "cannot be read",
    "s3://team#hunter2": "has a setting that is not known",
    "s3://[team": "cannot be read",
    "s3://team?endpoint=": "has an endpoint that is not",
    "s3://team?endpoint=s3.example.com": "has an endpoint that is not",
    "s3://team?endpoint=ftp://s3.example.com": "has an endpoint that is not",
    "s3://team?endpoint=https://key:hunter2@s3.example.com": "has an endpoint that is not",
    "s3://team?endpoint=https://s3.example.com/hunter2": "has an endpoint that is not",
    "s3://team?endpoint=https://s3.example.com:0": "has an endpoint that is not",
    "s3://team?endpoint=https://[s3": "has an endpoint that is not",
    "s3://team?endpoint=http://s3.example.com": "without TLS",
    "s3://team?endpoint=http://127.0.0.1.example.com": "without TLS",
    "s3://team?endpoint=http://s3.example.com&allow_http=false": "without TLS",
    "s3://team?allow_http=yes": "neither true nor false",
    "s3://team?region=": "has a region that is not a name",
    "s3://team?region=a/b": "has a region that is not a name",
    "s3://team?timeout=0": "has a timeout",
    "s3://team?timeout=-1": "has a timeout",
    "s3://team?timeout=99999999999999999999": "has a timeout",
    "s3://team?timeout=²": "has a timeout",
}


@pytest.fixture(autouse=True)
def no_endpoint(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ENDPOINTS:
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in CREDENTIAL_SOURCES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize("spec", READ)
def test_an_address_is_read(spec: str) -> None:
    assert read_address(spec) == READ[spec]


@pytest.mark.parametrize("spec", REFUSED)
def test_a_wrong_address_is_refused_with_a_reason_and_without_repeating_it(spec: str) -> None:
    with pytest.raises(BadInput, match=REFUSED[spec]) as caught:
        open_artifacts(spec, "")
    assert caught.value.hint
    assert "hunter2" not in caught.value.message + caught.value.hint


@pytest.mark.usefixtures("no_credentials")
def test_without_credentials_in_the_environment_nobody_is_asked_for_them() -> None:
    with pytest.raises(Unavailable, match="no credentials for the bucket team at Amazon S3") as caught:
        open_artifacts("s3://team", "")
    assert "AWS_ACCESS_KEY_ID" in caught.value.hint


@pytest.mark.usefixtures("no_credentials")
def test_half_of_the_credentials_are_too_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "hunter2")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY", raising=False)
    with pytest.raises(Unavailable, match="do not fit together") as caught:
        open_artifacts("s3://team", "")
    assert "hunter2" not in caught.value.message + caught.value.hint


def test_the_endpoint_of_the_address_wins_over_that_of_the_environment(
    s3_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ENDPOINTS:
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    open_artifacts(s3_address, "").put(b"here")


def test_an_address_without_an_endpoint_takes_that_of_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "https://s3.example.com")
    assert read_address("s3://team") == Address("team", "", "https://s3.example.com")
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", "http://s3.example.com")
    with pytest.raises(BadInput, match="without TLS"):
        read_address("s3://team")


@pytest.mark.usefixtures("no_credentials")
def test_without_the_library_the_command_that_installs_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "tests")
    monkeypatch.setitem(sys.modules, "obstore.exceptions", None)
    with pytest.raises(Unavailable) as caught:
        open_store(Address("team"))
    assert "pip install 'segue[s3]'" in caught.value.hint

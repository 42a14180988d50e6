"""Where artifacts lie in an object store, read from `s3://bucket/prefix?endpoint=…&region=…`.

An address may be copied into a shared file, so it never holds credentials: these come from the
environment, which must name their source. Without TLS only this machine is talked to, unless the address
allows it. Nothing that was refused is repeated in a sentence, for it may be a secret.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from segue.errors import BadInput, Unavailable

if TYPE_CHECKING:
    from obstore.store import S3Config, S3Store

CREDENTIAL_SOURCES = (
    "AWS_ACCESS_KEY_ID",
    "AWS_WEB_IDENTITY_TOKEN_FILE",
    "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI",
    "AWS_METADATA_ENDPOINT",
    "AWS_SKIP_SIGNATURE",
)
"""Each names where credentials come from. Without one of them the client would ask whatever answers at the
address of a cloud's metadata service, and wait for it on every machine that is not in a cloud."""

ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
"""Where the environment names an endpoint, for addresses that do not; the first one counts."""

RETRIES = 2
CONNECT_SECONDS = 5
WHOLE_REQUEST_SECONDS = 3600
"""A large artifact may take its time as long as bytes keep coming; `timeout` is about silence."""

_FORM = "s3://bucket/prefix?endpoint=https://host&region=name"
_ENVIRONMENT = "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment"
_TEXT = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._")


class Address(NamedTuple):
    bucket: str
    prefix: str = ""
    endpoint: str = ""
    region: str = ""
    allow_http: bool = False
    timeout: int = 30
    """Seconds of silence after which a request has failed."""

    @property
    def place(self) -> str:
        """The store as a sentence names it."""
        return f"bucket {self.bucket} at {self.endpoint or 'Amazon S3'}"


def read_address(spec: str) -> Address:
    """Raises BadInput for an address that is incomplete, holds credentials or sends them in the clear."""
    from urllib.parse import parse_qsl, urlsplit  # 7 ms

    try:
        parts = urlsplit(spec)
        given = dict(parse_qsl(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query)))
    except ValueError:
        raise _wrong("cannot be read") from None
    if "@" in parts.netloc:
        raise _wrong("holds credentials", f"{_ENVIRONMENT}, and nothing in the address.")
    if parts.fragment or not given.keys() <= _SETTINGS.keys():
        raise _wrong(
            "has a setting that is not known",
            f"Known: {', '.join(_SETTINGS)}. {_ENVIRONMENT}, not in the address.",
        )
    if not 3 <= len(parts.netloc) <= 63 or not parts.netloc[0].isalnum() or not _plain(parts.netloc):
        raise _wrong("does not name a bucket")
    prefix = parts.path.strip("/")
    if prefix and not all(_plain(part) and part.strip(".") for part in prefix.split("/")):
        raise _wrong("has a prefix of other than letters, digits, '-', '_', '.' and '/'")
    endpoint = next((os.environ[name] for name in ENDPOINTS if os.environ.get(name)), None)
    if endpoint and "endpoint" not in given:
        given["endpoint"] = endpoint
    settings = {name: _SETTINGS[name](value) for name, value in given.items()}
    address = Address(parts.netloc, prefix, **settings)
    if address.endpoint.startswith("http://") and not (address.allow_http or _is_here(address.endpoint)):
        raise _wrong("leads to another machine without TLS", "Use https, or add allow_http=true.")
    return address


def open_store(address: Address) -> S3Store:
    """The bucket, with credentials from the environment. Nothing is asked of the store yet."""
    if not any(os.environ.get(name) for name in CREDENTIAL_SOURCES):
        raise Unavailable(
            f"There are no credentials for the {address.place}.",
            f"{_ENVIRONMENT}, or another source: {', '.join(CREDENTIAL_SOURCES[1:])}.",
        )
    try:
        from obstore.exceptions import BaseError  # 14 ms with the next line
        from obstore.store import S3Store
    except ImportError:
        raise Unavailable(
            "Artifacts in an object store need a library that is not installed.",
            "Install it with: pip install 'segue[s3]'",
        ) from None
    from datetime import timedelta

    config: S3Config = {}
    if address.endpoint:
        # The environment's AWS_ENDPOINT_URL_S3 would win over `endpoint`, and only over that.
        config["aws_endpoint_url_s3"] = address.endpoint
    if address.region:
        config["region"] = address.region
    try:
        return S3Store(
            address.bucket,
            prefix=address.prefix or None,
            config=config,
            client_options={
                "allow_http": address.allow_http or _is_here(address.endpoint),
                "connect_timeout": timedelta(seconds=min(CONNECT_SECONDS, address.timeout)),
                "read_timeout": timedelta(seconds=address.timeout),
                "timeout": timedelta(seconds=WHOLE_REQUEST_SECONDS),
            },
            retry_config={
                "max_retries": RETRIES,
                "retry_timeout": timedelta(seconds=address.timeout * (RETRIES + 1)),
                "backoff": {"init_backoff": timedelta(milliseconds=100), "max_backoff": timedelta(seconds=2)},
            },
        )
    except BaseError:
        raise Unavailable(
            f"The settings of the environment for the {address.place} do not fit together.",
            f"{_ENVIRONMENT}, both, and look at the other variables that begin with AWS_.",
        ) from None


def _endpoint(text: str) -> str:
    from urllib.parse import urlsplit

    try:
        parts = urlsplit(text)
        sound = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        sound = False
    if not sound or "@" in parts.netloc or parts.path.strip("/") or parts.query or parts.fragment:
        raise _wrong("has an endpoint that is not of the form https://host:port")
    return f"{parts.scheme}://{parts.netloc}"


def _region(text: str) -> str:
    if not text or not _plain(text):
        raise _wrong("has a region that is not a name")
    return text


def _truth(text: str) -> bool:
    if text not in ("true", "false"):
        raise _wrong("says neither true nor false in allow_http")
    return text == "true"


def _seconds(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:5]) <= 3600):
        raise _wrong("has a timeout that is not a number of seconds from 1 to 3600")
    return int(text)


_SETTINGS: dict[str, Callable[[str], Any]] = {
    "endpoint": _endpoint,
    "region": _region,
    "allow_http": _truth,
    "timeout": _seconds,
}


def _is_here(endpoint: str) -> bool:
    """True for an endpoint on this machine."""
    import ipaddress
    from urllib.parse import urlsplit

    host = urlsplit(endpoint).hostname or ""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _plain(text: str) -> bool:
    return bool(text) and _TEXT.issuperset(text)


def _wrong(what: str, hint: str = f"Write it like {_FORM}.") -> BadInput:
    return BadInput(f"The S3 address of the artifacts {what}.", hint)

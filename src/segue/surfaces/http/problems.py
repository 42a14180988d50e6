"""Errors as problem documents (RFC 9457), with our code and hint.

The status is that of the error's class; a few codes that only HTTP knows have their own row.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec
from starlette.responses import Response

from segue.errors import BadInput, Refused, SegueError, Unavailable

STATUS_OF_CODE = {
    "unauthorized": 401,
    "no_such_method": 405,
    "too_slow": 408,
    "too_large": 413,
    "unsupported_type": 415,
    "unsatisfiable_range": 416,
    "misdirected": 421,
    "lint": 422,
    "headers_too_large": 431,
    "unforeseen": 500,
}


def status_of(error: SegueError) -> int:
    return STATUS_OF_CODE.get(error.code, error.http_status)


def problem(error: SegueError, **more: Any) -> Response:
    """The error as a response; `more` are further members of the document."""
    status = status_of(error)
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": error.message,
        "code": error.code,
        "hint": error.hint,
        **more,
    }
    headers = {"WWW-Authenticate": 'Bearer realm="segue"'} if status == 401 else None
    return Response(msgspec.json.encode(body), status, headers, "application/problem+json")


def unforeseen(fault: Exception) -> SegueError:
    """What nobody foresaw, without a word of what it says: it may quote contents."""
    return Unavailable(
        f"Something went wrong that segue did not foresee ({type(fault).__name__}).",
        "The server's log has the details under the request id; please report them.",
        "unforeseen",
    )


def too_large(limit: int) -> BadInput:
    return BadInput(
        f"The body is larger than {limit:,} bytes.",
        "Send less, or store it as an artifact first.",
        "too_large",
    )


def headers_too_large() -> BadInput:
    return BadInput("The headers are too large.", "Send fewer, or shorter ones.", "headers_too_large")


def unauthorized(message: str) -> Refused:
    return Refused(
        message, "Send `Authorization: Bearer TOKEN`; `segue serve token create` makes one.", "unauthorized"
    )

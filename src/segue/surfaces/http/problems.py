"""Errors as problem documents (RFC 9457), with our code and hint.

The status is that of the error's class; a few codes that only HTTP knows have their own row. A document speaks of
addresses and fields; where the error was said in the words of the command line, those go along for callers that
are one. What is wrong with a store is told by its code alone: sentences about stores name hosts, sockets and
files, which are for the server's log.
"""

from __future__ import annotations

from http import HTTPStatus
from typing import Any

import msgspec
from starlette.responses import Response

from segue.errors import BadInput, Refused, SegueError, Unavailable
from segue.service.operations import Operation
from segue.service.wording import reworded
from segue.surfaces.http.refusals import refusal

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
_STORE_OF_CODE = {
    "busy": "is too busy",
    "damaged": "is damaged",
    "denied": "does not let this server in",
    "full": "has no room left",
    "in_doubt": "was lost in the middle of a commit, so it is not known whether the commit was made",
    "locked": "is locked by another process",
    "log_missing": "is gone",
    "newer_format": "was written by a newer version",
    "read_only": "can only be read",
    "unreachable": "cannot be reached",
}
_OVERLOADED = "overloaded"
_PASSES = frozenset(("busy", "locked", _OVERLOADED, "store_away", "unreachable"))
"""What is likely to be over soon."""
RETRY_SECONDS = 1
_SAME_KEY = "Try again with the same idempotency key, which never writes twice; without one, look first."
_IN_ENVIRONMENT = "Give one in SEGUE_TOKEN; on the server `segue serve token create NAME` makes it."
_LOGGED = "Asking again may help; the server's log says more under the request id."


def status_of(error: SegueError) -> int:
    return STATUS_OF_CODE.get(error.code, error.http_status)


def problem(error: SegueError, operation: Operation | None = None, **more: Any) -> Response:
    """The error of an operation as a response; `more` are further members of the document."""
    status = status_of(error)
    detail, hint = (reworded(said, lambda row: row.route, operation) for said in (error.message, error.hint))
    if status == HTTPStatus.UNAUTHORIZED:
        more["command_line"] = {"detail": detail, "hint": _IN_ENVIRONMENT}
    elif (detail, hint) != (error.message, error.hint):
        more["command_line"] = {"detail": error.message, "hint": error.hint}
    body = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": detail,
        "code": error.code,
        "hint": hint,
        **more,
    }
    headers = {"WWW-Authenticate": 'Bearer realm="segue"'} if status == 401 else {}
    if error.code in _PASSES:
        headers["Retry-After"] = str(RETRY_SECONDS)
    return Response(msgspec.json.encode(body), status, headers, "application/problem+json")


def discreet(error: Unavailable) -> Unavailable:
    """What may be said of it to callers."""
    if error.code == _OVERLOADED:
        return error
    verdict = _STORE_OF_CODE.get(error.code)
    said = (
        f"A store of this server {verdict}." if verdict else "Something this server needs cannot be used now."
    )
    return Unavailable(said, _SAME_KEY if error.code == "in_doubt" else _LOGGED, error.code)


def unforeseen(fault: Exception) -> SegueError:
    """What nobody foresaw, without a word of what it says: it may quote contents."""
    return refusal("unforeseen", name=type(fault).__name__)


def overloaded() -> SegueError:
    return refusal("overloaded")


def too_large(limit: int) -> SegueError:
    return refusal("too-large", limit=limit)


def too_slow(what: str) -> BadInput:
    return BadInput(f"{what} stopped arriving.", "Send the request again, without a pause.", "too_slow")


def headers_too_large() -> BadInput:
    return BadInput("The headers are too large.", "Send fewer, or shorter ones.", "headers_too_large")


def unauthorized(message: str) -> Refused:
    return Refused(
        message, "Send `Authorization: Bearer TOKEN`; `segue serve token create` makes one.", "unauthorized"
    )

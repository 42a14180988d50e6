"""What can go wrong, as a person should hear it: one sentence, one hint, one exit code.

Every error that leaves the library is one of these. A surface maps `exit_code` or
`http_status` and prints `message` and `hint`; nothing else decides what a failure means.
"""

from __future__ import annotations


class SegueError(Exception):
    """Base of all errors a person may see; never raised itself."""

    code = "error"
    exit_code = 1
    http_status = 500

    def __init__(self, message: str, hint: str, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        if code is not None:
            self.code = code


class NotFound(SegueError):
    """The answer is no: what was named does not exist here."""

    code = "not_found"
    exit_code = 1
    http_status = 404


class BadInput(SegueError):
    """The request cannot be understood or breaks a rule; asking again will not help."""

    code = "bad_input"
    exit_code = 2
    http_status = 400


class Conflict(SegueError):
    """The log moved between reading and writing; reading again and retrying may help."""

    code = "conflict"
    exit_code = 3
    http_status = 409


class Refused(SegueError):
    """Policy forbids it: approval, sensitivity, confinement."""

    code = "refused"
    exit_code = 4
    http_status = 403


class Unavailable(SegueError):
    """The store or a service cannot be used now: missing, locked, full, damaged, or too new."""

    code = "unavailable"
    exit_code = 5
    http_status = 503

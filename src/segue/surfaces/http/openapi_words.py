"""What the API's description says in words."""

from __future__ import annotations

ABOUT = """\
Every operation of segue, as JSON over HTTP, with the answers that the command line gives with `--json`.

- **Tokens**: `Authorization: Bearer …`, of scope read, write or admin, for all workspaces of a server or for one.
- **Workspaces**: the first one stands at the root, each one under `/workspaces/{name}` with the same addresses.
- **Errors** are problem documents (RFC 9457) with `code` and `hint`; `detail` is the sentence for a person.
- **Who acts**: `actor_id` and `origin` are recorded in the log where an operation writes to it.
- **Repeating**: with an `Idempotency-Key` a POST is done once and answered the same ever after.
- **Ids**: a thread may be named by its id, by a unique beginning of at least 8 characters, or as `default`.
"""

NOUNS = {
    "thread": "Append-only streams of frames: post, branch, hand off, compile.",
    "artifact": "Bytes under the sha256 of their content.",
    "session": "Sessions of agents on the server's machine that belong to the workspace's project.",
    "handoff": "Drafting, judging and storing handoffs.",
    "draft": "Rich handoffs and their approval.",
    "change": "Change records.",
    "workspace": "The workspace as a whole, and the boundary.",
    "server": "The server itself.",
}

STATUSES = {
    400: "The request cannot be understood, or breaks a rule.",
    401: "No token, an unknown one, or one that has expired.",
    403: "The token or a policy does not allow it.",
    404: "What was named does not exist here.",
    408: "The body stopped arriving.",
    409: "The log moved, or the idempotency key was used for another request.",
    413: "The body is too large.",
    415: "The body is not said to be JSON.",
    416: "The range lies beyond the end.",
    421: "The server does not answer under this host name.",
    422: "The lint refuses the handoff; `answer` holds its findings.",
    431: "The headers are too large.",
    500: "Something nobody foresaw.",
    503: "A store cannot be used now, or too many requests wait.",
}

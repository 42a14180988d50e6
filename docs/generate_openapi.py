"""Writes the description of the API, OpenAPI 3.1, made of the operations table: `python docs/generate_openapi.py`.

Nothing is described twice: an operation's request is what its function takes, its answer what that returns. The document
goes into docs/reference and, as the server gives it, into the package; tests compare both with what is made here.
"""

from collections.abc import Iterable
from http import HTTPStatus
from pathlib import Path
from typing import Any, NotRequired, TypedDict, get_origin

import msgspec

from segue import __version__
from segue.service.operations import OPERATIONS, Operation
from segue.service.signatures import Signature, signature
from segue.surfaces.http.api import DESCRIPTION

PLACES = (Path(__file__).parent / "reference" / "openapi.json", Path(DESCRIPTION))

Json = dict[str, Any]
_REF = "#/components/schemas/{name}"
_ALWAYS = (400, 401, 403, 404, 421, 431, 500, 503)
_WITH_BODY = (408, 413)
_ABOUT = """\
Every operation of segue, as JSON over HTTP, with the answers that the command line gives with `--json`.

- **Tokens**: `Authorization: Bearer …`, of scope read, write or admin, for all workspaces of a server or for one.
- **Workspaces**: the first one stands at the root, each one under `/workspaces/{name}` with the same addresses.
- **Errors** are problem documents (RFC 9457) with `code` and `hint`; `detail` is the sentence for a person.
- **Who acts**: `actor_id` and `origin` are recorded in the log where an operation writes to it.
- **Repeating**: with an `Idempotency-Key` a POST is done once and answered the same ever after.
- **Ids**: a thread may be named by its id, by a unique beginning of at least 8 characters, or as `default`.
"""

_NOUNS = {
    "thread": "Append-only streams of frames: post, branch, hand off, compile.",
    "artifact": "Bytes under the sha256 of their content.",
    "session": "Sessions of agents on the server's machine that belong to the workspace's project.",
    "handoff": "Drafting, judging and storing handoffs.",
    "draft": "Rich handoffs and their approval.",
    "change": "Change records.",
    "workspace": "The workspace as a whole, and the boundary.",
    "server": "The server itself.",
}

_STATUSES = {
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
_BYTES = {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}}


# Without `from __future__ import annotations`: types are looked up where a test runs this file without a module, too.
class AsCommand(TypedDict):
    """What a problem says, in the words of the command line."""

    detail: str
    hint: str


class Problem(TypedDict):
    type: str
    title: str
    status: int
    detail: str
    code: str
    hint: str
    command_line: NotRequired[AsCommand]


class EventsPage(TypedDict):
    events: list[dict[str, Any]]
    next_after_seq: int


class Health(TypedDict):
    status: str


def encoded() -> bytes:
    """The document as it is stored and served."""
    return msgspec.json.format(msgspec.json.encode(document()), indent=1) + b"\n"


def document() -> Json:
    requests = {row.name: _request_type(row) for row in OPERATIONS}
    types = [*filter(None, requests.values()), Problem, EventsPage, Health]
    answers = [known.answer for known in map(signature, OPERATIONS)]
    types += [answer for answer in answers if answer is not bytes and get_origin(answer) is None]
    named, schemas = msgspec.json.schema_components(types, ref_template=_REF)
    refs = dict(zip(map(id, types), named, strict=True))
    paths: dict[str, Json] = {}
    for row in OPERATIONS:
        method, _, path = row.route.partition(" ")
        request = requests[row.name]
        paths.setdefault(path, {})[method.lower()] = _operation(
            row, signature(row), refs.get(id(request)), refs.get(id(signature(row).answer))
        )
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "segue",
            "version": __version__,
            "summary": "Hands work from one agent session to the next without losing the thread.",
            "description": _ABOUT,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [
            {"url": "http://127.0.0.1:7878", "description": "The server's first workspace."},
            {
                "url": "http://127.0.0.1:7878/workspaces/{name}",
                "description": "A workspace by its name.",
                "variables": {"name": {"default": "default"}},
            },
        ],
        "security": [{"bearer": []}],
        "tags": [{"name": noun, "description": said} for noun, said in _NOUNS.items()],
        "paths": {**paths, **_own_paths()},
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}},
            "parameters": {"IdempotencyKey": _IDEMPOTENCY_KEY},
            "responses": {f"Problem{status}": _problem(status) for status in _STATUSES},
            "schemas": schemas,
        },
    }


def _operation(row: Operation, known: Signature, request: Json | None, answer: Json | None) -> Json:
    method = row.route.partition(" ")[0]
    made: Json = {
        "operationId": row.name,
        "tags": [row.name.partition(".")[0] if "." in row.name else "workspace"],
        "summary": known.summary.partition("\n\n")[0].replace("\n", " "),
        "description": f"Needs a token of scope `{row.needs}`. On the command line: `segue {row.command}`.",
        "parameters": [*_path_parameters(known), *_query_parameters(row, known)],
        "responses": {str(row.status): _success(row, known, answer)},
    }
    if method == "POST":
        made["parameters"].append({"$ref": "#/components/parameters/IdempotencyKey"})
    if known.body:
        made["requestBody"] = {"required": True, "content": _BYTES}
    elif request is not None:
        content = {"application/json": {"schema": request}}
        made["requestBody"] = {"required": _demands(known), "content": content}
    if row.name == "artifact.get":
        made["responses"] |= _RANGED
    for status in _errors(row, known, method):
        made["responses"][str(status)] = {"$ref": f"#/components/responses/Problem{status}"}
    return made


def _errors(row: Operation, known: Signature, method: str) -> Iterable[int]:
    yield from _ALWAYS
    if method != "GET":
        yield from _WITH_BODY
    if method != "GET" and not known.body:
        yield 415
    if row.writes:
        yield 409
    if row.name == "draft.write":
        yield 422
    if row.name == "artifact.get":
        yield 416


def _success(row: Operation, known: Signature, answer: Json | None) -> Json:
    if row.name == "thread.events":
        return _EVENTS
    phrase = HTTPStatus(row.status).phrase
    if known.answer is bytes:
        return {"description": "The bytes.", "content": _BYTES}
    schema = answer or {"type": "object"}
    return {"description": f"{phrase}.", "content": {"application/json": {"schema": schema}}}


def _request_type(row: Operation) -> Any:
    """The JSON body: what the operation takes but for what the address says, and who acts."""
    known = signature(row)
    if row.route.startswith("GET") or known.body:
        return None
    fields: list[Any] = [
        (field.name, field.type) if field.required else (field.name, field.type, _default(field))
        for field in msgspec.structs.fields(known.request)
        if field.name not in known.path
    ]
    if known.stamped:
        fields += [("actor_id", str, "user"), ("origin", str, "server")]
    return msgspec.defstruct(known.request.__name__, fields, kw_only=True, forbid_unknown_fields=True)


def _default(field: msgspec.structs.FieldInfo) -> Any:
    return field.default if field.default is not msgspec.NODEFAULT else []


def _demands(known: Signature) -> bool:
    return any(
        field.required and field.name not in known.path for field in msgspec.structs.fields(known.request)
    )


def _path_parameters(known: Signature) -> list[Json]:
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "minLength": 1}}
        for name in known.path
    ]


def _query_parameters(row: Operation, known: Signature) -> list[Json]:
    if row.name == "thread.events":
        return _EVENT_PARAMETERS
    if not (row.route.startswith("GET") or known.body):
        return []
    made = []
    for field in msgspec.structs.fields(known.request):
        if field.name in known.path:
            continue
        schema = _not_null(msgspec.json.schema(field.type))
        if not field.required and (default := _default(field)) not in (None, []):
            schema["default"] = default
        made.append({"name": field.name, "in": "query", "required": field.required, "schema": schema})
    return made


def _not_null(schema: Json) -> Json:
    """A query says nothing by leaving a name out; it cannot say null."""
    kept = [one for one in schema.get("anyOf", []) if one != {"type": "null"}]
    return {**kept[0]} if len(kept) == 1 else schema


def _problem(status: int) -> Json:
    return {
        "description": _STATUSES[status],
        "content": {"application/problem+json": {"schema": {"$ref": _REF.format(name="Problem")}}},
    }


def _own_paths() -> dict[str, Json]:
    """Addresses that are the server's own."""
    json_of = {"content": {"application/json": {"schema": {"type": "object"}}}}
    health = {"content": {"application/json": {"schema": {"$ref": _REF.format(name="Health")}}}}
    text = {"content": {"text/plain": {"schema": {"type": "string"}}}}
    refused = {
        str(status): {"$ref": f"#/components/responses/Problem{status}"}
        for status in (401, 403, 421, 431, 500, 503)
    }
    return {
        path: {
            "get": {
                "operationId": name,
                "tags": ["server"],
                "summary": said,
                **({"security": []} if is_open else {}),
                "responses": {"200": {"description": "OK.", **answer}, **refused},
            }
        }
        for path, name, said, is_open, answer in (
            ("/healthz", "healthz", "Whether the server and its stores answer.", True, health),
            ("/metrics", "metrics", "Counters for Prometheus, without contents.", False, text),
            ("/openapi.json", "openapi", "This document.", True, json_of),
        )
    }


_IDEMPOTENCY_KEY: Json = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "description": "Percent-encoded. The same request with the same key is done once, and answered as the first time.",
    "schema": {"type": "string", "minLength": 1, "maxLength": 200},
}
_EVENT_PARAMETERS: list[Json] = [
    {
        "name": "after_seq",
        "in": "query",
        "description": "Only frames after this sequence number; `Last-Event-ID` says the same.",
        "schema": {"type": "integer", "minimum": -1, "default": -1},
    },
    {
        "name": "follow",
        "in": "query",
        "description": "False ends the stream after the frames there are.",
        "schema": {"type": "boolean", "default": True},
    },
    {
        "name": "max_events",
        "in": "query",
        "description": "Ends the stream after so many.",
        "schema": {"type": "integer", "minimum": 1},
    },
    {
        "name": "limit",
        "in": "query",
        "description": "Frames in a JSON page.",
        "schema": {"type": "integer", "minimum": 1, "maximum": 1000, "default": 200},
    },
    {
        "name": "Last-Event-ID",
        "in": "header",
        "description": "Where a broken stream stood.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,10}$"},
    },
]
_EVENTS: Json = {
    "description": "Frames, past then live. The id of each event is its sequence number, its data one frame as JSON; "
    "comments in between keep the connection. `Accept: application/json` gives a page instead.",
    "content": {
        "text/event-stream": {"schema": {"type": "string"}},
        "application/json": {"schema": {"$ref": _REF.format(name="EventsPage")}},
    },
}
_RANGED: Json = {
    "206": {"description": "The range that was asked for.", "content": _BYTES},
    "304": {"description": "The caller has it already."},
}


if __name__ == "__main__":
    for place in PLACES:
        place.write_bytes(encoded())

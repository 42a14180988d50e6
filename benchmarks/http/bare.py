"""The yardstick: Starlette and nothing else. It reads the same requests and gives answers of the same bytes."""

from __future__ import annotations

import socket

import msgspec
import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

POSTED = {"thread_id": "01a1e17d-c185-74f7-8419-00e42309ce06"}
SHOWN = {
    **POSTED,
    "created_at_ms": 1794784477596,
    "head_seq": 1,
    "archived": False,
    "tags": [],
    "default": True,
    "head_hash": "0" * 64,
}


async def post(request: Request) -> Response:
    msgspec.json.decode(await request.body())
    made = {"thread_id": request.path_params["thread_id"], "message_id": POSTED["thread_id"], "seq": 1}
    return Response(msgspec.json.encode(made), 201, media_type="application/json")


async def show(request: Request) -> Response:
    return Response(msgspec.json.encode(SHOWN), media_type="application/json")


ROUTES = [
    Route("/threads/{thread_id}/messages", post, methods=["POST"]),
    Route("/threads/{thread_id}", show),
]

if __name__ == "__main__":
    with socket.create_server(("127.0.0.1", 0), backlog=2048) as bound:
        print(bound.getsockname()[1], flush=True)
        config = uvicorn.Config(Starlette(routes=ROUTES), log_level="error", access_log=False)
        uvicorn.Server(config).run([bound])

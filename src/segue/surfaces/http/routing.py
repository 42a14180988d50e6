"""Addresses to operations: one walk down a tree of path segments, however many routes there are.

A segment is compared and captured after it was decoded by itself, so an encoded slash stays inside its
segment and can never step into another route.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, NamedTuple, TypeVar
from urllib.parse import unquote_to_bytes

from segue.errors import BadInput, SegueError
from segue.surfaces.http.refusals import refusal

T = TypeVar("T")


class Match(NamedTuple, Generic[T]):
    """What a path leads to: by method, and the values its braces caught."""

    methods: Mapping[str, T]
    values: dict[str, str]


class _Node(Generic[T]):
    def __init__(self) -> None:
        self.named: dict[str, _Node[T]] = {}
        self.caught: tuple[str, _Node[T]] | None = None
        self.methods: dict[str, T] = {}


class Routes(Generic[T]):
    """`METHOD /path/{name}` to whatever handles it. Where a name and a brace both fit, the name wins."""

    def __init__(self, routes: Iterable[tuple[str, T]]) -> None:
        self._root: _Node[T] = _Node()
        for route, handler in routes:
            method, _, path = route.partition(" ")
            node = self._root
            for segment in path.split("/")[1:]:
                if segment.startswith("{"):
                    node.caught = node.caught or (segment[1:-1], _Node())
                    node = node.caught[1]
                else:
                    node = node.named.setdefault(segment, _Node())
            node.methods[method] = handler

    def match(self, segments: list[str]) -> Match[T]:
        """Raises NotFound for a path that leads nowhere."""
        node, values = self._root, dict[str, str]()
        for segment in segments:
            if segment in node.named:
                node = node.named[segment]
            elif node.caught and segment:
                name, node = node.caught
                values[name] = segment
            else:
                raise nowhere()
        if not node.methods:
            raise nowhere()
        return Match(node.methods, values)


def segments(raw_path: bytes) -> list[str]:
    """The decoded segments of a path, at least one. Raises BadInput for what no address of ours holds, NotFound for
    what is none, such as the `*` of `OPTIONS *`."""
    if not raw_path.startswith(b"/"):
        raise nowhere()
    try:
        decoded = raw_path.decode("ascii").split("/")[1:]
        if b"%" in raw_path:
            decoded = [unquote_to_bytes(part).decode() for part in decoded]
    except UnicodeDecodeError:
        raise BadInput("The path is not UTF-8.", "Encode it as UTF-8, then percent-encode it.") from None
    if not "".join(decoded).isprintable():
        raise BadInput("The path holds control characters.", "Leave them out.")
    return decoded


def nowhere() -> SegueError:
    return refusal("nowhere")

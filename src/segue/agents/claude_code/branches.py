"""Which stretches of a session file a rewind left behind.

A session is a tree written in the order it grew. Its trunk runs through every kind of line, and
parallel tools make harmless side shoots, but only a person makes a new branch: by going back and
saying something else. So the branches are known from the prompts alone. A prompt whose parent
stands before an earlier prompt leaves behind everything from that earlier prompt up to itself,
and the walk from the end of the file back to its start visits exactly the active branch.

For this no line is decoded: prompts are found by how they begin, a parent by a short search
backwards. Only a file that somebody wrote anew, with other spaces or another order of fields, is
decoded once more.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence

from segue.agents._jsonl import Source, records
from segue.agents.claude_code.wire import Link, decode_link
from segue.errors import NotFound
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

_BLOCK = 256 * 1024
_NEAR = 8192
"""Bytes before a prompt in which its parent nearly always stands."""
_HEAD = 1000
"""Bytes before a line's message: its own fields take less."""
_MESSAGE = b'"type":"user","message":{"role":"user","content":'
_PROMPT = (b'"', b'[{"type":"text"', b'[{"type":"image"')
"""How the content of a prompt begins; that of a tool's result begins otherwise."""
_SUMMARY = b'"This session is being continued'
_PARENT = b'{"parentUuid":'
_USER = compiled(rb'"type"\s*:\s*"user"')
_NO_PARENT, _UNKNOWN = -1, -2
"""Where a parent stands that is not in the file: the prompt begins a tree, or the file lacks its beginning."""
_SEARCHED = 64 * 1024 * 1024
"""Bytes searched in vain for parents before the file is taken as one that lacks its beginning."""

Range = tuple[int, int]


class Jump(NamedTuple):
    """A prompt at byte `start` that leaves behind everything from byte `kept` on."""

    start: int
    kept: int


def abandoned(source: Source, found: Sequence[Jump], branch: str | None = None) -> list[Range]:
    """The byte ranges outside the active branch in file order; with `branch`, outside the branch that
    the entry of that id lies on. Raises NotFound for an id that is not in the file."""
    end, left = source.size, []
    if branch is not None:
        layouts = (f'"uuid":{gap}"{branch}"'.encode() for gap in ("", " "))
        at = max(_find_back(source, name, source.size) for name in layouts)
        if at == _UNKNOWN:
            raise NotFound(
                f"{source.path} has no entry {branch}.",
                "`segue sessions show` lists the entries with their ids.",
            )
        end = min((jump.start for jump in found if jump.start > at), default=end)
        left = [(end, source.size)] if end < source.size else []
    for jump in reversed(found):
        if jump.start < end:
            left.append((jump.kept, jump.start))
            end = jump.kept
    return left[::-1]


def jumps(source: Source) -> list[Jump]:
    """The prompts that left something behind, in file order."""
    found: list[Jump] = []
    prompts: list[int] = []
    orphaned, rootless = 0, False
    for start, at in _prompts(source) if _is_original(source) else _decoded_prompts(source):
        rootless = rootless or (not prompts and at == _NO_PARENT)
        if at == _UNKNOWN:
            orphaned += start
            if orphaned > _SEARCHED:
                break
        elif at != _NO_PARENT or rootless:
            # A prompt without a parent replaces the very first one, if that had none either.
            kept = bisect_right(prompts, at)
            if kept < len(prompts):
                found.append(Jump(start, prompts[kept]))
        prompts.append(start)
    return found


def _is_original(source: Source) -> bool:
    """Whether the file looks as Claude Code writes it."""
    for line in source.read(0, _BLOCK).split(b"\n")[:-1]:
        if b'"parentUuid"' not in line[:_HEAD]:
            continue
        if not line.startswith(_PARENT) or (_USER.search(line[:_HEAD]) and _MESSAGE not in line[:_HEAD]):
            return False
    return True


def _decoded_prompts(source: Source) -> Iterator[tuple[int, int]]:
    """The same as `_prompts` for a file in any layout."""
    places: dict[str, int] = {}
    for _, offset, value in records(source.path, decode_link):
        if not isinstance(value, Link):
            continue
        if value.is_prompt():
            yield offset, places.get(value.parent_uuid, _UNKNOWN) if value.parent_uuid else _NO_PARENT
        if value.uuid:
            places[value.uuid] = offset


def _prompts(source: Source) -> Iterator[tuple[int, int]]:
    """Where the line of every prompt begins, and where its parent stands."""
    places: dict[bytes, int] = {}
    position = 0
    while data := source.read(max(0, position - _HEAD), _BLOCK):
        base = max(0, position - _HEAD)
        at = data.find(_MESSAGE, position - base)
        while at >= 0:
            after = at + len(_MESSAGE)
            if data.startswith(_PROMPT, after) and not data.startswith(_SUMMARY, after):
                start = data.rfind(b"\n", max(0, at - _HEAD), at) + 1
                head = data[start:at]
                if head.startswith(_PARENT) and b'"isSidechain":true' not in head:
                    yield base + start, _parent(source, base + start, head, places)
            at = data.find(_MESSAGE, after)
        if len(data) < _BLOCK:
            return
        # What follows the needle must lie in one block with it.
        position = base + len(data) - len(_MESSAGE) - len(_SUMMARY)


def _parent(source: Source, start: int, head: bytes, places: dict[bytes, int]) -> int:
    """Where a prompt's parent stands: right before it, where the prompt that it replaces had it, or farther
    back. `places` remembers the parents of earlier prompts."""
    if head[14:18] == b"null":
        return _NO_PARENT
    uuid = head[14:52]
    needle = b'"uuid":' + uuid
    near = max(0, start - _NEAR)
    at = source.read(near, start - near).rfind(needle)
    places[uuid] = found = near + at if at >= 0 else places.get(uuid) or _find_back(source, needle, near)
    return found


def _find_back(source: Source, needle: bytes, before: int) -> int:
    """The last occurrence that begins before a byte, or _UNKNOWN."""
    while before > 0:
        start = max(0, before - _BLOCK)
        at = source.read(start, before - start + len(needle) - 1).rfind(needle)
        if at >= 0:
            return start + at
        before = start
    return _UNKNOWN

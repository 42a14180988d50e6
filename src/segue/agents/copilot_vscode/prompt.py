"""What the person gave with a request: the words, and what hung on them."""

from __future__ import annotations

from typing import Any

from segue.agents._address import path_of, paths_in
from segue.agents._record import code, record, records, word
from segue.agents._writer import Desk
from segue.model.entry import Speaker

_UNDONE, _CHANGED = 2, 3
_IMPLICIT = "vscode.implicit"
_INSTRUCTIONS = ("promptFile", "promptText")


def prompted(desk: Desk, request: dict[str, Any], question: str, via: str = "prompt") -> None:
    """Tells the words of a request. Where a button was pressed they are the answer to `question`."""
    for event in records(request.get("editedFileEvents")):
        if code(event.get("eventKind")) == _CHANGED and (path := path_of(event.get("uri"))):
            desk.tell("other", by="person", paths=(path,), data={"type": "editedFileEvents"})
    said = request.get("message")
    text = word(record(said).get("text")) if isinstance(said, dict) else word(said)
    pressed = word(request.get("confirmation"))
    given = records(record(request.get("variableData")).get("variables"))
    chosen = [one for one in given if not _is_implicit(one)]
    if pressed:
        desk.tell("answer", f"{question}\n{pressed}".strip(), by="person", via="answer")
    else:
        pictures = sum(one.get("kind") == "image" for one in chosen)
        by: Speaker = "harness" if request.get("isSystemInitiated") is True else "person"
        channel = "notification" if by == "harness" else via
        paths = paths_in(record(one.get("value")) for one in chosen)
        desk.tell(
            "user", text, by=by, via=channel, paths=paths, data={"images": pictures} if pictures else {}
        )
    for one in given:
        _attached(desk, one)


def undone_before(request: dict[str, Any]) -> set[str]:
    """The files whose edits the person undid before sending a request."""
    events = records(request.get("editedFileEvents"))
    return {path_of(event.get("uri")) for event in events if code(event.get("eventKind")) == _UNDONE} - {""}


def _is_implicit(one: dict[str, Any]) -> bool:
    """True for what the editor attached by itself."""
    return word(one.get("id")).startswith(_IMPLICIT) or one.get("kind") in ("implicit", *_INSTRUCTIONS)


def _attached(desk: Desk, one: dict[str, Any]) -> None:
    """What came with the words, where it is more than the name of a file."""
    kind, path = one.get("kind"), path_of(record(one.get("value")))
    if kind in _INSTRUCTIONS:
        text = word(one.get("value")) if kind == "promptText" else word(one.get("name"))
        desk.tell(
            "user",
            text,
            by="harness",
            via="instructions",
            paths=(path,) if kind == "promptFile" and path else (),
        )
    elif kind == "paste":
        desk.tell("user", word(one.get("code")) or word(one.get("value")), by="harness", via="environment")
    elif _is_implicit(one) and path:
        desk.tell("user", word(one.get("name")), by="harness", via="environment", paths=(path,))

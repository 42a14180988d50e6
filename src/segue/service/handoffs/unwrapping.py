"""The handoff in what somebody gives as one: a packet or document as it is, or what segue wraps one in.

A bundle and the answer of `handoff --json` hold a packet; facts are what one is made of. What is no handoff at all
is refused with what it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from segue.errors import BadInput, SegueError
from segue.model.bundle import FACTS_KEY, HANDOFF_SCHEMA, Bundle, read_handoff_bundle
from segue.model.facts import SCHEMA
from segue.model.value import NamedTuple

if TYPE_CHECKING:
    from segue.model.facts import Facts

_BLOCK = frozenset(
    ("progress_summary", "next_steps", "blockers", "key_context", "files_in_progress", "decisions_made")
)
_RECORD = frozenset(("tc_id", "session_context", "handoff"))
_WANTED = "Give a packet, a document, a bundle, facts, or the block of a change record."


class Unwrapped(NamedTuple):
    """`block` is true for the block of a change record, which is JSON and stays so."""

    text: str
    facts: Facts | None = None
    bundle: Bundle | None = None
    block: bool = False


def unwrapped(text: str, path: str | None = None) -> Unwrapped:
    """The handoff that a text is or holds. Raises BadInput for JSON that is none; `path` helps to say what it is."""
    if text.lstrip()[:1] not in ("{", "["):
        return Unwrapped(text)
    import json

    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        if session := _session(path) or _records(text):
            raise _no_handoff(session) from None
        return Unwrapped(text, block=True)
    if not isinstance(value, dict):
        raise _no_handoff("a JSON list")
    if value.get("schema") == SCHEMA:
        return _of_facts(text)
    if value.get("schema") == HANDOFF_SCHEMA:
        return _of_bundle(text, value)
    if isinstance(value.get("packet"), str):
        return Unwrapped(value["packet"])
    if not (_BLOCK | _RECORD) & value.keys():
        raise _no_handoff(_session(path) or _named(value))
    return Unwrapped(text, block=True)


def _of_bundle(text: str, value: Bundle) -> Unwrapped:
    """A bundle that was committed is whole; one that was only drafted has no thread to refer to yet."""
    if FACTS_KEY not in value and isinstance(value.get("summary_markdown"), str):
        return Unwrapped(value["summary_markdown"])
    bundle = read_handoff_bundle(text.encode())
    return Unwrapped(bundle["summary_markdown"], bundle=bundle)


def _of_facts(text: str) -> Unwrapped:
    """The packet that the facts make, within the budget that is the default."""
    import msgspec

    from segue.extract.budget import DEFAULT
    from segue.extract.tokens import count
    from segue.handoff.packet import compose, render
    from segue.model.facts import Facts

    try:
        facts = msgspec.json.decode(text.encode(), type=Facts)
    except msgspec.MsgspecError as fault:
        raise BadInput(f"These facts cannot be read: {fault}.", "Make them again.") from None
    return Unwrapped(render(compose(facts, DEFAULT, count)[0]), facts)


def _session(path: str | None) -> str:
    """Whose session the file is, if it is one."""
    import os

    from segue.agents import locate

    if path is None or not os.path.isfile(path):
        return ""
    try:
        return f"a session of {locate.identify(path)[0]}"
    except SegueError:
        return ""


def _records(text: str) -> str:
    """Whether each line is JSON of its own, by the first."""
    import json

    try:
        json.loads(text.lstrip().partition("\n")[0])
    except (ValueError, RecursionError):
        return ""
    return "a session or another list of records"


def _named(value: dict[str, Any]) -> str:
    """JSON by its schema, or by some of its keys."""
    if isinstance(schema := value.get("schema"), str):
        return f"JSON of the schema {schema[:80]!r}"
    keys = ", ".join(sorted(value)[:5])
    return f"JSON with {keys[:120]}" if keys else "an empty JSON object"


def _no_handoff(what: str) -> BadInput:
    hint = "`segue handoff --from FILE` makes one of it." if what.startswith("a session") else _WANTED
    return BadInput(f"This is no handoff: it is {what}.", hint)

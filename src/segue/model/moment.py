"""Moments: what an agent's hook tells us, in one vocabulary, whoever the host is."""

from __future__ import annotations

from collections.abc import Callable

from segue.model.value import NamedTuple

START, PROMPT, TOOL = "start", "prompt", "tool"
BEFORE, AFTER = "before_compaction", "after_compaction"
STOP, END = "stop", "end"

STARTUP, RESUME, COMPACT, CLEAR, FORK = "startup", "resume", "compact", "clear", "fork"


class Moment(NamedTuple):
    """One call of a hook. `source` says how a session started; `text` is what the agent said last, since
    transcript files lag behind their hooks; `leaf` the record that the branch in use ends at, where the host tells."""

    host: str
    event: str
    kind: str
    session_id: str
    cwd: str
    transcript_path: str = ""
    source: str = ""
    text: str = ""
    tokens: int = 0
    window: int = 0
    leaf: str = ""


class Reply(NamedTuple):
    """What the host should be told: `inject` goes to the model, `notify` to the person."""

    inject: str = ""
    notify: str = ""


NOTHING = Reply()


def utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf8(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


class Cap(NamedTuple):
    """What a host passes on in one piece, with some room, as that host counts it."""

    most: int
    size: Callable[[str], int]

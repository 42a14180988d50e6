"""The command of an operation, as a person would type it, and what it prints with `--json`.

Run in this process, through the same door as `segue` itself: sixty starts of an interpreter would prove nothing
more. What no command says (a field the API alone has) goes through `segue call`, as a program would do it.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from typing import Any, NamedTuple

from segue.surfaces.cli.app import run

Values = Mapping[str, Any]


class Command(NamedTuple):
    words: str
    places: tuple[str, ...] = ()
    """Values that are given by their place."""
    flags: Mapping[str, str] = {}
    """Values whose flag has another name; all others have their own."""
    stdin: str = ""
    """The value that is read from standard input, and the words that ask for it."""
    asks: str = "-"
    only_here: bool = False
    """Whether it is about files of this machine, wherever the workspace is."""


COMMANDS: dict[str, Command] = {
    "thread.ensure": Command("thread ensure"),
    "thread.create": Command("thread create"),
    "thread.post": Command("thread post", ("thread_id",), {"expect": "--expect-seq"}),
    "thread.show": Command("thread show", ("thread_id",)),
    "thread.list": Command("thread list"),
    "thread.branch": Command("thread branch", ("thread_id",)),
    "thread.handoff": Command("thread handoff", ("thread_id",)),
    "thread.reference": Command("thread reference", ("thread_id", "to_thread_id")),
    "thread.lineage": Command("thread lineage", ("thread_id",)),
    "thread.graph": Command("thread lineage --graph"),
    "thread.search": Command("thread search", ("words",)),
    "thread.compile": Command("thread compile", ("thread_id",)),
    "thread.audit": Command("thread compile --audit", ("thread_id",)),
    "thread.cut-points": Command("thread cut-points", ("thread_id",)),
    "thread.checkpoint": Command("thread checkpoint", ("thread_id",)),
    "thread.checkpoints-due": Command("thread checkpoint --auto", ("thread_id",)),
    "artifact.list": Command("artifact list"),
    "session.list": Command("sessions list", only_here=True),
    "session.search": Command("sessions search", ("words",), only_here=True),
    "session.import": Command("sessions import", ("session",)),
    "handoff.draft": Command("handoff --dry-run", ("goal",), {"session": "--from"}),
    "handoff.commit": Command("handoff --yes", ("goal",), {"session": "--from"}),
    "brief": Command("brief", ("goal",), {"session": "--from"}),
    "handoff.lint": Command("lint", stdin="text"),
    "handoff.verify": Command("verify handoff", stdin="text"),
    "handoff.ground": Command("ground", stdin="text", flags={"session": "--from"}),
    "draft.write": Command("draft write", stdin="text"),
    "draft.show": Command("draft show"),
    "draft.approve": Command("draft approve", ("expect",)),
    "draft.reject": Command("draft reject"),
    "replay": Command("replay", flags={"host": "--agent", "session_id": "--session"}),
    "ack": Command("ack", flags={"host": "--agent", "session_id": "--session"}),
    "change.init": Command("change init"),
    "change.new": Command("change new", ("title",)),
    "change.update": Command("change update", ("tc_id",), stdin="wanted", asks="--from -"),
    "change.list": Command("change list"),
    "change.show": Command("change show", ("tc_id",)),
    "change.lint": Command("change lint"),
    "change.rebuild": Command("change rebuild"),
    "change.resume": Command("change resume --yes", ("tc_id",)),
    "change.promote": Command("change promote", ("tc_id", "refs")),
    "change.link": Command("change link", ("tc_id",), {"commits": "--commit"}),
    "change.close": Command("change close", ("tc_id",)),
    "change.dashboard": Command("change dashboard"),
    "verify": Command("verify"),
    "rebuild": Command("rebuild"),
    "gc": Command("gc"),
    "forget": Command("forget --yes", ("targets",), {"artifacts": "--artifact", "sessions": "--session"}),
    "status": Command("status"),
    "models": Command("models"),
    "doctor": Command("doctor"),
}
WITHOUT = {
    "handoff.current": "`draft show` tells about it; its text is in a file",
    "session.show": "`sessions show` shows a whole session, and of any project",
    "change.retro": "`change retro` reads a file, and judges that before it asks",
}
"""Operations that no command gives as they are."""
SEVERAL: dict[str, Callable[[Values], list[list[str]]]] = {
    "thread.amend": lambda values: [
        ["thread", "rename", values["thread_id"], values["title"]],
        ["thread", "tag", values["thread_id"], *(f"--add={tag}" for tag in values["add_tags"])],
    ],
}
"""Operations that are several commands; the last one's answer is the operation's."""


def typed(name: str, values: Values, on_server: bool) -> Iterator[tuple[list[str], str]]:
    """Command lines with what they read, for one operation."""
    if name in SEVERAL:
        yield from ((words, "") for words in SEVERAL[name](values))
        return
    command = COMMANDS.get(name)
    if command is None or not _can_say(values) or (on_server and command.only_here):
        yield ["call", name], json.dumps(values)
        return
    words = command.words.split()
    for place in command.places:
        given = values.get(place, [])
        words += given if isinstance(given, list) else [given]
    if command.stdin in values:
        words += command.asks.split()
    for field in values.keys() - {*command.places, command.stdin}:
        words += _flag(command.flags.get(field, f"--{field.replace('_', '-')}"), values[field])
    said = values.get(command.stdin, "")
    yield words, said if isinstance(said, str) else json.dumps(said)


def _can_say(values: Values) -> bool:
    """Whether a command line takes it: not what is unknown, and a path to a session means a file there."""
    return "colour" not in values and "/" not in values.get("session", "")


def _flag(flag: str, value: Any) -> list[str]:
    if isinstance(value, bool):
        return [flag] if value else []
    return [f"{flag}={one}" for one in (value if isinstance(value, list) else [value])]


def run_here(words: list[str], said: str = "") -> tuple[int, str]:
    """The exit code and what is printed."""
    printed = io.TextIOWrapper(io.BytesIO(), encoding="utf-8")
    with _input(said), redirect_stdout(printed), redirect_stderr(io.StringIO()):
        code = run(words)
        printed.flush()
    assert isinstance(printed.buffer, io.BytesIO)
    return code, printed.buffer.getvalue().decode()


@contextmanager
def _input(said: str) -> Iterator[None]:
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(said.encode()), encoding="utf-8")
    try:
        yield
    finally:
        sys.stdin = before

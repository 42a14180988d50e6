"""Where a reader writes its entries: at the place of the record being read, in the order they are told."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from segue.agents._record import At, millis, without_empty, word
from segue.agents._text import split_message
from segue.agents._toolcall import call_fields, checklist, todos
from segue.model.entry import Edit, Entry, Kind, ToolKind, Usage


class EntryWriter:
    """The entries told of the present record, and what every part of a reader knows: folder and model.

    An entry that the next record may make superfluous is held; that record lets it go, told or dropped."""

    def __init__(self, path: str) -> None:
        self.entries: list[Entry] = []
        self.held: list[Entry] = []
        self.cwd = self.model = ""
        self.at = At(path, 1)
        """Where the present record stands."""
        self._stamp: object = None

    def start_record(self, line: int, offset: int, stamp: object = None, native_id: str = "") -> None:
        """Takes up the next record; neighbours often share their time."""
        time_ms = self.at.time_ms if stamp == self._stamp else millis(stamp)
        self._stamp, self.at = stamp, At(self.at.file, line, offset, native_id, time_ms)

    def add(self, kind: Kind, text: str = "", **fields: Any) -> None:
        """An entry of any kind."""
        self.entries.append(self.at.entry(kind, text, **fields))

    def add_message(self, kind: Kind, text: str, usage: Usage | None = None, via: str = "") -> None:
        """What the agent said or thought, with the model in use."""
        self.add(kind, text, via=via, usage=usage, model=self.model)

    def add_usage(self, usage: Usage, data: dict[str, Any]) -> None:
        """What a reply cost, where that is a record of its own."""
        self.add("meta", by="harness", usage=usage, model=self.model, data=data)

    def add_result(
        self,
        text: str,
        call_id: str,
        tool: str,
        tool_kind: ToolKind,
        exit_code: int | None = None,
        is_error: bool | None = None,
        background: bool = False,
        **fields: Any,
    ) -> None:
        """The result of a tool call."""
        called = {"call_id": call_id, "tool": tool, "tool_kind": tool_kind, "background": background}
        self.add("tool_result", text, exit_code=exit_code, is_error=is_error, **called, **fields)

    def add_call(
        self,
        kind: ToolKind,
        id: str,
        tool: str,
        arguments: Mapping[str, Any],
        creates: bool = False,
        **fields: Any,
    ) -> None:
        """A tool call told from its arguments, and the to-do list where it is one. `creates` says that the
        tool only ever makes new files."""
        asks = call_fields(kind, arguments)
        if creates:
            asks["edits"] = tuple(Edit(edit.path, "created", edit.new) for edit in asks["edits"])
        self.add("tool_call", call_id=id, tool=tool, tool_kind=kind, **{**asks, **fields})
        given = arguments.get("todos")
        if kind == "todo" and given is not None:
            self.add("todo", call_id=id, todos=checklist(given) if isinstance(given, str) else todos(given))

    def add_meta(self, facts: Mapping[str, Any], **fields: Any) -> None:
        """What is known of the session; an empty fact is left out."""
        self.add("meta", by="harness", data=without_empty(facts), **fields)

    def set_model(self, model: str) -> None:
        """From here on this model is in use; told where it is not known already."""
        if model and model != self.model:
            known, self.model = self.model, model
            if known:
                self.add("model_change", by="person", model=model)
            else:
                self.add_meta({"model": model}, model=model)

    def add_compaction(self, summary: str | None = None, **data: Any) -> None:
        """The boundary of a compaction and, where there is one, the summary of what came before it."""
        self.entries += self.at.compaction(summary, **data)

    def add_rejection(self, id: str, tool: str, kind: ToolKind, words: str = "") -> None:
        """The person refused a call."""
        self.add("rejection", words, by="person", via="rejection", call_id=id, tool=tool, tool_kind=kind)

    def add_user_text(self, text: str, **fields: Any) -> None:
        """What reached the agent as the user's, each piece with whose it really is."""
        for piece in split_message(text):
            self.add("user", piece.text, **{"by": piece.by, "via": piece.via, **fields})

    def add_foreign(self, line: int, offset: int, value: dict[str, Any] | Entry) -> None:
        """Passes on what is no record of the reader's: unreadable bytes, or JSON of another shape."""
        self.release()
        if isinstance(value, Entry):
            self.entries.append(value)
            return
        self.start_record(line, offset, value.get("timestamp"))
        self.add("other", by="harness", data={"type": str(value.get("type", ""))})

    def flush(self) -> Iterator[Entry]:
        """Hands out what was told since the last time."""
        if self.entries:
            yield from self.entries
            self.entries.clear()

    def hold(self, count: int = 1) -> None:
        """Takes back the last entries until the next record decides about them."""
        self.held += self.entries[-count:]
        del self.entries[-count:]

    def release(self, dropped: bool = False) -> None:
        """Tells what was held, or drops it because its twin is here."""
        if not dropped:
            self.entries += self.held
        self.held.clear()

    def discard(self) -> None:
        """Drops what the present record told."""
        self.entries.clear()
        self.held.clear()


def add_block(writer: EntryWriter, block: Mapping[str, Any]) -> None:
    """Tells a text or a thought of the agent, of a message made of blocks after Anthropic's API."""
    thought, said = word(block.get("thinking")), word(block.get("text"))
    if block.get("type") == "thinking" and thought:
        writer.add_message("thought", thought)
    elif block.get("type") == "text" and said.strip():
        writer.add_message("agent", said)


def entries_of(
    writer: EntryWriter,
    rows: Iterable[tuple[int, int, dict[str, Any] | Entry]],
    name: dict[str, str],
    begins: Callable[[dict[str, Any]], bool],
    add: Callable[[int, int, dict[str, Any]], None],
) -> Iterator[Entry]:
    """The rows of a session as entries. Where the first one does not begin it, the session has this name and says so."""
    opened = False
    for line, offset, value in rows:
        if not opened and (isinstance(value, Entry) or not begins(value)):
            writer.add("meta", by="harness", data={**name, "started_mid_session": True})
        opened = True
        if isinstance(value, Entry):
            writer.add_foreign(line, offset, value)
        else:
            add(line, offset, value)
        yield from writer.flush()

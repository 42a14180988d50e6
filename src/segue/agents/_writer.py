"""Where a reader writes its entries: at the place of the record being read, in the order they are told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from segue.agents._record import filled, millis
from segue.agents._text import split_message
from segue.agents._toolcall import asked, checklist, todos
from segue.model.entry import TEXT_LIMIT, Edit, Entry, Kind, ToolKind, Usage, clip


class Desk:
    """The entries told of the present record, and what every part of a reader knows: folder and model.

    An entry that the next record may make superfluous is held; that record lets it go, told or dropped."""

    def __init__(self, path: str) -> None:
        self.told: list[Entry] = []
        self.held: list[Entry] = []
        self.cwd = ""
        self.model = ""
        self.native_id = ""
        self._path = path
        self._line, self._offset = 1, 0
        self._stamp: object = None
        self._timed: object = None
        self._time_ms: int | None = None

    def turn_to(self, line: int, offset: int, stamp: object = None, native_id: str = "") -> None:
        """Takes up the next record."""
        self._line, self._offset, self._stamp, self.native_id = line, offset, stamp, native_id

    def add(self, kind: Kind, text: str = "", **fields: Any) -> None:
        """An entry of any kind. The methods below do the same for the commonest, five times as fast."""
        if len(text) > TEXT_LIMIT:
            text, fields["size"] = clip(text)
        self.told.append(
            Entry(
                kind=kind,
                file=self._path,
                line=self._line,
                offset=self._offset,
                native_id=self.native_id,
                time_ms=self._time(),
                text=text,
                **fields,
            )
        )

    def speak(self, kind: Kind, text: str, usage: Usage | None = None, via: str = "") -> None:
        """What the agent said or thought, with the model in use."""
        size = 0
        if len(text) > TEXT_LIMIT:
            text, size = clip(text)
        self.told.append(
            Entry(
                kind=kind,
                file=self._path,
                line=self._line,
                offset=self._offset,
                native_id=self.native_id,
                time_ms=self._time(),
                via=via,
                text=text,
                size=size,
                usage=usage,
                model=self.model,
            )
        )

    def spend(self, usage: Usage, data: dict[str, Any]) -> None:
        """What a reply cost, where that is a record of its own."""
        self.told.append(
            Entry(
                kind="meta",
                file=self._path,
                line=self._line,
                offset=self._offset,
                native_id=self.native_id,
                time_ms=self._time(),
                by="harness",
                usage=usage,
                model=self.model,
                data=data,
            )
        )

    def ask(
        self,
        text: str,
        call_id: str,
        tool: str,
        tool_kind: ToolKind,
        command: str,
        cwd: str,
        edits: tuple[Edit, ...],
        paths: tuple[str, ...],
        data: dict[str, Any],
        usage: Usage | None = None,
    ) -> None:
        """A tool call, with the model in use."""
        size = 0
        if len(text) > TEXT_LIMIT:
            text, size = clip(text)
        self.told.append(
            Entry(
                kind="tool_call",
                file=self._path,
                line=self._line,
                offset=self._offset,
                native_id=self.native_id,
                time_ms=self._time(),
                text=text,
                size=size,
                call_id=call_id,
                tool=tool,
                tool_kind=tool_kind,
                paths=paths,
                command=command,
                edits=edits,
                usage=usage,
                model=self.model,
                cwd=cwd,
                data=data,
            )
        )

    def answer(
        self,
        text: str,
        call_id: str,
        tool: str,
        tool_kind: ToolKind,
        exit_code: int | None = None,
        is_error: bool | None = None,
        background: bool = False,
        edits: tuple[Edit, ...] = (),
        paths: tuple[str, ...] = (),
    ) -> None:
        """The result of a tool call."""
        size = 0
        if len(text) > TEXT_LIMIT:
            text, size = clip(text)
        self.told.append(
            Entry(
                kind="tool_result",
                file=self._path,
                line=self._line,
                offset=self._offset,
                native_id=self.native_id,
                time_ms=self._time(),
                text=text,
                size=size,
                call_id=call_id,
                tool=tool,
                tool_kind=tool_kind,
                paths=paths,
                edits=edits,
                exit_code=exit_code,
                is_error=is_error,
                background=background,
            )
        )

    def call(
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
        asks = asked(kind, arguments)
        if creates:
            asks["edits"] = tuple(Edit(edit.path, "created", edit.new) for edit in asks["edits"])
        self.add("tool_call", call_id=id, tool=tool, tool_kind=kind, **{**asks, **fields})
        given = arguments.get("todos")
        if kind == "todo" and given is not None:
            self.add("todo", call_id=id, todos=checklist(given) if isinstance(given, str) else todos(given))

    def meta(self, facts: Mapping[str, Any], **fields: Any) -> None:
        """What is known of the session; an empty fact is left out."""
        self.add("meta", by="harness", data=filled(facts), **fields)

    def use(self, model: str) -> None:
        """From here on this model is in use; told where it is not known already."""
        if model and model != self.model:
            known, self.model = self.model, model
            if known:
                self.add("model_change", by="person", model=model)
            else:
                self.meta({"model": model}, model=model)

    def compaction(self, summary: str | None = None, **data: Any) -> None:
        """The boundary of a compaction and, where there is one, the summary of what came before it."""
        self.add("compaction", by="harness", data=data)
        if summary is not None:
            self.add("summary", summary, by="harness", via="summary")

    def refuse(self, id: str, tool: str, kind: ToolKind, words: str = "") -> None:
        """The person refused a call."""
        self.add("rejection", words, by="person", via="rejection", call_id=id, tool=tool, tool_kind=kind)

    def words(self, text: str, **fields: Any) -> None:
        """What reached the agent as the user's, each piece with whose it really is."""
        for piece in split_message(text):
            self.add("user", piece.text, **{"by": piece.by, "via": piece.via, **fields})

    def carry(self, line: int, offset: int, value: dict[str, Any] | Entry) -> None:
        """Passes on what is no record of the reader's: unreadable bytes, or JSON of another shape."""
        self.let_go()
        if isinstance(value, Entry):
            self.told.append(value)
            return
        self.turn_to(line, offset, value.get("timestamp"))
        self.add("other", by="harness", data={"type": str(value.get("type", ""))})

    def take(self) -> Iterator[Entry]:
        """Hands out what was told since the last time."""
        if self.told:
            yield from self.told
            self.told.clear()

    def hold_last(self, count: int = 1) -> None:
        """Takes back the last entries until the next record decides about them."""
        self.held += self.told[-count:]
        del self.told[-count:]

    def let_go(self, dropped: bool = False) -> None:
        """Tells what was held, or drops it because its twin is here."""
        if not dropped:
            self.told += self.held
        self.held.clear()

    def forget(self) -> None:
        """Drops what the present record told."""
        self.told.clear()
        self.held.clear()

    def _time(self) -> int | None:
        """The present record's time; neighbours often share it."""
        if self._stamp != self._timed:
            self._timed, self._time_ms = self._stamp, millis(self._stamp)
        return self._time_ms

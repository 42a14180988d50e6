"""Where entries are written: the line being read, and the scene it plays in."""

from __future__ import annotations

from typing import Any

from segue.agents.claude_code.head import Head
from segue.agents.claude_code.wire import Line
from segue.model.entry import Entry, Kind, Speaker, clip


class Page:
    """Entries are added to `told`, in the order they are told."""

    def __init__(self, path: str, head: Head) -> None:
        self.told: list[Entry] = []
        self.path = path
        self.number = 1
        self.offset = 0
        self.uuid = ""
        self.time: int | None = None
        self.speaker: Speaker = "subagent" if head.subagent else "agent"
        self.agent_id = head.subagent
        self.cwd: str = head.facts.get("cwd", "")
        self.branch: str = head.facts.get("branch", "")
        self.title: str = head.facts.get("title", "")
        self.named = head.named
        self.model = ""
        self.reminder = b""
        """The to-do list as the program last reminded the agent of it."""

    def emit(self, kind: Kind, text: str = "", agent_id: str = "", **fields: Any) -> None:
        """Writes an entry at the present line. Too slow for what every line needs: a call with more than
        fifteen keyword arguments takes the interpreter four times as long as one with fifteen."""
        text, size = clip(text)
        self.told.append(
            Entry(
                kind=kind,
                file=self.path,
                line=self.number,
                offset=self.offset,
                native_id=self.uuid,
                time_ms=self.time,
                text=text,
                size=size,
                agent_id=agent_id or self.agent_id,
                cwd=self.cwd,
                **fields,
            )
        )

    def surroundings(self, line: Line) -> None:
        """Tells where the session is, if that is new with this line."""
        data: dict[str, Any] = {}
        if line.cwd and line.cwd != self.cwd:
            self.cwd = data["cwd"] = line.cwd
        if line.git_branch and line.git_branch != self.branch:
            self.branch = data["branch"] = line.git_branch
        if data:
            self.emit("meta", by="harness", data=data)

    def relocated(self, cwd: str) -> None:
        if cwd and cwd != self.cwd:
            self.cwd = cwd
            self.emit("meta", by="harness", data={"cwd": cwd})

    def titled(self, title: str, by_person: bool) -> None:
        """Tells the title, unless the person's own would be replaced by the program's."""
        if title and title != self.title and by_person >= self.named:
            self.title, self.named = title, by_person
            self.emit("meta", by="harness", data={"title": title})

    def model_is(self, model: str) -> None:
        """The first model is a fact of the session; another one later is news."""
        known, self.model = self.model, model
        if known:
            self.emit("model_change", by="harness", model=model)
        else:
            self.emit("meta", by="harness", model=model, data={"model": model})

"""A session told in a few words, and what the walk makes of it."""

from __future__ import annotations

from typing import Any

from segue.extract import index
from segue.model.entry import Edit, Entry, Todo
from segue.model.turn import Index


class Story:
    """Entries in the making; each verb adds what one thing that happened leaves in a session."""

    def __init__(self, name: str = "s-1") -> None:
        self.entries: list[Entry] = []
        self._calls = 0
        self.add("meta", by="harness", cwd="/home/me/app", data={"id": name, "cwd": "/home/me/app"})

    def add(self, kind: Any, text: str = "", **fields: Any) -> int:
        line = len(self.entries) + 1
        self.entries.append(
            Entry(kind=kind, file="s.jsonl", line=line, native_id=f"e{line}", text=text, **fields)
        )
        return line

    def prompt(self, text: str, via: str = "prompt") -> int:
        return self.add("user", text, by="person", via=via)

    def says(self, text: str) -> int:
        return self.add("agent", text)

    def call(self, tool: str, kind: Any, **fields: Any) -> str:
        self._calls += 1
        name = f"c{self._calls}"
        self.add("tool_call", tool=tool, tool_kind=kind, call_id=name, **fields)
        return name

    def run(self, command: str, output: str = "", exit_code: int | None = 0, **fields: Any) -> int:
        name = self.call("Bash", "shell", command=command)
        failed = None if exit_code is None else exit_code != 0
        return self.add("tool_result", output, call_id=name, exit_code=exit_code, is_error=failed, **fields)

    def edit(self, path: str, new: str = "", old: str = "", action: Any = "modified", ok: bool = True) -> int:
        name = self.call(
            "Edit", "edit", paths=(path,), edits=(Edit(path=path, new=new, old=old, action=action),)
        )
        return self.add("tool_result", "done" if ok else "no match", call_id=name, is_error=not ok)

    def read(self, path: str, kind: Any = "read", text: str = "") -> int:
        name = self.call("Read", kind, paths=(path,), text=text)
        return self.add("tool_result", "", call_id=name, is_error=False)

    def todos(self, *items: tuple[str, Any]) -> int:
        return self.add("todo", todos=tuple(Todo(text=text, state=state) for text, state in items))

    def fate(self, rule: str, *later: str) -> str:
        """What becomes of a rule when the person says this later: it is replaced, doubted, or stands."""
        self.prompt(f"Build the importer for CSV files. {rule}")
        for said in later:
            self.says("Understood, I start.")
            self.prompt(said)
        self.says("Done.")
        (old,) = (word for word in self.index.words if rule.rstrip(".") in word.text)
        return "replaced" if old.superseded_by else "doubted" if old.doubted_by else "stands"

    def decided(self, said: str) -> list[str]:
        """Which decisions the agent tells by saying this."""
        self.prompt("go")
        self.says(said)
        return [decision.text for decision in self.index.decisions]

    @property
    def index(self) -> Index:
        return index.build(self.entries, "generic", "s.jsonl", lambda text: text)

    @property
    def states(self) -> dict[str, str]:
        """Which commands are open, resolved, fine or running, by their keys."""
        return {command.key: command.state for command in self.index.commands}

    @property
    def claims(self) -> list[tuple[str, str]]:
        return [(claim.state, claim.text) for claim in self.index.claims]

    @property
    def running(self) -> list[str]:
        """The jobs that were left in the background."""
        return [job.text for job in self.index.background]

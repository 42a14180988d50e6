"""A session told in a few words, and what is made of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from segue.extract import facts, index, tokens
from segue.handoff import packet
from segue.model.entry import Edit, Entry, Todo
from segue.model.facts import Facts
from segue.model.turn import Index

BUDGET = 4000


class Story:
    """Entries in the making; each verb adds what one thing that happened leaves in a session."""

    def __init__(self, name: str = "s-1", earlier: Sequence[Facts] = ()) -> None:
        self.entries: list[Entry] = []
        self.earlier = earlier
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
        """A shell call and its result; `exit_code=None` where the harness records none."""
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

    def rejects(self, name: str, text: str = "") -> int:
        """The person does not let a call run."""
        return self.add("rejection", text, by="person", via="rejection", call_id=name)

    def asks(self, text: str) -> int:
        """The agent asks by its tool."""
        return self.add("question", text)

    def answers(self, text: str) -> int:
        return self.add("answer", text, by="person", via="answer")

    @property
    def index(self) -> Index:
        return index.build(self.entries, "generic", "s.jsonl", lambda text: text, earlier=self.earlier)

    def facts(self, goal: str = "go on", budget: int = BUDGET, **options: Any) -> Facts:
        return facts.select(self.index, goal, budget=budget, **options)

    def packet(self, goal: str = "go on", budget: int = BUDGET) -> str:
        return rendered(self.facts(goal, budget), budget)

    @property
    def states(self) -> dict[str, str]:
        """What is known of each line that was run, by its key."""
        return {command.key: command.state for command in self.index.commands}

    @property
    def claims(self) -> list[tuple[str, str]]:
        """What git and its hosts were seen to do."""
        return [(claim.state, claim.text) for claim in self.index.claims if claim.state != "pending"]

    @property
    def uncommitted(self) -> list[str]:
        return [claim.text for claim in self.index.claims if claim.act == "uncommitted"]

    @property
    def unpushed(self) -> list[str]:
        return [c.text for c in self.index.claims if c.act == "push" and c.state == "pending"]

    @property
    def running(self) -> list[str]:
        """The jobs that were left in the background."""
        return [job.text for job in self.index.background]


def rendered(chosen: Facts, budget: int = BUDGET) -> str:
    return packet.render(packet.compose(chosen, budget, tokens.count)[0])


def rows(text: str, label: str) -> list[str]:
    """The lines of a packet below the label that begins like this; none where it has no such label."""
    found: list[str] = []
    inside = False
    for line in text.split("\n"):
        if line.startswith((f"**{label}", f"## {label}")):
            inside = True
        elif inside and line.startswith(("**", "## ", "<", "Redacted", "End of handoff")):
            break
        elif inside and line:
            found.append(line)
    return found


def told(text: str, label: str) -> str:
    """The same as one text."""
    return "\n".join(rows(text, label))

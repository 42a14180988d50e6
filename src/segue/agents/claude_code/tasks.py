"""The to-do list that is kept call by call.

Newer versions no longer write the whole list at once: tasks are created and updated one by one,
and the whole list stands only in reminders. A snapshot is told after every change.
"""

from __future__ import annotations

from typing import Any

from segue.agents._record import record, records, word
from segue.agents._toolcall import todo_state
from segue.agents.claude_code.wire import WholeResult
from segue.model.entry import Todo

TOOLS = ("TaskCreate", "TaskUpdate")


class Tasks:
    """The list as far as this file tells it."""

    def __init__(self) -> None:
        self._tasks: dict[str, Todo] = {}

    def changed(self, result: WholeResult, subject: str) -> tuple[Todo, ...]:
        """The list after a call that created or updated a task; `subject` is its text in that call."""
        made = record(result.task)
        if made:
            self._tasks[word(made.get("id"))] = Todo(word(made.get("subject")))
        id = word(result.task_id)
        if id:
            known = self._tasks.get(id, Todo(f"#{id}"))
            state = word(record(result.status_change).get("to"))
            self._tasks[id] = Todo(subject or known.text, todo_state(state) if state else known.state)
            if state == "deleted":
                del self._tasks[id]
        return tuple(self._tasks.values())

    def reminded(self, content: Any) -> tuple[Todo, ...]:
        """The list as a reminder gives it, empty if that is no news."""
        known = tuple(self._tasks.values())
        told = {
            word(item.get("id")) or str(number): Todo(
                word(item.get("subject")) or word(item.get("content")), todo_state(item.get("status"))
            )
            for number, item in enumerate(records(content))
        }
        if not told or tuple(told.values()) == known:
            return ()
        self._tasks = told
        return tuple(told.values())

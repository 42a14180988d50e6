"""Sessions written by hand, entry by entry; the line of each is its place."""

from __future__ import annotations

from typing import Any

from segue.model.entry import Edit, Entry, Todo


class Written:
    def __init__(self) -> None:
        self.entries: list[Entry] = []
        self._add("meta", by="harness", data={"id": "s-1"})

    def _add(self, kind: Any, text: str = "", **fields: Any) -> int:
        line = len(self.entries) + 1
        self.entries.append(Entry(kind=kind, file="s.jsonl", line=line, text=text, **fields))
        return line

    def asks(self, text: str) -> int:
        return self._add("user", text, by="person", via="prompt")

    def says(self, text: str) -> int:
        return self._add("agent", text)

    def calls(self, command: str) -> int:
        name = f"{command}{len(self.entries)}"
        return self._add("tool_call", call_id=name, tool="Bash", tool_kind="shell", command=command)

    def runs(self, command: str, output: str, exit_code: int = 0) -> int:
        self.calls(command)
        name = self.entries[-1].call_id
        return self._add("tool_result", output, call_id=name, exit_code=exit_code, is_error=exit_code != 0)

    def edits(self, path: str) -> int:
        change = Edit(path=path, new="def upload(): ...")
        self._add("tool_call", call_id=path, tool="Edit", tool_kind="edit", paths=(path,), edits=(change,))
        return self._add("tool_result", "done", call_id=path, is_error=False)

    def lists(self, *todos: tuple[str, Any]) -> int:
        return self._add("todo", todos=tuple(Todo(text=text, state=state) for text, state in todos))


def uploader() -> Written:
    made = Written()
    made.asks("Add retries to the uploader. You must never call the live bucket from a test.")  # 2
    made.says("I chose backoff because clients with a fixed delay retry in step and fail again.")  # 3
    made.edits("src/uploader.py")  # 4, 5
    made.runs("npm run lint", "src/policy.py: error: line 12 is too long\n1 error", 2)  # 6, 7
    made.runs("npm test -- --ci 2>&1 | tail -5", "Tests: \x1b[32m4 passed\x1b[0m, 4 total")  # 8, 9
    made.runs("pytest tests", "12 passed in 0.5s")  # 10, 11
    made.runs('git commit -m "Retry uploads"', "[main 1a2b3c4] Retry uploads\n 2 files")  # 12, 13
    made.runs("git push", "To github.com:a/b\n   9f8e7d6..1a2b3c4  main -> main")  # 14, 15
    made.runs("gh pr create --fill", "https://github.com/a/b/pull/41")  # 16, 17
    made.lists(("Write the policy", "completed"), ("Cover the timeout", "pending"))  # 18
    made.asks("go")  # 19
    made.says("It failed: the stub needs port 9090.")  # 20
    made.asks("go")  # 21
    made.says("All tests pass and the policy is committed.")  # 22
    made.runs("make docs", "Sphinx 7\nbuild succeeded", 0)  # 23, 24
    made.asks("Now cover the timeout, and use port 9090 in the stub.")  # 25
    made.calls("make deploy")  # 26
    made.lists(("Write the policy", "completed"), ("Cover the timeout", "pending"))  # 27
    return made

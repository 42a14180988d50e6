"""Cline: the task folders of the editor extension and the sessions of the command line version.

**Where**: `<VS Code's data>/User/globalStorage/saoudrizwan.claude-dev/tasks/<id>/` (also of Cursor,
Windsurf, VSCodium and code-server), `~/.cline/data/tasks/<id>/`, and for the command line version
`~/.cline/data/sessions/<id>/<id>.messages.json`. The id of a task is its start in milliseconds.

**Versions seen**: extension 3.x (own samples made after its formats), command line 3.0.65.

**Quirks**

- A task is two files that only together are whole: `api_conversation_history.json` has what the
  model saw, in full; `ui_messages.json` has the times, the token counts, and words of the person
  that never reached the model. Either file, or the folder, names the task.
- Older versions write tool calls as XML in the agent's text, and all write results as text under a
  heading like `[read_file for 'x'] Result:`; they are paired with their calls by order.
- `<task>`, `<feedback>`, `<user_message>` and `<answer>` hold the person's words, everything else
  in a user message is Cline's: `<environment_details>` at the end of each, reminders, results.
- A refused call is a result that says so; feedback given with it is the person's.
- The to-do list is the checklist in `task_progress` arguments and in `focus_chain_*.md`, which holds
  the current one and counts as part of the last message.
- A context that grew too long is cut (`conversationHistoryDeletedRange`) or summarised
  (`summarize_task`, or `<id>.compaction.json` of the command line version).
"""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Iterator

from segue.agents.cline import session as command_line
from segue.agents.cline import task
from segue.agents.contract import Home
from segue.model.entry import Entry

AGENT = "cline"

_EDITORS = ("Code", "Code - Insiders", "Cursor", "Windsurf", "VSCodium")
_SETTINGS = (".config", os.path.join("Library", "Application Support"), os.path.join("AppData", "Roaming"))
_SERVERS = (".vscode-server", ".cursor-server", os.path.join(".local", "share", "code-server"))
_EXTENSION = os.path.join("User", "globalStorage", "saoudrizwan.claude-dev", "tasks", "*")
_LIST = re.compile(rb'^\s*\[\s*\{\s*"')


def places(home: Home, cwd: str | None) -> Iterable[str]:
    root = glob.escape(home.home)
    moved = home.env.get("CLINE_DATA_DIR")
    own = glob.escape(moved) if moved else os.path.join(root, ".cline", "data")
    yield os.path.join(own, "sessions", "*", "*.messages.json")
    yield os.path.join(own, "tasks", "*")
    for settings in _SETTINGS:
        for editor in _EDITORS:
            yield os.path.join(root, settings, editor, _EXTENSION)
    for server in _SERVERS:
        yield os.path.join(root, server, "data", _EXTENSION)


def sniff(path: str, head: bytes) -> int:
    name = os.path.basename(path)
    if not head:
        return 95 if os.path.isfile(os.path.join(path, task.HISTORY)) else 0
    if name == task.HISTORY:
        return 95 if head.lstrip()[:1] == b"[" else 0
    if name == task.SCREEN or _LIST.match(head):
        return 90 if b'"ts"' in head and (b'"say"' in head or b'"ask"' in head) else 0
    is_session = name.endswith(command_line.SUFFIX) and b'"sessionId"' in head
    return 90 if is_session and b'"messages"' in head else 0


def sessions(path: str) -> Iterable[str]:
    return [command_line.name_of(path) if command_line.is_session(path) else task.name_of(path)]


def read(path: str, session: str | None = None, branch: str | None = None) -> Iterator[Entry]:
    return command_line.entries(path) if command_line.is_session(path) else task.entries(path)

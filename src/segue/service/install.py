"""Putting segue into agents, and taking it out again without a trace.

A change is worked out as a value first (which file, which bytes before, which after); `--dry-run` shows it,
installing performs it. What was there before is kept in a ledger: a file nobody touched since is restored
byte for byte, in one that was edited only our entries go.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shlex
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from segue.agents import integrations
from segue.agents.integrations import File, Settings
from segue.errors import BadInput, NotFound, Unavailable

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

Result = dict[str, Any]


class Change(NamedTuple):
    """One file as it is and as it should be; None for a file that is not there."""

    path: str
    before: bytes | None
    after: bytes | None
    mode: int = 0o600
    ours: bool = False
    """True for a file that nobody else writes."""

    @property
    def needed(self) -> bool:
        return self.before != self.after


def install(workspace: Workspace, agents: list[str], project: bool, dry_run: bool = False) -> Result:
    """Installs the integration of each agent; says what changed, or would."""
    base = workspace.root if project else os.path.expanduser("~")
    planned = {agent: _plan(agent, base, project) for agent in agents}
    ledger = _Ledger(workspace, project)
    answer: Result = {"agents": {}, "dry_run": dry_run}
    for agent, (changes, note) in planned.items():
        needed = [change for change in changes if change.needed]
        if not dry_run:
            for change in changes:
                ledger.note(agent, change)
            ledger.save()
            for change in needed:
                _perform(change)
        answer["agents"][agent] = {"changes": [_shown(change) for change in needed], "note": note}
    if project and not dry_run:
        workspace.establish()
    return answer


def uninstall(workspace: Workspace, agents: list[str], project: bool, dry_run: bool = False) -> Result:
    """Takes the integration of each agent out again."""
    ledger = _Ledger(workspace, project)
    answer: Result = {"agents": {}, "dry_run": dry_run}
    for agent in agents:
        rows = ledger.rows.get(agent)
        if rows is None:
            raise NotFound(f"segue is not installed in {agent} here.", "`segue doctor` shows where it is.")
        changes = [_undone(path, row, agent, ledger) for path, row in rows.items()]
        if not dry_run:
            for change in changes:
                if change.needed:
                    _perform(change)
            for path, row in rows.items():
                _remove_folders(os.path.dirname(path), row["folders"])
            ledger.forget(agent)
        answer["agents"][agent] = {
            "changes": [_shown(change) for change in changes if change.needed],
            "note": "",
        }
    return answer


def installed(workspace: Workspace) -> list[tuple[str, str, list[str]]]:
    """(agent, scope, files) of what is installed for this project and for this person."""
    return [
        (agent, scope, list(rows))
        for scope, project in (("project", True), ("user", False))
        for agent, rows in _Ledger(workspace, project).rows.items()
    ]


def _plan(agent: str, base: str, project: bool) -> tuple[list[Change], str]:
    found = integrations.integration(agent, base, project, os.environ)
    if found is None:
        raise BadInput(
            f"segue has no integration for {agent!r}.", f"It has one for {', '.join(integrations.agents())}."
        )
    command = program()
    changes = [_merged(agent, settings, command) for settings in found.settings]
    changes += [_written(agent, file, command) for file in found.files]
    return changes, found.note


def program() -> list[str]:
    """The program as an absolute command: never a shim, never looked up on a PATH that may differ."""
    script = os.path.join(os.path.dirname(sys.executable), "segue")
    return [script] if os.access(script, os.X_OK) else [sys.executable, "-m", "segue"]


def _merged(agent: str, settings: Settings, command: list[str]) -> Change:
    """The host's settings with our groups at the end of each event's list, and nothing else touched."""
    path = os.path.realpath(settings.path)
    before = _bytes(path)
    value = _object(path, before)
    hooks = value.setdefault("hooks", {})
    if not isinstance(hooks, dict) or not all(
        isinstance(hooks.get(event, []), list) for event in settings.events
    ):
        raise BadInput(
            f"The hooks in {path} are not in a form segue knows.", "Mend the file; nothing was changed."
        )
    words = shlex.join(command)
    changed = before is None
    for event in settings.events:
        groups = hooks.setdefault(event, [])
        ours = integrations.hook_entry(agent, event, words, settings.timeout)
        if ours not in groups:
            hooks[event] = [group for group in groups if not integrations.is_ours(group, agent)] + [ours]
            changed = True
    return Change(path, before, _dumped(value, before) if changed else before, _mode(path))


def _written(agent: str, file: File, command: list[str]) -> Change:
    path = os.path.realpath(file.path)
    before = _bytes(path)
    text = _text(agent, file, command)
    if before is not None and not integrations.recognised(file, before):
        raise BadInput(f"{path} is there already and is not segue's.", "Move it away; nothing was changed.")
    return Change(path, before, text.encode(), 0o700 if file.executable else _mode(path), ours=True)


def _text(agent: str, file: File, command: list[str]) -> str:
    if file.template == "script":
        return f"#!/bin/sh\n# segue: written by `segue install {agent}`.\nexec {shlex.join(command)} hook {agent} {file.event}\n"
    if file.template == "copilot":
        entries = {
            event: [
                {"type": "command", "bash": f"{shlex.join(command)} hook {agent} {event}", "timeoutSec": 30}
            ]
            for event in integrations.COPILOT_EVENTS
        }
        return json.dumps({"version": 1, "hooks": entries}, indent=2) + "\n"
    with open(os.path.join(integrations.TEMPLATES, file.template), encoding="utf-8") as template:
        text = template.read()
    return text.replace("@COMMAND@", json.dumps(command)).replace("@SEGUE@", shlex.join(command))


def _object(path: str, data: bytes | None) -> dict[str, Any]:
    if data is None or not data.strip():
        return {}
    try:
        value = json.loads(data)
        json.dumps(value, allow_nan=False)
    except (ValueError, RecursionError) as fault:
        raise BadInput(f"{path} is not JSON: {fault}.", "Mend the file; nothing was changed.") from None
    if not isinstance(value, dict):
        raise BadInput(f"{path} does not hold a JSON object.", "Mend the file; nothing was changed.")
    return value


def _dumped(value: dict[str, Any], before: bytes | None) -> bytes:
    """JSON in the manner of what was there: its indentation and its last line end."""
    indent: int | str = 2
    for line in (before or b"").decode(errors="replace").splitlines():
        space = line[: len(line) - len(line.lstrip())]
        if space and line.strip().startswith('"'):
            indent = space if "\t" in space else len(space)
            break
    end = "" if before and not before.endswith(b"\n") else "\n"
    try:
        return (json.dumps(value, indent=indent, ensure_ascii=False) + end).encode()
    except UnicodeEncodeError:  # half of a surrogate pair, which only an escape can write
        return (json.dumps(value, indent=indent) + end).encode()


def _undone(path: str, row: dict[str, Any], agent: str, ledger: _Ledger) -> Change:
    """The file without us: as it was if nobody touched it, else without our entries."""
    now = _bytes(path)
    original = base64.b64decode(row["before"]) if row["before"] is not None else None
    if ledger.shared(path, agent) or now is None:
        return Change(path, now, now)
    if _sha(now) == row["after"] and not row.get("edited"):
        return Change(path, now, original, _mode(path))
    if row["ours"]:
        return Change(path, now, None)
    return Change(path, now, _without_us(now, original, agent), _mode(path))


def _without_us(now: bytes, original: bytes | None, agent: str) -> bytes | None:
    """Edited settings without our entries; None when nothing is left of a file that we made."""
    value = _object_or_none(now)
    found = value.get("hooks")
    hooks: dict[str, Any] = found if isinstance(found, dict) else {}
    known = _object_or_none(original or b"").get("hooks")
    had: dict[str, Any] = known if isinstance(known, dict) else {}
    removed = False
    for event, groups in list(hooks.items()):
        if not isinstance(groups, list):
            continue
        kept = [group for group in groups if not integrations.is_ours(group, agent)]
        if len(kept) == len(groups):
            continue
        removed = True
        hooks[event] = kept
        if not kept and had.get(event) != []:
            del hooks[event]
    if not removed:
        return now
    if not hooks and known != {}:
        del value["hooks"]
    return _dumped(value, now) if value or original is not None else None


def _object_or_none(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _perform(change: Change) -> None:
    try:
        if change.after is None:
            os.unlink(change.path)
            return
        os.makedirs(os.path.dirname(change.path), exist_ok=True)
        scratch = f"{change.path}.{os.getpid()}.tmp"
        with open(os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, change.mode), "wb") as file:
            file.write(change.after)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(scratch, change.mode)
        os.replace(scratch, change.path)
    except OSError as fault:
        raise Unavailable(
            f"{change.path} cannot be written: {fault.strerror}.", "Check its permissions."
        ) from None


def _remove_folders(folder: str, made: list[str]) -> None:
    """Removes the folders that installing made, if they are empty again."""
    while folder in made:
        try:
            os.rmdir(folder)
        except OSError:
            return
        folder = os.path.dirname(folder)


def _shown(change: Change) -> Result:
    import difflib

    before = (change.before or b"").decode(errors="replace").splitlines()
    after = (change.after or b"").decode(errors="replace").splitlines()
    name = change.path
    diff = difflib.unified_diff(
        before, after, name if change.before is not None else "/dev/null", name, lineterm=""
    )
    return {"path": change.path, "diff": "\n".join(diff)}


def _bytes(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
    except OSError as fault:
        raise Unavailable(f"{path} cannot be read: {fault.strerror}.", "Check its permissions.") from None


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode & 0o777
    except OSError:
        return 0o644


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


class _Ledger:
    """What was changed where: per agent and path the bytes before, the hash after, and the folders made."""

    def __init__(self, workspace: Workspace, project: bool) -> None:
        config = os.environ.get("XDG_CONFIG_HOME") or os.path.join(os.path.expanduser("~"), ".config")
        self._path = os.path.join(
            workspace.folder if project else os.path.join(config, "segue"), "installed.json"
        )
        known = _object(self._path, _bytes(self._path))
        self.rows: dict[str, dict[str, dict[str, Any]]] = known.get("agents", {})
        self._folders: list[str] = known.get("folders", [])

    def note(self, agent: str, change: Change) -> None:
        """Remembers a change; what stood there before our first one counts, also after an upgrade and for
        a file that several agents read."""
        row = next((rows[change.path] for rows in self.rows.values() if change.path in rows), None)
        if row is None:
            row = _first_row(change)
        elif not change.ours and _edited(row, change.before):
            row = {**row, "edited": True}
        after = _sha(change.after or b"") if change.needed else row["after"]
        for rows in (self.rows.setdefault(agent, {}), *self.rows.values()):
            if rows is self.rows[agent] or change.path in rows:
                rows[change.path] = {**row, "after": after}

    def shared(self, path: str, agent: str) -> bool:
        """True when another installed agent uses the same file."""
        return any(path in rows for other, rows in self.rows.items() if other != agent)

    def forget(self, agent: str) -> None:
        self.rows.pop(agent, None)
        self.save()

    def save(self) -> None:
        from segue.service.workspace import write_private

        folder = os.path.dirname(self._path)
        if self.rows:
            self._folders = self._folders or _missing_folders(folder)
            os.makedirs(folder, mode=0o700, exist_ok=True)
            told = {"folders": self._folders, "agents": self.rows}
            write_private(self._path, (json.dumps(told, indent=1) + "\n").encode())
        elif os.path.exists(self._path):
            os.unlink(self._path)
            _remove_folders(folder, self._folders)


def _first_row(change: Change) -> dict[str, Any]:
    """The row of a file that no agent's installation is known to have changed. One that holds our entries
    already cannot be restored, so nothing will match its hash and only those entries go."""
    kept = None if change.ours or change.before is None else base64.b64encode(change.before).decode()
    folders = _missing_folders(os.path.dirname(change.path))
    return {"before": kept, "after": "", "folders": folders, "ours": change.ours}


def _edited(row: dict[str, Any], now: bytes | None) -> bool:
    """True for settings that are neither as we left them nor as they were before us. Restoring those would
    take somebody's edit away, so from then on only our entries go."""
    original = base64.b64decode(row["before"]) if row["before"] is not None else None
    return now != original and _sha(now or b"") != row["after"]


def _missing_folders(folder: str) -> list[str]:
    missing = []
    while not os.path.isdir(folder):
        missing.append(folder)
        folder = os.path.dirname(folder)
    return missing

"""Putting segue into agents, and taking it out again without a trace.

A change is worked out as a value first (which file, which bytes before, which after); `--dry-run` shows it,
installing performs it. What was there before is kept in a ledger: a file nobody touched since is restored
byte for byte, in one that was edited only our entries go, and a file of ours that was edited stays.
"""

from __future__ import annotations

import os
import shlex
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from segue.agents import integrations
from segue.agents.host import File
from segue.errors import BadInput, NotFound, SegueError
from segue.model.value import NamedTuple
from segue.service.install.ledger import Change, Ledger, Row, contents, original, remove_folders, sha
from segue.service.install.places import in_home, integration, resolved
from segue.service.install.settings import with_us, without_us
from segue.service.refusals import refusal
from segue.stores import accepted, private_files

if TYPE_CHECKING:
    from segue.service.workspace import Workspace

Result = dict[str, Any]
TAKES_OUT = "takes it out; one that came with the repository is yours to remove"
_NO_FOLDER = (
    "Hooks act in projects that have a .segue folder; there is none here yet: `segue thread ensure` makes it."
)


def install(
    workspace: Workspace, agents: list[str], project: bool, dry_run: bool = False, force: bool = False
) -> Result:
    """Installs the integration of each agent; says what changed, or would, which files of ours stay as a person edited
    them unless `force` is given, and which are there already in the other scope."""
    ledger = Ledger(workspace, project)
    planned = {agent: plan(workspace, agent, project, ledger, force) for agent in agents}
    other = _ledger(workspace, not project)
    ledgers = [(workspace, ledger if project else other)]
    ledgers += [] if project else [(one, _ledger(one, True)) for one in _other_projects(workspace)]
    doubles = {
        agent: [
            (its, change)
            for one, its in ledgers
            if its is not None
            for change in _doubles(one, agent, project, its, force)
        ]
        for agent in agents
    }
    if project and not dry_run:
        workspace.establish()
    for agent, (changes, _) in planned.items():
        if dry_run:
            continue
        for change in changes:
            ledger.note(agent, change)
        ledger.save()
        for change in changes:
            if change.needed:
                _perform(change)
        for its, change in doubles[agent]:
            _retire(change, its)
    idle = "" if project or os.path.isdir(workspace.path) else _NO_FOLDER
    there = "for all of your projects (--user)" if project else "in this project"
    told = {}
    for agent, made in planned.items():
        elsewhere = list(other.rows.get(agent, {})) if other is not None else []
        twice = f"It is installed {there}, too; what it says is said once." if elsewhere else ""
        gone = {change.path for _, change in doubles[agent] if change.needed}
        came = _told_came_along(workspace, agent)
        note = " ".join(
            filter(None, [made.note, idle, twice, came, "" if project else _clashes(workspace, agent, gone)])
        )
        changes = [*made.changes, *(change for _, change in doubles[agent])]
        told[agent] = _render_changes(changes, note) | {"elsewhere": elsewhere}
    return {"agents": told, "dry_run": dry_run}


def _ledger(workspace: Workspace, project: bool) -> Ledger | None:
    """What is installed in the other scope; None where its ledger is not to be believed, which `doctor` tells."""
    try:
        return Ledger(workspace, project)
    except SegueError:
        return None


def _doubles(
    workspace: Workspace, agent: str, project: bool, ledger: Ledger, force: bool = False
) -> list[Change]:
    """What a project's ledger has of its own beside what the agent has, or gets now, for the person: of two skills
    with one name Codex takes none, and two such commands are renamed by Gemini CLI."""
    files = [file for file in _alone(workspace, agent) if not project or _held(workspace, file)]
    rows = [(file.path, ledger.row(file.path)) for file in files]
    return [_undone(path, row, agent, False, force) for path, row in rows if row is not None]


def doubled(workspace: Workspace, agent: str) -> list[str]:
    """The project's own files whose names the agent meets a second time in what the person has for all projects."""
    return [f.path for f in _alone(workspace, agent) if _held(workspace, f) and _is_ours(f)]


def _alone(workspace: Workspace, agent: str) -> list[File]:
    """The project's files that clash with those of a home."""
    return [file for file in integration(workspace, agent, True).files if file.alone]


def _other_projects(workspace: Workspace) -> list[Workspace]:
    """The further projects that this person made or accepted."""
    from segue.service.workspace import Workspace

    with suppress(SegueError):
        here = {os.path.realpath(place) for place in (workspace.root, os.path.expanduser("~"))}
        return [Workspace(root) for root in sorted(accepted.rows().keys() - here)]
    return []


def came_along(workspace: Workspace, agent: str) -> list[str]:
    """Files in the project with something of ours that nobody installed here: they came with a clone."""
    ledger, found = _ledger(workspace, True), integration(workspace, agent, True)
    ours = [file.path for file in found.files if _is_ours(file)]
    ours += [settings.path for settings in found.settings if _names_us(settings.path, agent)]
    return [path for path in ours if ledger is not None and ledger.row(path) is None]


def _names_us(path: str, agent: str) -> bool:
    with suppress(SegueError):
        now = contents(path)
        return now is not None and without_us(path, now, now, agent) != now
    return False


def _told_came_along(workspace: Workspace, agent: str) -> str:
    found = came_along(workspace, agent)
    return f"{', '.join(found)} came with the repository: {adopting(agent)}" if found else ""


def adopting(agent: str) -> str:
    """What a person may do about files that came along."""
    return f"remove them, or `segue install {agent} --project` makes yours those that you do not have for all projects."


def _clashes(workspace: Workspace, agent: str, gone: set[str]) -> str:
    """Which other projects have a copy beside the one that the person has now, other than those that are `gone`, and
    what takes it out."""
    return " ".join(
        f"{file.path} clashes with this {file.noun}: `segue install {agent}` in {one.root} {TAKES_OUT}."
        for one in _other_projects(workspace)
        for file in _alone(one, agent)
        if file.path not in gone and _is_ours(file)
    )


def _retire(change: Change, ledger: Ledger) -> None:
    """Takes a file out that another scope has now."""
    row = ledger.row(change.path)
    if change.needed and row is not None:
        _perform(change)
        remove_folders(os.path.dirname(change.path), row["folders"])
        ledger.drop(change.path)


def uninstall(
    workspace: Workspace, agents: list[str], project: bool, dry_run: bool = False, force: bool = False
) -> Result:
    """Takes the integration of each agent out again. Nothing is touched unless all of them are installed."""
    ledger = Ledger(workspace, project)
    for agent in agents:
        if agent not in ledger.rows:
            raise NotFound(f"segue is not installed in {agent} here.", "`segue doctor` shows where it is.")
    planned: dict[str, list[Change]] = {}
    for agent in dict.fromkeys(agents):
        rows, leaving = ledger.rows[agent], [*planned, agent]
        planned[agent] = [
            _undone(path, row, agent, ledger.shared(path, leaving), force) for path, row in rows.items()
        ]
    for agent, changes in planned.items():
        if dry_run:
            continue
        rows = ledger.rows[agent]
        for change in changes:
            if change.needed:
                _perform(change)
        for path, row in rows.items():
            remove_folders(os.path.dirname(path), row["folders"])
        ledger.forget(agent, [change.path for change in changes if change.kept])
    projects = [] if project else [workspace, *_other_projects(workspace)]
    installed_in = [(one, its.rows) for one in projects if (its := _ledger(one, True)) is not None]
    told = {}
    for agent, changes in planned.items():
        gone = {change.path for change in changes if change.after is None}
        lacking = [
            f"`segue install {agent}` in {one.root} gives it its own {file.noun} again."
            for one, rows in installed_in
            for file in (_alone(one, agent) if agent in rows else [])
            if os.path.realpath(in_home(one, file.path)) in gone and not _is_ours(file)
        ]
        told[agent] = _render_changes(changes, " ".join(lacking))
    return {"agents": told, "dry_run": dry_run}


def installed(workspace: Workspace, project: bool) -> list[tuple[str, list[str]]]:
    """(agent, files) of what is installed for this project, or for this person."""
    found = [
        (agent, [path for path, row in rows.items() if not row.get("left")])
        for agent, rows in Ledger(workspace, project).rows.items()
    ]
    return [row for row in found if row[1]]


class Plan(NamedTuple):
    """Every file of an agent's integration, as it is and as this version writes it, and what a person should know."""

    changes: list[Change]
    note: str


def plan(workspace: Workspace, agent: str, project: bool, ledger: Ledger, force: bool = False) -> Plan:
    """What installing would do. Settings that cannot be understood raise BadInput; where they would only get the MCP
    server, that is left out and told."""
    found = integration(workspace, agent, project)
    command = program()
    words = integrations.server_words(command, workspace.root if project else None)
    changes, notes = [], [found.note]
    for settings in found.settings:
        path = resolved(settings.path, project)
        before = contents(path)
        try:
            after = with_us(agent, settings, path, before, command, words)
        except BadInput as fault:
            if settings.hooks:
                raise
            by_hand = f"add it yourself (`{shlex.join(words)}`)"
            notes.append(f"The MCP server was left out, {by_hand}: {fault.message}")
        else:
            changes.append(Change(path, before, after, _mode(path)))
    for file in found.files:
        path = resolved(file.path, project)
        if project and file.alone and (held := _held(workspace, file)):
            notes.append(f"Its {file.noun} is {held}, which you have for all projects.")
            continue
        changes.append(
            _written(path, file, integrations.text(agent, file, command, words).encode(), ledger, force)
        )
    return Plan(changes, " ".join(filter(None, notes)))


def _held(workspace: Workspace, file: File) -> str:
    """Where the person has the same one already; nothing where they have none of ours."""
    path = in_home(workspace, file.path)
    return path if path != file.path and _is_ours(file, path) else ""


def _is_ours(file: File, path: str = "") -> bool:
    """Whether what stands there, or in another place, is a version of our file."""
    with suppress(SegueError):
        return file.sign in (contents(path or file.path) or b"")
    return False


def program() -> list[str]:
    """The program as an absolute command: never a shim, never looked up on a PATH that may differ."""
    script = os.path.join(os.path.dirname(sys.executable), "segue")
    return [script] if os.access(script, os.X_OK) else [sys.executable, "-m", "segue"]


def own_files(workspace: Workspace, agent: str, project: bool) -> dict[str, bytes]:
    """What installing writes into each file that is ours alone."""
    words = integrations.server_words(program(), workspace.root if project else None)
    return {
        os.path.realpath(file.path): integrations.text(agent, file, program(), words).encode()
        for file in integration(workspace, agent, project).files
    }


def server(workspace: Workspace, agent: str, project: bool) -> list[str]:
    """The command of the MCP server that installing brings along; none for an agent that takes none."""
    if not integration(workspace, agent, project).serves:
        return []
    return integrations.server_words(program(), workspace.root if project else None)


def _written(path: str, file: File, after: bytes, ledger: Ledger, force: bool) -> Change:
    """A file that is ours alone. One that a person edited since is theirs to keep."""
    before, row = contents(path), ledger.row(path)
    if before is not None and row is None and file.sign not in before:
        raise BadInput(f"{path} is there already and is not segue's.", "Move it away; nothing was changed.")
    edited = before not in (None, after) and sha(before or b"") != (row["after"] if row else "")
    if edited and not force:
        return Change(path, before, before, ours=True, kept=True)
    return Change(path, before, after, 0o700 if file.executable else _mode(path), ours=True)


def _undone(path: str, row: Row, agent: str, shared: bool, force: bool) -> Change:
    """The file without us: as it was if nobody touched it, else without our entries. A file of ours that somebody
    edited stays, unless forced."""
    now = contents(path)
    if shared or now is None:
        return Change(path, now, now)
    if sha(now) == row["after"] and not row.get("edited"):
        return Change(path, now, original(row), _mode(path))
    if row["ours"]:
        return Change(path, now, None if force else now, ours=True, kept=not force)
    return Change(path, now, without_us(path, now, original(row), agent), _mode(path))


def _perform(change: Change) -> None:
    try:
        if change.after is None:
            os.unlink(change.path)
            return
        os.makedirs(os.path.dirname(change.path), exist_ok=True)
        private_files.replace(change.path, change.after, change.mode, exactly=True)
    except OSError as fault:
        raise refusal("unwritable-file", path=change.path, why=fault.strerror) from None


def _render_changes(changes: list[Change], note: str) -> Result:
    return {
        "changes": [_render_change(change) for change in changes if change.needed],
        "kept": [change.path for change in changes if change.kept],
        "note": note,
    }


def _render_change(change: Change) -> Result:
    import difflib

    before = (change.before or b"").decode(errors="replace").splitlines()
    after = (change.after or b"").decode(errors="replace").splitlines()
    name = change.path
    diff = difflib.unified_diff(
        before, after, name if change.before is not None else "/dev/null", name, lineterm=""
    )
    return {"path": change.path, "diff": "\n".join(diff)}


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode & 0o777
    except OSError:
        return 0o644

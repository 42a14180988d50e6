"""The tree of change records itself: started, rebuilt, checked, shown as a page, described by schemas."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from segue.changes import ids, registry, revisions
from segue.changes.document import OURS, Document, write
from segue.changes.draft import one_line
from segue.changes.sentences import finding
from segue.errors import BadInput, SegueError
from segue.model.change_registry import Config
from segue.model.finding import Finding, report
from segue.model.value import NamedTuple
from segue.service import project_files
from segue.service.changes import git
from segue.service.changes.amend import NOBODY, path_of
from segue.service.changes.files import FOLDER, Tree, now, writing

if TYPE_CHECKING:
    from segue.model.change_answers import DashboardWritten, RecordNote, RecordsBegun, RegistryRebuilt
    from segue.model.handoff_answers import Judgement
    from segue.service.workspace import Workspace

_VERSIONS = 50
"""How many versions of a record are read from git, the latest ones."""
_NAMED = re.compile(r'^\s*name\s*=\s*"([^"]+)"', re.M)
_HEADING = re.compile(r"^#\s+(.+)", re.M)


def init(
    workspace: Workspace, project: str | None = None, author: str | None = None, force: bool = False
) -> RecordsBegun:
    """Starts `docs/TC`. Done again it changes nothing; with `force` the configuration is written anew while
    records, numbers and registry stay."""
    with writing(workspace) as tree:
        if tree.exists and not force:
            return {"status": "already_initialized", "path": FOLDER, "project_name": tree.project()}
        at = now()
        known = tree.read_config()
        made = Config(
            project_name=one_line(project or "")
            or known.get("project_name")
            or _project_name(workspace.root),
            created=known.get("created", at),
            default_author=one_line(author or "") or known.get("default_author") or NOBODY,
        )
        tree.replace(tree.config_path, write({**msgspec.to_builtins(made), **_others(known)}))
        start, manner = tree.read_registry()
        rows = tree.derived_rows(start)
        tree.write_registry(
            {**start, "project_name": made.project_name} if start else start, manner, rows, at
        )
        return {
            "status": "initialized",
            "path": FOLDER,
            "project_name": made.project_name,
            "records": len(rows),
        }


def rebuild(workspace: Workspace) -> RegistryRebuilt:
    """Makes the registry again from the records, whatever state it is in; a record that cannot be read is told."""
    Tree(workspace.root).require()
    with writing(workspace) as tree:
        try:
            known, manner = tree.read_registry()
        except BadInput:
            known, manner = tree.salvaged_registry(), OURS
        rows = tree.derived_rows(known)
        wrong = registry.disagreements(known.get("records", []), rows)
        changed = tree.write_registry(known, manner, rows, now())
        unreadable: list[RecordNote] = [
            {"tc_id": tc_id, "what": what} for tc_id in tree.ids() if (what := tree.fault(tc_id))
        ]
    mended: list[RecordNote] = [{"tc_id": tc_id, "what": what} for tc_id, what in sorted(wrong.items())]
    return {"records": len(rows), "changed": changed, "mended": mended, "unreadable": unreadable}


def lint_changes(workspace: Workspace, tc_ids: Sequence[str] = ()) -> Judgement:
    """The quality of the records named; of all of them and of their tree if none is. The worst one decides."""
    tree = Tree(workspace.root).require()
    names = [tree.resolve(tc_id) for tc_id in tc_ids]
    past = _known_past(tree, names)
    dirty = git.dirty(tree.root)
    reports = [report(_record_findings(tree, name, past, dirty)) for name in names or tree.ids()]
    if not names:
        reports.append(report(_tree_findings(tree)))
    return {
        "pass": all(told["pass"] for told in reports),
        "score": min(told["score"] for told in reports),
        "findings": [one for told in reports for one in told["findings"]],
    }


def _record_findings(tree: Tree, tc_id: str, past: Past, dirty: frozenset[str]) -> Iterator[Finding]:
    from segue.service.changes.lint import judged  # 40 ms

    try:
        document = tree.read(tc_id)[0]
        found = judged(document, dirty, tree)
    except SegueError as fault:
        yield Finding("unreadable", "error", tc_id, fault.message, fault.hint)
        return
    if not any(one.rule == "history-rewritten" for one in found):
        found += _history_findings(past, document)
    for one in found:
        yield one._replace(where=f"{tc_id}: {one.where}")


def _tree_findings(tree: Tree) -> Iterator[Finding]:
    for stray in tree.strays():
        yield finding("stray", name=stray)
    known = tree.ids()
    numbers: dict[int, list[str]] = {}
    for tc_id in known:
        numbers.setdefault(ids.number_of(tc_id), []).append(tc_id)
    for names in numbers.values():
        if len(names) > 1:
            yield finding("number-twice", where=names[0], count=len(names), names=", ".join(names))
    try:
        listed = tree.read_registry()[0]
    except BadInput as fault:
        yield finding("registry", what=fault.message)
        return
    for tc_id, what in registry.disagreements(listed.get("records", []), tree.derived_rows(listed)).items():
        yield finding("registry", what=f"{tc_id} {what}.")
    due = ids.next_number(known)
    if listed.get("next_tc_number", due) < due:
        yield finding(
            "registry", what=f"The next number is {listed['next_tc_number']}, but {due - 1} is taken."
        )


class Past(NamedTuple):
    """Rows of the registry by name, and versions in git, oldest first, as (commit, blob) by path."""

    rows: Mapping[str, Document]
    versions: Mapping[str, list[tuple[str, bytes]]]


def _known_past(tree: Tree, tc_ids: list[str]) -> Past:
    """What registry and git remember of these records; one question to git for any number of them."""
    try:
        rows = {row["tc_id"]: row for row in tree.read_registry()[0].get("records", [])}
    except BadInput:
        rows = {}
    folder = f"{FOLDER}/records" if len(tc_ids) != 1 else path_of(tc_ids[0])
    return Past(rows, git.versions(tree.root, folder, _VERSIONS))


def _history_findings(past: Past, document: Document) -> Iterator[Finding]:
    """A finding if the history of today does not continue the one that is remembered. A record whose history was cut
    short or lost its seals is sound by itself. The registry remembers the last sealed revision it saw, and git the
    versions before; a commit does not make a rewritten past true."""
    tc_id = document["tc_id"]
    history = _history_of(document)
    if not history:
        return
    commit, trusted = _trusted(past.versions.get(path_of(tc_id), []))
    row = past.rows.get(tc_id, {})
    if not revisions.continues(trusted, history):
        yield finding("history-rewritten.committed", id=tc_id, commit=commit, path=path_of(tc_id))
    elif not revisions.has_sealed(history, row.get("last_revision"), row.get("seal")):
        yield finding("history-rewritten.listed", id=tc_id, revision=row["last_revision"])


def _trusted(versions: list[tuple[str, bytes]]) -> tuple[str, list[Document]]:
    """The last version that continued those before it, and its commit."""
    commit: str = ""
    trusted: list[Document] = []
    for sha, data in versions:
        try:
            history = _history_of(msgspec.json.decode(data))
        except (msgspec.DecodeError, ValueError):
            continue
        if history and revisions.continues(trusted, history):
            commit, trusted = sha, history
    return commit, trusted


def _history_of(found: Any) -> list[Document]:
    rows = found.get(revisions.HISTORY) if isinstance(found, dict) else None
    return rows if isinstance(rows, list) and all(isinstance(row, dict) for row in rows) else []


def dashboard(workspace: Workspace) -> str:
    """All changes as one page of HTML that needs nothing else."""
    from importlib import resources

    from segue.changes.dashboard import render

    tree = Tree(workspace.root).require()
    documents = []
    for tc_id in tree.ids():
        try:
            documents.append(tree.read(tc_id)[0])
        except SegueError:
            documents.append({"tc_id": tc_id, "title": "(unreadable record)"})
    files = resources.files("segue.changes")
    template, style = (
        files.joinpath(name).read_text("utf-8") for name in ("dashboard.html", "dashboard.css")
    )
    return render(documents, tree.project(), now(), template, style)


def write_dashboard(workspace: Workspace, path: str | None = None) -> DashboardWritten:
    """Writes the page, to `docs/TC/index.html` unless another place is named."""
    page = dashboard(workspace)
    tree = Tree(workspace.root)
    target = path or os.path.join(tree.folder, "index.html")
    if path is None:
        tree.replace(target, page.encode())
    else:
        with open(target, "w", encoding="utf-8") as file:
            file.write(page)
    return {"path": target, "records": len(tree.ids()), "bytes": len(page.encode())}


def schema(name: str) -> Document:
    """One of the published JSON Schemas."""
    from segue.changes import schemas

    if name not in schemas.SCHEMAS:
        raise BadInput(f"There is no schema {name!r}.", f"There are {', '.join(schemas.SCHEMAS)}.")
    return schemas.schema(name)


def _project_name(root: str) -> str:
    """What the project calls itself: in CLAUDE.md, package.json or pyproject.toml, else its folder."""
    for name, pattern in (("CLAUDE.md", _HEADING), ("pyproject.toml", _NAMED)):
        found = pattern.search(_text(root, name))
        if found:
            return one_line(found[1])
    try:
        named: Any = msgspec.json.decode(_text(root, "package.json") or "{}")
    except msgspec.DecodeError:
        named = {}
    given = named.get("name") if isinstance(named, dict) else None
    return given if isinstance(given, str) and given else os.path.basename(root) or "project"


def _text(root: str, name: str) -> str:
    try:
        return project_files.read(root, name, 1 << 20).data.decode(errors="replace")
    except SegueError:
        return ""


def _others(known: Document) -> Document:
    """What a configuration holds besides the three fields that `init` decides."""
    return {k: v for k, v in known.items() if k not in ("project_name", "created", "default_author")}

"""Making an update fit this project: names made whole, paths relative, secrets out, evidence filed."""

from __future__ import annotations

import os
from typing import Any

import msgspec

from segue.changes.document import Document
from segue.changes.edit import require_coherent
from segue.changes.misfit import fitted
from segue.changes.sentences import refusal
from segue.errors import BadInput, Refused
from segue.model import wire
from segue.model.bundle import confined
from segue.model.change import EvidenceKind
from segue.model.change_update import NewEvidence, Update
from segue.model.visible import replaced
from segue.service import project_files
from segue.service.changes.files import Tree

MAX_EVIDENCE_BYTES = 10 * 1024 * 1024
_IMAGES = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"GIF87a", b"GIF89a")
_IN_FILES = ("file_reference", "screenshot")
_KEPT = "\n\t\u200c\u200d"
"""Beside what is printable: line ends, and what joins letters and emoji where it does."""
_PATH_FIELDS = ("remove_files", "drop_files_in_progress")
_PATH_ROWS = {
    "files": ("path",),
    "files_in_progress": ("path",),
    "add_subs": ("files",),
    "sub_edits": ("add_files",),
}


def cleaned(value: Any) -> Any:
    """Texts as they may be stored: secrets out, and nothing that UTF-8 or a terminal cannot take."""
    from segue.redaction.redact import Redactor

    redactor = Redactor()

    def clean(item: Any) -> Any:
        if isinstance(item, str):
            return redactor.redact("".join(map(_plain, replaced(wire.scrub(item), _gone))))
        if isinstance(item, dict):
            return {key: clean(inner) for key, inner in item.items()}
        return [clean(inner) for inner in item] if isinstance(item, list) else item

    return clean(value)


def _plain(ch: str) -> str:
    return ch if ch.isprintable() or ch in _KEPT else _gone(ch)


def _gone(ch: str) -> str:
    return " " if ch.isspace() else ""


def prepared(tree: Tree, document: Document, update: Update) -> Update:
    """The update as it may be applied to this record. Raises BadInput for one that contradicts itself."""
    values = cleaned(msgspec.to_builtins(update))
    for name in _PATH_FIELDS:
        if name in values:
            values[name] = [relative(tree.root, path) for path in values[name]]
    for name, fields in _PATH_ROWS.items():
        for row in values.get(name, ()):
            for field in fields:
                given = row.get(field)
                if isinstance(given, str):
                    row[field] = relative(tree.root, given)
                elif given:
                    row[field] = [relative(tree.root, path) for path in given]
    for row in (values.get("handoff") or {}).get("files_in_progress", ()):
        row["path"] = relative(tree.root, row["path"])
    values["add_evidence"] = [_filed(tree, document, item) for item in values.get("add_evidence", ())]
    for name in ("relate", "unrelate"):
        if name in values:
            values[name] = [_other(tree, document, given, "related to itself") for given in values[name]]
    if values.get("parent"):
        values["parent"] = _parent(tree, document, values["parent"])
    made = update_of(values)
    require_coherent(made)
    return made


def update_of(values: dict[str, Any]) -> Update:
    """An update as a value. Raises BadInput with every place that does not fit, and what would."""
    return fitted(values, Update, "The update", "`segue change schema update` prints its shape.")


def relative(root: str, path: str) -> str:
    """A path relative to the project, however it was given. Raises BadInput for one outside it."""
    if os.path.isabs(path):
        inside = os.path.relpath(os.path.realpath(path), os.path.realpath(root))
        return confined(inside.replace(os.sep, "/"))
    return confined(os.path.normpath(path) if "/../" in path else path)


def _filed(tree: Tree, document: Document, item: dict[str, Any]) -> dict[str, Any]:
    """A piece of evidence whose file is there. Where a file is to show something, its name alone shows nothing."""
    if item["type"] in _IN_FILES and item.get("content") and not item.get("path"):
        path = relative(tree.root, item["content"].strip())
        content = project_files.read(tree.root, path, MAX_EVIDENCE_BYTES)
        filed = _file(tree, document["tc_id"], item["test_id"], path, content, item["description"])
        return {**item, "content": None, "path": filed.path}
    if item.get("path"):
        item["path"] = confined(item["path"])
        places = (tree.evidence_folder(document["tc_id"]), tree.root)
        if not any(project_files.holds(place, item["path"]) for place in places):
            raise refusal("no-evidence-file", path=item["path"])
    return item


def file_evidence(tree: Tree, tc_id: str, test_id: str, path: str, description: str) -> NewEvidence:
    """Copies a file that the person named to the evidence of a change and says how to refer to it."""
    content = project_files.read_anywhere(path, MAX_EVIDENCE_BYTES)
    return _file(tree, tc_id, test_id, path, content, description)


def _file(
    tree: Tree, tc_id: str, test_id: str, path: str, content: project_files.Content, description: str
) -> NewEvidence:
    """Files a copy: an image as it is, a text without its secrets, for no more eyes than the original."""
    if content.withheld:
        raise Refused(f"{path} {content.withheld}; it cannot be evidence.", "Quote the lines that matter.")
    data = content.data
    if not data:
        raise BadInput(f"{path} is empty.", "Evidence shows something.")
    # By how the bytes begin: a name says nothing, and images are kept as they are.
    image = data.startswith(_IMAGES) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")
    if not image and b"\0" in data:
        raise BadInput(f"{path} is neither a text nor an image.", "Quote the lines that matter.")
    if not image:
        data = cleaned(data.decode(errors="replace")).encode()
    name = _free_name(tree.evidence_folder(tc_id), f"{test_id}-{os.path.basename(path)}", data)
    tree.replace(os.path.join(tree.evidence_folder(tc_id), name), data, content.mode & 0o666 | 0o600)
    kind: EvidenceKind = "screenshot" if image else "file_reference"
    return NewEvidence(
        test_id=test_id, type=kind, description=description or os.path.basename(path), path=name
    )


def _free_name(folder: str, name: str, data: bytes) -> str:
    """The name, or one with the content's hash in it when another file has it already."""
    safe = "".join(ch if ch.isalnum() or ch in "._-" else "-" for ch in name)
    taken = os.path.join(folder, safe)
    if os.path.exists(taken):
        with open(taken, "rb") as file:
            if file.read() != data:
                stem, extension = os.path.splitext(safe)
                return f"{stem}-{wire.content_id(data)[:8]}{extension}"
    return safe


def _other(tree: Tree, document: Document, given: str, what: str) -> str:
    name = tree.resolve(given)
    if name == document["tc_id"]:
        raise BadInput(f"A change cannot be {what}.", "`segue change list` shows the others.")
    return name


def _parent(tree: Tree, document: Document, given: str) -> str:
    """The parent's whole name; refused if the change is already above it."""
    name = _other(tree, document, given, "its own parent")
    above: Any = name
    seen = set()
    while isinstance(above, str) and above not in seen and above in tree.ids():
        if above == document["tc_id"]:
            raise refusal("parent-below", name=name, id=document["tc_id"])
        seen.add(above)
        above = tree.read(above)[0].get("parent_tc")
    return name

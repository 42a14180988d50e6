"""What is remembered of one file while a session is read, and what two of them add up to."""

from __future__ import annotations

import msgspec

from segue.model.facts import FileAction, FileFact


class File(msgspec.Struct):
    action: FileAction = "mentioned"
    reads: int = 0
    edits: int = 0
    line: int = 0
    edit_line: int = 0
    read_line: int = 0
    """Where it was first read."""
    whole_line: int = 0
    """Where it was first given all that it holds; unless it was created then, nobody says whether it was there before."""
    id: str = ""
    why: str = ""
    bodies: list[str] = []
    sought: list[str] = []
    named_in: dict[str, int] = {}
    """How often each name stood beside the path; known at the end."""
    earlier: FileFact | None = None
    """How an earlier handoff left it."""
    order: int = 0
    """Its place among files touched in the same line."""
    lines: list[int] = []
    """Where it was edited."""


def after(before: FileAction, action: FileAction) -> FileAction:
    """What a file is after one more change: what was created here and then changed is still new."""
    if before == "created" and action in ("modified", "renamed"):
        return "created"
    return action


def made_at(file: File) -> int:
    """Where all that it holds was written into it before anybody had looked at it or changed it; 0 where it was not."""
    first = file.whole_line
    untouched = first <= min(file.lines, default=first) and not 0 < file.read_line < first
    return first if untouched else 0


def is_new(file: File) -> bool:
    return file.action == "modified" and made_at(file) > 0


def united(one: File, other: File) -> File:
    """What is known of a file by two names: the changes of the one that was changed, the looks at both."""
    kept, more = (one, other) if one.edits >= other.edits else (other, one)
    kept.reads += more.reads
    kept.edits += more.edits
    kept.line = max(kept.line, more.line)
    kept.lines = sorted((*kept.lines, *more.lines))
    if more.edits and more.edit_line >= kept.edit_line:
        kept.action = after(kept.action, more.action)
    kept.edit_line = max(kept.edit_line, more.edit_line)
    kept.sought = [*kept.sought, *more.sought]
    for name, times in more.named_in.items():
        kept.named_in[name] = kept.named_in.get(name, 0) + times
    return kept


def carried(files: dict[str, File], old: str, new: str, line: int) -> None:
    """Has the files of a directory go on in the one that it became at a line; what was made under its old name
    afterwards stays there."""
    for path in [path for path, file in files.items() if path.startswith(f"{old}/") and file.line <= line]:
        moved(files, path, new + path[len(old) :])


def moved(files: dict[str, File], old: str, new: str) -> None:
    """Has a file go on under its new name, with all that is known of it under both."""
    file, same = files.pop(old), files.get(new)
    files[new] = file if same is None else united(file, same)

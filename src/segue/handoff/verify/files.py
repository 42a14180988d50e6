"""The files a handoff lists against what the session's calls name."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator

from segue.handoff.file_reading import ListedFile
from segue.handoff.file_reading import listed as listed
from segue.handoff.parse import Parsed
from segue.handoff.verify.finding import CHECK, READ, Finding
from segue.handoff.verify.transcript import Transcript

_NAMED = 5
"""Files that a message names."""


def names(parsed: Parsed) -> set[str]:
    """The names of all files that the handoff lists."""
    paths = (*(file.path for file in listed(parsed)), *parsed.modified_files, *parsed.read_files)
    return {posixpath.basename(path) for path in paths}


def against_session(parsed: Parsed, transcript: Transcript) -> Iterator[Finding]:
    """A file told as changed at a line is edited there, or named by the command there. Of one that is merely listed
    some call has to tell; what none names may have been changed by a command that does not name it."""
    unnamed = []
    for file in listed(parsed):
        if file.item.origin:
            continue
        if file.action and file.item.evidence:
            yield from _changed(file, transcript)
        elif file.action != "mentioned" and posixpath.basename(file.path) not in transcript.named:
            unnamed.append(file.path)
    told = {file.path for file in listed(parsed)}
    blocks = (*parsed.modified_files, *parsed.read_files)
    unnamed += [p for p in blocks if p not in told and posixpath.basename(p) not in transcript.named]
    if unnamed:
        more = f" and {len(unnamed) - _NAMED} more" if len(unnamed) > _NAMED else ""
        message = f"No call names {', '.join(unnamed[:_NAMED])}{more}."
        yield Finding("unknown", "file", "Files", message, CHECK)


def _changed(file: ListedFile, transcript: Transcript) -> Iterator[Finding]:
    there = transcript.at(*file.item.evidence)
    name = posixpath.basename(file.path)
    if any(name in shown.whole for shown in there):
        yield Finding("holds", "file", file.where, f"The transcript shows {file.path} {file.action}.")
    elif file.action == "mentioned" or not any(shown.command or shown.edits for shown in there):
        message = f"{file.path}: nothing tells of it at #{file.item.evidence[0]}."
        yield Finding("drifted", "file", file.where, message, READ)
    elif name not in transcript.named:
        yield Finding("unknown", "file", file.where, f"{file.path}: no call names it.", CHECK)
    else:
        message = f"{file.path}: #{file.item.evidence[0]} does not name it."
        yield Finding("unknown", "file", file.where, message, CHECK)

"""A session's entries as they may be thought about: what sensitive files hold is gone, and every secret learnt.

All other text is redacted later, once every secret is known, and only where it is kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from segue.model.entry import Entry
from segue.redaction.files import is_sensitive, named
from segue.redaction.redact import edits_sensitive_file, hear_entry, redact_entry
from segue.redaction.redactor import Redactor


def without_sensitive_files(entries: Iterable[Entry], redactor: Redactor) -> Iterator[Entry]:
    """The entries, those that show a sensitive file without its contents, its secrets learnt, and so those that any
    other text tells."""
    for entry in entries:
        hear_entry(entry, redactor)
        if edits_sensitive_file(entry):
            entry = redact_entry(entry, redactor)
        elif entry.kind == "tool_call":
            if any(map(is_sensitive, entry.paths)) or (entry.command and named(entry.command)):
                entry = redact_entry(entry, redactor)
        elif entry.kind == "tool_result" and (
            entry.call_id in redactor.withheld or entry.call_id in redactor.overheard
        ):
            entry = redact_entry(entry, redactor)
        yield entry

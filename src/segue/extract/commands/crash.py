"""Crashes: what was printed ends in the report of one, and nothing after it says that the program went on.

Asked only of commands whose exit nobody knows; the exit code, where there is one, comes first.
"""

from __future__ import annotations

from segue.extract.text.prose import phrases

_TAIL = 2000
_COMPLAINS = ("error:", "error[", "fatal:", "panic:", "npm err!", "npm error", "uncaught ", "unhandled ")
_NOT_THERE = (": command not found", ": No such file or directory", ": Permission denied")
_DIED = ("Execution halted", "(core dumped)", "Segmentation fault", "Bus error", "Illegal instruction")
_SANITIZED = ("SUMMARY: ", "==ERROR: ", "ERROR: ")
"""What stands before the name of a sanitizer that found something."""
_RAISED = ("Error", "Exception", "Interrupt")
_FRAMES = phrases("at |File |from |...|^|~|node:|goroutine |exit status |Node.js v|note: ")
"""How rows begin that belong to the report and tell no cause."""
_ENDS_OF_GO = ("exit status ", "\t", "goroutine ")
_UNCAUGHT = ("uncaught ", "unhandled exception", "fatal error:", "** (")
_LAST = 5
_REPORT = 40
"""Rows of a report behind the one that names the cause."""


def broke_off(text: str) -> bool:
    rows = [row for row in text[-_TAIL:].split("\n") if row.strip()]
    if not rows:
        return False
    last = rows[-1].strip()
    if last.lower().startswith(_COMPLAINS) or last.endswith(_NOT_THERE) or _names_cause(last):
        return True
    if last.endswith(_DIED) or ("Sanitizer" in last and any(sign in last for sign in _SANITIZED)):
        return True
    if rows[-1].startswith(_ENDS_OF_GO) and any(row.startswith("panic: ") for row in rows):
        return True
    if any(sign in row.lower() for row in rows[-_LAST:] for sign in _UNCAUGHT):
        return True
    return any(sign in text[-_TAIL:] for sign in _TRACES) and _ends_in_stack(rows)


_TRACES = (
    *("Traceback (most recent", "panicked at", "goroutine ", "Node.js v", "\n    at ", "\n\tat "),
    "\n\tfrom ",
)


def _ends_in_stack(rows: list[str]) -> bool:
    """What stands before the last rows that only belong to a report names its cause; a panic has its message
    between."""
    place = len(rows)
    while place and (rows[place - 1][:1] in " \t" or rows[place - 1].startswith(_FRAMES)):
        place -= 1
    if not place or len(rows) - place > _REPORT:
        return False
    return _names_cause(rows[place - 1]) or any(
        "panicked at" in row for row in rows[max(0, place - 2) : place]
    )


def _names_cause(row: str) -> bool:
    """It names what was raised: `KeyError: 'x'`, `pkg.SomeException`, a panic."""
    if "panicked at" in row or row.startswith(("panic: ", "Exception in thread")):
        return True
    if ":in " in row and row.endswith("Error)"):
        return True
    name = row.partition(":")[0].rpartition(" ")[2] if row.startswith("Caused by") else row.partition(":")[0]
    return name.endswith(_RAISED) and name.replace(".", "").replace("_", "").isalnum()

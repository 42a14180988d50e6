"""Refusals: results that only say that the person did not let a call run.

Whoever refuses is named beside the verb, in the first line; what the person said comes after it.
"""

from __future__ import annotations

from segue.model.entry import Entry

_VERBS = ("reject", "denied", "declin", "refus", "cancel", "doesn't want", "does not want", "disallow")
_HEAD = 200


def was_refused(entry: Entry) -> bool:
    """The result of a call that did not run because the person would not have it."""
    if entry.exit_code is not None:
        return False
    said = entry.text[:_HEAD]
    if "ser" not in said:
        return False
    said = said.partition("\n")[0].lower()
    by_user = said.partition("by user")[0] if "by user" in said else said.partition("by the user")[0]
    if by_user != said:
        return any(verb in by_user[-40:] for verb in _VERBS)
    _, user, then = said.partition("user ")
    return bool(user) and then.removeprefix("has ").startswith(_VERBS)

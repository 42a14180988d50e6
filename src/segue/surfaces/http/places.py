"""Where things lie on the server's disk, as callers may hear it.

A caller that does not administer the server has no use for its folders, and an attacker has. What lies in a
workspace is named relative to that; of what lies in the home or among the temporary files, the rest of the path is
told. Only what an answer or a frame says itself is changed: a value that is a path, and the sentences of errors and
findings. Contents (texts of sessions and threads, artifacts) are what they are.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from tempfile import gettempdir
from typing import Any, TypeVar

from segue.errors import SegueError

E = TypeVar("E", bound=SegueError)

_SENTENCES = frozenset(("message", "hint", "where", "last", "error", "reason"))
"""Fields in which a path may stand among words of ours."""
_CONTENTS = frozenset(("content", "command", "excerpt", "summary_markdown", "title", "note", "goal"))
"""Fields that quote what a session or a person said."""


class Places:
    """`roots` are the workspaces of a server."""

    def __init__(self, roots: Iterable[str]) -> None:
        self._named = {os.path.expanduser("~"): "~", gettempdir(): "…"}
        self._named |= {path: "" for root in roots for path in (root, os.path.realpath(root))}
        self._named.pop("/", None)
        longest_first = sorted(self._named, key=len, reverse=True)
        folders = "|".join(map(re.escape, longest_first))
        self._inside = re.compile(rf"(?<![\w.-])({folders})(?![\w-]|\.\w)(?:/([^\s/'\"`]))?")

    def error(self, error: E) -> E:
        """The same error with sentences that tell no folder of this machine."""
        return type(error)(self._sentence(error.message), self._sentence(error.hint), error.code)

    def answer(self, value: Any, name: str = "") -> Any:
        """An answer of an operation, without folders of this machine."""
        if name in _CONTENTS:
            return value
        if isinstance(value, str):
            if name in _SENTENCES:
                return self._sentence(value)
            found = self._inside.match(value) if value.startswith("/") and "\n" not in value else None
            return (self._replacement(found) or ".") + value[found.end() :] if found else value
        if isinstance(value, Mapping):
            return {key: self.answer(one, key) for key, one in value.items()}
        if isinstance(value, list | tuple):
            return [self.answer(one, name) for one in value]
        return value

    def _sentence(self, text: str) -> str:
        return self._inside.sub(lambda found: self._replacement(found) or "the workspace", text)

    def _replacement(self, found: re.Match[str]) -> str:
        return "/".join(filter(None, (self._named[found[1]], found[2])))

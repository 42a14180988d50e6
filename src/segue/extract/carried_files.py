"""The files of an earlier packet, read back from its Files section.

src/auth/
- token.py (modified 3×, partially done): refresh_token, expiry — renew before it lapses [#41]
- also: views.py (modified), urls.py
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from segue.model.facts import Evidence, FileAction, FileFact, WorkState
from segue.model.patterns import compiled

_SECTION = compiled(r"^## Files\n(.*?)(?=^## |^<[\w-]+-files>|\Z)", re.S | re.M)
_DIRECTORY = compiled(r"[^\s-].*/$|-\S.*/$")
_ACTIONS: dict[str, FileAction] = {
    "created": "created",
    "modified": "modified",
    "deleted": "deleted",
    "renamed": "renamed",
    "reverted": "reverted",
    "stashed": "stashed",
    "mentioned": "mentioned",
}
_STATES: dict[str, WorkState] = {
    "editing": "editing",
    "needs review": "needs_review",
    "partially done": "partially_done",
    "ready": "ready",
}
_MARKS = (
    rf"(?: \((?P<action>{'|'.join(_ACTIONS)})(?P<then>, then modified)?(?: (?P<edits>\d{{1,6}})×)?"
    rf"(?:, (?P<state>{'|'.join(_STATES)}))?\))?"
)
_FULL = compiled(
    r"- (?P<name>[^:]+?)"
    + _MARKS
    + r"(?:: (?P<symbols>[^ ].*?))?(?: — (?P<why>.*?))?(?: \[#(?P<lines>[\d #]+?)(?: of (?P<origin>[\w.:-]+))?\])?$"
)
_BRIEF = compiled(r"(?P<name>.+?)" + _MARKS + "$")
_ALSO = "- also: "
_BETWEEN = compiled(r", (?![^()]{0,60}\))")
_SYMBOL = compiled(r"[\w.$:-]+$")


def files_of(packet: str, session: str) -> Iterator[FileFact]:
    """The files in their order, each with its state; `session` is where they were seen if they do not say."""
    section = _SECTION.search(packet)
    directory = ""
    for line in section[1].split("\n") if section else ():
        if _DIRECTORY.match(line):
            directory = "" if line == "./" else line
        elif line.startswith("- "):
            for name in _named(line):
                yield _file(name, directory, session)


def _named(line: str) -> list[re.Match[str]]:
    """The files of a row: one told in full, or several by their names."""
    full = None if line.startswith(_ALSO) else _FULL.match(line)
    if full and (full["symbols"] or full["why"] or full["lines"]):
        return [full]
    names = _BETWEEN.split(line.removeprefix(_ALSO).removeprefix("- "))
    return [found for name in names if (found := _BRIEF.match(name))]


def _file(found: re.Match[str], directory: str, session: str) -> FileFact:
    told = {"symbols": "", "why": "", "lines": "", "origin": "", **found.groupdict()}
    symbols = (told["symbols"] or "").split(", ")
    return FileFact(
        path=f"{directory}{told['name']}",
        action=_ACTIONS.get(told["action"] or "", "read"),
        edits=int(told["edits"] or told["action"] not in (None, "", "mentioned")) + bool(told["then"]),
        work_state=_STATES.get(told["state"] or ""),
        why=told["why"] or "",
        symbols=tuple(symbol for symbol in symbols if _SYMBOL.match(symbol)),
        evidence=tuple(Evidence(int(n)) for n in re.findall(r"\d+", told["lines"] or "")),
        origin=told["origin"] or session,
    )

"""The segments of a chat as entries.

The console lines after a reply tell what became of it: tokens, edits applied or refused, commits.
So a reply is held until the next segment is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from segue.agents._record import At
from segue.agents._toolcall import REPLACE, excerpt, replacements
from segue.agents.aider.segments import Segment
from segue.model.entry import Edit, Entry, Usage, clip

_MODEL = re.compile(r"(?:Main model|Models?): (\S+) with ")
_VERSION = re.compile(r"Aider v(\S+)")
_TOKENS = re.compile(r"Tokens: ([\d.,]+)(k?) sent,(?: [\d.,]+k? cache \w+,)* ([\d.,]+)(k?) received")
_COMMIT = re.compile(r"Commit ([0-9a-f]{7,40}) (.*)")
_APPLIED = re.compile(r"Applied edit to (.+)")
_REFUSED = re.compile(r"failed to exactly match lines in (.+)|^#+ \w+: .*?\bin (\S+)$")
_MALFORMED = "The LLM did not conform to the edit format"
_ASKED = re.compile(r"(.+\?)(?: [\[(].*?[\])])*:? (y|n|yes|no|a|all|s|d)$", re.I)
_RAN = re.compile(r"Running (\S.*)")
_STOPPED = "^C KeyboardInterrupt"
_SENT_BY_AIDER = ("# Fix any errors below", "I ran this command:", "I ran and got this output:")
_OWN_COMMAND = re.compile(r"(?:/run|/test|/git|!)\s*(.*)", re.S)
_REST = 200
"""Lines of the console that belong to a refusal or a command."""
_FENCE = re.compile(r"\s*(?:`{3,}|~{3,}|<(?:source|code|pre|codeblock|sourcecode)>)")


class Chat:
    """Turns the segments of one chat into entries, in order."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.waiting: list[tuple[At, str]] = []
        """Edits whose outcome is not known yet: where, and which path."""
        self.settled: set[str] = set()
        """Paths of the last reply whose edits are told already; older versions tell every block."""
        self.own: Entry | None = None
        """A command the person ran, until its output is known."""

    def entries(self, found: Iterator[Segment]) -> Iterator[Entry]:
        reply: Segment | None = None
        for segment in found:
            if reply:
                usage = _usage(segment) if segment.voice == "console" else None
                yield from self._reply(reply, usage)
                reply = None
            if segment.voice != "console":
                yield from self._own_output("")
            if segment.voice == "model":
                reply = segment
            elif segment.voice == "person":
                yield from self._prompt(segment)
            elif segment.voice == "console":
                yield from self._console(segment)
            else:
                yield self._at(segment).other("page", segment.text)
        if reply:
            yield from self._reply(reply, None)
        yield from self._own_output("")

    def _prompt(self, segment: Segment) -> Iterator[Entry]:
        at, text = self._at(segment), segment.text
        self.waiting.clear()
        if text.startswith(_SENT_BY_AIDER):
            yield at.entry("user", text, by="harness", via="output")
            return
        command = _OWN_COMMAND.match(text)
        if command:
            run = command[1].strip()
            self.own = at.entry("user", text, by="person", via="shell", command=run)
        else:
            yield at.entry("user", text, by="person", via="command" if text.startswith("/") else "prompt")

    def _own_output(self, output: str) -> Iterator[Entry]:
        if self.own:
            text, size = clip(f"{self.own.text}\n{output}".strip())
            yield msgspec.structs.replace(self.own, text=text, size=size)
            self.own = None

    def _reply(self, segment: Segment, usage: Usage | None) -> Iterator[Entry]:
        at = self._at(segment)
        self.settled.clear()
        yield at.entry("agent", segment.text.strip(), usage=usage)
        path = ""
        for number, old, new in replacements(segment.lines):
            path = _path_above(segment.lines, number) or path  # one without a path belongs to the last one's
            if path:
                place = self._at(segment, number)
                self.waiting.append((place, path))
                edit = Edit(path=path, old=excerpt(old), new=excerpt(new))
                yield place.entry("tool_call", paths=(path,), edits=(edit,), **_call(place))

    def _console(self, segment: Segment) -> Iterator[Entry]:
        if self.own:
            yield from self._own_output(segment.text)
            return
        told: list[str] = []
        first = 0
        for number, line in enumerate(segment.lines):
            found = list(self._console_entries(segment, number, line))
            if found:
                yield from self._plain(segment, first, told)
                yield from found
                told, first = [], number + 1
            elif not _TOKENS.match(line):
                told.append(line)
        yield from self._plain(segment, first, told)

    def _console_entries(self, segment: Segment, number: int, line: str) -> Iterator[Entry]:
        """What one console line means, if anything."""
        at = self._at(segment, number)
        if version := _VERSION.match(line):
            yield at.meta(agent_version=version[1])
        elif model := _MODEL.match(line):
            yield at.entry("meta", by="harness", model=model[1], data={"model": model[1]})
        elif applied := _APPLIED.match(line):
            yield from self._edit_results(at, applied[1].strip(), False, line)
        elif line.startswith(_MALFORMED) or _REFUSED.search(line):
            refused = _REFUSED.search(line)
            path = (refused[1] or refused[2] or "").strip() if refused else ""
            if path:
                yield from self._edit_results(at, path, True, _from(segment, number))
        elif commit := _COMMIT.match(line):
            call = {"call_id": str(at.line), "tool": "git", "tool_kind": "shell"}
            yield at.entry("tool_call", command="git commit", **call)
            # As git says it, so that a commit counts for what it is whoever made it.
            text = f"[HEAD {commit[1]}] {commit[2]}"
            yield at.entry("tool_result", text, exit_code=0, is_error=False, **call)
        elif line == _STOPPED:
            yield at.entry("interruption", by="person")
        elif asked := _ASKED.match(line):
            yield at.entry("question", asked[1], by="harness")
            yield at.entry("answer", line, by="person", via="answer")
        elif ran := _RAN.match(line):
            call = {"call_id": str(at.line), "tool": "run", "tool_kind": "shell"}
            yield at.entry("tool_call", command=ran[1], **call)
            yield at.entry("tool_result", _from(segment, number + 1), **call)

    def _edit_results(self, at: At, path: str, failed: bool, text: str) -> Iterator[Entry]:
        """The outcome of the edits of a path that wait for one."""
        mine = [place for place, waiting in self.waiting if waiting == path]
        if failed:
            mine = mine[:1]
        elif not mine and path not in self.settled:
            yield at.entry("tool_call", paths=(path,), edits=(Edit(path=path),), **_call(at))
            mine = [at]
        self.settled.add(path)
        for place in mine:
            self.waiting = [one for one in self.waiting if one[0] != place]
            yield at.entry("tool_result", text, is_error=failed, **_call(place))

    def _plain(self, segment: Segment, first: int, lines: list[str]) -> Iterator[Entry]:
        text = "\n".join(lines).strip()
        if text:
            yield self._at(segment, first).other("console", text)

    def _at(self, segment: Segment, below: int = 0) -> At:
        return At(self.path, segment.line + below, segment.offsets[below])


def _from(segment: Segment, number: int) -> str:
    """The rest of a console, as far as it says what went wrong."""
    return "\n".join(segment.lines[number : number + _REST])


def _path_above(lines: list[str], number: int) -> str:
    """The path that names a block: the line above it, or above the fence it stands in."""
    for line in reversed(lines[max(0, number - 3) : number]):
        if _FENCE.match(line) or not line.strip():
            continue
        name = line.strip().strip("*`").removeprefix("# ").rstrip(":").strip()
        return name if name and " " not in name and not REPLACE.match(line) else ""
    return ""


def _call(at: At) -> dict[str, str]:
    return {"call_id": str(at.line), "tool": "edit", "tool_kind": "edit"}


def _usage(segment: Segment) -> Usage | None:
    for line in segment.lines:
        tokens = _TOKENS.match(line)
        if tokens:
            return Usage(input=_count(tokens[1], tokens[2]), output=_count(tokens[3], tokens[4]))
    return None


def _count(digits: str, thousands: str) -> int:
    try:
        return int(float(digits.replace(",", "").rstrip(".")) * (1000 if thousands else 1))
    except ValueError:
        return 0

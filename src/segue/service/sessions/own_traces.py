"""A session without what segue itself left in it, and without commands that the agent's program carried out itself.

Whoever asks for a handoff leaves a prompt, calls and words about the handoff in the very session that is handed off.
None of it is the work: a turn that did nothing but call segue is told as if it had not been. Where the prompt names segue or
a handoff, neither is what the agent looked at for it, nor a file that it wrote and gave to segue. Three things are known
by structure alone, never by wording: whether a call runs segue (`own_calls`), whether a prompt is a command, a skill or a
template of ours (`agents/own.py`), and whether anything followed a slash command that the agent did.

Everything that counts turns, lists prompts or draws a packet reads a session through this.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from segue.agents import own
from segue.model.entry import Entry
from segue.model.packet import OPENING
from segue.model.patterns import compiled
from segue.model.turn import opens_turn
from segue.service.sessions.own_calls import hands_over, is_given, is_ours, without_ours, written_by
from segue.service.sessions.request import beyond, names_us

_OF_ACTS = """tool_call tool_result todo plan question answer rejection subagent_start subagent_end"""
_ACTS = frozenset(_OF_ACTS.split())
"""Kinds of entries that show what a turn is about."""
_WORDS = frozenset(("agent", "thought"))
_COMMAND = compiled(r"/[A-Za-z][\w:.-]*(?:\s|$)")
"""A slash command; a path goes on with another slash."""
_STATUS = compiled(r"^(?:[ MADRCU?!]{2} |\t(?:[a-z ]+: +)?)(\S+)$\n?", re.MULTILINE)
"""A line in which git shows the state of a file."""
_TRANSCRIPT = "the transcript"
_MOST_HELD = 400
"""Entries of a turn that are held at most; so many are work."""
_OF_PROGRAMS = """/exit /quit /cost /usage /stats /status /context /model /models /fast /effort /config /settings /clear /compact
/copy /export /help /login /logout /permissions /mcp /hooks /agents /ide /vim /theme /color /statusline
/terminal-setup /doctor /release-notes /tokens"""
_PROGRAMS = frozenset(_OF_PROGRAMS.split())
"""Commands that a program carries out itself, given alone, where they are recorded as prompts: `/login returns 500` is
a report."""
_SETS = frozenset(("/model", "/effort", "/theme", "/color"))
"""Those of them that may name what is chosen."""
_INSTRUCTED = "/compact"
"""The one that takes instructions in any number of words; where the agent acts on them, they were meant for it."""


class OwnTraces:
    """A fold over the entries of a session: `see` and `end` give back those that are told on. From a prompt on, entries
    are held until something shows what the turn is about."""

    def __init__(self, asking: bool = False) -> None:
        self._asking = asking
        """The handoff is asked for from within this session, now: a prompt at its end that nothing followed did that. The
        call may not be in the file yet, since agents write their transcripts behind their work."""
        self._held: list[Entry] = []
        self._calls: set[str] = set()
        """Calls of ours whose results may still come."""
        self._mixed: set[str] = set()
        """Calls that run something beside segue."""
        self._making = ""
        """The call that makes a handoff which was asked for, beside work, and has not ended: whoever draws it is what runs
        in it now."""
        self._asked = False
        """The prompt of the turn names us."""
        self._called: list[str] = []
        """What segue was given to make a handoff in the turn that is held, call by call."""
        self._looked = 0
        """How many entries were held when anything was last asked of it there."""
        self._preparing: dict[str, tuple[str, ...]] = {}
        """Calls in that turn that may prepare a handoff: they only look, or write the files that are named here. Those
        that segue was given are not."""
        self._typed = False
        """A person has just run segue in the agent's own shell; its output comes next."""
        self._ours = False
        """The turn was opened by a command of ours, and other things are done in it."""
        self._last: Entry | None = None

    def without(self, entries: Iterable[Entry]) -> Iterator[Entry]:
        """All of them, one after another."""
        for entry in entries:
            yield from self.see(entry)
        yield from self.end(self._asking)

    def see(self, entry: Entry) -> Sequence[Entry]:
        self._last = entry
        if entry.call_id and entry.call_id in self._calls:
            if entry.kind == "tool_result":
                self._calls.discard(entry.call_id)
                self._making = ""
            return ()
        if self._typed and entry.via == "output":
            return ()
        self._typed = entry.via == "shell" and is_ours(entry)
        if self._typed:
            return ()
        if entry.kind == "tool_call" and is_ours(entry):
            self._looked = len(self._held)
            if hands_over(entry):
                self._called.append(f"{entry.command}\n{entry.text}")
                self._given_to(entry)
                if self._asked and not self._held:
                    self._making = entry.call_id
            if entry.call_id:
                self._calls.add(entry.call_id)
            return ()
        entry = self._without_ours(entry)
        if opens_turn(entry):
            told = self.end()
            self._held, self._asked = [entry], names_us(entry.text)
            return told
        if self._held:
            self._held.append(entry)
            if self._prepares(entry):
                return ()
            return self._work_began() if entry.kind in _ACTS or _speaks(entry) else ()
        return () if self._ours and entry.kind in _WORDS else (entry,)

    def end(self, asking: bool = False) -> list[Entry]:
        """What is told of a turn that is over. One that we opened leaves the turn before it as it was."""
        held, preparing, making = self._held, self._preparing, bool(self._making) or (asking and self._asked)
        answered = any(entry.kind == "agent" for entry in held[self._looked :])
        called = bool(self._called) or making or (asking and not answered)
        written = (edit.new for entry in held if entry.call_id in preparing for edit in entry.edits)
        given = "\n".join((*self._called, *written))
        looked, asked, ours = self._looked, self._asked, self._ours or making
        self._ours, self._making = False, ""
        self._forget_turn()
        over = [_over(self._last)] if self._last is not None else []
        if not held:
            return over if ours else []
        looks = {call_id for call_id, files in preparing.items() if not files}
        kept = [
            entry
            for entry in held[1:]
            if entry.kind not in ("todo", *_WORDS) and not _is_body(entry) and entry.call_id not in looks
        ]
        wrote = len(looks) < len(preparing)
        opened = _opened_by_us(held)
        if wrote and (called or opened):
            kept += over
        if opened:
            return [*_beyond(held[0], given), *kept]
        if called and not asked and (wrote or any(map(_is_reminder, held))):
            return [entry for entry in held if not _is_reminder(entry)]
        if OPENING not in held[0].text and (called or (looked and asked and not preparing)):
            # Without a call that shows it, only words say that a handoff is asked for.
            said = _beyond(held[0], given) if looked or asked else [replace(held[0], via="queued")]
            if called or not said:
                return [*held, *over] if wrote and not asking else [*said, *kept]
        return held[1:] if _for_the_program(held) else held

    def _work_began(self) -> list[Entry]:
        """The agent does more than call segue, or the person says more."""
        held = self._held
        self._forget_turn()
        if _opened_by_us(held):
            self._ours = True
            kept = [entry for entry in held[1:] if entry.kind not in _WORDS and not _is_body(entry)]
            return [*_beyond(held[0], ""), *kept]
        return held[1:] if _for_the_program(held) else held

    def _forget_turn(self) -> None:
        self._held, self._called, self._looked, self._preparing = [], [], 0, {}

    def _prepares(self, entry: Entry) -> bool:
        """Whether an entry that is held may belong to the making of a handoff that the prompt asks for."""
        if len(self._held) > _MOST_HELD:
            return False
        if (
            entry.kind == "tool_call"
            and entry.call_id
            and (self._asked or entry.edits or "<<" in entry.command)
        ):
            files = written_by(entry)
            if files or (self._asked and files is not None):
                self._preparing[entry.call_id] = files
        return (self._asked and entry.kind == "todo") or entry.call_id in self._preparing

    def _given_to(self, call: Entry) -> None:
        """Takes note of the files that a call of ours was given."""
        for call_id, files in self._preparing.items():
            self._preparing[call_id] = tuple(path for path in files if not is_given(path, call))

    def _without_ours(self, entry: Entry) -> Entry:
        """An entry without our files, the session's own transcript, and what of a command line or its output is ours."""
        if entry.paths or entry.edits:
            entry = _without_files(entry)
        text = _without_transcript(entry.text, entry.file)
        if text is not entry.text:
            entry = replace(entry, text=text)
        if entry.command:
            rest = _without_transcript(without_ours(entry.command, entry.file, entry.cwd), entry.file)
            if rest != entry.command:
                self._mixed.add(entry.call_id)
                if hands_over(entry):
                    self._making = entry.call_id
                return replace(entry, command=rest)
        if entry.kind == "tool_result":
            if entry.call_id in self._mixed:
                self._mixed.discard(entry.call_id)
                self._making = ""
                entry = replace(entry, text=entry.text.partition(OPENING)[0])
            if "segue" in entry.text or "handoff" in entry.text:
                entry = replace(entry, text=_STATUS.sub(_status_of_others, entry.text))
        return entry


def without(entries: Iterable[Entry]) -> Iterator[Entry]:
    """The entries of a session that are its work."""
    return OwnTraces().without(entries)


def _beyond(prompt: Entry, given: str) -> list[Entry]:
    """What a person said beside the request stays said, though it began no work."""
    text = beyond(prompt.text, given)
    return [replace(prompt, text=text, via="queued")] if text else []


def _speaks(entry: Entry) -> bool:
    return entry.kind == "user" and entry.by == "person"


def _opened_by_us(turn: Sequence[Entry]) -> bool:
    """Whether a prompt is a template of ours, or calls a command of ours: one of that name that brings another text
    along is somebody else's."""
    if own.is_template(turn[0].text):
        return True
    bodies = [entry for entry in turn[1:] if entry.kind == "user" and entry.via == "skill"]
    return own.is_command(turn[0].text) and (not bodies or any(map(_is_body, bodies)))


def _is_body(entry: Entry) -> bool:
    return entry.kind == "user" and entry.by == "harness" and own.is_template(entry.text)


def _is_reminder(entry: Entry) -> bool:
    """True for the words of a hook of ours: who asks for a handoff is then not the person."""
    return _is_body(entry) and entry.via != "skill"


def _for_the_program(turn: Sequence[Entry]) -> bool:
    """Whether a turn was opened by a slash command that the agent never heard of."""
    words = turn[0].text.split(maxsplit=3)
    if words and words[0] in _PROGRAMS and len(words) <= (2 if words[0] in _SETS else 1):
        return True
    if not _COMMAND.match(turn[0].text):
        return False
    for entry in turn[1:]:
        if entry.via == "output" or entry.kind in ("compaction", "summary"):
            return True
        if entry.via == "skill" or entry.kind in _WORDS or entry.kind in _ACTS:
            return False
    return turn[0].via == "command" or words[0] == _INSTRUCTED


def _status_of_others(line: re.Match[str]) -> str:
    return "" if own.is_file(line[1]) else line[0]


def _over(last: Entry) -> Entry:
    return Entry(
        kind="meta",
        file=last.file,
        line=last.line,
        offset=last.offset,
        by="harness",
        data={"turn_over": True},
    )


def _without_transcript(text: str, transcript: str) -> str:
    """A text in which the path of a transcript is said in words."""
    end = own.end_of(transcript)
    if not end or end not in text:
        return text
    text = text.replace(transcript, _TRANSCRIPT)
    return re.sub(rf"[~$/][^\s'\"`()]*/{re.escape(end)}", _TRANSCRIPT, text)


def _without_files(entry: Entry) -> Entry:
    paths = tuple(path for path in entry.paths if not own.is_own(path, entry.file))
    edits = tuple(edit for edit in entry.edits if not own.is_own(edit.path, entry.file))
    if len(paths) == len(entry.paths) and len(edits) == len(entry.edits):
        return entry
    return replace(entry, paths=paths, edits=edits)

"""A session file into entries, in one pass over its lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime

from segue.agents._jsonl import EMPTY, open_source, unreadable
from segue.agents.claude_code.asides import Asides
from segue.agents.claude_code.branches import abandoned, jumps
from segue.agents.claude_code.harness import REMINDERS, SILENT, SILENT_ATTACHMENTS, SILENT_SYSTEM
from segue.agents.claude_code.head import Head, head
from segue.agents.claude_code.lines import Batch, Lines
from segue.agents.claude_code.page import Page
from segue.agents.claude_code.replies import Replies
from segue.agents.claude_code.wire import Fault, Line
from segue.model.entry import Entry

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_WAITING = 256
"""Entries that wait at most for the end of a reply."""


def entries(path: str, branch: str | None = None) -> Iterator[Entry]:
    """The entries of one file on one branch; `"all"` is every branch, and sidechains too."""
    known = head(path)
    yield Entry(kind="meta", file=path, line=1, by="harness", agent_id=known.subagent, data=known.facts)
    if known.empty:
        yield unreadable(path, 1, 0, EMPTY)
    told = _entries(path, known, branch)
    if known.origin:
        from segue.agents._record import copied

        told = copied(told, known.origin, known.copied)
    yield from told


def _entries(path: str, known: Head, branch: str | None) -> Iterator[Entry]:
    reading = _Reading(path, known, branch == "all")
    with open_source(path) as source:
        left_out = () if branch == "all" else abandoned(source, jumps(source), branch)
        yield from reading.entries(Lines(source, left_out).batches())
    yield from reading.end()


class _Reading:
    """A file that is being read: what its lines told, and what the next one needs."""

    def __init__(self, path: str, known: Head, mixed: bool) -> None:
        self._page = Page(path, known)
        self._asides = Asides(self._page)
        self._replies = Replies(self._page, self._asides)
        self._subagent = known.subagent
        self._aside = known.subagent != ""
        """Whether the present line is a sub-agent's."""
        self._mixed = mixed and not known.subagent

    def end(self) -> Iterator[Entry]:
        self._replies.close()
        self._asides.end()
        yield from self._page.told

    def entries(self, batches: Iterable[Batch]) -> Iterator[Entry]:
        page, asides, replies, subagent = self._page, self._asides, self._replies, self._subagent
        told, aside, mixed = page.told, self._aside, self._mixed
        for batch in batches:
            for page.number, page.offset, line in zip(
                batch.numbers, batch.offsets, batch.records, strict=True
            ):
                type, message = line.type, line.message
                if type != "assistant" and type != "user" and (type in SILENT or _is_known(line, page)):
                    continue
                if line.is_sidechain is not aside and line.is_sidechain is not None and not subagent:
                    if not mixed:
                        continue
                    aside = line.is_sidechain
                    page.agent_id = (batch.whole(page.offset).agent_id or "sidechain") if aside else ""
                    page.speaker = "subagent" if aside else "agent"
                page.uuid, page.time = line.uuid or "", None
                if line.timestamp is not None:
                    since = line.timestamp - _EPOCH
                    page.time = since.days * 86_400_000 + since.seconds * 1000 + since.microseconds // 1000
                if line.cwd != page.cwd or line.git_branch != page.branch:
                    page.surroundings(line)
                content = message.content if message is not None else None
                if type == "assistant" and message is not None:
                    if message.id != replies.open or message.id is None:
                        replies.close()
                        yield from told
                        told.clear()
                    replies.reply(message, batch)
                elif (
                    type == "user"
                    and isinstance(content, list)
                    and content
                    and content[0].type == "tool_result"
                ):
                    replies.results(line, content, batch)
                elif type == "user":
                    replies.close()
                    asides.user(line, batch)
                elif (
                    type == "attachment"
                    and line.attachment is not None
                    and line.attachment.snippet is not None
                ):
                    asides.edited(line.attachment)
                elif isinstance(line, Fault):
                    told.append(line.entry)
                else:
                    asides.add_line(batch.whole(page.offset))
            if len(told) > _WAITING:
                replies.close()
                yield from told
                told.clear()


def _is_known(line: Line, page: Page) -> bool:
    """Whether a line tells nothing, or nothing that was not told before."""
    if line.type == "ai-title":
        return bool(line.ai_title == page.title)
    if line.type == "system":
        return line.subtype in SILENT_SYSTEM and not line.hook_errors
    if line.type != "attachment" or line.attachment is None:
        return False
    if line.attachment.type not in REMINDERS:
        return line.attachment.type in SILENT_ATTACHMENTS
    known, page.reminder = page.reminder, bytes(line.attachment.content)
    return page.reminder in (known, b"[]")

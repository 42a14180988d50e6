"""The session itself: whose it is, when it was, what it was asked by another agent, what was summed up of it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from segue.extract.text.prose import clipped, ends, flat
from segue.model.entry import Entry
from segue.model.facts import Ended, Evidence, Prompt, Quote, SourceFacts

Clean = Callable[[str], str]

_SUMMARY_LIMIT = 12_000
_SUMMARIES = 4


class Session:
    def __init__(self) -> None:
        self.entries = 0
        self._meta: dict[str, Any] = {}
        self._summaries: list[tuple[str, Evidence]] = []
        self._requests: list[tuple[str, Evidence]] = []
        """What another agent asked for: the objective where no person gave one."""
        self._compactions = self._unreadable = self._lines = 0
        self._times: list[int | None] = [None, None]

    @property
    def is_requested(self) -> bool:
        return bool(self._requests)

    @property
    def branch(self) -> str:
        """The branch that its program says it is on; where it is on none, or in no repository, git names `HEAD`."""
        named = str(self._meta.get("branch", ""))
        return "" if named == "HEAD" else named

    def says_of_itself(self, data: dict[str, Any]) -> None:
        self._meta.update({k: v for k, v in data.items() if v})

    def uses(self, model: str) -> None:
        self._meta["model"] = model

    def extend(self, entry: Entry) -> None:
        self._lines = max(self._lines, entry.line)
        if entry.time_ms is not None:
            if self._times[0] is None:
                self._times[0] = entry.time_ms
            self._times[1] = entry.time_ms

    def requests(self, entry: Entry) -> None:
        self._requests.append((ends(entry.text, _SUMMARY_LIMIT), Evidence(entry.line, entry.native_id)))

    def sums_up(self, entry: Entry) -> None:
        told = ends(entry.text, _SUMMARY_LIMIT), Evidence(entry.line, entry.native_id)
        self._summaries = [*self._summaries[-(_SUMMARIES - 1) :], told]

    def compacts(self) -> None:
        self._compactions += 1

    def is_unreadable(self) -> None:
        self._unreadable += 1

    def requested(self, clean: Clean) -> list[Prompt]:
        return [Prompt(text=clean(text), evidence=(at,)) for text, at in self._requests]

    def summaries(self, clean: Clean) -> list[Quote]:
        return [Quote(text=clean(text), evidence=(at,)) for text, at in self._summaries]

    def facts(
        self,
        agent: str,
        path: str,
        clean: Clean,
        *,
        root: str,
        branch: str,
        turns: int,
        ended: Ended,
        of_subagent: bool,
    ) -> SourceFacts:
        meta = self._meta
        return SourceFacts(
            agent=agent,
            session_id=str(meta.get("id", "")),
            path=path,
            cwd=clean(root or str(meta.get("cwd", ""))),
            branch=clean(branch or self.branch),
            title=clipped(flat(clean(str(meta.get("title", "")))), 200),
            model=clean(str(meta.get("model", ""))),
            started_ms=self._times[0],
            ended_ms=self._times[1],
            lines=self._lines,
            entries=self.entries,
            turns=turns,
            compactions=self._compactions,
            unreadable=self._unreadable,
            ended=ended,
            of_subagent=of_subagent,
        )

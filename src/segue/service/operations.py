"""The table of contents: everything segue can do, by the name every surface uses.

`thread.branch` is `segue thread branch` on the command line and `branch` in `service/threads.py`.
Functions are named as strings, so that reading the table imports nothing.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any, NamedTuple


class Operation(NamedTuple):
    name: str
    function: str
    writes: bool

    def load(self) -> Callable[..., Any]:
        """The function itself."""
        module, _, attribute = self.function.partition(":")
        loaded: Callable[..., Any] = getattr(importlib.import_module(f"segue.service.{module}"), attribute)
        return loaded


OPERATIONS: tuple[Operation, ...] = (
    Operation("thread.ensure", "threads:ensure", True),
    Operation("thread.create", "threads:create", True),
    Operation("thread.list", "threads:list_threads", False),
    Operation("thread.show", "threads:show", False),
    Operation("thread.post", "threads:post", True),
    Operation("thread.branch", "threads:branch", True),
    Operation("thread.handoff", "threads:handoff", True),
    Operation("thread.reference", "threads:reference", True),
    Operation("thread.rename", "threads:rename", True),
    Operation("thread.tag", "threads:tag", True),
    Operation("thread.archive", "threads:archive", True),
    Operation("thread.events", "threads:events", False),
    Operation("thread.search", "threads:search", False),
    Operation("thread.lineage", "lineage:of", False),
    Operation("thread.compile", "contexts:compile_thread", True),
    Operation("thread.checkpoint", "contexts:checkpoint", True),
    Operation("thread.cut-points", "contexts:cut_points", False),
    Operation("artifact.put", "artifacts:put", True),
    Operation("artifact.get", "artifacts:get", False),
    Operation("artifact.list", "artifacts:list_artifacts", False),
    Operation("artifact.verify", "health:verify", False),
    Operation("change.init", "change_upkeep:init", True),
    Operation("change.new", "changes:new", True),
    Operation("change.update", "changes:update", True),
    Operation("change.list", "change_reading:list_changes", False),
    Operation("change.show", "change_reading:show", False),
    Operation("change.resume", "change_sessions:resume", True),
    Operation("change.promote", "change_sessions:promote", True),
    Operation("change.close", "changes:close", True),
    Operation("change.lint", "change_upkeep:lint_changes", False),
    Operation("change.rebuild", "change_upkeep:rebuild", True),
    Operation("change.link", "change_links:link", True),
    Operation("change.retro", "change_retro:record_past", True),
    Operation("change.dashboard", "change_upkeep:write_dashboard", True),
    Operation("verify", "health:verify", False),
    Operation("rebuild", "health:rebuild", True),
    Operation("status", "health:status", False),
    Operation("doctor", "health:doctor", True),
)

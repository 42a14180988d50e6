"""The files beside the records: the registry, which is derived, the configuration, and retrospective input."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from segue.model.change import Count, Moment, Path, Priority, Scope, Status, Summary, TcId, Text, Title


class Row(Struct, kw_only=True):
    """One record in the registry. `path` is the record's file or its folder, relative to `docs/TC`;
    `last_revision` is the last one that was sealed, and `seal` its seal. `check` is a hash of the row and of the
    size of the record's file."""

    tc_id: TcId
    title: str
    status: Status
    scope: Scope
    priority: Priority
    created: Moment
    updated: Moment
    path: Path
    sub_tc_count: Count | UnsetType = UNSET
    test_summary: dict[str, Count] | UnsetType = UNSET
    tags: list[str] | UnsetType = UNSET
    parent_tc: str | UnsetType = UNSET
    last_revision: str | UnsetType = UNSET
    seal: str | UnsetType = UNSET
    check: str | UnsetType = UNSET


class Statistics(Struct, kw_only=True):
    total: Count = 0
    by_status: dict[str, Count] = {}
    by_scope: dict[str, Count] = {}
    by_priority: dict[str, Count] = {}


class Registry(Struct, kw_only=True):
    project_name: Text
    created: Moment
    updated: Moment
    next_tc_number: Annotated[int, Meta(ge=1)]
    records: list[Row]
    statistics: Statistics


class Config(Struct, kw_only=True):
    project_name: Text
    tc_root: str = "docs/TC"
    created: Moment
    auto_track: bool = True
    default_author: Text = "Claude"
    categories: list[str] = []


class RetroChange(Struct, kw_only=True):
    """One past change. `related_indices` point at other changes of the same file, from 0."""

    title: Title
    scope: Scope
    description: Summary
    priority: Priority = "medium"
    status: Status = "deployed"
    date: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")] | None = None
    motivation: str | None = None
    detailed_design: str | None = None
    files: list[str] = []
    tags: list[str] = []
    version: str | None = None
    breaking_changes: list[str] = []
    dependencies: list[str] = []
    related_indices: list[Count] = []
    commits: list[str] = []


class RetroFile(Struct, kw_only=True):
    project: Text
    default_author: Text = "retroactive"
    changes: Annotated[list[RetroChange], Meta(min_length=1)]

"""Finding, making and refusing workspaces; settings in layers."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from segue.errors import BadInput, NotFound, Unavailable
from segue.service import config, workspace
from segue.service.health import checkup
from segue.service.threads import streams

from ..conftest import accept


def test_the_nearest_segue_folder_wins_over_a_nearer_git(tmp_path: Path) -> None:
    (tmp_path / ".segue").mkdir()
    (tmp_path / "repo" / ".git").mkdir(parents=True)
    (tmp_path / "repo" / "deep").mkdir()
    assert workspace.find(str(tmp_path / "repo" / "deep")).root == str(tmp_path)


def test_a_new_workspace_stands_beside_git(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    (tmp_path / "a" / "b").mkdir(parents=True)
    assert workspace.find(str(tmp_path / "a" / "b")).root == str(tmp_path)


def test_a_workspace_inside_a_workspace_is_used_and_said(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    for place in (tmp_path, inner):
        (place / ".segue").mkdir(parents=True)
    found = workspace.find(str(inner))
    assert (found.root, workspace.enclosing(found)) == (str(inner), str(tmp_path))


def test_standing_inside_the_folder_means_the_workspace_around_it(tmp_path: Path) -> None:
    (tmp_path / ".segue" / "artifacts").mkdir(parents=True)
    assert workspace.find(str(tmp_path / ".segue" / "artifacts")).root == str(tmp_path)


def test_everything_made_is_private_and_kept_out_of_git(tmp_path: Path) -> None:
    opened = workspace.find(str(tmp_path))
    streams.handoff(opened, streams.ensure(opened)["thread_id"], summary_markdown="s")
    streams.list_threads(opened)
    opened.close()
    modes = {p.relative_to(tmp_path): p.stat().st_mode & 0o777 for p in (tmp_path / ".segue").rglob("*")}
    assert {
        str(p): oct(m) for p, m in modes.items() if m != (0o700 if (tmp_path / p).is_dir() else 0o600)
    } == {}
    assert (tmp_path / ".segue" / ".gitignore").read_text() == "*\n"


@pytest.mark.parametrize("body", ['{"format": 2}', "[]", '{"format": "1"}'])
def test_an_unknown_format_is_refused_in_a_sentence(tmp_path: Path, body: str) -> None:
    (tmp_path / ".segue").mkdir()
    (tmp_path / ".segue" / "workspace.json").write_text(body)
    accept(tmp_path)
    with pytest.raises(Unavailable, match="knows format 1") as caught:
        streams.list_threads(workspace.find(str(tmp_path)))
    assert caught.value.code == "newer_format"


def test_settings_that_are_not_json_are_refused(tmp_path: Path) -> None:
    (tmp_path / ".segue").mkdir()
    (tmp_path / ".segue" / "workspace.json").write_text("{")
    accept(tmp_path)
    with pytest.raises(Unavailable, match="cannot be read"):
        streams.list_threads(workspace.find(str(tmp_path)))


def test_a_directory_that_is_not_there_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        workspace.find(str(tmp_path / "absent"))


def test_layers_override_each_other_and_say_so(tmp_path: Path) -> None:
    user, folder = tmp_path / "xdg" / "segue", tmp_path / ".segue"
    for place in (user, folder):
        place.mkdir(parents=True)
    (user / "config.json").write_text(json.dumps({"compile": {"budget": 1}, "handoff": {"budget": 1}}))
    (folder / "config.json").write_text(json.dumps({"compile": {"budget": 2}}))
    env = {"XDG_CONFIG_HOME": str(tmp_path / "xdg"), "SEGUE_BOUNDARY_APPROVAL": "auto"}
    found = config.load(str(folder), env)
    assert {
        n: found.settings[n]
        for n in ("compile.budget", "handoff.budget", "boundary.approval", "boundary.policy")
    } == {
        "compile.budget": (2, str(folder / "config.json")),
        "handoff.budget": (1, str(user / "config.json")),
        "boundary.approval": ("auto", "SEGUE_BOUNDARY_APPROVAL"),
        "boundary.policy": ("auto_compact", "default"),
    }


@pytest.mark.parametrize(("marks", "for_agent"), [({"CODEX_THREAD_ID": "t-1"}, False), ({}, True)])
def test_what_an_agent_starts_has_an_environment_that_loosens_nothing(
    tmp_path: Path, marks: dict[str, str], for_agent: bool
) -> None:
    loose = {
        "SEGUE_BOUNDARY_APPROVAL": "auto",
        "SEGUE_BOUNDARY_EMERGENCY_AUTO_HANDOFF": "true",
        "SEGUE_CLEARANCE_MCP": "private",
    }
    strict = {"SEGUE_CLEARANCE_CODEX": "public", "SEGUE_HANDOFF_BUDGET": "900"}
    env = {"XDG_CONFIG_HOME": str(tmp_path), **marks, **loose, **strict}
    found = config.load(str(tmp_path / ".segue"), env, for_agent)
    assert {source for _, source in found.loosening} == set(loose)
    assert {s.source for s in found.settings.values() if s.source != "default"} == set(strict)
    (tmp_path / "segue").mkdir()
    (tmp_path / "segue" / "config.json").write_text('{"boundary": {"approval": "auto"}}')
    assert config.load(str(tmp_path / ".segue"), env, for_agent)["boundary.approval"] == "auto"


@pytest.mark.parametrize("value", ["many", "1.5", "", "--5", "²", "9" * 5000])
def test_a_setting_of_the_wrong_kind_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(BadInput, match="whole number"):
        config.load(str(tmp_path), {"XDG_CONFIG_HOME": str(tmp_path), "SEGUE_COMPILE_BUDGET": value})


@pytest.mark.parametrize("value", [-5, 99_999_999_999_999])
def test_a_number_outside_its_range_is_refused_wherever_it_stands(tmp_path: Path, value: int) -> None:
    home = {"XDG_CONFIG_HOME": str(tmp_path)}
    with pytest.raises(BadInput, match="between 0 and 86,400"):
        config.load(str(tmp_path), {**home, "SEGUE_STORE_LOCK_WAIT_S": str(value)})
    (tmp_path / "config.json").write_text(json.dumps({"store": {"lock_wait_s": value}}))
    with pytest.raises(BadInput, match="between 0 and 86,400"):
        config.load(str(tmp_path), home)


def test_every_number_among_the_settings_has_a_range_that_holds_its_default() -> None:
    numbers = {name: value for name, value in config.DEFAULTS.items() if type(value) in (int, float)}
    assert config.NUMBERS.keys() == numbers.keys()
    assert all(low <= numbers[name] <= high for name, (_, low, high) in config.NUMBERS.items())


@pytest.mark.parametrize("act", [streams.ensure, streams.list_threads, checkup.status, checkup.verify])
def test_a_file_in_place_of_the_folder_is_said_alike_to_readers_and_writers(
    tmp_path: Path, act: Callable[[workspace.Workspace], object]
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a directory")
    (tmp_path / ".segue").symlink_to(blocked)
    with pytest.raises(Unavailable, match="is not a folder, so there can be no workspace here"):
        act(workspace.find(str(tmp_path)))
    assert sorted(os.listdir(tmp_path)) == [".segue", "file"]


def test_the_reference_names_every_file_and_folder_of_a_workspace() -> None:
    home = Path(__file__).parent.parent.parent
    source = "\n".join(path.read_text() for path in (home / "src" / "segue").rglob("*.py"))
    written = set(re.findall(r'workspace\.folder, "([^"]+)"', source))
    stores = {
        "workspace.json",
        "config.json",
        "installed.json",
        "log.db",
        "log.lock",
        "cache.db",
        "artifacts",
    }
    told = (home / "docs" / "reference" / "on-disk-format.md").read_text()
    assert {"transcripts", "boundary", "spool"} <= written
    assert {name for name in written | stores if f"`{name}" not in told and name != ".gitignore"} == set()

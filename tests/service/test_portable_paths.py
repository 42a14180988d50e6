"""Paths are stored from the project and from the home, and found again by who has them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from segue.agents import generic
from segue.errors import NotFound
from segue.model.facts import Facts, FileFact, RepoState, SourceFacts
from segue.model.thread import LIBRARY
from segue.service.handoffs import commit, draft, reviews
from segue.service.handoffs.earlier import facts_of
from segue.service.portable_paths import local, portable, portable_facts, with_local_files
from segue.service.sessions import lookup
from segue.service.workspace import Workspace


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "home"
    place.mkdir()
    monkeypatch.setenv("HOME", str(place))
    return place


@pytest.mark.parametrize(
    ("path", "root", "told"),
    [
        ("{home}/src/shop/a.py", "{home}/src/shop", "./a.py"),
        ("{home}/src/shop", "{home}/src/shop", "."),
        ("{home}/src/shop-2/a.py", "{home}/src/shop", "~/src/shop-2/a.py"),
        ("{home}/a", "{home}", "./a"),
        ("{home}/a", "/", "~/a"),
        ("{home}/a", "", "~/a"),
        ("{home}", "/srv/shop", "~"),
        ("/srv/shop/a.py", "/srv/shop/", "./a.py"),
        ("/srv/api/a.py", "/srv/shop", "/srv/api/a.py"),
        ("a.py", "/srv/shop", "a.py"),
        ("", "/srv/shop", ""),
    ],
)
def test_a_path_is_told_from_the_nearest_of_project_and_home(
    home: Path, path: str, root: str, told: str
) -> None:
    path, root = path.format(home=home), root.format(home=home)
    assert portable(path, root) == told
    assert local(told, root) == path


def test_a_home_behind_a_link_is_known_by_both_its_names(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "link").symlink_to(home)
    monkeypatch.setenv("HOME", str(tmp_path / "link"))
    assert (portable(f"{tmp_path}/link/a"), portable(f"{home}/a")) == ("~/a", "~/a")


def test_a_home_that_is_the_whole_disk_is_no_folder_to_tell_from(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/")
    assert portable("/srv/a") == "/srv/a"


def facts(path: str, cwd: str, *files: str) -> Facts:
    source = SourceFacts(agent="pi", session_id="s1", path=path, cwd=cwd)
    return Facts(source=source, files=tuple(FileFact(path=file) for file in files))


@pytest.mark.parametrize(("name", "told"), [("", "s.jsonl"), ("/data/s.jsonl", "/data/s.jsonl")])
def test_a_transcript_elsewhere_is_told_in_full_where_a_person_named_it_so(name: str, told: str) -> None:
    assert portable_facts(facts("/data/s.jsonl", "/srv/shop"), "/srv/shop", name).source.path == told


def test_files_are_told_from_the_working_directory_and_from_the_home(home: Path) -> None:
    made = facts("s", "/srv/shop/api", "a.py", "/srv/shop/web/b.ts", f"{home}/c", "/etc/hosts")
    made = portable_facts(made, "/srv/shop", "")
    assert [file.path for file in made.files] == ["a.py", "../web/b.ts", "~/c", "/etc/hosts"]
    back = [file.path for file in with_local_files(made, "/srv/shop").files]
    assert back == ["a.py", "/srv/shop/web/b.ts", f"{home}/c", "/etc/hosts"]


@pytest.mark.parametrize(
    ("cwd", "told"),
    [
        ("/srv/shop/api", "./api"),
        ("/srv", ".."),
        ("/srv/other/", "…/other"),
        ("/mnt/data/z", "…/z"),
        ("{home}/z", "~/z"),
        ("/tmp/run-7", "…/run-7"),
        ("C:\\work\\z", "…/z"),
        ("", ""),
    ],
)
def test_a_folder_of_this_machine_is_told_by_its_name(home: Path, cwd: str, told: str) -> None:
    cwd = cwd.format(home=home)
    made = portable_facts(facts("/mnt/data/s.jsonl", cwd, "a.py", "/opt/x.conf"), "/srv/shop", "")
    assert (made.source.cwd, made.source.path) == (told, "s.jsonl")
    assert [file.path for file in made.files] == ["a.py", "/opt/x.conf"], "what was worked on is evidence"
    repo = replace(made, repo=RepoState(root=cwd))
    assert portable_facts(repo, "/srv/shop", "").repo == RepoState(root=told)
    assert portable_facts(made, "/srv/shop", "").source == made.source


def test_files_of_the_project_are_named_from_a_session_elsewhere() -> None:
    made = portable_facts(facts("s", "/srv/other", "/srv/shop/b.ts"), "/srv/shop", "")
    assert [file.path for file in made.files] == ["../shop/b.ts"]
    assert with_local_files(made, "/srv/shop").files == made.files, "where they began is not known any more"


def session(path: Path, cwd: Path, text: str = "mend it", id: str = "s-1") -> str:
    head: dict[str, Any] = {generic.HEADER: generic.VERSION, "agent": "own", "id": id, "cwd": str(cwd)}
    edit: dict[str, Any] = {"kind": "tool_call", "call_id": "1", "tool": "edit", "tool_kind": "edit"}
    edit["edits"] = [{"path": str(Path.home() / "notes.md"), "new": "x"}]
    answered = {"kind": "tool_result", "call_id": "1", "tool": "edit"}
    rows = [head, {"kind": "user", "text": text}, edit, answered, {"kind": "agent", "text": "It is mended."}]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return str(path)


def handed_off(workspace: Workspace, path: str) -> tuple[draft.Draft, str]:
    source = lookup.at(path)
    made = draft.propose(workspace, source, draft.Wanted("go on", repo=False)).made
    return made, str(commit.commit(workspace, source, made, LIBRARY)["summary_artifact_id"])


@pytest.mark.parametrize("place", ["home/logs/s.jsonl", "shop/logs/s.jsonl", "elsewhere/s.jsonl"])
def test_a_file_that_a_person_named_is_shown_and_verified_from_what_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, place: str
) -> None:
    root = tmp_path / "shop"
    (root / "deeper").mkdir(parents=True)
    path = session(tmp_path / place, root)
    workspace = Workspace(str(root))
    made, bundle = handed_off(workspace, path)
    assert made.facts.source.name in made.text
    monkeypatch.chdir(root / "deeper")
    assert lookup.find(made.facts.source.name).path == path
    found = reviews.verify_handoff(workspace, artifact_id=bundle)["findings"]
    assert ("session", "holds") in [(row["kind"], row["state"]) for row in found]


def test_a_file_is_found_from_the_home_though_a_shell_did_not_expand_it(home: Path) -> None:
    path = session(home / "s.jsonl", home)
    assert lookup.find("~/s.jsonl").path == lookup.find("generic:~/s.jsonl").path == path
    with pytest.raises(NotFound, match=str(home)):
        lookup.find("~/other.jsonl")


def test_facts_with_absolute_paths_of_an_older_version_still_verify(tmp_path: Path) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    path = session(tmp_path / "elsewhere" / "s.jsonl", root)
    workspace = Workspace(str(root))
    made, _ = handed_off(workspace, path)
    old = replace(made.facts, source=replace(made.facts.source, path=path, cwd=str(root)))
    given = msgspec.json.encode(old).decode()
    found = reviews.verify_handoff(workspace, text=given)["findings"]
    assert ("session", "holds") in [(row["kind"], row["state"]) for row in found]


def test_a_file_that_an_earlier_handoff_told_from_the_home_is_the_same_file_here(
    tmp_path: Path, home: Path
) -> None:
    root = tmp_path / "shop"
    root.mkdir()
    workspace = Workspace(str(root))
    first, _ = handed_off(workspace, session(tmp_path / "1.jsonl", root))
    assert [file.path for file in first.facts.files] == ["~/notes.md"]
    known = facts_of(workspace, first.text)
    assert known is not None and [file.path for file in known.files] == [str(home / "notes.md")]
    second, _ = handed_off(workspace, session(tmp_path / "2.jsonl", root, first.text + "\ngo on", "s-2"))
    assert [file.path for file in second.facts.files] == ["~/notes.md"]

"""A workspace counts only if this user made or accepted it, and so do the addresses of its stores."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from segue.errors import NotFound, Refused, Unavailable
from segue.model.frame import DRAFTED, TAIL_REFRESHED, Draft
from segue.service import config, trust, withheld
from segue.service.health import checkup
from segue.service.threads import streams
from segue.service.workspace import Workspace
from segue.stores import accepted


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(made))
    return made


def shipped(root: Path, **stores: str) -> Workspace:
    """A workspace that somebody else made."""
    (root / ".segue").mkdir(parents=True)
    settings = {"format": 1, "store": "sqlite", "artifacts": "files", **stores}
    (root / ".segue" / "workspace.json").write_text(json.dumps(settings))
    return Workspace(str(root))


def refusal(workspace: Workspace) -> Refused:
    with pytest.raises(Refused) as caught:
        streams.list_threads(Workspace(workspace.root))
    with pytest.raises(Refused):
        streams.ensure(Workspace(workspace.root))
    return caught.value


def test_who_makes_a_workspace_has_accepted_it(tmp_path: Path) -> None:
    made = Workspace(str(tmp_path)).establish()
    assert accepted.rows() == {os.path.realpath(tmp_path): {"id": Path(made.folder, "id").read_text()}}
    assert streams.list_threads(Workspace(str(tmp_path))) == {"threads": []}
    assert accepted.list_path().startswith(os.environ["XDG_CONFIG_HOME"])


def test_a_workspace_of_somebody_else_is_refused_until_it_is_accepted(tmp_path: Path) -> None:
    theirs = shipped(tmp_path)
    told = refusal(theirs)
    assert (told.exit_code, told.code) == (4, "not_accepted") and "segue trust" in told.hint
    assert sorted(os.listdir(theirs.path)) == ["workspace.json"]
    trust.accept(trust.look(theirs))
    assert streams.list_threads(theirs) == {"threads": []}
    assert Path(theirs.folder, ".gitignore").read_text() == "*\n"


def test_documents_that_an_older_version_stored_are_withheld_once_its_workspace_is_accepted(
    tmp_path: Path,
) -> None:
    older = Workspace(str(tmp_path)).establish()
    drafted, tailed, other = (
        older.artifacts.put(text)[0] for text in (b"a draft", b"with a tail", b"a file")
    )
    thread = streams.ensure(older)["thread_id"]
    by = {"actor_id": "user", "origin": "cli"}
    told = {"artifact_id": drafted, "approval": "ask", "sensitivity": "private", **by}
    refreshed = {"sha256": tailed, "bytes": 11, **by}
    older.log.append(thread, [Draft(DRAFTED, told), Draft(TAIL_REFRESHED, refreshed)])
    older.close()
    trust.remove(str(tmp_path))
    trust.accept(trust.look(Workspace(str(tmp_path))))
    found = [withheld.is_withheld(Workspace(str(tmp_path)), id) for id in (drafted, tailed, other)]
    assert found == [True, True, False]


def test_a_workspace_that_was_moved_says_so_and_is_accepted_anew(tmp_path: Path) -> None:
    (tmp_path / "old").mkdir()
    Workspace(str(tmp_path / "old")).establish()
    (tmp_path / "old").rename(tmp_path / "new")
    moved = Workspace(str(tmp_path / "new"))
    assert f"the one you accepted in {tmp_path / 'old'}, moved or copied" in refusal(moved).message
    trust.accept(trust.look(moved))
    assert streams.list_threads(moved) == {"threads": []}


def test_a_copy_does_not_count_and_the_original_still_does_once_it_is_accepted(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    Workspace(str(tmp_path / "one")).establish()
    shutil.copytree(tmp_path / "one", tmp_path / "two")
    refusal(Workspace(str(tmp_path / "two")))
    trust.accept(trust.look(Workspace(str(tmp_path / "two"))))
    for name in ("one", "two"):
        assert streams.list_threads(Workspace(str(tmp_path / name))) == {"threads": []}


def test_another_folder_in_the_place_of_an_accepted_one_does_not_count(tmp_path: Path) -> None:
    folder = Workspace(str(tmp_path)).establish().folder
    shutil.rmtree(folder)
    assert "another one than you accepted there" in refusal(shipped(tmp_path)).message


def test_a_folder_that_was_deleted_is_made_anew_by_the_next_write(tmp_path: Path) -> None:
    before = Path(Workspace(str(tmp_path)).establish().folder, "id").read_text()
    shutil.rmtree(tmp_path / ".segue")
    assert streams.ensure(Workspace(str(tmp_path)))["thread_id"]
    assert Path(tmp_path, ".segue", "id").read_text() != before


def test_a_folder_that_git_tracks_is_refused_even_when_it_was_accepted(tmp_path: Path) -> None:
    made = Workspace(str(tmp_path)).establish()
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    Path(made.folder, "config.json").write_text("{}")
    subprocess.run(["git", "-C", str(tmp_path), "add", "-f", ".segue/config.json"], check=True)
    told = refusal(made)
    assert told.code == "tracked" and "git rm -r --cached .segue" in told.hint
    with pytest.raises(Refused, match="tracked by git"):
        trust.look(made)
    subprocess.run(["git", "-C", str(tmp_path), "rm", "-rq", "--cached", ".segue"], check=True)
    assert streams.list_threads(Workspace(str(tmp_path))) == {"threads": []}


def test_a_workspace_with_a_link_or_a_device_in_it_is_not_accepted(tmp_path: Path) -> None:
    theirs = shipped(tmp_path)
    (tmp_path / ".segue" / "boundary").mkdir()
    (tmp_path / ".segue" / "boundary" / "failures.log").symlink_to(tmp_path / "bashrc")
    with pytest.raises(Refused, match=r"failures\.log is neither a file nor a folder"):
        trust.look(theirs)


ADDRESSES = {
    "store": "postgresql://app@127.0.0.1:1/app?workspace=x",
    "artifacts": "s3://loot/x?endpoint=http://127.0.0.1:1",
}


@pytest.mark.parametrize("name", ADDRESSES)
def test_an_address_counts_only_if_exactly_that_one_was_accepted(tmp_path: Path, name: str) -> None:
    made = Workspace(str(tmp_path)).establish()
    settings = json.loads(Path(made.folder, "workspace.json").read_text())
    Path(made.folder, "workspace.json").write_text(json.dumps({**settings, name: ADDRESSES[name]}))
    with pytest.raises(Refused, match="an address that you have not accepted"):
        assert Workspace(str(tmp_path)).settings
    trust.accept(trust.look(made))
    assert Workspace(str(tmp_path)).settings[name] == ADDRESSES[name]
    Path(made.folder, "workspace.json").write_text(json.dumps({**settings, name: ADDRESSES[name] + "&y=1"}))
    with pytest.raises(Refused, match="an address that you have not accepted"):
        assert Workspace(str(tmp_path)).settings


def test_who_chooses_a_store_has_accepted_its_address(tmp_path: Path) -> None:
    made = Workspace(str(tmp_path)).establish(store=ADDRESSES["store"])
    assert Workspace(str(tmp_path)).settings["store"] == ADDRESSES["store"]
    made.use(store="sqlite", artifacts=ADDRESSES["artifacts"])
    assert accepted.row(str(tmp_path)) == {
        "id": Path(made.folder, "id").read_text(),
        "artifacts": ADDRESSES["artifacts"],
    }


def test_the_ignore_file_is_written_whenever_it_is_missing(tmp_path: Path) -> None:
    made = Workspace(str(tmp_path)).establish()
    os.unlink(os.path.join(made.folder, ".gitignore"))
    streams.ensure(Workspace(str(tmp_path)))
    assert Path(made.folder, ".gitignore").read_text() == "*\n"


def test_processes_that_make_one_workspace_at_once_all_find_it_accepted(tmp_path: Path) -> None:
    code = (
        "import sys; from segue.service.threads import streams; from segue.service.workspace import Workspace;"
        "sys.stdin.readline(); print(streams.ensure(Workspace(sys.argv[1]))['thread_id'])"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", code, str(tmp_path / name)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for name in ("one", "one", "one", "two", "two", "two")
    ]
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    told = [process.communicate("go\n")[0].strip() for process in started]
    assert len(set(told[:3])) == len(set(told[3:])) == 1 and all(told)
    assert [Path(path).name for path in accepted.rows()] == ["one", "two"]
    assert sorted(os.listdir(tmp_path / "one")) == [".segue"]


@pytest.mark.parametrize(
    "body", ["{", "[]", '{"workspaces": []}', '{"workspaces": {"/x": 1}}', '{"format": 2, "workspaces": {}}']
)
def test_a_damaged_list_is_a_sentence_for_commands(tmp_path: Path, body: str) -> None:
    made = Workspace(str(tmp_path)).establish()
    Path(accepted.list_path()).write_text(body)
    with pytest.raises(Unavailable, match="the list of workspaces you accepted, cannot be read"):
        streams.list_threads(Workspace(made.root))


def test_a_list_that_a_person_laid_out_anew_is_still_understood(tmp_path: Path) -> None:
    made = Workspace(str(tmp_path)).establish()
    path = Path(accepted.list_path())
    path.write_text(json.dumps(json.loads(path.read_text()), indent=4))
    assert accepted.is_accepted(made.root)


@pytest.mark.parametrize("name", ['with "quotes"', "back\\slash", "größe", "new\nline"])
def test_a_path_of_any_characters_is_found_again(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    made = Workspace(str(tmp_path / name)).establish()
    assert accepted.is_accepted(made.root) and streams.list_threads(Workspace(made.root)) == {"threads": []}


def test_a_workspace_is_known_by_its_real_path(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    Workspace(str(tmp_path / "link")).establish()
    assert accepted.is_accepted(str(tmp_path / "real"))


def test_directories_that_were_deleted_leave_the_list_and_those_on_a_disk_elsewhere_do_not(
    tmp_path: Path,
) -> None:
    for name in ("deleted", "disk/away", "kept"):
        (tmp_path / name).mkdir(parents=True)
        Workspace(str(tmp_path / name)).establish()
    shutil.rmtree(tmp_path / "deleted")
    shutil.rmtree(tmp_path / "disk")
    (tmp_path / "new").mkdir()
    Workspace(str(tmp_path / "new")).establish()
    assert [Path(path).name for path in accepted.rows()] == ["away", "kept", "new"]


def test_what_is_taken_off_the_list_does_not_count_any_more(tmp_path: Path) -> None:
    made = Workspace(str(tmp_path)).establish()
    trust.remove(made.root)
    refusal(made)
    with pytest.raises(NotFound):
        trust.remove(made.root)
    with pytest.raises(NotFound, match="There is no workspace"):
        trust.look(Workspace(str(tmp_path / "absent")))


LOOSE = {"boundary": {"approval": "auto", "emergency_auto_handoff": True}, "clearance": {"mcp": "private"}}
NAMES = ("boundary.approval", "boundary.emergency_auto_handoff", "clearance.mcp")


def test_a_workspaces_file_may_tighten_and_never_loosen(tmp_path: Path, home: Path) -> None:
    folder = Path(Workspace(str(tmp_path)).establish().folder)
    (folder / "config.json").write_text(json.dumps(LOOSE))
    found = config.load(str(folder))
    assert [found[name] for name in NAMES] == ["ask", False, "team"]
    told = [
        check for check in checkup.doctor(Workspace(str(tmp_path)))["checks"] if check["check"] == "settings"
    ]
    assert [any(name in check["message"] for check in told) for name in NAMES] == [True] * 3
    (home / "segue" / "config.json").write_text(json.dumps(LOOSE))
    (folder / "config.json").write_text('{"boundary": {"approval": "ask"}, "clearance": {"mcp": "public"}}')
    found = config.load(str(folder))
    assert [found[name] for name in NAMES] == ["ask", True, "public"]


def test_the_users_file_may_loosen_for_one_workspace(tmp_path: Path, home: Path) -> None:
    folder = Workspace(str(tmp_path)).establish().folder
    (home / "segue" / "config.json").write_text(json.dumps({"workspaces": {str(tmp_path): LOOSE}}))
    assert [config.load(folder)[name] for name in NAMES] == ["auto", True, "private"]
    elsewhere = str(tmp_path / "elsewhere" / ".segue")
    assert [config.load(elsewhere)[name] for name in NAMES] == ["ask", False, "team"]

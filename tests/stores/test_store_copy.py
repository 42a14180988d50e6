"""A workspace moves between stores and stays the same: frames, hashes, keys, artifacts, answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from segue.errors import BadInput, Conflict, Unavailable
from segue.model.frame import Draft, Frame
from segue.model.ids import new_id
from segue.service import store_migration
from segue.service.threads import streams
from segue.service.workspace import Workspace
from segue.stores.contract import Log
from segue.stores.registry import open_artifacts, open_log

from .postgres_server import Server

Run = Callable[..., Any]
Say = Callable[[str], Draft]


@pytest.fixture
def filled(workspace: Workspace, say: Say) -> Workspace:
    """A workspace with a default thread, a long thread, a branch, and two artifacts."""
    streams.ensure(workspace.establish())
    long = new_id()
    workspace.log.append(
        long, [say(f"{n}") for n in range(2500)], stream_kind="session", key="k", request="r"
    )
    workspace.log.append(long, [say("x" * 9_000_000), say("y")], stream_kind="session")
    for data in (b"one", b"two" * 2_000_000):
        workspace.artifacts.put(data)
    return workspace


def content(log: Log) -> list[tuple[list[Frame], str]]:
    """Everything a log holds, in the order of its last commits."""
    return [(list(log.read(head.stream_id)), head.stream_kind) for head in log.heads()]


def test_a_copy_holds_the_same_frames_keys_and_order(
    filled: Workspace, postgres: Server, tmp_path: Path
) -> None:
    address = postgres.address_for(tmp_path)
    done = store_migration.copy(filled, address)
    assert done == {"streams": 2, "frames": 2503, "keys": 2, "switched": False}
    new = open_log(address, "")
    assert content(new) == content(filled.log)
    assert list(new.keys()) == list(filled.log.keys())
    assert list(new.verify()) == []
    new.close()
    assert filled.settings["store"] == "sqlite"


def test_copying_again_writes_only_what_is_new(
    filled: Workspace, postgres: Server, tmp_path: Path, say: Say
) -> None:
    address = postgres.address_for(tmp_path)
    store_migration.copy(filled, address)
    assert store_migration.copy(filled, address)["frames"] == 0
    stream = filled.log.heads()[0].stream_id
    filled.log.append(stream, [say("late")], key="late", request="r")
    filled.log.append(new_id(), [say("new")])
    done = store_migration.copy(filled, address)
    assert (done["frames"], done["keys"]) == (2, 3)


def test_an_interrupted_copy_goes_on_where_it_stopped(
    filled: Workspace, postgres: Server, tmp_path: Path
) -> None:
    address = postgres.address_for(tmp_path)
    new = open_log(address, "")
    long = max(filled.log.heads(), key=lambda head: head.seq).stream_id
    new.adopt(list(filled.log.read(long, limit=700)))
    assert store_migration.copy(filled, address)["frames"] == 2503 - 700
    assert {h.stream_id: h.hash for h in new.heads()} == {h.stream_id: h.hash for h in filled.log.heads()}
    new.close()


def test_a_stream_that_went_another_way_is_a_conflict(
    filled: Workspace, postgres: Server, tmp_path: Path, say: Say
) -> None:
    address = postgres.address_for(tmp_path)
    stream = filled.log.heads()[0].stream_id
    new = open_log(address, "")
    new.append(stream, [say("other")])
    with pytest.raises(Conflict) as caught:
        store_migration.copy(filled, address, switch=True)
    assert caught.value.code == "diverged"
    assert filled.settings["store"] == "sqlite"
    assert len(list(new.read(stream))) == 1
    new.close()


def test_a_switched_workspace_answers_as_before_and_back_again(
    segue: Run, postgres: Server, tmp_path: Path
) -> None:
    thread = segue("thread", "create", "--title", "Retry", "--json").json["thread_id"]
    segue("thread", "ensure")
    segue("thread", "post", thread, "--content", "walrus")
    segue("thread", "branch", thread)

    def answers() -> list[Any]:
        commands = (["thread", "list"], ["thread", "search", "walrus"], ["thread", "lineage", thread])
        return [segue(*command, "--json").json for command in commands]

    before = answers()
    address = postgres.address_for(tmp_path)
    moved = segue("store", "copy", "--to", address, "--switch", "--json")
    assert (moved.code, moved.json["switched"]) == (0, True)
    assert json.loads((tmp_path / ".segue" / "workspace.json").read_text())["store"] == address
    assert answers() == before
    segue("thread", "post", thread, "--content", "second walrus")
    assert segue("verify").code == 0
    after = answers()
    assert segue("store", "copy", "--to", "sqlite", "--switch").code == 0
    assert answers() == after
    segue("thread", "post", thread, "--content", "third walrus")
    assert len(segue("thread", "search", "walrus", "--json").json["hits"]) == 3
    assert segue("verify").code == 0


def test_artifacts_are_copied_checked_and_left_where_they_are(filled: Workspace, tmp_path: Path) -> None:
    store = open_artifacts("files", str(tmp_path / "elsewhere"))
    ids = dict(filled.artifacts.ids())
    assert store_migration._copy_artifacts(filled.artifacts, store, lambda *_: None) == {
        "artifacts": 2,
        "artifacts_copied": 2,
        "artifact_bytes": sum(ids.values()),
    }
    assert dict(store.ids()) == ids
    assert store_migration._copy_artifacts(filled.artifacts, store, lambda *_: None)["artifacts_copied"] == 0


def test_artifacts_move_to_an_object_store(filled: Workspace, s3_address: str) -> None:
    ids = list(filled.artifacts.ids())
    done = store_migration.copy(filled, artifacts=s3_address, switch=True)
    assert (done["artifacts_copied"], done["switched"]) == (2, True)
    assert filled.settings["artifacts"] == s3_address
    assert list(filled.artifacts.ids()) == ids


AWAY = {
    "no such bucket": ("s3://nobody-made-it?endpoint={endpoint}", {}, "does not exist"),
    "a wrong secret": ("s3://{bucket}?endpoint={endpoint}", {"AWS_SECRET_ACCESS_KEY": "x"}, "denies access"),
    "nobody there": ("s3://{bucket}?endpoint=http://127.0.0.1:1", {}, "cannot be reached"),
}


@pytest.mark.parametrize(("address", "environment", "wrong"), AWAY.values(), ids=AWAY)
def test_a_bucket_that_takes_nothing_is_not_switched_to_even_where_there_is_nothing_to_copy(
    segue: Run,
    tmp_path: Path,
    s3_address: str,
    monkeypatch: pytest.MonkeyPatch,
    address: str,
    environment: dict[str, str],
    wrong: str,
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    place, _, endpoint = s3_address.partition("?endpoint=")
    bucket = place.removeprefix("s3://").partition("/")[0]
    to = address.format(bucket=bucket, endpoint=endpoint)
    ran = segue("store", "copy", "--artifacts", to, "--switch")
    assert (ran.code, wrong in ran.err) == (5, True)
    assert not (tmp_path / ".segue").exists()


def test_an_unused_folder_switches_to_a_bucket_that_takes_what_is_put(segue: Run, s3_address: str) -> None:
    assert segue("store", "copy", "--artifacts", s3_address, "--switch").code == 0
    assert segue("artifact", "put", "-", stdin=b"x").code == 0
    assert segue("verify").code == 0


@pytest.mark.parametrize(
    ("rights", "options", "wrong"),
    [
        ("", "", "permission denied for database"),
        ("GRANT USAGE ON SCHEMA {schema} TO {role}; GRANT SELECT ON ALL TABLES IN SCHEMA {schema} TO {role}", "", "permission"),
        (None, "&options=-c%20default_transaction_read_only%3Don", "read-only"),
    ],
    ids=["no right to create", "no right to write", "read-only"],
)  # fmt: skip
def test_a_log_that_takes_nothing_is_not_switched_to_even_where_there_is_nothing_to_copy(
    segue: Run, postgres: Server, tmp_path: Path, say: Say, rights: str | None, options: str, wrong: str
) -> None:
    address = postgres.address_for(tmp_path)
    schema = "segue_" + address.partition("workspace=")[2].partition("&")[0]
    if rights != "":
        with closing(open_log(address, "")) as log:
            log.append(new_id(), [say("here before")])
    if rights is not None:
        role = f"guest_{new_id().replace('-', '')}"
        with postgres.administrator() as db:
            db.execute(f"CREATE ROLE {role} LOGIN")
            for grant in filter(None, rights.format(schema=schema, role=role).split(";")):
                db.execute(grant)
        address = address.replace("//postgres@", f"//{role}@")
    ran = segue("store", "copy", "--to", f"{address}{options}", "--switch")
    assert (ran.code, wrong in ran.err) == (5, True)
    assert not (tmp_path / ".segue").exists()


def test_a_damaged_copy_is_not_switched_to(filled: Workspace, postgres: Server, tmp_path: Path) -> None:
    address = postgres.address_for(tmp_path)
    store_migration.copy(filled, address)
    schema = address.partition("workspace=")[2]
    with postgres.administrator() as db:
        db.execute(f"UPDATE segue_{schema}.frames SET body = 'no frame' WHERE seq = 7")
    with pytest.raises(Unavailable, match="not sound"):
        store_migration.copy(filled, address, switch=True)
    assert filled.settings["store"] == "sqlite"


@pytest.mark.parametrize(
    ("to", "artifacts", "wrong"),
    [
        (None, None, "Nothing is to be copied"),
        ("sqlite", None, "would be copied from"),
        (None, "files", "would be copied from"),
        ("tape", None, "no store called"),
        ("postgresql://me:secret@host/db?workspace=w", None, "holds a password"),
        ("postgresql://host/db", None, "must name a workspace"),
        ("memory", None, "for tests"),
        (None, "memory", "for tests"),
    ],
)
def test_what_cannot_be_copied_is_bad_input(
    workspace: Workspace, to: str | None, artifacts: str | None, wrong: str
) -> None:
    with pytest.raises(BadInput, match=wrong) as caught:
        store_migration.copy(workspace, to, artifacts)
    assert "secret" not in caught.value.message + caught.value.hint
    assert not workspace.exists


def test_an_unused_folder_joins_a_shared_log_by_switching_to_it(
    segue: Run, postgres: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = postgres.address_for(tmp_path)
    folders = [tmp_path / "laptop", tmp_path / "desk"]
    shared = []
    for folder in folders:
        folder.mkdir()
        monkeypatch.chdir(folder)
        assert segue("store", "copy", "--to", address, "--switch").code == 0
        shared.append(segue("thread", "ensure", "--json").json)
        segue("thread", "post", shared[0]["thread_id"], "--content", f"from the {folder.name}")
    assert shared[0] == shared[1]
    listings = []
    for folder in folders:
        monkeypatch.chdir(folder)
        listings.append(
            (segue("thread", "list", "--json").json, segue("thread", "search", "from", "--json").json)
        )
    assert listings[0] == listings[1]
    assert len(listings[0][1]["hits"]) == 2


def test_a_workspace_with_a_default_thread_of_its_own_does_not_join_and_leaves_nothing_behind(
    filled: Workspace, postgres: Server, tmp_path: Path
) -> None:
    address = postgres.address_for(tmp_path)
    (tmp_path / "other").mkdir()
    other = Workspace(str(tmp_path / "other"))
    other.establish().use(store=address)
    streams.ensure(other)
    before = content(other.log)
    with pytest.raises(Conflict, match="stands for other frames there") as caught:
        store_migration.copy(filled, address, switch=True)
    assert caught.value.code == "diverged"
    assert content(other.log) == before
    assert filled.settings["store"] == "sqlite"
    other.close()


def test_frames_written_between_frames_and_keys_are_not_left_behind(
    filled: Workspace, postgres: Server, tmp_path: Path, say: Say, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = postgres.address_for(tmp_path)
    stream, copy_keys = filled.log.heads()[0].stream_id, store_migration._copy_keys

    def write_first(old: Log, new: Log) -> tuple[int, int]:
        filled.log.append(stream, [say("meanwhile")], key="meanwhile", request="r")
        return copy_keys(old, new)

    monkeypatch.setattr(store_migration, "_copy_keys", write_first)
    assert store_migration.copy(filled, address)["keys"] == 3
    new = open_log(address, "")
    assert new.keyed("meanwhile") == filled.log.keyed("meanwhile")
    new.close()


def test_an_artifact_put_while_copying_is_not_left_behind(
    filled: Workspace, s3_address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, use = filled.artifacts, Workspace.use

    def late(workspace: Workspace, **stores: str) -> None:
        mine.put(b"three")
        use(workspace, **stores)

    monkeypatch.setattr(Workspace, "use", late)
    done = store_migration.copy(filled, artifacts=s3_address, switch=True)
    kept = open_artifacts(s3_address, "")
    assert (done["artifacts_copied"], len(list(kept.ids()))) == (3, 3)


def test_a_copy_into_the_workspaces_own_log_says_so(
    filled: Workspace, postgres: Server, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from segue.surfaces.cli.app import run

    spec = postgres.address_for(tmp_path)
    store_migration.copy(filled, spec)
    root = tmp_path / "another"
    root.mkdir()
    assert run(["store", "copy", "--workspace", str(root), "--from", spec, "--to", "sqlite"]) == 0
    assert "in the log that this workspace uses" in capsys.readouterr().out

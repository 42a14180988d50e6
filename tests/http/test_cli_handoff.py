"""`segue handoff --server`: the session goes there, and its bundle is the one that would have been made here."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from segue import samples
from segue.sdk.client import Client

from ..cli.test_boundary import RICH
from ..conftest import Run
from .conftest import Caller, Serve


@pytest.fixture
def project(tmp_path: Path) -> Path:
    place = tmp_path / "project"
    place.mkdir()
    samples.unpack(str(place))
    return place


@pytest.fixture
def call(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> Caller:
    call = serve().call
    monkeypatch.setenv("SEGUE_TOKEN", call.token or "")
    return call


def bundle(client: Client, answer: dict[str, Any]) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(client.artifacts.get(answer["summary_artifact_id"]))
    made["refs"].pop("threads")
    return made


def test_the_bundle_is_the_one_that_would_have_been_made_here(
    segue: Run, call: Caller, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    words = ["handoff", "finish it", "--from", str(project / "session.jsonl"), "--yes", "--no-repo", "--json"]
    url = f"http://127.0.0.1:{call.port}"
    there = segue(*words, "--server", url).json
    assert not (project / ".segue").exists()
    here = segue(*words).json
    with Client(server=url, token=call.token) as remote, Client(str(project)) as local:
        theirs, ours = bundle(remote, there), bundle(local, here)
        assert theirs == ours
        kept = {ref["path"]: ref.get("snapshot_artifact_id") for ref in theirs["refs"]["files"]}
        assert kept.pop(".env") is None
        assert len(kept) > 1
        for artifact_id in (theirs["facts_artifact_id"], *kept.values()):
            assert remote.artifacts.get(artifact_id) == local.artifacts.get(artifact_id)
        (cut,) = json.loads(remote.artifacts.get(there["summary_artifact_id"]))["refs"]["threads"]
        assert (cut["thread_id"], cut["seq"]) == (there["from_thread_id"], there["from_seq"])


def test_a_server_keeps_the_artifacts_and_frames_that_a_commit_here_keeps(
    segue: Run, call: Caller, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    words = ["handoff", "finish it", "--from", str(project / "session.jsonl"), "--yes", "--no-repo", "--json"]
    url = f"http://127.0.0.1:{call.port}"
    there, here = segue(*words, "--server", url).json, segue(*words).json
    with Client(server=url, token=call.token) as remote, Client(str(project)) as local:
        kept = [len(client.artifacts.list()["artifacts"]) for client in (remote, local)]
        assert kept[0] == kept[1]
        theirs, ours = (
            list(client.threads.events(made["thread_id"]))[1]
            for client, made in ((remote, there), (local, here))
        )
        assert theirs.keys() == ours.keys()
        assert (theirs["agent"], theirs["session_id"]) == (ours["agent"], ours["session_id"])


def test_a_bundle_is_shown_as_it_was_committed_there(segue: Run, call: Caller, project: Path) -> None:
    url = f"http://127.0.0.1:{call.port}"
    words = ["handoff", "finish it", "--from", str(project / "session.jsonl"), "--yes", "--no-repo"]
    shown = segue(*words, "--format", "bundle", "--server", url)
    (name,) = [
        word.rstrip(".") for line in shown.err.splitlines() for word in line.split()[-1:] if "bundle" in line
    ]
    assert json.loads(shown.out) == json.loads(call("GET", f"/artifacts/{name}").body)


def test_a_session_that_was_sent_is_recorded_with_the_path_it_has_here(
    segue: Run, call: Caller, project: Path
) -> None:
    url, path = f"http://127.0.0.1:{call.port}", project / "session.jsonl"
    sent = segue("sessions", "import", str(path), "--server", url, "--json").json
    events = f"/threads/{sent['thread_id']}/events?limit=1"
    first = call("GET", events, headers={"Accept": "application/json"}).json["events"][0]
    assert first["source"]["path"] == str(path)


def test_a_session_that_comes_without_a_path_is_recorded_without_one(call: Caller) -> None:
    lines = b'{"segue_session": 1, "id": "s"}\n{"kind": "user", "text": "hello"}\n'
    sent = call("POST", "/sessions", data=lines).json
    events = f"/threads/{sent['thread_id']}/events?limit=1"
    first = call("GET", events, headers={"Accept": "application/json"}).json["events"][0]
    assert first["source"]["path"] == ""


def test_a_replay_from_a_server_asks_for_the_acknowledgement_that_one_here_asks_for(
    segue: Run, call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"http://127.0.0.1:{call.port}"
    told = {}
    for name, flags in {"here": [], "there": ["--server", url]}.items():
        taken = segue("draft", "write", "-", "--sensitivity", "team", "--json", *flags, stdin=RICH.encode())
        assert segue("draft", "approve", taken.json["artifact_id"], *flags).code == 0
        told[name] = segue("replay", "--session", "next", *flags).out.splitlines()[-3:]
    sentence = "Once you have read this and go on with it, run `"
    assert told["here"][1].startswith(sentence)
    assert told["there"] == [
        told["here"][0],
        told["here"][1].replace("--session next", f"--session next --server {url}"),
        told["here"][2],
    ]
    monkeypatch.setenv("SEGUE_SERVER", url)
    answer = segue("replay", "--session", "another", "--json").json["text"].splitlines()
    assert answer[-2] == told["here"][1].replace("next", "another")
    assert segue("replay", "--session", "another").code == 1
    assert segue("ack", "--session", "another").code == 0


def test_a_change_record_that_a_person_makes_on_a_server_names_the_person_of_git(
    segue: Run, call: Caller, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(project)
    subprocess.run(["git", "init", "-q"], check=True)
    subprocess.run(["git", "config", "user.name", "Ada Person"], check=True)
    server = ("--server", f"http://127.0.0.1:{call.port}", "--json")
    assert segue("change", "init", *server).code == 0
    made = segue("change", "new", "Retry uploads", "--scope", "feature", *server)
    assert made.code == 0, made.err
    shown = segue("change", "show", made.json["tc_id"], *server).json
    assert shown["created_by"] == "Ada Person"
    monkeypatch.setenv("CLAUDECODE", "1")
    made = segue("change", "new", "Retry downloads", "--scope", "feature", *server)
    assert segue("change", "show", made.json["tc_id"], *server).json["created_by"] != "Ada Person"

"""What the cases do not show: which windows are looked into, and logs that are damaged or written another way."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from segue.agents.contract import Home
from segue.agents.copilot_vscode.log import MISFIT, replay
from segue.agents.locate import find
from segue.agents.registry import reader
from segue.model.entry import Entry

DOCUMENT = Path(__file__).parent.parent / "fixtures" / "agents" / "copilot-vscode" / "document" / "input.json"


def told(path: Path, branch: str | None = None) -> list[Entry]:
    return list(reader("copilot-vscode").read(str(path), branch=branch))


def written(folder: Path, *changes: object) -> Path:
    path = folder / "log.jsonl"
    path.write_text("".join(json.dumps(change) + "\n" for change in changes), "utf-8")
    return path


def session(*texts: str) -> dict[str, Any]:
    asked = [{"requestId": f"r{n}", "message": {"text": text}} for n, text in enumerate(texts)]
    return {"version": 3, "responderUsername": "GitHub Copilot", "sessionId": "s", "requests": asked}


def prompts(path: Path) -> list[str]:
    return [entry.text for entry in told(path) if entry.kind == "user"]


@pytest.mark.parametrize("settings", [".config", "Library/Application Support", "AppData/Roaming"])
@pytest.mark.parametrize("editor", ["Code", "Code - Insiders", "VSCodium"])
def test_the_chats_of_a_folder_are_those_of_the_windows_that_show_it(
    tmp_path: Path, settings: str, editor: str
) -> None:
    storage = tmp_path / settings / editor / "User" / "workspaceStorage"
    together = tmp_path / "together.code-workspace"
    together.write_text(json.dumps({"folders": [{"path": "shop"}, {"path": "my bank"}]}))
    shop, bank = tmp_path / "shop", tmp_path / "my bank"
    windows = {
        "one": {"folder": shop.as_uri()},
        "other": {"folder": bank.as_uri()},
        "both": {"workspace": together.as_uri()},
    }
    for window, shown in windows.items():
        (storage / window / "chatSessions").mkdir(parents=True)
        (storage / window / "workspace.json").write_text(json.dumps(shown))
        (storage / window / "chatSessions" / f"{window}.jsonl").write_text("{}")
    home = Home(str(tmp_path), {})
    for place, stems in ((shop, {"one", "both"}), (bank, {"other", "both"}), (None, set(windows))):
        found = find(home, ["copilot-vscode"], place and str(place))
        assert {Path(one.path).stem for one in found} == stems


@pytest.mark.parametrize(("folders", "cwd"), [(["shop"], "/home/dev/shop"), (["shop", "../bank"], "")])
def test_a_chat_is_of_the_folder_of_its_window_unless_that_shows_several(
    tmp_path: Path, folders: list[str], cwd: str
) -> None:
    window = tmp_path / "window"
    (window / "chatSessions").mkdir(parents=True)
    there = tmp_path / "shop.code-workspace"
    there.write_text(json.dumps({"folders": [{"path": f"/home/dev/{folder}"} for folder in folders]}))
    (window / "workspace.json").write_text(json.dumps({"workspace": there.as_uri()}))
    path = written(window / "chatSessions", {"kind": 0, "v": session("first")})
    assert told(path)[0].data.get("cwd", "") == cwd


def test_a_log_tells_what_the_document_tells_that_it_ends_with(tmp_path: Path) -> None:
    whole = json.loads(DOCUMENT.read_text("utf-8"))
    requests = whole["requests"]
    path = written(
        tmp_path,
        {"kind": 0, "v": {**whole, "requests": requests[:1]}},
        {"kind": 2, "k": ["requests"], "v": [{**requests[1], "response": []}, *requests[3:]]},
        {"kind": 2, "k": ["requests"], "i": 2, "v": requests[2:]},
        {"kind": 2, "k": ["requests", 1, "response"], "v": requests[1]["response"]},
    )
    assert replay(str(path)).session == whole
    assert [(e.kind, e.text, e.line) for e in told(path)] == [
        (e.kind, e.text, e.line) for e in told(DOCUMENT)
    ]


def test_what_a_checkpoint_took_back_is_told_with_all_branches() -> None:
    texts = [[entry.text for entry in told(DOCUMENT, branch)] for branch in (None, "all")]
    assert ["this was taken back" in branch for branch in texts] == [False, True]


def test_a_chat_in_which_nothing_was_said_yet_is_no_session(tmp_path: Path) -> None:
    path = written(tmp_path, {"kind": 0, "v": session()}, {"kind": 1, "k": ["inputState"], "v": {}})
    assert list(reader("copilot-vscode").sessions(str(path))) == []


def test_a_snapshot_that_breaks_off_keeps_the_requests_before_the_break(tmp_path: Path) -> None:
    path = written(tmp_path, {"kind": 0, "v": session("first", "second", "third")})
    raw = path.read_bytes()
    path.write_bytes(raw[: raw.index(b"third")])
    assert [text for text in prompts(path) if text] == ["first", "second"]
    assert [entry.reason for entry in told(path) if entry.kind == "unreadable"] == [
        "the document breaks off here"
    ]


def test_two_changes_on_one_line_are_both_made(tmp_path: Path) -> None:
    path = written(tmp_path, {"kind": 0, "v": session("first")})
    change = {"kind": 2, "k": ["requests"], "v": [{"message": {"text": "more"}}]}
    with path.open("a") as file:
        file.write(json.dumps(change) + json.dumps(change) + "\n")
    assert prompts(path) == ["first", "more", "more"]


@pytest.mark.parametrize(
    "change",
    [
        {"kind": 1, "k": ["requests", 3, "message"], "v": {}},
        {"kind": 1, "k": ["requests", -1], "v": {}},
        {"kind": 2, "k": ["sessionId"], "v": [1]},
        {"kind": 1, "k": [], "v": {}},
        {"kind": 9, "k": ["requests"]},
        {"kind": 0, "v": None},
    ],
)
def test_a_change_that_fits_nothing_is_reported_and_changes_nothing(
    tmp_path: Path, change: dict[str, Any]
) -> None:
    path = written(tmp_path, {"kind": 0, "v": session("first")}, change)
    assert [flaw.reason for flaw in replay(str(path)).flaws] == [MISFIT]
    assert prompts(path) == ["first"]

"""A kept index saves reading and changes no answer."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.agents import _jsonl
from segue.agents.registry import reader
from segue.service.handoffs import copies, indexes, readings, told_apart
from segue.service.handoffs.readings import Shelf, begin
from segue.service.handoffs.walk import Draft, Source, draft
from segue.stores.indexes import MOST, Indexes

TESTS = Path(__file__).parents[2]
SHARED = TESTS.parent.parent / "shared"
AGENTS = ("claude-code", "codex", "pi")
FIXTURES = [
    (agent, path)
    for agent in AGENTS
    for path in sorted((TESTS / "fixtures" / "agents" / agent).glob("*/input.jsonl"))
]
TOKEN = "ghp_" + "Zx8Qw3Er5Ty7Ui9Op1As2Df4Gh6Jk0Lz3Xc5"


def resumed(agent: str, path: Path, shelf: Shelf) -> Draft:
    return draft(Source(agent, str(path), ()), "go on", shelf=shelf)


def from_scratch(agent: str, path: Path) -> Draft:
    return draft(Source(agent, str(path), reader(agent).read(str(path))), "go on")


def shelf_in(folder: Path, tail: int = 0) -> Shelf:
    return Shelf(str(folder / "shelf"), worth=0, tail=tail)


def lines_of_claude(count: int, first: int = 0, text: str = "Look at part {} of src/app.py.") -> bytes:
    """Prompts and replies by turns, each the child of the one before."""
    rows = []
    for number in range(first, first + count):
        said = {"role": "user", "content": text.format(number)}
        if number % 2:
            said = {
                "role": "assistant",
                "id": f"m{number}",
                "model": "m",
                "content": [{"type": "text", "text": "Done."}],
            }  # type: ignore[dict-item]
        parent = f"{number - 1:036d}" if number else None
        row = {"parentUuid": parent, "isSidechain": False, "sessionId": "s", "cwd": "/w"}
        rows.append(row | {"type": said["role"], "message": said, "uuid": f"{number:036d}"})
    return "".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows).encode()


@pytest.fixture
def bytes_read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The sizes of everything read from session files."""
    sizes: list[int] = []
    plain = _jsonl.Source.read

    def counted(source: _jsonl.Source, offset: int, count: int) -> bytes:
        data = plain(source, offset, count)
        sizes.append(len(data))
        return data

    monkeypatch.setattr(_jsonl.Source, "read", counted)
    yield sizes


@pytest.mark.parametrize(
    ("agent", "fixture"), FIXTURES, ids=lambda value: getattr(value, "parent", Path(str(value))).name
)
@settings(max_examples=12)
@given(share=st.floats(0, 1), tail=st.sampled_from([0, 1, 300, 5000]))
def test_a_draft_that_went_on_is_the_draft_of_the_whole(
    tmp_path_factory: pytest.TempPathFactory, agent: str, fixture: Path, share: float, tail: int
) -> None:
    folder = tmp_path_factory.mktemp("grown")
    path, data = folder / fixture.name, fixture.read_bytes()
    cut = int(share * len(data))
    path.write_bytes(data[:cut])
    shelf = shelf_in(folder, tail)
    resumed(agent, path, shelf)
    with path.open("ab") as file:
        file.write(data[cut:])
    assert resumed(agent, path, shelf) == from_scratch(agent, path)


@pytest.mark.skipif(not SHARED.exists(), reason="the corpus of real sessions is not beside the repository")
@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("share", [0.3, 0.7])
def test_a_real_session_that_grew_gives_the_same_draft(tmp_path: Path, agent: str, share: float) -> None:
    for number, real in enumerate(sorted((SHARED / "corpus" / agent).glob("*.jsonl"))[:24:6]):
        path, data = tmp_path / f"{number}-{real.name}", real.read_bytes()
        path.write_bytes(data[: int(share * len(data))])
        shelf = shelf_in(tmp_path, tail=2000)
        resumed(agent, path, shelf)
        with path.open("ab") as file:
            file.write(data[int(share * len(data)) :])
        assert resumed(agent, path, shelf) == from_scratch(agent, path)


def test_the_second_time_only_what_is_new_is_read(tmp_path: Path, bytes_read: list[int]) -> None:
    path, shelf = tmp_path / "s.jsonl", shelf_in(tmp_path)
    path.write_bytes(lines_of_claude(5000))
    resumed("claude-code", path, shelf)
    first = sum(bytes_read)
    with path.open("ab") as file:
        file.write(lines_of_claude(10, first=5000))
    bytes_read.clear()
    again = resumed("claude-code", path, shelf)
    assert first > path.stat().st_size > 1_000_000
    assert sum(bytes_read) < 200_000
    assert again == from_scratch("claude-code", path)


def test_a_rewind_behind_the_mark_is_read_from_the_start(tmp_path: Path) -> None:
    path, shelf = tmp_path / "s.jsonl", shelf_in(tmp_path)
    path.write_bytes(lines_of_claude(40))
    resumed("claude-code", path, shelf)
    rewound = lines_of_claude(2, first=40, text="Begin anew with {}.")
    with path.open("ab") as file:
        file.write(rewound.replace(b'"parentUuid":"%036d"' % 39, b'"parentUuid":"%036d"' % 3, 1))
    again = resumed("claude-code", path, shelf)
    assert again == from_scratch("claude-code", path)
    assert again.index.source.turns == 3


@pytest.mark.parametrize(
    "changed",
    [
        pytest.param(lambda data: data[: len(data) // 2], id="truncated"),
        pytest.param(lambda data: data.replace(b"part 2 ", b"part 9 ", 1), id="changed in place"),
        pytest.param(lambda data: lines_of_claude(50, text="Another {}."), id="another session"),
        pytest.param(lambda data: b"", id="emptied"),
    ],
)
def test_a_file_written_anew_is_read_from_the_start(tmp_path: Path, changed: object) -> None:
    path, shelf = tmp_path / "s.jsonl", shelf_in(tmp_path)
    data = lines_of_claude(40)
    path.write_bytes(data)
    resumed("claude-code", path, shelf)
    path.write_bytes(changed(data))  # type: ignore[operator]
    assert resumed("claude-code", path, shelf) == from_scratch("claude-code", path)


def kept_files(folder: Path) -> list[Path]:
    return sorted(path for path in (folder / "shelf").rglob("*") if path.is_file())


def test_deleted_or_damaged_indexes_change_no_answer(tmp_path: Path) -> None:
    path, shelf = tmp_path / "s.jsonl", shelf_in(tmp_path)
    path.write_bytes(lines_of_claude(40))
    expected = resumed("claude-code", path, shelf)
    for damage in (b"", b"x" * 64, b"{}"):
        for file in kept_files(tmp_path):
            file.write_bytes(damage)
        assert resumed("claude-code", path, shelf) == expected
    for file in kept_files(tmp_path):
        file.unlink()
    assert resumed("claude-code", path, shelf) == expected


def test_a_kept_index_is_private_and_one_artifact_per_session(tmp_path: Path) -> None:
    path, shelf = tmp_path / "s.jsonl", shelf_in(tmp_path)
    for count in (40, 80):
        path.write_bytes(lines_of_claude(count))
        resumed("claude-code", path, shelf)
    files = kept_files(tmp_path)
    assert [file.parent.name for file in files] == ["blobs", "rows"]
    assert {stat.S_IMODE(os.stat(file).st_mode) for file in files} == {0o600}
    assert files[1].read_text() == files[0].name


def test_an_index_that_would_hold_a_secret_is_not_kept(tmp_path: Path) -> None:
    path, shelf = tmp_path / "s.jsonl", shelf_in(tmp_path)
    path.write_bytes(lines_of_claude(40, text=f"Use {TOKEN} for part {{}}."))
    resumed("claude-code", path, shelf)
    assert kept_files(tmp_path) == []


@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
@pytest.mark.parametrize("apart", [False, True])
def test_a_secret_learnt_after_the_mark_is_not_in_the_kept_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, apart: bool
) -> None:
    monkeypatch.setattr(told_apart, "WORTH", 0)
    monkeypatch.setattr(copies, "can_be_made", lambda: True)
    path, shelf = tmp_path / "s.jsonl", shelf_in(tmp_path, tail=2000)
    spoken = lines_of_claude(40, text="Say rosebud-42-alpha to part {}.")
    rows = [json.loads(line) for line in lines_of_claude(42, text="Go on with {}.").splitlines()[40:]]
    call = {"type": "tool_use", "id": "t", "name": "Read", "input": {"file_path": "/w/.env"}}
    rows[1]["message"]["content"] = [call]
    result = {"type": "tool_result", "tool_use_id": "t", "content": "TOKEN=rosebud-42-alpha\n"}
    rows.append(
        rows[0]
        | {"uuid": "r", "parentUuid": rows[1]["uuid"], "message": {"role": "user", "content": [result]}}
    )
    path.write_bytes(spoken)
    source = Source("claude-code", str(path), ())
    draft(begin(source, shelf, apart=apart))
    assert kept_files(tmp_path) != []
    for file in kept_files(tmp_path):
        file.unlink()
    with path.open("ab") as file:
        file.write("".join(json.dumps(row, separators=(",", ":")) + "\n" for row in rows).encode())
    assert "rosebud-42-alpha" not in draft(begin(source, shelf, apart=apart)).text
    assert kept_files(tmp_path) == []


def test_a_short_session_is_not_worth_keeping(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(lines_of_claude(40))
    shelf = Shelf(str(tmp_path / "shelf"))
    draft(Source("claude-code", str(path), reader("claude-code").read(str(path))), shelf=shelf)
    assert kept_files(tmp_path) == []


def test_only_the_latest_indexes_are_kept(tmp_path: Path) -> None:
    kept = Indexes(str(tmp_path / "shelf"))
    for number in range(MOST + 3):
        before = set(kept_files(tmp_path))
        kept.put(f"session {number}", f"{number}".encode())
        for new in set(kept_files(tmp_path)) - before:
            os.utime(new, (number, number))
    assert len(kept_files(tmp_path)) == 2 * MOST
    assert kept.get("session 0") is None


def test_an_agent_whose_reader_cannot_go_on_is_read_whole(tmp_path: Path) -> None:
    fixture = next((TESTS / "fixtures" / "agents" / "gemini-cli").rglob("input.json*"))
    source = Source("gemini-cli", str(fixture), reader("gemini-cli").read(str(fixture)))
    assert draft(source, "go on", shelf=shelf_in(tmp_path)) == from_scratch("gemini-cli", fixture)
    assert kept_files(tmp_path) == []


def test_packets_of_earlier_handoffs_are_carried_without_a_shelf(tmp_path: Path) -> None:
    path, shelf = tmp_path / "s.jsonl", shelf_in(tmp_path)
    path.write_bytes(lines_of_claude(40))
    packet = from_scratch("claude-code", path).text
    source = Source("claude-code", str(path), reader("claude-code").read(str(path)))
    assert indexes.index_of(begin(source, shelf), indexes.Redactor(), (packet,)).lineage != ()
    assert kept_files(tmp_path) == []


def test_an_index_that_other_code_kept_is_not_gone_on_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, bytes_read: list[int]
) -> None:
    path, shelf = tmp_path / "s.jsonl", shelf_in(tmp_path)
    path.write_bytes(lines_of_claude(5000))
    resumed("claude-code", path, shelf)
    bytes_read.clear()
    monkeypatch.setattr(readings, "_written_by", lambda: "other code")
    resumed("claude-code", path, shelf)
    assert sum(bytes_read) > path.stat().st_size


def test_a_fork_of_a_pi_session_after_the_mark_is_read_from_the_start(tmp_path: Path) -> None:
    path, shelf = tmp_path / "s.jsonl", shelf_in(tmp_path, tail=600)

    def record(id: str, parent: str | None, text: str) -> str:
        message = {"role": "user", "content": text}
        return json.dumps({"type": "message", "id": id, "parentId": parent, "message": message}) + "\n"

    head = json.dumps({"type": "session", "version": 3, "id": "s", "cwd": "/w"}) + "\n"
    trunk = [record(f"r{n}", f"r{n - 1}" if n else None, f"Do part {n}.") for n in range(30)]
    path.write_text(head + "".join(trunk))
    resumed("pi", path, shelf)
    assert len(kept_files(tmp_path)) == 2
    path.write_text(path.read_text() + record("fork", "r3", "Begin anew."))
    again = resumed("pi", path, shelf)
    assert again == from_scratch("pi", path)
    assert again.index.source.turns == 5

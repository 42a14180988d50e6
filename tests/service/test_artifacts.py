"""What is stored as an artifact holds no secret, whatever its encoding and size, and the answer says what was done."""

from __future__ import annotations

from pathlib import Path

import pytest

from segue.service import artifacts
from segue.service.workspace import Workspace

SECRET = "hunter2-Kr4ken"
LINE = f"DB_PASSWORD={SECRET}\nPORT=5432 # Größe\n"
CLEAN = LINE.replace(SECRET, "[redacted:assignment]")


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(str(tmp_path))


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "latin-1", "cp1252", "utf-16", "utf-32"])
def test_a_text_is_redacted_in_its_own_encoding(workspace: Workspace, encoding: str) -> None:
    stored = artifacts.put(workspace, LINE.encode(encoding))
    assert artifacts.get(workspace, stored["artifact_id"]) == CLEAN.encode(encoding)
    assert stored["redacted"] and stored["redactions"]["total"] == 1


@pytest.mark.parametrize("mark, encoding", [(b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le")])
def test_a_text_of_two_bytes_for_each_character_may_end_with_half_of_one(
    workspace: Workspace, mark: bytes, encoding: str
) -> None:
    stored = artifacts.put(workspace, mark + LINE.encode(encoding) + b"x")
    assert SECRET.encode(encoding) not in artifacts.get(workspace, stored["artifact_id"])


def test_one_stray_byte_keeps_nothing_from_being_redacted(workspace: Workspace) -> None:
    stored = artifacts.put(workspace, b"caf\xe9\n" + LINE.encode())
    assert artifacts.get(workspace, stored["artifact_id"]) == b"caf\xe9\n" + CLEAN.encode()


def test_a_text_of_many_megabytes_is_redacted_to_its_end(workspace: Workspace) -> None:
    filling = b"." * 99 + b"\n"
    stored = artifacts.put(workspace, filling * 700_000 + LINE.encode())
    end = artifacts.get(workspace, stored["artifact_id"], offset=70_000_000)
    assert (end, stored["redacted"]) == (CLEAN.encode(), True)


def test_what_is_no_text_is_stored_as_it_is_and_told_so(workspace: Workspace) -> None:
    data = b"\x7fELF\0\0" + LINE.encode()
    stored = artifacts.put(workspace, data)
    assert artifacts.get(workspace, stored["artifact_id"]) == data
    assert (stored["redacted"], "redactions" in stored) == (False, False)


def test_what_is_wanted_as_it_is_is_told_so(workspace: Workspace) -> None:
    stored = artifacts.put(workspace, LINE.encode(), verbatim=True)
    assert artifacts.get(workspace, stored["artifact_id"]) == LINE.encode()
    assert not stored["redacted"]


def test_a_channel_reads_a_text_of_any_encoding(workspace: Workspace) -> None:
    stored = artifacts.put(workspace, LINE.encode("utf-16"))
    assert artifacts.text_for(workspace, stored["artifact_id"]).lstrip("\ufeff") == CLEAN

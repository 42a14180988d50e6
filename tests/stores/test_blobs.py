"""Artifacts as files: what lies on disk, what damage looks like, and what failure leaves behind."""

from __future__ import annotations

import os
import random
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from segue.errors import Unavailable
from segue.model.wire import content_id
from segue.stores import blob_file, private_files
from segue.stores.blobs import Blobs

TEXT = b"a line that repeats itself\n" * 4000


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs(str(tmp_path / "artifacts"))


def stored(blobs: Blobs, data: bytes) -> Path:
    artifact_id, _ = blobs.put(data)
    return Path(blobs.folder) / artifact_id


def test_reading_makes_no_folder(blobs: Blobs) -> None:
    assert list(blobs.ids()) == list(blobs.verify()) == []
    assert not Path(blobs.folder).exists()


def test_files_are_for_the_owner_alone_even_under_a_generous_umask(blobs: Blobs) -> None:
    before = os.umask(0)
    try:
        path = stored(blobs, b"secret")
    finally:
        os.umask(before)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [stat.S_IMODE(folder.stat().st_mode) for folder in list(path.parents)[:2]] == [0o700, 0o700]


def test_a_small_blob_is_its_header_and_its_bytes(blobs: Blobs) -> None:
    path = stored(blobs, b"hello")
    assert path.read_bytes() == b"SGB1" + (5).to_bytes(8, "big") + (5).to_bytes(4, "big") + b"hello"


def test_text_is_compressed_and_noise_is_not(blobs: Blobs) -> None:
    noise = random.Random(1).randbytes(100_000)
    assert stored(blobs, TEXT).stat().st_size < len(TEXT) / 10
    assert stored(blobs, noise).stat().st_size == len(noise) + 16


def test_small_blobs_are_stored_and_read_without_importing_the_codec() -> None:
    script = """
import sys, tempfile
from segue.stores.blobs import Blobs
with tempfile.TemporaryDirectory() as folder:
    blobs = Blobs(folder)
    blobs.get(blobs.put(b"x" * 16_000)[0])
print("zstandard" in sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


def test_a_second_put_of_the_same_bytes_writes_nothing(blobs: Blobs) -> None:
    path = stored(blobs, TEXT)
    before = path.stat()
    stored(blobs, TEXT)
    blobs.put([TEXT[:100], TEXT[100:]])
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert os.listdir(blobs.folder) == [path.name]


def test_the_file_is_synced_before_it_gets_its_name_and_the_folder_after(
    blobs: Blobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    Path(blobs.folder).mkdir(parents=True)
    steps: list[str] = []
    fsync, replace = os.fsync, os.replace

    def synced(file: int) -> None:
        steps.append("sync folder" if stat.S_ISDIR(os.fstat(file).st_mode) else "sync file")
        fsync(file)

    def replaced(source: str, target: str) -> None:
        steps.append("rename")
        replace(source, target)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(os, "replace", replaced)
    blobs.put(TEXT)
    assert steps == ["sync file", "rename", "sync folder"]
    blobs.put(TEXT)
    assert steps[3:] == ["sync folder"]


def flipped(data: bytes) -> bytes:
    return data[:-1] + bytes([data[-1] ^ 1])


DAMAGES = {
    "a flipped bit": flipped,
    "no header": lambda data: data[12:],
    "another header": lambda data: b"XXXX" + data[4:],
    "cut short": lambda data: data[:-5],
    "nothing but a header": lambda data: data[:12],
    "half a header": lambda data: data[:7],
    "empty": lambda data: b"",
    "a smaller size": lambda data: data[:4] + (3).to_bytes(8, "big") + data[12:],
    "a larger size": lambda data: data[:4] + (1 << 60).to_bytes(8, "big") + data[12:],
    "a block without end": lambda data: data[:12] + b"\x7f\xff\xff\xff" + data[16:],
    "a codec where there is none": lambda data: data[:12] + bytes([data[12] ^ 0x80]) + data[13:],
}


@pytest.mark.parametrize("content", [b"a short text", TEXT], ids=["stored", "compressed"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_an_altered_blob_is_never_handed_out_whole_and_always_found(
    blobs: Blobs, damage: str, content: bytes
) -> None:
    path = stored(blobs, content)
    path.write_bytes(DAMAGES[damage](path.read_bytes()))
    with pytest.raises(Unavailable) as caught:
        blobs.get(path.name)
    assert caught.value.code == "damaged"
    assert caught.value.hint
    (finding,) = blobs.verify()
    assert (finding.kind, finding.where) == ("damaged", path.name)


def test_a_range_of_a_block_that_is_not_as_long_as_it_should_be_is_refused(blobs: Blobs) -> None:
    path = stored(blobs, TEXT)
    path.write_bytes(DAMAGES["a codec where there is none"](path.read_bytes()))
    with pytest.raises(Unavailable, match="another length"):
        blobs.get(path.name, 1, 10)


def declaring(size: int) -> bytes:
    """A zstd frame that tells a size and holds it: one byte, repeated in blocks of 128 KiB."""
    piece = 128 * 1024
    blocks = [
        ((piece << 3 | 1 << 1 | (at + piece >= size)).to_bytes(3, "little") + b"x")
        for at in range(0, size, piece)
    ]
    return b"\x28\xb5\x2f\xfd\xc0\x50" + size.to_bytes(8, "little") + b"".join(blocks)


def test_a_block_that_declares_gigabytes_is_refused_before_it_is_inflated(tmp_path: Path) -> None:
    frame = declaring(6 * 1024**3)
    path = tmp_path / ("0" * 64)
    path.write_bytes(
        b"SGB1" + blob_file.BLOCK.to_bytes(8, "big") + (1 << 31 | len(frame)).to_bytes(4, "big") + frame
    )
    script = """
import resource, sys
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
from segue.stores import blob_file, blob_rules
with open(sys.argv[1], "rb") as file:
    print(blob_rules.fault_in(file, "0" * 64))
"""
    run = subprocess.run([sys.executable, "-c", script, path], capture_output=True, text=True, check=True)
    assert run.stdout == "a block is larger than blocks are\n"


@pytest.mark.parametrize("damage", DAMAGES)
def test_putting_the_bytes_again_mends_a_damaged_blob(blobs: Blobs, damage: str) -> None:
    for again in (TEXT, [TEXT[:100], TEXT[100:]]):
        path = stored(blobs, TEXT)
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
        blobs.put(again)
        assert blobs.get(path.name) == TEXT
        assert list(blobs.verify()) == []


def test_bytes_after_the_end_are_found(blobs: Blobs) -> None:
    path = stored(blobs, TEXT)
    path.write_bytes(path.read_bytes() + b"more")
    assert [finding.kind for finding in blobs.verify()] == ["damaged"]


def test_a_blob_under_a_wrong_name_is_found(blobs: Blobs) -> None:
    path = stored(blobs, TEXT)
    wrong = path.with_name(content_id(b"something else"))
    path.rename(wrong)
    assert [(finding.kind, finding.where) for finding in blobs.verify()] == [("damaged", wrong.name)]
    with pytest.raises(Unavailable, match="do not hash to its name"):
        blobs.get(wrong.name)


def test_a_damaged_blob_does_not_hide_the_others(blobs: Blobs) -> None:
    path, other = stored(blobs, TEXT), stored(blobs, b"other")
    path.write_bytes(b"")
    assert [artifact_id for artifact_id, _ in blobs.ids()] == [other.name]
    assert blobs.resolve(path.name) == path.name


def test_foreign_files_are_no_artifacts_and_are_found(blobs: Blobs) -> None:
    path = stored(blobs, TEXT)
    path.with_name("notes.txt").write_text("mine", encoding="utf-8")
    assert [artifact_id for artifact_id, _ in blobs.ids()] == [path.name]
    assert [(finding.kind, finding.where) for finding in blobs.verify()] == [("foreign", "notes.txt")]


def test_what_a_crash_left_is_found_but_not_what_is_being_written(blobs: Blobs) -> None:
    during: list[list[str]] = []

    def pieces() -> Iterator[bytes]:
        yield b"the first half"
        during.append([finding.kind for finding in blobs.verify()])

    blobs.put(pieces())
    left = Path(blobs.folder) / ".partial-0"
    left.write_bytes(b"half of something")
    assert during == [[]]
    assert [(finding.kind, finding.where) for finding in blobs.verify()] == [("leftover", left.name)]
    assert len(list(blobs.ids())) == 1


def test_a_full_disk_gives_a_sentence_and_leaves_nothing(tmp_path: Path) -> None:
    script = """
import os, random, resource, sys
from segue.errors import Unavailable
from segue.stores.blobs import Blobs
blobs = Blobs(sys.argv[1])
blobs.put(b"before")
resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))
try:
    blobs.put(random.Random(1).randbytes(3_000_000))
except Unavailable as fault:
    print(fault.exit_code, fault.code, fault.message, fault.hint)
print(len(os.listdir(blobs.folder)), list(blobs.verify()))
"""
    run = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, check=True
    )
    sentence, rest = run.stdout.splitlines()
    assert sentence.startswith("5 full The file may not grow any further")
    assert rest == "1 []"


def test_a_folder_that_is_a_file_gives_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "blobs").write_text("in the way", encoding="utf-8")
    blobs = Blobs(str(tmp_path))
    for act in (lambda: blobs.put(b"x"), lambda: blobs.get(content_id(b"x")), lambda: list(blobs.ids())):
        with pytest.raises(Unavailable) as caught:
            act()
        assert caught.value.hint


def test_a_range_read_decodes_only_the_blocks_it_touches(
    blobs: Blobs, monkeypatch: pytest.MonkeyPatch
) -> None:
    artifact_id, _ = blobs.put(b"x" * (8 * blob_file.BLOCK))
    decoded: list[int] = []
    block = blob_file._block
    monkeypatch.setattr(blob_file, "_block", lambda file, word: decoded.append(1) or block(file, word))
    assert blobs.get(artifact_id, 5 * blob_file.BLOCK - 3, 6) == b"x" * 6
    assert len(decoded) == 2


def test_every_fault_of_the_operating_system_has_a_sentence_and_a_hint() -> None:
    for number in (*private_files._FAULTS, 5):
        fault = private_files.disk_fault(OSError(number, os.strerror(number)), "/some/where")
        assert "/some/where" in fault.message
        assert fault.message.endswith(".")
        assert fault.hint

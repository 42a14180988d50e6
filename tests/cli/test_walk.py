"""The walk on the command line, exactly as a person sees it, with ids and times made stable."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ..conftest import Golden

GOLDEN = Path(__file__).parent.parent / "golden" / "walk.txt"
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
DIGEST = re.compile(r"\b[0-9a-f]{64}\b")

WALK = """
thread list
thread ensure
thread post default --content "Add retries to the uploader. Never retry on 4xx."
thread post default --role assistant --content "Done: exponential backoff." --run run-1 --run-ended completed
thread post default --content "Make the delay configurable."
thread branch default --title "Try a token bucket" --from-seq 1
thread handoff default --title "Configurable delay" --goal "make the delay configurable" --summary-markdown "Retries work; never on 4xx." --ref-file uploader.py
thread list
thread lineage default
thread lineage --graph
thread compile {handoff} --budget 500
thread compile {branch} --json
thread compile {handoff} --audit
thread tag default --add uploader
thread rename default "Uploader retries"
thread search delay
thread cut-points default --stride 2
thread checkpoint default --auto --stride 2
thread checkpoint default --summary-markdown "By hand."
thread reference {branch} default@2 --note "the original talk"
thread archive {branch}
thread list --all
thread events default --max-events 2
artifact put uploader.py
artifact verify
status
verify
doctor
rebuild
thread show 01234567-89ab-7def-8123-456789abcdef
thread branch default --from-seq 99
thread branch default --from-seq 1 --from-message-id x
thread post default
frobnicate
thread branch default --from-seq 99 --json
"""


def stable(text: str, names: dict[str, str], root: str) -> str:
    """The text with every id replaced by a name in order of appearance, and every time by a word."""
    for pattern, word in ((UUID, "id"), (DIGEST, "sha")):
        text = pattern.sub(lambda m, w=word: names.setdefault(m[0], f"<{w}-{len(names) + 1}>"), text)
    text = re.sub(r"\b(?<=bundle_ref )[0-9a-f]{12}\b", "<short>", text)
    text = text.replace(root, "<root>")
    text = re.sub(r"\d{4}-\d\d-\d\d \d\d:\d\d(:\d\d)?", "<time>", text)
    text = re.sub(r'"timestamp_ms":\s*\d+', '"timestamp_ms":<ms>', text)
    text = re.sub(r"Python 3\.\d+\.\d+", "Python <version>", text)
    return re.sub(r"SQLite 3\.\d+\.\d+", "SQLite <version>", text)


def walked(segue: Callable[..., Any], root: Path) -> str:
    """What a person sees who takes the walk in `root`."""
    (root / "uploader.py").write_text("def upload(data): ...\n")
    names: dict[str, str] = {}
    known: dict[str, str] = {}
    lines: list[str] = []
    for command in WALK.strip().splitlines():
        ran = segue(*shlex.split(command.format(**known) if "{" in command else command))
        for verb in ("branch", "handoff"):
            if command.startswith(f"thread {verb} ") and ran.code == 0:
                known[verb] = ran.out.split()[0]
        shown = stable(f"$ segue {command}\n{ran.out}{ran.err}", names, str(root))
        lines += [shown.rstrip("\n"), f"→ {ran.code}", ""]
    return "\n".join(lines)


def test_the_walk_reads_as_it_always_did(segue: Callable[..., Any], tmp_path: Path, golden: Golden) -> None:
    golden(GOLDEN, walked(segue, tmp_path))

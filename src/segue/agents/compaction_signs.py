"""What a compaction leaves in a transcript, for hosts whose hooks announce none."""

from __future__ import annotations

SIGNS: dict[str, tuple[bytes, ...]] = {
    "claude-code": (b'"compact_boundary"',),
    "codex": (b'"type":"compacted"', b'"type": "compacted"'),
    "gemini-cli": (b'{"$set":{"messages"', b'{"$set": {"messages"'),
    "copilot-cli": (b"session.compaction_complete",),
}

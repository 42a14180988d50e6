"""Whose words a user or developer message holds.

Codex sends its own text in the user's name: instructions, the environment, notices of aborted
turns and finished sub-agents. Newer versions label each piece; in older ones the opening tells.
"""

from __future__ import annotations

import re

PERSON = ""
"""The `via` of a piece that no label and no opening gives to the program."""

_LABELS = (
    ("user.", PERSON),
    ("hooks.", "hook"),
    ("environments.", "environment"),
    ("agents_md.", "instructions"),
)
_OPENINGS = (
    ("<environment_context", "environment"),
    ("# AGENTS.md instructions", "instructions"),
    ("<user_instructions", "instructions"),
    ("<permissions instructions", "instructions"),
    ("<collaboration_mode", "instructions"),
    ("<multi_agent_mode", "instructions"),
    ("<personality_spec", "instructions"),
    ("<app-context", "environment"),
    ("<apps_instructions", "instructions"),
    ("<plugins_instructions", "instructions"),
    ("<recommended_plugins", "reminder"),
    ("<skills_instructions", "skill"),
    ("<skill", "skill"),
    ("<hook_prompt", "hook"),
    ("<turn_aborted", "notification"),
    ("<subagent_notification", "notification"),
    ("<user_action", "notification"),
    ("<model_switch", "notification"),
    ("<heartbeat", "notification"),
    ("<user_shell_command", "output"),
    ("Another language model started to solve this problem", "summary"),
)
_IMAGE = re.compile(r"</?image\b[^>]*>")
_WRAPPING = 400
"""Characters in which the wrapping of a picture ends."""
_REQUEST = re.compile(r"^## My request for Codex:\s*", re.M)


def via(text: str, label: str, role: str) -> str:
    """The channel of a piece of a message, PERSON if it is the person's own."""
    for start, channel in _LABELS:
        if label.startswith(start):
            return channel
    if "skill" in label:
        return "skill"
    for opening, channel in _OPENINGS:
        if text.startswith(opening):
            return channel
    return "instructions" if role != "user" else PERSON


def is_picture(text: str) -> bool:
    """Whether the text is only the wrapping of a picture."""
    return text.startswith(("<image", "</image")) and not _IMAGE.sub("", text[:_WRAPPING]).strip()


def request(prompt: str) -> tuple[str, str]:
    """What the editor put before a prompt (open files, selections), and the prompt itself."""
    parts = _REQUEST.split(prompt, maxsplit=1)
    return (parts[0].strip(), parts[1]) if len(parts) == 2 else ("", prompt)

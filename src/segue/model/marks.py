"""Marks by which segue knows its own traces again in what agents record and run."""

from __future__ import annotations

SUMMARISER = "[segue: a text to be written, not a session to go on with]"
"""The beginning of every prompt that segue gives to a model. A session that a model command leaves behind starts with
it, so no list offers that session as somebody's work."""

SERVER = "segue"
"""The name of our MCP server in every host."""
DRAFTING = " draft write FILE"
"""What the text of every command and skill of ours holds, filled in or not."""

INSIDE = "SEGUE_INSIDE"
"""The variable, set to 1, in the environment of every model command: hooks that see it do nothing."""

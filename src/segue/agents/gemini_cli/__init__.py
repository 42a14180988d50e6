"""Gemini CLI: its sessions (`reader`) and what it takes to be inside it (`host`)."""

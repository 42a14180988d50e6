"""Prompts are files, not strings."""

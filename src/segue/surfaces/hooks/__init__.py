"""Hooks inside agents: one small program, one dialect per host. It fails open, always."""

"""Thinking about threads: where to cut, what links to what, what a run should start with. Pure functions."""

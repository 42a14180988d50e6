"""Thinking about boundaries: when to warn, what to replay, into whom, and what to keep in a window."""

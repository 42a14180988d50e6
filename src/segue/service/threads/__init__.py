"""Threads in the log: made, written to, related, handed off with a bundle, compiled into context."""

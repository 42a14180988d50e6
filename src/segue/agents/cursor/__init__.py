"""Cursor: its sessions (`reader`) and how a program knows that it runs inside it (`host`)."""

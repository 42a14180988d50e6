"""segue hands work from one agent session to the next without losing the thread."""

__version__ = "0.1.0"

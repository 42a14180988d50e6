"""segue hands work from one agent session to the next without losing the thread."""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers know it, without the import of typing
if TYPE_CHECKING:
    from segue.sdk.client import Client as Client

__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """`segue.Client`, imported when it is asked for: the command line starts without it."""
    if name == "Client":
        from segue.sdk.client import Client

        return Client
    raise AttributeError(f"module 'segue' has no attribute {name!r}")

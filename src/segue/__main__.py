"""The door: `segue …` and `python -m segue …`."""

from __future__ import annotations

import sys

_TO_TAKE_APART = ("apsw", "atexit")
"""Modules whose presence says that something still wants to be closed: a store, a folder to be removed."""
_OBJECTS = 50_000
"""How many more objects there must be before they are searched for cycles: hardly any are made, and to look at those of
the imports after every 700 takes 5 ms of a draft."""


def main() -> int:
    """Hooks first: they run inside other people's agents and must cost next to nothing."""
    if sys.argv[1:2] == ["hook"]:
        from segue.surfaces.hooks.entry import main as hook

        return hook(sys.argv[2:])
    import gc  # an idle hook needs none of it

    gc.set_threshold(_OBJECTS)
    from segue.surfaces.cli.app import run

    return run(sys.argv[1:])


def command() -> None:
    """Runs as a process of its own. Where nothing is left to be closed, it ends without freeing every object
    first: that would take 1 ms of the 8 ms of a hook, which runs at every tool call, and 18 ms after a draft."""
    code = main()
    if not any(module in sys.modules for module in _TO_TAKE_APART):
        _leave(code)
    sys.exit(code)


def _leave(code: int) -> None:
    """Ends the process, unless its last words cannot be written: the interpreter knows how to say that."""
    import os

    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return
    os._exit(code)


if __name__ == "__main__":
    command()

"""The door: `segue …` and `python -m segue …`."""

from __future__ import annotations

import sys


def main() -> int:
    """Hooks first: they run inside other people's agents and must cost next to nothing."""
    if sys.argv[1:2] == ["hook"]:
        from segue.surfaces.hooks.entry import main as hook

        return hook(sys.argv[2:])
    from segue.surfaces.cli.app import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())

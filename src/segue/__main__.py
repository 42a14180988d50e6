"""The door: `segue …` and `python -m segue …`."""

from __future__ import annotations

import sys


def main() -> int:
    from segue.surfaces.cli.app import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())

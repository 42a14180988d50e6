"""Runs every benchmark, or those named: `python benchmarks [NAME …]`. Exit 1 when a target is missed."""

from __future__ import annotations

import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NOT_BENCHMARKS = {"__main__", "measure"}


def main(wanted: list[str]) -> int:
    names = sorted(
        os.path.splitext(os.path.basename(path))[0] for path in glob.glob(os.path.join(HERE, "*.py"))
    )
    names = [name for name in names if name not in NOT_BENCHMARKS]
    unknown = set(wanted) - set(names)
    if unknown:
        print(
            f"There is no benchmark {', '.join(sorted(unknown))}. Known: {', '.join(names)}.", file=sys.stderr
        )
        return 2
    codes = [
        subprocess.run([sys.executable, os.path.join(HERE, f"{name}.py")], check=False).returncode
        for name in wanted or names
    ]
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

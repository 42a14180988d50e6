"""Runs every benchmark, or those named: `python benchmarks [NAME …]`. Exit 1 when a target is missed."""

from __future__ import annotations

import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
NOT_BENCHMARKS = {"__main__", "measure"}


def main(wanted: list[str]) -> int:
    found = {
        os.path.splitext(os.path.basename(path))[0]: path for path in glob.glob(os.path.join(HERE, "*.py"))
    }
    found |= {
        os.path.basename(os.path.dirname(p)): os.path.dirname(p)
        for p in glob.glob(os.path.join(HERE, "*", "__main__.py"))
    }
    names = sorted(found.keys() - NOT_BENCHMARKS)
    unknown = set(wanted) - set(names)
    if unknown:
        print(
            f"There is no benchmark {', '.join(sorted(unknown))}. Known: {', '.join(names)}.", file=sys.stderr
        )
        return 2
    codes = [
        subprocess.run([sys.executable, found[name]], check=False).returncode for name in wanted or names
    ]
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Runs every benchmark, or those named: `python benchmarks [NAME …] [OPTION …]`.

Options go to the benchmarks named, as in `python benchmarks continuity --frames 100000`. All of them take
`--smallest`, which shows that they run and judges nothing. Exit 1 when a target is missed.
"""

from __future__ import annotations

import compileall
import glob
import os
import subprocess
import sys
from itertools import takewhile

HERE = os.path.dirname(os.path.abspath(__file__))
NOT_BENCHMARKS = {"__main__", "measure"}


def main(arguments: list[str]) -> int:
    named = list(takewhile(lambda argument: not argument.startswith("-"), arguments))
    options = arguments[len(named) :]
    found = {
        os.path.splitext(os.path.basename(path))[0]: path for path in glob.glob(os.path.join(HERE, "*.py"))
    }
    found |= {
        os.path.basename(os.path.dirname(p)): os.path.dirname(p)
        for p in glob.glob(os.path.join(HERE, "*", "__main__.py"))
    }
    names = sorted(found.keys() - NOT_BENCHMARKS)
    unknown = set(named) - set(names)
    if unknown:
        print(
            f"There is no benchmark {', '.join(sorted(unknown))}. Known: {', '.join(names)}.", file=sys.stderr
        )
        return 2
    if options not in ([], ["--smallest"]) and not named:
        print(f"Name the benchmarks that {options[0]} is for: {', '.join(names)}.", file=sys.stderr)
        return 2
    # As an installation has it; where PYTHONDONTWRITEBYTECODE is set, edited modules would be compiled at every start.
    compileall.compile_dir(os.path.join(os.path.dirname(HERE), "src"), quiet=2)
    codes = [
        subprocess.run([sys.executable, found[name], *options], check=False).returncode
        for name in named or names
    ]
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

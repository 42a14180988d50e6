"""What is shown of the demo is what the demo prints."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

README = Path(__file__).parents[2] / "README.md"


def test_the_packet_of_the_readme_is_the_demo_s(segue: Callable[..., Any]) -> None:
    shown = re.search(r"## A real packet\n.*?```markdown\n(.*?)```", README.read_text(), re.S)
    assert shown is not None
    printed = segue("demo", "--json").json["packet"].splitlines()
    for line in filter(None, shown[1].splitlines()):
        pattern = ".*".join(map(re.escape, line.split("…")))
        assert any(re.fullmatch(pattern, told) for told in printed), line

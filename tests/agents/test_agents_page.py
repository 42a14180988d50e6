"""The page about agents says what the readers say."""

from __future__ import annotations

import importlib.util
from pathlib import Path

GENERATOR = Path(__file__).parent.parent.parent / "docs" / "generate_agents.py"


def test_the_page_is_what_the_docstrings_give() -> None:
    spec = importlib.util.spec_from_file_location("generate_agents", GENERATOR)
    assert spec and spec.loader
    generator = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generator)
    assert generator.PAGE.read_text("utf-8") == generator.page(), "run: python docs/generate_agents.py"

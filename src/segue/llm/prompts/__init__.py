"""What models are asked, as files."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any


def system() -> str:
    """What a model is told about itself where the caller says nothing else."""
    return _read("system.md")


def by_schema(schema: Mapping[str, Any]) -> str:
    """The words that ask for JSON where a provider cannot be made to give it."""
    return _read("schema.md").replace("@SCHEMA@", json.dumps(schema))


def joined(system: str, prompt: str, schema: Mapping[str, Any] | None) -> str:
    """All of a request in one text, for a provider that takes nothing else."""
    return "\n\n".join(filter(None, (system, prompt, by_schema(schema) if schema is not None else "")))


def _read(name: str) -> str:
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read().strip()

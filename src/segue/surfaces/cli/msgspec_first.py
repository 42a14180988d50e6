"""Imports msgspec without what it would bring along.

Where another package has installed `typing_extensions`, msgspec imports it, 15 ms, for what the `typing` of every
Python that segue runs on has too. A module that is None counts as not installed; it is None only for that import.
"""

from __future__ import annotations

import importlib
import sys

_UNNEEDED = "typing_extensions"


def import_msgspec() -> None:
    """To be called before anything imports msgspec; does nothing where that has happened."""
    if "msgspec" in sys.modules or _UNNEEDED in sys.modules:
        return
    sys.modules[_UNNEEDED] = None  # type: ignore[assignment]
    try:
        importlib.import_module("msgspec")
    finally:
        del sys.modules[_UNNEEDED]

"""Names to modules, as strings: a workspace imports only the stores it uses.

A store is named by a word or by the scheme of an address (`sqlite`, `postgresql://…`). Its module
has `open_log(spec, folder, wait)` or `open_artifacts(spec, folder)`; a store that is a service ignores
the folder.
"""

from __future__ import annotations

import importlib

from segue.errors import BadInput, Unavailable
from segue.stores.contract import Artifacts, Log

TYPE_CHECKING = False

if TYPE_CHECKING:
    from types import ModuleType

LOGS: dict[str, str] = {
    "sqlite": "segue.stores.sqlite",
    "postgresql": "segue.stores.postgres",
    "memory": "segue.stores.memory",
}
ARTIFACTS: dict[str, str] = {
    "files": "segue.stores.blobs",
    "memory": "segue.stores.memory",
    "s3": "segue.stores.s3",
}
FORGETFUL = "memory"
"""For tests: gone with the process, so no workspace that should last is moved there."""
EXTRAS: dict[str, str] = {"postgresql": "pg", "s3": "s3"}
"""What to install for a store that needs more than a plain installation has."""


def open_log(spec: str, folder: str, wait: float = 10.0) -> Log:
    """The log in `folder`, or where `spec` points; writers wait so many seconds for their turn. Raises
    BadInput for a store nobody has."""
    log: Log = _module(LOGS, spec).open_log(spec, folder, wait)
    return log


def open_artifacts(spec: str, folder: str) -> Artifacts:
    """The artifacts in `folder`, or where `spec` points. Raises BadInput for a store nobody has."""
    artifacts: Artifacts = _module(ARTIFACTS, spec).open_artifacts(spec, folder)
    return artifacts


def is_forgetful(spec: str) -> bool:
    return _name(spec) == FORGETFUL


def _name(spec: str) -> str:
    return spec.partition("://")[0]


def _module(table: dict[str, str], spec: str) -> ModuleType:
    """The module of a store. An address may hold a password, so nothing but its scheme is ever said."""
    name = _name(spec)
    if name not in table:
        said = repr(name) if name.isalnum() and len(name) <= 40 else "what is named there"
        known = ", ".join(one for one in table if one != FORGETFUL)
        raise BadInput(f"There is no store called {said}.", f"Known: {known}.")
    try:
        return importlib.import_module(table[name])
    except ModuleNotFoundError as missing:
        raise Unavailable(
            f"The store {name} needs {missing.name}, which is not installed.",
            f"pip install 'segue[{EXTRAS.get(name, 'all')}]'",
        ) from None

"""The workspace: a `.segue/` folder, found from where one stands, and the stores inside it.

Reading creates nothing. The first write makes the folder beside the nearest `.git`, or right here.
Everything in it is private: folders 0700, files 0600, and a `.gitignore` that covers all of it.
"""

from __future__ import annotations

import _thread
import json
import os
from typing import TYPE_CHECKING, Any

from segue.errors import BadInput, NotFound, Unavailable

if TYPE_CHECKING:
    from collections.abc import Callable

    from segue.service.config import Config
    from segue.stores.catalog import Catalog
    from segue.stores.contract import Artifacts, Log

FOLDER = ".segue"
FORMAT = 1
DEFAULTS = {"format": FORMAT, "store": "sqlite", "artifacts": "files"}


class Workspace:
    """An open workspace. Stores are opened when first asked for."""

    def __init__(
        self,
        root: str,
        lock_wait_s: float | None = None,
        wrapped: Callable[[Log], Log] = lambda log: log,
    ) -> None:
        self.root = root
        self._wrapped = wrapped
        """What the log is seen through, where many threads share it."""
        self._lock_wait_s = lock_wait_s
        """How long a writer waits for its turn, where the settings' patience is not the caller's."""
        self.folder = os.path.join(root, FOLDER)
        self._settings: dict[str, Any] | None = None
        self._log: Log | None = None
        self._artifacts: Artifacts | None = None
        self._catalog: Catalog | None = None
        self._config: Config | None = None

    @property
    def exists(self) -> bool:
        if os.path.isdir(self.folder):
            return True
        if os.path.lexists(self.folder):
            raise Unavailable(
                f"{self.folder} is not a folder, so there can be no workspace here.",
                "Move it away, or choose another directory with --workspace.",
            )
        return False

    @property
    def settings(self) -> dict[str, Any]:
        """`workspace.json`: what kind of stores this workspace has."""
        if self._settings is None:
            self._settings = _read_settings(os.path.join(self.folder, "workspace.json"))
        return self._settings

    @property
    def log(self) -> Log:
        if self._log is None:
            from segue.stores.registry import open_log

            self._require_log()
            self._log = self._wrapped(open_log(self.settings["store"], self.folder, self._patience()))
        return self._log

    def _require_log(self) -> None:
        """Raises Unavailable when the log was here and is gone: to begin another one would hide the loss."""
        if self.settings["store"] != DEFAULTS["store"] or os.path.exists(os.path.join(self.folder, "log.db")):
            return
        from segue.service import catalogs

        if catalogs.remembers_a_log(self.folder):
            raise Unavailable(
                f"The log of this workspace, {os.path.join(self.folder, 'log.db')}, is gone.",
                f"Restore it from a backup, or delete {catalogs.NAME} beside it to begin anew.",
                "log_missing",
            )

    def _patience(self) -> float:
        given: float = self.config["store.lock_wait_s"]
        return given if self._lock_wait_s is None else min(given, self._lock_wait_s)

    @property
    def artifacts(self) -> Artifacts:
        if self._artifacts is None:
            from segue.stores.registry import open_artifacts

            self._artifacts = open_artifacts(
                self.settings["artifacts"], os.path.join(self.folder, "artifacts")
            )
        return self._artifacts

    @property
    def catalog(self) -> Catalog:
        """The catalog, caught up with the log."""
        from segue.service import catalogs

        if self._catalog is None:
            self._catalog = catalogs.open_catalog(self.folder if self.exists else None)
        catalogs.catch_up(self.log, self._catalog)
        return self._catalog

    @property
    def config(self) -> Config:
        if self._config is None:
            from segue.service.config import load

            self._config = load(self.folder)
        return self._config

    def establish(self, **kinds: str) -> Workspace:
        """Makes the folder if it is not there; call before the first write. `kinds` names stores other than
        the built-in ones."""
        _require_utf8(self.folder)
        if not self.exists or not os.path.isfile(os.path.join(self.folder, "workspace.json")):
            try:
                os.makedirs(self.folder, mode=0o700, exist_ok=True)
                write_private(os.path.join(self.folder, ".gitignore"), b"*\n")
                body = json.dumps({**DEFAULTS, **kinds}, indent=2) + "\n"
                write_private(os.path.join(self.folder, "workspace.json"), body.encode())
            except OSError as fault:
                raise Unavailable(
                    f"The workspace {self.folder} cannot be made: {fault.strerror}.",
                    "Choose a directory you may write to with --workspace.",
                ) from None
        return self

    def use(self, **stores: str) -> None:
        """Points the workspace at other stores, named by `store` and `artifacts`."""
        path = os.path.join(self.folder, "workspace.json")
        try:
            write_private(path, (json.dumps({**self.settings, **stores}, indent=2) + "\n").encode())
        except OSError as fault:
            raise Unavailable(
                f"{path} cannot be written: {fault.strerror}.",
                "Check the disk and the rights, then try again.",
            ) from None
        self.close()
        self._settings = self._artifacts = None

    def close(self) -> None:
        for store in (self._log, self._catalog):
            if store is not None:
                store.close()
        self._log = self._catalog = None


def find(start: str | None = None) -> Workspace:
    """The workspace for a directory: the nearest `.segue/` upwards, else the place of the nearest `.git`,
    else the directory itself. A directory inside a `.segue/` belongs to the workspace around it."""
    here = os.path.abspath(start or os.getcwd())
    if not os.path.isdir(here):
        raise NotFound(f"There is no directory {here}.", "Give an existing one with --workspace.")
    parts = here.split(os.sep)
    if FOLDER in parts:
        here = os.sep.join(parts[: parts.index(FOLDER)]) or os.sep
    upward = list(_upward(here))
    for mark in (FOLDER, ".git"):
        for place in upward:
            if os.path.exists(os.path.join(place, mark)):
                return Workspace(place)
    return Workspace(here)


def named(directory: str) -> Workspace:
    """The workspace in exactly this directory, as somebody who names it means it."""
    here = os.path.abspath(directory)
    if not os.path.isdir(here):
        raise NotFound(f"There is no directory {here}.", "Give an existing one with --workspace.")
    return Workspace(os.path.dirname(here) if os.path.basename(here) == FOLDER else here)


def enclosing(workspace: Workspace) -> str | None:
    """The root of a workspace around this one, if there is any."""
    for place in _upward(os.path.dirname(workspace.root)):
        if place != workspace.root and os.path.isdir(os.path.join(place, FOLDER)):
            return place
    return None


def write_private(path: str, data: bytes) -> None:
    """Replaces a small file atomically, readable by its owner alone."""
    scratch = f"{path}.{os.getpid()}-{_thread.get_ident()}.tmp"
    handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(scratch, path)
    except OSError:
        os.unlink(scratch)
        raise


def _require_utf8(folder: str) -> None:
    """Raises BadInput for a name that SQLite cannot open."""
    try:
        folder.encode()
    except UnicodeEncodeError:
        raise BadInput(
            f"No workspace can be kept in {folder!r}: the name is no UTF-8.",
            "Rename the directory, or choose another with --workspace.",
        ) from None


def _upward(place: str) -> list[str]:
    places = [place]
    while (above := os.path.dirname(places[-1])) != places[-1]:
        places.append(above)
    return places


def _read_settings(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            settings = json.load(file)
    except FileNotFoundError:
        return DEFAULTS
    except (OSError, ValueError) as fault:
        raise Unavailable(
            f"{path} cannot be read: {fault}.",
            "Restore it, or delete it to get the defaults (sqlite, files).",
        ) from None
    if not isinstance(settings, dict) or settings.get("format") != FORMAT:
        given = settings.get("format") if isinstance(settings, dict) else settings
        raise Unavailable(
            f"This workspace has format {given!r}; this version of segue knows format {FORMAT}.",
            "Upgrade segue, or choose another workspace with --workspace.",
            code="newer_format",
        )
    for name in ("store", "artifacts"):
        if not isinstance(settings.get(name, DEFAULTS[name]), str):
            raise BadInput(
                f"{path}: {name} must be a text.", f"Write {DEFAULTS[name]!r} for the built-in one."
            )
    return {**DEFAULTS, **settings}

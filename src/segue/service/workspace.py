"""The workspace: a `.segue/` folder, found from where one stands, and the stores inside it.

Reading creates nothing. The first write makes the folder beside the nearest `.git`, or right here.
Everything in it is private: folders 0700, files 0600, and a `.gitignore` that covers all of it.
A folder that is there counts only if this user made or accepted it and git does not track it; whoever asks for
anything in another one is refused. A store at an address counts only if the user accepted that address, too.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING, Any

from segue.errors import NotFound, Refused, SegueError
from segue.service.refusals import refusal
from segue.stores import accepted, git_index, private_files
from segue.stores.private_files import FOLDER
from segue.stores.private_files import write_private as write_private

if TYPE_CHECKING:
    from collections.abc import Callable

    from segue.service.config import Config
    from segue.stores.catalog import Catalog
    from segue.stores.contract import Artifacts, Log

FORMAT = 1
DEFAULTS = {"format": FORMAT, "store": "sqlite", "artifacts": "files"}


class Workspace:
    """An open workspace. Stores are opened when first asked for."""

    def __init__(
        self,
        root: str,
        lock_wait_s: float | None = None,
        wrapped: Callable[[Log], Log] = lambda log: log,
        for_agent: bool = False,
    ) -> None:
        self.root = root
        self.for_agent = for_agent
        """Whether an agent's program started this process for itself, as it does hooks and MCP servers: its environment is
        then the agent's."""
        self._wrapped = wrapped
        """What the log is seen through, where many threads share it."""
        self._lock_wait_s = lock_wait_s
        """How long a writer waits for its turn, where the settings' patience is not the caller's."""
        self.path = os.path.join(root, FOLDER)
        """Where the folder is or would be, whoever made it."""
        self._is_ours = False
        self._settings: dict[str, Any] | None = None
        self._log: Log | None = None
        self._artifacts: Artifacts | None = None
        self._catalog: Catalog | None = None
        self._config: Config | None = None

    @property
    def folder(self) -> str:
        """Where everything is kept. Raises Refused for a folder that does not count."""
        if not self._is_ours and self._is_there():
            require_ours(self.root)
            self._is_ours = True
        return self.path

    @property
    def exists(self) -> bool:
        """True for a workspace that is there and counts. Raises Refused for one that does not."""
        return self._is_there() and bool(self.folder)

    def _is_there(self) -> bool:
        try:
            found = os.lstat(self.path)
        except (FileNotFoundError, NotADirectoryError):
            return False
        if not stat.S_ISDIR(found.st_mode):
            raise refusal("workspace-no-folder", path=self.path)
        return True

    @property
    def settings(self) -> dict[str, Any]:
        """`workspace.json`: what kind of stores this workspace has. Raises Refused for an address that nobody
        accepted."""
        if self._settings is None:
            settings = read_settings(os.path.join(self.folder, "workspace.json"))
            _require_accepted_addresses(self.root, settings)
            self._settings = settings
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
            raise refusal("log-gone", log=os.path.join(self.folder, "log.db"), catalog=catalogs.NAME)

    def _patience(self) -> float:
        given: float = self.config["store.lock_wait_s"]
        return given if self._lock_wait_s is None else min(given, self._lock_wait_s)

    @property
    def artifacts(self) -> Artifacts:
        if self._artifacts is None:
            from segue.service.forgotten import KnownArtifacts
            from segue.stores.registry import open_artifacts

            kept = open_artifacts(self.settings["artifacts"], os.path.join(self.folder, "artifacts"))
            self._artifacts = KnownArtifacts(kept, lambda: self.log)
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

            self._config = load(self.folder, for_agent=self.for_agent)
        return self._config

    def establish(self, **kinds: str) -> Workspace:
        """Makes the folder if it is not there; call before the first write. `kinds` names stores other than
        the built-in ones. Whoever makes a workspace has accepted it."""
        _require_utf8(self.path)
        try:
            if not self.exists:
                self._make({**DEFAULTS, **kinds})
            elif not os.path.lexists(os.path.join(self.folder, "workspace.json")):
                self.use(**kinds)
            self._keep_out_of_git()
        except OSError as fault:
            raise refusal("workspace-unmade", path=self.path, why=fault.strerror) from None
        return self

    def _make(self, settings: dict[str, Any]) -> None:
        """Makes the folder aside and renames it into its place when it is on the list, so that nobody ever meets one
        that is half made or not yet accepted."""
        with accepted.changing():
            if self.exists:
                return
            given = accepted.new_id()
            scratch = f"{self.path}.{given}.tmp"
            os.mkdir(scratch, 0o700)
            files = {".gitignore": b"*\n", "workspace.json": _dumped(settings), accepted.ID: given.encode()}
            try:
                for name, data in files.items():
                    write_private(os.path.join(scratch, name), data)
                accepted.add(self.root, {"id": given, **addresses(settings)})
                os.rename(scratch, self.path)
            except BaseException:
                _remove(scratch, files)
                raise

    def _keep_out_of_git(self) -> None:
        ignore = os.path.join(self.folder, ".gitignore")
        if not os.path.lexists(ignore):
            write_private(ignore, b"*\n")

    def use(self, **stores: str) -> None:
        """Points the workspace at other stores, named by `store` and `artifacts`, and accepts their addresses."""
        path = os.path.join(self.folder, "workspace.json")
        settings = {**self.settings, **stores}
        with accepted.changing():
            accepted.add(self.root, {"id": accepted.id_in(self.root), **addresses(settings)})
        try:
            write_private(path, _dumped(settings))
        except OSError as fault:
            raise refusal("workspace-unwritable", path=path, why=fault.strerror) from None
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


def require_ours(root: str) -> None:
    """Raises Refused for a folder that git tracks, or that this user neither made nor accepted."""
    if git_index.tracks(os.path.join(root, FOLDER)):
        raise tracked(root)
    if not accepted.is_accepted(root):
        raise Refused(_why_refused(root), "`segue trust` shows what is in it and accepts it.", "not_accepted")


def tracked(root: str) -> SegueError:
    return refusal("tracked", path=os.path.join(root, FOLDER), folder=FOLDER)


def _why_refused(root: str) -> str:
    """Why a workspace does not count, in two sentences."""
    known, given, path = accepted.rows(), accepted.id_in(root), os.path.realpath(root)
    elsewhere = [place for place, row in known.items() if given and row.get("id") == given and place != path]
    if elsewhere:
        told = f"The workspace in {root} is the one you accepted in {elsewhere[0]}, moved or copied."
    elif path in known:
        told = f"The workspace in {root} is another one than you accepted there."
    else:
        told = f"You neither made nor accepted the workspace in {root}."
    return f"{told} Nothing in it is used."


def addresses(settings: dict[str, Any]) -> dict[str, str]:
    """Those of the stores that are services, which a user must have accepted."""
    return {name: settings[name] for name in ("store", "artifacts") if "://" in settings[name]}


def _require_accepted_addresses(root: str, settings: dict[str, Any]) -> None:
    wanted = addresses(settings)
    row = accepted.row(root) if wanted else None
    for name, address in wanted.items():
        if row is None or row.get(name) != address:
            raise refusal("address-not-accepted", root=root, kept=_KEPT[name])


_KEPT = {"store": "log", "artifacts": "artifacts"}


def _dumped(settings: dict[str, Any]) -> bytes:
    import json  # 1 ms, and most commands find no file to read

    return (json.dumps(settings, indent=2) + "\n").encode()


def _remove(folder: str, names: dict[str, bytes]) -> None:
    for name in names:
        if os.path.lexists(os.path.join(folder, name)):
            os.unlink(os.path.join(folder, name))
    os.rmdir(folder)


def _require_utf8(folder: str) -> None:
    """Raises BadInput for a name that SQLite cannot open."""
    try:
        folder.encode()
    except UnicodeEncodeError:
        raise refusal("workspace-name", folder=folder) from None


def _upward(place: str) -> list[str]:
    places = [place]
    while (above := os.path.dirname(places[-1])) != places[-1]:
        places.append(above)
    return places


def read_settings(path: str) -> dict[str, Any]:
    """What a `workspace.json` says, whether or not it was accepted."""
    try:
        data = private_files.read(path)
        import json  # 1 ms

        settings = json.loads(data)
    except FileNotFoundError:
        return DEFAULTS
    except (OSError, ValueError) as fault:
        raise refusal("settings-broken", path=path, why=fault) from None
    if not isinstance(settings, dict) or settings.get("format") != FORMAT:
        given = settings.get("format") if isinstance(settings, dict) else settings
        raise refusal("newer-format", given=given, format=FORMAT)
    for name in ("store", "artifacts"):
        if not isinstance(settings.get(name, DEFAULTS[name]), str):
            raise refusal("setting-no-text", path=path, name=name, default=DEFAULTS[name])
    return {**DEFAULTS, **settings}

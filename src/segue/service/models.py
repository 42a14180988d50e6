"""The models a person may name for a handoff: which is meant, what is here, and which may be sent what is private.

Nothing goes to a model that no person named. What is private goes off this machine only with a person's yes, which is
asked for once for each provider and kept in the user's own folder, where no repository can put one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from segue.errors import BadInput, SegueError, Unavailable
from segue.llm.registry import APIS, NAMED, PROGRAMS, model
from segue.model.thread import AGENT
from segue.service.actors import acting, require_person
from segue.service.config import is_users
from segue.service.refusals import refusal
from segue.stores import accepted, private_files

if TYPE_CHECKING:
    from segue.llm.ceiling import Ceiling
    from segue.model.answers import ModelList, ModelRow
    from segue.service.workspace import Workspace

HERE = "this machine"
_OPEN = ("public", "team")
"""Sensitivities that need no yes; what has another one is private."""
_CHECK = "Answer with the single word: ready"


def ceiling(workspace: Workspace) -> Ceiling:
    """What the models of one handoff may use up."""
    from segue.llm.ceiling import Ceiling

    return Ceiling(workspace.config["model_most_tokens"], workspace.config["model_most_usd"])


def require_leave(
    workspace: Workspace,
    provider: str,
    sensitivity: str = "private",
    confirm: Callable[[str], bool] | None = None,
    by_flag: bool = False,
) -> dict[str, str]:
    """Asks, where that is needed, whether a model may be sent what is private, and says how it was decided, to be put on
    record. `provider` is the model's name, `confirm` puts a question to a person; where nobody can be asked, a person who
    named the model in this very command (`by_flag`) has said yes for this once. Raises Refused without a yes."""
    destination, given = model(provider).destination, _provider(provider)
    decided = {"provider": given, "destination": destination or HERE, "sensitivity": sensitivity}
    if not destination or sensitivity in _OPEN:
        return {**decided, "leave": "not needed"}
    if given in _allowed():
        return {**decided, "leave": "given earlier"}
    if confirm is not None and not workspace.for_agent:
        require_person(acting("cli"), f"Letting {given} have a private session")
        if confirm(f"This session is private. Send it to {destination}, now and from now on?"):
            allow(provider)
            return {**decided, "leave": "given now"}
    if confirm is None and by_flag and not workspace.for_agent and acting("cli").kind != AGENT:
        return {**decided, "leave": "named for this once"}
    raise refusal("private-session", destination=destination, provider=provider)


def allow(provider: str, allowed: bool = True) -> None:
    """Lets a provider have what is private from now on, or no longer. Raises Refused for an agent."""
    require_person(acting("cli"), "Allowing a model")
    with accepted.changing():
        kept = [one for one in _allowed() if one != _provider(provider)] + [_provider(provider)] * allowed
        body = json.dumps({"format": 1, "private": sorted(kept)}, indent=1) + "\n"
        try:
            private_files.write_private(os.path.realpath(_path()), body.encode())
        except OSError as fault:
            raise refusal("models-unwritable", path=_path(), why=fault.strerror) from None


def list_models(workspace: Workspace, name: str = "", check: bool = False) -> ModelList:
    """The models that can be named, or the one of this name, and whether they are installed, signed in and can be kept from
    tools, hooks and sessions. `check` asks each for one word."""
    from concurrent.futures import ThreadPoolExecutor  # 10 ms

    names = [_with_placeholder(name)] if name else [_with_placeholder(one) for one in (*PROGRAMS, *APIS)]
    model(names[0])
    with ThreadPoolExecutor(len(names)) as pool:  # programs take seconds to print their help
        rows = list(pool.map(_row, names))
    if check:
        rows = [_checked(row) for row in rows]
    return {"models": rows, "chosen": workspace.config.model_meant()}


def _row(name: str) -> ModelRow:
    kind, _, rest = name.partition(":")
    form = "program" if kind in PROGRAMS else "api" if kind in APIS else "command"
    row: ModelRow = {"name": name, "kind": form, "usable": True, "destination": HERE, "allowed": True}
    try:
        if destination := model(name).destination:
            row["destination"], row["allowed"] = destination, _provider(name) in _allowed()
        if form == "program":
            from segue.llm.clis import CLIS, Program, impure

            row["version"], missing = Program(kind).look()
            row["remains"] = CLIS[kind].remains
            if missing:
                row["usable"], row["why"] = False, impure(kind, missing)
        elif form == "api":
            from segue.llm import apis, http_client

            row["key"] = bool(os.environ.get(apis.SERVICES[kind].key))
            http_client.key(apis.SERVICES[kind])
        else:
            from segue.llm import command, program

            row["destination"] = "wherever that program sends it"
            program.find(command.words(rest)[0])
    except (Unavailable, BadInput) as fault:
        row["usable"], row["why"] = False, fault.message
    return row


def _checked(row: ModelRow) -> ModelRow:
    """The row with what the model said, or why it said nothing. One that has yet to be named cannot be asked."""
    if not row["usable"] or row["name"].endswith(":NAME"):
        return row
    try:
        said = model(row["name"]).write(_CHECK, 60.0, most_tokens=1_000).text
    except SegueError as fault:
        return {**row, "usable": False, "why": fault.message}
    return {**row, "said": " ".join(said.split())[:80]}


def _provider(name: str) -> str:
    """What a yes is given for: an address where it is known, else the program that sends."""
    destination, kind = model(_with_placeholder(name)).destination, name.partition(":")[0]
    return kind if " " in destination or not destination else f"{kind}@{destination}"


def _with_placeholder(name: str) -> str:
    """The name with a place for the model in it, where one has yet to be named."""
    return f"{name}:NAME" if name in NAMED else name


def _path() -> str:
    return os.path.join(accepted.user_folder(), "models.json")


def _allowed() -> list[str]:
    """The providers that may have what is private; none where the file is not the user's or cannot be understood."""
    try:
        with open(_path(), "rb") as file:
            value: Any = json.loads(file.read(private_files.LARGEST))
        found = value["private"] if is_users(os.environ) else []
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return []
    return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []

"""What is segue's own in a project and in a session: files, commands, tools, the texts of its templates.

All of it follows from the hosts, so that a new one is known here by itself.
"""

from __future__ import annotations

import os
from functools import cache, lru_cache
from itertools import chain

from segue.model.marks import DRAFTING, SERVER
from segue.model.patterns import compiled
from segue.model.value import NamedTuple

FOLDER = ".segue"
_FOLDERS = (f"/{FOLDER}/", f"/.config/{SERVER}/", f"/.cache/{SERVER}/")
"""In a project and in a home; where those of a home are elsewhere, a variable says so."""
_ELSEWHERE = ("XDG_CONFIG_HOME", "XDG_CACHE_HOME")
_TOOL = compiled(rf"(?:^|[^A-Za-z]){SERVER}_+[a-z]")
"""In the name of a tool: hosts put the name of the server before that of the tool, in ways of their own."""
_COMMAND = compiled(r"[/$]([A-Za-z][\w:.-]*)(?:\s|$)")
"""A command or skill that a person calls by its name."""
_OF_SERVER = compiled(rf"(?:mcp__)?{SERVER}(?::|__)\w")
"""The name of a prompt of our server, as a command."""
_NAMES = (SERVER, "handoff")
"""Names of folders that are ours alone."""
SIGNS = (*_NAMES, "/hooks/")
"""One of which is in every command that runs segue or names a file of ours: a cheap first look."""


class _Own(NamedTuple):
    files: tuple[str, ...]
    """Ends of paths, each beginning with a slash; with them the folders that bear a name of ours."""
    settings: frozenset[str]
    """Files of hosts, relative to a project, that get entries of ours."""
    commands: frozenset[str]


@cache
def _own() -> _Own:
    from segue.agents import integrations  # 2 ms with all hosts

    files, settings, commands = set(), set(), set()
    for agent in integrations.agents():
        for project in (True, False):
            found = integrations.integration(agent, "", project, {})
            if found is None:
                continue
            files |= {file.path for file in found.files}
            files |= {
                above
                for file in found.files
                if os.path.basename(above := os.path.dirname(file.path)) in _NAMES
            }
            commands |= {_called(file.path) for file in found.files} - {""}
            if project:
                settings |= {one.path for one in found.settings}
    return _Own(
        tuple(sorted(f"/{path.replace(os.sep, '/')}" for path in files)),
        frozenset(path.replace(os.sep, "/") for path in settings),
        frozenset(commands),
    )


def _called(path: str) -> str:
    """The name under which a person calls what a file of ours brings; empty for what is not called."""
    parts = path.replace(os.sep, "/").split("/")
    if "skills" in parts:
        return parts[parts.index("skills") + 1]
    if "commands" in parts:
        return ":".join(parts[parts.index("commands") + 1 :]).rpartition(".")[0]
    return ""


@lru_cache(1 << 12)
def is_file(path: str) -> bool:
    """True for a file of ours, wherever the project or the home is, and for all that lies in a folder of ours."""
    place = f"/{path.replace(os.sep, '/').rstrip('/')}"
    moved = [f"/{given}/{SERVER}/" for name in _ELSEWHERE if (given := os.environ.get(name))]
    return any(folder in f"{place}/" for folder in (*_FOLDERS, *moved)) or (
        "/." in place and place.endswith(_own().files)
    )


def is_own(path: str, transcript: str) -> bool:
    """True for what is no file of a session's work: one of ours, and the transcript of the session itself."""
    return is_file(path) or names_transcript(path, transcript)


def names_transcript(path: str, transcript: str) -> bool:
    """True for a path that leads to a transcript, from the home (`~`, `$HOME`) or in full: its folder and its name tell."""
    end = end_of(transcript)
    return bool(end) and f"/{path}".endswith(f"/{end}")


@lru_cache(16)
def end_of(transcript: str) -> str:
    """Folder and name of a transcript; empty for one that lies nowhere."""
    above, _, name = transcript.replace(os.sep, "/").rpartition("/")
    return f"{above.rpartition('/')[2]}/{name}" if above and name else ""


def is_setting(path: str) -> bool:
    """True for a file of a host, relative to a project, in which installing makes entries."""
    return path in _own().settings


def is_command(text: str) -> bool:
    """True for words that call a command or a skill of ours by its name."""
    called = _COMMAND.match(text)
    return called is not None and (called[1] in _own().commands or _OF_SERVER.match(called[1]) is not None)


def is_tool(name: str) -> bool:
    """True for a tool of our MCP server, under whatever name a host gives it."""
    return _TOOL.search(name) is not None


def is_template(text: str) -> bool:
    """True for the text of a command, a skill or a prompt of ours, filled in or not."""
    return DRAFTING in text or f"\n1. Call `{SERVER}_" in text


def lies_below(folder: str) -> bool:
    """True for a folder, relative to a project, in which something of ours is kept."""
    name = folder.rstrip("/") + "/"
    return name == f"{FOLDER}/" or any(
        path.startswith(name) for path in (*(file[1:] for file in _own().files), *_own().settings)
    )


def holds_only_ours(path: str, data: bytes) -> bool:
    """True for settings of a host in which nothing is but our hooks and our server."""
    import json
    import tomllib  # 3 ms, and few ask

    from segue.agents import integrations

    try:
        value = tomllib.loads(data.decode()) if path.endswith(".toml") else json.loads(data)
    except ValueError:
        return False
    if not isinstance(value, dict) or not value.keys() <= {"hooks", "mcpServers", "mcp_servers"}:
        return False
    hooks, *servers = (
        [*of.values()] if isinstance(of, dict) else [of] for of in (value.pop("hooks", {}), *value.values())
    )
    groups = [group for event in hooks for group in (event if isinstance(event, list) else [event])]
    return all(map(integrations.is_our_server, chain.from_iterable(servers))) and all(
        any(integrations.is_ours(group, agent) for agent in integrations.agents()) for group in groups
    )

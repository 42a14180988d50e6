"""Installed agent programs as pure text functions: no tools, no hooks, nothing of the project, no session left behind.

One row per program, in `clis.toml`. Left to themselves these programs load the project's instructions, fire the person's
hooks and write a session that the next handoff would take for work; every option there is against one of these. Options are
young: a program whose own help does not name what keeps it pure (`needs`) is refused, never called with less. None can ask
back: its standard input is the prompt.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import tomllib
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from glob import escape, glob
from urllib.parse import urlsplit

from segue.errors import Unavailable
from segue.llm import printed, program, prompts
from segue.llm.contract import LARGEST, Answer, Request
from segue.llm.http_client import is_this_machine
from segue.model.value import NamedTuple

_PROBE_S = 30.0


class Cli(NamedTuple):
    """How one program is called. In `words` and `env` the names in braces stand for what a call fills in; `{model}` stands
    for `model_option` and the model's name, or for nothing."""

    words: str
    """The command line, quoted as for a shell; there is none."""
    help: str
    """Arguments that make it print its options."""
    needs: str
    """What must be in its help, or among its features, for the call to be pure."""
    env: Mapping[str, str] = {}
    """Variables of its environment; empty ones are taken away."""
    files: Mapping[str, str] = {}
    read: Callable[[str, program.Printed], Answer] = printed.plain
    """What it prints, as an answer: a function of `printed`, `plain` where the row names none."""
    schema: str = ""
    """Arguments that make it keep to a schema, where its help names the first of them."""
    features: str = ""
    """Names that `--disable` takes. Those the program does not list are left out: it would refuse them."""
    model_option: str = "--model"
    remains: str = ""
    """What cannot be switched off."""
    trace: str = ""
    """A file below the home that the program writes whatever it is told; ours goes, by its session id."""


def _read_table() -> dict[str, Cli]:
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "clis.toml"), "rb") as file:
        rows = tomllib.load(file)
    return {
        name: Cli(**{**row, "read": getattr(printed, row.get("read", "plain"))}) for name, row in rows.items()
    }


CLIS = _read_table()


class Program:
    """One of the programs above, with a model of its own choice or a named one."""

    def __init__(self, name: str, model: str = "") -> None:
        self._name, self._cli, self._model = name, CLIS[name], model
        self._probed: tuple[str, list[str]] | None = None

    @property
    def destination(self) -> str:
        """Where it sends a prompt; nothing for this machine."""
        if self._name != "ollama":
            return f"the service that {self._name} is signed in to"
        if self._model.endswith("-cloud"):
            return "the service of ollama"
        at = os.environ.get("OLLAMA_HOST") or "localhost"
        with suppress(ValueError):
            host = urlsplit(at if "://" in at else f"//{at}").hostname or "localhost"
            return "" if host == "0.0.0.0" or is_this_machine(host) else host
        return "the address in OLLAMA_HOST"

    def ask(self, asked: Request) -> Answer:
        """What the program writes. What it has no place for, a system text or a schema, is said in the prompt."""
        cli, session, found = self._cli, str(uuid.uuid4()), program.find(self._name)
        system, schema = asked.system or prompts.system(), json.dumps(asked.schema)
        switches = self._switches(found)
        knows_schema = cli.schema and cli.schema.split()[0] in self._probe(found)[0]
        options = cli.schema if asked.schema is not None and knows_schema else ""
        places_system = "{system" in f"{cli.words}{list(cli.env.values())}"
        prompt = prompts.joined(
            "" if places_system else asked.system,
            asked.prompt,
            None if "{schema" in options else asked.schema,
        )
        with program.empty_directory({"system.md": system, "schema.json": schema, **cli.files}) as place:
            filled = {
                "{system}": system,
                "{system_file}": os.path.join(place, "system.md"),
                "{schema}": schema,
                "{schema_file}": os.path.join(place, "schema.json"),
                "{session}": session,
                "{place}": place,
            }
            words = [found, *self._arguments(f"{cli.words} {options}", filled), *switches]
            env = {name: _fill(value, filled, name) if value else None for name, value in cli.env.items()}
            try:
                return cli.read(self._name, program.ask(words, prompt, place, asked.seconds, env))
            finally:
                self._clean(session)

    def look(self) -> tuple[str, list[str]]:
        """The version that is installed, and what it lacks to be kept pure. Raises Unavailable where there is none."""
        found = program.find(self._name)
        with program.empty_directory() as place:
            version = program.listing([found, "--version"], place, _PROBE_S).strip().split("\n")[0]
        return version[:80], self._missing(found)

    def _probe(self, found: str) -> tuple[str, list[str]]:
        """What the program prints about its options, and its features; asked once."""
        if self._probed is None:
            with program.empty_directory() as place:
                options = program.listing([found, *self._cli.help.split()], place, _PROBE_S)
                listed = [found, "features", "list"] if self._cli.features else []
                self._probed = options, program.listing(listed, place, _PROBE_S).split() if listed else []
        return self._probed

    def _missing(self, found: str) -> list[str]:
        options, features = self._probe(found) if self._cli.needs else ("", [])
        return [need for need in self._cli.needs.split() if need not in options and need not in features]

    def _arguments(self, template: str, filled: Mapping[str, str]) -> list[str]:
        words: list[str] = []
        for word in shlex.split(template)[1:]:
            if word != "{model}":
                words.append(_fill(word, filled))
            elif self._model:
                words += [part for part in (self._cli.model_option, self._model) if part]
        return words

    def _switches(self, found: str) -> list[str]:
        """Options for the features this version has. Raises Unavailable for a version that cannot be kept pure."""
        if missing := self._missing(found):
            raise Unavailable(impure(self._name, missing), "Update it, or name another --model.")
        names = [name for name in self._cli.features.split() if name in self._probe(found)[1]]
        return [word for name in names for word in ("--disable", name)]

    def _clean(self, session: str) -> None:
        """Removes the one file that the program wrote for our session."""
        if not self._cli.trace:
            return
        pattern = self._cli.trace.replace("{session}", session[:8])
        for path in glob(os.path.join(escape(os.path.expanduser("~")), pattern)):
            with suppress(OSError), open(path, encoding="utf-8", errors="replace") as file:
                if session in file.read(LARGEST):
                    os.unlink(path)


def impure(name: str, missing: list[str]) -> str:
    """Why a version is not called."""
    return (
        f"This version of {name} cannot be kept from running tools, hooks or leaving a session: it has no "
        f"{' and no '.join(missing)}."
    )


def _fill(word: str, filled: Mapping[str, str], variable: str = "") -> str:
    """A word with its names in braces replaced; inside JSON a text is written as JSON writes it. What was filled in is
    not looked through again."""

    def value(match: re.Match[str]) -> str:
        text = filled.get(match[0], match[0])
        return json.dumps(text)[1:-1] if variable.endswith("_CONTENT") else text

    return re.sub(r"\{\w+\}", value, word)

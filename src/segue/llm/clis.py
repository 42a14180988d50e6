"""Installed agent programs as pure text functions: no tools, no hooks, nothing of the project, no session left behind.

One row per program. Left to themselves these programs load the project's instructions, fire the person's hooks and write a
session that the next handoff would take for work; every option here is against one of these. Options are young: a program
whose own help does not name what keeps it pure (`needs`) is refused, never called with less.
"""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import Mapping
from contextlib import suppress
from glob import escape, glob

from segue.errors import Unavailable
from segue.llm import program, prompts
from segue.llm.contract import SECONDS
from segue.model.value import NamedTuple

SYSTEM, SYSTEM_FILE, SESSION, PLACE, MODEL = "{system}", "{system_file}", "{session}", "{place}", "{model}"
_PROBE_S = 30.0


class Cli(NamedTuple):
    """How one program is called. In `words` and `env` the names in braces stand for what a call fills in; MODEL stands for
    `model_option` and the model's name, or for nothing."""

    words: tuple[str, ...]
    model_option: str
    help: tuple[str, ...]
    """Arguments that make it print its options."""
    needs: tuple[str, ...]
    """What must be in its help, or among its features, for the call to be pure."""
    env: Mapping[str, str | None] = {}
    files: Mapping[str, str] = {}
    answer: str = ""
    """The field of the printed JSON that holds the text; nothing where the text is printed as it is."""
    features: tuple[str, ...] = ()
    """Names that `--disable` takes. Those the program does not list are left out: it would refuse them."""
    leaves: str = ""
    """A file below the home that the program writes whatever it is told; ours goes, by its session id."""


CLIS: dict[str, Cli] = {
    "claude": Cli(
        (
            *(
                "claude",
                "-p",
                "--safe-mode",
                "--no-session-persistence",
                "--tools",
                "",
                "--strict-mcp-config",
            ),
            *("--disable-slash-commands", "--permission-prompts", "none", "--output-format", "json"),
            *("--system-prompt", SYSTEM, MODEL),
        ),
        "--model",
        ("--help",),
        ("--safe-mode", "--no-session-persistence", "--tools", "--strict-mcp-config"),
        # Started from a session of its own kind it would take itself for a part of that.
        {"CLAUDECODE": None, "CLAUDE_CODE_ENTRYPOINT": None, "CLAUDE_CODE_SESSION_ID": None},
        answer="result",
    ),
    "codex": Cli(
        (
            *(
                "codex",
                "exec",
                "--ephemeral",
                "--sandbox",
                "read-only",
                "--skip-git-repo-check",
                "--ignore-rules",
            ),
            *("--color", "never", "-c", "project_doc_max_bytes=0", "-c", 'web_search="disabled"'),
            *("-c", "include_environment_context=false", "-c", "include_permissions_instructions=false"),
            *("-c", "include_apps_instructions=false", "-c", "include_collaboration_mode_instructions=false"),
            *("-c", "skills.include_instructions=false", "-c", "notify=[]"),
            *("-c", 'model_instructions_file="{system_file}"', MODEL, "-"),
        ),
        "--model",
        ("exec", "--help"),
        ("--ephemeral", "--sandbox", "--ignore-rules", "hooks", "shell_tool"),
        features=(
            *(
                "hooks",
                "shell_tool",
                "unified_exec",
                "apps",
                "plugins",
                "multi_agent",
                "image_generation",
                "goals",
            ),
            *("browser_use", "computer_use", "view_image", "sleep_tool", "tool_suggest", "skill_search"),
        ),
    ),
    "pi": Cli(
        (
            *("pi", "-p", "--no-session", "--no-tools", "--no-extensions", "--no-mcp", "--no-skills"),
            *("--no-prompt-templates", "--no-themes", "--no-context-files", "--no-approve", "--offline"),
            *("--thinking", "off", "--system-prompt", SYSTEM, MODEL),
        ),
        "--model",
        ("--help",),
        ("--no-session", "--no-tools", "--no-extensions", "--no-skills", "--no-context-files"),
    ),
    "gemini": Cli(
        ("gemini", "-o", "json", "-e", "none", "--skip-trust", "--session-id", SESSION, MODEL),
        "--model",
        ("--help",),
        ("--session-id", "--skip-trust", "--extensions"),
        {"GEMINI_SYSTEM_MD": SYSTEM_FILE},
        {
            ".gemini/settings.json": json.dumps(
                {
                    "tools": {"core": ["none"]},
                    "hooksConfig": {"enabled": False},
                    "skills": {"enabled": False},
                    "context": {"fileName": "no-such-file.md"},
                    "model": {"maxSessionTurns": 1},
                    "general": {"checkpointing": {"enabled": False}},
                }
            )
        },
        answer="response",
        leaves=".gemini/tmp/*/chats/session-*-{session}.json*",
    ),
    "opencode": Cli(
        ("opencode", "run", "--pure", "--agent", "text", "--title", "text", MODEL),
        "--model",
        ("run", "--help"),
        ("--pure", "--agent", "--title"),
        {
            "OPENCODE_DISABLE_PROJECT_CONFIG": "1",
            "OPENCODE_DB": ":memory:",
            "OPENCODE_CONFIG_CONTENT": json.dumps(
                {
                    "agent": {
                        "text": {"mode": "primary", "prompt": SYSTEM, "permission": {"*": "deny"}},
                    },
                    "snapshot": False,
                    "share": "disabled",
                }
            ),
        },
    ),
    "copilot": Cli(
        (
            *("copilot", "-s", "--available-tools=none", "--no-custom-instructions", "--no-ask-user"),
            *("--disable-builtin-mcps", "--no-auto-update", "--no-color", "--stream", "off"),
            *("--log-level", "none", MODEL),
        ),
        "--model",
        ("--help",),
        ("--available-tools", "--no-custom-instructions", "--disable-builtin-mcps"),
        # It can't be told to write no session, so it gets a home that goes with the call.
        {"COPILOT_HOME": os.path.join(PLACE, ".copilot")},
    ),
    "llm": Cli(("llm", "-n", "--no-stream", "-s", SYSTEM, MODEL), "-m", ("prompt", "--help"), ("--no-log",)),
    "ollama": Cli(("ollama", "run", MODEL, "--hidethinking", "--nowordwrap"), "", ("run", "--help"), ()),
}


class CliModel:
    """One of the programs above, with a model of its own choice or a named one."""

    def __init__(self, name: str, model: str = "") -> None:
        self._name, self._cli, self._model = name, CLIS[name], model

    def write(self, prompt: str, seconds: float = SECONDS) -> str:
        cli, session = self._cli, str(uuid.uuid4())
        found = program.find(cli.words[0])
        system = _system()
        with program.empty_directory({"system.md": system, **cli.files}) as place:
            filled = {
                SYSTEM: system,
                SYSTEM_FILE: os.path.join(place, "system.md"),
                SESSION: session,
                PLACE: place,
            }
            words = [found, *self._arguments(filled), *self._switches(found, place)]
            env = {name: value and _fill(value, filled, name) for name, value in cli.env.items()}
            try:
                return self._answer(program.ask(words, prompt, place, seconds, env))
            finally:
                self._clean(session)

    def _arguments(self, filled: Mapping[str, str]) -> list[str]:
        words: list[str] = []
        for word in self._cli.words[1:]:
            if word == MODEL:
                words += (
                    [part for part in (self._cli.model_option, self._model) if part] if self._model else []
                )
            else:
                words.append(_fill(word, filled))
        return words

    def _switches(self, found: str, place: str) -> list[str]:
        """Options for the features this version has. Raises Unavailable for a version that cannot be kept pure."""
        cli = self._cli
        told = program.listing([found, *cli.help], place, _PROBE_S) if cli.needs else ""
        known = program.listing([found, "features", "list"], place, _PROBE_S).split() if cli.features else []
        missing = [need for need in cli.needs if need not in told and need not in known]
        if missing:
            raise Unavailable(
                f"This version of {self._name} cannot be kept from running tools, hooks or leaving a session: it has no "
                f"{' and no '.join(missing)}.",
                "Update it, or name another --model.",
            )
        return [word for name in cli.features if name in known for word in ("--disable", name)]

    def _answer(self, said: str) -> str:
        if not self._cli.answer:
            return said
        try:
            told = json.loads(said)
            text = told[self._cli.answer]
            failed = bool(told.get("is_error") or told.get("error"))
        except (ValueError, LookupError, TypeError, AttributeError):
            text, failed = said, True
        if failed or not isinstance(text, str) or not text.strip():
            told_last = " ".join(str(text).split())[:200] or "it said nothing"
            raise Unavailable(f"{self._name} failed: {told_last}.", "Try again, or without --model.")
        return text

    def _clean(self, session: str) -> None:
        """Removes the one file that the program wrote for our session."""
        if not self._cli.leaves:
            return
        pattern = self._cli.leaves.replace(SESSION, session[:8])
        for path in glob(os.path.join(escape(os.path.expanduser("~")), pattern)):
            with suppress(OSError):
                with open(path, encoding="utf-8", errors="replace") as file:
                    ours = session in file.read(program.LARGEST)
                if ours:
                    os.unlink(path)


def _fill(word: str, filled: Mapping[str, str], variable: str = "") -> str:
    """A word with its names in braces replaced; inside JSON a text is written as JSON writes it."""
    for name, value in filled.items():
        written = json.dumps(value)[1:-1] if variable.endswith("_CONTENT") else value
        word = word.replace(name, written)
    return word


def _system() -> str:
    with open(os.path.join(os.path.dirname(prompts.__file__ or ""), "system.md"), encoding="utf-8") as file:
        return file.read().strip()

"""Tried: files of settings, data and scripts that no test judges, and a program used since they were edited.

A program that was given such a file, or is set up by one of its name, and went well, is the check of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from segue.extract.commands import shell
from segue.extract.commands.command_line import program
from segue.extract.commands.runs import Parsed
from segue.extract.text.prose import word_set

_ENDINGS = word_set(
    "yaml yml json jsonc json5 toml ini cfg conf env properties xml sql tf tfvars hcl sh bash zsh ps1 service plist mk nix"
)
_WITHOUT_ENDING = ("dockerfile", "makefile", "jenkinsfile", "justfile", "procfile", "vagrantfile", "brewfile")
_CARRIES = word_set(
    "gh glab scp rsync tar zip unzip gzip code vim vi nano emacs xdg-open curl wget shasum md5sum dos2unix"
)
"""Programs that take files from here to there, whatever they hold."""
_ASKS = word_set(
    "ps images logs version help list ls info status inspect config describe get show top search login init"
)
"""What a program is told that only answers."""
_SHORTEST = 4
"""Letters of a program's name that make a file's name its own."""


def is_tried(path: str, line: int, commands: Sequence[Parsed]) -> bool:
    """A program used the file as it was left at a line, and went well."""
    name = path.rpartition("/")[2].lower()
    if name.rpartition(".")[2] not in _ENDINGS and not name.startswith(_WITHOUT_ENDING):
        return False
    return any(
        _uses(simple.words, path)
        for row in commands
        if row.ok_line > line and row.ok_line > row.bad_line and row.proved
        for simple in row.passed
        if simple.words and shell.key(simple.words)
    )


def _uses(words: tuple[str, ...], path: str) -> bool:
    ran = shell.inner(words) or words
    tool = program(ran[0])
    if tool in _CARRIES:
        return False
    if any(_is(word, path) for word in words):
        return True
    told = next((word for word in ran[1:] if word[:1] != "-"), "")
    return bool(told) and told not in _ASKS and _sets_up(path.rpartition("/")[2].lower(), tool)


def _is(word: str, path: str) -> bool:
    given = word.rpartition("=")[2].removeprefix("./")
    return bool(given) and (f"/{path}".endswith(f"/{given}") or f"/{given}".endswith(f"/{path}"))


def _sets_up(name: str, tool: str) -> bool:
    """`.goreleaser.yaml` sets up goreleaser, a Makefile make, `.golangci.yml` golangci-lint."""
    stem = name.lstrip(".").partition(".")[0]
    return min(len(stem), len(tool)) >= _SHORTEST and (stem.startswith(tool) or tool.startswith(stem))

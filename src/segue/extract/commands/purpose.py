"""What a command that judges nothing is for: it changes something out there, or it only looks.

Told by its verbs: those it was given, and those in the name of the script that it runs. What was to be changed and
was not stays undone, however much else went well; what was only looked for and not found is no failure.
"""

from __future__ import annotations

from functools import lru_cache

from segue.extract.commands import shell
from segue.extract.commands.command_line import SHELLS, Simple, program
from segue.extract.commands.queries import asks
from segue.extract.text.prose import word_set

_REMEMBERED = 1024
_CHANGES = word_set(
    """
    deploy deployment redeploy apply up upgrade migrate migration migrations publish release sync seed provision
    bootstrap rollout rollback restore backup import load setup package bundle upload promote playbook ship
    backfill reindex build
    """
)
_LOOKS = word_set(
    """
    ls list get show view status describe info ps logs log inspect search whoami which version top history explain
    images outdated why freeze
    """
)
_LOOKERS = word_set(
    "lsof nc ping dig nslookup host ss netstat pgrep pidof env printenv nvidia-smi pg_isready"
)
_PROBES = word_set("--version -V --help -h")
_WORDS = 3
_REPRODUCES = word_set("reproduce reproduces reproducer reproduction repro repros bug")
_CHANGING_METHODS = word_set("POST PUT PATCH DELETE")
_SENDS = ("--field", "--raw-field", "--input", "-f", "-F")
_METHODS = ("-X", "--method", "--request")


def changes(words: tuple[str, ...]) -> bool:
    """It is there to change something: a deployment, a migration, a release."""
    return not _CHANGES.isdisjoint(_verbs(words))


def shows_fault(words: tuple[str, ...]) -> bool:
    """It was written to show a fault: that it ran to its end does not say whether that is still there."""
    return not _REPRODUCES.isdisjoint(_verbs(words)) and (shell.of_project(words) or shell.runs_task(words))


def fetches(words: tuple[str, ...]) -> bool:
    """It gets what a server holds: what it prints others wrote."""
    if program(words[0]) in ("curl", "wget"):
        return True
    if program(words[0]) not in ("gh", "glab") or words[1:2] != ("api",):
        return False
    if "graphql" in words[2:4]:
        return not any("mutation" in word for word in words)
    told = [word.rpartition("=")[2].removeprefix("-X").upper() for word in words]
    asked = any(word.startswith(_METHODS) for word in words)
    return _CHANGING_METHODS.isdisjoint(told) and (
        asked or not any(word.startswith(_SENDS) for word in words)
    )


def looks(words: tuple[str, ...]) -> bool:
    """It only asks: whether a program is there and how it is used, what there is and how that is."""
    if len(words) > 1 and (words[-1] in _PROBES or asks(words) or (words[1] == "api" and fetches(words))):
        return True
    if shell.watches([Simple(words)]) or shell.of_project(words):
        return False
    given = [word for word in words[1 : _WORDS + 1] if word[:1] != "-"]
    return program(words[0]) in _LOOKERS or not _LOOKS.isdisjoint(given[:2])


def looks_up(words: tuple[str, ...]) -> bool:
    """It asks what there is; not how a program is used, which is knowledge of that program."""
    return words[-1] not in _PROBES and looks(words)


@lru_cache(_REMEMBERED)
def _verbs(words: tuple[str, ...]) -> frozenset[str]:
    """The parts of the names of a program or script and of its first arguments. What a script is given says
    nothing of what it does."""
    words = shell.essential(words) if words else ()
    named = [word for word in words if word[:1] != "-"][:_WORDS]
    if named and program(named[0]) in SHELLS | {"python", "node", "ruby", "perl", "php", "tsx", "deno"}:
        takes_verb = named[1:2] and named[1].rpartition("/")[2] in shell.TAKES_VERB
        named = named[1 : 3 if takes_verb else 2]
    elif named and "/" in named[0]:
        named = named[:1]
    parts = (word.rpartition("/")[2].lower() for word in named)
    plain = (part.replace("-", " ").replace("_", " ").replace(".", " ").replace(":", " ") for part in parts)
    return frozenset(verb for part in plain for verb in part.split())

"""Whose exit status a line's own is: which commands could have failed unseen, and which exits a line printed.

A pipe, a later command and `|| true` hide what a command ended with; `echo $?` behind it shows that again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from segue.extract.commands.command_line import Simple, simple_commands
from segue.extract.commands.run_keys import run_key
from segue.model.patterns import compiled

_NONE: frozenset[int] = frozenset()
_PRINTS = ("echo", "printf")
_GIVES_UP = ("exit", "return")
_VARIABLES = ("$?", "${?}", "PIPESTATUS", "pipestatus", "$LASTEXITCODE")
_SHOW_END = (("tail",), ("cat",), ("tee",))
_OF_SUCCESS = ("success", "succe", "pass", "valid", "verif")
_SHOWN = 24
"""Characters before a printed exit by which it is found."""


def unseen(line: str, commands: list[Simple]) -> frozenset[int]:
    """The places of the commands of a line whose exit status is not the line's own."""
    if not (own := _carried(line, commands)):
        return lost(commands)
    ended = commands[own - 1]._replace(then="")
    return lost([*commands[: own - 1], ended]) | frozenset(range(own, len(commands)))


def lost(commands: list[Simple]) -> frozenset[int]:
    """The places of the commands whose exit status is not the whole's: a pipe or a later command gave that, or
    nobody waited."""
    if all(simple.then in ("&&", "") for simple in commands):
        return _NONE
    options = [word for s in commands if s.words[:1] == ("set",) for word in s.words[1:]]
    strict = any(word[0] == "-" and "e" in word for word in options if word)
    found = set()
    replaced = followed = False
    for place in range(len(commands) - 1, -1, -1):
        then = commands[place].then
        if then == "||":
            replaced = followed and commands[place + 1].words[:1] not in [(word,) for word in _GIVES_UP]
        elif then in (";", "\n"):
            replaced = followed and not strict
        elif then not in ("&&", "|"):
            replaced = then == "&"
        if replaced or (then == "|" and "pipefail" not in options):
            found.add(place)
        followed = followed or bool(commands[place].words)
    return frozenset(found)


def _carried(line: str, commands: list[Simple]) -> int:
    """How many commands stand before the exit that a line keeps by a name and ends with; 0 where it does not do so:
    `make > log; status=$?; rm log; exit $status`."""
    last = commands[-1].words if commands else ()
    if last[:1] != ("exit",) or len(last) != 2 or last[1][:1] != "$":
        return 0
    name = last[1].strip("${}")
    kept = list(_given(name).finditer(line)) if name.isidentifier() else []
    return len(simple_commands(line[: kept[0].start()])) if len(kept) == 1 and not kept[0]["pipe"] else 0


def had_to_succeed(commands: list[Simple]) -> list[Simple]:
    """The commands at the beginning of a line without which its last pipe would not have run, and whose failure
    would have been the line's."""
    if any(simple.then not in ("&&", "|", "") for simple in commands):
        return []
    count = next((place for place, simple in enumerate(commands) if simple.then != "&&"), 0)
    return commands[:count]


def prints_last(commands: list[Simple], place: int) -> bool:
    """What the line printed last is what this command did: behind it stands at most what shows its end, or what is
    printed instead where it fails and is no word of success."""
    then, behind = commands[place].then, commands[place + 1 :]
    if then == "|":
        return all(simple.words[:1] in _SHOW_END for simple in behind)
    if then == "||":
        instead = behind[0].text.lower() if len(behind) == 1 else ""
        return bool(instead) and not any(word in instead for word in _OF_SUCCESS)
    return not behind


def prints_exit(line: str) -> bool:
    return any(variable in line for variable in _VARIABLES)


def printed_exits(line: str, commands: list[Simple], text: str) -> dict[int, int]:
    """The exit statuses that a line printed of its commands, by their places."""
    asked = [
        (of, before)
        for place, simple in enumerate(commands)
        if simple.words[:1] and simple.words[0] in _PRINTS and not simple.writes
        for of, before in _shown_by(line, commands, place)
    ]
    found: dict[int, int] = {}
    for before in dict.fromkeys(before for _, before in asked):
        places = [of for of, shown in asked if shown == before]
        printed = _behind(before).findall(text)
        found.update((of, int(code)) for of, code in zip(places[::-1], printed[::-1], strict=False))
    return found


def _shown_by(line: str, commands: list[Simple], place: int) -> Iterator[tuple[int, str]]:
    """Whose exit a command prints, and what stands before that in its row."""
    told = _told(commands[place].words)
    shown = _variable().search(told)
    if not shown:
        return
    name = shown["name"]
    given = _given(name).search(line) if name else None
    if name and not given:
        return
    of_pipe = bool(given["pipe"] if given else shown["pipe"])
    of = _named_before(commands, place) if name else place - 1
    of = _pipe_begins(commands, of) if of_pipe else of
    if of >= 0 and run_key(commands[of].words) and (of_pipe or commands[of].then != "|"):
        before = told[: shown.start()].replace("\\n", "\n").replace("\\t", "\t")
        yield of, before.rpartition("\n")[2].rpartition("$")[2][-_SHOWN:]


def _told(words: tuple[str, ...]) -> str:
    """What a command prints, as it was written."""
    given = [word for word in words[1:] if word not in ("-e", "-n", "-E", "-ne", "-en")]
    if words[0] == "printf" and given and "%" in given[0]:
        return f"{given[0].partition('%')[0]}{''.join(given[1:2])}"
    return " ".join(given)


def _named_before(commands: list[Simple], place: int) -> int:
    """The last command that is more than plumbing, whose exit a name was given."""
    return next(
        (at for at in range(place - 1, -1, -1) if commands[at].words and run_key(commands[at].words)), -1
    )


def _pipe_begins(commands: list[Simple], place: int) -> int:
    while place > 0 and commands[place - 1].then == "|":
        place -= 1
    return place


@lru_cache(1)
def _variable() -> re.Pattern[str]:
    return compiled(
        r"\$(?:(?P<pipe>\{PIPESTATUS\[0\]\}|\{?pipestatus\[1\]\}?)|\?|\{\?\}|LASTEXITCODE\b|\{?(?P<name>[A-Za-z_]\w*)\}?)"
    )


@lru_cache(16)
def _given(name: str) -> re.Pattern[str]:
    """Where a name was given an exit status."""
    return re.compile(
        rf"\b{name}=\"?\$(?:\?|\{{\?\}}|(?P<pipe>\{{PIPESTATUS\[0\]\}}|\{{?pipestatus\[1\]\}}?))"
    )


@lru_cache(16)
def _behind(before: str) -> re.Pattern[str]:
    """The number of an exit in a row, alone or behind what stands before it."""
    return re.compile(rf"{re.escape(before)}(\d{{1,3}})(?![\d.])" if before.strip() else r"^(\d{1,3})$", re.M)

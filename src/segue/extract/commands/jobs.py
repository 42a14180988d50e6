"""Jobs in the background: what was started and never seen to end.

A job ends by the word of its program, by a command that kills it, or when the port it listens on is found
free. A command kills a job by its name, by its port, or by the number that a look at what runs gave for it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

import msgspec

from segue.extract.commands.command_line import COMMAND_LIMIT, Simple, program, simple_commands
from segue.extract.commands.run_keys import known_as, run_key
from segue.extract.commands.runs import Parsed
from segue.extract.commands.verdict import silent
from segue.extract.text.prose import clipped, flat, start
from segue.model.entry import Entry
from segue.model.facts import Background, Evidence

_JOBS = 200
_SHOWN = 6
_STOPPERS = ("kill", "taskstop", "stop")
"""How the names of tools begin that end a job."""
_HEAD = 2000
"""Characters of a result in which it says how its job is."""
_BANNER = 600
"""Characters of what a job printed first, where it tells its port."""
_ENDS = ("kill", "docker", "podman", "fuser")
_LOOKS = ("ps ", "kill -0", "pgrep", "lsof", "$!", "ss ", "netstat", "pid", "curl", "nc ")
_LISTENS = ("lsof", "ss ", "netstat", "nc ")
_REFUSED = ("Connection refused", "Failed to connect", "Couldn't connect")
_OF_NODE = frozenset(("node", "npm", "npx", "yarn", "pnpm", "bun", "tsx", "ts-node"))


class _Job(msgspec.Struct):
    command: str
    at: Evidence
    printed: str = ""
    pids: list[str] = []
    refused: bool = False
    """Nothing answered at its port when last asked."""

    def has(self, number: str) -> bool:
        return number in _numbers(f"{self.command}\n{self.printed}")


class Jobs:
    REMEMBERS: ClassVar = {"_jobs": dict[str, _Job], "_tasks": dict[str, str]}

    def __init__(self) -> None:
        self._jobs: dict[str, _Job] = {}
        self._tasks: dict[str, str] = {}
        """By the name that its program gave a job, the call that began it."""

    def result(self, entry: Entry, command: str) -> None:
        """A result that says its call goes on, or the one that ends it, or what it did to other jobs."""
        if self._jobs:
            if any(word in command for word in _ENDS):
                self._kill(command, entry)
            if any(word in command for word in _LOOKS):
                self._look(command, entry)
        if entry.background:
            self._begin(entry.call_id, command, entry)
            if task := entry.data.get("task"):
                self._tasks[str(task)] = entry.call_id
                if len(self._tasks) > _JOBS:
                    del self._tasks[next(iter(self._tasks))]
            return
        self._jobs.pop(entry.call_id, None)
        apart = " & " in command or "&\n" in command or command.rstrip()[-1:] == "&"
        if apart and not entry.is_error and (left := _left_running(command)):
            self._begin(f"{entry.call_id}&", left, entry)

    def told(self, entry: Entry, about: Entry | None = None) -> str:
        """What is told of jobs: by a notice, or by the result of the call `about` one. Gives the call that began
        the job which ended, else nothing."""
        if not self._tasks:
            return ""
        status = str(entry.data.get("status", "")) if about is None else _status(entry, about)
        if not status or status == "running":
            return ""
        task = str(entry.data.get("task", ""))
        ended = (c for t, c in self._tasks.items() if (f'"{t}"' in about.text if about else t == task))
        job = next(ended, "")
        self._jobs.pop(job, None)
        return job

    def close(self, clean: Callable[[str], str], commands: list[Parsed]) -> list[Background]:
        """Jobs not seen to end: of each command the last, unless it ran again to an end since."""
        ended: dict[tuple[str, ...], int] = {}
        for row in commands:
            ended[row.known_as] = max(ended.get(row.known_as, 0), row.ok_line, row.bad_line)
        running: dict[tuple[str, ...], Background] = {}
        for job in self._jobs.values():
            key = known_as(simple_commands(job.command))
            if key and ended.get(key, 0) <= job.at.line and not job.refused:
                text = clipped(clean(flat(job.command)), 200)
                running[key] = Background(text=text, evidence=(job.at,))
        return list(running.values())[-_SHOWN:]

    def _begin(self, name: str, command: str, entry: Entry) -> None:
        job = _Job(command, Evidence(entry.line, entry.native_id), start(entry.text, _BANNER))
        job.pids = _numbers(job.printed) if name.endswith("&") else []
        self._jobs[name] = job
        if len(self._jobs) > _JOBS:
            del self._jobs[next(iter(self._jobs))]

    def _kill(self, command: str, entry: Entry) -> None:
        commands = simple_commands(start(command, COMMAND_LIMIT))
        for simple in commands:
            if simple.words:
                for name in [n for n, job in self._jobs.items() if self._ends(simple, job, command, entry)]:
                    del self._jobs[name]

    def _ends(self, simple: Simple, job: _Job, command: str, entry: Entry) -> bool:
        """A command that ran ends a job. That there was nothing to kill says the same of it."""
        words = simple.words
        name, given = program(words[0]), [word for word in words[1:] if word[:1] != "-"]
        if name in ("pkill", "killall"):
            return bool(given) and _names(given[-1], job.command)
        if entry.is_error:
            return False
        if name in ("docker", "podman", "docker-compose"):
            return _stops_container(words, job.command)
        if name == "fuser" and "-k" in words:
            return any(self._alone or job.has(word.partition("/")[0]) for word in given)
        if name in ("kill", "kill-port") or (
            name in ("xargs", "npx") and given[:1] in (["kill"], ["kill-port"])
        ):
            return "-0" not in words and self._meant(given, job, command)
        return False

    @property
    def _alone(self) -> bool:
        return len(self._jobs) == 1

    def _meant(self, given: list[str], job: _Job, command: str) -> bool:
        """The job that a `kill` is for: by its number or port, or by what a look in the same line gave."""
        numbers = [word for word in given if word.isdigit()]
        if numbers:
            return any(number in job.pids or job.has(number) for number in numbers)
        looked = _numbers(command)
        if any(map(job.has, looked)):
            return True
        named = _looked_for(command)
        if named:
            return any(_names(name, job.command) for name in named)
        return self._alone or (job is list(self._jobs.values())[-1] and not looked)

    def _look(self, command: str, entry: Entry) -> None:
        """A look at what runs: gives the numbers of jobs, or shows that one or its port is gone."""
        asked = _numbers(command)
        gone = [name for name, job in self._jobs.items() if _is_gone(job, command, entry)]
        for name in gone:
            del self._jobs[name]
        if any(tool in command for tool in ("curl", *_LISTENS)) and asked:
            refused = any(word in entry.text for word in _REFUSED)
            free = bool(entry.is_error) and silent(entry.text) and any(t in command for t in _LISTENS)
            for job in self._jobs.values():
                if any(map(job.has, asked)) and (refused or free or not entry.is_error):
                    job.refused = refused or free
        if "curl" in command or len(entry.text) > _HEAD * 2:
            return
        names = _looked_for(command)
        for job in self._jobs.values():
            own = self._alone or any(map(job.has, asked)) or any(_names(n, job.command) for n in names)
            for row in entry.text.split("\n"):
                if own or _names(job.command, row):
                    job.pids = [*job.pids[-_JOBS:], *_numbers(row)]


def _is_gone(job: _Job, command: str, entry: Entry) -> bool:
    """A process was asked for by its number and is not there, or by its name and none is."""
    for simple in simple_commands(start(command, COMMAND_LIMIT)):
        words = simple.words
        if words[:1] == ("ps",) and "-p" in words[:-1]:
            number = words[words.index("-p") + 1]
            rows = [row.split() for row in entry.text.split("\n")]
            if number in job.pids and not any(number in row[:2] for row in rows):
                return True
        elif words[:2] == ("kill", "-0") and words[-1] in job.pids and "No such process" in entry.text:
            return True
        elif words[:1] == ("pgrep",) and simple.then == "" and entry.exit_code == 1 and silent(entry.text):
            return _names(words[-1], job.command)
    return False


def _numbers(text: str) -> list[str]:
    return re.findall(r"(?<![\w.])\d{2,7}(?![\w.])", text)


def _left_running(command: str) -> str:
    """What a line leaves running behind it; nothing where it waits for it or kills it."""
    commands = simple_commands(start(command, COMMAND_LIMIT))
    left = [s for s in commands if s.then == "&" and s.words and run_key(s.words)]
    ended = any(s.words and program(s.words[0]) in ("wait", "kill", "pkill", "killall") for s in commands)
    return left[-1].text if left and not ended else ""


def _names(pattern: str, command: str) -> bool:
    """A pattern, as `pkill` takes it, fits a command; one that names node fits all that it runs."""
    words = command.split()
    if pattern == "node" and any(program(word) in _OF_NODE for word in words[:2]):
        return True
    return pattern in command or any(part and part in command for part in pattern.split("|")[1:])


def _looked_for(command: str) -> list[str]:
    """The names by which a line looks for processes."""
    found = re.findall(r"(?:pgrep|pidof|grep)(?: -\S+)* [\"']?([\w./:@-]+(?: [\w./:@-]+)*)", command)
    return [name.strip("[]") for name in found]


def _stops_container(words: tuple[str, ...], started: str) -> bool:
    """Containers that are taken down, all of them or by the name in what started them."""
    verbs = [word for word in words[1:] if word[:1] != "-"]
    if "compose" in (*verbs[:1], words[0].rpartition("-")[2]):
        return "compose" in started and any(verb in verbs for verb in ("down", "stop", "kill"))
    if verbs[:1] == ["container"]:
        verbs = verbs[1:]
    stops = verbs[:1] in (["stop"], ["kill"]) or (verbs[:1] == ["rm"] and len(words) > len(verbs) + 1)
    return stops and any(name in re.split(r"[\s=]", started) for name in verbs[1:])


def _status(entry: Entry, about: Entry) -> str:
    """How a job is, as the result of a call about it shows; empty where it shows nothing."""
    if about.tool.lower().startswith(_STOPPERS):
        return "" if entry.is_error else "stopped"
    return entry.text[:_HEAD].partition("<status>")[2].partition("</status>")[0].strip()

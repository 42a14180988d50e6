"""What the result of a shell command shows: a file of secrets, what a keeper of secrets gave out, settings, or none.

Judged by the command alone, before its result is there. Only the first program of a pipeline reads; what follows
filters, or takes it in and shows something else. A program that runs another (`ssh`, `docker exec`) shows what that
one shows.
"""

from __future__ import annotations

from functools import lru_cache

from segue.model.patterns import compiled
from segue.model.value import NamedTuple
from segue.redaction import checks, secret_queries
from segue.redaction.files import hints_in, is_sensitive, is_settings, named
from segue.redaction.secret_managers import LISTS, NAMES_ONLY, REVEALS

_PRINTING = """cat head tail less more bat batcat sed awk grep egrep rg ag nl tac strings xxd od hexdump base64 jq yq cut sort
type get-content gc openssl gpg perl tr paste column rev fold uniq done"""
_PRINTS = frozenset(_PRINTING.split())
_SAYING_NOTHING = "cd pushd popd export set source . true test [ sleep clear echo printf"
_SILENT = frozenset(_SAYING_NOTHING.split())
_RUNNING = """ssh docker podman nerdctl kubectl oc lxc bash sh zsh xargs timeout nice watch wsl vagrant heroku fly doas
docker-compose"""
_RUNS = frozenset(_RUNNING.split())
_TAKING_IN = """kubectl oc helm docker podman psql mysql redis-cli ssh gh git curl wc sha256sum sha1sum md5sum shasum pbcopy xclip
clip"""
_TAKES_IN = frozenset(_TAKING_IN.split())
_QUOTES_AMONG_OTHERS = ("git", "diff")
_QUOTING = frozenset(("show", "diff", "cat-file", "blame", "grep", "-p", "--patch", "-u"))
_PREFIXES = ("sudo", "command", "env", "time", "do", "then", "else")
_SOURCES = ("source", ".", "export")
_SUBSTITUTED = r"(?<!echo )(?<!echo \")(?:\$\([^()]*\)|`[^`]*`)"
_TESTED = r"\$\(\s*(?:\[|test)\s[^()]*\)"
_WRITTEN_AWAY = r"(?<![0-9&])>(?!&|\s*/dev/std)"
_SHELL_WORD = r"\"[^\"]*\"|'[^']*'|[^\s\"']+"
_ASSIGNED = r"\w+="
_BETWEEN = r"\s*(?:&&|\|\||;|\n)\s*"
_LOOKED_AT = 4096

_BEFORE_A_PROGRAM = b" \n\t\"'(/|;&`"
_LONGEST_ENDING = 8


class View(NamedTuple):
    """What a result will show. `source` is the file of secrets, or the program that gives them out, and `alone` says
    that nothing else is shown; `settings` that made-up values of any name in it are secrets, `bare` that those alone on
    their lines are."""

    source: str = ""
    alone: bool = False
    settings: bool = False
    bare: bool = False


NOTHING = View()


@lru_cache(1 << 10)
def view_of(command: str) -> View:
    """What a shell command will show, if that is to be looked at; for nearly all commands it is not."""
    if not _worth_a_look(command):
        return NOTHING
    source, alone, settings = "", True, False
    sourced, bare = "", False
    for part in compiled(_BETWEEN).split(compiled(_TESTED).sub("", command[:_LOOKED_AT]).strip()):
        first, *filters = part.split("|")
        program, words = _simple(first)
        if filters and _simple(filters[-1])[0] in _TAKES_IN:
            alone = False
            continue
        if program in _SOURCES:
            sourced = sourced or next(filter(is_sensitive, words), "")
        found = _asked(program, words, part, sourced) or _source(program, words)
        source = source or found
        if program in _QUOTES_AMONG_OTHERS or not (found or not program or program in _SILENT):
            alone = False
        settings = settings or (program in _PRINTS and any(map(is_settings, words))) or _lists(program, words)
        bare = bare or (not found and secret_queries.cuts_out(part))
    # A program of whatever kind that is given a file of secrets may print it.
    settings = settings or (not source and bool(named(command)))
    return View(source, bool(source) and alone, settings, bare)


def _lists(program: str, words: list[str]) -> bool:
    asked = LISTS.get(program)
    return asked is not None and compiled(asked).search(" ".join(words)) is not None


def keeps_secrets(source: str) -> bool:
    """True for a program or a name, false for a file: where a program failed, it gave nothing out."""
    return source in REVEALS or secret_queries.is_name(source)


def answers_nothing(source: str, text: str) -> bool:
    """True where a value was asked for and there is none: `null`, `none`."""
    return secret_queries.is_name(source) and checks.stand_in(text.strip())


def _asked(program: str, words: list[str], part: str, sourced: str) -> str:
    """What prints a secret that is asked for by its name, or any variable of a file of secrets."""
    plain = compiled(_SUBSTITUTED).sub("", part)
    if compiled(_WRITTEN_AWAY).search(plain):
        return ""
    if sourced and program in secret_queries.SAYS and secret_queries.variables(plain):
        return sourced
    return secret_queries.asked(program, words, plain) if program else ""


def _source(program: str, words: list[str]) -> str:
    """The file of secrets, or the keeper of some, that a simple command prints."""
    asked = REVEALS.get(program)
    if asked is not None:
        said = " ".join(words)
        if compiled(asked).search(said) and not compiled(NAMES_ONLY).search(said):
            return program
    if program in _PRINTS or (program in _QUOTES_AMONG_OTHERS and not _QUOTING.isdisjoint(words)):
        return next(filter(is_sensitive, words), "")
    return ""


def _simple(text: str) -> tuple[str, list[str]]:
    """The program of one simple command and its arguments; of one that runs another, those of that."""
    words = [word.strip("\"'") for word in compiled(_SHELL_WORD).findall(text)]
    while len(words) > 1 and (words[0] in _PREFIXES or compiled(_ASSIGNED).match(words[0])):
        words = words[1:]
    if not words or compiled(_ASSIGNED).match(words[0]):
        return "", []
    program = _program(words[0])
    if program not in _RUNS:
        return program, words[1:]
    said = [inner for word in words[1:] for inner in word.split()]
    run = next((at for at, word in enumerate(said) if _program(word) in _RUN_INSIDE), None)
    return (program, words[1:]) if run is None else (_program(said[run]), said[run + 1 :])


def _program(word: str) -> str:
    return word.rpartition("/")[2].lower()


_RUN_INSIDE = _PRINTS | ((REVEALS.keys() | secret_queries.SAYS | {"printenv"}) - _RUNS)


def _worth_a_look(command: str) -> bool:
    """True where a command names a keeper of secrets, a file of secrets or one of settings."""
    names_file, names_secret, others = hints_in(command)
    if names_secret and any(mark in command for mark in secret_queries.MARKS):
        return True
    if not others:
        return (names_file and bool(named(command))) or command == "env" or command.startswith("pass ")
    data = command.encode("utf-8", "surrogatepass").lower()
    for program, start, end in others:
        if program:
            if not start or data[start - 1] in _BEFORE_A_PROGRAM:
                return True
        elif is_settings(_word_around(data, start, end)):
            return True
    return bool(named(command))


def _word_around(data: bytes, start: int, end: int) -> str:
    begin = 1 + max(data.rfind(mark, 0, start) for mark in (b" ", b"\n", b'"', b"'"))
    return data[begin : end + _LONGEST_ENDING].split(None, 1)[0].decode("utf-8", "replace").rstrip("\"';|&)")

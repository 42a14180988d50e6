"""Command lines taken apart: the simple commands of a shell line, in order, as far as a reader can tell.

Nothing is executed or expanded. Here-documents, quoted text and inline scripts are not commands.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from segue.extract.text.prose import word_set
from segue.model.patterns import compiled
from segue.model.value import NamedTuple


class Simple(NamedTuple):
    """One simple command, or an operator that stands alone: its words without wrappers and redirections, the files it redirects into, the
    text it was written as, and the operator that comes after it."""

    words: tuple[str, ...]
    writes: tuple[str, ...] = ()
    text: str = ""
    then: str = ""
    appends: tuple[str, ...] = ()
    """Those of the files that it only adds to."""


COMMAND_LIMIT = 2000
"""Characters of a line that are kept."""
_LIMIT = 6000
_REMEMBERED = 1024
"""Lines are looked at when they ran and again at the end."""
_HEREDOC = compiled(r"<<-?\s*(['\"]?)(\w+)\1([^\n]*)\n.*?(?:\n[ \t]*\2[ \t]*(?=\n|$)|\Z)", re.S)
_ASSIGNED = compiled(r"(?:(?<=\s)|^)\w+=(?:\"?)\$\(", re.M)
_TOKEN = compiled(
    r"""(?P<blank>(?:[ \t\r]|\\\n)+)
      | (?P<comment>(?<![^\s;|&(])\#[^\n]*)
      | (?P<redirect>\d?(?:>>?|<)&\d?-?|&>>?|\d?(?:>>?|<))
      | (?P<operator>\|\||&&|;;|[;|&\n()])
      | (?P<word>(?:[^\s;|&<>()'"\\`$]+|\\.|'[^']*'|"(?:[^"\\]|\\.)*"|\$\((?:[^()]|\([^()]*\))*\)|\$\{[^}]*\}|`[^`]*`|[$'"`])+)
      | (?P<stray>.)""",
    re.S | re.X,
)
_QUOTED = compiled(r"'([^']*)'|\"((?:[^\"\\]|\\.)*)\"|\\(.)", re.S)
_ESCAPED = compiled(r"\\([\"\\$`\n])")
_ASSIGNMENT = compiled(r"\w+=")
_PREFIXES = word_set("env sudo time command nohup exec do then else if ! { while until elif builtin")
SHELLS = frozenset(("bash", "sh", "zsh", "dash"))
_KEYWORD = compiled(r"^(?:(?:do|then|else|if|elif|while|until|!|\{)\s+)+")
_SCRIPT_FLAG = r"-\w*c$"


@lru_cache(_REMEMBERED)
def simple_commands(line: str) -> list[Simple]:
    """The simple commands of a shell line, in order, those inside `bash -c '…'` included. What comes after a
    sub-shell comes after its last command. Everybody who asks for a line gets the same list."""
    found: list[Simple] = []
    for simple in _simple(line[:_LIMIT], 0):
        if simple.words or simple.writes:
            found.append(simple)
        elif found and found[-1].then == ")":
            found[-1] = found[-1]._replace(then=simple.then)
    return found


def _simple(line: str, depth: int) -> Iterator[Simple]:
    if "<<" in line:
        line = _HEREDOC.sub(r"\3", line)
    if "$(" in line:
        if '="$(' in line:
            line = _quoted_assignment().sub(r"\1\n", line)
        line = _ASSIGNED.sub("\n", line)
    words: list[str] = []
    writes: list[str] = []
    appends: list[str] = []
    redirecting = ""
    begin = end = -1
    for token in _TOKEN.finditer(line):
        kind, text = token.lastgroup, token.group()
        if kind == "word":
            plain = _unquoted(text) if "'" in text or '"' in text or "\\" in text else text
            if redirecting:
                if ">" in redirecting:
                    writes.append(plain)
                if ">>" in redirecting:
                    appends.append(plain)
                redirecting = ""
            else:
                words.append(plain)
                begin, end = (token.start() if begin < 0 else begin), token.end()
        elif kind == "redirect":
            redirecting = "" if "&" in text and not text.startswith("&") else text
        elif kind == "operator":
            yield from _finished(words, writes, appends, line[begin:end], depth, text)
            words, writes, appends, redirecting, begin = [], [], [], "", -1
    yield from _finished(words, writes, appends, line[begin:end], depth)


@lru_cache(1)
def _quoted_assignment() -> re.Pattern[str]:
    """A command whose output is assigned in quotes, which must go together."""
    return compiled(r"(?<![^\s;&|])\w+=\"\$\(((?:[^()\"]|\([^()]*\))*)\)\"")


def _finished(
    words: list[str], writes: list[str], appends: list[str], text: str, depth: int, then: str = ""
) -> Iterator[Simple]:
    words = _without_prefixes(words)
    if not words:
        yield Simple((), tuple(writes), "", then, tuple(appends))
        return
    if len(words) > 2 and program(words[0]) in SHELLS and re.match(_SCRIPT_FLAG, words[1]) and depth < 2:
        yield from _simple(words[2], depth + 1)
    else:
        yield Simple(tuple(words), tuple(writes), _KEYWORD.sub("", text), then, tuple(appends))


def _unquoted(word: str) -> str:
    def plain(m: re.Match[str]) -> str:
        single, double, escaped = m.groups()
        if single is not None:
            return single
        return _ESCAPED.sub(r"\1", double) if double is not None else escaped

    return _QUOTED.sub(plain, word)


def _without_prefixes(words: list[str]) -> list[str]:
    start = 0
    while start < len(words):
        word = words[start]
        if word in _PREFIXES or _ASSIGNMENT.match(word):
            start += 1
        elif word == "timeout":
            start += 1
            while start < len(words) and words[start].startswith("-"):
                start += 1
            start += 1
        else:
            break
    return [w for w in words[start:] if w not in ("}", "fi", "done", "esac")]


def program(word: str) -> str:
    """The name of a program, its directory left off when the path is absolute or one of installed programs."""
    installed = word.startswith(("/", "~/")) or "/.bin/" in word or word.rfind("/bin/") > 1
    return word.rsplit("/", 1)[-1] if installed else word

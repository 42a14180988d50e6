"""Statements that were true when they were made: of a file that went or came since, of work not yet handed in.

The session shows what became of it, or the person has spoken since and may have done it: then nobody knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from segue.extract.text.prose import phrases, plainly, word_set
from segue.extract.text.symbols import is_symbol
from segue.model.facts import FileFact
from segue.model.turn import Turn
from segue.model.value import NamedTuple

_REMOVES = word_set(
    "removed deleted dropped gone remove delete rm gelöscht borrado eliminado supprimé удалён 削除 删除"
)
_IS_ABSENT = phrases(
    "n't have |not have |has no |have no |there is no |there's no |n't exist|not exist|is missing|n't any |not found|fehlt|gibt es nicht|kein "
)
_NOT_HANDED_IN = phrases(
    "is uncommitted|are uncommitted|remain uncommitted|remains uncommitted|left uncommitted|not committed|n't committed|not yet committed|"
    "nothing is committed|not pushed|n't pushed|not yet pushed|unpushed|nicht committet|nicht gepusht"
)
_AFTER = word_set(
    "file files yet here in at on so and or but for is are does doesn't isn't was anywhere exist datei"
) | {""}
"""What may follow the name where the file is what is not there, and not something of it."""
_MARKS, _ENDS = "`*_()'\".,;:", frozenset(".,;:)")
_THERE = frozenset(("read", "created", "modified", "renamed"))


class Since(NamedTuple):
    """What became of files, each by its name with the line, and where the last turn began."""

    gone: Mapping[str, int]
    come: Mapping[str, int]
    turned: int


def since(files: Sequence[FileFact], turns: Sequence[Turn]) -> Since:
    own = [file for file in files if file.evidence and not file.origin]
    come = {_name(file): file.evidence[0].line for file in own if file.action in _THERE}
    left = {_name(file) for file in files if file.action != "deleted"}
    stems = {_stem(name) for name in left}
    gone: dict[str, int] = {}
    for file in own:
        name, stem = _name(file), _stem(_name(file))
        if file.action == "deleted" and stem and name not in left:
            whose = stem if is_symbol(stem) and stem not in stems else name
            gone[whose] = file.evidence[0].line
    return Since(gone, come, turns[-1].first_line if turns else 0)


def _stem(name: str) -> str:
    """A file's name without its ending, by which one speaks of what is in it; empty where it has none."""
    return name[: name.rfind(".")] if "." in name[1:] else ""


def _name(file: FileFact) -> str:
    return file.path.rsplit("/", 1)[-1]


def may_be(text: str, since: Since) -> bool:
    """A quick look: it names a file that is gone, or has a word of something that is not there or not done."""
    if any(name in text for name in since.gone):
        return True
    plain = plainly(text)
    return any(sign in plain for sign in _NOT_HANDED_IN) or any(sign in plain for sign in _IS_ABSENT)


def outlived(said: str, line: int, since: Since) -> bool:
    """The sentence, said at this line, describes what is not so any more, or may not be."""
    for name, deleted in since.gone.items():
        if line < deleted and name in said:
            return _REMOVES.isdisjoint(_words(said))
    plain = plainly(said)
    if line < since.turned and any(sign in plain for sign in _NOT_HANDED_IN):
        return True
    if not any(sign in plain for sign in _IS_ABSENT):
        return False
    words = [*said.split(), "."]
    return any(
        line < since.come.get(word.strip(_MARKS).rpartition("/")[2], 0)
        and (word[-1] in _ENDS or then.lower().strip(_MARKS) in _AFTER)
        for word, then in pairwise(words)
    )


def _words(text: str) -> list[str]:
    return plainly(text).replace(",", " ").replace(".", " ").replace(";", " ").replace(":", " ").split()

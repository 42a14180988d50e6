"""What a client of a database was told to do there: to change something, or only to tell.

The statement is an argument like any other, with spaces in it; what stands in a file that is run says nothing here.
"""

from __future__ import annotations

from segue.extract.commands.command_line import program
from segue.extract.text.prose import word_set

_CLIENTS = word_set(
    "psql mysql mariadb sqlite3 duckdb clickhouse-client cqlsh sqlcmd mongosh redis-cli snowsql"
)
_ASKS = word_set("select show describe desc explain pragma ping info keys get exists")
_CHANGES = word_set(
    "alter create drop insert update delete truncate grant revoke copy vacuum reindex call merge"
)
_META = ("\\d", "\\l", ".tables", ".schema", ".databases", ".indexes")
"""What a client shows itself."""
_NAMED = 3
"""Words of a statement by which it is known."""


def asks(words: tuple[str, ...]) -> bool:
    """A client is told only to tell something."""
    if program(words[0]) not in _CLIENTS:
        return False
    return any(word.startswith(_META) or word.partition(" ")[0].lower() in _ASKS for word in words[1:])


def change(words: tuple[str, ...]) -> str:
    """How the statement begins by which a client is told to change something; empty for any other."""
    if program(words[0]) not in _CLIENTS:
        return ""
    stated = (word.split() for word in words[1:] if " " in word)
    return next((" ".join(said[:_NAMED]) for said in stated if said and said[0].lower() in _CHANGES), "")

"""Sentences that are kept in tables, and errors made of them.

A table is a text: its first paragraph says what it is, each further one begins with a name and what belongs to it, then
come a message and, where there is one, a hint. What stands in braces is filled in.
"""

from __future__ import annotations

from functools import cache

from segue import errors


@cache
def table(path: str) -> dict[str, tuple[str, ...]]:
    """By name: what belongs to it, the message and the hint."""
    with open(path, encoding="utf-8") as file:
        paragraphs = [paragraph.split("\n") for paragraph in file.read().rstrip("\n").split("\n\n")[1:]]
    heads = ((head.partition(" "), texts) for head, *texts in paragraphs)
    return {name: (rest, *texts, *[""][len(texts) - 1 :]) for (name, _, rest), texts in heads}


def refusal(path: str, name: str, /, **told: object) -> errors.SegueError:
    """The error of that name in a table, to be raised. To its name belong its kind and, where that is another than the
    kind's, its code."""
    about, *texts = table(path)[name]
    kind, _, code = about.partition(" ")
    message, hint, code = (text.format_map(told) for text in (*texts, code))
    made: errors.SegueError = getattr(errors, kind)(message, hint, code or None)
    return made

"""What of a rule is left when a later word replaces it: `use port 8080, log level debug` after `no, 9090`."""

from __future__ import annotations

from segue.extract.text.prose import phrases
from segue.extract.words.supersede_subject import VALUE, about, same_shape
from segue.model.patterns import compiled

_CLAUSES = compiled(r"[,;]\s+|\s(?:and|but|und|et|y|и)\s|，|；|、")
_REASONS = phrases(
    "because |since |as |nobody |no need |which |when |if |so |that's |que |porque |weil |denn |da |car |parce |bo |ponieważ |потому "
)
"""How a clause begins that says why, or when, and rules nothing."""
_SAYS_SOMETHING = 2
"""How many subject words a clause has that rules by itself, if it sets no value."""


def leaves_some(old: str, new: str) -> bool:
    """A clause of the old rule speaks of something that the new one does not."""
    clauses = _CLAUSES.split(old.strip(" .!"))
    if len(clauses) < 2:
        return False
    subject, values = about(new), frozenset(VALUE.findall(new))
    spoken_of = [_spoken_of(clause, subject, values) for clause in clauses]
    if not any(spoken_of):
        spoken_of[0] = True
    return any(_rules_alone(clause) for clause, spoken in zip(clauses, spoken_of, strict=True) if not spoken)


def _spoken_of(clause: str, subject: frozenset[str], values: frozenset[str]) -> bool:
    return not about(clause).isdisjoint(subject) or same_shape(frozenset(VALUE.findall(clause)), values)


def _rules_alone(clause: str) -> bool:
    if clause.lower().startswith(_REASONS):
        return False
    return bool(VALUE.search(clause)) or len(about(clause)) >= _SAYS_SOMETHING

"""`NamedTuple` of `model.value` is that of `typing` in all that the code asks of it."""

from __future__ import annotations

import pickle
import typing

import pytest

from segue.model.value import NamedTuple


class Ours(NamedTuple):
    """A place."""

    path: str
    line: int = 1
    note: str = ""

    @property
    def shown(self) -> str:
        return f"{self.path}:{self.line}"

    def moved(self, by: int) -> Ours:
        return self._replace(line=self.line + by)


class Theirs(typing.NamedTuple):
    path: str
    line: int = 1
    note: str = ""


def test_it_is_the_tuple_that_typing_makes() -> None:
    for ours, theirs in ((Ours("a"), Theirs("a")), (Ours("b", note="n"), Theirs("b", note="n"))):
        assert ours == theirs
        assert hash(ours) == hash(theirs)
        assert repr(ours) == repr(theirs).replace("Theirs", "Ours")
        assert ours._asdict() == theirs._asdict()
        assert ours._replace(line=3) == theirs._replace(line=3)
    assert Ours._make(("a", 2, "")) == Theirs._make(("a", 2, ""))
    assert (Ours._fields, Ours._field_defaults) == (Theirs._fields, Theirs._field_defaults)
    assert (Ours.__doc__, Ours.__module__, Ours.__match_args__) == ("A place.", __name__, Ours._fields)


def test_it_has_methods_and_can_be_pickled() -> None:
    assert Ours("a").moved(4).shown == "a:5"
    again = pickle.loads(pickle.dumps(Ours("a", 2)))  # noqa: S301
    assert (type(again), again) == (Ours, Ours("a", 2))


@pytest.mark.parametrize(
    "wrong",
    [
        lambda one: one(),
        lambda one: one("a", 1, "", 0),
        lambda one: one("a", other=1),
        lambda one: one("a", path="b"),
        lambda one: one._make(("a",)),
        lambda one: one("a")._replace(other=1),
        lambda one: setattr(one("a"), "path", "b"),
        lambda one: setattr(one("a"), "other", "b"),
    ],
)
def test_what_typing_refuses_is_refused(wrong: typing.Callable[[typing.Any], object]) -> None:
    with pytest.raises((TypeError, ValueError, AttributeError)) as theirs:
        wrong(Theirs)
    with pytest.raises(theirs.type):
        wrong(Ours)

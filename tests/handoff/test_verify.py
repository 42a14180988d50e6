"""Verify: every statement that can be checked is compared with what was seen."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from segue.handoff.document import render_document
from segue.handoff.packet import compose, render
from segue.handoff.parse import Parsed, parse
from segue.handoff.verify.finding import Finding
from segue.handoff.verify.verdict import Observed, SeenFile, Wanted, verify, wanted
from segue.model.facts import Facts, FileFact

HEAD = "4be1c07a90b1f0a4f1f0f3e0c8a9d1b2c3d4e5f6"


@pytest.fixture
def packet(facts: Facts) -> Parsed:
    made, _ = compose(facts, 100_000, len)
    return parse(render(made))


@pytest.fixture
def world(facts: Facts) -> Observed:
    """Everything as the handoff left it."""
    return Observed(
        files={
            "README.md": SeenFile(exists=True, sha256="1" * 64),
            "src/courier/retry.py": SeenFile(exists=True, sha256="0" * 64),
            "tests/test_retry.py": SeenFile(exists=True),
            "src/courier/old_retry.py": SeenFile(exists=False),
            "/home/me/courier/setup.cfg": SeenFile(exists=True),
            "../outside/settings.toml": SeenFile(exists=None, why="it is outside the workspace"),
        },
        repository=True,
        head=HEAD,
        branch="retry",
        commits={"4be1c07": True, HEAD: True},
        tools=dict.fromkeys(("git", "make", "mypy", "pytest", "ruff"), True),
        lines=412,
    )


WORLD = ("head", "branch", "file", "commit", "tool")


def of_world(parsed: Parsed, facts: Facts | None, observed: Observed) -> list[Finding]:
    """What is found of the world, and of the length of the session; the transcript has tests of its own."""
    found = verify(parsed, facts, replace(observed, lines=None))
    return [finding for finding in found if finding.kind in WORLD]


def states(parsed: Parsed, facts: Facts | None, observed: Observed) -> dict[tuple[str, str], str]:
    return {(found.kind, found.where): found.state for found in of_world(parsed, facts, observed)}


def test_what_has_to_be_looked_at_is_read_off_the_packet(packet: Parsed, facts: Facts) -> None:
    assert wanted(packet, facts) == Wanted(
        (
            "src/courier/retry.py",
            "tests/test_retry.py",
            "../outside/settings.toml",
            "/home/me/courier/setup.cfg",
            "README.md",
            "src/courier/old_retry.py",
        ),
        ("4be1c07", HEAD),
        ("git", "make", "mypy", "pytest", "ruff"),
        ("retry",),
    )


def test_a_world_that_has_not_moved_holds(packet: Parsed, facts: Facts, world: Observed) -> None:
    found = of_world(packet, facts, world)
    assert {f.where for f in found if f.state == "unknown"} == {"../outside/settings.toml"}
    assert [f for f in found if f.state == "drifted"] == []
    assert {f.kind for f in found} == set(WORLD)


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"head": "f" * 40}, "head", f"HEAD was {HEAD} and is ffffffffffff."),
        ({"branch": "main"}, "branch", "The branch was retry and is main."),
        ({"operation": "rebase"}, "head", "A rebase is under way."),
        ({"files": {"README.md": SeenFile(exists=False)}}, "file", "README.md is not there any more."),
        (
            {"files": {"src/courier/retry.py": SeenFile(exists=True, sha256="2" * 64)}},
            "file",
            "src/courier/retry.py has changed since.",
        ),
        (
            {"files": {"src/courier/old_retry.py": SeenFile(exists=True)}},
            "file",
            "src/courier/old_retry.py was removed and is there again.",
        ),
        ({"commits": {"4be1c07": False}}, "commit", "There is no commit 4be1c07 here."),
        ({"left_behind": ("4be1c07",)}, "commit", "Commit 4be1c07 is on no branch any more."),
        ({"tools": {"ruff": False}}, "tool", "ruff is not on the PATH."),
    ],
)
def test_what_has_drifted_is_said(
    packet: Parsed, facts: Facts, world: Observed, change: dict[str, object], kind: str, message: str
) -> None:
    found = of_world(packet, facts, replace(world, **change))
    assert [(f.kind, f.message) for f in found if f.state == "drifted"] == [(kind, message)]
    assert all(f.hint for f in found if f.state == "drifted")


@pytest.mark.parametrize(
    ("change", "hint"),
    [
        ({"head": "f" * 40}, f"See what came between: `git log {HEAD}..HEAD`."),
        ({"head": "f" * 40, "commits": {}}, "`git fetch`"),
        ({"branch": "main", "branches": {"retry": True}}, "`git switch retry`"),
        ({"branch": "main", "branches": {"retry": False}}, "There is no such branch here any more"),
    ],
)
def test_a_hint_names_only_what_is_there(
    packet: Parsed, facts: Facts, world: Observed, change: dict[str, object], hint: str
) -> None:
    found = of_world(packet, facts, replace(world, **change))
    assert [hint in f.hint for f in found if f.state == "drifted"] == [True]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (430, "The session has gone on: 412 lines then, 430 now."),
        (400, "The transcript has 400 lines; the handoff was made from 412."),
    ],
)
def test_a_session_that_went_on_is_said(
    packet: Parsed, facts: Facts, world: Observed, lines: int, message: str
) -> None:
    found = verify(packet, facts, replace(world, lines=lines))
    assert [f.message for f in found if f.kind == "session" and f.state == "drifted"] == [message]


def test_the_records_of_a_database_are_not_called_lines(
    packet: Parsed, facts: Facts, world: Observed
) -> None:
    facts = replace(facts, source=replace(facts.source, path="/home/me/.local/share/sessions.db#7"))
    found = verify(packet, facts, replace(world, lines=430))
    assert "The session has gone on: 412 records then, 430 now." in [f.message for f in found]


def test_what_has_drifted_comes_first(packet: Parsed, facts: Facts, world: Observed) -> None:
    told = [f.state for f in verify(packet, facts, replace(world, head="f" * 40, lines=None))]
    assert told == sorted(told, key=("drifted", "unknown", "holds").index) and len(set(told)) == 3


def test_what_was_not_looked_at_is_not_known(packet: Parsed, facts: Facts) -> None:
    assert {f.state for f in verify(packet, facts, Observed())} == {"unknown"}


def test_a_document_without_facts_is_checked_by_its_own_words(facts: Facts, world: Observed) -> None:
    parsed = parse(render_document(facts, ""))
    assert wanted(parsed, None).commits == ("4be1c07", HEAD)
    assert wanted(parsed, None).tools == ("make", "mypy", "pytest", "ruff")
    found = states(parsed, None, world)
    assert found["file", "src/courier/old_retry.py"] == "holds"
    assert found["file", "tests/test_retry.py"] == "holds"
    assert found["branch", "repository"] == "holds"
    assert "drifted" not in found.values()


def test_a_file_that_was_only_spoken_of_cannot_drift(facts: Facts, world: Observed) -> None:
    spoken_of = replace(facts, files=(*facts.files, FileFact(path="docs/retry.md", action="mentioned")))
    made, _ = compose(spoken_of, 100_000, len)
    packet = parse(render(made))
    absent = replace(world, files={**world.files, "docs/retry.md": SeenFile(exists=False)})
    for known in (spoken_of, None):
        assert states(packet, known, absent)["file", "docs/retry.md"] == "unknown"


@pytest.mark.parametrize(
    ("text", "sha"),
    [
        ("commit 3333ccc on main: Add the limit", "3333ccc"),
        ("commit 2222bbb (1111aaa when it was made) on main: Add the bucket", "2222bbb"),
    ],
)
@pytest.mark.parametrize(("there", "state"), [(True, "holds"), (False, "drifted")])
def test_a_commit_of_an_earlier_session_is_looked_up_here(
    world: Observed, text: str, sha: str, there: bool, state: str
) -> None:
    parsed = parse(f"## Context\n**State of the work**\n- done: {text} [#7 of 018f-earlier]")
    assert wanted(parsed, None).commits == (sha,)
    seen = replace(world, commits={sha: there})
    assert states(parsed, None, seen)["commit", "Context, line 3"] == state


@pytest.mark.parametrize("origin", ["", " of 018f-earlier"])
def test_that_a_commit_which_is_told_as_gone_is_not_there_is_no_drift(world: Observed, origin: str) -> None:
    gone = "inferred: no longer there since `git reset`: commit 3333ccc (Add the limit)"
    parsed = parse(f"## Context\n**State of the work**\n- {gone} [#7{origin}]")
    assert wanted(parsed, None).commits == ()


def test_a_hint_never_puts_more_than_a_word_into_a_command(
    facts: Facts, packet: Parsed, world: Observed
) -> None:
    assert facts.repo is not None
    hostile = replace(facts, repo=replace(facts.repo, branch="x;rm", head="$(id)"))
    world = replace(world, commits={"$(id)": True}, branches={"x;rm": True})
    hints = [found.hint for found in verify(packet, hostile, world) if found.kind in ("head", "branch")]
    assert hints == ["See what came between: `git log …..HEAD`.", "`git switch …` if the work goes on there."]


@settings(max_examples=40)
@given(st.from_type(Facts), st.text())
def test_any_handoff_can_be_verified(facts: Facts, text: str) -> None:
    for parsed in (
        parse(text),
        parse(render_document(facts, text)),
        parse(render(compose(facts, 2000, len)[0])),
    ):
        looked = wanted(parsed, facts)
        seen = Observed(
            files={path: SeenFile(exists=True) for path in looked.files}, repository=True, head="a" * 40
        )
        assert all(found.message and found.where is not None for found in verify(parsed, facts, seen))
        told = replace(seen, lines=412)
        assert all(found.message for found in verify(parsed, facts, told))


def test_files_told_by_their_names_alone_are_looked_at_one_by_one() -> None:
    parsed = parse(
        "## Files\nsrc/\n- a.py (modified): run\n- also: b.py, c.py (deleted, ready), d.py (modified)\n",
        "packet",
    )
    assert wanted(parsed, None).files == ("src/a.py", "src/b.py", "src/c.py", "src/d.py")
    seen = {name: SeenFile(exists=name != "src/c.py") for name in wanted(parsed, None).files}
    assert set(states(parsed, None, Observed(files=seen)).values()) == {"holds"}


def test_files_that_are_all_told_by_their_names_are_looked_at_one_by_one() -> None:
    parsed = parse("## Files\n./\n- go.mod, go.sum (modified), types.go\n", "packet")
    assert wanted(parsed, None).files == ("go.mod", "go.sum", "types.go")

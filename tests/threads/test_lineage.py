"""Where threads come from, and the forest as a person sees it."""

from __future__ import annotations

from typing import Any

from segue.model.frame import BRANCHED, CREATED, HANDOFF, REFERENCED
from segue.threads.lineage import Node, Segment, ancestors, draw, inherited


def branch(memory: Any, child: str, parent: str, seq: int) -> None:
    memory.add(child, CREATED)
    memory.add(child, BRANCHED, parent_thread_id=parent, parent_seq=seq)


def forest(**parents: str) -> tuple[dict[str, Node], dict[str, list[str]]]:
    """Nodes and children of threads given as child="parent"."""
    children: dict[str, list[str]] = {}
    for child, parent in parents.items():
        children.setdefault(parent, []).append(child)
    names = dict.fromkeys([*parents.values(), *parents])
    nodes = {
        name: Node(name, name.upper(), "branch" if name in parents else None, 3 if name in parents else None)
        for name in names
    }
    return nodes, children


def test_a_branch_goes_on_in_its_parent_up_to_the_cut(memory: Any) -> None:
    memory.add("root", CREATED)
    branch(memory, "child", "root", 7)
    branch(memory, "grandchild", "child", 4)
    assert inherited(memory, "grandchild", 9) == (
        [Segment("grandchild", 0, 9, False), Segment("child", 0, 4, False), Segment("root", 0, 7, False)],
        None,
    )


def test_a_handoff_ends_inheritance_and_is_named(memory: Any) -> None:
    memory.add("fresh", CREATED)
    memory.add("fresh", HANDOFF, from_thread_id="root", from_seq=3, summary_markdown="s")
    branch(memory, "child", "fresh", 5)
    segments, base = inherited(memory, "child", 1)
    assert [segment.thread_id for segment in segments] == ["child", "fresh"]
    assert base is not None
    assert (base[0], base[1].parent_id, base[1].summary) == ("fresh", "root", "s")


def test_a_segment_is_marked_when_something_before_its_end_is(memory: Any) -> None:
    memory.add("root", CREATED)
    memory.say("root", "one")
    memory.add("root", REFERENCED, to_thread_id="other", to_seq=0)
    assert [inherited(memory, "root", seq)[0][0].marked for seq in (1, 2)] == [False, True]


def test_a_circle_in_a_damaged_log_ends_where_it_began(memory: Any) -> None:
    branch(memory, "one", "two", 1)
    branch(memory, "two", "one", 1)
    assert [segment.thread_id for segment in inherited(memory, "one", 1)[0]] == ["one", "two"]
    assert [link.parent_id for link in ancestors(memory, "one")] == ["two"]


def test_a_tree_is_drawn_with_its_joints() -> None:
    nodes, children = forest(b="a", c="a", d="b", e="b")
    assert list(draw(nodes, children, ["a"], here="c")) == [
        "○ A  a",
        "├─ ○ branch @3  B  b",
        "│  ├─ ○ branch @3  D  d",
        "│  └─ ○ branch @3  E  e",
        "└─ ● branch @3  C  c",
    ]


def test_a_chain_of_only_children_is_not_indented_further() -> None:
    nodes, children = forest(b="a", c="b", d="c")
    assert list(draw(nodes, children, ["a"])) == [
        "○ A  a",
        "↓ ○ branch @3  B  b",
        "↓ ○ branch @3  C  c",
        "↓ ○ branch @3  D  d",
    ]


def test_a_chain_within_a_tree_stays_under_its_branch() -> None:
    nodes, children = forest(b="a", c="a", d="b")
    assert list(draw(nodes, children, ["a"]))[1:] == [
        "├─ ○ branch @3  B  b",
        "│  ↓ ○ branch @3  D  d",
        "└─ ○ branch @3  C  c",
    ]


def test_several_roots_are_drawn_one_after_the_other() -> None:
    nodes, children = forest(b="a", y="x")
    lines = [line.split()[-1] for line in draw(nodes, children, ["a", "x"])]
    assert lines == ["a", "b", "x", "y"]


def test_ten_thousand_generations_are_drawn_without_recursion() -> None:
    nodes, children = forest(**{f"t{n + 1}": f"t{n}" for n in range(10_000)})
    assert sum(1 for _ in draw(nodes, children, ["t0"])) == 10_001


def test_a_circle_is_drawn_once() -> None:
    nodes, children = forest(b="a", a="b")
    assert len(list(draw(nodes, children, ["a"]))) == 2

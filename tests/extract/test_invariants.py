"""What holds for every packet of every session, tried on sessions made at random."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from segue.extract import facts, tokens
from segue.handoff import packet
from segue.handoff.pieces import RULE
from segue.handoff.quote import inline
from segue.model.facts import Facts

from .story import Story, rows

BUDGETS = st.sampled_from((300, 400, 600, 1000, 2000, 4000))
_WORDS = [
    "fix",
    "the",
    "parser",
    "cache",
    "never",
    "only",
    "must",
    "src/a.py",
    "maxRetryCount",
    "42",
    "because",
    "failed",
    "decided",
    "`x`",
    "don't",
    "不要",
    "нельзя",
    "nicht",
    "[#3]",
    "##",
    ">",
    "```",
    "<tag>",
    "error:",
    "FAIL",
    "ok",
    "3",
    "passed",
    "in",
    "0.1s\nwhy?",
    "\n-",
    "list",
    "1.",
    "one",
    "…",
    "—",
    "(",
    ")",
    "…",
    "|",
    "end.",
]
words = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=14).map(" ".join)
prose = words | st.text(
    st.characters(exclude_characters='"', exclude_categories=("Cs", "Cc", "Cf")), max_size=60
)
paths = st.sampled_from(("src/a.py", "src/b.py", "docs/x.md", "/tmp/t.py", "lib/deep/er/c.rs", "a b.txt"))
commands = st.sampled_from(
    (
        "pytest -q",
        "pytest -q | tail -3",
        "make test; echo $?",
        "go test ./... | grep -v ok",
        "git commit -am x",
        "git push",
        "cat src/a.py",
        "rm src/b.py",
        "cd lib && npm test > log.txt",
    )
)
outputs = words | st.sampled_from(
    ("", "1 failed in 0.1s", "[main 1a2b3c4] Fix it", "  aaaaaaa..1a2b3c4  main -> main")
)
acts = st.one_of(
    st.tuples(st.just("prompt"), prose),
    st.tuples(st.just("queued"), prose),
    st.tuples(st.just("says"), prose),
    st.tuples(st.just("run"), commands, outputs, st.sampled_from((0, 1, None, 130))),
    st.tuples(st.just("call"), commands),
    st.tuples(st.just("edit"), paths, words, st.booleans()),
    st.tuples(st.just("read"), paths),
    st.tuples(st.just("todo"), words, st.sampled_from(("pending", "in_progress", "completed"))),
    st.tuples(st.just("asks"), words),
    st.tuples(st.just("answers"), words),
    st.tuples(st.just("rejects"), st.sampled_from(("make deploy", "npm publish")), words),
    st.tuples(st.just("plan"), words),
    st.tuples(st.just("interruption")),
    st.tuples(st.just("compaction"), words),
)


def acted(act: tuple[object, ...], story: Story, heard: list[str]) -> None:
    kind, *given_ = act
    given: list[str] = given_  # type: ignore[assignment]
    if kind in ("prompt", "queued"):
        story.prompt(given[0], via=str(kind))
        heard.append(given[0])
    elif kind == "says":
        story.says(given[0])
    elif kind == "run":
        story.run(*given)  # type: ignore[arg-type]
    elif kind == "call":
        story.call("Bash", "shell", command=given[0])
    elif kind == "edit":
        story.edit(given[0], new=given[1], ok=bool(given[2]))
    elif kind == "read":
        story.read(given[0])
    elif kind == "todo":
        story.todos((given[0], given[1]))
    elif kind == "asks":
        story.asks(given[0])
    elif kind == "answers":
        story.answers(given[0])
        heard.append(given[0])
    elif kind == "rejects":
        story.rejects(story.call("Bash", "shell", command=given[0]), given[1])
        heard.append(given[1])
    elif kind == "plan":
        story.add("plan", given[0])
    elif kind == "interruption":
        story.add("interruption", by="person")
    else:
        story.add("compaction")
        story.add("summary", given[0])


def lived(acts: list[tuple[object, ...]]) -> tuple[Story, list[str]]:
    story, heard = Story(), list[str]()
    for act in acts:
        acted(act, story, heard)
    return story, heard


sessions = st.lists(acts, max_size=30)


def composed(chosen: Facts, budget: int) -> str:
    return packet.render(packet.compose(chosen, budget, tokens.count)[0])


@settings(max_examples=120)
@given(sessions, BUDGETS, words)
def test_a_packet_is_within_its_budget_and_the_same_each_time(
    acts: list[tuple[object, ...]], budget: int, goal: str
) -> None:
    story, _ = lived(acts)
    first, again = (composed(facts.select(story.index, goal, budget=budget), budget) for _ in range(2))
    assert first == again
    assert tokens.count(first) <= budget
    assert len(first) <= 4 * budget


@settings(max_examples=120)
@given(sessions, BUDGETS)
def test_every_pointer_is_a_line_of_the_session(acts: list[tuple[object, ...]], budget: int) -> None:
    story, _ = lived(acts)
    text = story.packet("go on", budget)
    pointers = " ".join(re.findall(r"\[(#\d+(?: #\d+)*)\]", text))
    lines = {int(number) for number in re.findall(r"\d+", pointers)}
    assert lines <= {entry.line for entry in story.entries}


_ASKED = re.compile(
    r'- (?:\d+× )?(?:rejected `[^`]*`: |answer to ".*": |answered: )?"(?P<text>.*?)"(?: … the last: "(?P<last>.*?)")? \[#'
)


def _plain(text: str) -> str:
    return "".join(inline(text).split())


@settings(max_examples=200)
@given(sessions)
def test_every_quoted_prompt_is_part_of_a_real_one(acts: list[tuple[object, ...]]) -> None:
    story, heard = lived(acts)
    said = [_plain(text).replace("`", "") for text in heard]
    for row in rows(story.packet(), "Asked for"):
        if "(no words)" in row or "[pasted" in row:
            continue
        found = _ASKED.match(row)
        assert found, row
        for quoted in filter(None, found.group("text", "last")):
            for part in filter(None, map(_plain, quoted.replace("`", "").split("…"))):
                assert any(part in text or text in part for text in said), (part, said)


rules = st.lists(
    st.tuples(
        st.sampled_from(("Never", "Always", "Only", "You must")), st.integers(1, 30), st.integers(0, 99)
    ),
    min_size=1,
    max_size=40,
)


@settings(max_examples=60)
@given(rules, st.integers(0, 60), BUDGETS)
def test_no_rule_is_dropped_while_the_name_of_a_read_file_is_kept(
    rules: list[tuple[str, int, int]], files: int, budget: int
) -> None:
    story = Story()
    for n, (marker, length, salt) in enumerate(rules):
        told = " ".join(f"w{salt}{n}{k}" for k in range(length))
        story.prompt(f"{marker} touch {told} of part {n}{salt}.")
        story.says("Fine.")
    for n in range(files):
        story.read(f"src/read_{n}.py")
    chosen = facts.select(story.index, "go on", budget=budget)
    made, dropped = packet.compose(chosen, budget, tokens.count)
    lost = [drop for drop in dropped if drop.what == RULE and drop.why == "budget"]
    if lost:
        assert made.read_files == ()
        assert "read_" not in packet.render(made)


def test_rules_that_do_not_fit_take_the_place_of_all_read_files() -> None:
    story = Story()
    for n in range(30):
        story.prompt(f"Never touch {' '.join(f'w{n}x{k}' for k in range(20))} of part {n}.")
    for n in range(20):
        story.read(f"src/read_{n}.py")
    made, dropped = packet.compose(story.facts(budget=500), 500, tokens.count)
    assert any(drop.what == RULE and drop.why == "budget" for drop in dropped)
    assert "read_" not in packet.render(made)


@settings(max_examples=60)
@given(sessions, st.sampled_from((300, 600, 1000)))
def test_what_was_left_out_is_counted(acts: list[tuple[object, ...]], budget: int) -> None:
    story, _ = lived(acts)
    chosen = facts.select(story.index, "go on", budget=budget)
    made, dropped = packet.compose(chosen, budget, tokens.count)
    left_out = [drop.what for drop in dropped if drop.why == "budget" and drop.what != "list of paths"]
    assert bool(left_out) == ("left out to fit" in made.losses)


def test_a_rule_stands_in_the_smallest_packet_before_what_was_not_committed() -> None:
    story = Story()
    rule = "Never touch the migrations folder of the delivery service."
    story.prompt(f"Add retries to the delivery client. {rule}")
    for name in ("client", "server", "policy", "worker"):
        story.edit(f"src/courier/delivery/{name}.py")
    story.run("git commit -am x", "[retry 3f9c2d1] Add a retry policy\n 4 files changed")
    for name in ("client", "server", "policy", "worker"):
        story.edit(f"src/courier/delivery/{name}.py")
    story.call("Edit", "edit", paths=("src/courier/delivery/tests/test_client.py",))
    assert rule in story.packet(budget=300)

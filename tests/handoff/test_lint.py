"""Lint: every rule finds its bad example and spares its good one; the seeds' kind of handoff passes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from segue.errors import BadInput
from segue.handoff.document import render_document
from segue.handoff.lint import LARGEST, lint
from segue.handoff.lint.rule import Rule
from segue.handoff.lint.table import RULES
from segue.handoff.packet import compose, render
from segue.handoff.tail import recent_tail
from segue.handoff.tc import handoff_block
from segue.model.entry import Entry
from segue.model.facts import Facts
from segue.model.finding import PASSING

NOW = 1_775_400_000_000

STATEMENTS = {
    "objective": "Cover the retry policy of the HTTP client with tests.",
    "progress": "Wrote the backoff policy in `retry.py` and its first eleven tests.",
    "step": "Add a test for giving up after four attempts",
    "blocker": "Waiting for product: how long may the largest delay be?",
    "context": "The upstream answers 429 without a Retry-After header.",
    "decision": "Use full jitter, because fixed delays made the clients retry in step.",
}
DOCUMENT = """\
# Handoff

## Current objective
- {objective}

## Current state summary
- {progress}

## Projects and files touched recently
- `src/courier/retry.py` (created, needs review)

## Decisions made
- {decision}

## Open threads
- blocked: {blocker}

## Active role state
- none seen

## Immediate next actions
1. {step}

## Things the next agent would regret losing
- {context}

## RECENT TAIL (since rich handoff)

Up to [#100]. Quoted.
"""


def words(text: str) -> int:
    return len(text.split())


def document(slot: str = "", text: str = "") -> str:
    return DOCUMENT.format(**{**STATEMENTS, **({slot: text} if slot else {})})


def block(slot: str = "", text: str = "") -> str:
    said = {**STATEMENTS, **({slot: text} if slot else {})}
    return json.dumps(
        {
            "progress_summary": said["progress"],
            "next_steps": [said["step"]],
            "blockers": [said["blocker"]],
            "key_context": [said["context"]],
            "files_in_progress": [{"path": "src/courier/retry.py", "state": "needs_review", "notes": None}],
            "decisions_made": [
                {
                    "decision": "Use full jitter",
                    "rationale": "fixed delays",
                    "timestamp": "2026-04-05T14:32:00+00:00",
                }
            ],
        }
    )


def found(text: str, kind: Any = "auto") -> set[str]:
    report = lint(
        text, kind=kind, budget=40 if "read what it says" in text else None, count=words, now_ms=NOW, head=100
    )
    return {finding.rule for finding in report.findings}


def examples() -> list[Any]:
    cases = []
    for rule in RULES:
        if rule.slot == "whole":
            cases.append(pytest.param(rule, rule.bad, rule.good, id=rule.name))
        else:
            cases.append(
                pytest.param(
                    rule, document(rule.slot, rule.bad), document(rule.slot, rule.good), id=rule.name
                )
            )
    cases += [
        pytest.param(
            rule, block(rule.slot, rule.bad), block(rule.slot, rule.good), id=f"{rule.name} in a block"
        )
        for rule in RULES
        if rule.slot in ("progress", "step", "blocker", "context") and "tested:" not in rule.bad
    ]
    return cases


@pytest.mark.parametrize(("rule", "bad", "good"), examples())
def test_a_rule_finds_its_bad_example_and_spares_its_good_one(rule: Rule, bad: str, good: str) -> None:
    kind = "packet" if "## Task" in bad + good or "<read-files>" in bad else "auto"
    assert rule.name in found(bad, kind)
    assert rule.name not in found(good, kind)


def test_rules_have_names_of_their_own_and_a_hint() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    assert all(rule.hint and rule.meaning.endswith(".") for rule in RULES)


@pytest.mark.parametrize("text", [document(), block()])
def test_a_handoff_of_good_examples_passes_without_a_finding(text: str) -> None:
    assert lint(text, now_ms=NOW, head=100) == (True, 100, ())


GOOD = {
    "progress": [
        "Implemented JWT signing with HS256, wired the middleware into the main router and added two passing unit tests.",
        "Der Parser liest jetzt auch Kommentare und meldet Fehler mit Zeilennummern.",
        "解析器现在可以读取注释并报告行号。",
        "Moved the session cookie to the gateway.",
    ],
    "step": [
        "Add integration test for invalid token (401)",
        "Update README with the new POST /login endpoint",
        "Run `pytest tests/auth/` and capture output as evidence T2",
        "Testfall für abgelaufene Tokens ergänzen",
        "Die Tests laufen lassen",
        "为无效令牌添加集成测试",
        "無効なトークンの統合テストを追加する",
        "Ajouter un test pour un jeton expiré",
        "Fix `test_gives_up`: assert 3 == 4",
        "Ping the staging host",
        "Test: cover the 401 answer",
    ],
    "blocker": [
        "Test fixtures for the user model do not exist; need to create `tests/fixtures/user.py`",
        "Waiting for product to confirm whether refresh tokens are in scope (asked in #product channel)",
    ],
    "context": [
        "The `legacy_auth` module is being phased out: do NOT extend it. New code goes in `src/auth/`.",
        "We use HS256 (not RS256) because the secret rotation tooling does not support asymmetric keys yet.",
        "There is a hidden import cycle if you import `User` from `models.user` instead of `models`.",
    ],
}


@pytest.mark.parametrize(("slot", "text"), [(slot, text) for slot, texts in GOOD.items() for text in texts])
def test_what_people_write_well_is_left_alone_in_any_language(slot: str, text: str) -> None:
    assert found(document(slot, text)) == set()
    assert found(block(slot, text)) == set()


BAD = {
    "progress": [
        "Working on auth.",
        "Wrote a bunch of code.",
        "Still working on it",
        "Made good progress.",
        "Done.",
    ],
    "step": [
        "continue",
        "Continue.",
        "Keep going",
        "Finish the feature",
        "Make it better",
        "Fix the remaining bugs",
        "finish up the rest",
        "Work on it more",
        "Make sure everything works",
        "继续",
        "続き",
        "weitermachen",
        "etc.",
    ],
    "blocker": ["It's hard.", "I'm tired.", "This is really complicated", "None", "Not enough time"],
    "context": ["Be careful.", "There might be bugs."],
}
_RULE = {
    "progress": "vague-progress",
    "step": "vague-step",
    "blocker": "no-blocker",
    "context": "empty-advice",
}


@pytest.mark.parametrize(("slot", "text"), [(slot, text) for slot, texts in BAD.items() for text in texts])
def test_empty_talk_is_found(slot: str, text: str) -> None:
    assert _RULE[slot] in found(document(slot, text))
    assert _RULE[slot] in found(block(slot, text))


@pytest.mark.parametrize(
    "text",
    [
        "I need to update the docs",
        "Working on the parser",
        "Added the tests",
        "We should run `make`",
        "It would be nice to have `--json`",
    ],
)
def test_a_step_that_is_no_order_is_found(text: str) -> None:
    assert "not-imperative" in found(document("step", text))


@pytest.mark.parametrize(
    "text",
    [
        "Tests all pass now and everything is done.",
        "Tests pass",
        "All 57 tests pass",
        "Everything works now",
        "Build is green again",
        "CI passed on `main`",
        "Login has two remaining bugs",
        "`make test` passes",
        "Docs were updated for 2.0",
        "Retry tests are failing on Windows",
        "Parser fails for empty input",
    ],
)
def test_a_step_that_states_instead_of_asking_is_found(text: str) -> None:
    assert "not-imperative" in found(document("step", text))


@pytest.mark.parametrize(
    "text",
    [
        "Make `pytest tests/retry` pass",
        "Make the retry tests pass on Windows",
        "Check that the login works with two sessions",
        "Grep which call is slow in `retry.py`",
        "Vendor the client so it is built offline",
        "Ensure CI is green for `retry.py`",
        "Find out why `make` fails",
        "Build the image that is used in CI",
        "Run `make` again: no check has passed since the last edits of a.py",
        "Begin with what was edited last: src/a.py",
        "Test: the 401 answer is covered",
        "Keep 9090 as it was",
        "Check tests are green for `retry.py`",
        "Test uploads are retried",
        "Run pass 2 of the linker",
        "Second `git bisect` run",
    ],
)
def test_a_step_that_asks_is_left_alone_whatever_its_clauses_state(text: str) -> None:
    assert found(document("step", text)) == set()


PLACEHOLDERS = (
    *(
        "TODO",
        "todo",
        "TBD",
        "TBA.",
        "FIXME",
        "???",
        "?",
        "...",
        "…",
        "--",
        "n/a",
        "N/A",
        "<fill in>",
        "[placeholder]",
    ),
    *(
        "[TODO]",
        "**TBD**",
        "(n/a)",
        "<summary of the changes>",
        "[add details]",
        "Lorem ipsum dolor sit amet",
        "xxx",
    ),
    *("{{ summary }}", "to be determined", "TODO: write this", "asdf asdf"),
)
SECTIONS_OF_A_PACKET = {
    "Context": "**State of the work**\n- {}",
    "Operational Context": "**Commands that worked**\n- {}",
    "Files": "src/\n- {}",
    "Files, about one": "src/\n- uploader.py (modified, editing): {}",
    "Files, without a folder": "- {}",
    "Task": '**Goal**: "ship"\n**Next steps**\n1. {}',
    "Task, to-dos": '**Goal**: "ship"\n**Next steps**\n1. Run `make`\n**To-do list**\n- [ ] {}',
    "Notes": "**Known by now**\n- {}",
    "Notes, in prose": "{}",
    "Notes, in a list of its own": "- {}",
}


def packet_with(place: str, text: str) -> str:
    bodies = {
        "Context": '- first: "Add retries" [#1]',
        "Operational Context": "Nothing seen.",
        "Files": "Nothing seen.",
        "Task": '**Goal**: "Add retries"\n1. Run `make test` and keep its output',
        "Notes": "Nothing seen.",
    }
    bodies[place.partition(",")[0]] = SECTIONS_OF_A_PACKET[place].format(text)
    return "\n\n".join(f"## {name}\n{body}" for name, body in bodies.items())


@pytest.mark.parametrize("place", SECTIONS_OF_A_PACKET)
@pytest.mark.parametrize("text", PLACEHOLDERS)
def test_a_placeholder_is_found_in_every_section(place: str, text: str) -> None:
    report = lint(packet_with(place, text), kind="packet")
    assert [f.rule for f in report.findings if f.rule == "placeholder"] == ["placeholder"]
    assert not report.pass_


@pytest.mark.parametrize(
    "text",
    [
        "Remove the TODO in x.py",
        "Remove the `TODO` in `x.py`",
        "Replace the placeholder of the search field with its label",
        "Fill in the missing rows of `prices.csv`",
        "TODO comments in parser.py are of 2019",
        'The person wrote: "TODO: ask Kim"',
        "`go list -f '{{.Dir}}'` prints the folder",
        "The route is /users/<name>/edit",
        "Move [id].tsx into app/users",
        "The spread `...rest` loses its types",
        "none seen",
        "Nothing known.",
    ],
)
@pytest.mark.parametrize("place", ["Context", "Operational Context", "Task", "Notes", "Notes, in prose"])
def test_text_that_speaks_of_placeholders_is_none(place: str, text: str) -> None:
    assert "placeholder" not in {f.rule for f in lint(packet_with(place, text), kind="packet").findings}


@pytest.mark.parametrize(
    "text", ["[id].tsx", "[slug]", "TODO (modified)", "TODO, README.md", "a.py: TODO_LIST, parse"]
)
def test_the_name_of_a_file_is_no_placeholder(text: str) -> None:
    assert found(packet_with("Files", text), "packet") == set()


@pytest.mark.parametrize(
    ("text", "rules"), [("The key is <your key> in the docs [#3]", set()), ("TBD [#3]", {"placeholder"})]
)
def test_what_a_session_said_may_hold_a_slot_but_not_be_one(text: str, rules: set[str]) -> None:
    assert found(packet_with("Notes", text), "packet") == rules


def test_a_placeholder_among_the_listed_paths_is_found() -> None:
    text = packet_with("Notes", "Nothing seen.") + "\n\n<modified-files>\n???\n</modified-files>\n"
    assert "placeholder" in found(text, "packet")


def test_a_placeholder_in_a_row_of_a_block_is_found() -> None:
    files = [{"path": "src/a.py", "state": "editing", "notes": "TODO"}]
    text = json.dumps({**json.loads(block()), "files_in_progress": files})
    assert "placeholder" in found(text)


@pytest.mark.parametrize(
    "text",
    [
        "Rewrite the entire `auth` module",
        "Port `billing` to Go (2 days)",
        "Cover `retry.py` with tests, about 45 min",
    ],
)
def test_a_step_of_more_than_a_quarter_of_an_hour_is_found(text: str) -> None:
    assert "large-step" in found(document("step", text))


def test_renderings_of_a_session_pass(facts: Facts, entries: list[Entry]) -> None:
    packet, _ = compose(facts, 4000, words)
    for text in (
        render(packet),
        render_document(facts, recent_tail([replace(e, line=e.line + 393) for e in entries])),
        json.dumps(handoff_block(facts), ensure_ascii=False, indent=2),
    ):
        report = lint(text, facts=facts, budget=4000, count=words)
        assert report.pass_ and report.score >= PASSING, report.findings


def test_a_file_in_mid_edit_that_is_not_listed_is_found(facts: Facts) -> None:
    report = lint(document(), facts=facts)
    assert [f.message for f in report.findings if f.rule == "unlisted-file"] == [
        "tests/test_retry.py is in the middle of an edit and is not listed."
    ]


def test_a_body_older_than_the_session_is_stale(facts: Facts) -> None:
    old = document().replace("# Handoff\n", "# Handoff\n\nLast entry at 2026-04-05T13:00:00+00:00.\n")
    assert "stale" in {f.rule for f in lint(old, facts=facts).findings}
    fresh = document().replace("# Handoff\n", "# Handoff\n\nLast entry at 2026-04-05T16:20:00+02:00.\n")
    assert "stale" not in {f.rule for f in lint(fresh, facts=facts).findings}


def test_a_report_carries_no_control_characters() -> None:
    findings = lint("## Task\x1b[31m\n- TODO \x1b]0;x\x07\n\x1b<read-files>\n", kind="packet").findings
    assert findings and not any("\x1b" in text or "\x07" in text for finding in findings for text in finding)


def test_an_error_fails_however_high_the_score() -> None:
    report = lint(document("step", "continue"), now_ms=NOW, head=100)
    assert (report.pass_, report.score) == (False, 75)


def test_warnings_alone_fail_when_there_are_many() -> None:
    steps = "\n".join(f"{n}. I should do `x{n}`" for n in range(40))
    text = document("step", "We need to run `make`").replace("1. We", f"{steps}\n1. We")
    text = text.replace(
        STATEMENTS["context"], "Be careful.\n- We decided to drop it.\n- We are blocked on the key."
    )
    text = text.replace(STATEMENTS["progress"], "The flow was tested and pushed.")
    report = lint(text, now_ms=NOW, head=100)
    assert {f.severity for f in report.findings} == {"warning"}
    assert (report.pass_, report.score) == (False, 64)


@pytest.mark.parametrize("text", ["\0", "\ud800", "x" * (LARGEST + 1)])
def test_what_is_no_text_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(BadInput):
        lint(text)


def test_an_unknown_kind_is_refused_with_a_sentence() -> None:
    with pytest.raises(BadInput, match="no kind of handoff called 'poem'"):
        lint("", kind="poem")  # type: ignore[arg-type]


fragments = st.sampled_from(
    (
        *STATEMENTS.values(),
        "## Task",
        "## Notes",
        "- ",
        "1. ",
        "<read-files>",
        "</read-files>",
        "[#0]",
        "TODO",
        "```",
        "{",
        '"',
        "[1]",
    )
)


@settings(max_examples=150)
@given(
    st.lists(fragments | st.text(st.characters(exclude_categories=["Cs"]), max_size=20), max_size=12).map(
        "\n".join
    )
)
@example("{" * 3000)
@example('{"next_steps": 1, "decisions_made": [[]], "files_in_progress": [null]}')
@example('{"session_context": {"handoff": {"next_steps": ["continue"]}}}')
def test_any_text_is_judged(text: str) -> None:
    if "\0" in text:
        return
    for kind in ("auto", "packet", "document", "tc"):
        report = lint(text, kind=kind, budget=5, count=words, now_ms=NOW, head=3)
        assert 0 <= report.score <= 100
        assert report.pass_ == (
            report.score >= PASSING and all(f.severity != "error" for f in report.findings)
        )


@settings(max_examples=30)
@given(st.from_type(Facts))
def test_a_rendering_of_a_hostile_session_has_the_form_of_a_handoff(facts: Facts) -> None:
    packet, _ = compose(facts, 100_000, words)
    form = {
        "missing-section",
        "repeated-section",
        "broken-block",
        "path-in-both-lists",
        "unsorted-block",
        "bad-field",
    }
    assert form.isdisjoint(found(render(packet), "packet"))
    assert form.isdisjoint(found(render_document(facts, ""), "document"))


def test_none_in_a_list_of_blockers_is_no_blocker() -> None:
    text = "## Task\n**Next steps**\n1. Add a test for `parse()`\n**Blockers**\n- None\n\n## Notes\nNothing seen.\n"
    findings = lint(text, kind="packet").findings
    assert [f.where for f in findings if f.rule == "no-blocker"] == ["Task, line 5"]


def test_a_session_that_stopped_in_mid_turn_leaves_no_file_unlisted_by_that() -> None:
    told = (
        "Deleted `src/old.py`; `go test ./internal/sync` passed. The session stopped in the middle of a turn."
    )
    assert "unlisted-file" not in found(block("progress", told))
    assert "unlisted-file" in found(block("progress", "Moved the client. src/pool.py is half-way done."))


CONTRADICTIONS = [
    ("told-two-ways", "**Stopped in**\n- no result was seen of `make` [#9]\n**Commands**\n- `make` ok [#9]"),
    ("told-two-ways", "**Failing when last run**\n- `make` exit 1 [#9]\n**Commands**\n- `make` ok [#12]"),
    ("path-in-both-lists", "## Files\nsrc/\n- a.py (modified) [#4]\n<read-files>\nsrc/a.py\n</read-files>"),
    ("path-in-both-lists", "## Files\n./\n- a.py (deleted)\n<modified-files>\na.py\n</modified-files>"),
    (
        "open-and-completed",
        "**Then**\n1. Take up the to-do: Ship it [#4]\n**To-do list**\n- [x] Ship it and 2 before it [#4]",
    ),
    (
        "step-already-done",
        "**Git**\n- done: opened https://h/a/pull/4 [#4]\n**Then**\n1. Open https://h/a/pull/4",
    ),
    (
        "step-already-done",
        '**Git**\n- done: commit 1a2b3c4 on m: Add x [#4]\n**Then**\n1. Commit it as "Add x"',
    ),
    ("step-already-done", "**Git**\n- pushed: pushed m -> m [#4]\n**Then**\n1. Push m"),
    ("repeated", '## Context\n**Asked for, in order**\n- "go" [#4]\n- "go" [#4]'),
]


@pytest.mark.parametrize(("rule", "text"), CONTRADICTIONS)
def test_two_statements_that_cannot_both_be_so_are_found(rule: str, text: str) -> None:
    text = text if text.startswith("##") else f"## Task\n{text}"
    assert rule in found(text, "packet")


@pytest.mark.parametrize(
    "text",
    [
        "**Failing when last run**\n- `make` exit 1 [#12]\n**Commands**\n- `make -k` ok [#12]",
        "**Git**\n- pushed: pushed m -> m [#4]\n- done: commit 1a2b3c4 on m: x [#6]\n**Then**\n1. Push m",
        '**Asked for, in order**\n- answer to "Which?": "b" [#4]\n**Then**\n1. Have answered: "Which?" [#9]',
        '**Asked for, in order**\n- "go" [#4]\n- "go" [#6]',
    ],
)
def test_what_came_later_contradicts_nothing(text: str) -> None:
    told = {"told-two-ways", "step-already-done", "answered-and-open", "repeated"}
    assert not told & found(f"## Task\n{text}", "packet")

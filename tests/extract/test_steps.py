"""Next steps: what is open and only that; what looks done is told as such."""

from __future__ import annotations

import pytest

from segue.extract.facts import select
from segue.model.facts import Facts

from .story import Story


def chosen(story: Story, goal: str = "", budget: int = 4000) -> Facts:
    return select(story.index, goal, budget=budget)[0]


def steps(story: Story, goal: str = "") -> list[tuple[str, str]]:
    return [(step.basis, step.text) for step in chosen(story, goal).next_steps]


def commit(story: Story, subject: str) -> int:
    return story.run(f"git commit -am '{subject}'", f"[main 1a2b3c4] {subject}\n 2 files changed\n")


FINISHED = (
    "Treat the work as finished unless told otherwise: commit 1a2b3c4 on main: Implement the importer, "
    "and no failure, to-do or question is open."
)


def finished(story: Story) -> Story:
    story.prompt("Implement the importer.")
    story.edit("src/importer.py", new="def load(): ...")
    story.run("pytest -q", "9 passed in 0.1s")
    commit(story, "Implement the importer")
    story.says("The importer is done, tested and committed.")
    return story


def test_of_finished_work_the_steps_say_that_it_looks_finished_and_what_would_verify_it(story: Story) -> None:
    assert steps(finished(story)) == [
        ("finished", FINISHED),
        ("check", "Verify with `pytest -q`, which passed last."),
    ]


def test_finished_work_is_not_said_to_leave_nothing_open_where_something_fails(story: Story) -> None:
    story.prompt("Set it up.")
    story.run("npm install left-pad", "npm error 404 Not Found", 1)
    story.edit("src/importer.py")
    commit(story, "Implement the importer")
    story.says("Done.")
    assert steps(story) == [("finished", FINISHED.replace("failure, to-do or question", "to-do or question"))]


def test_a_goal_begins_something_new(story: Story) -> None:
    assert steps(finished(story), "teach src/importer.py csv")[0] == (
        "goal",
        "Begin with what the goal names: src/importer.py.",
    )


def test_work_that_was_edited_after_the_last_check_is_not_called_finished(story: Story) -> None:
    finished(story)
    story.prompt("Now the exporter.")
    story.edit("src/exporter.py", new="def dump(): ...")
    story.says("Done.")
    assert [basis for basis, _ in steps(story)] == ["recent", "check"]


def test_work_that_the_person_praised_is_finished(story: Story) -> None:
    story.prompt("Add a button.")
    story.edit("src/app.js")
    story.says("Done.")
    story.prompt("nice, that worked!")
    story.says("Glad to hear it.")
    assert steps(story) == [
        (
            "finished",
            "Treat the work as finished unless told otherwise: the person's last word is praise, "
            "and no failure, to-do or question is open.",
        )
    ]


@pytest.mark.parametrize(
    ("said", "step"),
    [
        (said, f'See whether "{said}" is met: no edit, commit or push was seen since.')
        for said in ("good, now the other button", "that is not good", "yep")
    ]
    + [("works?", 'Ask what comes next: "works?" was answered.')],
)
def test_praise_with_a_request_is_none(story: Story, said: str, step: str) -> None:
    story.prompt("Add a button.")
    story.edit("src/app.js")
    story.says("Done.")
    story.prompt(said)
    story.says("Sure.")
    assert steps(story) == [("request", step), ("recent", "Begin with what was edited last: src/app.js.")]


@pytest.mark.parametrize(
    "said",
    ["Now also write docs/cache.md.", "it crashes on startup now: KeyError: 'ttl'", "yep"],
)
def test_what_was_handed_in_before_the_last_request_does_not_finish_it(story: Story, said: str) -> None:
    finished(story)
    at = story.prompt(said)
    story.read("src/importer.py")
    story.says("The key is read before the table is there.")
    first = chosen(story).next_steps[0]
    assert (first.basis, first.text, [e.line for e in first.evidence]) == (
        "request",
        f'See whether "{said}" is met: no edit, commit or push was seen since.',
        [at],
    )
    assert [basis for basis, _ in steps(story)] == ["request", "check"]


def test_a_check_that_passed_again_is_no_proof_that_a_request_was_met(story: Story) -> None:
    finished(story)
    story.prompt("The import of empty rows is wrong, fix it.")
    story.run("pytest -q", "9 passed in 0.1s")
    story.says("The rows are skipped.")
    assert steps(story)[0][0] == "request"


def test_a_question_that_was_answered_after_the_work_asks_for_no_more_of_it(story: Story) -> None:
    finished(story)
    story.prompt("What does the importer do with empty rows?")
    story.says("It skips them.")
    assert steps(story)[0] == (
        "request",
        'Ask what comes next: "What does the importer do with empty rows?" was answered.',
    )


def test_thanks_after_the_work_ask_for_nothing(story: Story) -> None:
    finished(story)
    story.prompt("thanks")
    story.says("You are welcome.")
    assert steps(story)[0][0] == "finished"


@pytest.mark.parametrize(
    "left",
    [
        "The exporter is still to do.",
        "The rollout is waiting for your approval; after that I need to run the smoke test.",
        "I haven't tested it against the real table yet.",
    ],
)
def test_work_that_the_agent_calls_unfinished_is_not_called_finished(story: Story, left: str) -> None:
    finished(story)
    story.says(f"The importer is committed. {left}")
    assert steps(story)[0] == ("said", f'See to what the agent said is left: "{left}"')


def test_what_was_left_once_and_is_not_the_end_of_the_story_does_not_keep_the_work_open(story: Story) -> None:
    finished(story)
    story.says("The rows that were not yet read are read now. Nothing is still to do.")
    assert steps(story)[0][0] == "finished"


def test_an_agent_that_was_about_to_go_on_has_not_finished(story: Story) -> None:
    finished(story)
    story.says("Committed. Let me also read the rest of the exporter:")
    assert steps(story)[0] == (
        "in flight",
        'Take up what the agent was about to do: "Let me also read the rest of the exporter:"',
    )


def test_what_was_answered_is_no_request_to_go_on_with(story: Story) -> None:
    story.prompt("What does the importer do?")
    story.says("It reads rows and writes them to the table.")
    assert steps(story) == [
        (
            "request",
            'Ask what comes next: "What does the importer do?" was answered.',
        )
    ]


def test_a_question_comes_before_where_to_begin(story: Story) -> None:
    story.prompt("Run the linter and fix what it says.")
    story.edit("main.go")
    story.run("golangci-lint run", "0 issues.")
    story.run("git push", "! [rejected] main -> main (fetch first)\nerror: failed to push some refs", 1)
    story.says("The push was rejected. Shall I rebase or merge?")
    assert [basis for basis, _ in steps(story)][:2] == ["failure", "question"]
    assert steps(story)[0][1].startswith("Get `git push` through")


def test_a_question_that_the_next_prompt_answered_is_not_open(story: Story) -> None:
    story.prompt("Plan the importer.")
    story.says("One table or two. Which one do you want?")
    assert len(chosen(story).questions) == 1
    story.prompt("two, go ahead")
    story.call("Bash", "shell", command="make tables")
    assert chosen(story).questions == ()


def kept(story: Story) -> Story:
    story.prompt("Implement the reader and the writer.")
    story.todos(
        ("Implement the reader", "in_progress"),
        ("Implement the writer", "pending"),
        ("Run the tests", "pending"),
    )
    story.edit("src/reader.py")
    return story


def test_a_list_that_was_not_kept_while_the_work_was_handed_in_may_be_done(story: Story) -> None:
    kept(story)
    commit(story, "Reader and writer")
    story.says("Both are there.")
    facts = chosen(story)
    assert [todo.stale for todo in facts.todos] == [True, True, True]
    assert [step.text for step in facts.next_steps if step.basis == "todo"] == [
        "See which to-dos are left: the list was last kept before work that was handed in since."
    ]


def test_a_commit_in_the_middle_of_a_turn_ticks_off_only_what_it_names(story: Story) -> None:
    kept(story)
    commit(story, "Implement the reader")
    story.call("Bash", "shell", command="make")
    facts = chosen(story)
    assert [todo.stale for todo in facts.todos] == [True, False, False]
    assert [step.text for step in facts.next_steps if step.basis == "todo"] == [
        "Do: Implement the writer",
        "Do: Run the tests",
    ]


def test_a_check_that_was_to_be_run_and_passed_after_the_last_edit_is_done(story: Story) -> None:
    kept(story)
    story.run("pytest -q", "9 passed in 0.1s")
    assert [todo.stale for todo in chosen(story).todos] == [False, False, True]
    story.edit("src/writer.py")
    assert [todo.stale for todo in chosen(story).todos] == [False, False, False]


def failed_long_ago(story: Story) -> Story:
    story.prompt("Move the types.")
    story.run("npx tsc --noEmit", "src/a.ts(1,1): error TS2739: Type is missing", 2)
    for text in ("And the theme.", "And the colours.", "And the docs."):
        story.prompt(text)
        story.edit("src/theme.ts")
        story.says("Done.")
    return story


def test_an_old_failure_that_other_checks_have_passed_since_is_to_be_looked_at_again(story: Story) -> None:
    failed_long_ago(story)
    assert steps(story)[0][0] == "failure"
    story.run("npm run build", "built in 2s")
    story.says("Done.")
    said = [text for basis, text in steps(story) if basis == "failure"]
    assert said == [
        "See whether `npx tsc --noEmit` still fails: not run since, and `npm run build` passed later."
    ]
    assert steps(story)[0][0] != "failure"


def test_old_failures_that_one_later_check_speaks_for_are_one_step(story: Story) -> None:
    story.prompt("Check the style.")
    story.run("npx eslint src", "src/b.ts\n  1:1  error  Unexpected var  no-var\n1 problem", 1)
    failed_long_ago(story)
    story.run("npm run lint", "0 problems, all 12 files passed")
    story.says("Done.")
    (said,) = (step for step in chosen(story).next_steps if step.basis == "failure")
    assert said.text.startswith("See whether `npx tsc --noEmit`, `npx eslint src` still fail: not run since,")
    assert len(said.evidence) == 2


def test_a_test_that_failed_is_not_answered_by_a_linter(story: Story) -> None:
    story.prompt("Move the types.")
    story.run("pytest tests/test_a.py", "FAILED tests/test_a.py::test_b - boom\n1 failed in 1s", 1)
    for text in ("And the theme.", "And the colours.", "And the docs."):
        story.prompt(text)
    story.run("ruff check", "All checks passed!")
    story.says("Done.")
    assert steps(story)[0] == (
        "failure",
        "Make `pytest tests/test_a.py` pass — FAILED tests/test_a.py::test_b - boom",
    )


def test_what_the_agent_said_it_does_next_and_went_on_with_is_no_proposal(story: Story) -> None:
    story.prompt("Fix the handler.")
    story.says("The next step is to locate the handler and to change it.")
    story.read("src/handler.py")
    story.edit("src/handler.py")
    assert [basis for basis, _ in steps(story)] == ["in flight", "recent"]


@pytest.mark.parametrize(
    ("asked", "step"),
    [
        ("Fix the parser, then commit.", ("Commit the work", "no commit")),
        ("Fix the parser. When you are done, commit and push.", ("Commit the work", "no commit")),
        ("can you commit", ("Commit the work", "no commit")),
        ("Fix the parser and open a PR.", ("Open the pull request", "none")),
        (
            "Fix it. You can hand it in by simply running the submit command.",
            ("Run `submit`", "no run of it"),
        ),
    ],
)
def test_what_the_person_asked_to_be_done_with_the_work_is_owed_until_it_is_seen(
    story: Story, asked: str, step: tuple[str, str]
) -> None:
    at = story.prompt(asked)
    story.edit("src/parser.py")
    story.says("Fixed.")
    (first, *_) = [s for s in chosen(story).next_steps if s.basis == "owed"]
    assert first.text == f"{step[0]} when it is ready, as the person asked: {step[1]} was seen since."
    assert [e.line for e in first.evidence] == [at]


@pytest.mark.parametrize(
    "asked",
    [
        "Fix the parser, but don't commit.",
        "When you commit, use the imperative.",
        "The last commit broke the parser.",
        "Fix the commit message check.",
        "Do meaningful commits along the way.",
        "Why did the push fail?",
        "Make the PR description shorter in the template.",
        "The read side is simple. push side feels harder",
        "Most tools assume you fetch everything, then push it back.",
    ],
)
def test_what_is_forbidden_or_only_spoken_of_is_not_owed(story: Story, asked: str) -> None:
    story.prompt(asked)
    story.edit("src/parser.py")
    story.says("Fixed.")
    assert steps(story) == [("recent", "Begin with what was edited last: src/parser.py.")]


def test_an_order_that_was_carried_out_or_taken_back_is_not_owed(story: Story) -> None:
    story.prompt("Fix the parser, commit and push.")
    commit(story, "Fix the parser")
    assert [s.text.split()[0] for s in chosen(story).next_steps if s.basis == "owed"] == ["Push"]
    story.prompt("wait, don't push yet")
    assert [s for s in chosen(story).next_steps if s.basis == "owed"] == []


def test_a_last_command_that_was_called_as_a_tool_is_not_owed(story: Story) -> None:
    story.prompt("Fix it. You can hand it in by simply running the submit command.")
    story.edit("src/parser.py")
    assert [s.text.split()[1] for s in chosen(story).next_steps if s.basis == "owed"] == ["`submit`"]
    story.call("submit", "other")
    assert [s for s in chosen(story).next_steps if s.basis == "owed"] == []


def test_a_failed_command_too_long_to_tell_keeps_the_flags_of_its_values(story: Story) -> None:
    story.prompt("go")
    line = "xcodebuild test -scheme Habits -destination 'platform=iOS Simulator,name=iPhone 15' -resultBundlePath out/a.xcresult"
    story.run(line, "error: build failed", 65)
    story.says("That is the state of it.")
    assert steps(story)[0][1].startswith(
        "Make `xcodebuild test -scheme Habits -destination 'platform=iOS Simulator,name=iPhone"
    )


def test_a_failed_command_too_long_to_tell_shows_where_it_was_cut(story: Story) -> None:
    story.prompt("go")
    packages = " ".join(
        f"./internal/strategy/{name}" for name in ("bootstrap", "incremental", "mirror", "plan")
    )
    story.run(f"go test {packages}", "FAIL ./internal/strategy/incremental [setup failed]", 1)
    story.says("That is the state of it.")
    assert steps(story)[0][1].startswith("Make `go test ./internal/strategy/bootstrap …` pass")


def test_work_that_was_submitted_by_a_tool_of_its_own_is_finished(story: Story) -> None:
    story.prompt("Fix the rounding and submit it.")
    story.edit("src/rounding.py", new="def rounded(): ...")
    story.says("I submit it.")
    story.add("tool_result", "", call_id=story.call("submit", "other"))
    story.add("meta", by="harness", data={"turn_over": "submitted"})
    assert steps(story) == [
        (
            "finished",
            "Treat the work as finished unless told otherwise: it was submitted, and no failure, to-do or question is open.",
        )
    ]


def test_work_that_a_later_turn_goes_on_with_is_no_longer_submitted(story: Story) -> None:
    story.prompt("Fix the rounding and submit it.")
    story.add("tool_result", "", call_id=story.call("submit", "other"))
    story.add("meta", by="harness", data={"turn_over": "submitted"})
    story.prompt("Now the exporter.")
    story.edit("src/exporter.py", new="def dump(): ...")
    story.says("Done.")
    assert [basis for basis, _ in steps(story)] == ["recent"]


@pytest.mark.parametrize(
    "asked",
    [
        "Don't forget to push.",
        "Füge den Cache hinzu, committe und pushe dann.",
        "Wenn alles grün ist, bitte pushen.",
        "Ajoute le cache puis commite et pousse.",
        "Añade la caché, haz commit y push.",
        "Adicione o cache, faça commit e push.",
        "Добавь кэш, закоммить и запушь.",
        "キャッシュを追加して、コミットしてプッシュしてください。",
        "添加缓存，然后提交并推送。",
    ],
)
def test_a_push_that_was_asked_for_in_any_language_is_owed(story: Story, asked: str) -> None:
    story.prompt(asked)
    story.edit("src/cache.py")
    story.says("Done.")
    assert "Push the work when it is ready, as the person asked: no push was seen since." in [
        text for basis, text in steps(story) if basis == "owed"
    ]


@pytest.mark.parametrize(
    "asked",
    [
        "Füge den Cache hinzu, aber nicht pushen.",
        "Pushe noch nicht.",
        "Ajoute le cache, ne pousse pas.",
        "Añade la caché, no hagas push.",
        "Добавь кэш, не пушь.",
        "キャッシュを追加して。プッシュはしないでください。",
        "添加缓存，不要推送。",
        "看一下上次的提交信息。",
    ],
)
def test_a_push_that_was_forbidden_in_any_language_is_not_owed(story: Story, asked: str) -> None:
    story.prompt("Push it when it is ready.")
    story.prompt(asked)
    story.edit("src/cache.py")
    story.says("Done.")
    owed = [text for basis, text in steps(story) if basis == "owed"]
    assert [text.split(" ")[0] for text in owed] == (["Push"] if "信息" in asked else [])


@pytest.mark.parametrize(
    ("asked", "owing"),
    [
        ("Mach danach einen PR auf.", True),
        ("Ouvre une PR quand c'est prêt.", True),
        ("Mach weiter mit dem PR-Text.", False),
    ],
)
def test_a_request_to_open_is_owed_in_any_language(story: Story, asked: str, owing: bool) -> None:
    story.prompt(asked)
    story.edit("src/cache.py")
    story.says("Done.")
    assert any(text.startswith("Open the pull request") for _, text in steps(story)) == owing


@pytest.mark.parametrize(
    "left",
    [
        "I'll push as soon as you approve.",
        "The push has to wait for your word.",
        "All is set apart from the load test, which I haven't run.",
        "Ich muss noch den Lasttest laufen lassen.",
        "Il reste à mettre à jour la page.",
        "Todavía falta actualizar la página.",
        "Осталось обновить страницу.",
        "ページの更新がまだです。",
        "页面尚未更新。",
    ],
)
def test_what_the_agent_says_is_left_is_a_step_in_any_language(story: Story, left: str) -> None:
    finished(story)
    story.prompt("Nice. Now the cache.")
    story.edit("src/cache.py")
    story.run("pytest -q", "9 passed in 0.1s")
    story.says(f"The cache is in.\n{left}")
    assert ("said", f'See to what the agent said is left: "{left}"') in steps(story)


@pytest.mark.parametrize(
    "said", ["Es fehlt nichts mehr.", "Il ne reste rien à faire.", "No falta nada.", "Done."]
)
def test_that_nothing_is_left_is_no_step(story: Story, said: str) -> None:
    finished(story)
    story.says(said)
    assert steps(story) == [("finished", FINISHED), ("check", "Verify with `pytest -q`, which passed last.")]


def test_what_is_left_is_a_step_beside_a_goal_and_told_once(story: Story) -> None:
    finished(story)
    story.says("The importer is in. The docs page remains to be written.")
    said = ("said", 'See to what the agent said is left: "The docs page remains to be written."')
    assert steps(story, "teach it csv").count(said) == 1
    story.says("Next steps: I still need to write the docs page.")
    assert [basis for basis, _ in steps(story, "teach it csv")].count("said") == 1


def test_the_step_about_a_failure_says_what_is_wrong(story: Story) -> None:
    story.prompt("go")
    story.run(
        "npx vitest run",
        " ❯ src/refill.test.ts (4 tests | 1 failed)\n   × refill > never exceeds capacity\n"
        "     → expected 140 to be less than or equal to 100\n Test Files  1 failed (1)",
        1,
    )
    story.says("One test fails.")
    assert steps(story)[0] == (
        "failure",
        "Make `npx vitest run` pass — expected 140 to be less than or equal to 100",
    )


def test_a_command_that_had_failed_and_went_well_after_the_last_edit_finishes_the_work(story: Story) -> None:
    story.prompt("Why does pnpm fix fail?")
    story.run("pnpm fix", "error: default import is not allowed", 1)
    story.edit("demo/link.tsx")
    story.run("pnpm fix", "0 errors")
    story.says("It was the import; it is mended.")
    assert steps(story) == [
        (
            "finished",
            "Treat the work as finished unless told otherwise: `pnpm fix`, which had failed, went well after the last edit, "
            "and no failure, to-do or question is open.",
        )
    ]


def test_what_is_taken_up_is_what_was_last_said_where_the_prompt_says_little(story: Story) -> None:
    story.prompt("Unify the two views.")
    story.says("Half of it is done.")
    story.prompt("continue")
    story.says("Now the second view gets its own header.")
    story.edit("src/view.py")
    assert steps(story)[0] == (
        "in flight",
        'Take up "Now the second view gets its own header.", which was under way when the session stopped.',
    )


def test_a_question_that_points_back_is_told_with_what_it_points_to(story: Story) -> None:
    finished(story)
    story.says("Done. The next task is the exporter. Want me to continue with it?")
    assert steps(story)[0] == (
        "question",
        'Settle what the agent asked and nobody answered: "The next task is the exporter. Want me to continue with it?"',
    )


def test_work_that_was_handed_in_is_not_where_to_begin(story: Story) -> None:
    finished(story)
    story.says("Shall I do the exporter next?")
    assert [basis for basis, _ in steps(story)] == ["question", "check"]
    assert "recent" not in [basis for basis, _ in steps(story, "write the release notes")]


@pytest.mark.parametrize(
    ("said", "to"),
    [
        ("Now the lookup path.", ""),
        ("The model file looks fine.", ""),
        ("Ich sehe mir die Tabelle an.", ""),
        ("I suggest to split the reader next.", "I suggest to split the reader next."),
        (
            "The reader works. Shall I write the index next?",
            "The reader works. Shall I write the index next?",
        ),
    ],
)
def test_to_continue_says_yes_to_a_proposal_alone(story: Story, said: str, to: str) -> None:
    story.prompt("Make the mailbox reader faster.")
    story.says(said)
    assert chosen(story, "continue").goal_to == to


def test_a_goal_that_names_nothing_does_not_begin_with_a_file_that_was_spoken_of(story: Story) -> None:
    story.prompt("Make the mailbox reader faster.")
    story.read("src/mailbox_reader.py")
    story.edit("src/ledger.py", new="def build(): ...")
    story.says("The mailbox reader looks fine.")
    begin = [text for _, text in steps(story, "continue") if text.startswith("Begin")]
    assert begin == ["Begin with what was edited last: src/ledger.py."]


@pytest.mark.parametrize(
    ("check", "named"),
    [
        ("ruff check src/other.py", False),
        ("go test ./pkg/prompt", False),
        ("pytest tests/test_other.py", False),
        ("pytest -k other", False),
        ("ruff check src/ledger.py", True),
        ("pytest tests/test_ledger.py", True),
        ("pytest src", True),
        ("pytest tests", True),
        ("pytest tests/other", False),
        ("pytest -q", True),
    ],
)
def test_what_verifies_the_work_is_a_check_of_what_was_edited_last(
    story: Story, check: str, named: bool
) -> None:
    story.prompt("Make the index smaller.")
    story.edit("src/ledger.py", new="def build(): ...")
    story.run(check, "All checks passed! 4 passed in 0.1s\nok pkg 0.1s")
    assert any(check in text for basis, text in steps(story, "continue") if basis == "check") == named


def test_a_question_that_was_seen_twice_is_settled_once(story: Story) -> None:
    story.prompt("Make the index smaller.")
    story.says("Done. How many days ahead should we allow?")
    story.prompt("now the other page, with its table and the footer")
    story.says("How many days ahead should we allow?")
    assert len([text for basis, text in steps(story) if basis == "question"]) == 1


def test_a_short_prompt_that_names_its_work_is_what_is_taken_up(story: Story) -> None:
    story.prompt("Alert when a gauge is silent.")
    story.says("Done.")
    story.prompt("go on with the alert")
    story.says("Now the notify path.")
    story.call("Bash", "shell", command="ls")
    story.add("tool_result", "a b", call_id="c1", exit_code=0, is_error=False)
    assert any('"go on with the alert"' in text for _, text in steps(story))


def test_a_merge_whose_conflicts_were_added_is_to_be_concluded(story: Story) -> None:
    story.prompt("Merge main.")
    story.run("git merge main", "CONFLICT (content): Merge conflict in a.py\nAutomatic merge failed", 1)
    story.run("git add -A")
    story.says("Resolved.")
    text = "Conclude `git merge`: its conflicts were resolved and added, and its end was not seen."
    assert steps(story)[0] == ("in flight", text)


def test_whatever_fails_is_to_be_seen_to_also_where_it_is_no_check(story: Story) -> None:
    story.prompt("Train it.")
    story.run("python -m churn.train --full", "ValueError: bad feature name", 1)
    story.run("pytest -q", "1 failed in 0.1s", 1)
    story.says("One question before I go on: keep the legacy rows?")
    assert [text for basis, text in steps(story) if basis == "failure"] == [
        "Make `pytest -q` pass — 1 failed in 0.1s",
        "Get `python -m churn.train --full` through — ValueError: bad feature name",
    ]

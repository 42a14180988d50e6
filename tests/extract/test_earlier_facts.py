"""What an earlier handoff said is carried on, hop after hop, each fact with the session it was seen in."""

from __future__ import annotations

from segue.extract import facts, index, tokens
from segue.model.facts import Facts
from segue.model.packet import apart

from .story import BUDGET, Story, rendered, rows, told

RULE = "Never touch the migrations folder, and use port 9090 for the server."
CORRECTION = "no, 9191"


def first() -> Story:
    story = Story("first-session")
    story.prompt(RULE)
    story.edit("src/upload.py", new="def resume_from(offset): ...")
    story.todos(("document the resume header", "pending"))
    story.run("git commit -am Resume", "[main 1a2b3c4] Resume\n 1 file changed")
    story.run("pytest tests/test_resume.py", "E   AssertionError: offset 0\n1 failed in 0.1s", 1)
    story.says("I decided to retry with a backoff because bursts are punished by the server.")
    story.prompt(CORRECTION)
    story.says("Changed to 9191.")
    return story


def hop(name: str, earlier: Facts, said: str = "Please go on with the work.") -> Story:
    story = Story(name, earlier=[earlier])
    story.prompt(said)
    story.says("Working on it.")
    return story


def after_hops(count: int) -> Facts:
    carried = first().facts()
    for number in range(count):
        carried = hop(f"hop-{number:04}", carried, f"Please look at item {number} of the list.").facts()
    return carried


def test_constraints_survive_ten_hops() -> None:
    carried = after_hops(10)
    kept = {prompt.text: (prompt.origin, [at.line for at in prompt.evidence]) for prompt in carried.prompts}
    assert kept[RULE] == ("first-se", [2])
    assert kept[CORRECTION] == ("first-se", [11])
    for budget in (1500, BUDGET):
        asked = told(rendered(carried, budget), "Asked for")
        assert f'"{RULE}" [#2 of first-se]' in asked
        assert asked.index(RULE) < asked.index(CORRECTION)


def test_ten_hops_keep_a_packet_within_its_budget() -> None:
    carried = after_hops(10)
    assert all(tokens.count(rendered(carried, budget)) <= budget for budget in (300, 1000, BUDGET))


def test_nothing_is_carried_twice() -> None:
    carried = after_hops(10)
    texts = [prompt.text for prompt in carried.prompts]
    assert len(texts) == len(set(texts))
    assert [link.session_id for link in carried.lineage] == [
        "first-session",
        *(f"hop-{n:04}" for n in range(9)),
    ]
    assert len({(claim.text, claim.origin) for claim in carried.claims}) == len(carried.claims)


def test_what_an_earlier_session_left_open_is_marked_with_its_session() -> None:
    text = hop("second-session", first().facts()).packet()
    assert "`pytest tests/test_resume.py` exit 1 [#9 of first-se]" in told(text, "Failing")
    assert "- done: commit 1a2b3c4 on main: Resume [#7 of first-se]" in told(text, "Git")
    assert "document the resume header [#5 of first-se]" in text
    assert "retry with a backoff because bursts are punished" in told(text, "Reported")
    assert "It goes on from generic session first-session" in told(text, "Notes")


def test_files_are_carried_with_what_became_of_them() -> None:
    second = hop("second-session", first().facts())
    file = next(file for file in second.index.files if file.path == "src/upload.py")
    assert (file.action, file.origin, file.evidence[0].line) == ("modified", "first-se", 3)
    assert "resume_from" in file.symbols


def test_a_file_that_is_edited_again_is_this_session_s() -> None:
    second = hop("second-session", first().facts())
    second.edit("src/upload.py")
    file = next(file for file in second.index.files if file.path == "src/upload.py")
    assert (file.origin, file.edits) == ("", 1)


def test_what_was_only_pending_before_is_told_by_the_session_that_sees_it() -> None:
    before = first().facts()
    assert [claim.act for claim in before.claims if claim.state == "pending"] == ["push"]
    assert [c for c in hop("second-session", before).facts().claims if c.state == "pending"] == []


def test_a_to_do_list_of_this_session_replaces_the_carried_one() -> None:
    second = hop("second-session", first().facts())
    second.todos(("write the page", "pending"))
    assert [todo.text for todo in second.index.todos] == ["write the page"]


def test_a_packet_among_the_prompts_is_not_the_person_s_words() -> None:
    before = first()
    known = before.facts()
    story = Story("second-session")
    at = story.prompt(f"{before.packet()}\nonly fix the tests")
    story.says("ok")
    built = index.build(story.entries, "generic", "s.jsonl", lambda text: text, facts_of=lambda _: known)
    own = [prompt.text for prompt in built.prompts if not prompt.origin]
    assert own == ["only fix the tests"]
    assert [prompt.text for prompt in built.prompts if prompt.origin] == [RULE, CORRECTION]
    assert [(link.session_id, link.evidence[0].line) for link in built.lineage] == [("first-session", at)]


def test_a_packet_of_which_nothing_is_known_is_set_aside_and_the_rest_is_said() -> None:
    story = Story("second-session")
    story.prompt(f"{first().packet()}\nonly fix the tests")
    assert [prompt.text for prompt in story.index.prompts] == ["only fix the tests"]


def test_a_prompt_that_only_mentions_a_handoff_is_a_prompt() -> None:
    text = "This handoff was drawn from nowhere. Never mind."
    assert apart(text) == ("", text)
    story = Story()
    story.prompt(text)
    assert [prompt.text for prompt in story.index.prompts] == [text]


def test_the_later_of_two_handoffs_of_one_session_counts() -> None:
    story = first()
    early = story.facts()
    story.prompt("Keep the old flag too.")
    story.says("Kept.")
    later = story.facts()
    second = Story("second-session", earlier=[early, later])
    second.prompt("go on with it")
    texts = [prompt.text for prompt in second.index.prompts]
    assert texts == [RULE, CORRECTION, "Keep the old flag too.", "go on with it"]


def test_a_handoff_that_a_later_one_holds_is_not_carried_beside_it() -> None:
    before = first().facts()
    middle = hop("second-session", before).facts()
    third = Story("third-session", earlier=[before, middle])
    third.prompt("go on with it")
    texts = [prompt.text for prompt in third.index.prompts]
    assert texts.count(RULE) == 1


def test_carried_facts_weigh_nothing_until_they_are_judged_again() -> None:
    built = hop("second-session", first().facts()).index
    assert {item.score for item in (*built.prompts, *built.reports, *built.commands) if item.origin} == {0.0}
    chosen = facts.select(built, "the migrations folder")
    assert all(prompt.score > 0 for prompt in chosen.prompts if prompt.text == RULE)


def test_the_last_prompt_of_this_session_stands_before_carried_ones_are_dropped() -> None:
    carried = after_hops(10)
    story = hop("last-session", carried, "Now release version 2.")
    text = story.packet(budget=500)
    assert "Now release version 2." in told(text, "Asked for")
    assert rows(text, "Asked for")

"""Rules that are hardly a sentence are words of the person, and what looks like them is not."""

from __future__ import annotations

import pytest

from .story import Story

RULES = [
    "Figures: viridis palette, captions in the qmd.",
    "Titles in figures: fig 3 may have one, the others still none.",
    "As for logging: structlog everywhere.",
    "Commits: imperative, lowercase, short.",
    "25 hz, final answer.",
    "4 workers, final.",
    "we settled on postgres 15.",
    "DDL on prod still no, obviously.",
    "Same for the worker.",
    "Tabs, two wide.",
    "btw 30 is too much for the small vms, go 20 hz.",
    "make the vessel cutoff 5 trips, 10 throws away too much.",
    "you can't highlight with the primary color",
    "scratch the bit about caching.",
    "No lo despliegues el viernes.",
    "El puerto queda en 9090, confirmado.",
    "Asegúrate de que los tests pasan en CI.",
    "Olvídate de lo del caché.",
    "Commity pisz po angielsku.",
    "Ostatecznie zostaje port 9090.",
    "Zapomnij o Redisie.",
    "Vergiss das mit dem Cache.",
    "Забудь про кеш.",
    "コントラスト 7:1 は本文だけ、それ以外は 4.5:1 で確定です。",
    "ログの保存先は S3 にします。",
    "webkit は必要になりました。",
    "コントラストは最低 4.5:1 で。",
    "端口就用 9090。",
]
TALK = [
    "Status: done and merged.",
    "License: Unknown",
    "Next.js version: 16.2.4",
    "one question: does this work on windows?",
    "I tried it: nothing happens",
    "The final version looks great.",
    "still no luck with the login",
    "same thing happening with the other page",
    "go 2 steps back",
    "I can't see the button.",
    "No sé por qué falla.",
    "Thanks, that's settled then.",
    "we confirmed 3 bugs in the parser",
    "Make the sidebar 20px wider and the logo 2x.",
    "Still not sure about the colors. Same for the fonts.",
    "No tienes permisos en ese servidor.",
    "Nie działa mi logowanie.",
    "Nie wiem, co się stało.",
    "いい感じです。",
    "とても良いですね。",
    "完璧です。",
    "我可以看到错误了。",
]
KEPT = ["N'oublie pas les tests.", "Vergiss nicht die Tests.", "Nie zapomnij o testach."]


@pytest.mark.parametrize("said", RULES)
def test_a_thing_and_its_value_are_a_word_of_the_person(story: Story, said: str) -> None:
    story.prompt(said)
    assert [word.text for word in story.index.words if word.kind != "stated"] == [said]


@pytest.mark.parametrize("said", TALK)
def test_reports_forms_and_praise_are_no_rules(story: Story, said: str) -> None:
    story.prompt(said)
    assert [word.text for word in story.index.words] == []


@pytest.mark.parametrize("said", KEPT)
def test_a_reminder_takes_nothing_back(story: Story, said: str) -> None:
    story.prompt(said)
    assert [word.kind for word in story.index.words] == ["constraint"]


def test_settings_that_were_pasted_are_no_rules(story: Story) -> None:
    story.prompt("why does this fail?\nregion: eu west one\nreplicas: three at most\ntimeout: half a minute")
    assert [word.text for word in story.index.words if word.text.startswith(("region", "timeout"))] == []


def test_what_people_always_do_is_a_fact_and_no_must(story: Story) -> None:
    story.prompt("One thing people always trip over, all timestamps are local time, not UTC.")
    assert [(word.kind, word.strength) for word in story.index.words] == [("stated", 1)]


def test_a_refusal_with_a_choice_behind_it_is_firm(story: Story) -> None:
    story.prompt("No DDL on prod and no reads from the primary - use the replica.")
    assert [(word.kind, word.strength) for word in story.index.words] == [("constraint", 2)]


CHANGED = [
    ("Run the sim at 30 hz for now.", "30 is too much for the small vms, go 20 hz."),
    ("go 20 hz", "20 feels mushy, so: 25 hz, final answer."),
    ("Batches of at most 5000 rows please.", "no, do 2000 per batch."),
    ("maxconn por defecto en 4000.", "cambia maxconn a 8000, que el viernes hay campaña."),
    ("Max 3 retries.", "5 retries, final."),
    ("ログは 7 日保存してください。", "ログの保存は 30 日で確定です。"),
    ("make the cutoff 5 trips", "Sorry, the co-authors settled on 8 trips as the cutoff."),
]
PERHAPS = [
    ("No new command line flags.", "About the flags: a hidden debug flag is fine, visible ones still a no."),
    (
        "Figures: viridis palette, no titles inside.",
        "Titles in figures: fig 3 may have one, the others still none.",
    ),
    (
        "never touch proto/ and assets/",
        "You can touch proto/ after all, but only add fields, never renumber.",
    ),
    ("webkit と firefox は不要です。", "webkit は必要になりました。"),
]
APART = [
    ("Use port 8080 for the api.", "The metrics port is 9100 now."),
    ("The cache ttl is 60 seconds.", "The session timeout is 90 seconds now."),
    ("Never change migration 0007.", "You may change migration 0009 now."),
    ("Module 1 must stay small.", "Module 2 is 40 lines now."),
    ("Use 2 spaces in yaml.", "Use 4 spaces in python from now on."),
    ("Retry 3 times on 429.", "On 503 retry 5 times instead."),
]


@pytest.mark.parametrize(("before", "after"), CHANGED)
def test_another_number_for_the_same_thing_replaces_the_first(story: Story, before: str, after: str) -> None:
    story.prompt(before)
    line = story.prompt(after)
    first = story.index.words[0]
    assert first.superseded_by is not None
    assert (first.text, first.superseded_by.line) == (before, line)


@pytest.mark.parametrize(("before", "after"), PERHAPS)
def test_a_turn_on_the_same_thing_is_told_with_it(story: Story, before: str, after: str) -> None:
    story.prompt(before)
    line = story.prompt(after)
    first = story.index.words[0]
    assert first.doubted_by is not None
    assert (first.text, first.doubted_by.line) == (before, line)


@pytest.mark.parametrize(("before", "after"), APART)
def test_numbers_of_different_things_both_stand(story: Story, before: str, after: str) -> None:
    story.prompt(before)
    story.prompt(after)
    assert [word.text for word in story.index.words if word.superseded_by or word.doubted_by] == []


def test_what_is_taken_back_at_once_is_replaced_by_what_is_meant(story: Story) -> None:
    story.prompt("Batches must be small, at most half of it.. no, do 2000 per batch.")
    assert [word.text for word in story.index.words if not word.superseded_by] == ["no, do 2000 per batch."]


def test_who_insists_takes_nothing_back(story: Story) -> None:
    story.prompt("Don't log the body. No, seriously.")
    assert story.index.words[0].superseded_by is None


def test_a_number_that_was_changed_twice_leaves_the_last(story: Story) -> None:
    story.prompt("Please drop vessels with fewer than 10 trips.")
    story.prompt("make the vessel cutoff 5 trips, 10 throws away too much.")
    story.prompt("Sorry, the co-authors settled on 8 trips as the cutoff.")
    standing = [word.text for word in story.index.words if not (word.superseded_by or word.doubted_by)]
    assert standing == ["Sorry, the co-authors settled on 8 trips as the cutoff."]


def test_same_for_another_thing_is_told_with_the_rule(story: Story) -> None:
    story.prompt("No mocks in the api tests. Same for the worker.")
    assert [word.text for word in story.index.words] == [
        "No mocks in the api tests.",
        "No mocks in the api tests. Same for the worker.",
    ]


def test_the_reason_for_a_rule_is_no_part_of_it_that_stands(story: Story) -> None:
    story.prompt("You can drop the shadow tables when you are done, nobody uses them.")
    story.prompt("audit wants the shadow tables, so leave them alone after all.")
    assert [(bool(w.superseded_by), w.superseded_in_part) for w in story.index.words] == [
        (True, False),
        (False, False),
    ]


MORE = [
    "Zawsze uruchamiaj testy przed commitem.",
    "Логи больше не удаляй.",
    "Ne redémarre plus le worker.",
    "8 decimals, settled.",
    "認証は Cognito にします。",
]


@pytest.mark.parametrize("said", MORE)
def test_rules_in_other_languages_and_closed_matters_are_constraints(story: Story, said: str) -> None:
    story.prompt(said)
    assert [word.kind for word in story.index.words] == ["constraint"]

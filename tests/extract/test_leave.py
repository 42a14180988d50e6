"""What a person allows is told as leave, and with what takes it back."""

from __future__ import annotations

import pytest

from segue.model.entry import Entry
from segue.service.handoffs.walk import Draft, Source, draft

from .story import Story

ALLOWED = [
    "You can push to the staging branch whenever, no need to ask each time.",
    "oh and feel free to drop the shadow tables when you are done",
    "You may use the batch queue if the fit gets slow.",
    "You're free to pick the library.",
    "Restarting the worker on box 3 is fine.",
    "Reads from the primary are fine after ten.",
    "Small refactors are fine if the tests stay green.",
    "Puedes reiniciar el proxy en lb02 si hace falta.",
    "Se puede usar Redis para la cola.",
    "Możesz wypychać na staging.",
    "Du darfst auf staging deployen.",
    "Tu peux supprimer les vieux scripts.",
    "Можешь пушить в staging.",
    "staging への deploy は自由にやって大丈夫です。",
    "main に直接 push してよいです。",
    "你可以直接推到 staging。",
]
NOT_ALLOWED = [
    "You can see that the button overlaps.",
    "You can find the schema in db/schema.sql.",
    "so you can mirror a repo from a to b",
    "once you can reproduce it, fix it",
    "You can run `make e2e` to check it.",
    "ok you can commit",
    "The tests are fine.",
    "that's fine",
    "Feel free to ask if anything is unclear.",
    "You may notice a delay at the start.",
    "No puedes usar eval.",
    "Puedes ver el error en el log.",
    "Du kannst im Log sehen, was passiert.",
    "Nie możesz używać eval.",
    "Czy możesz to sprawdzić?",
    "可以，继续。",
    "いい感じです。",
]


@pytest.mark.parametrize("said", ALLOWED)
def test_leave_is_a_word_of_its_own_kind(story: Story, said: str) -> None:
    story.prompt(said)
    assert [word.kind for word in story.index.words] == ["allowed"]


@pytest.mark.parametrize("said", NOT_ALLOWED)
def test_what_tells_or_asks_or_forbids_allows_nothing(story: Story, said: str) -> None:
    story.prompt(said)
    assert [word.kind for word in story.index.words if word.kind == "allowed"] == []


def test_leave_with_a_ban_in_it_is_a_rule(story: Story) -> None:
    story.prompt("About the flags: a hidden debug flag is fine, user-visible ones are still a no.")
    assert [(word.kind, word.strength) for word in story.index.words] == [("constraint", 2)]


WITHDRAWN = [
    ("Możesz wypychać na staging.", "Jednak nie wypychaj na staging."),
    (
        "you can push to the staging branch whenever",
        "ops froze staging this morning so dont push there any more",
    ),
    (
        "You may use the HPC queue (sbatch) if it gets slow.",
        "The HPC allocation ran out so no sbatch from now on.",
    ),
    ("Puedes reiniciar haproxy en lb02 si hace falta.", "Y olvida lo de reiniciar lb02, no lo reinicies."),
    ("Puedes usar la base de staging.", "La base de staging está congelada, no la uses."),
    (
        "staging への deploy は自由にやって大丈夫です。",
        "staging は使用中なので、deploy はもうしないでください。",
    ),
    ("Du darfst auf staging deployen.", "Staging ist eingefroren, bitte nicht mehr deployen."),
]
LINKED = [
    ("Feel free to rewrite the parser.", "actually leave the parser alone after all"),
    ("No network calls in tests.", "Network calls in the e2e tests are fine."),
    ("No reads from the primary.", "I asked the DBAs: reads from the primary are fine after 22:00 UTC."),
    ("You can use lodash.", "Don't use lodash in the worker."),
    ("Możesz usuwać stare logi.", "Nie usuwaj logów, audyt ich potrzebuje."),
    ("Feel free to touch the css.", "the css is being rewritten, hands off for now"),
]
UNLINKED = [
    ("You can push to feature branches.", "Don't push to main."),
    ("You can drop tables in staging.", "Never drop tables in prod."),
    ("You can restart lb02.", "Do not restart lb03."),
    ("You may use the gpu box.", "Never commit secrets."),
    ("Możesz usunąć stare migracje.", "Nie możesz używać eval."),
    ("Deployment: blue/green, never in place.", "Small refactors are fine if the tests stay green."),
]


@pytest.mark.parametrize(("given", "taken"), WITHDRAWN)
def test_leave_that_was_taken_back_is_replaced(story: Story, given: str, taken: str) -> None:
    story.prompt(given)
    line = story.prompt(taken)
    first = story.index.words[0]
    assert first.superseded_by is not None
    assert (first.text, first.superseded_by.line) == (given, line)


@pytest.mark.parametrize(("before", "after"), LINKED)
def test_leave_and_ban_on_one_thing_are_told_together(story: Story, before: str, after: str) -> None:
    story.prompt(before)
    line = story.prompt(after)
    first = story.index.words[0]
    assert first.doubted_by is not None
    assert (first.text, first.doubted_by.line) == (before, line)


@pytest.mark.parametrize(("before", "after"), UNLINKED)
def test_leave_and_ban_on_different_things_both_stand(story: Story, before: str, after: str) -> None:
    story.prompt(before)
    story.prompt(after)
    assert [(word.text, word.superseded_by, word.doubted_by) for word in story.index.words] == [
        (before, None, None),
        (after, None, None),
    ]


def test_leave_is_carried_as_such_and_taken_back_in_a_later_session() -> None:
    first = _hand_off("first", "Fix the login. You can push to the staging branch whenever.")
    assert '- allowed: "You can push to the staging branch whenever." [#2]' in first.text
    again = _hand_off("second", f"{first.text}\nops froze staging, so don't push there any more")
    words = {word.text: word for word in again.facts.words}
    given = words["You can push to the staging branch whenever."]
    assert (given.origin, given.superseded_text) == (
        "first",
        "ops froze staging, so don't push there any more",
    )


def test_leave_that_was_carried_grows_no_firmer() -> None:
    first = _hand_off("first", "Fix the login. You can push to the staging branch.")
    again = _hand_off("second", f"{first.text}\nPlease go on.")
    assert [(word.kind, word.strength) for word in again.facts.words if word.origin] == [("allowed", 1)]


def _hand_off(name: str, prompt: str) -> Draft:
    entries = [
        Entry(kind="meta", file="s", line=1, data={"id": name, "cwd": "/w"}),
        Entry(kind="user", by="person", via="prompt", file="s", line=2, text=prompt),
        Entry(kind="agent", file="s", line=3, text="ok"),
    ]
    return draft(Source("pi", "s", entries), "go on", budget=1500)

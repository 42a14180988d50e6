"""Which sentences of a person are rules, corrections, preferences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from segue.extract.words.conduct import rules
from segue.extract.words.signals import MARKERS, heard

RULES = [
    ("Never touch the migrations folder.", "constraint", 3),
    ("the timeout must be 30s", "constraint", 3),
    ("Please don't add a dependency", "constraint", 3),
    ("only change foo.py", "constraint", 2),
    ("Can you keep the old flag working?", "constraint", 2),
    ("use port 8080", "constraint", 1),
    ("the limit is 12,500 rows", "constraint", 1),
    ("the factor is always 2", "constraint", 1),
    ("when merged the videos dont show up", "stated", 1),
    ("make sure the tests don't hit the network", "constraint", 2),
    ("I don't want a merge conflict", "constraint", 3),
    ("i don't think the retry works correctly", "stated", 1),
    ("I don't think we should touch the API", "constraint", 3),
    ("no we want it in the container", "correction", 2),
    ("it slowly moves up but never gets past that", "stated", 1),
    ("The spinner never stops after a save, and it must have started with 2.3.", "stated", 1),
    ("The rows keep playing audio, never do that.", "constraint", 3),
    ("Please keep running the tests.", "constraint", 2),
    ("Never push to main, I'm not kidding.", "constraint", 3),
    ("In CI keep running the linter.", "constraint", 2),
    ("Releases must have signed tags.", "constraint", 3),
    ("Every PR must have been reviewed.", "constraint", 3),
    ("If the tests were green before, you must keep them green.", "constraint", 3),
    ("If the build had warnings, I would like you to never ignore them.", "preference", 3),
    ("it should never be cached", "constraint", 3),
    ("it never works, and you must not retry", "constraint", 3),
    ("no, 9090", "correction", 2),
    ("actually that's not what I meant", "correction", 2),
    ("I'd rather have one file per agent", "preference", 2),
    ("bitte niemals die Datenbank löschen", "constraint", 3),
    ("n'utilise jamais cette table", "constraint", 3),
    ("nunca borres los registros", "constraint", 3),
    ("никогда не трогай миграции", "constraint", 3),
    ("不要修改数据库", "constraint", 3),
    ("必ずテストを書いて", "constraint", 3),
    ("마이그레이션은 절대 건드리지 마세요", "constraint", 3),
    ("No emojis in the UI.", "constraint", 2),
    ("No changes to the public API.", "constraint", 2),
    ("And no mocks.", "constraint", 2),
    ("I'm on Windows so no bash scripts.", "constraint", 2),
    ("PRs go against develop, not main.", "constraint", 2),
    ("Tabs, not spaces.", "constraint", 2),
    ("Migrations live under db/migrate.", "constraint", 2),
    ("Ask me before installing anything.", "constraint", 2),
    ("Check with me before deleting files.", "constraint", 2),
    ("I'll do the deployment myself.", "constraint", 2),
    ("The v1 endpoint is off limits.", "constraint", 3),
    ("GraphQL is out of scope.", "constraint", 2),
    ("Please write tests first.", "constraint", 2),
    ("Run the linter before committing.", "constraint", 2),
    ("Run the tests after every change.", "constraint", 2),
    ("Every endpoint gets a test.", "constraint", 2),
    ("All timestamps in UTC.", "constraint", 2),
    ("Commit messages in Conventional Commits style.", "constraint", 2),
    ("British spelling in all user-facing text.", "constraint", 2),
    ("Answer in German.", "constraint", 2),
    ("We deploy on Fridays.", "constraint", 1),
    ("One PR per ticket.", "constraint", 1),
    ("Dates as ISO strings.", "constraint", 1),
    ("Zero warnings in CI.", "constraint", 1),
    ("Type hints on all public functions.", "constraint", 2),
    ("Treat warnings as errors.", "constraint", 2),
    ("Stay on Vue 2.", "constraint", 2),
    ("Prod data stays in the EU.", "constraint", 2),
    ("Show me the plan first.", "constraint", 2),
    ("I review every migration.", "constraint", 2),
    ("Los mensajes de commit en inglés.", "constraint", 1),
    ("コミットメッセージは英語で。", "constraint", 1),
    ("Target Node 18.", "constraint", 1),
    ("i don't tink the cache works correctly", "stated", 1),
    ("Pas d'émojis dans l'interface.", "constraint", 2),
    ("Frag mich vor jeder Installation.", "constraint", 2),
    ("Niente emoji nella UI.", "constraint", 2),
    ("Никаких новых зависимостей.", "constraint", 3),
    ("安装之前先问我。", "constraint", 2),
    ("インストールする前に聞いてください。", "constraint", 2),
    ("이모지 쓰지 마세요", "constraint", 3),
]
TALK = [
    "Only happens on Firefox.",
    "It only fails with a cold cache.",
    "(to Hana: please never push to release without me) sorry, wrong window",
    "Part of me thinks we should use NATS, I haven't made up my mind.",
    "If this were a bank we must only deploy on Sundays.",
    "If we had a budget we would never use SQLite.",
    "Suppose the client were on Windows: then you must avoid symlinks.",
    "Always drop the tables, just kidding.",
    "Video rows in the feed keep playing audio after you scroll past.",
    "The tabs keep jumping back to the first one when I save.",
    "The last deploy must have broken it.",
    "The client never retried.",
    "Just for this run, skip the linter.",
    "This once, commit without running the tests.",
    "How does it work?",
    "Should we add a test?",
    "thanks, looks good",
    "The mustard is in the fridge, nonlyness aside",
    "sync.go:42 must not be nil",
    "High: this is never closed",
    "here's the list:",
    "TypeError: the name must be a string",
    "I get this error: field must not be empty",
    'the reviewer wrote: "You should never use any here".',
    "No idea why.",
    "works for me",
    "errors in the log",
    "one more thing for later",
    "comments on the PR",
    "no luck",
    "No errors in the log",
    "It stopped, no output.",
    "no tests were run",
    "All tests pass now.",
    "All 5 reviews are in.",
    "commit all changes",
    "fix all failing tests",
    "It crashes every time I click",
    "the tests go red",
    "put it in a review memo",
    "convert the docs to the new camelCase format",
    "target: resolve the conflicts before pushing again",
    "If you want, I can implement step 1 now.",
]


WISHED = [
    "can you also make it handle empty keys?",
    "could we use postgres for this?",
    "why not just use sqlite?",
    "why don't we cache the result in memory?",
    "how about a dry-run flag?",
    "would it be possible to support windows too?",
    "could the errors go to stderr?",
    "shouldn't the ids be uuids?",
    "would you mind sorting them?",
    "kannst du auch leere Schlüssel behandeln?",
    "pourquoi ne pas utiliser sqlite ?",
    "¿puedes hacer que acepte claves vacías?",
    "можешь оставить старые имена?",
    "可以支持空键吗？",
    "空のキーにも対応できますか？",
]
ASKED = [
    "can you take a look at the PR?",
    "can you show me the diff?",
    "how about the tests?",
    "would that work?",
    "could this be a race?",
    "why does it fail?",
    "kannst du das erklären?",
    "¿puedes revisar el PR?",
    "能看一下吗？",
]


@pytest.mark.parametrize("question", WISHED)
def test_a_wish_that_is_put_as_a_question_is_heard(question: str) -> None:
    assert heard(question) == ("constraint", 1)


@pytest.mark.parametrize("question", ASKED)
def test_a_question_wishes_for_nothing(question: str) -> None:
    assert heard(question) is None


def test_a_sentence_that_begins_with_no_need_not_correct_anything() -> None:
    assert heard("No global state.") == ("constraint", 2)


@pytest.mark.parametrize(("sentence", "kind", "strength"), RULES)
def test_a_rule_is_heard(sentence: str, kind: str, strength: int) -> None:
    assert heard(sentence) == (kind, strength)


@pytest.mark.parametrize("sentence", TALK)
def test_talk_is_no_rule(sentence: str) -> None:
    assert heard(sentence) is None


def test_every_language_has_a_word_for_what_must_not_be_broken() -> None:
    languages = {m.language for m in MARKERS}
    assert languages == {m.language for m in MARKERS if m.strength == 3}


WORDS = """first tests commit messages style in english no not , . : ; so before every after each all we target call it
name the i'm on i'll myself go prs against develop , ask me you may now never keep 不要 — … " ' ? ! 8080 -"""


@given(st.lists(st.sampled_from(WORDS.split()), max_size=7).map(" ".join) | st.text(max_size=40))
def test_any_sentence_is_heard_without_a_fault(sentence: str) -> None:
    heard.cache_clear()
    heard(sentence)
    assert 0 <= rules(sentence.lower()) <= 3

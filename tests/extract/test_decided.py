"""Decisions that say they are decisions, in whatever language, and those that only point at one."""

from __future__ import annotations

import pytest

from .story import Story


@pytest.mark.parametrize(
    "said",
    [
        "Decision: tiles are cut at build time.",
        "Decision on retries: a queue per tenant, rather than one queue with priorities (a slow tenant starves the rest).",
        "Final decision about the wire format: flat arrays instead of nested maps.",
        "I chose a trie over two alternatives: a hash map would be slower on prefixes, and sorting might move the ids.",
        "Decisión: cada inquilino tiene su cola, en vez de una cola con prioridades.",
        "Décision : une file par client, car un client lent bloque les autres.",
        "Entscheidung: eine Warteschlange je Kunde, weil ein langsamer sonst alle aufhält.",
        "Decisão: uma fila por cliente em vez de prioridades.",
        "Decyzja: jedna kolejka na klienta, bo wolny klient blokuje resztę.",
        "Optamos por una cola por inquilino porque uno lento frena al resto.",
        "キューは tenant ごとに分ける方針にします。",
        "優先度つきの単一キューではなく、tenant ごとのキューを採用しました。",
        "最终我们采用每个租户一个队列的方案。",
    ],
)
def test_what_says_that_it_is_a_decision_is_one(story: Story, said: str) -> None:
    assert story.decided(said) == [said]


@pytest.mark.parametrize(
    "said",
    [
        "Decision needed: one queue per tenant, or priorities in one queue.",
        "Decision for you: one queue per tenant, or priorities in one queue.",
        "The decision tree: each node holds a threshold and two children.",
        "I probably chose the wrong branch to begin with, let me look.",
        "该值由配置文件决定，启动时读取。",
        "このフォントは多くのサイトで採用されている書体です。",
        "Since this is the long profile, I'm giving it time rather than picking a cheaper one.",
    ],
)
def test_what_only_speaks_of_decisions_is_none(story: Story, said: str) -> None:
    assert story.decided(said) == []


@pytest.mark.parametrize(
    "pointing",
    [
        "Going with that approach.",
        "I'm going with this one because it is simpler.",
        "That's cheap and useful, so I'm adding those now rather than leaving noise behind.",
        "Let's go with that.",
    ],
)
def test_a_decision_that_only_points_is_told_with_what_it_points_to_or_not_at_all(
    pointing: str,
) -> None:
    subject = "A queue per tenant keeps a slow one from starving the rest."
    assert Story().decided(f"{subject} {pointing}") == [f"{subject} {pointing}"]
    assert Story().decided(f"Makes sense.\n\n{pointing}") == []
    assert Story().decided(f"Should there be a queue per tenant? {pointing}") == []


def test_a_decision_that_names_its_object_needs_no_forerunner(story: Story) -> None:
    said = "I decided to keep the ring buffer and use it for replays."
    assert story.decided(f"The frame is drawn twice a tick. {said}") == [said]


@pytest.mark.parametrize(
    "after",
    [
        "Rejected: in-process LRU (not shared), memcached (no persistence).",
        "Considered Kafka, too heavy for one queue.",
        "Verworfen: eine Datei je Kunde.",
    ],
)
def test_what_was_rejected_for_a_decision_is_told_with_it(story: Story, after: str) -> None:
    chosen = "I decided to use SQLite because it needs no server."
    assert story.decided(f"{chosen} {after} Now the tests.") == [f"{chosen} {after}"]

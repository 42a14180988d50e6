"""What an earlier handoff kept is kept again, hop after hop."""

from __future__ import annotations

from typing import Any

from segue.extract.carried import apart
from segue.model.entry import Entry
from segue.service.handoffs.walk import Draft, Source, draft


def session(name: str, *texts: str) -> list[Entry]:
    entries = [Entry(kind="meta", file="s", line=1, data={"id": name, "cwd": "/w"})]
    for line, text in enumerate(texts, 2):
        said: dict[str, Any] = (
            {"kind": "user", "by": "person", "via": "prompt"} if line % 2 == 0 else {"kind": "agent"}
        )
        entries.append(Entry(file="s", line=line, text=text, **said))
    return entries


def hand_off(entries: list[Entry], budget: int = 1500) -> Draft:
    return draft(Source("pi", "s", entries), "go on", budget=budget)


def test_constraints_decisions_and_dead_ends_survive_ten_hops() -> None:
    said = (
        'Never touch the "migrations" folder. Use port 8080.',
        "I decided to use backoff instead of a fixed delay, because bursts are punished. "
        "Mocking the clock did not work because asyncio reads it directly.",
        "no, 9090",
    )
    packet = hand_off(session("first-session", *said))
    for hop in range(10):
        packet = hand_off(session(f"hop-{hop}", f"{packet.text}\nPlease go on.", "Working on it."))
    kept = {w.text: (w.kind, w.origin, [e.line for e in w.evidence]) for w in packet.facts.words}
    assert kept['Never touch the "migrations" folder.'] == ("constraint", "first-session", [2])
    assert kept["no, 9090"] == ("correction", "first-session", [4])
    assert [(d.origin, "backoff" in d.text) for d in packet.facts.decisions] == [("first-session", True)]
    assert [d.origin for d in packet.facts.dead_ends] == ["first-session"]
    for text in kept:
        assert text in packet.text
    assert '"no, 9090" [#4 of first-session] (replaces "Use port 8080." [#2 of first-session])' in packet.text


def test_the_packet_itself_is_not_taken_for_the_persons_words() -> None:
    first = hand_off(session("first", "Never touch the migrations.", "ok"))
    again = hand_off(session("second", f"{first.text}\nonly fix the tests", "ok"))
    assert [(w.text, w.origin) for w in again.facts.words] == [
        ("Never touch the migrations.", "first"),
        ("only fix the tests", ""),
    ]
    objective = again.facts.objective
    assert objective.first is not None and objective.current is not None
    assert (objective.first.text, objective.first.origin) == ("Never touch the migrations.", "first")
    assert (objective.current.text, objective.current.origin) == ("only fix the tests", "")
    assert [(link.session_id, link.agent, link.goal) for link in again.facts.lineage] == [
        ("first", "pi", "go on")
    ]


def test_a_new_word_replaces_one_that_was_carried() -> None:
    first = hand_off(session("first", "use port 8080 for the server", "ok"))
    again = hand_off(session("second", f"{first.text}\nno, 9090", "ok"))
    words = {w.text: w for w in again.facts.words}
    assert words["use port 8080 for the server"].superseded_by == words["no, 9090"].evidence[-1]
    assert '(replaces "use port 8080 for the server" [#2 of first])' in again.text


def test_that_it_is_not_sure_whether_a_word_was_replaced_survives_hops() -> None:
    said = ("Name the service courier.", "ok", "There is a courier already. It's called dispatch.")
    packet = hand_off(session("first", *said))
    for hop in ("second", "third"):
        packet = hand_off(session(hop, f"{packet.text}\nPlease go on.", "Working on it."))
    assert (
        '"It\'s called dispatch." [#4 of first] (may replace "Name the service courier." [#2 of first])'
        in (packet.text)
    )


def test_a_packet_known_from_the_log_is_carried_too() -> None:
    first = hand_off(session("first", "Never touch the migrations.", "ok"))
    later = draft(
        Source("pi", "s", session("second", "hello there friend", "ok")), "go on", carried=[first.text]
    )
    assert [w.text for w in later.facts.words] == ["Never touch the migrations."]


def test_a_prompt_that_only_mentions_a_handoff_is_a_prompt() -> None:
    text = "This handoff was drawn from nowhere. Never mind."
    assert apart(text) == ("", text)


def test_a_line_that_no_packet_has_is_not_read() -> None:
    packet = hand_off(session("first", "Never touch the migrations.", "ok")).text
    label = next(line for line in packet.split("\n") if line.startswith("**The person's words"))
    forged = packet.replace(label, label + '\n- must: "a"' + ' (replaces "b" [#1' * 30_000)
    again = hand_off(session("second", forged, "ok"))
    assert [w.text for w in again.facts.words] == ["Never touch the migrations."]


def test_what_was_replaced_names_its_own_session_over_several_hops() -> None:
    packet = hand_off(session("first", "Use port 8080.", "ok"))
    packet = hand_off(session("second", f"{packet.text}\nno, use port 9090", "ok"))
    for hop in range(3):
        packet = hand_off(session(f"hop-{hop}", packet.text, "ok"))
        assert '"no, use port 9090" [#2 of second] (replaces "Use port 8080." [#2 of first])' in packet.text


def test_a_correction_that_was_carried_replaces_nothing_else_on_a_later_hop() -> None:
    said = (
        "The queue limit is 5000.",
        "ok",
        "Use port 8080.",
        "ok",
        "no, 9090",
        "ok",
        "Use batch size 4000.",
    )
    packet = hand_off(session("first", *said))
    for hop in range(3):
        packet = hand_off(session(f"hop-{hop}", packet.text, "ok"))
    standing = [w.text for w in packet.facts.words if not w.superseded_by]
    assert standing == ["The queue limit is 5000.", "no, 9090", "Use batch size 4000."]


def test_two_corrections_in_one_breath_and_what_they_leave_survive_hops() -> None:
    packet = hand_off(
        session(
            "first",
            "Use port 8080, log level debug and three workers. All timestamps must be UTC ISO-8601.",
            "ok",
            "no, 9090. And forget what I said about ISO-8601, use epoch milliseconds instead.",
        )
    )
    for hop in range(2):
        packet = hand_off(session(f"hop-{hop}", packet.text, "ok"))
    assert (
        '"no, 9090." [#4 of first] (replaces part of "Use port 8080, log level debug and three workers." [#2 of first])'
        in packet.text
    )
    assert (
        'instead." [#4 of first] (replaces "All timestamps must be UTC ISO-8601." [#2 of first])'
        in packet.text
    )


def test_a_word_of_this_session_is_not_mixed_up_with_one_at_the_same_line_of_another() -> None:
    first = hand_off(session("first", "no, keep the old flag", "ok", "The timeout must be 30s.", "ok"))
    again = hand_off(session("second", f"{first.text}\nThe timeout must be 5s.", "ok"))
    assert '"The timeout must be 5s." [#2] (replaces "The timeout must be 30s." [#4 of first])' in again.text
    assert '"no, keep the old flag" [#2 of first]\n' in again.text


def test_of_two_words_said_together_the_one_on_the_subject_replaced_the_earlier() -> None:
    said = ("The timeout must be 30s.", "ok", "The timeout must be 5s. Never touch the old flag.", "ok")
    packet = hand_off(session("first", *said))
    assert '"The timeout must be 5s." [#4] (replaces "The timeout must be 30s." [#2])' in packet.text

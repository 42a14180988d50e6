"""A question that the person's next words pass over stays open; one that they answer does not."""

from __future__ import annotations

import pytest

from segue.extract.remarks.unanswered import Listener

from .story import Story


def unanswered(*spoken: tuple[str, str]) -> list[str]:
    """What is left of a talk, told as pairs of who and what."""
    listener = Listener()
    for line, (who, text) in enumerate(spoken, start=1):
        if who == "agent":
            listener.says(text, line)
        elif who == "tool":
            listener.acts()
        else:
            listener.replies(text, line)
    return [question.text for question in listener.close(lambda text: text)]


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("How many days may an invoice wait before it is sent again?", "keep going please"),
        ("Which region should hold the copies?", "now the settings page"),
        ("Does the export need a header line?", "next: tidy up the list view of the customers"),
        ("Who approves a refund above the limit?", "the login form still shows the old logo, change it"),
        ("What do you prefer?", "the login form still shows the old logo, change it"),
        ("Which region should hold the copies?", "keep working on the settings page until it is done"),
        ("Wie viele Tage soll ein Entwurf liegen bleiben?", "jetzt bitte die Übersicht"),
        ("提案は何日先まで出しますか？", "次は一覧画面をお願いします、表の見出しも直してください"),
    ],
)
def test_a_question_that_was_passed_over_stays_open(question: str, reply: str) -> None:
    assert unanswered(("agent", f"The first half is done. {question}"), ("person", reply)) == [question]


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("Shall I delete the old rows as well?", "go ahead"),
        ("Shall I delete the old rows as well?", "yes, all of them"),
        ("Shall I delete the old rows as well?", "leave it. Now the settings page, with the new logo"),
        ("Want me to apply the first one?", "na, about: the login form, it shows the old logo"),
        ("Should I also add a flag for it?", "rather not, but do update the settings page"),
        ("Shall I use the v2 endpoint for this?", "v2 is what everybody uses. also fix the logo"),
        ("Which of the two layouts do you prefer?", "the second"),
        ("Which of the two layouts do you prefer?", "2"),
        ("Which region should hold the copies?", "go with the one in Dublin"),
        ("Which region should hold the copies?", "legal wants the copies in Dublin from now on"),
        ("Is there anything else you would like me to do?", "the login form still shows the old logo"),
        ("Cut the sketch of the parser, or leave a hint?", "keep tickets open, remove the parser part"),
        ("Should both tables keep their index?", "now the index of the orders only, drop the other"),
        ("Does that match how you see it?", "but then the ticket is wrong, it says the server does it"),
        (
            "1. Fix them all now, one big clean-up PR\n2. Only the leak\n\nHow shall I go on?",
            "fix all of them in one PR",
        ),
        ("What do you prefer?", "let's do the big one"),
        ("Which one would you rather have?", "I'd take what is quicker to try out on the old machines"),
        ("Does this make sense to you?", "the server is a copy of the other one, look at its config"),
        ("Passt das so für dich?", "dann müssen wir das Ticket umschreiben"),
    ],
)
def test_an_answer_closes_the_question(question: str, reply: str) -> None:
    assert unanswered(("agent", question), ("person", reply)) == []


def test_a_question_in_mid_turn_counts_where_it_is_put_to_somebody() -> None:
    asked = "Should attachments of forwarded mails be scanned too? For the time being they are."
    wondered = "Why does the second run take longer? Probably the cache."
    assert unanswered(
        ("agent", asked), ("agent", wondered), ("agent", "Done with the reader."), ("person", "now the bench")
    ) == ["Should attachments of forwarded mails be scanned too?"]


def test_a_question_whose_subject_the_person_comes_back_to_is_forgotten() -> None:
    assert (
        unanswered(
            ("agent", "Which region should hold the copies of the ledger?"),
            ("person", "now the settings page"),
            ("agent", "Done."),
            ("person", "put the ledger copies into the Dublin region"),
        )
        == []
    )


def test_only_the_latest_questions_are_told() -> None:
    talk = [
        spoken
        for n in range(6)
        for spoken in (("agent", f"How long may draft number {n} live?"), ("person", "carry on"))
    ]
    assert unanswered(*talk) == [f"How long may draft number {n} live?" for n in (3, 4, 5)]


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("Wo wird die Tabelle benutzt?", []),
        ("Where is the parser called from?", []),
        ("Which of the two files do you want kept?", ["Which of the two files do you want kept?"]),
    ],
)
def test_what_the_agent_asks_and_then_looks_up_is_asked_of_nobody(question: str, left: list[str]) -> None:
    assert unanswered(("agent", question), ("tool", "grep"), ("person", "now the settings page")) == left


@pytest.mark.parametrize(
    ("question", "reply"),
    [
        ("All is committed. Ready for next task or want to merge?", "move the settings to the root folder"),
        ("Want to test more of it or move on to the clean-up?", "the login form shows the old logo"),
        ("Want me to implement the second way?", "sooo, why do we append here and not queue?"),
    ],
)
def test_an_offer_that_the_talk_went_past_is_not_open(question: str, reply: str) -> None:
    assert unanswered(("agent", question), ("person", reply)) == []


@pytest.mark.parametrize(
    "question",
    [
        "Is it acceptable to lose the old thumbnails?",
        "Soll die MwSt. vor oder nach dem Rabatt stehen?",
        "Who may publish the form: only the editors?",
        "Could the nightly job run an hour later?",
        "Welche der beiden Farben gilt im Druck?",
    ],
)
def test_the_question_that_a_session_ends_with_is_open(story: Story, question: str) -> None:
    story.prompt("Go on with the shop.")
    story.says(f"The first half is done. {question}")
    assert [asked.text for asked in story.index.questions] == [question]


@pytest.mark.parametrize("then", ["tool", "person"])
def test_a_question_that_something_followed_is_not_what_the_session_ends_with(
    story: Story, then: str
) -> None:
    story.prompt("Go on with the shop.")
    story.says("Why does the second run take longer?")
    if then == "tool":
        story.run("time ./second", "12s")
    else:
        story.prompt("the second run takes longer for its cache is cold")
    assert story.index.questions == ()


def test_a_question_that_is_only_quoted_is_asked_of_nobody(story: Story) -> None:
    story.prompt("Go on with the shop.")
    story.says('The dialog now says "Delete the order?')
    assert story.index.questions == ()


def test_a_question_that_is_asked_again_is_told_once(story: Story) -> None:
    again = "Shall I open the follow-up ticket for typed errors, or post a note on this one?"
    story.prompt("fix the timeout")
    story.says("Done. Shall I open that follow-up ticket for typed errors now?")
    story.prompt("make the pull request for the branch")
    story.says(f"It is made. {again}")
    assert [question.text for question in story.index.questions] == [again]


def test_two_questions_of_different_things_are_both_told(story: Story) -> None:
    first = "Should the export hold deleted customers, too?"
    last = "Shall I open the follow-up ticket for typed errors?"
    story.prompt("fix the timeout")
    story.says(f"Done. {first}")
    story.prompt("make the pull request for the branch")
    story.says(f"It is made. {last}")
    assert [question.text for question in story.index.questions] == [first, last]

"""A person in front of a draft: what they answer, what they leave out, what their editor does."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

from segue.errors import BadInput, Refused
from segue.surfaces.cli import review

DRAFT = "## Context\n**Reported by the agent**\n- a\n- b\n- c\n\nRedacted: nothing found.\nEnd of handoff: all that was picked fits 900 tokens.\n"


@pytest.fixture
def says(monkeypatch: pytest.MonkeyPatch) -> object:
    """Reviews the draft with these lines typed."""

    def typed(answers: str, text: str = DRAFT) -> str:
        monkeypatch.setattr("sys.stdin", io.StringIO(answers))
        return review.on_screen(text)

    return typed


@pytest.mark.parametrize("answer", ["\n", "y\n", "YES\n", " \n"])
def test_enter_and_yes_hand_off(says, answer: str) -> None:
    assert says(answer) == DRAFT


@pytest.mark.parametrize("answer", ["n\n", "No\n", "q\n", "quit\n", "", "zzz\n", "zzz\nn\n"])
def test_no_quit_and_the_end_of_input_cancel(says, answer: str) -> None:
    with pytest.raises(Refused, match="Cancelled"):
        says(answer)


def test_any_other_answer_says_what_there_is_and_asks_again(says, capsys: pytest.CaptureFixture[str]) -> None:
    assert says("zzz\ny\n") == DRAFT
    told = capsys.readouterr().err
    assert "'zzz' is none of these: Enter, e, s, q." in told
    assert told.count("[q]uit >") == 2 and told.count("## Context") == 1


def test_nothing_is_offered_for_selection_where_there_is_none(
    says, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says("s\n\n", "hello\n") == "hello\n"
    assert "[s]elect" not in capsys.readouterr().err


def test_items_are_left_out_by_number_and_range(says) -> None:
    text = says("s\n1, 3-3\n\n")
    assert text.splitlines()[1:3] == ["**Reported by the agent**", "- b"]
    assert text.endswith(
        "End of handoff: all that was picked fits 900 tokens; then a person left out 2 items.\n"
    )


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ("all", "'all' is no number."),
        ("2-", "'2-' is no number."),
        ("0", "There is no 0 in this list. It goes from 1 to 3."),
        ("4", "There is no 4 in this list."),
        ("3-1", "There is no 3-1 in this list."),
        ("1-99999999999", "There is no 1-99999999999 in this list."),
        ("1 2 nine", "'nine' is no number."),
    ],
)
def test_what_is_no_number_of_the_list_is_said_and_asked_again(
    says, capsys: pytest.CaptureFixture[str], wrong: str, told: str
) -> None:
    assert "- a" not in says(f"s\n{wrong}\n1\n\n")
    assert told in capsys.readouterr().err


@pytest.mark.parametrize("leave", ["q", "quit", "n", "Q"])
def test_one_leaves_the_selector_with_q_and_everything_is_kept(says, leave: str) -> None:
    assert says(f"s\n{leave}\n\n") == DRAFT


def test_an_editor_that_deletes_its_file_cancels(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "rm")
    with pytest.raises(Refused, match="removed the draft"):
        review.in_editor(DRAFT)


def test_an_editor_that_cannot_be_read_as_a_command_is_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VISUAL", "'x")
    with pytest.raises(BadInput, match=r"\$VISUAL cannot be read"):
        review.in_editor(DRAFT)


def test_a_packet_says_that_it_was_edited(says, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/- c/- d/' $1\n")
    editor.chmod(0o700)
    monkeypatch.setenv("VISUAL", str(editor))
    assert says("e\n\n").splitlines()[-4:] == [
        "- d",
        "",
        "Redacted: nothing found.",
        "End of handoff: all that was picked fits 900 tokens; then a person edited it.",
    ]

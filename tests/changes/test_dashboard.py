"""The dashboard as text: complete, escaped, self-contained, and fast enough for five hundred records."""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser
from importlib import resources

import pytest

from segue.changes.dashboard import render
from segue.changes.document import Document

Make = Callable[..., Document]

VOID = {"meta", "br", "link", "img", "input", "hr"}


def page(*documents: Document, project: str = "desk") -> str:
    files = resources.files("segue.changes")
    template, style = (
        files.joinpath(name).read_text("utf-8") for name in ("dashboard.html", "dashboard.css")
    )
    return render(documents, project, "2026-04-05T14:32:00+00:00", template, style)


class Outline(HTMLParser):
    """Tags in order, and whether they nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def named(self, tag: str, attribute: str) -> list[str]:
        return [str(attrs[attribute]) for name, attrs in self.tags if name == tag and attribute in attrs]


def test_the_page_nests_links_to_what_is_there_and_fetches_nothing(make: Make) -> None:
    outline = Outline(page(make(), {**make(), "tc_id": "TC-008-04-05-26-x", "status": "blocked"}))
    assert outline.open == []
    ids = [str(attrs["id"]) for _, attrs in outline.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    assert {link.removeprefix("#") for link in outline.named("a", "href")} <= set(ids)
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in outline.tags}
    assert not [
        attrs for _, attrs in outline.tags if any(name.startswith("on") or name == "style" for name in attrs)
    ]


def test_what_is_urgent_comes_first_and_only_what_is_at_work_is_open(make: Make) -> None:
    outline = Outline(page(make(), {**make(), "tc_id": "TC-008-04-05-26-x", "status": "blocked"}))
    assert outline.named("h2", "id") == ["status-blocked", "status-planned"]
    assert ["open" in attrs for tag, attrs in outline.tags if tag == "details"] == [True, False]


@pytest.mark.parametrize(
    "evil",
    ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "</style><b>", "$project ${style}"],
)
def test_nothing_in_a_record_becomes_markup(make: Make, evil: str) -> None:
    document = make(
        add_next=[evil], progress=evil, add_tags=[evil], files=[{"path": "a.py", "description": evil}]
    )
    document["title"] = evil
    document["git"] = {
        "commits": [{"short_sha": evil, "subject": evil}],
        "remotes": [{"pr": {"url": f"javascript:{evil}"}}, {"pr": {"url": f"https://x/{evil}"}}],
    }
    plain, hostile = (Outline(page(made, project=evil)) for made in ({**document, "title": "x"}, document))
    assert [tag for tag, _ in hostile.tags] == [tag for tag, _ in plain.tags]
    assert not {"script", "img", "b"} & {tag for tag, _ in hostile.tags}
    assert not [link for link in hostile.named("a", "href") if link.startswith("javascript")]


@pytest.mark.parametrize(
    "broken",
    [
        {"tc_id": "TC-001-04-05-26-x"},
        {
            "tc_id": "TC-001-04-05-26-x",
            "status": 3,
            "description": [],
            "test_cases": {"a": 1},
            "session_context": "x",
            "git": 4,
            "revision_history": [1],
            "approval": True,
        },
    ],
)
def test_a_record_that_does_not_fit_is_listed_with_what_can_be_read(broken: Document) -> None:
    assert "TC-001" in page(broken)
    assert 'id="status-unreadable"' in page(broken)


def test_a_change_shows_what_is_being_edited_its_tags_and_what_it_has_to_do_with(make: Make) -> None:
    document = make(add_tags=["net"], files_in_progress=[{"path": "a.py", "state": "editing"}])
    document["related_tcs"] = ["TC-001-04-05-26-log-in"]
    shown = page(document)
    for words in ("a.py (editing)", "<p>net</p>", "<p>TC-001-04-05-26-log-in</p>"):
        assert words in shown


def test_no_changes_make_a_page_too() -> None:
    assert "No changes yet" in page()


def test_every_colour_on_its_ground_has_the_contrast_of_level_aa() -> None:
    style = resources.files("segue.changes").joinpath("dashboard.css").read_text("utf-8")
    themes = [
        dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block))
        for block in re.findall(r":root \{(.*?)\}", style, re.S)
    ]
    assert len(themes) == 3
    for theme in themes:
        for ink in ("ink", "quiet", "link", "alarm", "good"):
            for ground in ("paper", "band"):
                assert contrast(theme[ink], theme[ground]) >= 4.5, (ink, ground)
        assert contrast(theme["line"], theme["paper"]) >= 3


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue

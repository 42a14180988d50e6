"""The dashboard with five hundred records in Chromium: contrast, keyboard, print, narrow windows, no script."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path

import pytest

from segue.changes.dashboard import render
from segue.changes.document import Document
from segue.model.change import STATUSES

from .. import chromium
from ..chromium import Browser

pytestmark = chromium.NEEDED

RECORDS = 500

CONTRAST = """
(() => {
  const channel = v => (v /= 255) <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  const parse = text => text.match(/[\\d.]+/g).map(Number);
  const luminance = ([r, g, b]) => 0.2126 * channel(r) + 0.7152 * channel(g) + 0.0722 * channel(b);
  const ground = element => {
    for (let e = element; e; e = e.parentElement) {
      const colour = parse(getComputedStyle(e).backgroundColor);
      if (colour.length === 3 || colour[3] > 0) return colour;
    }
    return [255, 255, 255];
  };
  const low = new Set(); let seen = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.data.trim()) continue;
    const style = getComputedStyle(element);
    const pair = [luminance(parse(style.color)), luminance(ground(element))].sort((a, b) => b - a);
    const size = parseFloat(style.fontSize), bold = Number(style.fontWeight) >= 700;
    const needed = size >= 24 || (bold && size >= 18.66) ? 3 : 4.5;
    seen++;
    if ((pair[0] + 0.05) / (pair[1] + 0.05) < needed) low.add(element.tagName + '.' + element.className);
  }
  return {seen, low: [...low]};
})()
"""

FOCUS = """
(() => {
  const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
  return {tag: e.tagName, text: (e.getAttribute('aria-label') || e.textContent).trim().slice(0, 40), left: box.left, top: box.top,
          outline: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2};
})()
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium.started() as browser:
        yield browser


@pytest.fixture
def page(browser: Browser, make: Callable[..., Document], tmp_path: Path) -> Browser:
    """The dashboard of five hundred changes, opened."""
    test = {"title": "It retries", "procedure": ["run"], "expected_result": "ok"}
    base = make(
        progress="Added `retry()` to upload.py and a passing test.",
        add_next=["Add a test for 503", "Update README.md"],
        add_blockers=["Waiting for the fixtures of the user model"],
        add_tests=[test],
        test_results=[{"test_id": "T1", "status": "fail", "actual_result": "500"}],
        files=[{"path": "src/a/very/long/path/to/some/module/with_a_long_name_that_does_not_break.py"}],
        approve={"by": "approver"},
    )
    documents = [
        {**base, "tc_id": f"TC-{n:03d}-04-05-26-retry", "title": f"Change {n} of many 🚀", "status": STATUSES[n % 8], "priority": ("high", "low")[n % 2]}
        for n in range(1, RECORDS + 1)
    ]  # fmt: skip
    files = resources.files("segue.changes")
    template, style = (
        files.joinpath(name).read_text("utf-8") for name in ("dashboard.html", "dashboard.css")
    )
    target = tmp_path / "index.html"
    target.write_text(render(documents, "desk", "2026-04-05T14:32:00+00:00", template, style), "utf-8")
    browser("Emulation.setScriptExecutionDisabled", value=True)
    browser("Page.navigate", url=target.as_uri())
    browser.until("Page.loadEventFired")
    browser("Emulation.setScriptExecutionDisabled", value=False)
    return browser


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_the_contrast_of_level_aa(page: Browser, scheme: str) -> None:
    page("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
    found = page.value(CONTRAST)
    assert found["low"] == []
    assert found["seen"] > 10 * RECORDS


def test_the_keyboard_goes_through_the_page_in_the_order_it_is_read(page: Browser) -> None:
    stops = []
    for _ in range(14):
        page.press("Tab", 9)
        stops.append(page.value(FOCUS))
    assert stops[0]["text"] == "Skip to the changes"
    assert [stop["text"].partition(" (")[0] for stop in stops[1:9]] == [
        "Blocked",
        "In progress",
        "Paused",
        "Planned",
        "Implemented",
        "Tested",
        "Deployed",
        "Voided",
    ]
    assert stops[9]["text"] == "Table: Blocked"
    assert [stop["text"] for stop in stops[10:]] == [f"TC-{n:03d}" for n in (2, 10, 18, 26)]
    assert all(stop["outline"] for stop in stops)
    assert page.value("[...document.querySelectorAll('[tabindex]')].every(e => e.tabIndex <= 0)")


def test_the_skip_link_is_seen_when_it_has_the_focus_and_leads_to_the_changes(page: Browser) -> None:
    page.press("Tab", 9)
    assert page.value(FOCUS)["left"] >= 0
    page.press("Enter", 13, text="\r")
    assert page.value("[location.hash, document.activeElement.id]") == ["#changes", "changes"]


def test_a_link_to_a_closed_change_opens_it(page: Browser) -> None:
    closed = "document.getElementById('TC-005-04-05-26-retry').closest('details')"
    assert page.value(f"{closed}.open") is False
    page.value("document.querySelector('a[href=\"#TC-005-04-05-26-retry\"]').click()")
    page.value("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
    assert page.value(f"{closed}.open") is True


def test_nothing_on_the_page_runs_or_is_fetched(page: Browser) -> None:
    assert page.value("document.scripts.length") == 0
    assert page.value("performance.getEntriesByType('resource').length") == 0


def test_a_narrow_window_needs_no_sideways_scrolling(page: Browser) -> None:
    page("Emulation.setDeviceMetricsOverride", width=320, height=640, deviceScaleFactor=1, mobile=False)
    assert page.value("document.documentElement.scrollWidth") <= 320
    page("Emulation.clearDeviceMetricsOverride")


def test_the_page_prints_black_on_white_without_its_navigation(page: Browser) -> None:
    page(
        "Emulation.setEmulatedMedia",
        media="print",
        features=[{"name": "prefers-color-scheme", "value": "dark"}],
    )
    assert page.value("getComputedStyle(document.querySelector('nav')).display") == "none"
    assert page.value("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert page.value("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.value(CONTRAST)["low"] == []
    page("Emulation.setEmulatedMedia", media="", features=[])
    printed = base64.b64decode(page("Page.printToPDF", printBackground=False)["data"])
    assert printed.startswith(b"%PDF")
    assert printed.count(b"/Type /Page\n") > 20


def test_what_is_read_aloud_has_its_names_and_landmarks(page: Browser) -> None:
    nodes = page("Accessibility.getFullAXTree")["nodes"]
    roles = [node["role"]["value"] for node in nodes if not node.get("ignored")]
    assert {"banner", "navigation", "main", "table", "columnheader", "rowheader"} <= set(roles)
    unnamed = [
        node
        for node in nodes
        if not node.get("ignored")
        and node["role"]["value"] in ("link", "table", "navigation", "region", "heading")
        if not node.get("name", {}).get("value")
    ]
    assert unnamed == []
    assert page.value(
        "[...document.querySelectorAll('h1,h2,h3')].map(h => +h.tagName[1]).every((n, i, all) => i === 0 || n <= all[i - 1] + 1)"
    )

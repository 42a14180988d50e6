"""A brief of a recorded session: read once, without secrets and our own traces; what an agent lost at a compaction."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from segue.errors import BadInput, NotFound
from segue.model.brief import SMALLEST
from segue.model.entry import Entry
from segue.service.handoffs import briefs, draft
from segue.service.handoffs.draft import Wanted
from segue.service.sessions import lookup
from segue.service.workspace import Workspace

AGENTS = Path(__file__).parent.parent.parent / "fixtures" / "agents"


def fixture(name: str) -> lookup.Source:
    return lookup.at(str(next((AGENTS / name).glob("input*"))))


def session(path: Path, *lines: str) -> lookup.Source:
    file = path / "s.jsonl"
    header = '{"segue_session":1,"agent":"generic","id":"s1","cwd":"/w"}'
    file.write_text("\n".join((header, *lines)) + "\n")
    return lookup.at(str(file), "generic")


def told(workspace: Workspace, name: str, **wanted: bool) -> str:
    text = briefs.brief(workspace, fixture(name), **wanted)["brief"]
    return text.partition("## Session\n")[2].partition("\n\n")[0]


def test_draft_and_rows_come_from_one_reading(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    source, read = fixture("claude-code/session"), []
    entries = lookup.Source.entries

    def counted(*given: object) -> Iterator[Entry]:
        read.append(source.path)
        yield from entries(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(lookup.Source, "entries", counted)
    made, rows = briefs.read(workspace, source, Wanted("go on", repo=False))
    assert read == [source.path]
    alone = draft.propose(workspace, source, Wanted("go on", repo=False)).made
    assert (made.text, made.facts, made.index) == (alone.text, alone.facts, alone.index)
    lines = len(Path(source.path).read_bytes().splitlines())
    assert rows and all(1 <= row.line <= lines for row in rows)


def test_claude_code_keeps_a_tail_and_loses_what_stands_before_it(workspace: Workspace) -> None:
    whole, gone = (
        told(workspace, "claude-code/headless"),
        told(workspace, "claude-code/headless", since_compaction=True),
    )
    assert "[#12] agent" in whole and "Noted." in whole
    assert "[#12]" not in gone
    assert "[#11] PERSON: Never log the token." in gone
    assert "[#15] --- the context was compacted (trigger manual" in gone
    assert gone.split("\n")[-1].startswith("[#16] summary written by a model, unverified:")


def test_pi_keeps_a_tail_and_loses_what_stands_before_it(workspace: Workspace) -> None:
    gone = told(workspace, "pi/compacted", since_compaction=True).split("\n")
    assert gone[0] == "[#2] PERSON: long work"
    assert gone[1].startswith("[#4] --- the context was compacted")
    assert gone[2].startswith("[#4] summary written by a model, unverified: ## Goal")
    assert not any(line.startswith(("[#3]", "[#5]", "[#6]")) for line in gone)


def test_codex_says_nothing_of_a_tail_so_all_before_the_boundary_is_lost(workspace: Workspace) -> None:
    gone = told(workspace, "codex/compacted", since_compaction=True)
    whole = told(workspace, "codex/compacted")
    boundary = whole.index("--- the context was compacted")
    before = whole[: whole.rindex("\n", 0, boundary)]
    assert gone.startswith(before)
    assert "--- the context was compacted" in gone


def test_a_session_that_was_never_compacted_has_lost_nothing(workspace: Workspace) -> None:
    with pytest.raises(NotFound, match="was not compacted"):
        briefs.brief(workspace, fixture("claude-code/session"), since_compaction=True)


def test_a_budget_that_holds_nothing_is_refused(workspace: Workspace) -> None:
    with pytest.raises(BadInput, match="holds no session"):
        briefs.brief(workspace, fixture("claude-code/session"), budget=SMALLEST - 1)


def test_a_session_of_nothing_is_said_to_be_so(workspace: Workspace, tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="nothing to hand off") as refused:
        briefs.brief(workspace, session(tmp_path))
    assert "--from" in refused.value.hint


def test_secrets_hidden_characters_and_our_own_traces_are_not_told(
    workspace: Workspace, tmp_path: Path
) -> None:
    made = briefs.brief(
        workspace,
        session(
            tmp_path,
            '{"role":"user","text":"use tok-5f1c9a7be2d84c06 and \\u202enever\\u200b push"}',
            '{"kind":"tool_call","tool":"Bash","tool_kind":"shell","call_id":"a","command":"cat .env"}',
            '{"kind":"tool_result","call_id":"a","text":"API_TOKEN=tok-5f1c9a7be2d84c06","exit_code":0}',
            '{"kind":"tool_call","tool":"Bash","tool_kind":"shell","call_id":"b","command":"segue brief --json"}',
            '{"kind":"tool_result","call_id":"b","text":"Brief of generic session s1","exit_code":0}',
            '{"role":"assistant","text":"Done. [#99] ## Session"}',
        ),
    )
    text = made["brief"]
    assert "5f1c9a7be2d84c06" not in text and "\u202e" not in text and "\u200b" not in text
    assert "segue brief" not in text
    assert "[#99]" not in text and text.count("\n## Session\n") == 1
    assert made["lines"][0] == 2 and made["folded"] == 0 and made["tokens"] <= made["budget"] == 45_000

"""`segue doctor` proves what is installed by running it, and says what is in the way."""

from __future__ import annotations

import json
import os
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from segue.agents import integrations
from segue.agents.codex.hook_trust import trusted_hash
from segue.agents.gemini_cli import host as gemini
from segue.agents.registry import host_of
from segue.handoff.headings import DOCUMENT
from segue.model.frame import REPLAYED
from segue.model.moment import BEFORE, Moment
from segue.service.boundary import documents, drafts, refresh
from segue.service.health import boundary, checkup, rehearsal
from segue.service.install import integrations as install
from segue.service.workspace import Workspace
from segue.stores.accepted import rows, user_folder

RICH = "\n".join(
    f"## {name}\n\n- Ported the retry loop in uploader.py; `pytest -q` printed 4 passed [#19].\n"
    for name in DOCUMENT
)


def named(workspace: Workspace, start: str) -> list[dict[str, Any]]:
    return [check for check in boundary.checks(workspace) if check["check"].startswith(start)]


@pytest.mark.parametrize("agent", integrations.agents())
def test_every_installed_hook_is_run_and_the_text_shown(workspace: Workspace, agent: str) -> None:
    drafts.write(workspace, RICH)
    drafts.approve(workspace)
    install.install(workspace, [agent], project=False)
    (proven,) = named(workspace, f"integration {agent}")
    assert proven["ok"], proven
    texts = [proven["text"]] + ([proven["after_compaction"]] if agent != "cline" else [])
    for text in texts:
        assert text.startswith("<segue-handoff") and "Ported the retry loop" in text
    assert "A handoff of earlier work" in texts[0] and all("just compacted" in text for text in texts[1:])
    assert sorted(proven["events"]) == sorted(host_of(agent).events)
    assert not [f for h in workspace.log.heads() for f in workspace.log.read(h.stream_id, types=(REPLAYED,))]


def test_the_rehearsal_leaves_nothing_on_the_list_of_workspaces(workspace: Workspace) -> None:
    workspace.establish()
    install.install(workspace, ["claude-code"], project=True)
    before = rows()
    assert named(workspace, "integration claude-code (project)")[0]["ok"]
    assert rows() == before


def test_who_asks_from_elsewhere_is_not_shown_the_handoff(workspace: Workspace) -> None:
    drafts.write(workspace, RICH)
    drafts.approve(workspace)
    install.install(workspace, ["claude-code"], project=False)
    told = checkup.doctor(workspace, channel="server")["checks"]
    assert [check["ok"] for check in told if check["check"] == "integration claude-code (user)"] == [True]
    assert "Ported" not in json.dumps(told)
    assert "Ported" in json.dumps(checkup.doctor(workspace)["checks"])


def test_a_program_that_is_gone_is_found(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    workspace.establish()
    monkeypatch.setattr(install, "program", lambda: ["/no/longer/here/segue"])
    install.install(workspace, ["claude-code"], project=True)
    (found,) = named(workspace, "integration claude-code (project)")
    assert not found["ok"] and "/no/longer/here/segue" in found["message"] and "--project" in found["hint"]


def test_entries_somebody_deleted_are_missed(workspace: Workspace, home: Path) -> None:
    workspace.establish()
    install.install(workspace, ["claude-code"], project=False)
    (home / ".claude" / "settings.json").write_text("{}")
    (found,) = named(workspace, "integration")
    assert not found["ok"] and "not in the agent's settings" in found["message"]


def accepted(home: Path) -> dict[str, str]:
    """The state Codex writes when a person accepts all hooks in its file."""
    path = os.path.realpath(home / ".codex" / "hooks.json")
    hooks = json.loads(Path(path).read_text())["hooks"]
    names = {
        "SessionStart": "session_start",
        "UserPromptSubmit": "user_prompt_submit",
        "PostToolUse": "post_tool_use",
        "PreCompact": "pre_compact",
        "PostCompact": "post_compact",
        "Stop": "stop",
        "SessionEnd": "session_end",
    }
    return {
        f"{path}:{names[event]}:{len(groups) - 1}:0": trusted_hash(event, groups[-1]["hooks"][0])
        for event, groups in hooks.items()
    }


def write_state(home: Path, state: dict[str, str]) -> None:
    rows = [f"[hooks.state.{json.dumps(key)}]\ntrusted_hash = {json.dumps(h)}" for key, h in state.items()]
    (home / ".codex" / "config.toml").write_text("\n".join(rows))


def test_codex_hooks_that_wait_for_review_are_named(workspace: Workspace, home: Path) -> None:
    workspace.establish()
    (home / ".codex").mkdir()
    other = {"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "true"}]}]}}
    (home / ".codex" / "hooks.json").write_text(json.dumps(other))
    install.install(workspace, ["codex"], project=False)
    (found,) = named(workspace, "trust")
    assert not found["ok"] and "PreCompact (never accepted)" in found["message"]
    write_state(home, accepted(home))
    assert named(workspace, "trust") == []


def test_a_codex_hook_that_changed_since_it_was_accepted_waits_again(
    workspace: Workspace, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.establish()
    install.install(workspace, ["codex"], project=False)
    write_state(home, accepted(home))
    monkeypatch.setattr(install, "program", lambda: [sys.executable, "-m", "segue"])
    install.install(workspace, ["codex"], project=False)
    (found,) = named(workspace, "trust")
    assert "does not run 7 of" in found["message"] and "Stop (changed since" in found["message"]


def test_the_hash_of_a_hook_is_the_one_codex_counts() -> None:
    """Both were listed by Codex 0.166.0; it gives the end of a session three seconds, whatever the entry says."""
    made = [
        trusted_hash(event, {"type": "command", "command": f"/opt/segue hook codex {event}", "timeout": 30})
        for event in ("PostToolUse", "SessionEnd")
    ]
    assert made == [
        "sha256:7ca2aeffd18747745e790bd5f3450bb71c7ddb2b9933e2698a0f3a5383c6377e",
        "sha256:eb74491cb7ad27050ed312b4e8e7e3ae8ca52d652d402212b3aaa0e372c4b84f",
    ]


def test_trust_in_a_form_nobody_knows_is_believed(workspace: Workspace, home: Path) -> None:
    workspace.establish()
    install.install(workspace, ["codex"], project=False)
    write_state(home, dict.fromkeys(accepted(home), "blake9:1"))
    assert named(workspace, "trust") == []


@pytest.mark.parametrize("agent", ["claude-code", "codex", "pi", "opencode"])
def test_a_mechanical_handoff_is_shown_after_a_compaction_only_as_the_settings_say(
    workspace: Workspace, agent: str
) -> None:
    session = ("codex", "s1")
    about = documents.About(host=session[0], session_id=session[1], tail_of=session)
    documents.write(workspace, RICH, about, partial(refresh.note, workspace, session))
    install.install(workspace, [agent], project=False)
    (proven,) = named(workspace, "integration")
    assert proven["ok"] and "text" not in proven and "Ported" in proven["after_compaction"]
    assert "given nothing: nobody approved a handoff" in proven["message"]
    Path(user_folder(), "config.json").write_text('{"boundary": {"emergency_auto_handoff": true}}')
    (proven,) = named(Workspace(workspace.root), "integration")
    assert "Ported" in proven["text"]


def test_what_clearance_keeps_back_is_told_with_its_rule(workspace: Workspace) -> None:
    Path(workspace.establish().folder, "config.json").write_text('{"clearance": {"pi": "team"}}')
    drafts.write(workspace, RICH)
    drafts.approve(workspace)
    install.install(workspace, ["pi"], project=False)
    (proven,) = named(workspace, "integration")
    assert proven["ok"] and not {"text", "after_compaction"} & proven.keys()
    assert proven["message"].count("a private handoff may not go to a team channel") == 2


TRUST: dict[str, list[tuple[str, str]]] = {
    "codex": [(".codex/config.toml", '[projects."@ROOT@"]\ntrust_level = "trusted"\n')],
    "pi": [
        (".pi/agent/trust.json", '{"@ROOT@": true}'),
        (".pi/agent/trust.json", '{"@ABOVE@": true, "@ROOT@": null}'),
        (".pi/agent/settings.json", '{"defaultProjectTrust": "always"}'),
    ],
    "gemini-cli": [
        (".gemini/trustedFolders.json", '{"@ROOT@": "TRUST_FOLDER"}'),
        (".gemini/trustedFolders.json", '{"@ROOT@": "TRUST_PARENT"}'),
        (".gemini/settings.json", '{"security": {"folderTrust": {"enabled": false}}}'),
    ],
    "copilot-cli": [
        (".copilot/config.json", '// Managed.\n{"trustedFolders": ["@ROOT@"]}'),
        (".copilot/config.json", '{"trusted_folders": ["@ABOVE@"]}'),
    ],
}
DISTRUST = {
    "pi": [(".pi/agent/trust.json", '{"@ABOVE@": true, "@ROOT@": false}'), (".pi/agent/trust.json", "[")],
    "gemini-cli": [(".gemini/trustedFolders.json", '{"@ABOVE@": "TRUST_FOLDER", "@ROOT@": "DO_NOT_TRUST"}')],
    "codex": [(".codex/config.toml", '[projects."@ROOT@"]\ntrust_level = "untrusted"\n')],
    "copilot-cli": [(".copilot/config.json", '{"trustedFolders": ["@ROOT@-other"]}')],
}


def decided(workspace: Workspace, home: Path, file: str, text: str) -> None:
    path = home / file
    path.parent.mkdir(parents=True, exist_ok=True)
    above = str(Path(workspace.root).parent)
    path.write_text(text.replace("@ROOT@", workspace.root).replace("@ABOVE@", above))


@pytest.mark.parametrize(("agent", "place"), [(a, place) for a, rows in TRUST.items() for place in rows])
def test_a_project_the_person_trusted_has_nothing_to_wait_for(
    workspace: Workspace, home: Path, agent: str, place: tuple[str, str]
) -> None:
    install.install(workspace, [agent], project=True)
    (waiting,) = named(workspace, f"trust {agent} (project)")
    assert not waiting["ok"] and "before you trust that folder" in waiting["message"]
    decided(workspace, home, *place)
    assert named(workspace, f"trust {agent} (project)") == []


@pytest.mark.parametrize(("agent", "place"), [(a, place) for a, rows in DISTRUST.items() for place in rows])
def test_a_project_the_person_did_not_trust_waits(
    workspace: Workspace, home: Path, agent: str, place: tuple[str, str]
) -> None:
    decided(workspace, home, *place)
    trusts = host_of(agent).trusts_project
    assert trusts is not None and not trusts(os.path.realpath(workspace.root), str(home), {})


def test_an_agent_that_asks_for_no_trust_and_hooks_of_a_person_wait_for_nothing(workspace: Workspace) -> None:
    install.install(workspace, ["claude-code", "opencode", "cline"], project=True)
    install.install(workspace, ["pi", "gemini-cli", "copilot-cli"], project=False)
    assert named(workspace, "trust") == []


@pytest.mark.parametrize(
    ("agent", "event", "said"),
    [
        ("copilot-cli", "preCompact", {"type": "user.message", "data": {"content": "Always use tabs."}}),
        (
            "claude-code",
            "PreCompact",
            {"type": "user", "sessionId": "s1", "message": {"role": "user", "content": "Always use tabs."}},
        ),
    ],
)
def test_the_tail_shown_is_that_of_the_session_the_handoff_is_about(
    workspace: Workspace, tmp_path: Path, agent: str, event: str, said: dict[str, Any]
) -> None:
    events = tmp_path / "events.jsonl"
    row = {"id": "1", "uuid": "1", "timestamp": "2026-01-01T00:00:00Z", **said}
    events.write_text(json.dumps(row) + "\n")
    refresh.prepare(workspace, Moment(agent, event, BEFORE, "s1", workspace.root, str(events)))
    install.install(workspace, [agent], project=False)
    (proven,) = named(workspace, "integration")
    assert "Always use tabs." in proven["after_compaction"] and "Go on" not in proven["after_compaction"]


def test_a_warning_of_a_full_context_is_not_shown_as_what_a_new_session_is_given(
    workspace: Workspace, tmp_path: Path
) -> None:
    transcript = tmp_path / "s1.jsonl"
    answer = {"role": "assistant", "content": "Lit.", "usage": {"input_tokens": 190_000}}
    rows = [("user", {"role": "user", "content": "Light the lamp."}), ("assistant", answer)]
    transcript.write_text(
        "".join(
            json.dumps({"type": kind, "uuid": kind, "sessionId": "s1", "message": message}) + "\n"
            for kind, message in rows
        )
    )
    given = Moment("claude-code", "PreCompact", BEFORE, "s1", workspace.root, str(transcript))
    refresh.prepare(workspace, given)
    install.install(workspace, ["claude-code"], project=False)
    (proven,) = named(workspace, "integration")
    assert "text" not in proven and "given nothing: nobody approved a handoff" in proven["message"]
    assert "Light the lamp." in proven["after_compaction"]


HOOKS = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini-cli": ".gemini/settings.json",
    "copilot-cli": ".github/hooks/segue.json",
    "cline": ".cline/hooks/PreToolUse",
    "pi": ".pi/extensions/segue.ts",
    "opencode": ".opencode/plugins/segue.js",
}


@pytest.mark.parametrize("agent", integrations.agents())
def test_a_hook_that_this_version_would_not_write_is_told_and_not_run(
    workspace: Workspace, tmp_path: Path, agent: str
) -> None:
    install.install(workspace, [agent], project=True)
    path, ran = Path(workspace.root) / HOOKS[agent], tmp_path / "ran"
    text, (program, *_) = path.read_text(), install.program()
    edited = {
        "pi": text.replace(json.dumps(install.program()), json.dumps(["/usr/bin/touch", str(ran)])),
        "opencode": text.replace(json.dumps(install.program()), json.dumps(["/usr/bin/touch", str(ran)])),
        "cline": text.replace("exec ", f"touch {ran}\nexec "),
    }.get(agent, text.replace(program, f"touch {ran}; {program}", 1))
    assert edited != text
    path.write_text(edited)
    for channel in (None, "server"):
        checks = checkup.doctor(workspace, channel=channel)["checks"]
        (told,) = [check for check in checks if check["check"] == f"integration {agent} (project)"]
        assert not told["ok"] and "nothing of it was run" in told["message"] and "--force" in told["hint"]
    assert not ran.exists()


def test_a_command_of_another_beside_ours_is_told_until_installing_takes_it_out(workspace: Workspace) -> None:
    install.install(workspace, ["claude-code"], project=True)
    path = Path(workspace.root) / ".claude/settings.json"
    settings = json.loads(path.read_text())
    other = {"type": "command", "command": "date; segue hook claude-code SessionStart"}
    settings["hooks"]["SessionStart"].append({"hooks": [other]})
    path.write_text(json.dumps(settings))
    (told,) = named(workspace, "integration")
    assert not told["ok"] and '"date; segue hook claude-code SessionStart"' in told["message"]
    install.install(workspace, ["claude-code"], project=True)
    (told,) = named(workspace, "integration")
    assert told["ok"], told


def test_files_an_older_version_wrote_are_outdated_and_edited_ones_are_told(
    workspace: Workspace, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace.establish()
    install.install(workspace, ["gemini-cli"], project=False)
    assert named(workspace, "version") == []
    command = home / ".gemini/commands/segue/handoff.toml"
    command.write_text(command.read_text() + "# mine\n")
    (edited,) = named(workspace, "version gemini-cli (user)")
    assert edited["ok"] and "as you edited it" in edited["message"] and "--force" in edited["message"]
    newer = gemini.HOST._replace(events={**gemini.HOST.events, "BeforeModel": "prompt"})
    monkeypatch.setattr(gemini, "HOST", newer)
    outdated = named(workspace, "version gemini-cli (user)")[0]
    assert not outdated["ok"] and "settings.json is not as this version" in outdated["message"]


@pytest.mark.parametrize("agent", ["codex", "opencode"])
def test_the_mcp_server_that_was_brought_along_is_greeted(workspace: Workspace, agent: str) -> None:
    workspace.establish()
    install.install(workspace, [agent], project=True)
    (found,) = named(workspace, "server")
    assert found == {
        "check": f"server {agent} (project)",
        "ok": True,
        "message": "The MCP server answers.",
    }


@pytest.mark.parametrize("code", ["raise SystemExit('out of order')", "print('[]')", "print('hello')"])
def test_a_server_that_does_not_greet_back_is_told(code: str, tmp_path: Path) -> None:
    assert rehearsal.greeting([sys.executable, "-c", code], str(tmp_path)) != ""


def test_an_agent_that_takes_no_server_has_none_to_prove(workspace: Workspace) -> None:
    workspace.establish()
    install.install(workspace, ["cline"], project=False)
    assert named(workspace, "server") == []


@pytest.mark.parametrize(
    ("version", "ok", "told"),
    [
        ("0.73.0", False, "older than 0.73.1"),
        ("1.5.0", True, "tried with 1.5.0"),
        ("1.10.0", True, "newer than"),
    ],
)
def test_the_agents_version_is_compared_with_those_that_were_tried(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, ok: bool, told: str
) -> None:
    workspace.establish()
    program = tmp_path / "bin" / "pi"
    program.parent.mkdir()
    program.write_text(f"#!/bin/sh\necho pi version {version}\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    install.install(workspace, ["pi"], project=False)
    (found,) = named(workspace, "version pi")
    assert found["ok"] is ok and told in found["message"]


@pytest.mark.parametrize(
    ("agent", "file", "text"),
    [
        ("claude-code", ".claude/settings.json", '{"env": {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "70"}}'),
        (
            "codex",
            ".codex/config.toml",
            "model_context_window = 100000\nmodel_auto_compact_token_limit = 66500\n",
        ),
    ],
)
def test_a_warning_that_comes_after_the_agents_own_trigger_is_told(
    workspace: Workspace, home: Path, agent: str, file: str, text: str
) -> None:
    workspace.establish()
    (home / file).parent.mkdir()
    (home / file).write_text(text)
    install.install(workspace, [agent], project=False)
    (found,) = named(workspace, "thresholds")
    assert "this agent compacts at 70 %" in found["message"] and file in found["hint"]
    Path(workspace.folder, "config.json").write_text(
        '{"boundary": {"checkpoint_warning_percent": 60, "rearm_percent": 50}}'
    )
    assert named(Workspace(workspace.root), "thresholds") == []


def test_thresholds_lowered_for_an_agent_that_compacts_early_are_told(workspace: Workspace) -> None:
    install.install(workspace.establish(), ["copilot-cli"], project=False)
    (found,) = named(workspace, "thresholds")
    assert found["ok"] and "above 78 %: it is warned at 71 %" in found["message"]


def test_all_that_is_wrong_with_the_thresholds_is_told_at_once(workspace: Workspace, home: Path) -> None:
    settings = '{"boundary": {"checkpoint_warning_percent": 85, "rearm_percent": 90}}'
    Path(workspace.establish().folder, "config.json").write_text(settings)
    (home / ".claude").mkdir()
    (home / ".claude" / "settings.json").write_text('{"env": {"CLAUDE_AUTOCOMPACT_PCT_OVERRIDE": "70"}}')
    install.install(workspace, ["claude-code"], project=False)
    told = " ".join(check["message"] for check in named(Workspace(workspace.root), "thresholds"))
    assert "must rise" in told and "claude-code: The warning at 85 % comes too late" in told


def test_an_installation_of_a_person_is_told_where_there_is_no_workspace(
    workspace: Workspace, tmp_path: Path
) -> None:
    install.install(workspace, ["pi"], project=False)
    elsewhere = Workspace(str(tmp_path / "elsewhere"))
    told = {check["check"]: check for check in checkup.doctor(elsewhere)["checks"]}
    assert told["integration pi (user)"]["ok"] and "no workspace" in told["integration pi (user)"]["message"]
    assert not elsewhere.exists


@pytest.mark.parametrize(("section", "name"), [("boundary", "approval"), ("clearance", "codex")])
def test_a_setting_that_is_none_of_its_words_is_found_and_the_strictest_holds(
    workspace: Workspace, section: str, name: str
) -> None:
    settings = json.dumps({section: {name: "Ask"}})
    Path(workspace.establish().folder, "config.json").write_text(settings)
    opened = Workspace(workspace.root)
    (found,) = named(opened, "settings")
    assert not found["ok"] and f"sets {section}.{name} to 'Ask'" in found["message"]
    if section == "boundary":
        assert drafts.write(opened, RICH)["approval"] == "pending"


def test_a_handoff_nobody_renewed_for_weeks_is_stale(workspace: Workspace) -> None:
    drafts.write(workspace, RICH)
    drafts.approve(workspace)
    about = Path(workspace.folder, "transcripts", ".handoff.json")
    about.write_text(json.dumps({**json.loads(about.read_text()), "written_ms": 1}))
    (found,) = named(workspace, "handoff")
    assert not found["ok"] and "rich" in found["message"]

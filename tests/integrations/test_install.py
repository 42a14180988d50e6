"""Installing keeps what was there and says exactly what it does; uninstalling leaves no trace."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import tempfile
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from segue.agents import integrations
from segue.agents.registry import host_of
from segue.errors import BadInput, NotFound, Refused
from segue.service.health import boundary, proof
from segue.service.install import integrations as install
from segue.service.workspace import Workspace

AGENTS = integrations.agents()
SETTINGS = {
    "claude-code": ".claude/settings.json",
    "codex": ".codex/hooks.json",
    "gemini-cli": ".gemini/settings.json",
}
OTHER = {"hooks": [{"type": "command", "command": "notify-send done"}]}


class Place:
    """A home, and a workspace to install from."""

    def __init__(self, home: Path, workspace: Workspace) -> None:
        self.home, self.workspace = home, workspace

    def tree(self) -> dict[str, tuple[int, bytes]]:
        return {
            str(path.relative_to(self.home)): (
                path.lstat().st_mode,
                os.readlink(path).encode()
                if path.is_symlink()
                else b""
                if path.is_dir()
                else path.read_bytes(),
            )
            for path in self.home.rglob("*")
            if path.name not in ("workspaces.json", "workspaces.json.lock")
        }

    def write(self, name: str, data: bytes, mode: int = 0o644) -> Path:
        path = self.home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(mode)
        return path

    def install(self, *agents: str, **how: bool) -> dict[str, Any]:
        return install.install(self.workspace, list(agents), project=False, **how)

    def uninstall(self, *agents: str, **how: bool) -> dict[str, Any]:
        return install.uninstall(self.workspace, list(agents), project=False, **how)


@pytest.fixture
def place(home: Path, workspace: Workspace) -> Place:
    return Place(home, workspace)


@pytest.mark.parametrize("agent", AGENTS)
def test_a_second_installation_changes_nothing(place: Place, agent: str) -> None:
    assert place.install(agent)["agents"][agent]["changes"]
    first = place.tree()
    assert place.install(agent)["agents"][agent]["changes"] == []
    assert place.tree() == first


@pytest.mark.parametrize("agent", AGENTS)
def test_uninstalling_from_an_empty_home_removes_files_and_folders(place: Place, agent: str) -> None:
    place.install(agent)
    place.install(agent)
    place.uninstall(agent)
    assert place.tree() == {}


def test_hooks_of_a_person_act_where_there_is_a_workspace_which_is_said_where_there_is_none(
    place: Place,
) -> None:
    def note() -> str:
        return str(place.install("claude-code")["agents"]["claude-code"]["note"])

    assert "`segue thread ensure` makes it" in note()
    place.workspace.establish()
    assert note() == ""


@pytest.mark.parametrize("agent", AGENTS)
def test_a_dry_run_shows_the_change_and_makes_none(place: Place, agent: str) -> None:
    shown = place.install(agent, dry_run=True)["agents"][agent]["changes"]
    assert place.tree() == {}
    assert shown == place.install(agent)["agents"][agent]["changes"]
    installed = place.tree()
    assert place.uninstall(agent, dry_run=True)["agents"][agent]["changes"]
    assert place.tree() == installed


@pytest.mark.parametrize("agent", AGENTS)
def test_a_project_gets_its_integration_beside_the_code_and_loses_it_again(place: Place, agent: str) -> None:
    root = Path(place.workspace.root)
    install.install(place.workspace, [agent], project=True)
    made = {p for p in root.rglob("*") if ".segue" not in p.parts and ".git" not in p.parts}
    assert made and {name for name, (_, data) in place.tree().items() if data} == set()
    install.uninstall(place.workspace, [agent], project=True)
    assert not {p for p in root.rglob("*") if ".segue" not in p.parts and ".git" not in p.parts}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
GROUPS = st.lists(st.just(OTHER) | JSON, max_size=3)


@st.composite
def settings_files(draw: st.DrawFn) -> bytes:
    """Settings as people and tools leave them: odd indentation, no last line end, hooks of others."""
    value = draw(st.dictionaries(st.text(max_size=8), JSON, max_size=4))
    value.pop("hooks", None)
    value.pop("mcpServers", None)
    if draw(st.booleans()):
        value["mcpServers"] = draw(st.dictionaries(st.text(max_size=8), JSON, max_size=2))
    if draw(st.booleans()):
        events = st.sampled_from(
            [*host_of("claude-code").events, *host_of("gemini-cli").events, "Notification"]
        )
        value["hooks"] = draw(st.dictionaries(events, GROUPS, max_size=4))
    indent = draw(st.sampled_from([None, 0, 1, 2, 4, "\t", "   "]))
    text = json.dumps(value, indent=indent, ensure_ascii=draw(st.booleans()))
    text = draw(st.sampled_from(["", "\n", "  \n\n"])) + text + draw(st.sampled_from(["", "\n", "\n\n", " "]))
    return text.replace("\n", draw(st.sampled_from(["\n", "\r\n"]))).encode(errors="backslashreplace")


def without_segue(settings: dict[str, Any]) -> dict[str, Any]:
    """What is not hooks and not our server."""
    others = {name: server for name, server in settings.get("mcpServers", {}).items() if name != "segue"}
    return {**{k: v for k, v in settings.items() if k != "hooks"}, "mcpServers": others}


@settings(max_examples=60, deadline=None)
@given(
    agent=st.sampled_from(sorted(SETTINGS)),
    data=settings_files(),
    mode=st.sampled_from([0o600, 0o644, 0o400]),
)
def test_installing_and_uninstalling_is_as_if_nothing_had_been(agent: str, data: bytes, mode: int) -> None:
    with tempfile.TemporaryDirectory() as root, pytest.MonkeyPatch.context() as patch:
        (Path(root) / "project" / ".git").mkdir(parents=True)
        (Path(root) / "home").mkdir()
        place = Place(Path(root) / "home", Workspace(f"{root}/project"))
        patch.setenv("HOME", str(place.home))
        place.write(SETTINGS[agent], data, mode)
        before = place.tree()
        place.install(agent)
        now = json.loads((place.home / SETTINGS[agent]).read_bytes())
        for event, groups in json.loads(data).get("hooks", {}).items():
            assert now["hooks"][event][: len(groups)] == groups
        assert without_segue(now) == without_segue(json.loads(data))
        place.uninstall(agent)
        place.workspace.close()
        assert place.tree() == before


@pytest.mark.parametrize("agent", sorted(SETTINGS))
def test_what_a_person_edits_in_between_stays_and_only_our_entries_go(place: Place, agent: str) -> None:
    event = next(iter(host_of(agent).events))
    path = place.write(SETTINGS[agent], json.dumps({"hooks": {event: [OTHER]}}, indent=4).encode())
    place.install(agent)
    edited = json.loads(path.read_text())
    edited["theme"] = "dark"
    edited["hooks"]["Notification"] = [OTHER]
    path.write_text(json.dumps(edited, indent=4))
    place.uninstall(agent)
    assert path.read_text() == json.dumps(
        {"hooks": {event: [OTHER], "Notification": [OTHER]}, "theme": "dark"}, indent=4
    )


def test_settings_that_link_elsewhere_stay_a_link(place: Place) -> None:
    real = place.write("dotfiles/claude.json", b'{"theme":"dark"}', 0o600)
    (place.home / ".claude").mkdir()
    (place.home / ".claude/settings.json").symlink_to(real)
    before = place.tree()
    place.install("claude-code")
    assert (place.home / ".claude/settings.json").is_symlink() and b" hook claude-code " in real.read_bytes()
    place.uninstall("claude-code")
    assert place.tree() == before


@pytest.mark.parametrize(
    "data",
    [
        b"{",
        b"[]",
        b'"x"',
        b'{"hooks": []}',
        b'{"hooks": {"SessionStart": {}}}',
        b'{"a": 1e999}',
        b"\xff\xfe\x00",
        b"[" * 9999,
    ],
)
def test_settings_that_cannot_be_understood_get_a_sentence_and_stay(place: Place, data: bytes) -> None:
    place.write(".claude/settings.json", data)
    before = place.tree()
    with pytest.raises(BadInput) as refused:
        place.install("codex", "claude-code")
    assert str(place.home / ".claude/settings.json") in refused.value.message
    assert place.tree() == before


@pytest.mark.parametrize("agent", AGENTS)
def test_a_file_of_somebody_else_is_not_overwritten(place: Place, agent: str) -> None:
    wanted = integrations.integration(agent, str(place.home), False, {})
    assert wanted is not None
    file = wanted.files[-1]
    place.write(os.path.relpath(file.path, place.home), b"# my own way of handing off, better than segue\n")
    before = place.tree()
    with pytest.raises(BadInput, match="not segue's"):
        place.install(agent)
    assert place.tree() == before


def test_a_skill_two_agents_read_stays_until_the_second_is_gone(place: Place) -> None:
    skill = place.home / ".agents/skills/handoff/SKILL.md"
    place.install("codex")
    place.install("copilot-cli")
    place.uninstall("codex")
    assert skill.exists()
    place.uninstall("copilot-cli")
    assert place.tree() == {}


def test_entries_of_a_program_that_moved_are_replaced_not_doubled(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(install, "program", lambda: ["/old/bin/segue"])
    place.install("claude-code")
    monkeypatch.setattr(install, "program", lambda: ["/new/bin/segue"])
    place.install("claude-code")
    text = (place.home / ".claude/settings.json").read_text()
    assert "/old/bin" not in text and text.count("/new/bin/segue hook claude-code Stop") == 1
    place.uninstall("claude-code")
    assert place.tree() == {}


def test_an_installation_whose_ledger_was_lost_can_still_be_taken_out(place: Place) -> None:
    place.write(".claude/settings.json", json.dumps({"hooks": {"Stop": [OTHER]}}, indent=2).encode())
    place.install("claude-code")
    shutil.rmtree(place.home / ".config")
    with pytest.raises(NotFound):
        place.uninstall("claude-code")
    place.install("claude-code")
    place.uninstall("claude-code")
    assert json.loads((place.home / ".claude/settings.json").read_text()) == {"hooks": {"Stop": [OTHER]}}
    assert not (place.home / ".claude/skills/handoff/SKILL.md").exists()


EDITABLE = {
    "claude-code": ".claude/skills/handoff/SKILL.md",
    "copilot-cli": ".copilot/hooks/segue.json",
    "cline": ".cline/hooks/PreToolUse",
    "pi": ".pi/agent/extensions/segue.ts",
    "gemini-cli": ".gemini/commands/segue/handoff.toml",
}


def edit(place: Place, agent: str) -> Path:
    path = place.home / EDITABLE[agent]
    path.write_text(path.read_text() + "\n# mine\n")
    return path


@pytest.mark.parametrize("agent", sorted(EDITABLE))
def test_a_file_of_ours_that_a_person_edited_stays_until_forced(
    place: Place, agent: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    place.install(agent)
    path = edit(place, agent)
    edited = path.read_bytes()
    monkeypatch.setattr(install, "program", lambda: ["/moved/segue"])
    assert place.install(agent)["agents"][agent]["kept"] == [str(path)]
    assert path.read_bytes() == edited
    for _ in range(2):
        assert place.uninstall(agent)["agents"][agent]["kept"] == [str(path)]
    others = {str(p.relative_to(place.home)) for p in place.home.rglob("*") if p.is_file()}
    assert path.read_bytes() == edited and others == {EDITABLE[agent], ".config/segue/installed.json"}
    assert install.installed(place.workspace, project=False) == []
    assert place.uninstall(agent, force=True)["agents"][agent]["kept"] == []
    assert place.tree() == {}


def test_an_edited_file_is_replaced_when_forced_and_then_goes_like_any_other(place: Place) -> None:
    place.install("claude-code")
    first = place.tree()
    edit(place, "claude-code")
    place.install("claude-code", force=True)
    assert place.tree() == first
    place.uninstall("claude-code")
    assert place.tree() == {}


def test_an_edit_that_leaves_nothing_of_ours_is_still_known_by_the_ledger(place: Place) -> None:
    place.install("claude-code")
    path = place.home / EDITABLE["claude-code"]
    path.write_text("# my own words\n")
    assert place.install("claude-code")["agents"]["claude-code"]["kept"] == [str(path)]
    assert path.read_text() == "# my own words\n"


def test_a_file_left_behind_by_one_agent_does_not_hold_back_another(place: Place) -> None:
    place.install("codex", "copilot-cli")
    skill = place.home / ".agents/skills/handoff/SKILL.md"
    skill.write_text(skill.read_text() + "mine\n")
    assert place.uninstall("codex")["agents"]["codex"]["kept"] == []
    assert place.uninstall("copilot-cli")["agents"]["copilot-cli"]["kept"] == [str(skill)]
    place.uninstall("copilot-cli", force=True)
    assert place.tree() == {}


def test_one_agent_that_is_not_installed_keeps_all_of_them_untouched(place: Place) -> None:
    place.install("claude-code", "codex")
    before = place.tree()
    with pytest.raises(NotFound, match="pi"):
        place.uninstall("claude-code", "codex", "pi")
    assert place.tree() == before
    place.uninstall("claude-code", "codex", "codex")
    assert place.tree() == {}


def test_two_agents_that_leave_together_take_their_common_skill_along(place: Place) -> None:
    place.install("codex", "copilot-cli")
    shown = place.uninstall("codex", "copilot-cli", dry_run=True)["agents"]
    assert place.uninstall("codex", "copilot-cli")["agents"] == shown
    assert place.tree() == {}


def test_an_agent_without_an_integration_is_named_with_those_that_have_one(place: Place) -> None:
    with pytest.raises(BadInput, match="aider") as refused:
        place.install("aider")
    assert refused.value.hint is not None and "claude-code" in refused.value.hint
    assert place.tree() == {}


def test_an_edit_between_two_installations_survives_uninstalling(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = place.write(SETTINGS["claude-code"], b'{"theme": "light"}\n')
    place.install("claude-code")
    path.write_text(json.dumps({**json.loads(path.read_text()), "theme": "dark"}))
    monkeypatch.setattr(install, "program", lambda: ["/moved/segue"])
    place.install("claude-code")
    place.uninstall("claude-code")
    assert json.loads(path.read_text()) == {"theme": "dark"}


@pytest.mark.parametrize(
    ("agent", "file", "told"),
    [
        (
            "claude-code",
            ".claude/skills/handoff/SKILL.md",
            '--agent claude-code --session "$CLAUDE_CODE_SESSION_ID"',
        ),
        ("codex", ".agents/skills/handoff/SKILL.md", "--agent AGENT --session ID"),
        ("gemini-cli", ".gemini/commands/segue/handoff.toml", "--agent gemini-cli"),
        ("opencode", ".config/opencode/commands/handoff.md", '--session "$SEGUE_OPENCODE_SESSION"'),
    ],
)
def test_a_skill_or_command_says_how_to_bind_a_draft_to_its_session(
    place: Place, agent: str, file: str, told: str
) -> None:
    place.install(agent)
    text = (place.home / file).read_text()
    assert f"draft write FILE {told}" in text.replace("--agent opencode ", "") and "@" not in text
    assert ("`codex` and `$CODEX_THREAD_ID`" in text) is (agent == "codex")


def test_commands_of_gemini_are_sound_toml(place: Place) -> None:
    place.install("gemini-cli")
    made = tomllib.loads((place.home / ".gemini/commands/segue/handoff.toml").read_text())
    assert "{{args}}" in made["prompt"]


SOUND = {"before": None, "after": "0" * 64, "folders": [], "ours": False}


@pytest.mark.parametrize(
    ("agent", "path", "row"),
    [
        ("claude-code", "@HOME@/.profile", SOUND),
        ("claude-code", "@HOME@/.claude/../.profile", SOUND),
        ("claude-code", ".claude/settings.json", SOUND),
        ("pi", "@ROOT@/.claude/settings.json", SOUND),
        ("nobody", "@ROOT@/.claude/settings.json", SOUND),
        ("claude-code", "@ROOT@/.claude/settings.json", {**SOUND, "before": "*"}),
        ("claude-code", "@ROOT@/.claude/settings.json", []),
    ],
)
@pytest.mark.parametrize("project", [True, False])
def test_a_ledger_that_segue_did_not_write_is_refused_and_nothing_is_restored(
    place: Place, agent: str, path: str, row: Any, project: bool
) -> None:
    profile = place.write(".profile", b"echo hello\n")
    root = Path(place.workspace.establish().root)
    folder = Path(place.workspace.folder) if project else place.home / ".config/segue"
    folder.mkdir(parents=True, exist_ok=True)
    named = path.replace("@HOME@", str(place.home)).replace("@ROOT@", str(root))
    if isinstance(row, dict):
        row = {**row, "after": hashlib.sha256(profile.read_bytes()).hexdigest()}
        row["before"] = row["before"] or base64.b64encode(b"echo owned\n").decode()
    ledger = {"folders": [], "agents": {agent: {named: row}}}
    (folder / "installed.json").write_text(json.dumps(ledger))
    before = place.tree(), (root / ".claude").exists()
    for act in (install.uninstall, install.install):
        with pytest.raises(Refused, match="installed"):
            act(place.workspace, [agent], project=project)
    assert (place.tree(), (root / ".claude").exists()) == before
    found = {check["check"]: check for check in boundary.checks(place.workspace)}
    assert not found[f"integrations ({'project' if project else 'user'})"]["ok"]


@pytest.mark.parametrize("link", [".claude", ".claude/settings.json", ".claude/skills"])
def test_nothing_in_a_project_is_changed_through_a_link(place: Place, link: str) -> None:
    root = Path(place.workspace.root)
    elsewhere = place.home / "elsewhere"
    if link.endswith(".json"):
        elsewhere.write_text("{}")
    else:
        elsewhere.mkdir()
    (root / link).parent.mkdir(exist_ok=True)
    (root / link).symlink_to(elsewhere)
    before = place.tree()
    with pytest.raises(Refused, match="through a link"):
        install.install(place.workspace, ["claude-code"], project=True)
    assert place.tree() == before


def test_a_link_put_in_place_of_an_installed_file_is_not_followed(place: Place) -> None:
    root = Path(place.workspace.root)
    install.install(place.workspace, ["claude-code"], project=True)
    settings = root / ".claude/settings.json"
    theirs = place.write("theirs.json", settings.read_bytes())
    settings.unlink()
    settings.symlink_to(theirs)
    before = place.tree()
    with pytest.raises(Refused, match="through a link"):
        install.uninstall(place.workspace, ["claude-code"], project=True)
    assert place.tree() == before


@pytest.mark.parametrize("agent", AGENTS)
@pytest.mark.parametrize("first", [True, False])
def test_installing_says_what_is_there_already_in_the_other_scope(
    place: Place, agent: str, first: bool
) -> None:
    alone = install.install(place.workspace, [agent], project=first)["agents"][agent]
    again = install.install(place.workspace, [agent], project=first)["agents"][agent]
    assert alone["elsewhere"] == again["elsewhere"] == [] and "said once" not in alone["note"] + again["note"]
    second = install.install(place.workspace, [agent], project=not first)["agents"][agent]
    assert second["elsewhere"] and f"{'in this project' if first else '(--user)'}, too" in second["note"]
    assert all(os.path.exists(path) for path in second["elsewhere"])
    for project in (first, not first):
        install.uninstall(place.workspace, [agent], project=project)
    assert not {name for name in place.tree() if not name.startswith(".config")}
    assert {path.name for path in Path(place.workspace.root).iterdir()} == {".git", ".segue"}


CLASHING = pytest.mark.parametrize(
    "agent, file, noun",
    [
        ("codex", ".agents/skills/handoff/SKILL.md", "skill"),
        ("gemini-cli", ".gemini/commands/segue/handoff.toml", "command"),
    ],
)


@pytest.mark.parametrize("scopes", [(True, False), (False, True)])
@CLASHING
def test_a_skill_or_command_that_would_clash_is_in_one_place_alone(
    place: Place, agent: str, file: str, noun: str, scopes: tuple[bool, bool]
) -> None:
    for project in scopes:
        install.install(place.workspace, [agent], project=project)
    assert (place.home / file).exists() and not Path(place.workspace.root, file).exists()
    again = install.install(place.workspace, [agent], project=True)["agents"][agent]
    assert again["changes"] == [] and f"Its {noun} is {place.home / file}" in again["note"]
    done = install.uninstall(place.workspace, [agent], project=False)["agents"][agent]
    assert f"`segue install {agent}` in {place.workspace.root} gives it its own {noun} again" in done["note"]
    install.install(place.workspace, [agent], project=True)
    assert Path(place.workspace.root, file).exists()


@CLASHING
def test_a_copy_in_a_project_goes_when_the_person_gets_one_from_elsewhere(
    place: Place, tmp_path: Path, agent: str, file: str, noun: str
) -> None:
    project, elsewhere = place.workspace, Workspace(str(tmp_path / "elsewhere"))
    os.mkdir(elsewhere.root)
    install.install(project, [agent], project=True)
    own = Path(project.root, file)
    shown = install.install(elsewhere, [agent], project=False, dry_run=True)["agents"][agent]
    assert str(own) in [change["path"] for change in shown["changes"]] and own.exists()
    done = install.install(elsewhere, [agent], project=False)["agents"][agent]
    assert str(own) in [change["path"] for change in done["changes"]] and "clashes" not in done["note"]
    assert not own.exists() and (place.home / file).exists()
    assert not [
        row for row in proof.prove(project, agent, "project", [*_files(project, agent)]) if _clash(row)
    ]


@CLASHING
def test_a_copy_that_was_edited_is_named_when_the_person_gets_one_from_elsewhere(
    place: Place, tmp_path: Path, agent: str, file: str, noun: str
) -> None:
    project, elsewhere = place.workspace, Workspace(str(tmp_path / "elsewhere"))
    os.mkdir(elsewhere.root)
    install.install(project, [agent], project=True)
    own = Path(project.root, file)
    own.write_bytes(own.read_bytes() + b"\n# mine\n")
    done = install.install(elsewhere, [agent], project=False)["agents"][agent]
    assert (
        f"{own} clashes with this {noun}: `segue install {agent}` in {project.root} takes it" in done["note"]
    )
    (told,) = [
        row for row in proof.prove(project, agent, "project", [*_files(project, agent)]) if _clash(row)
    ]
    assert (
        not told["ok"]
        and str(own) in told["message"]
        and f"`segue install {agent} --project`" in told["hint"]
    )
    mended = install.install(project, [agent], project=True, force=True)["agents"][agent]
    assert [change["path"] for change in mended["changes"]] == [str(own)] and not own.exists()


@pytest.mark.parametrize("agent", AGENTS)
def test_what_came_with_a_clone_is_told_until_somebody_installs_or_removes_it(
    place: Place, tmp_path: Path, agent: str
) -> None:
    install.install(place.workspace, [agent], project=True)
    clone = Workspace(str(tmp_path / "clone"))
    shutil.copytree(
        place.workspace.root, clone.root, ignore=shutil.ignore_patterns(".segue", "clone", "home")
    )
    brought = install.came_along(clone, agent)
    assert brought and all(path.startswith(clone.root) for path in brought)
    assert install.came_along(place.workspace, agent) == []
    (told,) = [row for row in boundary.elsewhere(clone) if row["check"] == f"integration {agent} (clone)"]
    assert not told["ok"] and all(path in told["message"] for path in brought)
    done = install.install(clone, [agent], project=False)["agents"][agent]
    assert f"came with the repository: remove them, or `segue install {agent} --project`" in done["note"]
    assert install.came_along(clone, agent) == brought, "what git tracks is not changed from a home"
    for path in brought:
        os.unlink(path)
    assert install.came_along(clone, agent) == []


@CLASHING
def test_a_project_without_its_own_copy_is_named_when_the_person_gives_theirs_up_elsewhere(
    place: Place, tmp_path: Path, agent: str, file: str, noun: str
) -> None:
    project, elsewhere = place.workspace, Workspace(str(tmp_path / "elsewhere"))
    os.mkdir(elsewhere.root)
    install.install(elsewhere, [agent], project=False)
    install.install(project, [agent], project=True)
    done = install.uninstall(elsewhere, [agent], project=False)["agents"][agent]
    assert f"`segue install {agent}` in {project.root} gives it its own {noun} again" in done["note"]
    install.install(project, [agent], project=True)
    assert Path(project.root, file).exists()


@CLASHING
def test_a_copy_that_was_edited_stays_in_the_project_until_forced(
    place: Place, tmp_path: Path, agent: str, file: str, noun: str
) -> None:
    install.install(place.workspace, [agent], project=True)
    own = Path(place.workspace.root, file)
    own.write_text(own.read_text() + "\nOur own words.\n")
    install.install(Workspace(str(tmp_path)), [agent], project=False)
    kept = install.install(place.workspace, [agent], project=True)["agents"][agent]
    assert kept["kept"] == [str(own)] and own.exists()
    install.install(place.workspace, [agent], project=True, force=True)
    assert not own.exists()


def _files(workspace: Workspace, agent: str) -> list[str]:
    return dict(install.installed(workspace, True))[agent]


def _clash(row: dict[str, Any]) -> bool:
    return "clashes" in row["message"]

"""Which model is meant, and which may have what is private: a person's word, never a repository's or an agent's."""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from segue.errors import BadInput, Refused
from segue.llm.ceiling import Ceiling
from segue.service import config, models
from segue.service.workspace import Workspace

OPENAI = "openai@api.openai.com"


@pytest.fixture(autouse=True)
def home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    made = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(made))
    for name in (
        "OPENAI_BASE_URL",
        "OPENAI_API_KEY",
        "ANTHROPIC_BASE_URL",
        "ANTHROPIC_API_KEY",
        "OLLAMA_HOST",
    ):
        monkeypatch.delenv(name, raising=False)
    return made / "segue"


def settings(folder: Path, **given: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(given))


def test_the_flag_comes_before_the_environment_and_that_before_the_users_settings(
    workspace: Workspace, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert workspace.config.model_meant() == ""
    settings(home, model="claude")
    assert Workspace(workspace.root).config.model_meant() == "claude"
    monkeypatch.setenv("SEGUE_MODEL", "codex")
    assert Workspace(workspace.root).config.model_meant() == "codex"
    assert Workspace(workspace.root).config.model_meant("pi") == "pi"
    assert Workspace(workspace.root).config.model_meant("") == ""


def test_a_repository_names_no_model_and_raises_no_ceiling(workspace: Workspace, home: Path) -> None:
    theirs = Path(workspace.root, ".segue")
    settings(theirs, model="openai:m", model_most_tokens=2_000_000, model_most_usd=900.0)
    found = config.load(str(theirs))
    assert (found["model"], found["model_most_tokens"], found["model_most_usd"]) == ("", 1_000_000, 5.0)
    assert [name for name, _ in found.loosening] == ["model", "model_most_tokens", "model_most_usd"]
    settings(home, model="claude")
    assert config.load(str(theirs))["model"] == "claude"


def test_a_repository_may_do_without_a_model_and_lower_a_ceiling(workspace: Workspace, home: Path) -> None:
    workspace.establish()
    settings(home, model="claude")
    settings(Path(workspace.root, ".segue"), model="", model_most_tokens=9, model_most_usd=1)
    assert workspace.config.model_meant() == ""
    assert models.ceiling(workspace) == Ceiling(9, 1.0)


@pytest.mark.parametrize(("marks", "for_agent"), [({"CODEX_THREAD_ID": "t-1"}, False), ({}, True)])
def test_the_environment_of_what_an_agent_starts_names_no_model(
    tmp_path: Path, marks: dict[str, str], for_agent: bool
) -> None:
    env = {"XDG_CONFIG_HOME": str(tmp_path), "SEGUE_MODEL": "openai:m", "SEGUE_MODEL_MOST_USD": "99", **marks}
    found = config.load(str(tmp_path / ".segue"), env, for_agent)
    assert (found["model"], found["model_most_usd"]) == ("", 5.0)


@pytest.mark.parametrize("value", ["nan", "-1", "1e9", "much", "inf"])
def test_a_ceiling_that_is_no_sum_is_refused(tmp_path: Path, value: str) -> None:
    with pytest.raises(BadInput, match="SEGUE_MODEL_MOST_USD must"):
        config.load(str(tmp_path), {"XDG_CONFIG_HOME": str(tmp_path), "SEGUE_MODEL_MOST_USD": value})


class Person:
    """Answers questions, and keeps them."""

    def __init__(self, says: bool) -> None:
        self.questions: list[str] = []
        self._says = says

    def __call__(self, question: str) -> bool:
        self.questions.append(question)
        return self._says


def test_what_is_private_is_asked_about_once_for_each_provider(workspace: Workspace, home: Path) -> None:
    person = Person(True)
    first = models.require_leave(workspace, "openai:m", "private", person)
    again = models.require_leave(workspace, "openai:another", "private", person)
    models.require_leave(workspace, "claude", "private", person)
    assert [question.partition("to ")[2].partition(",")[0] for question in person.questions] == [
        "api.openai.com",
        "the service that claude is signed in to",
    ]
    decided = {"provider": OPENAI, "destination": "api.openai.com", "sensitivity": "private"}
    assert (first, again) == ({**decided, "leave": "given now"}, {**decided, "leave": "given earlier"})
    kept = home / "models.json"
    assert json.loads(kept.read_text())["private"] == ["claude", OPENAI]
    assert stat.S_IMODE(os.stat(kept).st_mode) == 0o600


def test_a_yes_for_one_address_is_none_for_another(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    models.allow("openai:m")
    monkeypatch.setenv("OPENAI_BASE_URL", "https://elsewhere.example/v1")
    with pytest.raises(Refused, match=r"elsewhere\.example"):
        models.require_leave(workspace, "openai:m")


@pytest.mark.parametrize("confirm", [None, Person(False)])
def test_without_a_yes_it_is_refused_and_nothing_is_kept(
    workspace: Workspace, home: Path, confirm: Callable[[str], bool] | None
) -> None:
    with pytest.raises(Refused) as fault:
        models.require_leave(workspace, "openai:m", "private", confirm)
    assert fault.value.exit_code == 4 and "`segue models openai:m --allow`" in fault.value.hint
    assert not home.exists()


@pytest.mark.parametrize(
    ("name", "sensitivity", "base"),
    [
        ("openai:m", "team", ""),
        ("claude", "public", ""),
        ("openai:m", "private", "http://127.0.0.1:9/v1"),
        ("ollama:qwen3", "private", ""),
        ("command:cat", "private", ""),
    ],
)
def test_what_is_not_private_or_stays_here_is_not_asked_about(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, name: str, sensitivity: str, base: str
) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", base)
    assert models.require_leave(workspace, name, sensitivity)["leave"] == "not needed"


def test_an_unknown_sensitivity_counts_as_private(workspace: Workspace) -> None:
    with pytest.raises(Refused):
        models.require_leave(workspace, "claude", "secret")


def test_an_agent_gives_no_yes(workspace: Workspace, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    person = Person(True)
    with pytest.raises(Refused, match="is for a person to do"):
        models.require_leave(workspace, "codex", "private", person)
    with pytest.raises(Refused, match="is for a person to do"):
        models.allow("codex")
    assert person.questions == [] and not home.exists()


def test_a_person_is_not_asked_by_what_an_agent_starts_for_itself(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="nobody has allowed"):
        models.require_leave(Workspace(str(tmp_path), for_agent=True), "codex", "private", Person(True))


def test_a_settings_folder_that_an_agent_exchanged_holds_no_yes(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    models.allow("codex")
    monkeypatch.setattr("segue.agents.inside.given_by_agent", lambda: {"HOME": "/elsewhere"})
    with pytest.raises(Refused):
        models.require_leave(workspace, "codex", "private")


@pytest.mark.parametrize("damage", ["{", "[]", '{"private": 3}', '{"private": [["codex"]]}', "[" * 100_000])
def test_a_damaged_list_holds_no_yes(workspace: Workspace, home: Path, damage: str) -> None:
    models.allow("codex")
    (home / "models.json").write_text(damage)
    with pytest.raises(Refused):
        models.require_leave(workspace, "codex", "private")


def test_a_yes_is_taken_back(workspace: Workspace, home: Path) -> None:
    models.allow("codex")
    models.allow("claude")
    models.allow("codex", False)
    assert json.loads((home / "models.json").read_text())["private"] == ["claude"]

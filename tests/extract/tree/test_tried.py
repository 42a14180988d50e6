"""A file of settings or data is checked by a program that uses it and goes well."""

from __future__ import annotations

import pytest

from ..story import Story


def untested(story: Story, path: str, *runs: tuple[str, int]) -> bool:
    story.prompt("go on")
    story.run("go test ./...", "ok  app  0.2s")
    story.edit(path)
    for command, code in runs:
        story.run(command, "" if not code else "error: bad", code)
    return any(state == "not tested" for state, _ in story.claims)


USED = [
    (".goreleaser.yaml", "goreleaser release --snapshot --clean --skip=sign"),
    ("deploy/site.yml", "ansible-playbook -i hosts deploy/site.yml --check"),
    ("db/0044_hash.sql", "psql -d shop -f db/0044_hash.sql"),
    ("scripts/backup.sh", "bash scripts/backup.sh /srv"),
    ("infra/values.toml", "./bin/render --config=infra/values.toml"),
    ("docker-compose.yml", "docker compose up -d"),
    ("k8s/web.yaml", "kubectl apply -f k8s/web.yaml"),
    ("Vagrantfile", "vagrant reload"),
]


@pytest.mark.parametrize(("path", "command"), USED)
def test_what_was_used_and_went_well_is_tested(story: Story, path: str, command: str) -> None:
    assert not untested(story, path, (command, 0))


@pytest.mark.parametrize(("path", "command"), USED)
def test_what_was_used_and_failed_is_not(story: Story, path: str, command: str) -> None:
    assert untested(story, path, (command, 1))


@pytest.mark.parametrize(
    ("path", "command"),
    [
        (".goreleaser.yaml", "cat .goreleaser.yaml"),
        (".goreleaser.yaml", "git add .goreleaser.yaml"),
        (".goreleaser.yaml", "cp .goreleaser.yaml old.yaml"),
        (".goreleaser.yaml", "goreleaser --version"),
        ("docker-compose.yml", "docker ps"),
        ("src/app.go", "gopls stats src/app.go"),
        ("deploy/site.yml", "ansible-playbook deploy/other.yml"),
        ("deploy/site.yml", "scp deploy/site.yml host:"),
    ],
)
def test_what_was_only_looked_at_or_carried_is_not(story: Story, path: str, command: str) -> None:
    assert untested(story, path, (command, 0))

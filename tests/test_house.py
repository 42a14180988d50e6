"""The house stands: arrows point down, rooms on one level keep to themselves, names say something."""

from __future__ import annotations

import ast
import re
from graphlib import TopologicalSorter
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "segue"
LEVELS = [
    {"surfaces"},
    {"sdk"},
    {"service"},
    {"extract", "handoff", "threads", "boundary", "changes", "agents", "stores", "llm", "samples"},
    {"redaction"},
    {"model"},
]
THINKING = {"extract", "handoff", "threads", "boundary", "changes", "redaction"}
WORLD = {"agents", "stores", "llm"}
NOTHING_NAMES = {"util", "utils", "helper", "helpers", "common", "misc", "manager", "core"}
UNTOUCHED = {
    "os",
    "subprocess",
    "socket",
    "pathlib",
    "shutil",
    "tempfile",
    "urllib",
    "http",
    "time",
    "random",
}
DEPTH = {room: depth for depth, rooms in enumerate(LEVELS) for room in rooms}
SERVICE = [
    {"removal"},
    {"health", "remote"},
    {"boundary"},
    {"handoffs"},
    {"changes", "imports"},
    {"install", "repository", "sessions", "threads"},
    {"models", "withheld"},
    {"workspace"},
    {
        "actors",
        "catalogs",
        "config",
        "forgotten",
        "git",
        "paging",
        "portable_paths",
        "project_files",
    },
    {"refusals"},
]
"""The corners of `service/`, the highest first, and below them the modules that all of them stand on."""


def imports(path: Path) -> set[str]:
    """Every module a file imports, inside functions too."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def rooms(path: Path) -> set[str]:
    """The rooms a file imports from."""
    return {
        parts[1] for name in imports(path) if (parts := name.split("."))[0] == "segue" and len(parts) > 1
    } & set(DEPTH)


def files(*inside: str) -> list[tuple[str, Path]]:
    return [
        (path.relative_to(SOURCE).parts[0], path)
        for path in sorted(SOURCE.rglob("*.py"))
        if len(path.relative_to(SOURCE).parts) > 1
        and (not inside or path.relative_to(SOURCE).parts[0] in inside)
    ]


def test_every_room_has_its_place() -> None:
    assert {room for room, _ in files()} <= set(DEPTH)


def test_arrows_point_down_and_neighbours_do_not_import_each_other() -> None:
    wrong = [
        f"{path.relative_to(SOURCE)} imports {other}"
        for room, path in files()
        for other in rooms(path)
        if other != room and DEPTH[other] <= DEPTH[room]
    ]
    assert wrong == []


def test_corners_of_extract_build_on_one_another_in_one_direction() -> None:
    place = {corner: depth for depth, corner in enumerate(("text", "commands", "tree", "remarks"))}
    place["words"] = place["remarks"]
    wrong = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for _, path in files("extract")
        if (corner := path.parent.name) in place
        for name in imports(path)
        if name.startswith("segue.extract.")
        and (other := name.split(".")[2]) != corner
        and place.get(other, len(place)) >= place[corner]
    ]
    assert wrong == []


def test_every_corner_of_service_has_its_place() -> None:
    corners = {path.parent.name for path in (SOURCE / "service").glob("*/__init__.py")}
    assert corners == set().union(*SERVICE[:-4])


def test_corners_of_service_build_on_one_another_in_one_direction() -> None:
    place = {name: depth for depth, names in enumerate(SERVICE) for name in names}
    wrong = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for _, path in files("service")
        if (corner := path.relative_to(SOURCE).with_suffix("").parts[1]) in place
        for name in imports(path)
        if name.startswith("segue.service.")
        and (other := name.split(".")[2]) != corner
        and place.get(other, -1) <= place[corner]
    ]
    assert wrong == []


def test_modules_of_service_import_one_another_in_no_circle() -> None:
    names = {
        ".".join(("segue", *path.relative_to(SOURCE).with_suffix("").parts)): path
        for _, path in files("service")
    }
    order = TopologicalSorter({name: imports(path) & names.keys() for name, path in names.items()})
    assert set(order.static_order()) == names.keys()


def test_world_rooms_know_nothing_of_redaction() -> None:
    assert [str(path) for room, path in files(*WORLD) if "redaction" in rooms(path)] == []


def test_thinking_rooms_touch_nothing() -> None:
    wrong = [
        f"{path.relative_to(SOURCE)} imports {name}"
        for _, path in files("model", *THINKING)
        for name in imports(path)
        if name.split(".")[0] in UNTOUCHED and path.name != "ids.py"
    ]
    assert wrong == []


def test_thinking_rooms_read_no_clock() -> None:
    clocks = {"time", "time_ns", "monotonic", "perf_counter", "sleep", "now", "utcnow", "today"}
    wrong = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for _, path in files(*THINKING)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if node.func.attr in clocks and isinstance(node.func.value, ast.Name)
        if node.func.value.id in ("time", "datetime", "date")
    ]
    assert wrong == []


def test_one_module_runs_git() -> None:
    runners = {
        str(path.relative_to(SOURCE))
        for _, path in files()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.List) and node.elts
        if isinstance(node.elts[0], ast.Constant) and node.elts[0].value == "git"
    }
    assert runners == {"service/git.py"}


def test_the_library_never_prints() -> None:
    wrong = [
        f"{path.relative_to(SOURCE)}:{node.lineno}"
        for _, path in files()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert wrong == []


def test_files_that_the_docs_name_are_there() -> None:
    named = re.compile(rf"`((?:{'|'.join(sorted(DEPTH))})/[\w/]+(?:\.py|/))[:`]")
    docs = [*(SOURCE.parent.parent / "docs").rglob("*.md"), *SOURCE.parent.parent.glob("*.md")]
    found = {name for page in docs for name in named.findall(page.read_text(encoding="utf-8"))}
    assert found
    assert sorted(name for name in found if not (SOURCE / name).exists()) == []


def test_names_explain() -> None:
    assert [str(path) for _, path in files() if path.stem.strip("_") in NOTHING_NAMES] == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        str(path.relative_to(SOURCE))
        for path in sorted(SOURCE.rglob("*.py"))
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []

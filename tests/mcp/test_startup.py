"""The first replies cost next to nothing: what is imported before them is pinned."""

from __future__ import annotations

import json
import subprocess
import sys

from .conftest import Project, request

SCRIPT = """
import sys
from segue.__main__ import main
sys.argv = ["segue", "mcp"]
code = main()
sys.stderr.write("\\n".join(sorted(sys.modules)))
sys.exit(code)
"""
OURS = {
    "segue",
    "segue.__main__",
    "segue.agents",
    "segue.agents.host",
    "segue.agents.inside",
    "segue.agents.registry",
    "segue.errors",
    "segue.model",
    "segue.model.marks",
    "segue.model.moment",
    "segue.model.sentences",
    "segue.model.thread",
    "segue.model.value",
    "segue.service",
    "segue.service.refusals",
    "segue.service.workspace",
    "segue.surfaces",
    "segue.surfaces.cli",
    "segue.stores",
    "segue.stores.accepted",
    "segue.stores.git_index",
    "segue.stores.private_files",
    "segue.surfaces.cli.app",
    "segue.surfaces.cli.mcp",
    "segue.surfaces.cli.output",
    "segue.surfaces.cli.parsing",
    "segue.surfaces.mcp",
    "segue.surfaces.mcp.caller",
    "segue.surfaces.mcp.conversation",
    "segue.surfaces.mcp.listing",
    "segue.surfaces.mcp.prompts",
    "segue.surfaces.mcp.protocol",
    "segue.surfaces.mcp.stdio",
}
HEAVY = {"asyncio", "dataclasses", "inspect", "logging", "pathlib", "queue", "shutil", "socket", "subprocess"}
FIRST = [
    request(
        "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "x", "version": "1"}
    ),
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    request("ping", 2),
    request("tools/list", 3),
    request("prompts/list", 4),
    request("resources/templates/list", 5),
]


def test_the_handshake_and_the_listings_import_only_this(bare: Project) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        input="".join(json.dumps(message) + "\n" for message in FIRST),
        cwd=bare.root,
        env=bare.environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert [json.loads(line)["id"] for line in ran.stdout.splitlines()] == [1, 2, 3, 4, 5]
    loaded = set(ran.stderr.split())
    assert {name for name in loaded if name.partition(".")[0] == "segue"} == OURS
    assert {name.partition(".")[0] for name in loaded} & HEAVY == set()
    outside = (
        {name.partition(".")[0] for name in loaded} - set(sys.stdlib_module_names) - {"segue", "__main__"}
    )
    assert not {name for name in outside if not name.startswith("_")} - {"sitecustomize", "usercustomize"}

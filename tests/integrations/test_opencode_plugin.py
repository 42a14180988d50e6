"""OpenCode's plugin, run by node with a stand-in for OpenCode: what it tells the hooks, and into whom it speaks."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from segue.agents.integrations import beside

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="there is no node to run the plugin with")

HOOK = """
import json, sys
with open(sys.argv[1], "a") as log:
    log.write(json.dumps([sys.argv[-1], json.load(sys.stdin)]) + "\\n")
if sys.argv[-1] == "messages.transform":
    print('{"inject": "spoken"}')
"""
DRIVER = """
import { Segue } from "./segue.mjs"
const { limit, compaction, steps } = JSON.parse(process.argv[2])
const client = {
  config: { providers: async () => ({ data: { providers: [{ id: "p", models: { m: { limit } } }] } }) },
  session: { get: async () => ({ data: {} }), messages: async () => ({ data: [] }) },
}
const plugin = await Segue({ client, directory: process.cwd() })
await plugin.config({ compaction })
const spoken = []
for (const step of steps) {
  if (step === "answer") {
    const tokens = { input: 150000, output: 1000, cache: { read: 2000, write: 0 } }
    const info = { role: "assistant", sessionID: "s", providerID: "p", modelID: "m", time: { completed: 1 }, tokens }
    await plugin.event({ event: { type: "message.updated", properties: { info } } })
  } else if (step === "compacting") {
    await plugin["experimental.session.compacting"]({ sessionID: "s" })
  } else if (step === "compacted") {
    await plugin.event({ event: { type: "session.compacted", properties: { sessionID: "s" } } })
  } else {
    const messages = [{ info: { role: "user", id: "u", sessionID: "s" }, parts: [] }]
    await plugin["experimental.chat.messages.transform"]({}, { messages })
    spoken.push(messages[0].parts.length)
  }
}
console.log(JSON.stringify(spoken))
"""


def drive(place: Path, steps: list[str], limit: dict[str, int], **more: Any) -> tuple[list[int], list[Any]]:
    """How often each request was spoken into, and what the hooks were told."""
    (place / "hook.py").write_text(HOOK)
    (place / "driver.mjs").write_text(DRIVER)
    log = place / "log"
    command = json.dumps([sys.executable, str(place / "hook.py"), str(log)])
    plugin = Path(beside("opencode", "plugin.js")).read_text()
    (place / "segue.mjs").write_text(plugin.replace("@COMMAND@", command).replace("@SERVER@", "[]"))
    given = json.dumps({"limit": limit, "steps": steps, **more})
    env = {name: value for name, value in os.environ.items() if not name.startswith("OPENCODE_")}
    ran = subprocess.run(
        [str(NODE), "driver.mjs", given], cwd=place, env=env, capture_output=True, text=True, check=True
    )
    told = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    return json.loads(ran.stdout), told


@pytest.mark.parametrize(
    ("limit", "compaction", "window"),
    [
        ({"context": 200_000, "output": 64_000}, {}, 168_000),
        ({"context": 200_000, "output": 8_000}, {}, 192_000),
        ({"context": 200_000, "input": 180_000, "output": 64_000}, {}, 160_000),
        ({"context": 200_000, "input": 180_000, "output": 64_000}, {"reserved": 5_000}, 175_000),
        ({"context": 0, "output": 8_000}, {}, 0),
    ],
)
def test_the_window_ends_where_opencode_compacts(
    tmp_path: Path, limit: dict[str, int], compaction: dict[str, int], window: int
) -> None:
    _, told = drive(tmp_path, ["answer", "request"], limit, compaction=compaction)
    assert [payload["usage"] for _, payload in told] == [{"tokens": 153_000, "window": window}]


def test_nothing_is_said_to_the_summariser_and_the_request_after_it_hears_it(tmp_path: Path) -> None:
    steps = ["answer", "compacting", "request", "compacted", "request"]
    spoken, told = drive(tmp_path, steps, {"context": 200_000, "output": 8_000})
    assert spoken == [0, 1]
    assert [event for event, _ in told] == ["session.compacting", "session.compacted", "messages.transform"]


def test_a_summary_made_without_a_request_of_its_own_costs_no_replay(tmp_path: Path) -> None:
    spoken, _ = drive(tmp_path, ["compacting", "compacted", "request"], {"context": 200_000, "output": 8_000})
    assert spoken == [1]


def test_a_plugin_loaded_twice_in_one_agent_works_once(tmp_path: Path) -> None:
    text = (
        Path(beside("opencode", "plugin.js")).read_text().replace("@COMMAND@", "[]").replace("@SERVER@", "[]")
    )
    for name in ("user.mjs", "project.mjs"):
        (tmp_path / name).write_text(text)
    code = (
        'import * as user from "./user.mjs"; import * as project from "./project.mjs"; const client = {};'
        "const loaded = [await user.Segue({ client }), await project.Segue({ client }), await user.Segue({ client: {} })];"
        "console.log(JSON.stringify(loaded.map((one) => Object.keys(one).length > 0)))"
    )
    (tmp_path / "driver.mjs").write_text(code)
    ran = subprocess.run([NODE or "", "driver.mjs"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(ran.stdout) == [True, False, True]

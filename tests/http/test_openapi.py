"""The description of the API is the API."""

from __future__ import annotations

import json
import re
import runpy
import subprocess
import sys
from pathlib import Path
from typing import Any

from segue.service.operations import OPERATIONS

from .conftest import Caller, Serve

DOCS = Path(__file__).parent.parent.parent / "docs"
WRITE_AGAIN = "run `python docs/generate_openapi.py`"
NOT_OURS = "unsupported_method,negative_data_rejection,positive_data_acceptance,missing_required_header"
"""Checks that judge taste: a name of another spelling, or an id that no store has, is not a wrong answer."""


def generator() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "generate_openapi.py"))


def test_the_document_in_the_docs_and_the_served_one_are_made_of_the_operations(call: Caller) -> None:
    made = generator()["encoded"]()
    assert (DOCS / "reference" / "openapi.json").read_bytes() == made, WRITE_AGAIN
    assert call("GET", "/openapi.json", token=None).body == made, WRITE_AGAIN


def test_every_operation_is_described_at_its_address() -> None:
    paths = generator()["document"]()["paths"]
    described = {
        f"{method.upper()} {path}": what["operationId"]
        for path, methods in paths.items()
        for method, what in methods.items()
    }
    assert {row.route: row.name for row in OPERATIONS}.items() <= described.items()


def test_every_reference_leads_somewhere() -> None:
    document = generator()["document"]()
    named = set(re.findall(r'"#/components/(\w+)/([^"]+)"', json.dumps(document)))
    there = {(kind, name) for kind, names in document["components"].items() for name in names}
    assert {kind for kind, _ in named} == {"schemas", "responses", "parameters"}
    assert named - there == set()


def test_schemathesis_finds_no_server_error_and_no_answer_that_is_not_described(
    serve: Serve, tmp_path: Path
) -> None:
    served = serve()
    command = [sys.executable, "-m", "schemathesis.cli", "run", f"{served.serving.url}/openapi.json"]
    command += ["-H", f"Authorization: Bearer {served.call.token}", "--seed", "7", "--max-examples", "2"]
    command += ["--phases", "coverage,fuzzing", "--exclude-checks", NOT_OURS, "--max-time", "30"]
    command += ["--exclude-operation-id", "thread.events", "--no-color", "--warnings", "off", "--no-shrink"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)
    assert ran.returncode == 0, ran.stdout[-4000:] + ran.stderr[-1000:]
    assert '"event":"fault"' not in served.log.getvalue()

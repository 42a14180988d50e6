"""The published JSON Schemas, generated from the types so that they cannot drift apart."""

from __future__ import annotations

from typing import Any

import msgspec

from segue.model.change import HandoffBlock, Record
from segue.model.change_registry import Config, Registry, RetroFile
from segue.model.change_update import Update

SCHEMAS: dict[str, tuple[type, str]] = {
    "record": (Record, "A change record: docs/TC/records/<TC-ID>/tc_record.json"),
    "registry": (Registry, "The registry of change records: docs/TC/tc_registry.json"),
    "config": (Config, "The configuration of change records: docs/TC/tc_config.json"),
    "retro": (RetroFile, "Past changes, as `segue change retro` reads them"),
    "update": (Update, "An update of a change record, as `segue change update --from` reads it"),
    "handoff": (HandoffBlock, "The handoff block of a change record"),
}


def schema(name: str) -> dict[str, Any]:
    """One schema, JSON Schema 2020-12."""
    kind, title = SCHEMAS[name]
    (root,), parts = msgspec.json.schema_components([kind], ref_template="#/$defs/{name}")
    own = root["$ref"].rpartition("/")[2]
    body = parts.pop(own)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"tc_{name}.schema.json",
        **body,
        "title": title,
        "$defs": parts,
    }

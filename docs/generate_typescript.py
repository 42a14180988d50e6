"""Writes the generated half of sdks/typescript/src, types, operations and methods, from the API's description:
`python docs/generate_typescript.py`.

A schema keyword that is not understood is refused, so that no type says less than the description by oversight.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from textwrap import wrap
from typing import Any, NamedTuple

from segue.service.operations import OPERATIONS
from segue.service.signatures import signature

Json = dict[str, Any]

DESCRIPTION = Path(__file__).parent / "reference" / "openapi.json"
PLACE = Path(__file__).parent.parent / "sdks" / "typescript" / "src"
WIDTH = 120
STREAMED = "thread.events"
VALUES, ANSWERS = "values", "answers"
_OF_THE_SERVER = {"Problem", "EventsPage", "Health"}
"""Types that no operation answers."""
WHO_ACTS = ("actor_id", "origin")
"""Said once for a client, not in every request."""
_ANNOTATIONS = {"title", "description", "default", "format"}
_BOUNDS = {"minLength", "maxLength", "minimum", "maximum", "minItems", "maxItems", "pattern"}
"""What a type of TypeScript cannot say; the other side checks it."""
_PLAIN = {
    "string": "string",
    "integer": "number",
    "number": "number",
    "boolean": "boolean",
    "null": "null",
}
_HEAD = """// Written by docs/generate_typescript.py from the API's description; a test compares.
"""


class Described(NamedTuple):
    """An operation as the description has it."""

    name: str
    group: str
    method: str
    path: str
    about: str
    request: Json
    """The schema of everything a caller says, wherever it goes."""
    answer: str
    takes: str
    gives: str
    writes: bool
    keyed: bool

    @property
    def type_name(self) -> str:
        return "".join(word.capitalize() for word in self.name.replace("-", ".").split(".")) + "Request"

    @property
    def method_name(self) -> str:
        first, *others = self.name.rpartition(".")[2].split("-")
        return first + "".join(word.capitalize() for word in others)


def files() -> dict[str, str]:
    """The generated files by name."""
    described = json.loads(DESCRIPTION.read_text(encoding="utf-8"))
    operations = list(_operations(described))
    homes = _homes(described, operations)
    return {
        **{f"{home}.ts": _schemas(home, homes, described, operations) for home in (VALUES, ANSWERS)},
        "operations.ts": _table(operations, homes),
        "groups.ts": _groups(described, operations, homes),
    }


def spelled(schema: Json) -> str:
    """A JSON Schema as TypeScript says it."""
    said = set(schema) - _ANNOTATIONS - _BOUNDS
    if not said:
        return "Json"
    if said == {"$ref"}:
        return str(schema["$ref"]).rpartition("/")[2]
    if said in ({"enum"}, {"enum", "type"}):
        return " | ".join(map(json.dumps, schema["enum"]))
    if said in ({"const"}, {"const", "type"}):
        return json.dumps(schema["const"])
    if len(said) == 1 and (union := said & {"anyOf", "oneOf"}):
        return " | ".join(dict.fromkeys(map(spelled, schema[union.pop()])))
    if said == {"type"} and isinstance(schema["type"], list):
        return " | ".join(spelled({"type": one}) for one in schema["type"])
    if said == {"type"} and schema["type"] in _PLAIN:
        return _PLAIN[schema["type"]]
    if schema.get("type") == "array" and said <= {"type", "items"}:
        item = spelled(schema.get("items", {}))
        return f"readonly ({item})[]" if " | " in item else f"readonly {item}[]"
    if schema.get("type") == "object" and said == {"type"}:
        return "JsonObject"
    if schema.get("type") == "object" and said == {"type", "additionalProperties"}:
        return f"Readonly<Record<string, {spelled(schema['additionalProperties'])}>>"
    raise ValueError(f"There is no TypeScript for {schema}.")


def _operations(described: Json) -> Iterator[Described]:
    rows = {row.name: row for row in OPERATIONS}
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            name = operation["operationId"]
            if name not in rows:
                continue
            known = signature(rows[name])
            success = next(one for status, one in operation["responses"].items() if status[0] == "2")
            content = next(iter(success["content"].items()))
            takes = "bytes" if known.body else "query" if method == "get" else "json"
            yield Described(
                name,
                operation["tags"][0],
                method.upper(),
                path,
                operation["summary"],
                _request(operation, described["components"]["schemas"], known.body),
                "Uint8Array" if content[0] == "application/octet-stream" else spelled(content[1]["schema"]),
                takes,
                {"application/json": "json", "application/octet-stream": "bytes"}.get(content[0], "events"),
                rows[name].writes,
                known.keyed,
            )


def _request(operation: Json, schemas: Json, raw: str) -> Json:
    """One object of path, query and body."""
    properties: Json = {}
    required: list[str] = []
    for parameter in operation["parameters"]:
        if parameter.get("in") in ("path", "query"):
            properties[parameter["name"]] = parameter["schema"]
            required += [parameter["name"]] if parameter.get("required") else []
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
    if body is not None:
        whole = schemas[spelled(body)]
        properties |= {name: one for name, one in whole["properties"].items() if name not in WHO_ACTS}
        required += whole["required"]
    return {"type": "object", "properties": properties, "required": required, "raw": raw}


def _schemas(home: str, homes: dict[str, str], described: Json, operations: list[Described]) -> str:
    """The types of one file, after what they take from others."""
    named = _named(described, operations)
    bodies = [_interface(name, named[name]) for name in sorted(named) if homes[name] == home]
    used = {
        word for body in bodies for word in re.findall(r"\b[A-Z]\w+", body.replace("export interface", ""))
    }
    elsewhere = {name for name in used & homes.keys() if homes[name] != home}
    return "\n".join([_HEAD, *_imports(elsewhere, homes), "", *bodies])


def _named(described: Json, operations: list[Described]) -> dict[str, Json]:
    requests = {one.type_name: one.request for one in operations if one.name != STREAMED}
    return {**described["components"]["schemas"], **requests}


def _homes(described: Json, operations: list[Described]) -> dict[str, str]:
    """The file of each type: what only requests hold stands with them, all else with the answers."""
    named = _named(described, operations)
    requests = {one.type_name for one in operations}
    given = {one.answer for one in operations} | (described["components"]["schemas"].keys() & _OF_THE_SERVER)
    answers = _reached(given & named.keys(), named)
    asked = _reached(requests & named.keys(), named) - answers
    assert named.keys() <= asked | answers, named.keys() - asked - answers
    homes = {name: VALUES if name in asked else ANSWERS for name in named}
    return {**homes, "Json": "json", "JsonObject": "json"}


def _reached(names: Iterable[str], named: dict[str, Json]) -> set[str]:
    """These types, and all they refer to."""
    seen: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name not in seen:
            seen.add(name)
            left += [
                one.rpartition("/")[2] for one in re.findall(r'"\$ref": "([^"]+)"', json.dumps(named[name]))
            ]
    return seen


def _imports(names: Iterable[str], homes: dict[str, str]) -> Iterator[str]:
    """Imports of types, each from the file that has it."""
    wanted = sorted(names)
    for home in sorted({homes[name] for name in wanted}):
        yield from _imported([name for name in wanted if homes[name] == home], f"./{home}.ts")


def _interface(name: str, schema: Json) -> str:
    lines = [f"  readonly {schema['raw']}: Uint8Array;"] if schema.get("raw") else []
    for word, one in schema["properties"].items():
        optional = "" if word in schema["required"] else "?"
        lines += [
            *_doc(one.get("description", ""), "  "),
            _broken(f"  readonly {word}{optional}: {spelled(one)};"),
        ]
    if not lines:
        return f"export type {name} = Readonly<Record<string, never>>;\n"
    return "\n".join([*_doc(schema.get("description", "")), f"export interface {name} {{", *lines, "}", ""])


def _broken(member: str) -> str:
    """A union that is too long for a line has a line for each of its types."""
    return member if len(member) <= WIDTH else member.replace(": ", ": | ", 1).replace(" | ", "\n    | ")


def _doc(text: str, indent: str = "") -> list[str]:
    said = " ".join(text.replace("*/", "* /").split())
    if not said:
        return []
    if len(said) + len(indent) + 8 <= WIDTH:
        return [f"{indent}/** {said} */"]
    return [
        f"{indent}/**",
        *(f"{indent} * {line}" for line in wrap(said, WIDTH - len(indent) - 3)),
        f"{indent} */",
    ]


def _table(operations: list[Described], homes: dict[str, str]) -> str:
    asked = [one for one in operations if one.name != STREAMED]
    names = {one.type_name for one in asked} | {name for one in asked for name in _names(one.answer)}
    types = [
        f'  readonly "{one.name}": {{ readonly request: {one.type_name}; readonly answer: {one.answer} }};'
        for one in asked
    ]
    rows = [
        line
        for one in operations
        for line in _row(
            f'"{one.name}"',
            [
                f'method: "{one.method}"',
                f'path: "{one.path}"',
                f'takes: "{one.takes}"',
                f'gives: "{one.gives}"',
                f"writes: {json.dumps(one.writes)}",
            ],
        )
    ]
    return "\n".join(
        [
            _HEAD,
            *_imports(names, homes),
            "",
            "/** What every operation takes and gives, by its name. */",
            "export interface Operations {",
            *types,
            "}",
            "",
            "export type OperationName = keyof Operations;",
            "",
            "/** Where an operation is on a server, and how its request and its answer travel. */",
            "export interface Route {",
            '  readonly method: "GET" | "POST" | "PATCH";',
            "  readonly path: string;",
            '  readonly takes: "query" | "json" | "bytes";',
            '  readonly gives: "json" | "bytes" | "events";',
            "  readonly writes: boolean;",
            "}",
            "",
            f'export const ROUTES: Readonly<Record<OperationName | "{STREAMED}", Route>> = {{',
            *rows,
            "};",
            "",
        ]
    )


def _row(key: str, members: list[str]) -> list[str]:
    line = f"  {key}: {{ {', '.join(members)} }},"
    return (
        [line] if len(line) <= WIDTH else [f"  {key}: {{", *(f"    {member}," for member in members), "  },"]
    )


def _groups(described: Json, operations: list[Described], homes: dict[str, str]) -> str:
    asked = [one for one in operations if one.name != STREAMED]
    names = {one.type_name for one in asked if one.request["properties"]} | {
        name for one in asked for name in _names(one.answer)
    }
    classes = [
        _class(tag["name"], tag["description"], [one for one in asked if one.group == tag["name"]])
        for tag in described["tags"]
        if any(one.group == tag["name"] for one in asked)
    ]
    imports = [
        *_imports(names, homes),
        'import type { OperationName, Operations } from "./operations.ts";',
        'import type { CallOptions, KeyedOptions } from "./transport.ts";',
    ]
    return "\n".join([_HEAD, *imports, "", _ASK, *classes])


_ASK = """/** Does an operation by its name. */
export type Ask = <Name extends OperationName>(
  name: Name,
  values: Operations[Name]["request"],
  options?: KeyedOptions,
) => Promise<Operations[Name]["answer"]>;
"""


def _class(group: str, about: str, operations: list[Described]) -> str:
    name = "Upkeep" if group == "workspace" else f"{group.capitalize()}s"
    methods = [line for one in operations for line in ("", *_method(one))]
    return "\n".join(
        [
            *_doc(about),
            f"export class {name} {{",
            "  readonly #ask: Ask;",
            "",
            "  constructor(ask: Ask) {",
            "    this.#ask = ask;",
            "  }",
            *methods,
            "}",
            "",
        ]
    )


def _method(one: Described) -> list[str]:
    options = f"options?: {'KeyedOptions' if one.keyed else 'CallOptions'}"
    raw = one.request["raw"]
    optional = "" if one.request["required"] else " = {}"
    if raw and one.request["properties"]:
        parameters = [f"{raw}: Uint8Array", f'values: Omit<{one.type_name}, "{raw}">{optional}', options]
        values = f"{{ ...values, {raw} }}"
    elif raw:
        parameters, values = [f"{raw}: Uint8Array", options], f"{{ {raw} }}"
    elif _says(one):
        parameters, values = [f"values: {one.type_name}{optional}", options], "values"
    else:
        parameters, values = [options], "{}"
    opening = f"  {one.method_name}({', '.join(parameters)}): Promise<{one.answer}> {{"
    if len(opening) > WIDTH:
        parts = [f"    {parameter}," for parameter in parameters]
        opening = "\n".join([f"  {one.method_name}(", *parts, f"  ): Promise<{one.answer}> {{"])
    return [*_doc(one.about, "  "), opening, f'    return this.#ask("{one.name}", {values}, options);', "  }"]


def _says(one: Described) -> bool:
    return bool(one.request["properties"] or one.request["raw"])


def _names(answer: str) -> Iterable[str]:
    return () if answer == "Uint8Array" else (answer,)


def _imported(names: list[str], module: str) -> list[str]:
    one_line = f'import type {{ {", ".join(names)} }} from "{module}";'
    if len(one_line) <= WIDTH:
        return [one_line]
    return ["import type {", *(f"  {name}," for name in names), f'}} from "{module}";']


if __name__ == "__main__":
    for name, text in files().items():
        (PLACE / name).write_text(text, encoding="utf-8")

# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks documents against a schema, as far as our schemas go: types, required
and additional properties, enums, items, references to definitions and to other
schemas beside it."""
import json
import os
import sys

KINDS = {"object": dict, "array": list, "string": str, "integer": int,
         "number": (int, float), "boolean": bool}


def check(value, schema, root, where):
    if schema.get("$ref", "").endswith(".json"):
        with open(os.path.join(os.path.dirname(sys.argv[1]), schema["$ref"])) as file:
            other = json.load(file)
        return check(value, other, other, where)
    if "$ref" in schema:
        node = root
        for part in schema["$ref"].lstrip("#/").split("/"):
            node = node[part]
        return check(value, node, root, where)
    kind = schema.get("type")
    if kind and (not isinstance(value, KINDS[kind]) or
                 (kind in ("integer", "number") and isinstance(value, bool))):
        sys.exit(f"{where}: {value!r} is not of type {kind}")
    if "const" in schema and value != schema["const"]:
        sys.exit(f"{where}: {value!r} is not {schema['const']!r}")
    if "enum" in schema and value not in schema["enum"]:
        sys.exit(f"{where}: {value!r} is none of {schema['enum']}")
    if kind == "object":
        known = schema.get("properties", {})
        for name in schema.get("required", []):
            if name not in value:
                sys.exit(f"{where}: lacks {name}")
        for name, entry in value.items():
            rest = schema.get("additionalProperties", True)
            if name in known:
                check(entry, known[name], root, f"{where}.{name}")
            elif rest is False:
                sys.exit(f"{where}: {name} is not in the schema")
            elif isinstance(rest, dict):
                check(entry, rest, root, f"{where}.{name}")
    if kind == "array":
        for index, entry in enumerate(value):
            check(entry, schema.get("items", {}), root, f"{where}[{index}]")


with open(sys.argv[1]) as file:
    top = json.load(file)
for path in sys.argv[2:]:
    with open(path) as file:
        # Records and protocol lines come one document a line.
        text = file.read()
    documents = [text] if top.get("title") != "line" else text.splitlines()
    for document in documents:
        check(json.loads(document), top, top, path)

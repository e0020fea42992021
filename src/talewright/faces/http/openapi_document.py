"""The OpenAPI document: what FastAPI knows about the routes, plus examples, field texts and the token.

The field texts are the docstrings in the source of the ports, so there is only one place for them.
"""

import ast
import inspect
from collections.abc import Mapping
from dataclasses import is_dataclass
from functools import cache
from types import ModuleType
from typing import Any, TypeAlias

from fastapi import FastAPI

from talewright.faces.http import response_models
from talewright.faces.http.api_examples import BODY_EXAMPLES, EXAMPLES
from talewright.faces.http.response_models import ProblemModel
from talewright.play import campaign_past, campaign_view, input_results, lobby, master_desk, model_choices
from talewright.play.wire.view_codec import write_value

PORTS = (campaign_past, campaign_view, input_results, lobby, master_desk, model_choices, response_models)
"""Modules whose records are sent."""

Node: TypeAlias = dict[str, Any]

_REF = "#/components/schemas/"


def complete_document(app: FastAPI, document: Node, open_paths: frozenset[str]) -> Node:
    """Add to FastAPI's document what it does not know. `open_paths` need no token."""
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas["ProblemModel"] = ProblemModel.model_json_schema()
    _describe_fields(schemas)
    components["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer", "description": "As `talewright serve` prints it."}
    }
    document["security"] = [{"token": []}]
    for path, operations in document["paths"].items():
        for operation in operations.values():
            if path in open_paths:
                operation["security"] = []
            _add_examples(operation)
    return document


def _add_examples(operation: Node) -> None:
    for media in operation.get("requestBody", {}).get("content", {}).values():
        name = _find_name(media.get("schema", {}))
        if name in BODY_EXAMPLES:
            media["example"] = BODY_EXAMPLES[name]
    for status, response in operation["responses"].items():
        media = response.get("content", {}).get("application/json")
        if not status.startswith("2") or media is None or "example" in media:
            continue
        schema = media.get("schema", {})
        name = _find_name(schema) or _find_name(schema.get("items", {})) or operation["operationId"]
        example = next((EXAMPLES[one] for one in (operation["summary"], name) if one in EXAMPLES), None)
        if example is not None:
            written = write_value(example)
            is_list = schema.get("type") == "array" and not isinstance(written, list)
            media["example"] = [written] if is_list else written


def _find_name(schema: Mapping[str, Any]) -> str:
    """The name of the schema that a schema refers to, alone or beside null."""
    options = [schema, *schema.get("anyOf", ())]
    named = (str(one["$ref"]).removeprefix(_REF) for one in options if "$ref" in one)
    return next(named, "")


def _describe_fields(schemas: Node) -> None:
    texts = {name: found for module in PORTS for name, found in _read_texts(module).items()}
    for name, schema in schemas.items():
        for field, node in schema.get("properties", {}).items():
            text = texts.get(name, {}).get(field)
            if text and "description" not in node:
                node["description"] = text


@cache
def _read_texts(module: ModuleType) -> dict[str, dict[str, str]]:
    """The docstrings of the fields of each record of a module."""
    found: dict[str, dict[str, str]] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef) and is_dataclass(getattr(module, node.name)):
            found[node.name] = _read_fields(node)
    return found


def _read_fields(node: ast.ClassDef) -> dict[str, str]:
    texts = {}
    for before, after in zip(node.body, node.body[1:], strict=False):
        match before, after:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                texts[name] = inspect.cleandoc(text)
            case _:
                pass
    return texts

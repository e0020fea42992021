"""The formats of an `.mcpb` manifest and of a registry's `server.json`, as far as our files use them.

They are our own reading of MCPB's manifest 0.4 and of the MCP registry's schema of 2025-12-11, with every
limit that these set for the members below; members that we do not write are not allowed. To check the files
against the published schemas too, name a folder with copies of them in TALEWRIGHT_PUBLISHED_SCHEMAS.
"""

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator, FormatChecker

PUBLISHED = "TALEWRIGHT_PUBLISHED_SCHEMAS"
"""The variable that names a folder with the published schemas."""

PUBLISHED_MANIFEST, PUBLISHED_SERVER = "mcpb-manifest-v0.4.schema.json", "server.schema.json"
"""What they are called there."""

Schema = dict[str, Any]


def closed(members: Mapping[str, Schema], *optional: str) -> Schema:
    """An object with these members and no others."""
    required = [name for name in members if name not in optional]
    return {"type": "object", "properties": members, "required": required, "additionalProperties": False}


def text(**limits: Any) -> Schema:
    """A text that is not empty."""
    return {"type": "string", "minLength": 1, **limits}


def each(items: Schema) -> Schema:
    """A list with at least one entry."""
    return {"type": "array", "items": items, "minItems": 1}


ADDRESS = text(format="uri", pattern="^https://[a-z0-9.-]+/")
SEMANTIC = text(maxLength=255, pattern=r"^[0-9]+\.[0-9]+\.[0-9]+(-[a-z]+\.[0-9]+)?$")
STDIO = closed({"type": {"const": "stdio"}})

MANIFEST = closed(
    {
        "manifest_version": {"const": "0.4"},
        "name": text(),
        "display_name": text(),
        "version": SEMANTIC,
        "description": text(),
        "long_description": text(),
        "author": closed({"name": text(), "url": ADDRESS}),
        "homepage": ADDRESS,
        "documentation": ADDRESS,
        "support": ADDRESS,
        "license": text(),
        "keywords": each(text()),
        "server": closed(
            {
                "type": {"const": "uv"},
                "entry_point": text(),
                "mcp_config": closed({"command": text(), "args": each(text())}),
            }
        ),
        "tools_generated": {"type": "boolean"},
        "prompts_generated": {"type": "boolean"},
        "compatibility": closed(
            {
                "platforms": each({"enum": ["darwin", "win32", "linux"]}),
                "runtimes": closed({"python": text()}),
            }
        ),
    }
)

VALUE = {"value": text()}
PACKAGES = {
    "pypi": closed(
        {
            "registryType": {"const": "pypi"},
            "identifier": text(),
            "version": text(pattern=r"^[0-9][0-9a-z.]*$"),
            "runtimeHint": {"const": "uvx"},
            "runtimeArguments": each(closed({"type": {"const": "named"}, "name": text(), **VALUE})),
            "packageArguments": each(closed({"type": {"const": "positional"}, **VALUE})),
            "transport": STDIO,
        }
    ),
    "mcpb": closed(
        {
            "registryType": {"const": "mcpb"},
            "identifier": text(format="uri", pattern=r"^https://.+\.mcpb$"),
            "version": SEMANTIC,
            "fileSha256": text(pattern="^[a-f0-9]{64}$"),
            "transport": STDIO,
        }
    ),
}
"""A package by its registry. None names the registry's address: it is the usual one."""

SERVER = closed(
    {
        "$schema": ADDRESS,
        "name": text(minLength=3, maxLength=200, pattern=r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$"),
        "title": text(maxLength=100),
        "description": text(maxLength=100),
        "version": SEMANTIC,
        "websiteUrl": ADDRESS,
        "repository": closed({"url": ADDRESS, "source": {"enum": ["github", "gitlab"]}}),
        "packages": {"type": "array", "items": {"anyOf": list(PACKAGES.values())}, "minItems": 1},
    },
    "repository",
)


def find_format_faults(file: str, document: Any, own: Schema, published: str) -> Iterator[str]:
    """What is wrong with a document, by our schema and by the published one if there is a copy of it."""
    schemas = [own]
    if os.environ.get(PUBLISHED):
        schemas.append(json.loads((Path(os.environ[PUBLISHED]) / published).read_text("utf-8")))
    for schema in schemas:
        Draft7Validator.check_schema(schema)
        for error in Draft7Validator(schema, format_checker=FormatChecker()).iter_errors(document):
            yield f"{file}: {error.json_path}: {error.message}"

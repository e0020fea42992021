"""The OpenAPI document: complete, with examples that fit their schemas."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from talewright.faces.http.api_services import NEEDS
from tests.faces.http.serving import make_app, make_lobby


@pytest.fixture(scope="module", name="document")
def read_document(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """The document."""
    return make_app(make_lobby(str(tmp_path_factory.mktemp("saves")))).openapi()


def list_operations(document: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """Every operation with its name."""
    return [
        (f"{method.upper()} {path}", operation)
        for path, operations in document["paths"].items()
        for method, operation in operations.items()
    ]


def test_every_operation_is_described(document: dict[str, Any]) -> None:
    assert document["openapi"].startswith("3.1")
    operations = list_operations(document)
    assert len(operations) > 40
    for name, operation in operations:
        assert operation["summary"], name
        assert operation["description"].endswith("."), name
        for parameter in operation.get("parameters", ()):
            assert parameter.get("description"), (name, parameter["name"])
        assert {"4XX", "5XX"} <= operation["responses"].keys(), name


def test_every_answer_and_body_has_an_example_that_fits(document: dict[str, Any]) -> None:
    root = {"$ref": "#/$defs/it", "components": document["components"]}
    for name, operation in list_operations(document):
        answers = [one for status, one in operation["responses"].items() if status.startswith("2")]
        for part in (*answers, operation.get("requestBody", {})):
            media = part.get("content", {}).get("application/json")
            if media is None:
                continue
            assert "example" in media, name
            jsonschema.validate(media["example"], {**root, "$defs": {"it": media["schema"]}})


def test_fields_have_the_texts_of_their_docstrings(document: dict[str, Any]) -> None:
    view = document["components"]["schemas"]["View"]["properties"]
    assert view["head"]["description"] == "The id of the newest commit of the branch."


def test_what_needs_the_owner_says_so(document: dict[str, Any]) -> None:
    needs = {name: operation.get(NEEDS, "") for name, operation in list_operations(document)}
    assert needs["POST /api/tokens"] == needs["DELETE /api/campaigns/{campaign}"] == "owner"
    assert needs["POST /api/campaigns/{campaign}/turns"] == "play"


def test_nothing_is_loaded_from_elsewhere(document: dict[str, Any], tmp_path: Path) -> None:
    app = make_app(make_lobby(str(tmp_path)))
    assert {"/docs", "/redoc"}.isdisjoint(getattr(route, "path", "") for route in app.routes)
    assert "http://" not in json.dumps(document)
    assert "https://" not in json.dumps(document)

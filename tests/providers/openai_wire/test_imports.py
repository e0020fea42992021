"""Where httpx is imported: by what talks to servers, so that a game told by scenes never waits for it."""

from pathlib import Path

import pytest

from tests import house

pytestmark = pytest.mark.slow

TREE = house.read_tree(Path(__file__).parents[3] / "src" / house.PACKAGE)


def test_httpx_is_imported_by_those_alone_who_send() -> None:
    users = {
        module.file
        for module in TREE.values()
        for _, name in house.find_imports(module, TREE)
        if name.split(".")[0] in ("httpx", "httpcore", "anyio", "h11")
    }
    wire = "providers/openai_wire"
    assert users == {
        "bootstrap/serving/server_transfer.py",
        "providers/model_http_client.py",
        f"{wire}/openai_provider.py",
        f"{wire}/probe_connection.py",
        "remote/remote_lobby.py",
        "remote/remote_news.py",
        "remote/server_connection.py",
        "remote/token_challenge.py",
    }

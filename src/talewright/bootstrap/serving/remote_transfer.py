"""Campaign transfer between this machine and a server, by the owner: push and pull over HTTP.

Every hash stays the same. The server decides whether to send the dice secret.
"""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias
from urllib.parse import quote

from talewright.bootstrap import open_game_library, open_store, utc_now
from talewright.bootstrap.serving.remote_play import ServerAccess, choose_prompt, find_access
from talewright.chronicle.chained_lines import ChainEnd
from talewright.chronicle.store import Store
from talewright.play.export.campaign_move import TransferReport, found_moved, has_older_copy, read_moved
from talewright.play.export.moved_file import check_moved, read_moved_file, write_moved
from talewright.remote.remote_lobby import TRANSFER_SECONDS
from talewright.remote.server_connection import ServerAnswer, ServerConnection, ServerRequest

if TYPE_CHECKING:
    import httpx

Transport: TypeAlias = "httpx.AsyncBaseTransport | None"
"""How requests travel; None for the network."""


def push_to_server(
    server: str,
    environment: Mapping[str, str],
    saves: Path | None,
    campaign: str,
    name: str,
) -> TransferReport:
    """Push a campaign from this machine to a server, as its owner there."""
    access = find_access(server, environment, choose_prompt())
    return asyncio.run(push_copy(access, open_store(saves), campaign, name))


def pull_from_server(
    server: str,
    environment: Mapping[str, str],
    saves: Path | None,
    campaign: str,
    name: str,
    *,
    close: bool,
) -> TransferReport:
    """Pull a campaign from a server to this machine, as its owner there."""
    access = find_access(server, environment, choose_prompt())
    return asyncio.run(pull_copy(access, open_store(saves), campaign, name, close=close))


async def push_copy(
    access: ServerAccess, home: Store, campaign: str, name: str, transport: Transport = None
) -> TransferReport:
    """Send a campaign with its dice secret; the local copy does not change."""
    moved = await read_moved(home, campaign, with_secret=True)
    data = write_moved(moved, closed=False)
    await _send(access, "POST", "/campaigns/copies", {"name": name}, data, transport)
    return TransferReport(ChainEnd(len(moved.lines), moved.chain), True)


async def pull_copy(
    access: ServerAccess,
    home: Store,
    campaign: str,
    name: str,
    transport: Transport = None,
    *,
    close: bool = False,
) -> TransferReport:
    """Fetch a campaign; with `close`, it can then be played here but no longer on the server.

    An older copy here goes to the bin; if any other campaign has the name, this raises NameTakenError and
    closes nothing.
    """
    path = f"/campaigns/{quote(campaign, safe='')}"
    answer = await _send(access, "GET", f"{path}/copy", {}, None, transport)
    moved, closed = read_moved_file(answer.content)
    older = await has_older_copy(home, name, moved.lines)
    if close:
        await _send(access, "POST", f"{path}/close", {}, None, transport)
        answer = await _send(access, "GET", f"{path}/copy", {}, None, transport)
        moved, closed = read_moved_file(answer.content)
    checked = check_moved(moved, open_game_library())
    if older:
        await home.remove(name, utc_now())
    book = await found_moved(home, name, checked)
    try:
        return TransferReport(await book.chain(), bool(moved.secret), closed)
    finally:
        await book.close()


async def _send(
    access: ServerAccess,
    method: str,
    path: str,
    query: Mapping[str, str],
    content: bytes | None,
    transport: Transport,
) -> ServerAnswer:
    connection = ServerConnection(access.url, access.token, transport)
    request = ServerRequest(
        method,
        path,
        query,
        content=content,
        # A campaign must not be pushed twice; every other request may be repeated.
        repeatable=content is None,
        wait_seconds=TRANSFER_SECONDS,
    )
    try:
        return await connection.send(request)
    finally:
        await connection.close()

"""Server transfer: the owner of a campaign pushes it to a server or pulls it back, over HTTP.

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
from talewright.play.transfer.campaign_transfer import (
    TransferReport,
    found_transferred,
    has_older_copy,
    read_for_transfer,
)
from talewright.play.transfer.transfer_file import check_transferred, read_transfer_file, write_transfer_file
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
    return asyncio.run(push_over_http(access, open_store(saves), campaign, name))


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
    return asyncio.run(pull_over_http(access, open_store(saves), campaign, name, close=close))


async def push_over_http(
    access: ServerAccess, home: Store, campaign: str, name: str, transport: Transport = None
) -> TransferReport:
    """Send a campaign with its dice secret; the local copy does not change."""
    sent = await read_for_transfer(home, campaign, with_secret=True)
    data = write_transfer_file(sent, closed=False)
    await _send(access, "POST", "/campaigns/copies", {"name": name}, data, transport)
    return TransferReport(ChainEnd(len(sent.lines), sent.chain), True)


async def pull_over_http(
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
    sent, closed = read_transfer_file(answer.content)
    older = await has_older_copy(home, name, sent.lines)
    if close:
        await _send(access, "POST", f"{path}/close", {}, None, transport)
        answer = await _send(access, "GET", f"{path}/copy", {}, None, transport)
        sent, closed = read_transfer_file(answer.content)
    checked = check_transferred(sent, open_game_library())
    if older:
        await home.remove(name, utc_now())
    book = await found_transferred(home, name, checked)
    try:
        return TransferReport(await book.chain(), bool(sent.secret), closed)
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

"""Sending: a request on a connection that was kept from an earlier one, or on a new one.

A server may close a kept connection just as it is used again; llama.cpp closes it after every answer. Then
nothing was begun, and the request is sent anew. Every other failure is handed on.
"""

import httpx

KEPT_MAX = 3
"""Kept connections that may turn out to be closed, one after the other."""

_CLOSED = (httpx.RemoteProtocolError, httpx.ReadError, httpx.WriteError)
_CONNECTING = "connection.connect_tcp.started"


async def send(client: httpx.AsyncClient, request: httpx.Request) -> httpx.Response:
    """Send a request; the response has its head, and its body is still to be read."""
    for _ in range(KEPT_MAX):
        events = _watch(request)
        try:
            return await _send(client, request)
        except _CLOSED:
            if _CONNECTING in events:
                raise
    return await _send(client, request)


def _watch(request: httpx.Request) -> set[str]:
    """What happens to the connection of a request from now on."""
    events: set[str] = set()

    async def note(event: str, _info: object) -> None:
        events.add(event)

    request.extensions["trace"] = note
    return events


async def _send(client: httpx.AsyncClient, request: httpx.Request) -> httpx.Response:
    return await client.send(request, stream=True, follow_redirects=False)

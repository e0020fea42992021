"""Cut streams: a transport that breaks the connection of a news stream after every event."""

from collections.abc import AsyncIterator

import httpx

END = b"\n\n"
DATA = b"\ndata:"


class CutStream(httpx.AsyncByteStream):
    """The bytes of a stream up to the end of its first event with data."""

    def __init__(self, inner: httpx.AsyncByteStream, transport: "CuttingTransport") -> None:
        self._inner = inner
        self._transport = transport

    async def __aiter__(self) -> AsyncIterator[bytes]:
        held = b""
        async for chunk in self._inner:
            held += chunk
            while END in held:
                block, _, held = held.partition(END)
                yield block + END
                if DATA in b"\n" + block:
                    self._transport.cuts += 1
                    raise httpx.ReadError("cut")

    async def aclose(self) -> None:
        await self._inner.aclose()


class CuttingTransport(httpx.AsyncBaseTransport):
    """Cuts every stream of news after every event, and counts the cuts."""

    def __init__(self) -> None:
        self._inner = httpx.AsyncHTTPTransport()
        self.cuts = 0

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        response = await self._inner.handle_async_request(request)
        if request.url.path.endswith("/news") and response.status_code == httpx.codes.OK:
            assert isinstance(response.stream, httpx.AsyncByteStream)
            stream = CutStream(response.stream, self)
            return httpx.Response(response.status_code, headers=response.headers, stream=stream)
        return response

    async def aclose(self) -> None:
        await self._inner.aclose()

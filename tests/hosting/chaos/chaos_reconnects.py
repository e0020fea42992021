"""Reconnects: a node with many listeners is killed in the midst of a turn, and all go on at the other node.

Every listener must have the whole text in the end, as if nothing had happened.
"""

import asyncio
import json
import resource
from collections.abc import Mapping
from time import monotonic

from talewright.remote.event_stream import EventStreamParser
from tests.hosting.chaos.chaos_host import TOKEN, ChaosHost, HostProcess
from tests.hosting.chaos.chaos_players import ChaosPlayer, PlayerNotes
from tests.hosting.chaos.chaos_provider import ChaosProvider, tell_story

CONNECTS_AT_ONCE = 200
"""As many as a server's queue of new connections holds without delay."""

TURN_SECONDS = 30.0
"""How long the turn is told, so that it outlasts all reconnects."""


class Listener:
    """One listener; reads the bytes itself, because thousands of clients would need all of the machine."""

    def __init__(self, campaign: str) -> None:
        self._path = f"/api/campaigns/{campaign}/news"
        self._parser = EventStreamParser()
        self._writer: asyncio.StreamWriter | None = None
        self.text = ""
        self.committed = False

    async def listen(self, node: HostProcess, begun: asyncio.Event | None = None) -> None:
        """Listen at a node, from the last event on, until the turn is committed or the node is gone."""
        reader, self._writer = await asyncio.open_connection("127.0.0.1", node.port, limit=2**20)
        resume = f"Last-Event-ID: {self._parser.last_id}\r\n" if self._parser.last_id else ""
        self._writer.write(
            f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1:{node.port}\r\n"
            f"Authorization: Bearer {TOKEN}\r\n{resume}\r\n".encode()
        )
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 200"), head
            self._parser = EventStreamParser(self._parser.last_id)
            while not self.committed:
                size = int(await reader.readuntil(b"\r\n"), 16)
                self._take((await reader.readexactly(size + 2))[:-2])
                # The first frame says how to connect again; the next one is about the campaign.
                if begun is not None and self._parser.last_id:
                    begun.set()
        except (OSError, asyncio.IncompleteReadError):
            return
        finally:
            self._writer.transport.abort()

    def _take(self, data: bytes) -> None:
        for event in self._parser.feed(data):
            news = json.loads(event.data)
            match news["kind"]:
                case "narration.delta":
                    self.text += news["data"]["text"]
                case "narration.reset":
                    self.text = news["data"]["text"]
                case "turn.committed":
                    self.committed = True
                case _:
                    pass


async def _listen(listener: Listener, node: HostProcess, free: asyncio.Semaphore) -> "asyncio.Task[None]":
    """Connect, and go on reading."""
    async with free:
        begun = asyncio.Event()
        reading = asyncio.create_task(listener.listen(node, begun))
        waiting = asyncio.create_task(begun.wait())
        await asyncio.wait({reading, waiting}, return_when=asyncio.FIRST_COMPLETED)
        waiting.cancel()
    return reading


async def reconnect(
    host: ChaosHost, provider: ChaosProvider, listeners: int, campaign: str
) -> Mapping[str, object]:
    """Kill a node under so many listeners; returns how long it took until all were connected elsewhere."""
    player = ChaosPlayer(campaign, [node.url for node in host.nodes], PlayerNotes(), campaign)
    first, second = host.nodes[:2]
    free, operation = asyncio.Semaphore(CONNECTS_AT_ONCE), f"{campaign}-0"
    before, provider.piece_seconds = provider.piece_seconds, TURN_SECONDS / provider.pieces
    try:
        await player.begin()
        await player.wait_opened()
        all_of_them = [Listener(campaign) for _ in range(listeners)]
        tasks = await asyncio.gather(*(_listen(one, first, free) for one in all_of_them))
        turn = asyncio.create_task(player.take(operation))
        while not all(one.text for one in all_of_them):
            await asyncio.sleep(0.05)
        await asyncio.to_thread(first.kill)
        await asyncio.gather(*tasks)
        assert not any(one.committed for one in all_of_them), "the turn was over too early"
        started = monotonic()
        tasks = await asyncio.gather(*(_listen(one, second, free) for one in all_of_them))
        seconds = monotonic() - started
        await asyncio.to_thread(first.start)
        await turn
        await asyncio.gather(*tasks)
        wrong = [one.text for one in all_of_them if one.text.strip() != tell_story(operation)]
        assert not wrong, f"{len(wrong)} of {listeners} have another text, such as {wrong[0]!r}"
    finally:
        provider.piece_seconds = before
        await player.close()
    return {"listeners": listeners, "seconds": round(seconds, 2)}


def allow_connections(count: int) -> None:
    """Let this process, and those that it starts, have so many connections."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft < count:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(count, hard), hard))

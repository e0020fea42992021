"""A cancel storm: many owners ask two nodes at the same time, and many hang up in the middle.

Every byte that arrives is searched, also of answers that were cut off: for what belongs to another owner, and
for what belongs to nobody outside. Afterwards nothing may be left open.
"""

import asyncio
import base64
import random
import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlencode, urlsplit

import asyncpg
import httpx
from redis.asyncio import Redis

from talewright.hosting.hosting_tables import POOL_SIZE_MAX as TABLE_CONNECTIONS
from talewright.hosting.owners.owner_accounts import OwnerAccounts
from talewright.hosting.turn_queue import POOL_SIZE as QUEUE_CONNECTIONS
from talewright.hosting.worker_process import POOL_SIZE as WORKER_CONNECTIONS
from talewright.stores.postgres.connection_pool import POOL_SIZE as STORE_CONNECTIONS
from tests.hosting.storm_host import DICE_SECRET, StormHost
from tests.privacy import find_canaries

OWNERS = 50
AT_ONCE = 24
"""Requests at the same time."""

CAMPAIGN = "nest"
"""The campaign that every owner has, all under the same name."""

OWN = re.compile(rb"own[0-9a-f]{16}")
"""What belongs to one owner."""

SECRETS = tuple(
    form
    for secret in (DICE_SECRET, bytes(32))
    for form in (secret, secret.hex().encode(), base64.b64encode(secret).rstrip(b"="))
    if form != bytes(32)
)
"""The secret of the dice and the sealing key, in every form; 32 zeros as bytes could be anything."""

TOKEN = re.compile(rb"tw_[A-Za-z0-9_-]{20}")
_EACH = STORE_CONNECTIONS + QUEUE_CONNECTIONS + TABLE_CONNECTIONS + 1
"""Connections of a process to PostgreSQL: its pools, and one for the metrics of the queue."""

POOLED = 3 * _EACH + WORKER_CONNECTIONS
"""Connections to PostgreSQL that the pools of two nodes and a worker may open."""

QUIET_SECONDS_MAX = 30.0
"""How long a host may take to come to rest."""


@dataclass
class StormOwner:
    """An owner, and what only this one may see."""

    number: int
    id: str
    token: str
    mark: bytes
    cookie: str = ""


@dataclass
class HeardAnswer:
    """As much of an answer as was read."""

    status: int = 0
    head: bytes = b""
    body: bytes = b""
    is_whole: bool = False


@dataclass
class Findings:
    """What a storm has found."""

    requests: int = 0
    cut: int = 0
    bytes: int = 0
    statuses: dict[int, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


class Connections:
    """Connections to one node, which all owners share one after the other."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._idle: deque[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = deque()

    async def ask(self, request: bytes, bytes_max: int) -> HeardAnswer:
        """Send a request, and hang up after so many bytes of its answer; -1 to read all of it."""
        reader, writer = (
            self._idle.popleft() if self._idle else await asyncio.open_connection("127.0.0.1", self._port)
        )
        heard = HeardAnswer()
        try:
            writer.write(request.replace(b"{port}", str(self._port).encode()))
            await writer.drain()
            if bytes_max != 0:
                await _read(reader, heard, bytes_max)
        except (OSError, asyncio.IncompleteReadError):
            heard.is_whole = False
        finally:
            if heard.is_whole:
                self._idle.append((reader, writer))
            else:
                # A reset, as from a client that is gone.
                writer.transport.abort()
        return heard

    def close(self) -> None:
        """Close those that are open."""
        while self._idle:
            _, writer = self._idle.popleft()
            writer.transport.abort()


async def _read(reader: asyncio.StreamReader, heard: HeardAnswer, bytes_max: int) -> None:
    heard.head = await reader.readuntil(b"\r\n\r\n")
    heard.status = int(heard.head.split(b" ", 2)[1])
    lower = heard.head.lower()
    length = re.search(rb"content-length: (\d+)", lower)
    if bytes_max > 0 or b"text/event-stream" in lower:
        # The beginning of an answer, then away.
        async with asyncio.timeout(1.0):
            while len(heard.body) < max(bytes_max, 1):
                piece = await reader.read(max(bytes_max, 1))
                if not piece:
                    return
                heard.body += piece
    elif length is not None:
        heard.body = await reader.readexactly(int(length[1]))
        heard.is_whole = b"connection: close" not in lower
    elif b"transfer-encoding: chunked" in lower:
        while size := int(await reader.readline(), 16):
            heard.body += (await reader.readexactly(size + 2))[:-2]
        await reader.readline()
        heard.is_whole = True
    else:
        heard.is_whole = heard.status in (204, 303, 304)


class Storm:
    """Requests of all owners against all nodes."""

    def __init__(self, host: StormHost, seed: int, owners: int = OWNERS) -> None:
        self._host = host
        self._count = owners
        self._rng = random.Random(seed)
        self._connections = [Connections(node.port) for node in host.nodes]
        self.owners: list[StormOwner] = []
        self.findings = Findings()

    async def prepare(self) -> None:
        """Add the owners; each begins a campaign and says in it what only its owner may read."""
        async with asyncpg.create_pool(self._host.database_url, min_size=0, max_size=4) as pool:
            accounts = OwnerAccounts(pool)
            for number in range(self._count):
                owner, token = await accounts.add(f"owner {number}")
                mark = f"own{self._rng.getrandbits(64):016x}".encode()
                self.owners.append(StormOwner(number, owner, token, mark))
        for start in range(0, self._count, AT_ONCE):
            await asyncio.gather(*(self._begin(owner) for owner in self.owners[start : start + AT_ONCE]))

    async def _begin(self, owner: StormOwner) -> None:
        node = self._host.nodes[owner.number % len(self._host.nodes)]
        headers = {"Authorization": f"Bearer {owner.token}"}
        async with httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{node.port}", headers=headers, timeout=120
        ) as client:
            # A campaign that a game master begins has no turn yet.
            for name, role in ((CAMPAIGN, "player"), (f"only-{owner.number}", "master")):
                asked = {"game": "test", "language": "en", "name": name}
                begun = await client.post(f"/api/campaigns?role={role}", json=asked)
                assert begun.status_code == 201, begun.text
            said = {"kind": "say", "text": f"I carry {owner.mark.decode()} through the fog."}
            told = await client.post(f"/api/campaigns/{CAMPAIGN}/turns?wait=60", json=said)
            assert told.status_code == 200, told.text
            shown = await client.get(f"/api/campaigns/{CAMPAIGN}/turns")
            assert owner.mark in shown.content, shown.text
            entered = await client.post(
                "/login",
                content=urlencode({"token": owner.token}),
                headers={"Content-Type": "application/x-www-form-urlencoded", "Authorization": ""},
            )
            owner.cookie = entered.headers["set-cookie"].partition(";")[0]

    async def run(self, count: int, progress: Callable[[int], None] | None = None) -> None:
        """Send so many requests."""
        left = iter(range(count))

        async def ask_on() -> None:
            for _ in left:
                await self.ask()
                if progress and self.findings.requests % 500 == 0:
                    progress(self.findings.requests)

        await asyncio.gather(*(ask_on() for _ in range(AT_ONCE)))

    async def ask(self) -> None:
        """Send one request of one owner, and search what comes."""
        rng = self._rng
        owner = rng.choice(self.owners)
        method, target, body, foreign = self._pick(owner)
        cut = rng.random()
        # Some hang up before the answer, some within it; the others read all of it.
        bytes_max = 0 if cut < 0.2 else rng.randrange(1, 4_000) if cut < 0.5 else -1
        request = self._write(owner, method, target, body)
        connections = rng.choice(self._connections)
        try:
            heard = await asyncio.wait_for(connections.ask(request, bytes_max), 60)
        except TimeoutError:
            heard = HeardAnswer()
        findings = self.findings
        findings.requests += 1
        findings.cut += not heard.is_whole
        findings.bytes += len(heard.head) + len(heard.body)
        findings.statuses[heard.status] = findings.statuses.get(heard.status, 0) + 1
        for problem in find_wrong(heard.head + heard.body, owner.mark):
            findings.wrong.append(f"{method} {target}: {problem}")
        if foreign and heard.status not in (0, 404):
            findings.wrong.append(f"{method} {target}: {heard.status} for a campaign of another owner")
        if heard.status >= 500:
            findings.wrong.append(f"{method} {target}: {heard.status} {heard.body[:300]!r}")

    def _pick(self, owner: StormOwner) -> tuple[str, str, str, bool]:
        """Method, target and body of a request, and whether it is for another owner's campaign."""
        rng, api = self._rng, f"/api/campaigns/{CAMPAIGN}"
        pick = rng.random()
        if pick < 0.015:
            text = f"I carry {owner.mark.decode()} on."
            return "POST", f"{api}/turns?wait=2", f'{{"kind": "say", "text": "{text}"}}', False
        if pick < 0.03:
            return "POST", f"{api}/cancel", "", False
        if pick < 0.16:
            chunks = rng.choice(("", "&chunks=all"))
            return "GET", f"{api}/news?after={rng.choice((0, 1, 1_000_000))}{chunks}", "", False
        if pick < 0.26:
            other = (owner.number + rng.randrange(1, self._count)) % self._count
            theirs = f"only-{other}"
            targets = f"/api/campaigns/{theirs}/view", f"/play/{theirs}", f"/api/campaigns/{theirs}/news"
            return "GET", rng.choice(targets), "", True
        paths = (
            *(f"{api}/{end}" for end in ("view", "turns", "turns?count=3", "tree", "statistics", "receipts")),
            *(f"{api}/export?form={form}" for form in ("md", "html")),
            *("/api/campaigns", "/api/games", "/", f"/play/{CAMPAIGN}", f"/play/{CAMPAIGN}/history"),
            *(f"/play/{CAMPAIGN}/book", f"/play/{CAMPAIGN}/reading", f"/play/{CAMPAIGN}/nothing"),
        )
        return "GET", rng.choice(paths), "", False

    def _write(self, owner: StormOwner, method: str, target: str, body: str) -> bytes:
        by_cookie = method == "GET" and self._rng.random() < 0.3
        access = f"Cookie: {owner.cookie}" if by_cookie else f"Authorization: Bearer {owner.token}"
        lines = [f"{method} {target} HTTP/1.1", "Host: 127.0.0.1:{port}", access]
        if method != "GET":
            lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
        return "\r\n".join([*lines, "", body]).encode()

    def close(self) -> None:
        """Close all connections."""
        for one in self._connections:
            one.close()


def find_wrong(data: bytes, mark: bytes = b"") -> list[str]:
    """What may not be among some bytes that reached one owner; without a mark, nobody's may."""
    found = [f"{one!r} of another owner" for one in set(OWN.findall(data)) - {mark}]
    found += [f"a secret at {data.index(one)}" for one in SECRETS if one in data]
    found += [f"a token: {one[:8]!r}" for one in TOKEN.findall(data)]
    text = data.decode("utf-8", "replace")
    found += [f"a canary: {text[max(0, at - 60) : at + 60]}" for at in find_canaries(text)]
    return found


@dataclass(frozen=True)
class OpenThings:
    """What a host has open."""

    databases: int
    """Connections to PostgreSQL."""

    redis: int
    files: tuple[int, ...]
    """Open files and sockets of each node, without the connections that are counted above."""

    streams: float

    def exceeds(self, other: "OpenThings") -> bool:
        """Whether more of anything is open than there was."""
        # A pool that was not full may have grown; nothing else may be left.
        databases = self.databases > max(other.databases, POOLED)
        files = sum(self.files) > sum(other.files)
        return files or databases or self.redis > other.redis or self.streams > 0


async def count_open(host: StormHost) -> tuple[OpenThings, int]:
    """What is open now, and how many statements are running in PostgreSQL."""
    connection = await asyncpg.connect(host.database_url)
    rows = await connection.fetch(
        "select state from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
    )
    await connection.close()
    redis = Redis.from_url(host.redis_url)
    clients = len(await redis.client_list()) - 1
    await redis.aclose(close_connection_pool=True)
    streams = 0.0
    async with httpx.AsyncClient() as client:
        for node in host.nodes:
            text = (await client.get(f"http://{node.operations}/metrics")).text
            found = re.search(r"^talewright_open_streams (\S+)", text, re.MULTILINE)
            streams += float(found[1]) if found else 0.0
    servers = [urlsplit(url).port or 0 for url in (host.database_url, host.redis_url)]
    files = tuple(node.count_files(*servers) for node in host.nodes)
    stuck = sum(row["state"] == "idle in transaction" for row in rows)
    return OpenThings(len(rows), clients, files, streams), stuck


async def come_to_rest(host: StormHost, level: OpenThings | None = None) -> OpenThings:
    """Wait until no stream is open, and no more of anything than there was; returns what is open."""
    until = asyncio.get_running_loop().time() + QUIET_SECONDS_MAX
    while True:
        found, stuck = await count_open(host)
        calm = not found.streams and not stuck and (level is None or not found.exceeds(level))
        if calm or asyncio.get_running_loop().time() > until:
            return found
        await asyncio.sleep(0.5)


async def search_outputs(host: StormHost) -> list[str]:
    """What logs and metrics may not contain."""
    wrong = []
    async with httpx.AsyncClient() as client:
        for one in host.processes:
            metrics = (await client.get(f"http://{one.operations}/metrics")).content
            wrong += [f"metrics of {one.log.stem}: {found}" for found in find_wrong(metrics)]
            wrong += [f"{one.log.name}: {found}" for found in find_wrong(one.log.read_bytes())]
    return wrong


async def rage(
    host: StormHost,
    count: int,
    seed: int,
    progress: Callable[[int], None] | None = None,
    owners: int = OWNERS,
) -> Findings:
    """A whole storm; raises AssertionError if anything is wrong."""
    storm = Storm(host, seed, owners)
    await storm.prepare()
    # Twice: whatever the second half leaves open was not there after the first.
    await storm.run(count - count // 2, progress)
    storm.close()
    level = await come_to_rest(host)
    await storm.run(count // 2, progress)
    storm.close()
    after = await come_to_rest(host, level)
    findings = storm.findings
    assert findings.wrong == [], f"seed {seed}: {findings.wrong[:5]}"
    assert not after.exceeds(level), f"seed {seed}: {level} has become {after}"
    assert await search_outputs(host) == []
    assert findings.cut > count * 0.3
    assert findings.statuses.get(200, 0) > count * 0.3, findings.statuses
    return findings

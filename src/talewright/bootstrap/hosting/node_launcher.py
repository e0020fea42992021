"""The launcher of an API node: serves the campaigns of all owners over HTTP and orders their turns.

Only the operator sets up models and games: no route sets up a model, tests an address or imports a game.
"""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from talewright.bootstrap import (
    installed_systems,
    new_id,
    new_secret,
    utc_now,
)
from talewright.bootstrap.games.compiled_folders import CompiledFolders
from talewright.bootstrap.games.game_library import FolderGameLibrary
from talewright.bootstrap.hosting.host_addresses import (
    TRUSTED_PROXIES,
    PublicAddress,
    find_redis_url,
    find_system_url,
    name_process,
    open_host_models,
    read_bind,
    read_public_url,
    read_trusted_proxies,
    require_setting,
)
from talewright.bootstrap.hosting.host_transfer import open_host_store
from talewright.bootstrap.hosting.operations_launcher import run_operations, watch_pools
from talewright.bootstrap.jobs.game_preparation import GamePreparation
from talewright.bootstrap.jobs.job_pool import JobLimits, JobPlaces, JobPool, read_job_limits
from talewright.bootstrap.mcp_launcher import find_token, listen
from talewright.bootstrap.serving.server_launcher import BODY_LIMITS, MCP_PACKAGE, make_server
from talewright.chronicle.store import StorageLimits
from talewright.common.frozen_values import frozen
from talewright.config.access_token import AccessToken
from talewright.config.api_keys import ApiKey
from talewright.errors import SettingsError
from talewright.hosting.hosting_tables import HostingTables
from talewright.hosting.limits.shared_budgets import SharedBudgets
from talewright.hosting.limits.shared_quotas import ANSWER_SECONDS, CONNECTIONS_MAX, SharedQuotaCounts
from talewright.hosting.news.redis_stream_reader import RedisNews, connect_redis
from talewright.hosting.node_services import NodeServices
from talewright.hosting.operations.measured_parts import AsgiApp, MeasuredApi, Message, Receive, Send
from talewright.hosting.owners.ended_sessions import EndedSessions
from talewright.hosting.owners.owner_directory import OwnerDirectory, prepare_owner_tables
from talewright.hosting.turn_queue import TurnQueue
from talewright.pack.user_folders import UserFolders
from talewright.play.presentation.words.player_messages import speak_to_hosted_players
from talewright.play.serving.owner_lookup import OwnerIdentity, OwnerLookup, SingleOwner
from talewright.play.serving.owner_quotas import (
    HOST_QUOTAS,
    QUOTAS,
    OwnerCounts,
    QuotaCounts,
    read_quotas,
)
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.stores.postgres.postgres_store import PostgresStore
from talewright.stores.postgres.sealing import SEALING_KEYS
from talewright.stores.postgres.shards import DATABASE_URL

if TYPE_CHECKING:
    from talewright.faces.http.api_services import ApiServices
    from talewright.faces.http.guards.browser_login import BrowserLogin
    from talewright.faces.http.guards.open_requests import OpenRequests
    from talewright.play.lobby import GameInfo

COOKIE = "talewright_host"
SECURE_COOKIE = "__Host-talewright"
"""Browsers accept a cookie with this name only over https, and only from this host."""

ALLOWED_GAMES = "TALEWRIGHT_ALLOWED_GAMES"
"""The variable with the digests of further games whose campaigns may be imported."""

NODE = "node"
OPERATOR = ""
"""Whose jobs compile the games of a host; no owner has this id."""

_DIGEST = re.compile("[0-9a-f]{64}")


@frozen
class NodeParts:
    """The components of a node's application."""

    lobby_of: Callable[[str], StoreLobby]
    """The lobby of an owner."""

    lookup: OwnerLookup
    ended: EndedSessions
    """The browser logins that are over."""

    list_games: "Callable[[str], tuple[GameInfo, ...]]"
    """The operator's games, described in a language."""

    quotas: QuotaCounts
    """Counts what owners and addresses do."""

    prepare: Callable[[], Awaitable[None]] | None = None
    """Compiles changed games in another process."""


class HostedWording:
    """An ASGI application whose answers, and the turns they start, are worded for players on a host."""

    def __init__(self, app: AsgiApp) -> None:
        self._app = app

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request."""
        with speak_to_hosted_players():
            await self._app(scope, receive, send)


def launch_node(
    places: UserFolders,
    environment: Mapping[str, str],
    *,
    bind: str,
    public_url: str,
    owner: str = "",
) -> int:
    """Serve all owners, or the one whose token is in the environment, until stopped; return the exit code."""
    environment = name_process(environment, NODE)
    public = read_public_url(public_url) if public_url else None
    single = SingleOwner(owner, find_token(environment).key.reveal()) if owner else None
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(places, environment, bind, public, single))
    return 0


async def _serve(
    places: UserFolders,
    environment: Mapping[str, str],
    bind: str,
    public: PublicAddress | None,
    single: SingleOwner | None,
) -> None:
    url = find_system_url(environment)
    news = RedisNews(find_redis_url(environment))
    services = NodeServices(TurnQueue(url), HostingTables(url), news)
    host, port = read_bind(bind)
    quotas = read_quotas(environment.get(QUOTAS, ""), HOST_QUOTAS)
    proxies = read_trusted_proxies(environment.get(TRUSTED_PROXIES, ""))
    redis = connect_redis(find_redis_url(environment), CONNECTIONS_MAX, ANSWER_SECONDS)
    compiled = CompiledFolders(places.cache, installed_systems)
    shelf = open_host_games(places, environment, compiled)
    async with (
        run_operations(environment, NODE) as metrics,
        open_host_store(environment) as store,
        open_job_pool(places, environment, quotas.storage) as pool,
    ):
        news.observer = metrics
        watch_pools(metrics, store, services.queue)
        await services.queue.prepare()
        parts = NodeParts(
            share_lobby(services, store, shelf, environment, quotas.storage, pool),
            await open_lookup(store, single),
            EndedSessions(store.databases[0]),
            lambda wanted: open_host_games(places, environment, compiled, wanted).games(),
            SharedQuotaCounts(redis, quotas),
            lambda: compiled.prepare(places.games, pool.for_owner(OPERATOR)),
        )
        with listen(host, port) as listening:
            app, requests = make_node_app(parts, listening.getsockname()[1], public)
            server = make_server(MeasuredApi(app, metrics, find_request_owner), requests, proxies)
            metrics.is_serving = lambda: server.started and not server.should_exit
            with server.capture_signals():
                print(f"node: {host}:{listening.getsockname()[1]}", flush=True)
                await server.serve(sockets=[listening])
        await redis.aclose(close_connection_pool=True)
        await services.close()


async def open_lookup(store: PostgresStore, single: SingleOwner | None) -> OwnerLookup:
    """The owners, in the first database; a single owner gets an account there too, for its budget."""
    database = store.databases[0]
    await prepare_owner_tables(database, None if single is None else single.identity)
    return OwnerDirectory(database, store.keys) if single is None else single


@asynccontextmanager
async def open_job_pool(
    places: UserFolders,
    environment: Mapping[str, str],
    storage: StorageLimits | None = None,
    limits: JobLimits | None = None,
) -> AsyncIterator[JobPool]:
    """The processes for imports and other heavy work; they get no keys of models. Raises SettingsError."""
    pool = JobPool(
        JobPlaces(
            places.games,
            places.cache,
            database=require_setting(environment, DATABASE_URL),
            keys=require_setting(environment, SEALING_KEYS),
            allowed=read_allowed_games(environment.get(ALLOWED_GAMES, "")),
            storage=storage or StorageLimits(),
        ),
        limits or read_job_limits(environment, has_owners=True),
        environment,
    )
    try:
        yield pool
    finally:
        await pool.close()


def share_lobby(
    services: NodeServices,
    store: PostgresStore,
    shelf: FolderGameLibrary,
    environment: Mapping[str, str],
    limits: StorageLimits,
    pool: JobPool | None = None,
) -> Callable[[str], StoreLobby]:
    """Make the lobby of any owner; all share the operator's games, and models that only workers call."""
    factory = open_host_models(environment, calls_models=False)
    lobby = StoreLobby(
        store=store,
        shelf=shelf,
        now=utc_now,
        new_id=new_id,
        new_secret=new_secret,
    )
    if factory is not None:
        lobby = replace(lobby, hire=factory.hire, limits=factory.limits)
        services = replace(services, budgets=SharedBudgets(store.databases[0]))

    def open_lobby(owner: str) -> StoreLobby:
        jobs = None if pool is None else pool.for_owner(owner)
        return services.host(replace(lobby, store=store.for_owner(owner, limits), jobs=jobs), owner)

    return open_lobby


def open_host_games(
    places: UserFolders,
    environment: Mapping[str, str],
    compiled: CompiledFolders | None = None,
    language: str = "",
) -> FolderGameLibrary:
    """The operator's games. Owners cannot bring their own: the operator's models would narrate them, at the
    operator's cost. Raises SettingsError if the list of further games cannot be read.
    """
    allowed = read_allowed_games(environment.get(ALLOWED_GAMES, ""))
    return FolderGameLibrary(places.games, places.cache, installed_systems, language, allowed, compiled)


def read_allowed_games(text: str) -> frozenset[str]:
    """The digests in a list, separated by commas or white space. Raises SettingsError."""
    found = text.replace(",", " ").split()
    wrong = next((one for one in found if not _DIGEST.fullmatch(one)), None)
    if wrong is not None:
        raise SettingsError(
            f"{ALLOWED_GAMES} contains {wrong[:80]!r}, which is not the digest of a game",
            "A digest has 64 digits from 0 to 9 and a to f; the refusal of an import shows it.",
        )
    return frozenset(found)


def make_node_app(
    parts: NodeParts, port: int, public: PublicAddress | None, seconds: Callable[[], float] = time.monotonic
) -> "tuple[Any, OpenRequests]":
    """The API and the pages of a host behind their guards, and its open requests."""
    from talewright.faces.http.access_grants import AccessRules
    from talewright.faces.http.api_app import make_host_app
    from talewright.faces.http.guards.browser_login import BrowserLogin
    from talewright.faces.http.guards.open_requests import OpenRequests
    from talewright.faces.http.guards.request_guards import RequestGuards
    from talewright.faces.http.guards.request_limits import BadTokenGuard
    from talewright.faces.http.owners.owner_gate import OwnerGate
    from talewright.faces.http.owners.owner_services import OwnerServices
    from talewright.faces.http.owners.token_login import make_token_login_routes
    from talewright.faces.http.problems import offer_missing_page
    from talewright.faces.http.routes.proof_routes import find_owner_token
    from talewright.faces.web.page_requests import show_missing
    from talewright.faces.web.page_routes import WebPages

    secure = public is not None and public.origin.startswith("https:")
    cookie = SECURE_COOKIE if secure else COOKIE

    def login_of(owner: OwnerIdentity) -> BrowserLogin:
        return BrowserLogin(owner.key, 0, time.time, parts.ended, cookie=cookie, owner=owner.id)

    def serve_owner(owner: OwnerIdentity) -> "ApiServices":
        counts = parts.quotas.count_owner(owner.id)
        return make_owner_services(parts.lobby_of(owner.id), owner, login_of(owner), counts)

    owners = OwnerServices(serve_owner)

    def rules_of(owner: OwnerIdentity) -> AccessRules:
        return AccessRules(owner.has, owner.key, owner=owner.id)

    app = make_host_app(owners.close, find_owner_token(parts.lookup, rules_of))
    app.router.routes.extend(make_token_login_routes(parts.lookup, login_of, cookie))
    app.router.routes.extend(WebPages(parts.list_games, has_models=False).make_routes())
    offer_missing_page(app, show_missing)
    origins = {} if public is None else {public.host: public.origin}
    served = mount_mcp(app, parts, port, origins, seconds)
    gate = OwnerGate(served, parts.lookup, owners, login_of, cookie, secure=secure, seconds=seconds)
    requests = OpenRequests(gate if parts.prepare is None else GamePreparation(gate, parts.prepare))
    guarded = BadTokenGuard(requests, parts.quotas, seconds)
    return HostedWording(RequestGuards(guarded, port, BODY_LIMITS, origins=origins)), requests


def mount_mcp(
    app: AsgiApp, parts: NodeParts, port: int, origins: Mapping[str, str], seconds: Callable[[], float]
) -> AsgiApp:
    """The application with MCP at /mcp, for each owner with their own campaigns, if MCP is installed."""
    if find_spec(MCP_PACKAGE) is None:
        return app
    from talewright.bootstrap.serving.mcp_mount import McpMount, McpOwner
    from talewright.faces.http.api_services import SERVICES

    def find_owner(scope: Message) -> McpOwner | None:
        services: ApiServices | None = scope.get(SERVICES)
        if services is None:
            return None
        token = AccessToken(ApiKey(services.key.hex()), NODE)
        open_lobby = partial(parts.lobby_of, services.owner)
        return McpOwner(open_lobby, services.rules, token, services.counts, services.owner)

    return McpMount(app, find_owner, port, origins, hosted=True, seconds=seconds)


def find_request_owner(scope: Mapping[str, Any]) -> str:
    """The id of the owner that the gate of a host has found for a request; empty if it found none."""
    from talewright.faces.http.api_services import SERVICES

    services = scope.get(SERVICES)
    return "" if services is None else services.owner


def make_owner_services(
    lobby: StoreLobby, owner: OwnerIdentity, login: "BrowserLogin", counts: OwnerCounts
) -> "ApiServices":
    """What the routes work with for one owner."""
    from talewright.faces.http.access_grants import AccessRules
    from talewright.faces.http.api_app import make_services
    from talewright.play.serving.campaign_audit import StoreAudit, read_birth
    from talewright.play.transfer.transfer_service import StoreTransfers

    find_birth = partial(read_birth, lobby.store)
    rules = AccessRules(owner.has, owner.key, login.is_logged_in, owner.id, find_birth=find_birth)
    audit = StoreAudit(lobby.store, lobby.shelf, lobby.lookup, lobby.jobs)
    transfers = StoreTransfers(lobby.store, lobby.shelf, lobby.now, lobby.jobs)
    # Without models, importers and a workbench, their routes answer as if they did not exist.
    return make_services(
        lobby, rules, new_id, owner.key, audit=audit, transfers=transfers, owner=owner.id, counts=counts
    )

"""Route of the event stream: what happens in a campaign, live, as server-sent events.

Each event id is the number of the event: a client that reconnects misses nothing that was committed.
"""

from collections.abc import AsyncIterable
from contextlib import AsyncExitStack
from enum import StrEnum
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from talewright.faces.http.api_services import CheckedRoute, grant_of, services_of
from talewright.faces.http.json_answers import NO_STORE
from talewright.faces.http.problems import answer_error
from talewright.faces.http.routes.view_routes import CampaignName, find_opening_id
from talewright.play.serving.owner_quotas import OwnerCounts, RateLimitedError

EVENT_STREAM = "text/event-stream"
NUMBER_MAX = 2**53

router = APIRouter(prefix="/campaigns/{campaign}", route_class=CheckedRoute, tags=["playing"])


class ChunkMode(StrEnum):
    """How much of the narration is sent at once."""

    COALESCED = "coalesced"
    ALL = "all"


@router.get(
    "/news",
    summary="Stream events",
    response_class=StreamingResponse,
    responses={
        200: {
            "description": "Server-sent events. `id` is the event number, `event` its kind, and `data` "
            "is JSON with `number`, `kind`, `branch`, `operation_id` and `data`.",
            "content": {
                EVENT_STREAM: {
                    "schema": {"type": "string"},
                    "example": "id: 3500001\nevent: narration.delta\ndata: "
                    '{"number":3500001,"kind":"narration.delta","branch":"main","operation_id":"9f2c",'
                    '"data":{"text":"The lamp "}}\n\n',
                }
            },
        }
    },
)
async def watch_news(
    request: Request,
    campaign: CampaignName,
    after: Annotated[
        int,
        Query(
            ge=-1,
            le=NUMBER_MAX,
            description="The number of the last event the client has; -1 for events from now on. The "
            "header `Last-Event-ID` takes precedence.",
        ),
    ] = -1,
    chunks: Annotated[
        ChunkMode,
        Query(description="`all` for every piece of narration; otherwise those of 75 ms are sent together."),
    ] = ChunkMode.COALESCED,
) -> Response:
    """Everything that happens in the campaign, as the role may see it, until the client disconnects.

    Committed turns are never missed, even if the client was disconnected. The text so far of a running
    turn comes as one `narration.reset`.
    """
    services, role = services_of(request), grant_of(request).role
    # Report a missing campaign before the stream starts.
    async with services.pool.use(campaign, role) as session:
        await find_opening_id(services, campaign, session)
    given = request.headers.get("last-event-id", "")
    if given.isascii() and given.isdigit():
        after = min(int(given[:20]), NUMBER_MAX)
    frames = services.feeds.stream(campaign, role, after, every=chunks is ChunkMode.ALL)
    return CountedStream(frames, services.counts)


class CountedStream(StreamingResponse):
    """An event stream, which its owner holds until it ends, however that happens."""

    def __init__(self, frames: AsyncIterable[bytes], counts: OwnerCounts) -> None:
        super().__init__(frames, headers=NO_STORE, media_type=EVENT_STREAM)
        self._counts = counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the stream, or say that there are too many."""
        async with AsyncExitStack() as held:
            try:
                await held.enter_async_context(self._counts.hold_stream())
            except RateLimitedError as error:
                await answer_error(error)(scope, receive, send)
                return
            await super().__call__(scope, receive, send)

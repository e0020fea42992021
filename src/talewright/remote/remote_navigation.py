"""Navigation on a server: the current view, and undo, fork, switch, mark and load.

If the connection breaks during a move, the move is not made twice.
"""

from collections.abc import Mapping

from talewright.common.json_values import Json
from talewright.play.campaign_view import View, Viewer
from talewright.play.session_roles import SessionRight, check_right
from talewright.remote.campaign_requests import CampaignRequests, quote_segment, read_one
from talewright.remote.remote_news import RemoteWatch, WatchedNews
from talewright.remote.remote_past import RemotePast
from talewright.remote.server_connection import UnreachableServerError


class RemoteNavigation:
    """An open campaign, as seen and navigated by one role."""

    def __init__(self, requests: CampaignRequests, view: View | None = None) -> None:
        self.requests = requests
        self.news = WatchedNews(requests)
        self._seen = view

    @property
    def role(self) -> Viewer:
        """Whose view everything is made for."""
        return self.requests.role

    async def view(self) -> View:
        """The current view, for its role."""
        self._seen = read_one(View, await self.requests.ask("GET", "view"))
        return self._seen

    async def follow(self) -> None:
        """Do nothing: the server follows with every request."""

    async def undo(self, turns: int = 1) -> View:
        """Go back; nothing is deleted."""
        return await self._move("undo", {"turns": turns})

    async def fork(self, commit: str = "", name: str = "") -> View:
        """Start a branch at a commit (or here) and continue there."""
        return await self._move("fork", {"commit": commit, "name": name})

    async def switch(self, branch: str) -> View:
        """Continue at the head of another branch."""
        return await self._move("switch", {"branch": branch})

    async def mark(self, name: str) -> None:
        """Name the current turn."""
        check_right(self.role, SessionRight.NAVIGATE)
        await self.requests.ask("PUT", f"marks/{quote_segment(name)}")

    async def load(self, name: str) -> View:
        """Continue from a mark, on a new branch."""
        return await self._move("load", {"mark": name})

    @property
    def past(self) -> RemotePast:
        """The past of the campaign."""
        return RemotePast(self.requests)

    def watch(self, after: int = -1) -> RemoteWatch:
        """Events from now on; with a number, first what was committed since then."""
        return self.news.watch(after)

    def newest_number(self) -> int:
        """The number of the newest event that a watcher of this session has; -1 if there is none."""
        return self.news.newest_number

    async def _move(self, route: str, body: Mapping[str, Json]) -> View:
        check_right(self.role, SessionRight.NAVIGATE)
        before = self._seen or await self.view()
        while True:
            try:
                answer = await self.requests.ask("POST", route, body, repeatable=False)
            except UnreachableServerError:
                # If the campaign is somewhere else now, the move was made and only its answer was lost. If
                # the server still does not respond, this raises the error again.
                now = await self.view()
                if (now.branch, now.head) != (before.branch, before.head):
                    return now
                continue
            self._seen = read_one(View, answer)
            return self._seen

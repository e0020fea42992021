"""Session roles: which roles may play, navigate, narrate turns and inspect, in one table.

A role is fixed when a session is opened; `presentation` decides what it sees. Whoever opens a session is
responsible for knowing who the user is.
"""

from collections.abc import Mapping
from enum import StrEnum

from talewright.errors import TalewrightError
from talewright.play.campaign_view import Viewer


class RoleError(TalewrightError):
    """The session's role does not allow this."""


class SessionRight(StrEnum):
    """A right that not every role has. All roles have views, events and the past, as far as they may see."""

    PLAY = "play"
    """Say, choose, answer, continue, retry."""

    NAVIGATE = "navigate"
    """Undo, fork, switch, mark, load."""

    TELL = "tell"
    """Narrate turns as an external game master."""

    INSPECT = "inspect"
    """See the whole record of a turn; other roles see what they were shown."""


ROLE_RIGHTS: Mapping[Viewer, frozenset[SessionRight]] = {
    Viewer.PLAYER: frozenset({SessionRight.PLAY, SessionRight.NAVIGATE}),
    Viewer.MASTER: frozenset({SessionRight.TELL, SessionRight.NAVIGATE}),
    Viewer.AUTHOR: frozenset({SessionRight.PLAY, SessionRight.NAVIGATE, SessionRight.INSPECT}),
    Viewer.OPERATOR: frozenset({SessionRight.INSPECT}),
}
"""What each role may do."""

OPENS_BY_ITSELF = frozenset({Viewer.PLAYER})
"""Roles whose sessions automatically take a turn that is due at opening."""


def may(role: Viewer, right: SessionRight) -> bool:
    """Whether a role has a right."""
    return right in ROLE_RIGHTS[role]


def check_right(role: Viewer, right: SessionRight) -> None:
    """Raise RoleError if a role does not have a right."""
    if not may(role, right):
        able = " or ".join(one for one in Viewer if may(one, right))
        raise RoleError(
            f"a session opened as {role} may not {right}", f"Open the campaign as {able} to do this."
        )

"""Roles of a session: who may play, go elsewhere in the story, tell it, and look behind it, in one table.

A role is bound when a session is opened; what it sees is decided in `presentation`. Who somebody is,
whoever opens a session for them must know.
"""

from collections.abc import Mapping
from enum import StrEnum

from talewright.errors import TalewrightError
from talewright.play.campaign_view import Viewer


class RoleError(TalewrightError):
    """A session was opened in a role that may not do this."""


class SessionRight(StrEnum):
    """Something not every role may do. Views, news and the past are for all, as far as the role may see."""

    PLAY = "play"
    """Say, choose, answer, go on, retry."""

    NAVIGATE = "navigate"
    """Undo, fork, switch, mark, load."""

    TELL = "tell"
    """Tell turns from outside: the desk of a game master."""

    INSPECT = "inspect"
    """See all that is recorded of a turn; others see of it what they were shown."""


ROLE_RIGHTS: Mapping[Viewer, frozenset[SessionRight]] = {
    Viewer.PLAYER: frozenset({SessionRight.PLAY, SessionRight.NAVIGATE}),
    Viewer.MASTER: frozenset({SessionRight.TELL, SessionRight.NAVIGATE}),
    Viewer.AUTHOR: frozenset({SessionRight.PLAY, SessionRight.NAVIGATE, SessionRight.INSPECT}),
    Viewer.OPERATOR: frozenset({SessionRight.INSPECT}),
}
"""What each role may do."""

OPENS_BY_ITSELF = frozenset({Viewer.PLAYER})
"""Roles whose sessions take a turn that is due when they are opened; others begin nothing unasked."""


def may(role: Viewer, right: SessionRight) -> bool:
    """Whether a role may do something."""
    return right in ROLE_RIGHTS[role]


def check_right(role: Viewer, right: SessionRight) -> None:
    """Refuse what a role may not do."""
    if not may(role, right):
        able = " or ".join(one for one in Viewer if may(one, right))
        raise RoleError(
            f"a session opened as {role} may not {right}", f"Open the campaign as {able} to do this."
        )

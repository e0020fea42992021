"""The lobby suite: one check for every promise of `play/lobby.py` and `play/session.py`, for all lobbies.

It checks only what the ports promise, with a game played from scenes; models, damage and crashes belong in
each lobby's own tests.

    @pytest.mark.parametrize("name", LOBBY_CHECKS)
    def test_lobby(name: str) -> None:
        asyncio.run(LOBBY_CHECKS[name](LobbyFactories(make, reopen, "mist_harbor")))
"""

from collections.abc import Mapping
from types import MappingProxyType

from talewright.testing.lobby_checks import (
    lobby_entry_checks,
    session_navigation_checks,
    session_news_checks,
    session_play_checks,
    session_role_checks,
    session_turn_checks,
)
from talewright.testing.lobby_checks.lobby_fixtures import LobbyCheck, LobbyFactories, LobbyFactory

__all__ = ["LOBBY_CHECKS", "LobbyCheck", "LobbyFactories", "LobbyFactory"]

LOBBY_CHECKS: Mapping[str, LobbyCheck] = MappingProxyType(
    {
        "games": lobby_entry_checks.check_games,
        "beginning": lobby_entry_checks.check_beginning,
        "names": lobby_entry_checks.check_names,
        "languages": lobby_entry_checks.check_languages,
        "beginning once": lobby_entry_checks.check_beginning_once,
        "opening again": lobby_entry_checks.check_opening,
        "details": lobby_entry_checks.check_details,
        "exports": lobby_entry_checks.check_exports,
        "removing": lobby_entry_checks.check_removing,
        "choosing": session_turn_checks.check_choosing,
        "words": session_turn_checks.check_words,
        "inputs without a turn": session_turn_checks.check_unspent,
        "inputs sent twice": session_turn_checks.check_repeated,
        "inputs for an earlier turn": session_turn_checks.check_base,
        "several at once": session_turn_checks.check_two_at_once,
        "before the opening": session_turn_checks.check_before_opening,
        "nothing runs": session_turn_checks.check_nothing_runs,
        "retrying": session_turn_checks.check_retrying,
        "undoing": session_navigation_checks.check_undoing,
        "branches": session_navigation_checks.check_branches,
        "marks": session_navigation_checks.check_marks,
        "the past": session_navigation_checks.check_past,
        "reasons": session_navigation_checks.check_reasons,
        "inspecting": session_navigation_checks.check_inspecting,
        "live news": session_news_checks.check_live,
        "every watcher": session_news_checks.check_every_watcher,
        "resuming anywhere": session_news_checks.check_resuming,
        "missed turns": session_news_checks.check_missed,
        "waiting given up": session_news_checks.check_cancelled_waiting,
        "closing": session_news_checks.check_closing,
        "a played turn": session_play_checks.check_played_turn,
        "played inputs without a turn": session_play_checks.check_played_unspent,
        "a played error": session_play_checks.check_played_error,
        "a played opening": session_play_checks.check_played_opening,
        "leaving a played turn": session_play_checks.check_leaving,
        "the context of a session": session_play_checks.check_context,
        "rights": session_role_checks.check_rights,
        "a master's turn": session_role_checks.check_master,
        "giving up": session_role_checks.check_giving_up,
    }
)
"""The checks, by what they are about."""

"""Stored games: restores the compiled games that campaigns have stored, and believes none of them.

Which ones were found valid is remembered by their digests, and nothing else of them.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from typing import cast

from talewright.common.json_values import Json
from talewright.common.work_meter import count_work
from talewright.kernel.system import System
from talewright.pack.cache.compiled_game import digest_form, unpack_foreign_game, unpack_game
from talewright.play.playable_games import UnplayableGameError
from talewright.turn.game_editions import Edition

CONFIRMED_MAX = 256
"""Digests of valid games to remember; the least recently used are forgotten first."""

_INVALID = (ValueError, TypeError, LookupError, AttributeError, RecursionError)
"""What restoring an invalid game raises."""

NODE_STEPS = 20
"""Steps of work for each key and value: restoring one takes about ten microseconds."""


def count_nodes(form: Json) -> int:
    """Count the values in a stored game, and the steps of restoring it."""
    count, unread = 1, [form]
    while unread:
        value = unread.pop()
        held = list(value.values()) if isinstance(value, Mapping) else value
        if isinstance(held, list | tuple):
            count += len(held)
            count_work(NODE_STEPS * len(held))
            unread.extend(held)
    return count


class StoredGames:
    """The games of campaigns, in one process."""

    def __init__(self, systems: Callable[[], Mapping[str, System]]) -> None:
        self._systems = systems
        self._confirmed: OrderedDict[str, None] = OrderedDict()
        """Digests of games that were found valid. Equal digests mean equal bytes, whoever stored them."""

    def unpack(self, form: Json) -> Edition:
        """Restore a game. Raises UnplayableGameError if it is not valid."""
        # The steps are counted before anything is done: work that takes too long for the event loop is done
        # again in a thread.
        count_nodes(form)
        try:
            digest = digest_form(form)
            unpack = unpack_game if digest in self._confirmed else unpack_foreign_game
            game, texts, _ = unpack(cast(Mapping[str, Json], form), self._systems())
        except _INVALID as error:
            raise UnplayableGameError(
                f"the game saved with this campaign cannot be read: {error!r}",
                "Install the systems it was played with, or the version of Talewright that created it.",
            ) from error
        self._confirmed[digest] = None
        self._confirmed.move_to_end(digest)
        if len(self._confirmed) > CONFIRMED_MAX:
            self._confirmed.popitem(last=False)
        return Edition(game, texts, digest, form)

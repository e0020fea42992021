"""Scenery: the real engine behind the door, with clock, names and dice that are the same every time.

Games are the shipped ones. Nothing is drawn here.
"""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import count
from pathlib import Path

from talewright.bootstrap import installed_systems, user_places
from talewright.bootstrap.games.game_library import FolderGameLibrary
from talewright.chronicle.store import Store
from talewright.faces.tui.launch_preferences import (
    Preferences,
    TerminalLaunch,
    TerminalServices,
    TerminalStartRequest,
)
from talewright.llm.cost_meter import Metered
from talewright.llm.known_models import find_profile
from talewright.llm.reply_chunks import Usage
from talewright.play.lobby import CampaignInfo, GameInfo
from talewright.play.model_choices import ModelChooser
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.stores.memory_store import MemoryStore
from talewright.turn.spending import CampaignSpendingTracker, SpendingBudget
from talewright.turn.turn_context import Teller
from tests.faces.tui.fakes import FakeDesk

SECRET = bytes(range(32))
BEGUN = datetime(2031, 3, 1, 20, 0, tzinfo=UTC)
"""When the first thing happens; everything after it comes seconds later."""

MODEL = "deepseek-flash"
"""What the scripted storyteller goes by; its prices are known."""

SHOWN_GAMES = ("mist_harbor", "lantern_road", "chapel_watch")
"""The games on the shelf, whatever others are written meanwhile."""


class SmallShelf(FolderGameLibrary):
    """The shipped games that do not change from week to week."""

    def games(self) -> tuple[GameInfo, ...]:
        return tuple(game for game in super().games() if game.id in SHOWN_GAMES)


@cache
def open_small_shelf(language: str) -> SmallShelf:
    """The shelf in a language; compiled once in a process."""
    return SmallShelf(
        (Path(__file__).parents[3] / "games",), user_places().cache, installed_systems, language
    )


def make_clock() -> Callable[[], str]:
    """A clock that moves by a second whenever it is looked at."""
    ticks = count()
    return lambda: (BEGUN + timedelta(seconds=next(ticks))).isoformat().replace("+00:00", "Z")


def make_names() -> Callable[[], str]:
    """Names that look random."""
    numbers = count(1)
    return lambda: hashlib.sha256(b"%d" % next(numbers)).hexdigest()[:32]


class WornLobby(StoreLobby):
    """A lobby in which one campaign is damaged."""

    async def campaigns(self) -> tuple[CampaignInfo, ...]:
        # A dataclass with slots is made anew, and the zero-argument form of super() knows the old one only.
        found = await StoreLobby.campaigns(self)
        return tuple(replace(info, damaged=info.name == "damaged") for info in found)


def make_lobby(language: str, teller: Teller | None = None, store: Store | None = None) -> StoreLobby:
    """A lobby whose every name, time and die is fixed; in memory where no store is given."""
    return WornLobby(
        store=store or MemoryStore(),
        shelf=open_small_shelf(language),
        now=make_clock(),
        new_id=make_names(),
        new_secret=lambda: SECRET,
        teller=teller,
        language=language,
        tell_who=lambda game, campaign: MODEL if teller is not None and game == "mist_harbor" else "",
    )


async def walk(session: StoreSession, picks: Sequence[int]) -> None:
    """Take choices by their number, from one."""
    for pick in picks:
        choices = (await session.view()).choices
        await session.choose(choices[(pick - 1) % len(choices)].id)


async def walk_to_the_end(session: StoreSession) -> None:
    """Take the first choice until the game is over."""
    while (await session.view()).end is None:
        await walk(session, (1,))


def hire(*lines: ScriptedReply) -> Teller:
    """A scripted storyteller whose costs are counted."""
    spending_tracker = CampaignSpendingTracker(SpendingBudget())
    return Teller(
        Metered(Scripted(lines, profile=find_profile(MODEL)), spending_tracker.take),
        spending_tracker=spending_tracker,
    )


def tell_cards(
    narration: str, choices: Sequence[tuple[str, str, str]], event: str, *updates: object
) -> ScriptedReply:
    """An answer in the cards' form: what is told, label, hint and risk of each choice, and an event."""
    answer = {
        "narrative_markdown": narration,
        "choices": [
            {"id": f"m{at}", "label": label, "hint": hint, "risk": risk, "tags": []}
            for at, (label, hint, risk) in enumerate(choices)
        ],
        "state_updates": list(updates),
        "new_facts": [],
        "events": [{"type": "info", "message": event}],
        "end": {"is_game_over": False, "ending_id": "", "reason": ""},
    }
    text = json.dumps(answer, ensure_ascii=False)
    return ScriptedReply(text, usage=Usage(2140, 96 + len(narration) // 4, 1800))


def halve(text: str) -> Iterator[str]:
    """A reply in two pieces, parted within what it tells."""
    middle = max(text.find('"choices"'), 0) * 3 // 4
    yield text[:middle]
    yield text[middle:]


async def let_go() -> None:
    """Nothing has to be closed."""


@dataclass
class House:
    """A door with the real engine behind it, and what was kept."""

    lobby: StoreLobby
    language: str
    desk: ModelChooser = field(default_factory=FakeDesk)
    kept: list[Preferences] = field(default_factory=list)
    preferences: Preferences | None = None

    def door(self, wishes: TerminalStartRequest | None = None, *, first_run: bool = False) -> TerminalLaunch:
        usual = Preferences(language=self.language, animations=False, inspector=True)
        return TerminalLaunch(
            enter=lambda: TerminalServices(self.lobby, self.desk, let_go),
            preferences=self.preferences or usual,
            keep=self.kept.append,
            wishes=wishes or TerminalStartRequest(language=self.language),
            first_run=first_run,
        )

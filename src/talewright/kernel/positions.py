"""Positions: a state together with the conditions that hold in it.

What holds can always be found again from the state; keeping it spares looking at every trigger in every turn.
"""

from dataclasses import dataclass, field, replace

from talewright.kernel.game import Game
from talewright.kernel.state import State
from talewright.kernel.texts import NO_TEXTS, Texts


@dataclass(frozen=True, slots=True)
class Standing:
    """The numbers of the triggers and endings whose conditions hold."""

    triggers: frozenset[int]
    endings: frozenset[int]


@dataclass(frozen=True, slots=True)
class Position:
    """Where a campaign stands."""

    state: State
    standing: Standing
    language: str = "en"
    """In which systems speak of it, to storytellers and players."""

    texts: Texts = field(default=NO_TEXTS, compare=False, repr=False)
    """The author's words in that language, for what systems show of the state."""

    @property
    def turn(self) -> int:
        """The number of the turn that would be taken from here."""
        return self.state.version + 1


def look(game: Game, state: State, language: str = "en", texts: Texts = NO_TEXTS) -> Position:
    """The position of a state, every condition looked at once."""
    document, turn = state.document, state.version + 1
    return Position(
        state,
        Standing(
            frozenset(n for n, trigger in enumerate(game.triggers) if trigger.when.holds(document, turn)),
            frozenset(n for n, ending in enumerate(game.endings) if ending.when.holds(document, turn)),
        ),
        language,
        texts,
    )


def begin(game: Game, language: str = "en") -> Position:
    """The position in which a new campaign starts, before its first turn."""
    return look(game, State(game.initial, version=0), language)


def advance(position: Position) -> Position:
    """The same position as the end of one turn more."""
    state = position.state
    return replace(position, state=State(state.document, state.version + 1))

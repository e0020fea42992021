"""Games: what an author wrote, compiled into values the rules can use.

A game is the same for every campaign; it holds no data of a running one.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.conditions.conditions import Expression
from talewright.kernel.memory_rules import MemoryRules
from talewright.kernel.slots.slot_types import Layout
from talewright.kernel.state.state_paths import Path
from talewright.kernel.story.cards import Card, StatusItem
from talewright.kernel.story.cast import GameItem, Lore, Person
from talewright.kernel.story.endings import Ending
from talewright.kernel.story.scenes import Scene
from talewright.kernel.story.triggers import ConditionWatch, Trigger
from talewright.kernel.system import AuthorFiles, HasTools, System, Tool, ToolWork
from talewright.kernel.system.system_parts import SystemParts, sort_systems


class FateKind(StrEnum):
    """Whether a retry may change the dice."""

    FIXED = "fixed"
    FRESH = "fresh"


class DecisionRule(StrEnum):
    """Whose answers to decisions are accepted."""

    PLAYER = "player"
    """Only the player's own."""

    RELAYED = "relayed"
    """Also those that an external game master passes on."""


@frozen
class ChanceRules:
    """A game's rules about dice."""

    fate: FateKind = FateKind.FIXED
    dice: frozenset[int | str] | None = None
    """Sides of the dice allowed, and "F"; None allows all."""


@frozen
class TellerWishes:
    """The author's recommendations for the narrator model; settings may override them."""

    recommended_model: str = ""
    temperature: float | None = None
    max_output_tokens: int | None = None


@frozen
class DerivedSlot:
    """A computed slot."""

    path: Path
    expression: Expression


@frozen
class GameLimits:
    """Limits on what the rules may do in one turn."""

    cascade_max: int = 32
    """Triggers that may fire one another before the cascade is stopped."""

    moves_max: int = 64
    """Moves in one reply."""


@dataclass(frozen=True, kw_only=True)
class Game:
    """A compiled game."""

    id: str
    version: str
    language: str
    languages: tuple[str, ...]
    layout: Layout
    """The author's slots, those of the systems, and the engine's own root."""

    initial: Mapping[str, Json]
    """The document of a new campaign, including derived slots."""

    tone: str = ""
    content_rating: str = "PG-13"
    contract: str = "cards"
    plan: str = "one_ask"
    systems: tuple[System, ...] = ()
    files: Mapping[str, Mapping[str, Json]] = field(default_factory=dict)
    """The author's files as parsed by each system: system, file, JSON."""

    cards: tuple[Card, ...] = ()
    status_bar: tuple[StatusItem, ...] = ()
    derived: tuple[DerivedSlot, ...] = ()
    """In the order of computation: dependencies come first."""

    triggers: tuple[Trigger, ...] = ()
    endings: tuple[Ending, ...] = ()
    """In order of precedence."""

    scenes: Mapping[str, Scene] = field(default_factory=dict)
    people: tuple[Person, ...] = ()
    items: tuple[GameItem, ...] = ()
    lore: tuple[Lore, ...] = ()
    memory: MemoryRules = field(default_factory=MemoryRules)
    chance: ChanceRules = ChanceRules()
    teller: TellerWishes = TellerWishes()
    model_may_end: bool = False
    limits: GameLimits = GameLimits()
    decisions: DecisionRule = DecisionRule.RELAYED

    @cached_property
    def watch(self) -> ConditionWatch:
        """Triggers, endings and derived slots, indexed by what they read."""
        return ConditionWatch(
            [trigger.when.reads for trigger in self.triggers],
            [ending.when.reads for ending in self.endings],
            [derived.expression.reads for derived in self.derived],
        )

    @cached_property
    def parts(self) -> SystemParts:
        """Its systems by what they do."""
        return sort_systems(self.systems)

    @cached_property
    def work(self) -> Mapping[str, ToolWork]:
        """The kind of work each tool does."""
        return {tool.name: tool.work for tool in self.tools_in(self.language)}

    @cached_property
    def own_tools(self) -> frozenset[str]:
        """The tools whose callers decide what they change."""
        return frozenset(tool.name for tool in self.tools_in(self.language) if tool.own)

    @cached_property
    def tools(self) -> Mapping[str, HasTools]:
        """Which system handles each tool."""
        systems = self.parts.tools
        return {tool.name: one for one in systems for tool in one.tools(self.files_of(one), self.language)}

    @property
    def plays_alone(self) -> bool:
        """Whether it can be played without a model: by scenes, or by systems that narrate turns."""
        return bool(self.scenes or self.parts.telling)

    def tools_in(self, language: str) -> tuple[Tool, ...]:
        """The tools of all systems, described in a language."""
        systems = self.parts.tools
        return tuple(tool for one in systems for tool in one.tools(self.files_of(one), language))

    def files_of(self, system: System) -> AuthorFiles:
        """What a system parsed from the author's files."""
        return self.files.get(system.name, {})

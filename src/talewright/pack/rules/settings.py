"""Settings read: what game.yaml says of systems, dice, memory and the storyteller.

Systems are chosen by name from those that are installed; none is known here.
"""

import re
from collections.abc import Mapping

from talewright.errors import SourcePlace
from talewright.kernel.game import ChanceRules, MemoryRules, TellerWishes
from talewright.kernel.system import System
from talewright.pack.desk import Desk
from talewright.pack.faults import Code
from talewright.pack.files.nodes import ListNode
from talewright.pack.forms.records import Source
from talewright.pack.sources.game import GameSource

SIDES_MAX = 1000
"""Sides of a die that a game may name."""

PERCENT = 100

_DIE = re.compile(r"d([1-9][0-9]{0,3}|%|F)")


def choose_systems(game: GameSource, installed: Mapping[str, System], desk: Desk) -> tuple[System, ...]:
    """The systems a game switches on."""
    chosen: dict[str, System] = {}
    for number, name in enumerate(game.systems):
        if name in chosen:
            message, suggestion = f"`{name}` stands here twice", "Delete one of the two."
            desk.report(Code.DUPLICATE_ID, _place(game, "systems", number), message, suggestion)
        elif name in installed:
            chosen[name] = installed[name]
        else:
            message = f"there is no system `{name}`"
            suggestion = desk.suggest(name, installed, "systems")
            if not installed:
                suggestion = "No system is installed: install the package that brings it, or delete it here."
            desk.report(Code.UNKNOWN_SYSTEM, _place(game, "systems", number), message, suggestion)
    return tuple(chosen.values())


def read_chance(game: GameSource, desk: Desk) -> ChanceRules:
    """What the game says of its dice."""
    source = game.chance
    if source is None:
        return ChanceRules()
    sides: set[int | str] = set()
    stumbles = desk.stumbles
    for number, die in enumerate(source.dice):
        found = _DIE.fullmatch(die)
        if found is None or (found[1].isdigit() and int(found[1]) > SIDES_MAX):
            message = f'"{die}" is no die'
            suggestion = f"Write d and its sides, from d1 to d{SIDES_MAX}, or dF, or d%."
            desk.report(Code.BAD_DICE, _place(source, "dice", number), message, suggestion)
        else:
            sides.add("F" if found[1] == "F" else PERCENT if found[1] == "%" else int(found[1]))
    # Where one of them is no die, nobody knows which dice the author meant to allow.
    sure = desk.stumbles == stumbles and not source.broken
    return ChanceRules(source.fate, frozenset(sides) if source.dice and sure else None)


def read_memory(game: GameSource) -> MemoryRules:
    """How much of the past is kept in view."""
    memory = game.memory
    if memory is None:
        return MemoryRules()
    return MemoryRules(
        memory.summary_every_turns,
        memory.keep_turns,
        memory.window_tokens,
        memory.cut_to_tokens,
        memory.window_share,
    )


def read_wishes(game: GameSource) -> TellerWishes:
    """What the author recommends for the storyteller."""
    llm = game.llm
    if llm is None:
        return TellerWishes()
    return TellerWishes(llm.recommended_model, llm.temperature, llm.max_output_tokens)


def _place(source: Source, name: str, number: int) -> SourcePlace:
    """The place of one element of a field's list."""
    written = source.node.entries.get(name)
    whole = isinstance(written, ListNode) and name not in source.broken
    return written.items[number].place if whole and isinstance(written, ListNode) else source.place(name)

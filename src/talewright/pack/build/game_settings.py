"""Game settings: dice, memory and the recommended model, as written in game.yaml.

The defaults are in `kernel.game` and `kernel.memory_rules`.
"""

import re

from talewright.errors import SourcePlace
from talewright.kernel.game import ChanceRules, TellerWishes
from talewright.kernel.memory_rules import MemoryRules
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_nodes import ListNode
from talewright.pack.schema.game_fields import GameSource
from talewright.pack.schema.record_form import SourceRecord

SIDES_MAX = 1000
"""Maximum sides of a die."""


PERCENT = 100


_DIE = re.compile(r"d([1-9][0-9]{0,3}|%|F)")


def read_chance(game: GameSource, fault_list: FaultList) -> ChanceRules:
    """Read the settings of the dice."""
    source = game.chance
    if source is None:
        return ChanceRules()
    sides: set[int | str] = set()
    stumbles = fault_list.stumbles
    for number, die in enumerate(source.dice):
        found = _DIE.fullmatch(die)
        if found is None or (found[1].isdigit() and int(found[1]) > SIDES_MAX):
            message = f'"{die}" is not a die'
            suggestion = f"Write d1 to d{SIDES_MAX}, dF or d%."
            fault_list.report(
                FaultCode.BAD_DICE, place_of_element(source, "dice", number), message, suggestion
            )
        else:
            sides.add("F" if found[1] == "F" else PERCENT if found[1] == "%" else int(found[1]))
    # If one of them is invalid, it is unclear which dice the author meant to allow.
    sure = fault_list.stumbles == stumbles and not source.broken
    return ChanceRules(source.fate, frozenset(sides) if source.dice and sure else None)


def read_memory(game: GameSource) -> MemoryRules:
    """Read how much of the past stays in the prompt."""
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
    """Read what the author recommends for the storyteller."""
    llm = game.llm
    if llm is None:
        return TellerWishes()
    return TellerWishes(llm.recommended_model, llm.temperature, llm.max_output_tokens)


def place_of_element(source: SourceRecord, name: str, number: int) -> SourcePlace:
    """The place of one element of a field's list."""
    written = source.node.entries.get(name)
    whole = isinstance(written, ListNode) and name not in source.broken
    return written.items[number].place if whole and isinstance(written, ListNode) else source.place(name)

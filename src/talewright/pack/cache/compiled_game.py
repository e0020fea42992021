"""The compiled game: the result of compiling a folder, and its JSON format in caches and campaigns.

The format has a version and contains no class names, but the order of fields matters: campaigns pin it.
"""

import gc
import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field, fields, is_dataclass, replace
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import Fault, Severity, SourcePlace
from talewright.kernel.conditions.conditions import Condition, Expression, Formula, parse_expression
from talewright.kernel.game import (
    ChanceRules,
    DecisionRule,
    DerivedSlot,
    FateKind,
    Game,
    GameLimits,
    TellerWishes,
)
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.memory_rules import MemoryRules
from talewright.kernel.slots.slot_types import Carry, ComputedSlot, Layout, Policy, Slot, SlotKind
from talewright.kernel.state.state import canonical
from talewright.kernel.state.state_paths import Path
from talewright.kernel.story.cards import (
    Card,
    CardFormat,
    CriticalWhen,
    PromptWeight,
    StatusItem,
    StatusStyle,
)
from talewright.kernel.story.cast import GameItem, Lore, LoreLogic, Person
from talewright.kernel.story.endings import Ending, Outcome, Route
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scenes import (
    Check,
    Choice,
    Ladder,
    Risk,
    Rung,
    Scene,
    SceneResult,
    Trial,
    Variant,
)
from talewright.kernel.story.triggers import Event, Trigger
from talewright.kernel.system import System
from talewright.kernel.system.system_parts import collect_computed_slots, sort_systems
from talewright.pack.cache.value_codecs import (
    AS_IS,
    DataclassCodec,
    EnumCodec,
    FormulaCodec,
    GrownDataclassCodec,
    LateCodec,
    MappingCodec,
    OptionalCodec,
    SetCodec,
    TupleCodec,
    UnionCodec,
)
from talewright.pack.cache.value_types import check_types


@frozen
class PackedGame:
    """A compiled game as JSON, without its faults."""

    form: Json
    digest: str
    """The digest of the form."""


@frozen
class CompiledGame:
    """The result of compiling a folder."""

    game: Game | None
    """None if any fault is an error."""

    texts: Mapping[str, Texts]
    """By language."""

    faults: tuple[Fault, ...]
    digest: str
    """The digest of the folder's bytes; empty if there was no folder."""

    packed: PackedGame | None = field(default=None, compare=False, repr=False)
    """The game as the cache has it; None if it was not there."""


@contextmanager
def garbage_collection_paused() -> Iterator[None]:
    """Pause Python's garbage collector."""
    # A large game creates a million small values without cycles. The collector would scan them over and
    # over, and take two thirds of the time.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


FORM_NUMBER = 3
"""The version of the format; a cache with another version is rebuilt."""

_NO_LAYOUT = Layout({})

_WORDS = TupleCodec(AS_IS)
_CONDITION = FormulaCodec(Condition)

SLOT: DataclassCodec[Slot] = DataclassCodec(
    Slot,
    "default minimum maximum max_length max_items nullable clamp readonly max_step derived hidden secret",
    kind=EnumCodec(SlotKind),
    enum_values=_WORDS,
    fields=MappingCodec(LateCodec(lambda: SLOT)),
    values=OptionalCodec(LateCodec(lambda: SLOT)),
    element=OptionalCodec(LateCodec(lambda: SLOT)),
    policy=EnumCodec(Policy),
    carry=OptionalCodec(DataclassCodec(Carry, "into at")),
)
_UPDATES = TupleCodec(DataclassCodec(Update, "path value reason", op=EnumCodec(Op)))
_TRIGGER = DataclassCodec(
    Trigger,
    "id once priority",
    when=_CONDITION,
    effects=_UPDATES,
    events=TupleCodec(DataclassCodec(Event, "type text cause")),
)
_ROUTE = DataclassCodec(Route, "id ending", kind=EnumCodec(Outcome), risk=EnumCodec(Risk), updates=_UPDATES)
_ENDING = DataclassCodec(Ending, "id", when=_CONDITION, kind=EnumCodec(Outcome), finale=TupleCodec(_ROUTE))
_RESULT = DataclassCodec(SceneResult, "text next", updates=_UPDATES)
_RUNG = DataclassCodec(Rung, "at_least success word", result=_RESULT)
_TRIAL = GrownDataclassCodec(
    DataclassCodec(Trial, "tool arguments", success=_RESULT, failure=_RESULT, partial=OptionalCodec(_RESULT)),
    Trial("", {}, SceneResult(), SceneResult()),
    4,
)
_CHECK: UnionCodec[Check | Ladder | Trial] = UnionCodec(
    # There used to be two kinds, marked true and false; stored games still use those marks.
    (True, Check, DataclassCodec(Check, "roll at_least", success=_RESULT, failure=_RESULT)),
    (False, Trial, _TRIAL),
    ("ladder", Ladder, DataclassCodec(Ladder, "roll", rungs=TupleCodec(_RUNG))),
)
_CHOICE = DataclassCodec(
    Choice,
    "id text next",
    when=OptionalCodec(_CONDITION),
    risk=EnumCodec(Risk),
    updates=_UPDATES,
    check=OptionalCodec(_CHECK),
)
_VARIANT = DataclassCodec(Variant, "text", when=OptionalCodec(_CONDITION))
_SCENE = DataclassCodec(
    Scene,
    "id priority once",
    variants=TupleCodec(_VARIANT),
    choices=TupleCodec(_CHOICE),
    when=OptionalCodec(_CONDITION),
)
_LORE = DataclassCodec(
    Lore,
    "id whole_words regex case_sensitive constant priority sticky cooldown group weight recurse budget",
    logic=EnumCodec(LoreLogic),
    when=OptionalCodec(_CONDITION),
    reveal_when=OptionalCodec(_CONDITION),
)
_CARD = DataclassCodec(
    Card,
    "variable visible order",
    format=EnumCodec(CardFormat),
    prompt_weight=EnumCodec(PromptWeight),
    tags=_WORDS,
)
_STATUS_ITEM = DataclassCodec(
    StatusItem,
    "variable show_delta critical_threshold",
    style=EnumCodec(StatusStyle),
    critical_when=EnumCodec(CriticalWhen),
)
_MEMORY = GrownDataclassCodec(
    DataclassCodec(MemoryRules, "summary_every_turns keep_turns window_tokens cut_to_tokens window_share"),
    MemoryRules(),
    4,
)
_GAME = GrownDataclassCodec(
    DataclassCodec(
        Game,
        "id version language initial tone content_rating contract plan systems files model_may_end layout",
        languages=_WORDS,
        cards=TupleCodec(_CARD),
        status_bar=TupleCodec(_STATUS_ITEM),
        derived=TupleCodec(DataclassCodec(DerivedSlot, "", path=_WORDS, expression=FormulaCodec(Expression))),
        triggers=TupleCodec(_TRIGGER),
        endings=TupleCodec(_ENDING),
        scenes=MappingCodec(_SCENE),
        people=TupleCodec(DataclassCodec(Person, "id where")),
        items=TupleCodec(DataclassCodec(GameItem, "id stack", tags=_WORDS)),
        lore=TupleCodec(_LORE),
        memory=_MEMORY,
        chance=DataclassCodec(ChanceRules, "", fate=EnumCodec(FateKind), dice=OptionalCodec(SetCodec())),
        teller=DataclassCodec(TellerWishes, "recommended_model temperature max_output_tokens"),
        limits=DataclassCodec(GameLimits, "cascade_max moves_max"),
        decisions=EnumCodec(DecisionRule),
    ),
    Game(id="", version="", language="", languages=(), layout=_NO_LAYOUT, initial={}),
    26,
)
_ROOTS = MappingCodec(SLOT)
_TEXTS = MappingCodec(DataclassCodec(Texts, "language entries", lists=MappingCodec(_WORDS)))
_FAULTS = TupleCodec(
    DataclassCodec(
        Fault,
        "code message suggestion",
        place=DataclassCodec(SourcePlace, "file line column"),
        severity=EnumCodec(Severity),
    )
)


def pack_faults(faults: tuple[Fault, ...]) -> Json:
    """Faults as JSON, for another process."""
    return _FAULTS.pack(faults)


def unpack_faults(form: Json) -> tuple[Fault, ...]:
    """Faults from JSON."""
    return _FAULTS.unpack(form, _NO_LAYOUT)


def pack_game(game: Game, texts: Mapping[str, Texts], faults: tuple[Fault, ...]) -> dict[str, Json]:
    """A compiled game as JSON."""
    # The layout comes first, because conditions are read against it; systems are stored by name. Their own
    # fields are emptied, so that the form is the same before and after a round trip through JSON.
    bare = replace(game, layout=_NO_LAYOUT, systems=())
    row = cast(list[object], _GAME.pack(bare))
    return {
        "layout": _ROOTS.pack(game.layout.roots),
        "systems": [system.name for system in game.systems],
        "game": [None if isinstance(part, Layout | tuple) else cast(Json, part) for part in row],
        "texts": _TEXTS.pack(texts),
        "faults": _FAULTS.pack(faults),
    }


def pack_with_digest(game: Game, texts: Mapping[str, Texts]) -> PackedGame:
    """A compiled game as JSON, without its faults."""
    form = pack_game(game, texts, ())
    return PackedGame(form, digest_form(form))


def digest_form(form: Json) -> str:
    """The digest of a compiled game."""
    return hashlib.sha256(canonical(form)).hexdigest()


def find_formulas(game: object) -> Iterator[Formula]:
    """Every condition and expression in a game, wherever it is."""
    unread = [game]
    while unread:
        value = unread.pop()
        match value:
            case Formula():
                yield value
            case Layout():
                # Slots have no formulas: what they derive is in the game's own list.
                pass
            case Mapping():
                unread.extend(reversed(list(value.values())))
            case list() | tuple():
                unread.extend(reversed(value))
            case _ if is_dataclass(value):
                unread.extend(getattr(value, each.name) for each in reversed(fields(value)))
            case _:
                pass


def unpack_foreign_game(
    form: Mapping[str, Json], installed: Mapping[str, System]
) -> tuple[Game, Mapping[str, Texts], tuple[Fault, ...]]:
    """Restore a compiled game that a campaign has stored. The campaign may come from a stranger, so all types
    are checked, and all conditions and expressions are parsed again. Any exception means that the form is not
    valid.
    """
    game, texts, faults = unpack_game(form, installed)
    check_types(game.layout.roots, Mapping[str, Slot])
    # What installed systems add to a game is theirs.
    check_types(replace(game, layout=_NO_LAYOUT, systems=()), Game)
    check_types(texts, Mapping[str, Texts])
    known: dict[tuple[type, str], Formula] = {}
    for formula in find_formulas(game):
        formula.confirm(known)
    _check_derived(game)
    return game, texts, faults


def _check_derived(game: Game) -> None:
    """Raise ValueError unless exactly the derived slots are computed, each as it says."""
    said = {path: slot for path, slot in game.layout.walk() if slot.derived}
    if {each.path: each.expression.source for each in game.derived} != {
        path: slot.derived for path, slot in said.items()
    }:
        raise ValueError("the derived variables are not computed as they say")
    for slot in said.values():
        parse_expression(slot.derived, game.layout, slot)


def unpack_game(
    form: Mapping[str, Json], installed: Mapping[str, System]
) -> tuple[Game, Mapping[str, Texts], tuple[Fault, ...]]:
    """Restore a compiled game that this program has stored. Any exception means that the form is not valid.

    Conditions are believed, and their trees are built on first use.
    """
    computed: dict[Path, ComputedSlot] = {}
    layout = Layout(_ROOTS.unpack(form["layout"], _NO_LAYOUT), computed)
    game = _GAME.unpack(form["game"], layout)
    systems = tuple(installed[name] for name in cast(list[str], form["systems"]))
    # Conditions refer to the layout already; the files that systems compute from are unpacked only now.
    computed.update(collect_computed_slots(sort_systems(systems).computed_slots, game.files))
    texts = _TEXTS.unpack(form["texts"], layout)
    return replace(game, layout=layout, systems=systems), texts, _FAULTS.unpack(form["faults"], layout)

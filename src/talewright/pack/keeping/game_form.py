"""The game's JSON form: how a compiled game is written down and read again without its folder.

The form is ours alone and has a number; it is no save and no exchange format.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from talewright.errors import Fault, Severity, SourcePlace
from talewright.kernel.conditions.conditions import Condition, Expression
from talewright.kernel.game import (
    ChanceRules,
    DerivedSlot,
    FateKind,
    Game,
    GameLimits,
    MemoryRules,
    TellerWishes,
)
from talewright.kernel.judging.moves_and_rulings import Op, Update
from talewright.kernel.slots.slot_types import Carry, Layout, Policy, Slot, SlotKind
from talewright.kernel.state.documents import Json
from talewright.kernel.story.cast_and_cards import (
    Card,
    CardFormat,
    CriticalWhen,
    GameItem,
    Lore,
    LoreLogic,
    Person,
    PromptWeight,
    StatusItem,
    StatusStyle,
)
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scenes_and_endings import (
    Check,
    Choice,
    Ending,
    Ladder,
    Outcome,
    Risk,
    Route,
    Rung,
    Scene,
    SceneResult,
    Trial,
    Variant,
)
from talewright.kernel.story.triggers import Event, Trigger
from talewright.kernel.system import System
from talewright.pack.keeping.codecs import (
    AS_IS,
    Asking,
    Bag,
    Grown,
    Later,
    Maybe,
    Members,
    OneOf,
    Row,
    Several,
    Word,
)

FORM_NUMBER = 2
"""Raised whenever the form changes; a cache of another number is made anew."""

_NO_LAYOUT = Layout({})

_WORDS = Several(AS_IS)
_CONDITION = Asking(Condition)

SLOT: Row[Slot] = Row(
    Slot,
    "default minimum maximum max_length max_items nullable clamp readonly max_step derived hidden secret",
    kind=Word(SlotKind),
    enum_values=_WORDS,
    fields=Members(Later(lambda: SLOT)),
    values=Maybe(Later(lambda: SLOT)),
    element=Maybe(Later(lambda: SLOT)),
    policy=Word(Policy),
    carry=Maybe(Row(Carry, "into at")),
)
_UPDATES = Several(Row(Update, "path value reason", op=Word(Op)))
_TRIGGER = Row(
    Trigger,
    "id once priority",
    when=_CONDITION,
    effects=_UPDATES,
    events=Several(Row(Event, "type text cause")),
)
_ROUTE = Row(Route, "id ending", kind=Word(Outcome), risk=Word(Risk), updates=_UPDATES)
_ENDING = Row(Ending, "id", when=_CONDITION, kind=Word(Outcome), finale=Several(_ROUTE))
_RESULT = Row(SceneResult, "text next", updates=_UPDATES)
_RUNG = Row(Rung, "at_least success word", result=_RESULT)
_CHECK: OneOf[Check | Ladder | Trial] = OneOf(
    # Once there were two kinds, told apart by true and false; games that are kept still say so.
    (True, Check, Row(Check, "roll at_least", success=_RESULT, failure=_RESULT)),
    (False, Trial, Row(Trial, "tool arguments", success=_RESULT, failure=_RESULT)),
    ("ladder", Ladder, Row(Ladder, "roll", rungs=Several(_RUNG))),
)
_CHOICE = Row(
    Choice, "id text next", when=Maybe(_CONDITION), risk=Word(Risk), updates=_UPDATES, check=Maybe(_CHECK)
)
_VARIANT = Row(Variant, "text", when=Maybe(_CONDITION))
_SCENE = Row(
    Scene,
    "id priority once",
    variants=Several(_VARIANT),
    choices=Several(_CHOICE),
    when=Maybe(_CONDITION),
)
_LORE = Row(
    Lore,
    "id whole_words regex case_sensitive constant priority sticky cooldown group weight recurse budget",
    logic=Word(LoreLogic),
    when=Maybe(_CONDITION),
    reveal_when=Maybe(_CONDITION),
)
_CARD = Row(
    Card,
    "variable visible order",
    format=Word(CardFormat),
    prompt_weight=Word(PromptWeight),
    tags=_WORDS,
)
_STATUS_ITEM = Row(
    StatusItem,
    "variable show_delta critical_threshold",
    style=Word(StatusStyle),
    critical_when=Word(CriticalWhen),
)
_MEMORY = Grown(
    Row(MemoryRules, "summary_every_turns keep_turns window_tokens cut_to_tokens window_share"),
    MemoryRules(),
    4,
)
_GAME = Row(
    Game,
    "id version language initial tone content_rating contract plan systems files model_may_end layout",
    languages=_WORDS,
    cards=Several(_CARD),
    status_bar=Several(_STATUS_ITEM),
    derived=Several(Row(DerivedSlot, "", path=_WORDS, expression=Asking(Expression))),
    triggers=Several(_TRIGGER),
    endings=Several(_ENDING),
    scenes=Members(_SCENE),
    people=Several(Row(Person, "id where")),
    items=Several(Row(GameItem, "id stack", tags=_WORDS)),
    lore=Several(_LORE),
    memory=_MEMORY,
    chance=Row(ChanceRules, "", fate=Word(FateKind), dice=Maybe(Bag())),
    teller=Row(TellerWishes, "recommended_model temperature max_output_tokens"),
    limits=Row(GameLimits, "cascade_max moves_max"),
)
_ROOTS = Members(SLOT)
_TEXTS = Members(Row(Texts, "language entries", lists=Members(_WORDS)))
_FAULTS = Several(
    Row(Fault, "code message suggestion", place=Row(SourcePlace, "file line column"), severity=Word(Severity))
)


def pack_game(game: Game, texts: Mapping[str, Texts], faults: tuple[Fault, ...]) -> dict[str, Json]:
    """A compiled game as JSON."""
    # The layout goes first and alone, since conditions are read against it; systems go by name. What stands
    # in their places is nothing, so that the form is the same before and after it was written as JSON.
    bare = replace(game, layout=_NO_LAYOUT, systems=())
    row = cast(list[object], _GAME.pack(bare))
    return {
        "layout": _ROOTS.pack(game.layout.roots),
        "systems": [system.name for system in game.systems],
        "game": [None if isinstance(part, Layout | tuple) else cast(Json, part) for part in row],
        "texts": _TEXTS.pack(texts),
        "faults": _FAULTS.pack(faults),
    }


def unpack_game(
    form: Mapping[str, Json], installed: Mapping[str, System]
) -> tuple[Game, Mapping[str, Texts], tuple[Fault, ...]]:
    """A compiled game again; whatever is raised says that this was none."""
    layout = Layout(_ROOTS.unpack(form["layout"], _NO_LAYOUT))
    game = _GAME.unpack(form["game"], layout)
    systems = tuple(installed[name] for name in cast(list[str], form["systems"]))
    texts = _TEXTS.unpack(form["texts"], layout)
    return replace(game, layout=layout, systems=systems), texts, _FAULTS.unpack(form["faults"], layout)

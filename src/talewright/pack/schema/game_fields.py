"""Game fields: what game.yaml may hold: settings, memory, dice, status bar, endings and finales.

Variables have a file of their own beside this one.
"""

from collections.abc import Mapping
from types import MappingProxyType

from talewright.common.json_values import Json
from talewright.kernel.game import FateKind, MemoryRules
from talewright.kernel.story.cast_and_cards import CriticalWhen, StatusStyle
from talewright.kernel.story.scenes_and_endings import Outcome, Risk
from talewright.pack.files.yaml_nodes import ScalarNode
from talewright.pack.schema.container_forms import LINES, AnyValueForm, ListForm, MapForm
from talewright.pack.schema.record_form import SourceRecord, SourceRecordForm, needs, source, takes
from talewright.pack.schema.scalar_forms import (
    CONDITION,
    DIE,
    LANGUAGE,
    LINE,
    MEMBER_PATTERN,
    NAME,
    PATH,
    FixedWordForm,
    FlagForm,
    NumberForm,
    WholeNumberForm,
)
from talewright.pack.schema.trigger_and_update_fields import UPDATES, UpdateSource
from talewright.pack.schema.variable_fields import VARIABLES, VARIABLES_MAX, VariableSource

ENDINGS_MAX = 500
"""Endings of one game."""

ROUTES_MAX = 12
"""Choices of one finale."""


@source
class RouteSource(SourceRecord):
    """One choice of a finale."""

    id: str = takes(NAME, "", "A name for this choice; absent, its number.")
    label: str = needs(LINE, "What the player reads.")
    also: tuple[str, ...] = takes(LINES, (), "Other words a player may type for it.")
    hint: str = takes(LINE, "", "What it may lead to, in a few words.")
    risk: Risk = takes(FixedWordForm(tuple(Risk)), Risk.MEDIUM, "What it puts at stake.")
    ending: str = needs(NAME, "The id of the ending it leads to; its text stands in endings.md.")
    kind: Outcome | None = takes(
        FixedWordForm(tuple(Outcome)), None, "Won or lost; absent, as the finale says."
    )
    updates: tuple[UpdateSource, ...] = takes(UPDATES, (), "What it changes.")


@source
class EndingSource(SourceRecord):
    """One way in which the game is over."""

    id: str = needs(NAME, "The name under which endings.md tells it.")
    when: ScalarNode = needs(CONDITION, "The game is over, or the finale opens, as soon as this holds.")
    kind: Outcome = needs(FixedWordForm(tuple(Outcome)), "Won or lost.")
    finale: tuple[RouteSource, ...] = takes(
        ListForm(
            SourceRecordForm(RouteSource, "label and ending", called="choice"), ROUTES_MAX, 1, "choices"
        ),
        (),
        "The last choices a player has; absent, the game is over at once.",
    )


ENDING = SourceRecordForm(EndingSource, "id, when and kind", called="ending")
ENDINGS = ListForm(ENDING, ENDINGS_MAX, noun="endings")
CONDITIONS = ListForm(CONDITION, ENDINGS_MAX, noun="conditions")

CONTRACTS = ("cards", "patch", "tools")
PLANS = ("one_ask", "tool_loop", "moves_first")

_MEMORY = MemoryRules()
_NO_VALUES: Mapping[str, Json] = MappingProxyType({})


@source
class LlmSource(SourceRecord):
    """What the author recommends for the storyteller."""

    recommended_model: str = takes(LINE, "", "The model the game was written with; settings win.")
    temperature: int | float | None = takes(NumberForm(0, 2), None, "How freely it tells.")
    max_output_tokens: int | None = takes(WholeNumberForm(1, 1_000_000), None, "How long an answer may be.")


@source
class MemorySource(SourceRecord):
    """How much of the past stays in view."""

    summary_every_turns: int = takes(
        WholeNumberForm(1, 1_000), _MEMORY.summary_every_turns, "Turns after which the past may be summed up."
    )
    keep_turns: int = takes(
        WholeNumberForm(1, 1_000),
        _MEMORY.keep_turns,
        "Last turns that are kept word by word, where the model has room for them.",
    )
    window_tokens: int = takes(
        WholeNumberForm(1_000, 10_000_000), _MEMORY.window_tokens, "When the window is full."
    )
    cut_to_tokens: int = takes(
        WholeNumberForm(500, 10_000_000), _MEMORY.cut_to_tokens, "What it is then cut to."
    )
    window_share: int | float | None = takes(
        NumberForm(0.05, 0.95),
        None,
        "The same as a share of what the model can read; instead of window_tokens.",
    )


@source
class ChanceSource(SourceRecord):
    """What the game says about its dice."""

    fate: FateKind = takes(
        FixedWordForm(tuple(FateKind)),
        FateKind.FIXED,
        "Whether asking again leaves the dice as they fell, or not.",
    )
    dice: tuple[str, ...] = takes(
        ListForm(DIE, noun="dice such as d20"),
        (),
        "The dice this game knows, such as d6 and dF; absent, all.",
    )


@source
class StatusItemSource(SourceRecord):
    """One place in the status bar."""

    var_id: str = needs(PATH, "The variable, or a path such as time.hour.")
    style: StatusStyle = takes(
        FixedWordForm(tuple(StatusStyle)), StatusStyle.TEXT, "A meter between its bounds, or the bare value."
    )
    label: str = takes(LINE, "", "A short name; absent, the variable's own.")
    show_delta: bool = takes(FlagForm(), True, "Whether the last change is shown beside it.")
    critical_threshold: int | float | None = takes(
        NumberForm(), None, "The value from which it is a warning."
    )
    critical_when: CriticalWhen = takes(
        FixedWordForm(tuple(CriticalWhen)),
        CriticalWhen.BELOW,
        "On which side of the threshold the danger lies.",
    )


@source
class StatusBarSource(SourceRecord):
    """The status bar."""

    items: tuple[StatusItemSource, ...] = takes(
        ListForm(
            SourceRecordForm(StatusItemSource, "var_id", called="place in the status bar"), 20, noun="places"
        ),
        (),
        "From left to right.",
    )


@source
class PromptRulesSource(SourceRecord):
    """What the storyteller is told about the telling."""

    style_notes: tuple[str, ...] = takes(LINES, (), "How it is to be told.")
    boundaries: tuple[str, ...] = takes(LINES, (), "What is not to be told.")


@source
class GameSource(SourceRecord):
    """game.yaml."""

    game_id: str = needs(NAME, "The name of the game among all games.")
    title: str = needs(LINE, "The name that players read.")
    version: str = takes(LINE, "1.0.0", "The version of the content.")
    language: str = takes(
        LANGUAGE, "en", "The language that game.yaml and the texts beside it are written in."
    )
    languages: tuple[str, ...] = takes(
        ListForm(LANGUAGE, 50, 1, "languages"), (), "All languages on offer; the others stand in texts/."
    )
    description: str = takes(
        LINE, "", "What it is about, in a sentence or two; players read it before they begin."
    )
    tone: str = takes(LINE, "", "How it sounds, in a word or two.")
    content_rating: str = takes(LINE, "PG-13", "For whom it is.")
    length_turns: int | None = takes(
        WholeNumberForm(1, 100_000), None, "About how many turns a campaign takes; players are shown it."
    )
    llm: LlmSource | None = takes(
        SourceRecordForm(LlmSource, "wishes for the storyteller"), None, "Recommendations."
    )
    contract: str = takes(FixedWordForm(CONTRACTS), "cards", "What the storyteller answers with.")
    plan: str = takes(FixedWordForm(PLANS), "one_ask", "How a turn is asked for.")
    systems: tuple[str, ...] = takes(ListForm(NAME, 20, noun="systems"), (), "The mechanics switched on.")
    memory: MemorySource | None = takes(
        SourceRecordForm(MemorySource, "numbers"), None, "How much of the past is kept."
    )
    chance: ChanceSource | None = takes(
        SourceRecordForm(ChanceSource, "fate and dice"), None, "What dice there are."
    )
    model_may_end: bool = takes(FlagForm(), False, "Whether the storyteller may end the game by itself.")
    status_bar: StatusBarSource | None = takes(
        SourceRecordForm(StatusBarSource, "items"), None, "What is always shown."
    )
    variables: tuple[VariableSource, ...] = takes(VARIABLES, (), "The state of the game.")
    initial_state: Mapping[str, Json] = takes(
        MapForm(AnyValueForm(), VARIABLES_MAX, MEMBER_PATTERN, "values"),
        _NO_VALUES,
        "First values that differ from the defaults.",
    )
    win_conditions: tuple[ScalarNode, ...] = takes(
        CONDITIONS, (), "Won as soon as one holds: win_1, win_2, ..."
    )
    lose_conditions: tuple[ScalarNode, ...] = takes(
        CONDITIONS, (), "Lost as soon as one holds: lose_1, lose_2, ..."
    )
    endings: tuple[EndingSource, ...] = takes(ENDINGS, (), "Endings with names, and finales.")
    prompt_rules: PromptRulesSource | None = takes(
        SourceRecordForm(PromptRulesSource, "style_notes and boundaries"), None, "How it is to be told."
    )


GAME_FILE = SourceRecordForm(GameSource, "game_id, title and variables")

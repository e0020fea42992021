"""Game fields: what game.yaml may contain: settings, memory, dice, status bar, endings and finales.

Variables are in `variable_fields`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from talewright.common.json_values import Json
from talewright.kernel.game import DecisionRule, FateKind
from talewright.kernel.memory_rules import MemoryRules
from talewright.kernel.story.cards import CriticalWhen, StatusStyle
from talewright.kernel.story.endings import Outcome
from talewright.kernel.story.scenes import Risk
from talewright.pack.files.yaml_nodes import ScalarNode
from talewright.pack.schema.container_forms import LINES, AnyValueForm, ListForm, MapForm
from talewright.pack.schema.cover_fields import COVER, CoverSource
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
from talewright.pack.schema.trigger_fields import UPDATES, UpdateSource
from talewright.pack.schema.variable_fields import VARIABLES, VARIABLES_MAX, VariableSource

ENDINGS_MAX = 500
"""Endings in one game."""

ROUTES_MAX = 12
"""Choices in one finale."""


@source
class RouteSource(SourceRecord):
    """One choice of a finale."""

    id: str = takes(NAME, "", "A name for this choice; by default, its number.")
    label: str = needs(LINE, "What the player sees.")
    also: tuple[str, ...] = takes(LINES, (), "Other words a player may type for it.")
    hint: str = takes(LINE, "", "What it may lead to, in a few words.")
    risk: Risk = takes(FixedWordForm(tuple(Risk)), Risk.MEDIUM, "What it puts at stake.")
    ending: str = needs(NAME, "The id of the ending it leads to; its text is in endings.md.")
    kind: Outcome | None = takes(
        FixedWordForm(tuple(Outcome)), None, "Won or lost; by default, as the finale says."
    )
    updates: tuple[UpdateSource, ...] = takes(UPDATES, (), "What it changes.")


@source
class EndingSource(SourceRecord):
    """One way in which the game can end."""

    id: str = needs(NAME, "Its id, and the heading of its text in endings.md.")
    when: ScalarNode = needs(CONDITION, "The game is over, or the finale opens, as soon as this holds.")
    kind: Outcome = needs(FixedWordForm(tuple(Outcome)), "Won or lost.")
    finale: tuple[RouteSource, ...] = takes(
        ListForm(
            SourceRecordForm(RouteSource, "label and ending", called="choice"), ROUTES_MAX, 1, "choices"
        ),
        (),
        "The last choices of the player; without them, the game is over at once.",
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

    recommended_model: str = takes(
        LINE, "", "The model the game was written for; the player's settings take precedence."
    )
    temperature: int | float | None = takes(
        NumberForm(0, 2), None, "Sampling temperature: higher is more varied."
    )
    max_output_tokens: int | None = takes(
        WholeNumberForm(1, 1_000_000), None, "The maximum length of a reply."
    )


@source
class MemorySource(SourceRecord):
    """How much of the past stays in the prompt."""

    summary_every_turns: int = takes(
        WholeNumberForm(1, 1_000),
        _MEMORY.summary_every_turns,
        "Turns after which the past may be summarized.",
    )
    keep_turns: int = takes(
        WholeNumberForm(1, 1_000),
        _MEMORY.keep_turns,
        "Recent turns that are kept verbatim if the model has room for them.",
    )
    window_tokens: int = takes(
        WholeNumberForm(1_000, 10_000_000),
        _MEMORY.window_tokens,
        "The size at which the window counts as full.",
    )
    cut_to_tokens: int = takes(
        WholeNumberForm(500, 10_000_000), _MEMORY.cut_to_tokens, "The size it is then cut to."
    )
    window_share: int | float | None = takes(
        NumberForm(0.05, 0.95),
        None,
        "The same as a share of the model's context window; use instead of window_tokens.",
    )


@source
class ChanceSource(SourceRecord):
    """Settings of the dice."""

    fate: FateKind = takes(
        FixedWordForm(tuple(FateKind)),
        FateKind.FIXED,
        "Whether retrying a turn keeps the dice as they fell.",
    )
    dice: tuple[str, ...] = takes(
        ListForm(DIE, noun="dice such as d20"),
        (),
        "The dice this game allows, such as d6 and dF; by default, all.",
    )


@source
class StatusItemSource(SourceRecord):
    """One item of the status bar."""

    var_id: str = needs(PATH, "The variable, or a path such as time.hour.")
    style: StatusStyle = takes(
        FixedWordForm(tuple(StatusStyle)),
        StatusStyle.TEXT,
        "A meter from `min` to `max`, or the plain value.",
    )
    label: str = takes(LINE, "", "A short name; by default, the variable's label.")
    show_delta: bool = takes(FlagForm(), True, "Whether to show the last change next to it.")
    critical_threshold: int | float | None = takes(
        NumberForm(), None, "The value from which it is shown as critical."
    )
    critical_when: CriticalWhen = takes(
        FixedWordForm(tuple(CriticalWhen)),
        CriticalWhen.BELOW,
        "Which side of the threshold is critical.",
    )


@source
class StatusBarSource(SourceRecord):
    """The status bar."""

    items: tuple[StatusItemSource, ...] = takes(
        ListForm(
            SourceRecordForm(StatusItemSource, "var_id", called="item of the status bar"), 20, noun="items"
        ),
        (),
        "From left to right.",
    )


@source
class PromptRulesSource(SourceRecord):
    """Instructions on style for the storyteller."""

    style_notes: tuple[str, ...] = takes(LINES, (), "How to tell the story.")
    boundaries: tuple[str, ...] = takes(LINES, (), "What the story must not contain.")


@source
class InvitationSource(SourceRecord):
    """What somebody reads who has never played, if this is the game they are offered."""

    sentence: str = needs(LINE, "Who they are and what is at stake, in one sentence.")
    button: str = needs(LINE, "What they press to begin.")


@source
class GameSource(SourceRecord):
    """game.yaml."""

    game_id: str = needs(NAME, "The id of the game; it must not change once people play.")
    title: str = needs(LINE, "The name that players read.")
    version: str = takes(LINE, "1.0.0", "The version of the content.")
    language: str = takes(LANGUAGE, "en", "The language of game.yaml and the texts next to it.")
    languages: tuple[str, ...] = takes(
        ListForm(LANGUAGE, 50, 1, "languages"), (), "All languages of the game; translations are in texts/."
    )
    description: str = takes(
        LINE, "", "What it is about, in a sentence or two; players see it before they start."
    )
    tone: str = takes(LINE, "", "Its tone, in a word or two.")
    content_rating: str = takes(LINE, "PG-13", "Who it is suitable for.")
    length_turns: int | None = takes(
        WholeNumberForm(1, 100_000), None, "About how many turns a campaign takes; shown to players."
    )
    invitation: InvitationSource | None = takes(
        SourceRecordForm(InvitationSource, "sentence and button"),
        None,
        "The first words for new players; the shortest game that has them is offered first.",
    )
    cover: CoverSource | None = takes(
        COVER, None, "The picture of the game; by default, one is made from its id."
    )
    llm: LlmSource | None = takes(
        SourceRecordForm(LlmSource, "settings for the storyteller"),
        None,
        "Recommended settings for the model.",
    )
    contract: str = takes(FixedWordForm(CONTRACTS), "cards", "The format of the storyteller's replies.")
    plan: str = takes(FixedWordForm(PLANS), "one_ask", "How a turn is requested from the model.")
    systems: tuple[str, ...] = takes(
        ListForm(NAME, 20, noun="systems"), (), "The systems that the game uses."
    )
    memory: MemorySource | None = takes(
        SourceRecordForm(MemorySource, "numbers"), None, "How much of the past stays in the prompt."
    )
    chance: ChanceSource | None = takes(
        SourceRecordForm(ChanceSource, "fate and dice"), None, "Settings of the dice."
    )
    model_may_end: bool = takes(FlagForm(), False, "Whether the storyteller may end the game.")
    decisions: DecisionRule = takes(
        FixedWordForm(tuple(DecisionRule)),
        DecisionRule.RELAYED,
        "Whether an external game master may pass on the player's answers to decisions.",
    )
    status_bar: StatusBarSource | None = takes(
        SourceRecordForm(StatusBarSource, "items"), None, "What is always shown."
    )
    variables: tuple[VariableSource, ...] = takes(VARIABLES, (), "The state of the game.")
    initial_state: Mapping[str, Json] = takes(
        MapForm(AnyValueForm(), VARIABLES_MAX, MEMBER_PATTERN, "values"),
        _NO_VALUES,
        "Initial values that differ from the defaults.",
    )
    win_conditions: tuple[ScalarNode, ...] = takes(
        CONDITIONS, (), "Won as soon as one holds: win_1, win_2, ..."
    )
    lose_conditions: tuple[ScalarNode, ...] = takes(
        CONDITIONS, (), "Lost as soon as one holds: lose_1, lose_2, ..."
    )
    endings: tuple[EndingSource, ...] = takes(ENDINGS, (), "Named endings, and finales.")
    count_endings: bool = takes(
        FlagForm(), True, "Whether players are told how many endings there are, and how many they have found."
    )
    prompt_rules: PromptRulesSource | None = takes(
        SourceRecordForm(PromptRulesSource, "style_notes and boundaries"), None, "How to tell the story."
    )


GAME_FILE = SourceRecordForm(GameSource, "game_id, title and variables")

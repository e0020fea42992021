"""The game source: game.yaml, the one file besides world.md that every game has.

Only its form is known here; what it says is put together by `game_file`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from talewright.kernel.game import FateKind, MemoryRules
from talewright.kernel.state.documents import Json
from talewright.kernel.story.cast_and_cards import CriticalWhen, StatusStyle
from talewright.pack.files.nodes import ScalarNode
from talewright.pack.forms.containers import Anything, ListOf, MapOf
from talewright.pack.forms.records import Record, Source, needs, source, takes
from talewright.pack.forms.scalars import Flag, Number, OneOf, Whole
from talewright.pack.sources.endings import CONDITIONS, ENDINGS, EndingSource
from talewright.pack.sources.variables import VARIABLES, VARIABLES_MAX, VariableSource
from talewright.pack.sources.words import DIE, LANGUAGE, LINE, LINES, MEMBER_PATTERN, NAME, PATH

CONTRACTS = ("cards", "patch", "tools", "mvu")
PLANS = ("one_ask", "tool_loop", "moves_first")

_MEMORY = MemoryRules()
_NO_VALUES: Mapping[str, Json] = MappingProxyType({})


@source
class LlmSource(Source):
    """What the author recommends for the storyteller."""

    recommended_model: str = takes(LINE, "", "The model the game was written with; settings win.")
    temperature: int | float | None = takes(Number(0, 2), None, "How freely it tells.")
    max_output_tokens: int | None = takes(Whole(1, 1_000_000), None, "How long an answer may be.")


@source
class MemorySource(Source):
    """How much of the past stays in view."""

    summary_every_turns: int = takes(
        Whole(1, 1_000), _MEMORY.summary_every_turns, "Turns after which the past may be summed up."
    )
    keep_turns: int = takes(
        Whole(1, 1_000),
        _MEMORY.keep_turns,
        "Last turns that are kept word by word, where the model has room for them.",
    )
    window_tokens: int = takes(Whole(1_000, 10_000_000), _MEMORY.window_tokens, "When the window is full.")
    cut_to_tokens: int = takes(Whole(500, 10_000_000), _MEMORY.cut_to_tokens, "What it is then cut to.")
    window_share: int | float | None = takes(
        Number(0.05, 0.95), None, "The same as a share of what the model can read; instead of window_tokens."
    )


@source
class ChanceSource(Source):
    """What the game says about its dice."""

    fate: FateKind = takes(
        OneOf(tuple(FateKind)), FateKind.FIXED, "Whether asking again leaves the dice as they fell, or not."
    )
    dice: tuple[str, ...] = takes(
        ListOf(DIE, noun="dice such as d20"), (), "The dice this game knows, such as d6 and dF; absent, all."
    )


@source
class StatusItemSource(Source):
    """One place in the status bar."""

    var_id: str = needs(PATH, "The variable, or a path such as time.hour.")
    style: StatusStyle = takes(
        OneOf(tuple(StatusStyle)), StatusStyle.TEXT, "A meter between its bounds, or the bare value."
    )
    label: str = takes(LINE, "", "A short name; absent, the variable's own.")
    show_delta: bool = takes(Flag(), True, "Whether the last change is shown beside it.")
    critical_threshold: int | float | None = takes(Number(), None, "The value from which it is a warning.")
    critical_when: CriticalWhen = takes(
        OneOf(tuple(CriticalWhen)), CriticalWhen.BELOW, "On which side of the threshold the danger lies."
    )


@source
class StatusBarSource(Source):
    """The status bar."""

    items: tuple[StatusItemSource, ...] = takes(
        ListOf(Record(StatusItemSource, "var_id", called="place in the status bar"), 20, noun="places"),
        (),
        "From left to right.",
    )


@source
class PromptRulesSource(Source):
    """What the storyteller is told about the telling."""

    style_notes: tuple[str, ...] = takes(LINES, (), "How it is to be told.")
    boundaries: tuple[str, ...] = takes(LINES, (), "What is not to be told.")


@source
class GameSource(Source):
    """game.yaml."""

    game_id: str = needs(NAME, "The name of the game among all games.")
    title: str = needs(LINE, "The name that players read.")
    version: str = takes(LINE, "1.0.0", "The version of the content.")
    language: str = takes(
        LANGUAGE, "en", "The language that game.yaml and the texts beside it are written in."
    )
    languages: tuple[str, ...] = takes(
        ListOf(LANGUAGE, 50, 1, "languages"), (), "All languages on offer; the others stand in texts/."
    )
    tone: str = takes(LINE, "", "How it sounds, in a word or two.")
    content_rating: str = takes(LINE, "PG-13", "For whom it is.")
    length_turns: int | None = takes(
        Whole(1, 100_000), None, "About how many turns a campaign takes; players are shown it."
    )
    llm: LlmSource | None = takes(Record(LlmSource, "wishes for the storyteller"), None, "Recommendations.")
    contract: str = takes(OneOf(CONTRACTS), "cards", "What the storyteller answers with.")
    plan: str = takes(OneOf(PLANS), "one_ask", "How a turn is asked for.")
    systems: tuple[str, ...] = takes(ListOf(NAME, 20, noun="systems"), (), "The mechanics switched on.")
    memory: MemorySource | None = takes(
        Record(MemorySource, "numbers"), None, "How much of the past is kept."
    )
    chance: ChanceSource | None = takes(Record(ChanceSource, "fate and dice"), None, "What dice there are.")
    model_may_end: bool = takes(Flag(), False, "Whether the storyteller may end the game by itself.")
    status_bar: StatusBarSource | None = takes(
        Record(StatusBarSource, "items"), None, "What is always shown."
    )
    variables: tuple[VariableSource, ...] = takes(VARIABLES, (), "The state of the game.")
    initial_state: Mapping[str, Json] = takes(
        MapOf(Anything(), VARIABLES_MAX, MEMBER_PATTERN, "values"),
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
        Record(PromptRulesSource, "style_notes and boundaries"), None, "How it is to be told."
    )


GAME_FILE = Record(GameSource, "game_id, title and variables")

"""Story prompts: what a user picks in their client to start a campaign, continue, or hear a recap.

They are instructions to an assistant in plain words; nothing is called here.
"""

from collections.abc import Mapping

from talewright.common.frozen_values import frozen
from talewright.common.safe_text import clean_line
from talewright.play.campaign_view import Viewer
from talewright.play.master_desk import OpenTurnView

MASTER_GUIDE = (
    "You are the game master of a Talewright game. The engine owns the truth: it rolls dice, keeps the state "
    "and judges every change. You narrate.\n\n"
    "First read `briefing`. Each turn: call `begin_turn` with the player's own words, or with the id of the "
    "choice they take. It answers with the situation after that: the author's passages, the scene that is "
    "open now, the state. Call the game's tools for what the player attempts and for every change; read what "
    "was granted. Then call `finish_turn` with the narration, and show the player that narration and the "
    "choices. The engine adds the intro and what is marked [FOLLOWS]: do not narrate those.\n\n"
    "Never decide, speak or roll for the player. Never show them what the briefing hides. A refusal says "
    "what would be accepted: correct the call and go on. `waits_for_player` means that the player must "
    "decide first: finish the turn there, then call `begin_turn` without `say`, and the player is asked. "
    "Every few turns, read `briefing` with `since`: if it asks for a summary or lists errands, hand them in "
    "between turns."
)

_ENGLISH_RULES = """\
# How to answer
Whatever happens by the rules happens by a tool: call it, read its result, then narrate. Never narrate what \
no tool has granted; a refused call says what would be accepted.
When all is done, call finish_turn with the narration as plain text: second person and present tense unless \
the style notes of the game say otherwise. Never decide, speak or act for the player. No numbers of the \
state, no lists of choices in it. The choices you give replace those of the scene; leave them out to keep \
the author's."""

_CHINESE_RULES = """\
# 回答格式
凡由规则决定的事都通过工具发生：先调用工具，读取结果，再讲述。绝不讲述工具没有准许的事；调用若被拒绝，会说明怎样才行。
一切办妥后，调用 finish_turn，用纯文字写叙事：第二人称、现在时，除非本游戏的文风要求另有规定。\
绝不替玩家做决定、说话或行动。其中不写状态数值，不列选项。你给出的选项会取代场景的选项；不给就保留作者的选项。"""

ANSWER_RULES: Mapping[str, str] = {"en": _ENGLISH_RULES, "zh-CN": _CHINESE_RULES}
"""How to answer, by language: the briefing has it in place of what a model is told."""

PLAYER_GUIDE = (
    "You are the companion of a player in a Talewright game, and you see what the player sees. Read `view` "
    "or `story`, tell the player what happens and what they can do, and take turns on their behalf: `say` "
    "their words, `choose` one of the choices, or `answer_decision` when a card waits. Do nothing that the "
    "player has not asked for."
)

RECAP = "recap"
"""The prompt that contains the story."""

ALL_GAMES_GUIDE = (
    "\n\nThis server has all games of its user: `list_games` lists them, `start_campaign` starts a campaign "
    "of one, and `list_campaigns` lists those to continue. If nobody has said what to play, ask."
)

PASTING_GUIDE = (
    " If the user pastes a premise, or the rules of a game (a System.md), make a game of it with "
    "`create_game`, and start that."
)

GAME_TOOLS_GUIDE = (
    " Every game has tools of its own: `describe_tools` describes those of a campaign, and `use_tool` calls "
    "them. `propose_updates` is one of them."
)


def write_guide(role: Viewer, *, all_games: bool = False, pasting: bool = False) -> str:
    """What an assistant is told about its role, and about games if the server has more than one."""
    guide = MASTER_GUIDE if role is Viewer.MASTER else PLAYER_GUIDE
    if not all_games:
        return guide
    tools = GAME_TOOLS_GUIDE if role is Viewer.MASTER else ""
    return f"{guide}{ALL_GAMES_GUIDE}{PASTING_GUIDE if pasting else ''}{tools}"


@frozen
class StoryPrompt:
    """One prompt."""

    name: str
    title: str
    description: str
    needs_campaign: bool
    texts: Mapping[Viewer, str]
    has_guide: bool = True
    """Whether the guide of the role follows."""

    continues: bool = False
    """Whether the campaign continues where it is, in the middle of a turn if one is open."""

    def write(self, role: Viewer, campaign: str, guide: str, story: str = "") -> str:
        """The words to the assistant."""
        words = self.texts[role].replace("{campaign}", campaign).replace("{story}", story)
        return f"{words}\n\n{guide}" if self.has_guide else words


def word_open_turn(standing: OpenTurnView) -> str:
    """Say that a turn is open, and what to do about it."""
    words = f'A turn is open, with the words "{clean_line(standing.said)}".'
    if standing.handle:
        return f"{words} Call `begin_turn` without an input to continue it, and finish it first."
    return f"{words} Another game master holds it, until {standing.until} at the latest."


_BEGIN = StoryPrompt(
    "begin",
    "Begin a campaign",
    "Start a new campaign and tell its opening.",
    False,
    {
        Viewer.MASTER: "Start a new campaign with start_campaign, in the language that I speak. Read its "
        "briefing, begin its first turn without any words of mine, tell the opening, and show me my choices.",
        Viewer.PLAYER: "Start a new campaign with start_campaign, in the language that I speak. Show me how "
        "it begins and what I can do.",
    },
)

_GO_ON = StoryPrompt(
    "go_on",
    "Go on",
    "Continue a campaign where it stands.",
    True,
    {
        Viewer.MASTER: "Continue the campaign {campaign}. Read its briefing, remind me in two sentences "
        "where I am, show me my choices, and wait for my words.",
        Viewer.PLAYER: "Continue the campaign {campaign}. Look at its view, tell me in two sentences where I "
        "am, and show me what I can do.",
    },
    continues=True,
)

_RECAP_WORDS = "Tell me the story so far of the campaign {campaign}, from what I have read of it below."
_STORY = "\n\n{story}"

_RECAP = StoryPrompt(
    RECAP,
    "Recap",
    "Hear the story so far.",
    True,
    {
        Viewer.MASTER: f"{_RECAP_WORDS} Use nothing that is hidden from me. Do not begin a turn.{_STORY}",
        Viewer.PLAYER: f"{_RECAP_WORDS} Take no turn.{_STORY}",
    },
    has_guide=False,
)

STORY_PROMPTS: Mapping[str, StoryPrompt] = {one.name: one for one in (_BEGIN, _GO_ON, _RECAP)}

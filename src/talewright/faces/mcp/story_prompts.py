"""Story prompts: what a user picks in their client to start a campaign, continue, or hear a recap.

They are instructions to an assistant in plain words; nothing is called here.
"""

from collections.abc import Mapping

from talewright.common.frozen_values import frozen
from talewright.play.campaign_view import Viewer

MASTER_GUIDE = (
    "You are the game master of a Talewright game. The engine owns the truth: it rolls dice, keeps the state "
    "and judges every change. You tell the story.\n\n"
    "Each turn: read `briefing` (after the first time with `since`). Call `begin_turn` with the player's own "
    "words. Call the game's tools for what they attempt, and `propose_updates` for other changes; read what "
    "was granted. Then call `finish_turn` with the narration, and show the player that narration and the "
    "choices.\n\n"
    "Never decide, speak or roll for the player. Never show them what the briefing hides. A refusal says "
    "what would be accepted: correct the call and go on. `waits_for_player` means that the player must "
    "decide first: finish the turn there, then call `begin_turn` without `say`, and the player is asked. If "
    "the briefing asks for a summary or lists errands, hand them in between turns."
)

PLAYER_GUIDE = (
    "You are the companion of a player in a Talewright game, and you see what the player sees. Read `view` "
    "or `story`, tell the player what happens and what they can do, and take turns on their behalf: `say` "
    "their words, `choose` one of the choices, or `answer_decision` when a card waits. Do nothing that the "
    "player has not asked for."
)


@frozen
class StoryPrompt:
    """One prompt."""

    name: str
    title: str
    description: str
    needs_campaign: bool
    texts: Mapping[Viewer, str]

    def write(self, role: Viewer, campaign: str) -> str:
        """The words to the assistant."""
        return self.texts[role].replace("{campaign}", campaign)


_BEGIN = StoryPrompt(
    "begin",
    "Begin a campaign",
    "Start a new campaign and tell its opening.",
    False,
    {
        Viewer.MASTER: "Start a new campaign with start_campaign, in the language that I speak. Read its "
        "briefing, begin its first turn without any words of mine, tell the opening, and show me my choices."
        f"\n\n{MASTER_GUIDE}",
        Viewer.PLAYER: "Start a new campaign with start_campaign, in the language that I speak. Show me how "
        f"it begins and what I can do.\n\n{PLAYER_GUIDE}",
    },
)

_GO_ON = StoryPrompt(
    "go_on",
    "Go on",
    "Continue a campaign where it stands.",
    True,
    {
        Viewer.MASTER: "Continue the campaign {campaign}. Read its briefing, remind me in two sentences "
        f"where I am, show me my choices, and wait for my words.\n\n{MASTER_GUIDE}",
        Viewer.PLAYER: "Continue the campaign {campaign}. Look at its view, tell me in two sentences where I "
        f"am, and show me what I can do.\n\n{PLAYER_GUIDE}",
    },
)

_RECAP = StoryPrompt(
    "recap",
    "Recap",
    "Hear the story so far.",
    True,
    {
        Viewer.MASTER: "Tell me the story so far of the campaign {campaign}, as I know it. Read the resource "
        "talewright://{campaign}/story, not what is hidden from me. Do not begin a turn.",
        Viewer.PLAYER: "Tell me the story so far of the campaign {campaign}. Read it with `story`. Take no "
        "turn.",
    },
)

STORY_PROMPTS: Mapping[str, StoryPrompt] = {one.name: one for one in (_BEGIN, _GO_ON, _RECAP)}

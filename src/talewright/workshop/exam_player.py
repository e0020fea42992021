"""The player of an examination: picks choices at random and sometimes types text; repeatable by its seed.

It sees what a player sees, and knows nothing of the game's rules.
"""

import random
from collections.abc import Mapping

from talewright.common.language_tags import pick_words
from talewright.play.campaign_view import View
from talewright.play.input_results import InputResult
from talewright.play.presentation.words.player_messages import FixedChoice
from talewright.play.session import Session

WORDS_EVERY = 4
"""After how many turns the player types text instead of taking a choice."""

SAYINGS: Mapping[str, tuple[str, ...]] = {
    "en": (
        "I look around carefully and listen.",
        "I ask whoever is nearest what has happened here.",
        "I take a closer look at whatever seems out of place.",
        "I wait for a moment and think about what I know.",
        "I go on, as quietly as I can.",
        "I call out and see who answers.",
        "I search my pockets for something useful.",
        "I tell the truth about why I came.",
    ),
    "zh-CN": (
        "我仔细环顾四周，侧耳倾听。",
        "我问离我最近的人，这里发生了什么。",
        "我凑近看看那个显得不对劲的东西。",
        "我停下来，想一想自己知道些什么。",
        "我尽量不出声，继续往前走。",
        "我喊了一声，看看谁会回答。",
        "我翻翻口袋，找点有用的东西。",
        "我说出自己来这里的真正原因。",
    ),
}
"""What the player types, by language; the lines fit any story."""


class ExamPlayer:
    """Plays one game."""

    def __init__(self, seed: str) -> None:
        self._lot = random.Random(seed)
        self._turns = 0
        self._offers: list[str] = []
        """The choices that the story offered last."""

    async def act(self, session: Session, view: View) -> InputResult:
        """Take one turn."""
        self._turns += 1
        if view.decisions:
            decision = view.decisions[0]
            option, _ = self._lot.choice(decision.options)
            return await session.answer(decision.id, option)
        offers = [choice.id for choice in view.choices]
        if not offers or not set(offers) <= set(FixedChoice):
            # After a turn that failed, the story's last choices are still valid: the player does not go back.
            self._offers = offers
        speaks = self._turns % WORDS_EVERY == 0 or not self._offers
        if view.free_text and speaks:
            return await session.say(self._lot.choice(pick_words(view.language, SAYINGS)))
        if self._offers:
            return await session.choose(self._lot.choice(self._offers))
        return await session.go_on()

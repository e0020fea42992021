"""Limits: how much of everything a solo campaign holds, each with its name.

Numbers only. Whoever refuses because of one says which.
"""

TAG_LENGTH_MAX = 60
"""Characters of one tag."""

INHERENT_MAX = 8
GLITCHES_MAX = 12
CONDITIONS_MAX = 8
SCENE_TAGS_MAX = 12
"""Of each colour."""

NPC_TAGS_MAX = 8
"""Of each colour."""

NPC_NAME_LENGTH_MAX = 39
NPC_TAG_LENGTH_MAX = 39
"""Characters; fewer than elsewhere, and of Chinese half as many. People are hidden from players, and names
and tags of those present are read on cards all the same: forty characters in a row of a hidden text, or
twenty of Chinese, would be taken for a leak."""

NPCS_MAX = 40
NPC_ID_LENGTH_MAX = 40
PLACES_MAX = 200
"""Places that are remembered; when there are more, the one that was found first is forgotten."""

SLUG_LENGTH_MAX = 60
CLOCK_MAX = 12
"""The longest clock."""

CLOCK_USUAL = 4
DICE_MAX = 40
"""Tags of one colour that can be named in a check."""

NAME_LENGTH_MAX = 80
TEXT_LENGTH_MAX = 400
"""Characters of a genre, a concept, a goal, a reason."""

CONTEXT_LENGTH_MAX = 200
"""Characters of what a check is about; more is cut."""

SCRATCHPAD_LENGTH_MAX = 20_000
SECTION_LENGTH_MAX = 6_000
PROMPT_LENGTH_MAX = 40_000
FRONT_LENGTH_MAX = 4_000
"""Characters of the rules at the top of `prompt.md`."""

SUMMARY_LENGTH_MAX = 4_000
STORY_LENGTH_MAX = 8_000
SUMMARIES_MAX = 400
"""Days whose summaries are kept; when there are more, the oldest that the story so far tells is dropped."""

REVIEW_ENTRIES_MAX = 12
"""Entries of each kind in a review of the scratchpad."""

DAYS_MAX = 9_999
VERSION_MAX = 2**31
RESIST = 2
"""Points of resist a day brings."""

RESIST_MAX = 9
NEGATE_COST = 1
CLEAR_COST = 2
SEGMENTS = 4
NOON = 3
"""The segment at whose beginning a world that moves twice a day moves again."""

SEGMENTS_KEPT = 4
"""Segments before the current one that stand in the prompt word for word."""

TAGS_WANTED = (3, 5)
"""How many tags a character should begin with; fewer and more are warned of."""

NPCS_WANTED = 2
"""People with clocks that a world needs before play begins."""

LOG_TURNS_MAX = 50
"""Turns in one file of the log; a longer segment goes on in a second file."""

DAY_TEXT_LENGTH_MAX = 60_000
"""Characters of a day's turns that are handed over to be summed up."""

STORY_AFTER_DAYS = 10
"""Summaries that stand side by side before the older ones become one story."""

STORY_KEEPS_DAYS = 4
"""The newest summaries, which stay as they are when that happens."""

HEADING_INPUT_MAX = 50
"""Characters of a player's words in the heading of a turn."""

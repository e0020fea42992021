"""Limits of the cards dialect: how much of everything an answer may hold, for its schema and its reader.

Where two numbers differ, the smaller is asked for and the larger is still read.
"""

ANSWER_LENGTH_MAX = 200_000
"""Characters of a reply that are read at all; with every escape spelled out, a good one has half of that."""

NARRATIVE_ASKED_MAX = 1_500
"""Characters of narration that the model is asked to stay within; more is told once as a soft flaw."""

NARRATIVE_LENGTH_MAX = 12_000
"""Characters of narration that are shown at all; a narration that goes on after them is broken off."""

CHOICES_MIN = 3
CHOICES_MAX = 6

UPDATES_ASKED_MAX = 6
"""Updates that are asked for; up to the game's own limit of moves are read."""

FACTS_MAX = 12
EVENTS_MAX = 12
TAGS_MAX = 8

ID_LENGTH_MAX = 100
"""Characters of the id of a choice or an ending."""

LABEL_LENGTH_MAX = 200
HINT_LENGTH_MAX = 300
TAG_LENGTH_MAX = 50
REASON_LENGTH_MAX = 300
FACT_LENGTH_MAX = 500
EVENT_TYPE_LENGTH_MAX = 50
EVENT_LENGTH_MAX = 500
PATH_LENGTH_ASKED_MAX = 200
"""Characters of a path that is asked for; the kernel reads longer ones."""

VALUE_LENGTH_MAX = 500
"""Characters of a text that is asked for as a value; the slot's own limit decides."""

VALUE_ITEMS_MAX = 20
"""Elements or members that are asked for in a value."""

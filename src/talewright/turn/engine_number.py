"""The engine number: raised with every change in how turns are judged, read or narrated.

A commit carries the number it was made with. Replaying a turn of the current number must give the same
result; for older turns, only the recorded changes are applied.
"""

from talewright.common.frozen_values import frozen


@frozen
class EngineNumber:
    """One number, and why it was needed."""

    number: int
    date: str
    reason: str


ENGINE_NUMBERS: tuple[EngineNumber, ...] = (
    EngineNumber(1, "2026-11-15", "the first number: records say how a turn was made"),
    EngineNumber(
        2,
        "2026-11-15",
        "numbers are rounded to nine decimal places; finales are told as they open, events before what "
        "follows, and scenes again where no other is open; the leak guard is stricter",
    ),
    EngineNumber(
        3,
        "2026-11-16",
        "slow and small models get short prompts; past answers are repeated without the choices that were "
        "not taken; an answer that repeats itself is stopped, and one that is too long ends at a sentence",
    ),
    EngineNumber(
        4,
        "2026-11-18",
        "judging has a work budget; the leak guard also finds quotations spread over turns or written with "
        "look-alike digits and marks; chat markers in a player's words are neutralised; a game master who "
        "abandons a turn gets the same draws again",
    ),
    EngineNumber(
        5,
        "2026-11-18",
        "after a tool call the model reads what changed; prompts of a living world have a guide and other "
        "known places, and off-screen events name only people who were there; examples in prompts are not "
        "guarded; a game master gets the outcome of an input before narrating it; a number such as 2.0 is an "
        "integer for every tool; rulebooks understand more dice",
    ),
)
"""All numbers, oldest first. Commits without a number are older than the first."""

ENGINE_NUMBER = ENGINE_NUMBERS[-1].number
"""The number of this engine."""

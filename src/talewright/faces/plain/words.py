"""Words: everything the plain face itself says, one value a language.

What the game and the engine say comes from the view, in words already.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """The face's own words; parts in braces are filled in, the same ones in every language."""

    language: str
    """The code by which the language is asked for."""

    name: str
    """What its speakers call it."""

    prompt: str
    join: str
    """Between the parts of one line."""

    space: str
    """Between two sentences."""

    pair: str
    """A name and its value."""

    opening: str
    """Once, under the first choices."""

    opening_fixed: str
    """The same where no storyteller understands words of one's own."""

    going_on: str
    """The campaign that was opened, and how to begin anew."""

    note: str
    """Before something the player should know about the campaign."""

    asked: str
    """Before what the player had said."""

    dice: str
    changed: str
    becomes: str
    """Between what was there and what is there now."""

    status: str
    critical: str
    delta: str
    risk_medium: str
    risk_high: str
    hint: str
    """A choice's hint, on the line of the choice."""

    nothing_to_choose: str
    no_such_number: str
    number_first: str
    own_words: str
    """Asks for the note of a decision."""

    unfinished: str
    unfinished_yes: str
    unfinished_no: str
    begins_again: str
    """What was told so far is void."""

    won: str
    lost: str
    ended: str
    """How it ended where it is neither."""

    after_end: str
    read_only: str
    back_at: str
    at_start: str
    """There is nothing to take back."""

    saved: str
    saves: str
    no_saves: str
    no_such_save: str
    turn: str
    """The heading of a turn in the history."""

    no_history: str
    range: str
    """The bounds of a card's value."""

    no_cards: str
    why: str
    why_reason: str
    why_said: str
    why_what: str
    no_such_variable: str
    told_in: str
    """Which language the face speaks."""

    retold_in: str
    """Which one the story is told in, and how to have it told in another."""

    no_such_language: str
    unknown_command: str
    did_you_mean: str
    number_wanted: str
    games: str
    campaigns: str
    campaign: str
    damaged: str
    menu: str
    no_games: str
    kept: str
    goodbye: str
    wrong: str
    wrong_hint: str
    help: tuple[tuple[str, str], ...]
    """What can be typed, and what it does."""

    commands: tuple[tuple[str, str], ...]
    """Other names for the commands, in this language."""

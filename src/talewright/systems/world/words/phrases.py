"""Phrases: what the world says to narrators and players, as one value per language.

Names and descriptions come from the game; everything else is here.
"""

from talewright.common.frozen_values import frozen


@frozen
class WorldPhrases:
    """All phrases in one language."""

    told: str
    inferred: str
    witnessed: str
    somebody: str
    character: str
    knows: str
    keeps: str
    """What a character knows but would not say."""

    goals: str
    between: str
    """Separates two facts."""

    comma: str
    """Separates two names."""

    voice: str
    which_place: str
    simulate: str
    sum_up: str
    scene_scenario: str
    scene_place: str
    scene_time: str
    scene_feeling: str
    scene_feelings: str
    scene_thread: str
    """What a person wants in a scene that a model narrates off-screen."""

    report: str
    sum_up_form: str
    sum_up_alone: str
    here: str
    exits: str
    time: str
    alone: str
    hidden: str
    events: str
    player_knows: str
    also_known: str
    places_heading: str
    place_line: str
    rules: str
    guide: str
    """How to play people and places, for the part of a prompt that stays the same."""

    days: tuple[str, ...]
    """Parts of the day in eight steps of three hours, from midnight."""

    clock: str
    map: str
    people: str
    known_facts: str
    last_seen: str
    last_seen_line: str
    ago_hours: tuple[str, str, str]
    """Less than an hour, one hour, several hours ago."""

    ago_days: tuple[str, str]
    """One day and several days ago."""

    elsewhere: str
    go: str
    go_hint: str
    talk: str
    ask: str
    wait: str
    wait_long: str
    wait_hint: str
    arrive: tuple[str, ...]
    wait_told: tuple[str, ...]
    see: str
    see_nobody: tuple[str, ...]
    says: tuple[str, ...]
    says_heard: tuple[str, ...]
    nothing_new: tuple[str, ...]
    new_face: str
    happened: str

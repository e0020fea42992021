"""Phrases: everything the tabletop says to players and narrators, as one record for each language.

The words themselves are in the files of the languages.
"""

from talewright.common.frozen_values import frozen


@frozen
class BlowWordings:
    """Ways to narrate an attack: attacker, target, attack, damage. Which one is used depends on the dice."""

    by_player: tuple[str, ...]
    on_player: tuple[str, ...]
    of_others: tuple[str, ...]


@frozen
class PersonWordings:
    """A sentence about the player, and the same about others."""

    player: str
    others: str


@frozen
class TabletopPhrases:
    """All phrases in one language."""

    hit: BlowWordings
    critical_hit: BlowWordings
    miss: BlowWordings
    strikes_back: BlowWordings
    """The target of an attack hurts the attacker; the attack has no name."""

    falls: PersonWordings
    """Someone has no hit points left."""

    hurt: PersonWordings
    """Damage without an attack: name, amount."""

    healed: PersonWordings
    hesitates: str
    """An NPC without any attack."""

    defends: str
    uses: str
    flees: str
    cannot_flee: str
    """The player's actions."""

    runs_away: str
    """An enemy leaves the fight."""

    surprised: PersonWordings
    condition: PersonWordings
    """A condition begins: name, condition."""

    fight_starts: str
    """With the order."""

    fight_won: str
    fight_lost: str
    fight_fled: str
    fight_ended: str
    fight_left: str
    """A fight that nobody continued ends automatically."""

    gains: str
    """What the player gains."""

    xp: str
    loses: str
    level: str
    experience: str
    hit_points: str
    armor: str
    conditions: str
    attributes: str
    skills: str
    attacks: str
    inventory: str
    fight: str
    """The title of the panel of a fight, with its round."""

    order: str
    rolls: str
    no_character: str
    """The title of the panel before there is a character."""

    check: str
    """What a roll is for."""

    attack: str
    defence: str
    damage: str
    initiative: str
    flight: str
    healing: str
    unarmed: str
    """The attack of someone who has none."""

    hit_brief: str
    """Rolls of others in a few words, like the four that follow."""

    miss_brief: str
    damage_brief: str
    initiative_brief: str
    roll_brief: str
    lost: tuple[tuple[str, str, str], ...]
    """What the sentences above say about damage, and what is shown instead: one hit point lost, and several.
    The sentences themselves are recorded, and stay as they are.
    """

    lost_on_player: tuple[tuple[str, str, str], ...]
    """The same for the hit points of the player."""

    overkill: str
    """Follows if there was more damage than hit points."""

    attack_choice: str
    attack_hint: str
    defend_choice: str
    use_choice: str
    flee_choice: str
    comma: str
    colon: str
    outcomes: tuple[str, str, str, str, str]
    """Critical success, success, partial success, failure, critical failure."""

    note_turn: str
    """For the narrator: whose turn it is, in which round."""

    note_out: str
    note_left: str
    """For the narrator: a fight that nobody has continued for some turns."""

    note_away: str
    """For the narrator: the player returns to a fight after some hours."""

    note_creation: str
    play: str
    """Instructions to the narrator, before the rulebook."""

    play_by_hand: str
    """The same for a rulebook whose checks the engine does not know."""

    creation: str
    """Instructions for creating a character, with the ranges of the rulebook."""

    rulebook: str
    """The heading of the rulebook."""

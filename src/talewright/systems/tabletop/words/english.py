"""The phrases in English.

Plain and short: they appear next to a story narrated by someone else, or stand in for it.
"""

from talewright.systems.tabletop.words.phrases import BlowWordings, PersonWordings, TabletopPhrases

PLAY = """\
# The rules of this game

This game is played by the rulebook below. You tell the story; the engine rolls the dice, does the sums and \
remembers the numbers. Never invent a roll, a number of hit points or an outcome.

- When the outcome of an action is in doubt, call `skill_check` (or `roll_dice` for anything else) before \
you tell it, and tell what came of it.
- A roll that the player must not know about gets `visible: false`. Do not mention it.
- Somebody who matters to the rules is an NPC: `create_npc`, from a template if there is one. `update_npc` \
and `remove_npc` keep them true.
- In a fight, `start_fight` or `manage_combat` sets the order. Resolve attacks with `attack`, or a whole \
round with `take_turn`. Damage from anything else goes through `apply_damage`.
- Whoever has no hit points left is incapacitated; what that means is in the rulebook.
- Experience, items and story flags are given with `award`. Enemies who fall in a fight are rewarded when it \
ends, without your help.
"""

PLAY_BY_HAND = """\
# The rules of this game

This game is played by the rulebook below. You tell the story and apply the rules; the engine rolls the dice \
and remembers the numbers. Never invent a roll or a number of hit points.

- When the outcome of an action is in doubt, call `roll_dice` before you tell it, and compare the result as \
the rulebook says.
- A roll that the player must not know about gets `visible: false`. Do not mention it.
- Somebody who matters to the rules is an NPC: `create_npc`, from a template if there is one. `update_npc` \
and `remove_npc` keep them true.
- In a fight, `manage_combat` keeps the order. Roll attacks with `roll_dice`; damage goes through \
`apply_damage`.
- Whoever has no hit points left is incapacitated; what that means is in the rulebook.
- Experience, items and story flags are given with `award`.
"""

CREATION = """\
# Before the story: the player's character

There is no character yet. Create one in conversation, before anything else happens.

- Ask one question at a time. Start with who they are, then turn what they say into numbers together.
- Offer ideas when the player hesitates, and let them choose.
- Keep within the ranges of the rulebook{ranges}. If the player wants more, say what is possible.
- If the rulebook has attributes rolled, roll them with `roll_dice`.
- Show the finished sheet. When the player agrees, call `set_character` with all of it, and begin the story.
"""

ENGLISH = TabletopPhrases(
    hit=BlowWordings(
        by_player=(
            "You hit {target} ({attack}): {damage} damage.",
            "{target} is too slow for your {attack}: {damage} damage.",
            "You get through to {target} ({attack}): {damage} damage.",
            "{target} looks the wrong way for a moment, and you hit ({attack}): {damage} damage.",
        ),
        on_player=(
            "{attacker} hits you ({attack}): {damage} damage.",
            "{attacker} gets through to you ({attack}): {damage} damage.",
            "You move too late, and {attacker} hits you ({attack}): {damage} damage.",
            "{attacker} catches you off balance ({attack}): {damage} damage.",
        ),
        of_others=(
            "{attacker} hits {target} ({attack}): {damage} damage.",
            "{attacker} gets through to {target} ({attack}): {damage} damage.",
        ),
    ),
    critical_hit=BlowWordings(
        by_player=(
            "You hit {target} hard ({attack}): {damage} damage.",
            "You hit {target} where it hurts most ({attack}): {damage} damage.",
        ),
        on_player=(
            "{attacker} hits you hard ({attack}): {damage} damage.",
            "You see it coming, and it is no use: {attacker} hits you hard ({attack}), {damage} damage.",
        ),
        of_others=("{attacker} hits {target} hard ({attack}): {damage} damage.",),
    ),
    miss=BlowWordings(
        by_player=(
            "You miss {target} ({attack}).",
            "{target} gets out of the way of your {attack}.",
            "You hit nothing but air where {target} was ({attack}).",
            "Too short: {target} is out of your reach ({attack}).",
        ),
        on_player=(
            "{attacker} misses you ({attack}).",
            "{attacker} comes at you ({attack}), and you are no longer there.",
            "You see it in time, and {attacker} misses ({attack}).",
            "{attacker} hits nothing but air beside you ({attack}).",
        ),
        of_others=(
            "{attacker} misses {target} ({attack}).",
            "{target} gets out of the way of {attacker} ({attack}).",
        ),
    ),
    strikes_back=BlowWordings(
        by_player=("{target} hurts you in return: {damage} damage.",),
        on_player=("You hurt {attacker} in return: {damage} damage.",),
        of_others=("{target} hurts {attacker} in return: {damage} damage.",),
    ),
    falls=PersonWordings("You go down.", "{name} goes down."),
    hurt=PersonWordings("You take {amount} damage.", "{name} takes {amount} damage."),
    healed=PersonWordings("You regain {amount} hit points.", "{name} regains {amount} hit points."),
    hesitates="{name} hesitates.",
    defends="You stay on guard.",
    uses="You use {item}.",
    flees="You get away.",
    cannot_flee="You cannot get away.",
    runs_away="{name} has had enough, and goes.",
    surprised=PersonWordings("You are taken by surprise.", "{name} is taken by surprise."),
    condition=PersonWordings("Your condition: {condition}.", "{name}: {condition}."),
    fight_starts="A fight begins. The order: {order}.",
    fight_won="The fight is won.",
    fight_lost="The fight is lost.",
    fight_fled="The fight is left behind.",
    fight_ended="The fight is over.",
    fight_left="Nobody goes on with the fight. It is over.",
    gains="You gain {gains}.",
    xp="{xp} XP",
    loses="You lose {items}.",
    level="Level {level}",
    experience="Experience",
    hit_points="Hit points",
    armor="Armor",
    conditions="Conditions",
    attributes="Attributes",
    skills="Skills",
    attacks="Attacks",
    inventory="Inventory",
    fight="Fight, round {round}",
    order="Order",
    rolls="Rolls",
    no_character="Character",
    check="{name}, {skill}",
    attack="{name} attacks, {attack}",
    defence="{name} defends",
    damage="Damage, {attack}",
    initiative="{name}, initiative",
    flight="{name} flees",
    healing="{name}, {item}",
    unarmed="bare hands",
    hit_brief="{name} hits ({total} against {needed})",
    miss_brief="{name} misses ({total} against {needed})",
    damage_brief="{total} damage",
    initiative_brief="{name} initiative {total}",
    roll_brief="{name} {total}",
    lost=(
        ("You take {damage} damage", "You lose {damage} hit point", "You lose {damage} hit points"),
        ("takes {damage} damage", "loses {damage} hit point", "loses {damage} hit points"),
        ("{damage} damage", "{damage} hit point lost", "{damage} hit points lost"),
    ),
    lost_on_player=(("{damage} damage", "you lose {damage} hit point", "you lose {damage} hit points"),),
    overkill=" (overkill: {excess})",
    attack_choice="Attack {target} with {attack}",
    attack_hint="{hp} of {max} hit points",
    defend_choice="Stay on guard",
    use_choice="Use {item}",
    flee_choice="Flee",
    comma=", ",
    colon=": ",
    outcomes=("critical success", "success", "success at a cost", "failure", "critical failure"),
    note_turn="A fight goes on, round {round}. It is the turn of {name}. The order: {order}.",
    note_out="Out of the fight: {names}.",
    note_left=(
        "Nobody has gone on with the fight for {turns} turns. Take it up again, or end it with manage_combat."
    ),
    note_away=(
        "The player comes back to this fight after {hours} h. Remind them where everybody stands, then go "
        "on, or end it with manage_combat."
    ),
    note_creation="There is no character yet: create one with the player and call set_character.",
    play=PLAY,
    play_by_hand=PLAY_BY_HAND,
    creation=CREATION,
    rulebook="# The rulebook",
)

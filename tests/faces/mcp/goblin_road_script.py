"""Thirty turns of Goblin Road, as a game master tells them: what the player says, the calls, and the words.

A fight goes on for as long as the dice want; the master attacks whoever is left.
"""

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

Calls: TypeAlias = tuple[tuple[str, Mapping[str, Any]], ...]

TURNS = 30

CHARACTER: Mapping[str, Any] = {
    "name": "Ansa",
    "stats": {"STR": 14, "DEX": 12, "CON": 14, "INT": 10, "WIS": 12, "CHA": 8},
    "skills": {"Athletics": 4, "Survival": 3, "Roadcraft": 2},
    "hp": 14,
    "ac": 13,
    "attacks": [{"name": "Billhook", "bonus": 4, "damage": "1d8+2"}],
    "inventory": ["a lantern", "2 loaves"],
}
"""A drover, within the ranges of the rulebook."""

AGREED: Mapping[str, Any] = {**CHARACTER, "reason": "agreed with the player"}
"""The same, as a game master takes it down."""

BEFORE: tuple[tuple[str, Calls, str], ...] = (
    ("", (), "It is an hour before light, and the mule is awake."),
    ("A drover. Ansa, with a billhook.", (("set_character", AGREED),), "Ansa, then, who is seldom cold."),
    ("I check the straps.", (), "The straps are older than the mule."),
    (
        "I lift the last sack myself.",
        (("skill_check", {"skill": "Athletics", "difficulty": 10}),),
        "The sack goes where it is told.",
    ),
    (
        "I look under the tarpaulin.",
        (
            ("roll_dice", {"expression": "1d20", "visible": False, "context": "what the frost has done"}),
            ("award", {"xp": 5, "loot": ["3 torches"], "reason": "found under the tarpaulin"}),
        ),
        "Three torches, and a smell of pears.",
    ),
    (
        "I listen to the road.",
        (("skill_check", {"skill": "Survival", "difficulty": 13}),),
        "The road says what roads say.",
    ),
    (
        "A sack has a hole in it.",
        (("propose_updates", {"updates": [{"op": "dec", "path": "salt", "value": 1, "reason": "spilt"}]}),),
        "A sack is lighter than it was.",
    ),
    (
        "Who is that by the ford?",
        (
            (
                "create_npc",
                {
                    "name": "Gruk",
                    "templateName": "Road Goblin",
                    "isHostile": False,
                    "reason": "the player sees him",
                },
            ),
        ),
        "A goblin, with a ledger.",
    ),
    (
        "I throw him a loaf.",
        (
            ("award", {"lost": ["1 loaves"], "reason": "thrown to Gruk"}),
            (
                "update_npc",
                {"name": "Gruk", "updates": {"notes": "fond of bread"}, "reason": "he is fed"},
            ),
        ),
        "He weighs it before he eats it.",
    ),
    (
        "Another one jumps out!",
        (("start_fight", {"enemies": [{"template": "Road Goblin", "count": 1, "name": "Snag"}]}),),
        "This one has no ledger.",
    ),
)

AFTER: tuple[tuple[str, Calls, str], ...] = (
    (
        "I bind my arm.",
        (("apply_damage", {"target": "player", "amount": -2, "reason": "a clean bandage"}),),
        "It holds.",
    ),
    ("I ask Gruk about the toll.", (("get_character", {}),), "He reads you like a bill."),
    (
        "I say goodbye to him.",
        (("remove_npc", {"name": "Gruk", "reason": "departed"}),),
        "He bows, a little.",
    ),
    (
        "It begins to snow.",
        (
            (
                "propose_updates",
                {"updates": [{"op": "inc", "path": "snow", "value": 1, "reason": "it snows"}]},
            ),
        ),
        "It snows the way it does everything.",
    ),
    (
        "I lead the mule round the ice.",
        (("skill_check", {"skill": "Roadcraft", "difficulty": 13, "advantage": True}),),
        "The mule has an opinion, and keeps it.",
    ),
)


def tell_rest() -> Iterator[tuple[str, Calls, str]]:
    """What follows the fight, for as long as it is wanted."""
    number = 0
    while True:
        for said, calls, told in AFTER:
            # A goblin can leave only once.
            again = number > 0 and calls[0][0] == "remove_npc"
            yield said, () if again else calls, f"{told} That was mile {number}."
            number += 1

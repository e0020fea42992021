"""Tool descriptions: name, arguments and words of every move of the tabletop, made for its rulebook.

Schemas define the arguments; the rules decide what is granted. Names and allowed values are the same in every
language; descriptions add their names in the reader's language.
"""

from collections.abc import Iterable, Mapping

from talewright.common.json_values import Json
from talewright.kernel.system import Tool, ToolWork
from talewright.systems.tabletop.author_files import TabletopLabels
from talewright.systems.tabletop.checks import LADDER, CheckRule
from talewright.systems.tabletop.damage import HIT_POINTS_MAX
from talewright.systems.tabletop.initiative import COMBATANTS_MAX
from talewright.systems.tabletop.rulebook_parser.rulebook_types import Rulebook
from talewright.systems.tabletop.slots import LEVEL_MAX, STAT_LIMIT, XP_MAX

ROLL_DICE, SKILL_CHECK = "roll_dice", "skill_check"
APPLY_DAMAGE, GET_CHARACTER = "apply_damage", "get_character"
CREATE_NPC, UPDATE_NPC, REMOVE_NPC = "create_npc", "update_npc", "remove_npc"
MANAGE_COMBAT = "manage_combat"
SET_CHARACTER, AWARD = "set_character", "award"
ATTACK, TAKE_TURN, START_FIGHT = "attack", "take_turn", "start_fight"

ALL_TOOLS = (
    *(SKILL_CHECK, START_FIGHT, APPLY_DAMAGE, AWARD, ROLL_DICE, ATTACK, TAKE_TURN),
    *(GET_CHARACTER, CREATE_NPC, UPDATE_NPC, REMOVE_NPC, MANAGE_COMBAT, SET_CHARACTER),
)
"""The most important first: small models get only some of them."""

PLAYER_TARGET, NPC_TARGET = "player", "npc"
COMBAT_ACTIONS = ("start", "next_turn", "end")
REASONS = ("defeated", "fled", "departed", "other")
ATTACK_ACTION, DEFEND, USE, STUNT, FLEE = TURN_ACTIONS = ("attack", "defend", "use", "stunt", "flee")

STUNT_CHECK = ("skill", "difficulty", "attribute", "advantage", "disadvantage")
"""What a stunt says about its check."""

CHECK_TERMS = ("difficulty", "attribute", "advantage", "disadvantage", "visible")
"""The arguments of a check that say how hard it is, and whether the player sees it."""

TURN_TERMS = (*STUNT_CHECK, "attack", "damage", "everyone", "scare")
"""The arguments that say how the roll of a turn in a fight counts."""

ENEMIES_MAX = 20
"""Enemies of one kind in a new fight."""


def _text(about: str) -> dict[str, Json]:
    return {"type": "string", "description": about}


def _whole(about: str, low: int | None = None, high: int | None = None) -> dict[str, Json]:
    bounds = {"minimum": low, "maximum": high}
    return {"type": "integer", "description": about, **{k: v for k, v in bounds.items() if v is not None}}


def _truth(about: str) -> dict[str, Json]:
    return {"type": "boolean", "description": about}


def _choice(about: str, words: Iterable[str]) -> dict[str, Json]:
    return {"type": "string", "enum": [*words], "description": about}


def _rows(items: Json, about: str) -> dict[str, Json]:
    return {"type": "array", "items": items, "description": about}


def _object(members: Mapping[str, Json], *required: str, about: str = "") -> dict[str, Json]:
    schema: dict[str, Json] = {"type": "object", "properties": dict(members), "additionalProperties": False}
    if required:
        schema["required"] = list(required)
    return {**schema, "description": about} if about else schema


def _numbers(about: str, names: Iterable[str]) -> dict[str, Json]:
    """Numbers by name; only these names, if any are given."""
    number: Json = {"type": "integer", "minimum": -STAT_LIMIT, "maximum": STAT_LIMIT}
    known = dict.fromkeys(names, number)
    return _object(known, about=about) if known else {"type": "object", "description": about}


def _tool(
    name: str,
    about: str,
    schema: Json,
    *,
    rolls: bool = False,
    must_see: bool = True,
    check: tuple[str, ...] = (),
    terms: tuple[str, ...] = (),
    authored: Json = None,
    own: bool = False,
) -> Tool:
    work = ToolWork.ROLLING if rolls else ToolWork.UPDATING
    return Tool(name, about, schema, must_see, work, check, terms, authored, own)


_VISIBLE = _truth("Whether the player sees the roll; true unless you say false.")
_ITEM: Json = {
    "type": ["string", "object"],
    "description": "A text such as `3 torches`, or {name, quantity, properties}.",
}
_REWARD = _object(
    {
        "xp": _whole("Experience points.", 0, XP_MAX),
        "loot": _rows(_ITEM, "Items."),
        "storyFlag": _text("A short mark such as bridge_is_free."),
    },
    about="What overcoming them brings.",
)
_HP: Json = {
    "type": ["integer", "object"],
    "description": f"Hit points, 1 to {HIT_POINTS_MAX}, or {{current, max}}.",
}
_ATTACKS = _rows(
    _object(
        {
            "name": _text("Such as Longsword."),
            "bonus": _whole("Added to the roll.", -STAT_LIMIT, STAT_LIMIT),
            "damage": _text("Dice such as 1d8+3, and the kind if you like: 1d8+3 slashing."),
        },
        "name",
    ),
    "Ways to attack.",
)
_NPC_NAME = _text("The name of an NPC, as it stands in the state.")
_TARGET, _WAY = _text("Who is attacked, by name."), _text("The attack, by name; the first if absent.")


def make_tools(book: Rulebook, labels: TabletopLabels) -> tuple[Tool, ...]:
    """The moves of a game with this rulebook. If the engine does not know how checks are decided, it resolves
    none: the narrator rolls and applies the rules as written.
    """
    tools = [_roll_dice(book), *_of_sheets(book, labels), *_of_npcs(book, labels), _manage_combat()]
    if book.check is not CheckRule.OTHER:
        tools += [_skill_check(book, labels), *_of_fights(book, labels)]
    return tuple(sorted(tools, key=lambda tool: ALL_TOOLS.index(tool.name)))


def _tell(names: Iterable[str], labels: Mapping[str, str]) -> str:
    """Names for a description, with their translations if these differ."""
    shown = (f"{name} ({labels[name]})" if labels.get(name, name) != name else name for name in names)
    return ", ".join(shown)


def _roll_dice(book: Rulebook) -> Tool:
    dice = f" The dice of this game: {', '.join(book.dice)}." if book.dice else ""
    members = {
        "expression": _text("Dice such as 1d20, 2d6+3, 4dF or 4d6kh3."),
        "context": _text("What the roll is for, in a few words; the player reads it."),
        "visible": _VISIBLE,
    }
    return _tool(
        ROLL_DICE,
        f"Roll dice; the engine rolls and records them.{dice}",
        _object(members, "expression"),
        rolls=True,
        terms=("expression", "visible"),
    )


def _check_members(book: Rulebook, labels: TabletopLabels, *, authored: bool = False) -> dict[str, Json]:
    """What a call says about a check; authors are held to the skills and attributes of the rulebook."""
    skills = [one.name for one in book.skills]
    keys = [one.key for one in book.attributes]
    told = _tell(skills, labels.skills)
    other = "; with an attribute, any other" if keys else ""
    members: dict[str, Json] = {
        "skill": _text(f"One of {told}{other}." if skills else "What is tried, such as Stealth."),
        "npcName": _text("The NPC who tries it; the player if absent."),
    }
    if authored and skills:
        members["skill"] = _choice(f"One of {told}.", skills)
    if book.check is CheckRule.D20:
        members["difficulty"] = _whole("What the total must reach.", 0, STAT_LIMIT)
    elif book.check is CheckRule.FATE:
        members["difficulty"] = {
            "type": ["integer", "string"],
            "description": f"A number, or a step of the ladder: {', '.join(LADDER)}.",
        }
    else:
        members["difficulty"] = _whole("Ignored: 10+ succeeds, 7-9 succeeds at a cost, 6- fails.")
    if keys:
        about = f"Another attribute than that of the skill: {_tell(keys, labels.attributes)}."
        members["attribute"] = _choice(about, keys) if authored else _text(about)
    return members | {
        "advantage": _truth("Whether circumstances help a great deal."),
        "disadvantage": _truth("Whether circumstances hinder a great deal."),
        "visible": _VISIBLE,
    }


def _skill_check(book: Rulebook, labels: TabletopLabels) -> Tool:
    required = ["skill", "difficulty"] if book.check is CheckRule.D20 else ["skill"]
    about = "Resolve a check of the player or an NPC by the rulebook, before you tell how it went."
    return _tool(
        SKILL_CHECK,
        about,
        _object(_check_members(book, labels), *required),
        rolls=True,
        authored=_object(_check_members(book, labels, authored=True), *required),
        # Without a list of skills, the name of one is free text.
        check=("npcName", "skill") if book.skills else ("npcName",),
        terms=CHECK_TERMS if book.skills else ("skill", *CHECK_TERMS),
    )


def _of_sheets(book: Rulebook, labels: TabletopLabels) -> list[Tool]:
    stats = _numbers("Attributes by name.", (one.key for one in book.attributes))
    skills = _numbers("Modifiers of the skills that are learned, by name.", (one.name for one in book.skills))
    sheet: dict[str, Json] = {
        "name": _text("What they are called."),
        "stats": stats,
        "skills": skills,
        "hp": _HP,
        "ac": _whole("Armor class, or armor.", 0, STAT_LIMIT),
        "attacks": _ATTACKS,
        "inventory": _rows(_ITEM, "What they carry."),
        "level": _whole("The level.", 1, LEVEL_MAX),
    }
    damage = {
        "target": _choice("Who takes it.", (PLAYER_TARGET, NPC_TARGET)),
        "npcName": _NPC_NAME,
        "amount": _whole("Positive for damage, negative for healing.", -HIT_POINTS_MAX, HIT_POINTS_MAX),
        "damageType": _text("Such as fire or slashing."),
        "applyConditions": _rows({"type": "string"}, "Conditions that begin, such as poisoned."),
        "removeConditions": _rows({"type": "string"}, "Conditions that end."),
    }
    award = {
        "xp": _whole("Experience points.", 0, XP_MAX),
        "loot": _rows(_ITEM, "Items gained: texts or {name, quantity, properties}."),
        "lost": _rows(_ITEM, "Items lost, paid or used up."),
        "storyFlag": _text("A short mark such as bridge_is_free."),
    }
    return [
        _tool(
            APPLY_DAMAGE,
            "Damage or heal somebody, and begin or end conditions. Tells whether they can still act.",
            _object(damage, "target", "amount"),
            own=True,
        ),
        _tool(GET_CHARACTER, "Read the player's character.", _object({})),
        _tool(
            SET_CHARACTER,
            "Take down the player's character as agreed, within the ranges of the rulebook; later, change "
            "what is named.",
            _object(sheet),
            own=True,
        ),
        _tool(
            AWARD,
            "Give the player experience, items or a story flag, or take items away.",
            _object(award),
            must_see=False,
            own=True,
        ),
    ]


def _of_npcs(book: Rulebook, labels: TabletopLabels) -> list[Tool]:
    names = [one.name for one in book.templates]
    templates = f": {_tell(names, labels.creatures)}" if names else ""
    fields: dict[str, Json] = {
        "stats": _numbers("Attributes by name.", ()),
        "skills": _numbers("Modifiers of skills by name.", ()),
        "hp": _HP,
        "ac": _whole("Armor class, or armor.", 0, STAT_LIMIT),
        "attacks": _ATTACKS,
        "reward": _REWARD,
        "isHostile": _truth("Whether they fight the player; true unless you say false."),
        "notes": _text("What to remember about them; the player does not see it."),
    }
    changes = {
        **fields,
        "conditions": _rows({"type": "string"}, "All their conditions."),
        "inventory": _rows(_ITEM, "All they carry."),
    }
    return [
        _tool(
            CREATE_NPC,
            f"Create an NPC from a template of the rulebook{templates}, or of your own.",
            _object(
                {
                    "name": _text("A name nobody else has, such as Gruk or Goblin 2."),
                    "templateName": _text(f"The template{templates}."),
                    **fields,
                },
                "name",
            ),
            own=True,
        ),
        _tool(
            UPDATE_NPC,
            "Change an NPC; what you do not name stays. For damage, use apply_damage.",
            _object({"name": _NPC_NAME, "updates": _object(changes)}, "name", "updates"),
            own=True,
        ),
        _tool(
            REMOVE_NPC,
            "Remove an NPC who is defeated, has fled or left; returns a reward that nobody claimed.",
            _object({"name": _NPC_NAME, "reason": _choice("Why they go.", REASONS)}, "name"),
            own=True,
        ),
    ]


def _manage_combat() -> Tool:
    combatant = _object(
        {
            "name": _text("The player's or an NPC's name."),
            "isPlayer": _truth("Whether it is the player's character."),
            "initiativeRoll": _text(
                "The logId of a roll made for it in this turn; without it, the engine rolls."
            ),
        },
        "name",
    )
    rows = {
        **_rows(combatant, "Who fights; without it, the player and every hostile NPC."),
        "maxItems": COMBATANTS_MAX,
    }
    about = "Start a fight, pass the turn to the next in the order, or end the fight."
    members = {"action": _choice("What to do.", COMBAT_ACTIONS), "combatants": rows}
    return _tool(MANAGE_COMBAT, about, _object(members, "action"), rolls=True)


def _turn_members(book: Rulebook, labels: TabletopLabels, *, authored: bool = False) -> dict[str, Json]:
    """What a call says about the player's turn."""
    check = _check_members(book, labels, authored=authored)
    return {
        "action": _choice("What the player does.", TURN_ACTIONS),
        "target": _TARGET,
        "attack": _WAY,
        "item": _text("The item that is used, by name."),
        **{name: part for name, part in check.items() if name in STUNT_CHECK},
        "damage": _text("What a stunt does if it succeeds: dice such as 2d6."),
        "everyone": _truth("Whether a stunt hurts every enemy."),
        "scare": _whole("How many enemies run away from a stunt that succeeds.", 0, ENEMIES_MAX),
    }


def _attack() -> Tool:
    members: dict[str, Json] = {
        "attacker": _text("Who attacks, by name; the player if absent."),
        "target": _TARGET,
        "attack": _WAY,
        "advantage": _truth("Whether circumstances help a great deal."),
        "disadvantage": _truth("Whether circumstances hinder a great deal."),
    }
    return _tool(
        ATTACK,
        "Attack somebody by the rulebook: the engine rolls, and applies the damage.",
        _object(members, "target"),
        rolls=True,
        # Another target is no other check: one goblin is as good as the next. It is no term either, because
        # the first one may be gone.
        check=("attacker",),
        terms=("attack", "advantage", "disadvantage"),
    )


def _of_fights(book: Rulebook, labels: TabletopLabels) -> list[Tool]:
    tools = [
        _attack(),
        _tool(
            TAKE_TURN,
            "The player's turn in a fight, and then everybody else's, up to the player's next turn.",
            _object(_turn_members(book, labels), "action"),
            rolls=True,
            authored=_object(_turn_members(book, labels, authored=True), "action"),
            check=("action",),
            terms=TURN_TERMS,
        ),
    ]
    names = [one.name for one in book.templates]
    if not names:
        return tools
    enemy = _object(
        {
            "template": _choice(f"One of {_tell(names, labels.creatures)}.", names),
            "count": _whole("How many; 1 if absent.", 1, ENEMIES_MAX),
            "name": _text("What they are called; their template's name if absent."),
        },
        "template",
    )
    fight = {
        "enemies": {**_rows(enemy, "Who attacks."), "minItems": 1, "maxItems": ENEMIES_MAX},
        "surprise": _choice("Who is surprised and misses the first round.", ("none", "player", "enemies")),
    }
    about = (
        "Start a fight with enemies from templates: creates them, rolls initiative, and lets those act who "
        "come before the player."
    )
    return [*tools, _tool(START_FIGHT, about, _object(fight, "enemies"), rolls=True)]

"""Dice: the notation for rolls, shared by tools, scenes and triggers.

No randomness of its own: `roll` uses the Chance it is given.

    2d6+3             sums; + - * / ( ) and whole numbers, `/` rounds down: -7/2 is -4
    d20, d%, 4dF      one die; d100; Fate dice with the faces -1, 0, +1
    4d6kh3, 4d6dl1    keep the three highest, drop the lowest; also kl and dh
    d20adv, d20dis    two dice, the higher or the lower
    6d6e6, 6d6!, e>5  exploding: such a face adds another to its die, up to a limit
    4d6ro1, ro<3      such a face is rerolled, once
    4d6mi2, 4d6ma5    a face below 2 counts as 2, a face above 5 as 5
    6d10s>=8          counts the faces that are 8 or more instead of adding them
    2d6[fire]         a label

The rules of a pool may be written in any order. They apply in this one: reroll, explode, minimum and
maximum, rank by the value of the die (all its faces together), drop, count.
"""

__all__ = [
    "DEFAULT_LIMITS",
    "Dice",
    "DiceError",
    "DiceLimits",
    "Die",
    "Distribution",
    "Face",
    "Roll",
    "Throw",
    "distribution",
    "parse",
    "roll",
]

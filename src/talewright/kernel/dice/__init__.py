"""Dice: the language of rolls, shared by tools, scenes and triggers; the door to its parts.

No randomness lives here: `roll` takes it from the Chance it is handed.

    2d6+3             sums; + - * / ( ) and whole numbers, `/` divides down: -7/2 is -4
    d20, d%, 4dF      one die; d100; Fate dice with the faces -1, 0, +1
    4d6kh3, 4d6dl1    keep the three highest, leave out the lowest; also kl and dh
    d20adv, d20dis    two dice, the higher or the lower
    6d6e6, 6d6!, e>5  exploding: such a face brings one more to its die, up to a limit
    4d6ro1, ro<3      such a face is rolled again, once
    4d6mi2, 4d6ma5    a face below 2 is worth 2, a face above 5 is worth 5
    6d10s>=8          counts the faces that are 8 or more instead of adding them
    2d6[fire]         a label

Rules of one pool may stand in any order. They work in this one: roll again, explode, worth, rank by
the value of the die (all its faces together), drop, count.
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

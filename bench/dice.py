"""Rolling dice with derived chance, tree and printout, beside avrae's d20 on the same expressions.

d20 is taken as it is shipped: its roller keeps parsed expressions, draws from the `random` module and
prints Markdown. Ours draws each die by HMAC from the campaign's secret and records it.
"""

from functools import partial

import d20

from bench.figures import at_least, measure, report
from talewright.kernel.chance import Fate
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_rolls import roll
from talewright.kernel.dice.dice_tree import Dice

EXPRESSIONS = (
    "d20",
    "1d20+5",
    "2d20kh1+5",
    "2d6+3",
    "4d6kh3",
    "8d6",
    "6d6e6",
    "4d6ro1",
    "1d20+5+2d6[fire]-1",
    "(2d6+3)*2",
    "10d10kh3",
    "1d100",
)
"""What players roll, in the words that both languages share."""

PARSED = tuple(parse(text) for text in EXPRESSIONS)
SECRET = bytes(range(32))
ROUNDS_EACH = 7
ROLLS_EACH = 12
"""As many as there are expressions: so many draws one turn may take from its Fate."""


def roll_theirs(texts: tuple[str, ...] = EXPRESSIONS) -> list[str]:
    return [str(d20.roll(text)) for text in texts]


def roll_texts(texts: tuple[str, ...] = EXPRESSIONS) -> list[str]:
    fate = Fate(SECRET, 1)
    return [str(roll(parse(text), fate)) for text in texts]


def roll_parsed(dice: tuple[Dice, ...] = PARSED) -> list[str]:
    fate = Fate(SECRET, 1)
    return [str(roll(one, fate)) for one in dice]


def main() -> int:
    for text in EXPRESSIONS:
        texts, dice = (text,) * ROLLS_EACH, (parse(text),) * ROLLS_EACH
        each = measure(
            {
                "d20": partial(roll_theirs, texts),
                "parsing": partial(roll_texts, texts),
                "parsed": partial(roll_parsed, dice),
            },
            rounds=ROUNDS_EACH,
        )
        parsing, parsed = each.ratio("d20", "parsing"), each.ratio("d20", "parsed")
        print(f"  {text}: {parsing:.2f} times d20's rate, {parsed:.2f} with the parse kept")
    timings = measure({"d20": roll_theirs, "parsing": roll_texts, "parsed": roll_parsed})
    print(f"  all {len(EXPRESSIONS)} expressions in one call:")
    timings.show()
    return report(
        [
            at_least("dice_rate_vs_d20", timings.ratio("d20", "parsing"), 1.0),
            at_least("parsed_dice_rate_vs_d20", timings.ratio("d20", "parsed"), 3.0),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())

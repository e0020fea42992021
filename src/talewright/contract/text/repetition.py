"""Repetition: notices a reply that goes round in circles, while it arrives.

A reply goes round in circles when the same run of characters follows itself again and again, to its last
character. A refrain with other lines in between, a list, or choices that are merely similar do not count. It
takes the same time for each character, and gives the same result however the text is split.
"""

from array import array

from talewright.kernel.story.game_texts import weigh

COPIES_MIN = 4
"""How often a run must repeat in a row; for a long one, one less is enough."""

LONG_WEIGHT = 320
"""The weight from which a run is long: a paragraph."""

REPEATED_WEIGHT_MIN = 240
"""The weight of all copies together: people chant and laugh, but not as long."""

SIMPLE_WEIGHT_MIN = 480
"""The same for very short runs, and for those without letters: rules, rows of a table, blank space."""

SHORT_WEIGHT = 8
"""The weight below which a run is very short."""

GRAM_LENGTH = 8
"""Characters that must have occurred before to suspect a repetition."""

GRAMS_MAX = 20_000
"""Remembered places; when there are this many, all are forgotten."""


class RepetitionWatch:
    """Takes a text in pieces, and detects where it has begun to go round in circles."""

    def __init__(self) -> None:
        self._signs = array("L")
        self._gram = ""
        self._seen: dict[str, int] = {}
        """Where each gram ended when it was last seen."""

        self._period = 0
        """How many characters back the text repeats now; 0 if it does not."""

        self._matched = 0
        """For how many characters it has repeated."""

        self._wanted = 0
        """For how many characters it must repeat; 0 before that is known."""

    @property
    def once(self) -> int:
        """Where the first copy of the repeated text ends."""
        return len(self._signs) - self._matched

    def feed(self, text: str) -> int | None:
        """Take a piece; return how much of it had come when the repetition was certain, or None."""
        # Every character of every reply passes here, so it is one loop over local names.
        signs, seen, period, matched = self._signs, self._seen, self._period, self._matched
        last, begin, at = self._gram + text, len(self._gram), len(signs)
        signs.extend(map(ord, text))
        for end in range(begin + 1, len(last) + 1):
            gram = last[end - GRAM_LENGTH if end > GRAM_LENGTH else 0 : end]
            at += 1
            if period and signs[at - 1] == signs[at - 1 - period]:
                matched += 1
            else:
                before = seen.get(gram)
                period, matched = (0, 0) if before is None else (at - before, GRAM_LENGTH)
                self._wanted = 0
            if len(seen) == GRAMS_MAX:
                seen.clear()
            seen[gram] = at
            if period and matched >= 2 * period:
                self._period, self._matched = period, matched
                if self._is_closed(at):
                    del signs[at:]
                    self._gram = gram
                    return end - begin
        self._gram, self._period, self._matched = last[-GRAM_LENGTH:], period, matched
        return None

    def _is_closed(self, at: int) -> bool:
        """Whether a text that has come twice has come often enough."""
        if not self._wanted:
            # Weighed only once two copies have come, so that it costs no more than reading them did.
            self._wanted = _count_wanted("".join(map(chr, self._signs[at - self._period : at])))
        return self._matched >= self._wanted


def _count_wanted(run: str) -> int:
    """How many characters must match before a run counts as repeated without end."""
    weight = weigh(run)
    simple = weight < SHORT_WEIGHT or not any(map(str.isalnum, run))
    total = SIMPLE_WEIGHT_MIN if simple else REPEATED_WEIGHT_MIN
    copies = max(COPIES_MIN - (weight >= LONG_WEIGHT), -(-total // weight))
    return (copies - 1) * len(run)


def say_once(text: str) -> str:
    """A text that went round in circles, up to the end of the first copy; any other text unchanged."""
    watch = RepetitionWatch()
    return text if watch.feed(text) is None else text[: watch.once]

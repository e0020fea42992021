"""The token budget of a prompt: shares of its parts, and sections cut or clipped until they fit.

Which sections there are is not known here. What has no step is never cut; a clipped text is the beginning
of the text, never a rewording.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from talewright.common.frozen_values import frozen
from talewright.llm.token_estimate import estimate_tokens

ROUNDS_TOKENS = 3_000
"""Kept free for tool rounds and repairs, which are appended to a prompt that was already sent."""

ROUNDS_SHARE = 0.125
"""Of a small context no more than this share is kept free for them."""

WORLD_SHARE = 0.25
"""The world text is given whole up to this share of the room, else as its summary."""

FROZEN_SHARE = 0.5
"""Everything that is frozen, the world text included."""

MEMORY_SHARE = 0.125
MEMORY_TOKENS_MAX = 2_000
"""Summary and facts together; they are sent anew after each cut, so they stay small."""

MEMORIES_SHARE = 0.125
MEMORIES_TOKENS_MAX = 8_000
"""What systems want to be kept in view, where they do, besides summary and facts."""

TAIL_SHARE = 0.2


@frozen
class TokenBudget:
    """The room of one prompt."""

    room: int
    """Tokens of the whole prompt."""

    @property
    def world(self) -> int:
        return int(self.room * WORLD_SHARE)

    @property
    def frozen(self) -> int:
        return int(self.room * FROZEN_SHARE)

    @property
    def memory(self) -> int:
        return min(int(self.room * MEMORY_SHARE), MEMORY_TOKENS_MAX)

    @property
    def memories(self) -> int:
        return min(int(self.room * MEMORIES_SHARE), MEMORIES_TOKENS_MAX)

    @property
    def tail(self) -> int:
        return int(self.room * TAIL_SHARE)

    def transcript(self, frozen_tokens: int) -> int:
        """What is left for the transcript beside a frozen part of this size."""
        return max(0, self.room - frozen_tokens - self.memory - self.tail)


def make_budget(context_tokens: int, output_tokens: int, beside_tokens: int = 0) -> TokenBudget:
    """The room that a model leaves: its context without the answer, the tools and schema, and the rounds."""
    rounds = min(ROUNDS_TOKENS, int(context_tokens * ROUNDS_SHARE))
    return TokenBudget(max(0, context_tokens - output_tokens - beside_tokens - rounds))


_ENDS = (re.compile(r"\n\s*\n"), re.compile(r"(?<=[.!?])\s|(?<=[。！？；])"), re.compile(r"\s|(?<=[，、])"))
"""Where a text may end, the best place first."""

ENOUGH = 0.6
"""A better place to end is taken as long as this share of what would fit stays."""

MORE = "..."


def clip(text: str, tokens_max: int) -> str:
    """The text, or as much of its beginning as fits."""
    if estimate_tokens(text) <= tokens_max:
        return text
    length = _longest(text, tokens_max - estimate_tokens(MORE))
    for ends in _ENDS:
        places = [found.start() for found in ends.finditer(text, 0, length + 1) if found.start() <= length]
        if places and places[-1] >= length * ENOUGH:
            length = places[-1]
            break
    kept = text[:length].rstrip()
    return kept + MORE if kept else ""


def _longest(text: str, tokens_max: int) -> int:
    """How many characters fit."""
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        if estimate_tokens(text[:middle]) <= tokens_max:
            low = middle
        else:
            high = middle - 1
    return low


_SENTENCE = re.compile(r".+?(?:[.!?…](?=\s|$)|[。！？…]+[”」』）)]*|$)", re.DOTALL)


def first_sentence(text: str, length_max: int) -> str:
    """The first sentence of a text on one line, no longer than that."""
    line = " ".join(text.split())
    found = _SENTENCE.match(line)
    sentence = found.group() if found else ""
    return sentence if len(sentence) <= length_max else sentence[: length_max - len(MORE)].rstrip() + MORE


BREAK = "\n\n"
"""What stands between two sections."""


@frozen
class ShorteningStep:
    """One way of making a section shorter."""

    name: str
    """What is lost by it, such as `state.low`."""

    weight: int
    """Of all steps that are left, the one with the least weight is taken first."""

    text: str = ""
    """What stands there afterwards; empty where the section goes."""


@frozen
class PromptSection:
    """One part of a prompt."""

    name: str
    text: str
    steps: tuple[ShorteningStep, ...] = ()
    """From the first to the last, each shorter than the one before and of no less weight."""

    @property
    def tokens(self) -> int:
        """A guess at its size."""
        return estimate_tokens(self.text)

    @property
    def weight(self) -> int | None:
        """That of the step by which it would be made shorter next; None where it is never cut."""
        return self.steps[0].weight if self.steps else None


@frozen
class SectionCut:
    """Something that was left out because there was no room for it."""

    name: str
    tokens: int
    """How many it saved."""


@frozen
class FittedSections:
    """Sections that fit, or cannot be made any shorter."""

    sections: tuple[PromptSection, ...]
    cuts: tuple[SectionCut, ...] = ()

    @property
    def text(self) -> str:
        """All of them, in their order."""
        return BREAK.join(section.text for section in self.sections)


def fit(sections: Iterable[PromptSection], tokens_max: int) -> FittedSections:
    """The sections that say something, shortened until they fit."""
    kept = [section for section in sections if section.text]
    sizes = [section.tokens for section in kept]
    cuts: list[SectionCut] = []
    while sum(sizes) > tokens_max:
        # Of equal weights the later section goes first: what matters more stands further ahead.
        left = [(section.steps[0].weight, -at) for at, section in enumerate(kept) if section.steps]
        if not left:
            break
        at = -min(left)[1]
        step, *rest = kept[at].steps
        kept[at] = replace(kept[at], text=step.text, steps=tuple(rest))
        size = kept[at].tokens
        cuts.append(SectionCut(step.name, sizes[at] - size))
        sizes[at] = size
    return FittedSections(tuple(section for section in kept if section.text), tuple(cuts))

"""The token budget of a prompt: shares of its parts, and sections cut or clipped until they fit.

It does not know which sections there are. A section without steps is never cut; a clipped text is the
beginning of the text, never a rewording.
"""

import re
from collections.abc import Iterable
from dataclasses import replace

from talewright.common.frozen_values import frozen
from talewright.llm.token_estimate import estimate_tokens

ROUNDS_TOKENS = 3_000
"""Reserved for tool rounds and repairs, which are appended to a prompt that was already sent."""

ROUNDS_SHARE = 0.125
"""At most this share of a small context is reserved for them."""

WORLD_SHARE = 0.25
"""The world text is included whole up to this share of the room; above that, its summary is."""

FROZEN_SHARE = 0.5
"""The whole frozen part, including the world text."""

MEMORY_SHARE = 0.125
MEMORY_TOKENS_MAX = 2_000
"""Summary and facts together; they are sent again uncached after each cut, so they stay small."""

MEMORIES_SHARE = 0.125
MEMORIES_TOKENS_MAX = 8_000
"""Memories of systems, besides summary and facts."""

TAIL_SHARE = 0.2

SHORT_FROZEN_SHARE = 0.43
SHORT_MEMORY_SHARE = 0.06
SHORT_TAIL_SHARE = 0.33
"""The same for the short prompts of a slow model: the current events need the most room."""


@frozen
class TokenBudget:
    """The room of one prompt."""

    room: int
    """Tokens of the whole prompt."""

    short: bool = False
    """Whether everything is given in its short form."""

    rounds: int = ROUNDS_TOKENS
    """Tokens reserved for tool rounds and repairs."""

    @property
    def update(self) -> int:
        """What has changed after one round of calls."""
        return self.rounds // 2

    @property
    def world(self) -> int:
        return int(self.room * WORLD_SHARE)

    @property
    def frozen(self) -> int:
        return int(self.room * (SHORT_FROZEN_SHARE if self.short else FROZEN_SHARE))

    @property
    def memory(self) -> int:
        return min(int(self.room * (SHORT_MEMORY_SHARE if self.short else MEMORY_SHARE)), MEMORY_TOKENS_MAX)

    @property
    def memories(self) -> int:
        return min(int(self.room * MEMORIES_SHARE), MEMORIES_TOKENS_MAX)

    @property
    def tail(self) -> int:
        return int(self.room * (SHORT_TAIL_SHARE if self.short else TAIL_SHARE))

    def transcript(self, frozen_tokens: int) -> int:
        """What remains for the transcript with a frozen part of this size."""
        return max(0, self.room - frozen_tokens - self.memory - self.tail)


def make_budget(
    context_tokens: int,
    output_tokens: int,
    beside_tokens: int = 0,
    prompt_tokens_max: int | None = None,
    *,
    short: bool = False,
) -> TokenBudget:
    """The room that a model leaves: its context without the answer, the tools and schema, and the rounds.

    A slow model should not read more than `prompt_tokens_max`, tools and schema included.
    """
    rounds = min(ROUNDS_TOKENS, int(context_tokens * ROUNDS_SHARE))
    room = context_tokens - output_tokens - beside_tokens - rounds
    if prompt_tokens_max is not None:
        room = min(room, max(prompt_tokens_max - beside_tokens, prompt_tokens_max // 2))
    return TokenBudget(max(0, room), short, rounds)


_ENDS = (re.compile(r"\n\s*\n"), re.compile(r"(?<=[.!?])\s|(?<=[。！？；])"), re.compile(r"\s|(?<=[，、])"))
"""Where a text may end, the best place first."""

ENOUGH = 0.6
"""A better place to end is preferred as long as this share of what would fit remains."""

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
    """The first sentence of a text on one line, at most this long."""
    line = " ".join(text.split())
    found = _SENTENCE.match(line)
    sentence = found.group() if found else ""
    return sentence if len(sentence) <= length_max else sentence[: length_max - len(MORE)].rstrip() + MORE


BREAK = "\n\n"
"""The separator between two sections."""


@frozen
class ShorteningStep:
    """One way of shortening a section."""

    name: str
    """What is lost, such as `state.low`."""

    weight: int
    """Of all remaining steps, the one with the lowest weight is taken first."""

    text: str = ""
    """The text afterwards; empty if the section is dropped."""


@frozen
class PromptSection:
    """One part of a prompt."""

    name: str
    text: str
    steps: tuple[ShorteningStep, ...] = ()
    """In order, each shorter than the one before and of at least the same weight."""

    @property
    def tokens(self) -> int:
        """Its estimated size."""
        return estimate_tokens(self.text)

    @property
    def weight(self) -> int | None:
        """The weight of its next shortening step; None if it is never cut."""
        return self.steps[0].weight if self.steps else None


@frozen
class SectionCut:
    """Something left out for lack of room."""

    name: str
    tokens: int
    """How many tokens it saved."""


@frozen
class FittedSections:
    """Sections that fit, or cannot be shortened any further."""

    sections: tuple[PromptSection, ...]
    cuts: tuple[SectionCut, ...] = ()

    @property
    def text(self) -> str:
        """All of them joined, in order."""
        return BREAK.join(section.text for section in self.sections)


def fit(sections: Iterable[PromptSection], tokens_max: int) -> FittedSections:
    """The non-empty sections, shortened until they fit."""
    kept = [section for section in sections if section.text]
    sizes = [section.tokens for section in kept]
    cuts: list[SectionCut] = []
    while sum(sizes) > tokens_max:
        # Of equal weights the later section is cut first: more important ones come earlier.
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

"""Sections: the named parts of a prompt, and how they are made shorter, step by step, until they fit.

Which sections there are is not known here. What has no step is never cut.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from talewright.llm.tokens import estimate_tokens

BREAK = "\n\n"
"""What stands between two sections."""


@dataclass(frozen=True, slots=True)
class Step:
    """One way of making a section shorter."""

    name: str
    """What is lost by it, such as `state.low`."""

    weight: int
    """Of all steps that are left, the one with the least weight is taken first."""

    text: str = ""
    """What stands there afterwards; empty where the section goes."""


@dataclass(frozen=True, slots=True)
class Section:
    """One part of a prompt."""

    name: str
    text: str
    steps: tuple[Step, ...] = ()
    """From the first to the last, each shorter than the one before and of no less weight."""

    @property
    def tokens(self) -> int:
        """A guess at its size."""
        return estimate_tokens(self.text)

    @property
    def weight(self) -> int | None:
        """That of the step by which it would be made shorter next; None where it is never cut."""
        return self.steps[0].weight if self.steps else None


@dataclass(frozen=True, slots=True)
class Cut:
    """Something that was left out because there was no room for it."""

    name: str
    tokens: int
    """How many it saved."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """Sections that fit, or cannot be made any shorter."""

    sections: tuple[Section, ...]
    cuts: tuple[Cut, ...] = ()

    @property
    def text(self) -> str:
        """All of them, in their order."""
        return BREAK.join(section.text for section in self.sections)


def fit(sections: Iterable[Section], tokens_max: int) -> Fitted:
    """The sections that say something, shortened until they fit."""
    kept = [section for section in sections if section.text]
    sizes = [section.tokens for section in kept]
    cuts: list[Cut] = []
    while sum(sizes) > tokens_max:
        # Of equal weights the later section goes first: what matters more stands further ahead.
        left = [(section.steps[0].weight, -at) for at, section in enumerate(kept) if section.steps]
        if not left:
            break
        at = -min(left)[1]
        step, *rest = kept[at].steps
        kept[at] = replace(kept[at], text=step.text, steps=tuple(rest))
        size = kept[at].tokens
        cuts.append(Cut(step.name, sizes[at] - size))
        sizes[at] = size
    return Fitted(tuple(section for section in kept if section.text), tuple(cuts))

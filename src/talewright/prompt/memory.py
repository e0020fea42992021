"""The memory: what lies behind the window, as a summary and a list of facts.

Frozen between two cuts: whoever hands it in sees to it that it is the memory as it was at the last cut.
"""

from collections.abc import Sequence

from talewright.llm.messages import Message, System, User
from talewright.llm.tokens import estimate_tokens
from talewright.prompt.clipping import clip, first_sentence
from talewright.prompt.marks import unmark
from talewright.prompt.sections import Section
from talewright.prompt.words.phrases import Phrases

SUMMARY_TOKENS_MAX = 1_100
"""Tokens of a summary as it is kept, by model or by engine."""

SUMMARY_WORDS_ASKED = 450
"""Words the condensing model is asked to stay within; of Chinese as many characters."""

SUMMARY_ANSWER_TOKENS_MAX = 1_000
"""Tokens of its answer."""

FACTS_TOKENS_MAX = 800
"""Tokens of the facts in a prompt; the newest are told."""

DIGEST_SAID_LENGTH_MAX = 80
DIGEST_TOLD_LENGTH_MAX = 120
"""Characters of what was said and told in one line of the engine's own summary."""


def write_memory(
    summary: str, facts: Sequence[str], phrases: Phrases, tokens_max: int
) -> tuple[Section, ...]:
    """The memory as sections; nothing where nothing lies behind. The newest facts are kept."""
    told = clip(unmark(summary.strip()), min(tokens_max, SUMMARY_TOKENS_MAX))
    left = min(tokens_max - estimate_tokens(told), FACTS_TOKENS_MAX)
    kept: list[str] = []
    for fact in reversed(facts):
        line = f"- {unmark(fact)}"
        left -= estimate_tokens(f"\n{line}")
        if left < 0:
            break
        kept.append(line)
    sections = []
    if told:
        sections.append(Section("summary", f"{phrases.memory}\n\n{told}"))
    if kept:
        heading = phrases.facts if told else f"{phrases.memory}\n\n{phrases.facts}"
        sections.append(Section("facts", "\n".join([heading, *reversed(kept)])))
    return tuple(sections)


def digest(summary: str, turns: Sequence[tuple[int, str, str]], phrases: Phrases) -> str:
    """The engine's own summary: a line a turn, beneath the summary so far; the oldest lines go first.

    A turn is its version, what was said and what was told.
    """
    lines = [line for line in summary.strip().split("\n") if line.strip()]
    for version, said, told in turns:
        spoken = first_sentence(said, DIGEST_SAID_LENGTH_MAX)
        heard = first_sentence(told, DIGEST_TOLD_LENGTH_MAX)
        template = phrases.digest_line if spoken else phrases.digest_silent
        lines.append(template.format(version=version, said=spoken, told=heard))
    sizes = [estimate_tokens(f"\n{line}") for line in lines]
    first = 0
    while first < len(lines) - 1 and sum(sizes[first:]) > SUMMARY_TOKENS_MAX:
        first += 1
    return clip("\n".join(lines[first:]), SUMMARY_TOKENS_MAX)


def ask_summary(summary: str, turns: Sequence[tuple[int, str, str]], phrases: Phrases) -> tuple[Message, ...]:
    """What the model that condenses is asked."""
    parts = [f"{phrases.summary_before}\n{summary.strip()}"] if summary.strip() else []
    parts.append(phrases.summary_turns)
    for _, said, told in turns:
        spoken = [phrases.summary_said.format(said=unmark(said))] if said else []
        parts.append("\n".join([*spoken, unmark(told)]) or phrases.going_on)
    return System(phrases.summary_rules.format(words=SUMMARY_WORDS_ASKED)), User("\n\n".join(parts))


def trim_summary(text: str) -> str:
    """A model's summary as it is kept."""
    return clip(text.strip(), SUMMARY_TOKENS_MAX)

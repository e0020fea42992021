"""Memory: summary and facts in a prompt, for turns before the window; also memories of systems.

Frozen between two cuts: the caller passes the memory as it was at the last cut.
"""

from collections.abc import Sequence
from dataclasses import replace

from talewright.kernel.system import SystemMemory
from talewright.llm.requests import Message, SystemMessage, UserMessage
from talewright.llm.token_estimate import estimate_tokens
from talewright.prompt.past_turns_part import unmark
from talewright.prompt.token_budget import FittedSections, PromptSection, SectionCut, clip, first_sentence
from talewright.prompt.words.phrases import Phrases

SUMMARY_TOKENS_MAX = 1_100
"""Tokens of a stored summary, by model or by engine."""

SUMMARY_WORDS_ASKED = 450
"""Words the summarizing model is asked to stay within, or as many Chinese characters."""

SUMMARY_ANSWER_TOKENS_MAX = 1_000
"""Tokens of its answer."""

FACTS_TOKENS_MAX = 800
"""Tokens of the facts in a prompt; the newest are included."""

DIGEST_SAID_LENGTH_MAX = 80
DIGEST_TOLD_LENGTH_MAX = 120
"""Characters of the input and of the narration, per line of the engine's own summary."""


def write_memory(
    summary: str,
    facts: Sequence[str],
    phrases: Phrases,
    tokens_max: int,
    memories: Sequence[SystemMemory] = (),
    memories_tokens_max: int = 0,
) -> FittedSections:
    """The memory as sections; empty if no turns have been cut. The newest facts are included."""
    told = clip(unmark(summary.strip()), min(tokens_max, SUMMARY_TOKENS_MAX))
    left = min(tokens_max - estimate_tokens(told), FACTS_TOKENS_MAX)
    kept: list[str] = []
    for fact in reversed(facts):
        line = f"- {unmark(fact)}"
        left -= estimate_tokens(f"\n{line}")
        if left < 0:
            break
        kept.append(line)
    listed = "\n".join([phrases.facts, *reversed(kept)]) if kept else ""
    others = write_memories(memories, memories_tokens_max)
    sections = [PromptSection("summary", told), PromptSection("facts", listed), *others.sections]
    said = [section for section in sections if section.text]
    if said:
        said[0] = replace(said[0], text=f"{phrases.memory}\n\n{said[0].text}")
    return FittedSections(tuple(said), others.cuts)


def keep_newest(text: str, tokens_max: int) -> str:
    """The last lines of a text that fit, at least one."""
    lines = text.strip().split("\n")
    while len(lines) > 1 and estimate_tokens("\n".join(lines)) > tokens_max:
        del lines[0]
    return "\n".join(lines)


def write_memories(memories: Sequence[SystemMemory], tokens_max: int) -> FittedSections:
    """The memories of systems, each under its title; if they are too long, the longest are cut first."""
    sections = [
        PromptSection(f"memory {memory.title}", f"# {unmark(memory.title)}\n{unmark(memory.text.strip())}")
        for memory in memories
    ]
    most = _find_share([section.tokens for section in sections], tokens_max)
    cuts = []
    for at, section in enumerate(sections):
        if section.tokens > most:
            sections[at] = replace(section, text=clip(section.text, most))
            cuts.append(SectionCut(section.name, section.tokens - sections[at].tokens))
    return FittedSections(tuple(sections), tuple(cuts))


def _find_share(sizes: Sequence[int], tokens_max: int) -> int:
    """How much room each may take, so that together they fit and none is cut needlessly."""
    left = tokens_max
    for at, size in enumerate(sorted(sizes)):
        share = left // (len(sizes) - at)
        if size > share:
            return share
        left -= size
    return tokens_max


def digest(summary: str, turns: Sequence[tuple[int, str, str]], phrases: Phrases) -> str:
    """The engine's own summary: a line per turn, below the summary so far; the oldest lines go first.

    A turn is its version, the player's words and the narration.
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
    """The request to the summarizing model."""
    parts = [f"{phrases.summary_before}\n{summary.strip()}"] if summary.strip() else []
    parts.append(phrases.summary_turns)
    for _, said, told in turns:
        spoken = [phrases.summary_said.format(said=unmark(said))] if said else []
        parts.append("\n".join([*spoken, unmark(told)]) or phrases.going_on)
    return SystemMessage(phrases.summary_rules.format(words=SUMMARY_WORDS_ASKED)), UserMessage(
        "\n\n".join(parts)
    )


def trim_summary(text: str) -> str:
    """A model's summary as it is stored."""
    return clip(text.strip(), SUMMARY_TOKENS_MAX)

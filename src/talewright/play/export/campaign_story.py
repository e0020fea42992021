"""The story of a campaign as a reader may read it, its narration parsed as a small part of Markdown.

Only what the player said and was told is in it. No state, no change, no roll and no hidden text is.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from talewright.chronicle.records import Commit
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_words
from talewright.common.safe_text import clean, clean_line
from talewright.play.history.campaign_history import CampaignHistory, imported_of
from talewright.play.playable_games import PinnedGames


class ProseWeight(StrEnum):
    """How a run of words is told."""

    PLAIN = "plain"
    EMPHASIS = "emphasis"
    STRONG = "strong"


@frozen
class ProseSpan:
    """Words told alike."""

    text: str
    weight: ProseWeight = ProseWeight.PLAIN


class ProseBlockKind(StrEnum):
    """What a block is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    QUOTE = "quote"
    ITEM = "item"
    BREAK = "break"


@frozen
class ProseBlock:
    """A block of a narration."""

    kind: ProseBlockKind
    lines: tuple[tuple[ProseSpan, ...], ...] = ()


SPAN_LENGTH_MAX = 400
"""Characters between two signs of emphasis; signs further apart are only signs."""

_BREAK = re.compile(r"\s*([-*_])\s*(\1\s*){2,}")
_MARKED = (
    (ProseBlockKind.HEADING, re.compile(r"\s{0,3}#{1,6}\s+(.*)")),
    (ProseBlockKind.QUOTE, re.compile(r"\s{0,3}>\s?(.*)")),
    (ProseBlockKind.ITEM, re.compile(r"\s*[-*+]\s+(.*)")),
)
_WEIGHED = re.compile(
    rf"(\*\*|__)(?=\S)(.{{1,{SPAN_LENGTH_MAX}}}?)(?<=\S)\1"
    rf"|(?<!\w)([*_])(?=\S)([^*_]{{1,{SPAN_LENGTH_MAX}}}?)(?<=\S)\3(?!\w)"
)
"""Strong between two stars or underscores, emphasis between one; within a word they are only signs."""


def read_prose(text: str) -> tuple[ProseBlock, ...]:
    """The blocks of a narration, in order."""
    blocks: list[ProseBlock] = []
    open_lines: list[tuple[ProseSpan, ...]] = []
    open_kind = ProseBlockKind.PARAGRAPH

    def close() -> None:
        if open_lines:
            blocks.append(ProseBlock(open_kind, tuple(open_lines)))
            open_lines.clear()

    for line in clean(text).replace("\t", " ").split("\n"):
        kind, words = _read_line(line)
        if kind is ProseBlockKind.BREAK or not words:
            close()
            if kind is ProseBlockKind.BREAK:
                blocks.append(ProseBlock(kind))
            continue
        # Lines of a paragraph or of a quote belong together; every heading and item stands by itself.
        if kind is not open_kind or kind in (ProseBlockKind.HEADING, ProseBlockKind.ITEM):
            close()
            open_kind = kind
        open_lines.append(read_spans(words))
    close()
    return tuple(blocks)


def read_spans(text: str) -> tuple[ProseSpan, ...]:
    """The runs of one line."""
    spans: list[ProseSpan] = []
    at = 0
    for found in _WEIGHED.finditer(text):
        if found.start() > at:
            spans.append(ProseSpan(text[at : found.start()]))
        strong = found[1] is not None
        spans.append(
            ProseSpan(
                found[2] if strong else found[4], ProseWeight.STRONG if strong else ProseWeight.EMPHASIS
            )
        )
        at = found.end()
    if at < len(text):
        spans.append(ProseSpan(text[at:]))
    return tuple(spans)


def _read_line(line: str) -> tuple[ProseBlockKind, str]:
    if _BREAK.fullmatch(line):
        return ProseBlockKind.BREAK, ""
    for kind, pattern in _MARKED:
        found = pattern.fullmatch(line)
        if found:
            words = found[1].strip()
            return kind, words.rstrip("#").rstrip() if kind is ProseBlockKind.HEADING else words
    return ProseBlockKind.PARAGRAPH, line.strip()


CHAPTER_TURNS = 25
"""Turns in one chapter of a book."""


class StoryWord(StrEnum):
    """The fixed words of a story."""

    THE_END = "the_end"
    WON = "won"
    LOST = "lost"
    UNFINISHED = "unfinished"
    CONTENTS = "contents"
    CHAPTER = "chapter"


_ENGLISH: Mapping[StoryWord, str] = {
    StoryWord.THE_END: "The End",
    StoryWord.WON: "The game was won.",
    StoryWord.LOST: "The game was lost.",
    StoryWord.UNFINISHED: "The story goes on.",
    StoryWord.CONTENTS: "Contents",
    StoryWord.CHAPTER: "Chapter {number}",
}
_CHINESE: Mapping[StoryWord, str] = {
    StoryWord.THE_END: "终",
    StoryWord.WON: "这一局，你赢了。",
    StoryWord.LOST: "这一局，你输了。",
    StoryWord.UNFINISHED: "故事未完。",
    StoryWord.CONTENTS: "目录",
    StoryWord.CHAPTER: "第 {number} 章",
}
_WORDS = {"en": _ENGLISH, "zh-CN": _CHINESE}


@frozen
class StoryPassage:
    """One turn to read."""

    said: str
    """What the player said, on one line; empty where it was nothing."""

    blocks: tuple[ProseBlock, ...]


@frozen
class ExportedStory:
    """A campaign to read."""

    title: str
    language: str
    campaign: str
    at: str
    """When its last turn was taken."""

    identity: str
    """The id of the first turn: the same for every export of one campaign."""

    passages: tuple[StoryPassage, ...]
    outcome: str = ""
    """`win` or `lose`; empty while the story goes on."""

    def word(self, word: StoryWord, **parts: object) -> str:
        """A fixed word in the language of the story; English for those we do not speak."""
        return pick_words(self.language, _WORDS)[word].format(**parts)

    @property
    def closing(self) -> tuple[str, ...]:
        """The last lines."""
        if not self.outcome:
            return (self.word(StoryWord.UNFINISHED),)
        return self.word(StoryWord.THE_END), self.word(
            StoryWord.WON if self.outcome == "win" else StoryWord.LOST
        )

    @property
    def chapters(self) -> tuple[tuple[StoryPassage, ...], ...]:
        """The passages in portions that a book can hold together."""
        starts = range(0, len(self.passages), CHAPTER_TURNS)
        return tuple(self.passages[start : start + CHAPTER_TURNS] for start in starts)


async def tell_story(
    games: PinnedGames, history: CampaignHistory, last: Commit | None = None
) -> ExportedStory:
    """The story up to a turn, or to where the campaign stands."""
    last = last or history.head
    line = history.lineage(last)
    edition = await games.of(last)
    language = next((str(turn.body["language"]) for turn in reversed(line) if turn.body.get("language")), "")
    language = language or edition.game.language
    end = last.body.get("end")
    return ExportedStory(
        title=clean_line(edition.words(language).find("title")) or edition.game.id,
        language=language,
        campaign=history.campaign,
        at=last.at,
        identity=line[0].id,
        passages=tuple(_passages(line)),
        outcome=str(end.get("outcome", "")) if isinstance(end, Mapping) else "",
    )


def _passages(line: Sequence[Commit]) -> list[StoryPassage]:
    told = [*_imported(line[0]), *((turn.body.get("said"), turn.body.get("narration")) for turn in line)]
    passages = (
        StoryPassage(clean_line(said) if isinstance(said, str) else "", read_prose(narration))
        for said, narration in told
        if isinstance(narration, str)
    )
    return [passage for passage in passages if passage.said or passage.blocks]


def _imported(root: Commit) -> list[tuple[Json, Json]]:
    """What was said and told before the campaign was brought here from a save game."""
    history = imported_of(root).get("history")
    turns = history if isinstance(history, list) else []
    return [(turn.get("player_input"), turn.get("narrative")) for turn in turns if isinstance(turn, Mapping)]

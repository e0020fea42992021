"""The story of a campaign for readers, with its narration parsed as a small subset of Markdown.

It contains only what the player said and read, including dice and events. It contains no state and no hidden
text.
"""

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum

from talewright.chronicle.records import Commit
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.safe_text import clean, clean_line
from talewright.common.word_catalogues import read_word
from talewright.kernel.game import Game
from talewright.kernel.story.triggers import Event
from talewright.play.campaign_view import Viewer
from talewright.play.history.campaign_history import CampaignHistory, imported_of
from talewright.play.playable_games import PinnedGames
from talewright.play.presentation.change_wording import is_told, tell_events
from talewright.play.presentation.roll_wording import tell_rolls, tell_turn_rolls
from talewright.play.presentation.value_wording import Wording
from talewright.turn.records.commit_body import read_body


class ProseWeight(StrEnum):
    """The emphasis of a run of text."""

    PLAIN = "plain"
    EMPHASIS = "emphasis"
    STRONG = "strong"


@frozen
class ProseSpan:
    """A run of text with the same emphasis."""

    text: str
    weight: ProseWeight = ProseWeight.PLAIN


class ProseBlockKind(StrEnum):
    """The kind of a block."""

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
"""The maximum number of characters between two emphasis marks; marks further apart are literal."""

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
"""Strong between two stars or underscores, emphasis between one; inside a word they are literal."""


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
        # Lines of a paragraph or quote belong together; every heading and list item is a block.
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
"""Turns per chapter of a book."""


class StoryWord(StrEnum):
    """The fixed words of a story."""

    THE_END = "the_end"
    WON = "won"
    LOST = "lost"
    UNFINISHED = "unfinished"
    CONTENTS = "contents"
    CHAPTER = "chapter"
    DICE = "dice"


@frozen
class StoryPassage:
    """One turn to read."""

    said: str
    """What the player said, on one line; may be empty."""

    blocks: tuple[ProseBlock, ...]
    dice: tuple[str, ...] = ()
    """Dice rolled before the narration, one per line; shown before it."""

    events: tuple[str, ...] = ()
    """Dice rolled later and events, one per line; shown after the narration."""


@frozen
class ExportedStory:
    """A campaign to read."""

    title: str
    language: str
    campaign: str
    at: str
    """The time of its last turn."""

    identity: str
    """The id of the first turn: the same for every export of a campaign."""

    passages: tuple[StoryPassage, ...]
    outcome: str = ""
    """`win` or `lose`; empty for an unfinished story."""

    def word(self, word: StoryWord, **parts: object) -> str:
        """A fixed word in the story's language; English if it is not supported."""
        return _say(self.language, word, **parts)

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
        """The passages in groups that fit a chapter."""
        starts = range(0, len(self.passages), CHAPTER_TURNS)
        return tuple(self.passages[start : start + CHAPTER_TURNS] for start in starts)


async def tell_story(
    games: PinnedGames, history: CampaignHistory, last: Commit | None = None
) -> ExportedStory:
    """The story up to a turn, or up to the current one."""
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
        passages=tuple(await _passages(games, line, language)),
        outcome=str(end.get("outcome", "")) if isinstance(end, Mapping) else "",
    )


def _say(language: str, word: StoryWord, **parts: object) -> str:
    return read_word("story_export", word, language).format(**parts)


async def _passages(games: PinnedGames, line: Sequence[Commit], language: str) -> list[StoryPassage]:
    edition = await games.of(line[0])
    wording = Wording(edition.words(language), language)
    passages = [_imported(turn, edition.game, wording) for turn in _earlier(line[0])]
    for turn in line:
        edition = await games.of(turn)
        spoken = str(turn.body.get("language") or language)
        passages.append(_passage(turn, edition.game, Wording(edition.words(spoken), spoken)))
    return [one for one in passages if one.said or one.blocks or one.dice or one.events]


def _passage(turn: Commit, game: Game, wording: Wording) -> StoryPassage:
    body = read_body(turn.body)
    rolls = tell_turn_rolls(body, game, wording, Viewer.PLAYER)
    late = [_tell_dice(roll.text, wording) for roll in rolls if roll.late]
    return StoryPassage(
        clean_line(body.said),
        read_prose(body.narration),
        tuple(_tell_dice(roll.text, wording) for roll in rolls if not roll.late),
        (*late, *(clean_line(text) for text, _ in tell_events(body.events, wording, Viewer.PLAYER))),
    )


def _earlier(root: Commit) -> list[Mapping[str, Json]]:
    """The turns before the campaign was imported from a save game."""
    history = imported_of(root).get("history")
    return [turn for turn in history if isinstance(turn, Mapping)] if isinstance(history, list) else []


def _imported(turn: Mapping[str, Json], game: Game, wording: Wording) -> StoryPassage:
    """A turn from a save game. The file is untrusted, so it may have any shape."""
    said, narration = turn.get("player_input"), turn.get("narrative")
    rolls = tell_rolls(_listed(turn.get("rolls")), game, wording, Viewer.PLAYER)
    return StoryPassage(
        clean_line(said) if isinstance(said, str) else "",
        read_prose(narration) if isinstance(narration, str) else (),
        tuple(_tell_dice(roll.text, wording) for roll in rolls),
        tuple(filter(None, map(_imported_event, _listed(turn.get("events"))))),
    )


def _imported_event(raw: Json) -> str:
    """The text of an event in a save game, if a player may read it."""
    kind, text = (raw.get("type"), raw.get("text")) if isinstance(raw, Mapping) else (None, None)
    if not isinstance(kind, str) or not isinstance(text, str):
        return ""
    return clean_line(text) if is_told(Event(kind, text, ""), Viewer.PLAYER) else ""


def _tell_dice(text: str, wording: Wording) -> str:
    return _say(wording.language, StoryWord.DICE, text=clean_line(text))


def _listed(raw: Json) -> Sequence[Json]:
    return raw if isinstance(raw, list) else ()

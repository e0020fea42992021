"""Stories: a campaign as a reader may read it, turn after turn to where it stands.

Only what the player said and was told is in it. No state, no change, no roll and no hidden text is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from talewright.chronicle.records import Commit
from talewright.kernel.state.documents import Json
from talewright.play.home.pinned_games import PinnedGames
from talewright.play.looking_back.histories import History, imported_of
from talewright.play.looking_back.prose import Block, read_prose
from talewright.play.showing.wording import clean_line

CHAPTER_TURNS = 25
"""Turns in one chapter of a book."""


class Word(StrEnum):
    """The fixed words of a story."""

    THE_END = "the_end"
    WON = "won"
    LOST = "lost"
    UNFINISHED = "unfinished"
    CONTENTS = "contents"
    CHAPTER = "chapter"


_ENGLISH: Mapping[Word, str] = {
    Word.THE_END: "The End",
    Word.WON: "The game was won.",
    Word.LOST: "The game was lost.",
    Word.UNFINISHED: "The story goes on.",
    Word.CONTENTS: "Contents",
    Word.CHAPTER: "Chapter {number}",
}
_CHINESE: Mapping[Word, str] = {
    Word.THE_END: "终",
    Word.WON: "这一局，你赢了。",
    Word.LOST: "这一局，你输了。",
    Word.UNFINISHED: "故事未完。",
    Word.CONTENTS: "目录",
    Word.CHAPTER: "第 {number} 章",
}


@dataclass(frozen=True, slots=True)
class Passage:
    """One turn to read."""

    said: str
    """What the player said, on one line; empty where it was nothing."""

    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class Story:
    """A campaign to read."""

    title: str
    language: str
    campaign: str
    at: str
    """When its last turn was taken."""

    identity: str
    """The id of the first turn: the same for every export of one campaign."""

    passages: tuple[Passage, ...]
    outcome: str = ""
    """`win` or `lose`; empty while the story goes on."""

    def word(self, word: Word, **parts: object) -> str:
        """A fixed word in the language of the story; English for those we do not speak."""
        words = _CHINESE if self.language.lower().startswith("zh") else _ENGLISH
        return words[word].format(**parts)

    @property
    def closing(self) -> tuple[str, ...]:
        """The last lines."""
        if not self.outcome:
            return (self.word(Word.UNFINISHED),)
        return self.word(Word.THE_END), self.word(Word.WON if self.outcome == "win" else Word.LOST)

    @property
    def chapters(self) -> tuple[tuple[Passage, ...], ...]:
        """The passages in portions that a book can hold together."""
        starts = range(0, len(self.passages), CHAPTER_TURNS)
        return tuple(self.passages[start : start + CHAPTER_TURNS] for start in starts)


async def tell_story(games: PinnedGames, history: History, last: Commit | None = None) -> Story:
    """The story up to a turn, or to where the campaign stands."""
    last = last or history.head
    line = history.lineage(last)
    edition = await games.of(last)
    language = next((str(turn.body["language"]) for turn in reversed(line) if turn.body.get("language")), "")
    language = language or edition.game.language
    end = last.body.get("end")
    return Story(
        title=clean_line(edition.words(language).find("title")) or edition.game.id,
        language=language,
        campaign=history.campaign,
        at=last.at,
        identity=line[0].id,
        passages=tuple(_passages(line)),
        outcome=str(end.get("outcome", "")) if isinstance(end, Mapping) else "",
    )


def _passages(line: Sequence[Commit]) -> list[Passage]:
    told = [*_imported(line[0]), *((turn.body.get("said"), turn.body.get("narration")) for turn in line)]
    passages = (
        Passage(clean_line(said) if isinstance(said, str) else "", read_prose(narration))
        for said, narration in told
        if isinstance(narration, str)
    )
    return [passage for passage in passages if passage.said or passage.blocks]


def _imported(root: Commit) -> list[tuple[Json, Json]]:
    """What was said and told before the campaign was brought here from a save game."""
    history = imported_of(root).get("history")
    turns = history if isinstance(history, list) else []
    return [(turn.get("player_input"), turn.get("narrative")) for turn in turns if isinstance(turn, Mapping)]

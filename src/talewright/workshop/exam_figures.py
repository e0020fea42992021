"""Figures of an examination: how a model narrated its campaigns, counted from their records.

Nothing is measured here. The same records always give the same figures.
"""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.language_tags import pick_words
from talewright.play.history.campaign_cost import CampaignCost, Cost
from talewright.play.history.campaign_history import CampaignHistory
from talewright.turn.background.asides import ERRAND
from talewright.turn.records.commit_body import MODEL, SCENES, TurnBody, read_body
from talewright.turn.records.flaw_kinds import FlawKind, sort_flaws

TRIED = frozenset({"committed", "degraded", "failed"})
"""Verdicts of attempts that finished."""

FOREIGN_SHARE_MAX = 0.1
"""A narration with a greater share of letters in another script counts as being in another language."""


WIDE_SCRIPTS: Mapping[str, bool] = {"en": False, "zh-CN": True, "ja": True, "ko": True}
"""Whether a language is written in wide characters; languages not listed here are not."""


@dataclass(slots=True)
class ExamFigures:
    """How a model narrated one game."""

    campaigns: int = 0
    at_once: int = 0
    """Turns narrated by the model's first answer."""

    repaired: int = 0
    """Turns narrated by the model after one or more repairs."""

    by_scene: int = 0
    """Turns that a scene narrated because the model could not."""

    untold: int = 0
    """Attempts that failed, with no scene to narrate the turn either."""

    repairs: int = 0
    """Answers that had to be requested again."""

    unanswered: int = 0
    """Requests without an answer: the server could not be reached, was too slow, or refused."""

    cut: int = 0
    """Answers that reached their length limit."""

    flaws: Counter[tuple[FlawKind, str]] = field(default_factory=Counter)
    """Why answers were requested again, in the words sent to the model."""

    dropped: Counter[str] = field(default_factory=Counter)
    """Proposals that were refused without a repair, and why."""

    in_language: int = 0
    """Turns narrated by the model in the campaign's language, judging by the script."""

    seconds: list[float] = field(default_factory=list)
    """How long the requests of each turn took, in order."""

    cost: Cost = field(default_factory=Cost)

    @property
    def told(self) -> int:
        """Turns narrated by the model."""
        return self.at_once + self.repaired

    @property
    def turns(self) -> int:
        """Turns that the model was asked to narrate."""
        return self.told + self.by_scene + self.untold

    @property
    def hidden(self) -> int:
        """Answers that quoted or named hidden things; none of that was shown."""
        return self.count(FlawKind.HIDDEN)

    @property
    def refused(self) -> int:
        """Proposals that were refused."""
        return self.count(FlawKind.REFUSED) + self.dropped.total()

    def count(self, kind: FlawKind) -> int:
        """How often a kind of flaw was found."""
        return sum(number for (one, _), number in self.flaws.items() if one is kind)

    def share(self, number: int) -> float:
        """A share of the turns."""
        return number / self.turns if self.turns else 0.0

    @property
    def cached_share(self) -> float:
        """The share of input tokens that were cached by the model's server."""
        read = self.cost.cached_tokens + self.cost.uncached_tokens
        return self.cost.cached_tokens / read if read else 0.0

    @property
    def times(self) -> "ExamTimes":
        """How long the turns took."""
        seconds = self.seconds or [0.0]
        return ExamTimes(median(seconds), max(seconds), sum(seconds))

    def add(self, history: CampaignHistory, costs: CampaignCost) -> None:
        """Count one more campaign."""
        self.campaigns += 1
        self.cost += costs.total
        committed = {commit.operation_id for commit in history.commits.values()}
        for commit in history.commits.values():
            body = read_body(commit.body)
            self._add_turn(body, _tellings(body.exchanges))
        tries = (attempt for attempts in history.attempts.values() for attempt in attempts)
        for attempt in tries:
            if "asks" not in attempt.body or attempt.verdict.value not in TRIED:
                continue
            self.seconds.append(cast(float, attempt.body.get("seconds", 0.0)))
            told = list(_tellings(cast(Sequence[Json], attempt.body.get("exchanges", ()))))
            self._add_answers(told)
            self.untold += bool(told) and attempt.operation_id not in committed

    def _add_turn(self, body: TurnBody, tellings: Iterable[Mapping[str, Json]]) -> None:
        told = list(tellings)
        if not told:
            # No model was asked: most games open with the author's own words.
            return
        self._add_answers(told)
        mended = any("mend" in exchange for exchange in told)
        self.at_once += body.told == MODEL and not mended
        self.repaired += body.told == MODEL and mended
        self.by_scene += body.told == SCENES
        self.in_language += body.told == MODEL and is_in_language(body.narration, body.language)
        for ruling in cast(Sequence[Mapping[str, Json]], body.rulings):
            if ruling["ruling"] == "refused":
                self.dropped[str(ruling["reason"])] += 1

    def _add_answers(self, told: Sequence[Mapping[str, Json]]) -> None:
        for exchange in told:
            self.repairs += "mend" in exchange
            self.unanswered += "trouble" in exchange
            self.cut += exchange.get("stop") == "length"
            self.flaws.update(sort_flaws(exchange))


@frozen
class ExamTimes:
    """How long the turns of an examination took, in seconds."""

    median: float
    longest: float
    total: float


def _tellings(exchanges: Sequence[Json]) -> Iterator[Mapping[str, Json]]:
    """The requests that a turn was narrated with."""
    for exchange in cast(Sequence[Mapping[str, Json]], exchanges):
        if not str(exchange.get("purpose", "")).startswith(ERRAND):
            yield exchange


def is_in_language(text: str, language: str) -> bool:
    """Whether a narration is written in the script of a language: Chinese characters, or other letters."""
    letters = [sign for sign in text if sign.isalpha()]
    if not letters:
        return True
    wide = sum(unicodedata.east_asian_width(sign) in ("W", "F") for sign in letters) / len(letters)
    if pick_words(language, WIDE_SCRIPTS):
        # A name or a term in Latin script has many letters.
        return wide >= 1 / 2
    return wide <= FOREIGN_SHARE_MAX

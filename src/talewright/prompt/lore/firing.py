"""Firing: which entries of lore come up in a turn, which do not, and why.

An entry that comes up is written into the transcript with that turn's input and stays there, so it is brought
up once as long as it is in view. Order of the questions: is it withheld, is it in view or resting, does
anything call for it, is another of its group told, is there room.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import accumulate
from typing import assert_never

from talewright.kernel.game import Game
from talewright.kernel.state.state import Position
from talewright.kernel.story.cast_and_cards import Lore, LoreLogic
from talewright.kernel.story.game_texts import Texts
from talewright.llm.tokens import estimate_tokens
from talewright.prompt.lore.entries import list_always, word_entry
from talewright.prompt.lore.keys import Passage

LORE_TOKENS_MAX = 1_000
"""Tokens of all the entries that come up in one turn."""

RECURSION_MAX = 3
"""How many times texts of entries may bring up further entries in one turn."""


class Why(StrEnum):
    """Why an entry was told in a turn, or was not."""

    KEY = "key"
    CONDITION = "condition"
    CONSTANT = "constant"
    STICKY = "sticky"
    """It was told a short while ago, and the turn it stood in has been cut."""

    FROZEN = "frozen"
    """It stands in the frozen part, in every turn."""

    IN_VIEW = "in view"
    """It stands in the transcript already."""

    WITHHELD = "withheld"
    """Its `reveal_when` does not hold."""

    RESTING = "resting"
    """Its cooldown is not over."""

    UNMENTIONED = "unmentioned"
    """Nothing calls for it."""

    GROUP = "group"
    """Another of its group is told."""

    NO_ROOM = "no room"


TOLD = frozenset({Why.KEY, Why.CONDITION, Why.CONSTANT, Why.STICKY})
"""The reasons for which an entry is written into this turn."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one entry in one turn."""

    entry: str
    why: Why
    detail: str = ""
    """The key that was found, or the entry whose text or whose group it was."""

    text: str = ""
    """What is told; only where it is."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """What the entries of a turn are asked about."""

    words: Sequence[str]
    """The newest input and the last answers."""

    in_view: frozenset[str] = frozenset()
    """Entries that stand in the transcript."""

    told_at: Mapping[str, int] = field(default_factory=dict)
    """When an entry was last told, of those for which that still matters."""

    seed: str = ""
    """What the choice within a group hangs on: the same seed, the same choice."""


def hear(game: Game, texts: Texts, position: Position, hearing: Hearing) -> tuple[Verdict, ...]:
    """What becomes of every entry: those that are told first, in their order, then the others."""
    return _Court(game, texts, position, hearing).judge()


class _Court:
    """One turn's entries at work."""

    def __init__(self, game: Game, texts: Texts, position: Position, hearing: Hearing) -> None:
        self._texts = texts
        self._document = position.state.document
        self._turn = position.turn
        self._hearing = hearing
        self._frozen = {entry.id for entry in list_always(game)}
        self._entries = sorted(game.lore, key=lambda entry: (entry.priority, entry.id))
        self._groups = {
            entry.group: entry.id for entry in game.lore if entry.group and entry.id in hearing.in_view
        }
        """Of each group the entry that is told."""

        self._room = LORE_TOKENS_MAX
        self._verdicts: dict[str, Verdict] = {}

    def judge(self) -> tuple[Verdict, ...]:
        passages = [("", Passage("\n".join(self._hearing.words)))]
        for round_number in range(RECURSION_MAX + 1):
            called: dict[str, Verdict] = {}
            for entry in self._entries:
                before = self._verdicts.get(entry.id)
                if before is None or before.why is Why.UNMENTIONED:
                    called[entry.id] = self._ask(entry, passages, first=round_number == 0)
            told = self._choose(called)
            recursing = {entry.id for entry in self._entries if entry.recurse}
            passages = [(v.entry, Passage(v.text)) for v in told if v.entry in recursing]
            if not passages:
                break
        ordered = sorted(self._verdicts.values(), key=lambda verdict: verdict.why not in TOLD)
        return tuple(ordered)

    def _ask(self, entry: Lore, passages: Sequence[tuple[str, Passage]], *, first: bool) -> Verdict:
        document, turn = self._document, self._turn
        if entry.id in self._frozen:
            return Verdict(entry.id, Why.FROZEN)
        if entry.reveal_when is not None and not entry.reveal_when.holds(document, turn):
            return Verdict(entry.id, Why.WITHHELD)
        if entry.id in self._hearing.in_view:
            # It stays for some turns after it was last mentioned, also beyond a cut.
            mentioned = self._call(entry, passages, first=False) if entry.sticky else None
            return Verdict(entry.id, Why.IN_VIEW, mentioned.detail if mentioned else "")
        told_at = self._hearing.told_at.get(entry.id)
        if told_at is not None and turn < told_at + entry.sticky:
            return Verdict(entry.id, Why.STICKY)
        if told_at is not None and turn < told_at + entry.cooldown:
            return Verdict(entry.id, Why.RESTING)
        return self._call(entry, passages, first=first)

    def _call(self, entry: Lore, passages: Sequence[tuple[str, Passage]], *, first: bool) -> Verdict:
        """Whether anything calls for an entry: its condition narrows its keys, or is the call itself."""
        if entry.when is not None and not entry.when.holds(self._document, self._turn):
            return Verdict(entry.id, Why.UNMENTIONED)
        keys = self._texts.several(f"lore.{entry.id}.keys")
        if first and entry.constant:
            return Verdict(entry.id, Why.CONSTANT)
        if first and entry.when is not None and not keys:
            return Verdict(entry.id, Why.CONDITION)
        for source, passage in passages:
            found = _find(entry, passage, keys)
            if found and self._is_narrowed(entry, passage):
                return Verdict(entry.id, Why.KEY, f"{found} ({source})" if source else found)
        return Verdict(entry.id, Why.UNMENTIONED)

    def _is_narrowed(self, entry: Lore, passage: Passage) -> bool:
        """Whether the secondary keys let an entry through whose first keys were found."""
        secondary = self._texts.several(f"lore.{entry.id}.secondary_keys")
        if not secondary:
            return True
        match entry.logic:
            case LoreLogic.ANY_AND_ANY:
                return bool(_find(entry, passage, secondary))
            case LoreLogic.ANY_AND_ALL:
                return all(_find(entry, passage, (key,)) for key in secondary)
            case LoreLogic.ANY_AND_NONE:
                return not _find(entry, passage, secondary)
            case _:
                assert_never(entry.logic)

    def _choose(self, called: Mapping[str, Verdict]) -> list[Verdict]:
        """Let those that are called be told, one of each group, as far as there is room."""
        told: list[Verdict] = []
        chosen = self._draw_groups(called)
        for entry in self._entries:
            verdict = called.get(entry.id)
            if verdict is None:
                continue
            if verdict.why in TOLD:
                verdict = self._admit(entry, verdict, chosen)
            self._verdicts[entry.id] = verdict
            if verdict.why in TOLD:
                told.append(verdict)
        return told

    def _admit(self, entry: Lore, verdict: Verdict, chosen: Mapping[str, str]) -> Verdict:
        rival = self._groups.get(entry.group) or chosen.get(entry.group, entry.id)
        if entry.group and rival != entry.id:
            return Verdict(entry.id, Why.GROUP, rival)
        text = word_entry(entry, self._texts)
        tokens = estimate_tokens(text)
        if tokens > self._room or not text:
            return Verdict(entry.id, Why.NO_ROOM)
        self._room -= tokens
        if entry.group:
            self._groups[entry.group] = entry.id
        return Verdict(entry.id, verdict.why, verdict.detail, text)

    def _draw_groups(self, called: Mapping[str, Verdict]) -> dict[str, str]:
        """Of each group one of those that are called, the heavier the likelier."""
        groups: dict[str, list[Lore]] = {}
        for entry in self._entries:
            if entry.group and entry.id in called and called[entry.id].why in TOLD:
                groups.setdefault(entry.group, []).append(entry)
        return {group: _draw(entries, f"{self._hearing.seed}\0{group}") for group, entries in groups.items()}


def _find(entry: Lore, passage: Passage, keys: Sequence[str]) -> str:
    if entry.regex:
        return passage.match(keys, case_sensitive=entry.case_sensitive)
    return passage.find(keys, whole_words=entry.whole_words, case_sensitive=entry.case_sensitive)


def _draw(entries: Sequence[Lore], seed: str) -> str:
    """One entry by weight, always the same for the same seed. No die of the game is touched."""
    weights = [entry.weight for entry in entries]
    bounds = list(accumulate(weights if any(weights) else [1] * len(weights)))
    point = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8]) % bounds[-1]
    return next(entry.id for entry, bound in zip(entries, bounds, strict=True) if point < bound)

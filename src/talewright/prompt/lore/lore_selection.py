"""Selection of lore: which entries are added to a turn by key or condition, which are not, and why.

A key must be a whole word unless the author says otherwise. In scripts written without blanks, a key matches
anywhere.
"""

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import assert_never

from talewright.common.frozen_values import frozen
from talewright.common.work_meter import COPIED_PER_STEP, count_work
from talewright.kernel.game import Game
from talewright.kernel.state.state import Position
from talewright.kernel.story.cast import Lore, LoreLogic
from talewright.kernel.story.game_texts import Texts
from talewright.llm.token_estimate import estimate_tokens
from talewright.prompt.lore.regex_matcher import WORK_MAX, make_automaton
from talewright.prompt.lore.regex_parser import PatternError
from talewright.prompt.token_budget import clip


def word_entry(entry: Lore, texts: Texts) -> str:
    """The text of an entry for the prompt: on one line, and within its budget."""
    text = " ".join(texts.find(f"lore.{entry.id}.text").split())
    return clip(text, entry.budget) if entry.budget else text


def list_always(game: Game) -> tuple[Lore, ...]:
    """The entries that always apply: they are in the frozen part."""
    always = (e for e in game.lore if e.constant and e.when is None and e.reveal_when is None and not e.group)
    return tuple(sorted(always, key=lambda entry: (entry.priority, entry.id)))


def still_matters(entry: Lore, told_at: int, turn: int) -> bool:
    """Whether a turn still needs to know when an entry was last used."""
    return turn < told_at + max(entry.sticky, entry.cooldown)


_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff\uff66-\uff9f"
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff]"
)
"""Thai, Lao, Burmese, Khmer, Chinese, Japanese; and Korean, where endings are joined to the word."""

KEYS_KEPT_MAX = 20_000
"""Cached keys, prepared for comparison."""

_START = 3
"""Leading characters of a key used to rule it out quickly."""

PREPARING_STEPS = 2
"""Steps of work for each step of preparing a pattern, even if it was prepared before."""

SIGNS_PER_STEP = 4
"""Characters that a pattern reads in one step of work."""


class SearchedPassage:
    """A text to search, prepared once for all keys.

    A game may have thousands of keys, and a passage contains only a few: most are ruled out by their first
    characters, without searching the passage for each.
    """

    def __init__(self, text: str) -> None:
        self._plain = unicodedata.normalize("NFC", text)
        self._folded = self._plain.casefold()

    @cached_property
    def _starts(self) -> frozenset[str]:
        """All possible starts of a key, ignoring case."""
        return frozenset(self._folded[at : at + _START] for at in range(len(self._folded)))

    def find(self, keys: Sequence[str], *, whole_words: bool, case_sensitive: bool) -> str:
        """The first of these keys that occurs; empty if none does."""
        text = self._plain if case_sensitive else self._folded
        count_work(len(keys))
        for key in keys:
            plain, folded = _prepare(key)
            if len(folded) >= _START and folded[:_START] not in self._starts:
                continue
            count_work(len(text) // COPIED_PER_STEP)
            if plain and _occurs(plain if case_sensitive else folded, text, whole_words):
                return key
        return ""

    def match(self, patterns: Sequence[str], *, case_sensitive: bool) -> str:
        """The first of these patterns that occurs; an invalid one never does."""
        for pattern in patterns:
            try:
                automaton = make_automaton(pattern, case_sensitive=case_sensitive)
            except PatternError:
                count_work(PREPARING_STEPS * WORK_MAX)
                continue
            count_work(PREPARING_STEPS * automaton.steps + len(self._plain) // SIGNS_PER_STEP)
            if automaton.find(self._plain):
                return pattern
        return ""


@lru_cache(KEYS_KEPT_MAX)
def _prepare(key: str) -> tuple[str, str]:
    """A key prepared for searching, with and without case."""
    plain = unicodedata.normalize("NFC", key).strip()
    return plain, plain.casefold()


def _occurs(key: str, text: str, whole_words: bool) -> bool:
    at = text.find(key)
    while at >= 0:
        end = at + len(key)
        joined_before = at > 0 and _are_joined(text[at - 1], key[0])
        joined_after = end < len(text) and _are_joined(key[-1], text[end])
        if not whole_words or not (joined_before or joined_after):
            return True
        at = text.find(key, at + 1)
    return False


def _are_joined(before: str, after: str) -> bool:
    """Whether two adjacent characters belong to one word."""
    if not (_is_letter(before) and _is_letter(after)):
        return False
    return not (_UNSPACED.match(before) or _UNSPACED.match(after))


def _is_letter(sign: str) -> bool:
    # A combining mark belongs to the word of its letter.
    return sign.isalnum() or sign == "_" or unicodedata.category(sign).startswith("M")


LORE_TOKENS_MAX = 1_000
"""Tokens of all entries added in one turn."""

RECURSION_MAX = 3
"""How many rounds of entries that mention further entries are followed in one turn."""


class LoreReason(StrEnum):
    """Why an entry was used in a turn, or was not."""

    KEY = "key"
    CONDITION = "condition"
    CONSTANT = "constant"
    STICKY = "sticky"
    """It was used recently, and the turn that contained it has been cut."""

    FROZEN = "frozen"
    """It is in the frozen part, in every turn."""

    IN_VIEW = "in view"
    """It is already in the transcript."""

    WITHHELD = "withheld"
    """Its `reveal_when` does not hold."""

    RESTING = "resting"
    """Its cooldown is not over."""

    UNMENTIONED = "unmentioned"
    """Nothing mentions it."""

    GROUP = "group"
    """Another entry of its group is used."""

    NO_ROOM = "no room"


TOLD = frozenset({LoreReason.KEY, LoreReason.CONDITION, LoreReason.CONSTANT, LoreReason.STICKY})
"""The reasons for which an entry is added to this turn."""


@frozen
class LoreVerdict:
    """The decision about one entry in one turn."""

    entry: str
    why: LoreReason
    detail: str = ""
    """The key that matched, or the entry whose text or group was involved."""

    text: str = ""
    """The text added; empty if it was not used."""


@frozen
class LoreQuery:
    """The input of a selection."""

    words: Sequence[str]
    """The newest input and the last replies."""

    in_view: frozenset[str] = frozenset()
    """Entries that are in the transcript."""

    told_at: Mapping[str, int] = field(default_factory=dict)
    """When each entry was last used, if that still matters."""

    seed: str = ""
    """Decides the choice within a group: the same seed gives the same choice."""

    tokens_max: int = LORE_TOKENS_MAX
    """Tokens of all entries that may be added."""


def select_lore(game: Game, texts: Texts, position: Position, hearing: LoreQuery) -> tuple[LoreVerdict, ...]:
    """The decision about every entry: those used first, in their order, then the others."""
    return _LoreSelection(game, texts, position, hearing).judge()


class _LoreSelection:
    """Selects the entries of one turn."""

    def __init__(self, game: Game, texts: Texts, position: Position, hearing: LoreQuery) -> None:
        self._texts = texts
        self._document = position.state.document
        self._turn = position.turn
        self._hearing = hearing
        self._frozen = {entry.id for entry in list_always(game)}
        self._entries = sorted(game.lore, key=lambda entry: (entry.priority, entry.id))
        self._groups = {
            entry.group: entry.id for entry in game.lore if entry.group and entry.id in hearing.in_view
        }
        """The entry used from each group."""

        self._room = hearing.tokens_max
        self._verdicts: dict[str, LoreVerdict] = {}

    def judge(self) -> tuple[LoreVerdict, ...]:
        passages = [("", SearchedPassage("\n".join(self._hearing.words)))]
        for round_number in range(RECURSION_MAX + 1):
            called: dict[str, LoreVerdict] = {}
            for entry in self._entries:
                before = self._verdicts.get(entry.id)
                if before is None or before.why is LoreReason.UNMENTIONED:
                    called[entry.id] = self._ask(entry, passages, first=round_number == 0)
            told = self._choose(called)
            recursing = {entry.id for entry in self._entries if entry.recurse}
            passages = [(v.entry, SearchedPassage(v.text)) for v in told if v.entry in recursing]
            if not passages:
                break
        ordered = sorted(self._verdicts.values(), key=lambda verdict: verdict.why not in TOLD)
        return tuple(ordered)

    def _ask(
        self, entry: Lore, passages: Sequence[tuple[str, SearchedPassage]], *, first: bool
    ) -> LoreVerdict:
        document, turn = self._document, self._turn
        if entry.id in self._frozen:
            return LoreVerdict(entry.id, LoreReason.FROZEN)
        if entry.reveal_when is not None and not entry.reveal_when.holds(document, turn):
            return LoreVerdict(entry.id, LoreReason.WITHHELD)
        if entry.id in self._hearing.in_view:
            # It stays for some turns after it was last mentioned, even beyond a cut.
            mentioned = self._call(entry, passages, first=False) if entry.sticky else None
            return LoreVerdict(entry.id, LoreReason.IN_VIEW, mentioned.detail if mentioned else "")
        told_at = self._hearing.told_at.get(entry.id)
        if told_at is not None and turn < told_at + entry.sticky:
            return LoreVerdict(entry.id, LoreReason.STICKY)
        if told_at is not None and turn < told_at + entry.cooldown:
            return LoreVerdict(entry.id, LoreReason.RESTING)
        return self._call(entry, passages, first=first)

    def _call(
        self, entry: Lore, passages: Sequence[tuple[str, SearchedPassage]], *, first: bool
    ) -> LoreVerdict:
        """Whether an entry is called for: its condition restricts its keys, or calls for it alone."""
        if entry.when is not None and not entry.when.holds(self._document, self._turn):
            return LoreVerdict(entry.id, LoreReason.UNMENTIONED)
        keys = self._texts.several(f"lore.{entry.id}.keys")
        if first and entry.constant:
            return LoreVerdict(entry.id, LoreReason.CONSTANT)
        if first and entry.when is not None and not keys:
            return LoreVerdict(entry.id, LoreReason.CONDITION)
        for source, passage in passages:
            found = _find(entry, passage, keys)
            if found and self._is_narrowed(entry, passage):
                return LoreVerdict(entry.id, LoreReason.KEY, f"{found} ({source})" if source else found)
        return LoreVerdict(entry.id, LoreReason.UNMENTIONED)

    def _is_narrowed(self, entry: Lore, passage: SearchedPassage) -> bool:
        """Whether the secondary keys allow an entry whose primary keys matched."""
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

    def _choose(self, called: Mapping[str, LoreVerdict]) -> list[LoreVerdict]:
        """Use the entries called for, one of each group, as far as there is room."""
        told: list[LoreVerdict] = []
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

    def _admit(self, entry: Lore, verdict: LoreVerdict, chosen: Mapping[str, str]) -> LoreVerdict:
        rival = self._groups.get(entry.group) or chosen.get(entry.group, entry.id)
        if entry.group and rival != entry.id:
            return LoreVerdict(entry.id, LoreReason.GROUP, rival)
        text = word_entry(entry, self._texts)
        tokens = estimate_tokens(text)
        if tokens > self._room or not text:
            return LoreVerdict(entry.id, LoreReason.NO_ROOM)
        self._room -= tokens
        if entry.group:
            self._groups[entry.group] = entry.id
        return LoreVerdict(entry.id, verdict.why, verdict.detail, text)

    def _draw_groups(self, called: Mapping[str, LoreVerdict]) -> dict[str, str]:
        """From each group, one of the entries called for, chosen by weight."""
        groups: dict[str, list[Lore]] = {}
        for entry in self._entries:
            if entry.group and entry.id in called and called[entry.id].why in TOLD:
                groups.setdefault(entry.group, []).append(entry)
        return {group: _draw(entries, f"{self._hearing.seed}\0{group}") for group, entries in groups.items()}


def _find(entry: Lore, passage: SearchedPassage, keys: Sequence[str]) -> str:
    if entry.regex:
        return passage.match(keys, case_sensitive=entry.case_sensitive)
    return passage.find(keys, whole_words=entry.whole_words, case_sensitive=entry.case_sensitive)


def _draw(entries: Sequence[Lore], seed: str) -> str:
    """One entry chosen by weight, always the same for the same seed, without using the game's dice."""
    weights = [entry.weight for entry in entries]
    bounds = list(accumulate(weights if any(weights) else [1] * len(weights)))
    point = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8]) % bounds[-1]
    return next(entry.id for entry, bound in zip(entries, bounds, strict=True) if point < bound)

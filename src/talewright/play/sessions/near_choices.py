"""Near choices: what the player's own words mean where no storyteller reads them, before a turn is spent.

Words that clearly mean one choice take it; vague ones are asked about. How the engine itself matches a text,
which replays depend on, does not change: this only decides what it is given.
"""

import re
import unicodedata
from collections.abc import Sequence
from difflib import SequenceMatcher

from talewright.common.frozen_values import frozen
from talewright.play.input_results import InputResult, ResultKind, Stamp
from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import explain, say
from talewright.play.sessions.session_turns import SessionTurns
from talewright.turn.inputs.player_choices import ChoiceCandidate, match, match_exactly, name_all
from talewright.turn.inputs.player_inputs import Choose, Say
from talewright.turn.steps.recalling import recall_at
from talewright.turn.turn_outcomes import OutcomeReason

ALIKE_MIN = 0.8
"""How much of a longer word must be the same for it to be a misspelling of another."""

ALIKE_LENGTH_MIN = 4

NAMED_MIN = 2
"""How many telling words a clear wording shares with a choice, unless the choice has fewer."""

ASKED_MAX = 3
"""How many choices a question names."""

_FILLERS = frozenset(
    "a an the to of in on at and or for with from into up out it is i my me you your we our them him her his"
    " d ll s ve re go do let lets just please want would like try will some that this".split()
)
_NEGATIONS = frozenset("not no never dont don t cant without refuse".split())
_HANZI = re.compile(r"[\u3400-\u9fff]")
_HANZI_FILLERS = frozenset("的了去我你在把和是就要想一个着")
_HANZI_NEGATIONS = frozenset("不别没勿")
_ENDINGS = re.compile(r"(?<=\w{3})(?:ing|ies|ed|es|s|e|y)$")


@frozen
class NearChoices:
    """The choices that words may mean."""

    clear: str = ""
    """The one they clearly mean."""

    asked: tuple[str, ...] = ()
    """Those to ask about, the most likely first."""


def find_near(text: str, candidates: Sequence[ChoiceCandidate]) -> NearChoices:
    """What words mean that no choice has exactly."""
    said = _read(text)
    ranked = sorted(
        ((_compare(said, candidate), -at) for at, candidate in enumerate(candidates)), reverse=True
    )
    found = [(score, candidates[-at].id) for score, at in ranked if score > (0.0, 0.0)]
    if not found:
        return NearChoices()
    shares, best = [score[0] for score, _ in found], found[0][1]
    several = [one for candidate in candidates if candidate.id == best for one in candidate.phrases]
    telling = any(_is_telling(said, _read(phrase)) for phrase in several)
    alone = len(found) == 1 or shares[1] < shares[0]
    if shares[0] == 1.0 and alone and telling:
        return NearChoices(best)
    return NearChoices(asked=tuple(name for _, name in found[:ASKED_MAX]))


def _read(text: str) -> tuple[str, ...]:
    """The telling words of a text: word stems, or single characters in Chinese."""
    words: dict[str, None] = {}
    for word in re.findall(r"\w+", unicodedata.normalize("NFKC", text).casefold()):
        if _HANZI.search(word):
            words.update(dict.fromkeys(one for one in word if one not in _HANZI_FILLERS))
        elif word not in _FILLERS:
            words[_ENDINGS.sub("", word)] = None
    return tuple(words)


def _compare(said: Sequence[str], candidate: ChoiceCandidate) -> tuple[float, float]:
    """How much of what was said is in a choice, and how much of the choice was said; the best wording."""
    best = (0.0, 0.0)
    for phrase in candidate.phrases:
        words = _read(phrase)
        if said and words:
            shared = sum(any(_is_like(one, other) for other in words) for one in said)
            best = max(best, (shared / len(said), shared / len(words)))
    return best


def _is_telling(said: Sequence[str], words: Sequence[str]) -> bool:
    """Whether enough of a choice was said, and nothing that turns it around."""
    shared = [one for one in said if any(_is_like(one, other) for other in words)]
    enough = min(NAMED_MIN, len(words))
    return bool(words) and len(shared) >= enough and not _turns(said, words)


def _turns(said: Sequence[str], words: Sequence[str]) -> bool:
    negations = _NEGATIONS | _HANZI_NEGATIONS
    return any(one in negations and one not in words for one in said)


def _is_like(one: str, other: str) -> bool:
    if one == other:
        return True
    if min(len(one), len(other)) < ALIKE_LENGTH_MIN:
        return False
    return SequenceMatcher(None, one, other).ratio() >= ALIKE_MIN


async def read_words(seat: SessionTurns, text: str, stamp: Stamp | None) -> Say | Choose | InputResult:
    """What to do with a player's words that no storyteller reads; a result if they have to be asked about."""
    road = seat.road
    if len(text) > road.limits.input_length_max:
        return Say(text)
    if stamp is not None and (await road.book.find(stamp.operation_id)).accepted is not None:
        # Sent again: it was understood the first time.
        return Say(text)
    recalled = await recall_at(road, await seat.head())
    body = recalled.body
    if not body.choices or body.decisions or body.end is not None:
        return Say(text)
    texts = recalled.edition.words(seat.language)
    wording = Wording(texts, seat.language)
    names = {one.id: one for one in name_all(recalled.edition.game, texts, recalled.position)}
    candidates = tuple(
        names.get(offer.id) or ChoiceCandidate(offer.id, (texts.get(offer.label),)) for offer in body.choices
    )
    number = text.strip().rstrip(".。")
    if number.isdecimal() and 1 <= int(number) <= len(candidates):
        return Choose(candidates[int(number) - 1].id)
    if match_exactly(text, candidates) is not None:
        return Say(text)
    near, matched = find_near(text, candidates), match(text, candidates)
    if near.clear:
        # The engine understands most of these itself, and then the player's own words are kept.
        return Say(text) if near.clear == matched else Choose(near.clear)
    asked = near.asked
    if matched is not None and not _is_vague(text, next(one for one in candidates if one.id == matched)):
        return Say(text)
    if not asked:
        return InputResult(ResultKind.UNSPENT, OutcomeReason.UNMATCHED.value, _refuse(seat.language))
    labels = [wording.line(next(one.label for one in body.choices if one.id == name)) for name in asked]
    numbers = [next(at for at, one in enumerate(candidates, 1) if one.id == name) for name in asked]
    quoted = [
        wording.say(Phrase.NUMBERED_CHOICE, number=str(at), label=label)
        for at, label in sorted(zip(numbers, labels, strict=True))
    ]
    message = wording.say(Phrase.DID_YOU_MEAN, choices=wording.say(Phrase.OR).join(quoted))
    return InputResult(ResultKind.UNSPENT, OutcomeReason.UNMATCHED.value, message)


def _is_vague(text: str, candidate: ChoiceCandidate) -> bool:
    said = _read(text)
    return not any(_is_telling(said, _read(phrase)) for phrase in candidate.phrases)


def _refuse(language: str) -> str:
    """No choice is meant: what would have been understood, and how to say anything at all."""
    told = explain(language, OutcomeReason.UNMATCHED)
    return say(language, Phrase.WITH_DETAIL, text=told, detail=say(language, Phrase.TELLER_STEPS))

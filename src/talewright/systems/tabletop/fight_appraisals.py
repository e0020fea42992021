"""Fight appraisals: what the recorded rolls and events of a fight mean for the player.

They are read from the recorded words alone, so that turns of every age are shown the same way. Nothing here
changes what is recorded.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import EventAppraisal, Favor, RollAppraisal, Sight, Stance
from talewright.systems.tabletop.author_files import TabletopLabels, labels_of, rules_of
from talewright.systems.tabletop.checks import CheckRule
from talewright.systems.tabletop.recorded_rolls import RollKind
from talewright.systems.tabletop.slots import FLED, LOST, ROOT, WON
from talewright.systems.tabletop.tool_descriptions import DEFEND
from talewright.systems.tabletop.words.chinese import CHINESE
from talewright.systems.tabletop.words.english import ENGLISH
from talewright.systems.tabletop.words.phrases import BlowWordings, TabletopPhrases

LANGUAGES: Mapping[str, TabletopPhrases] = {"en": ENGLISH, "zh-CN": CHINESE}

_HOLE = re.compile(r"\\\{(\w+)\\\}")

_ENDS = {
    f"{ROOT}:fight_{WON}": Favor.GOOD,
    f"{ROOT}:fight_{FLED}": Favor.GOOD,
    f"{ROOT}:fight_{LOST}": Favor.BAD,
}


@frozen
class _Blow:
    """A recorded sentence about an attack."""

    by_player: bool
    on_player: bool
    damage: int | None
    words: TabletopPhrases


@frozen
class _Told:
    """What the words of a recorded roll say about it."""

    kind: RollKind
    name: str
    attack: str
    words: TabletopPhrases
    labels: TabletopLabels


def _pattern(template: str, **known: str) -> re.Pattern[str]:
    """What matches any text made from a template; what is known about it must be there."""

    def fill(hole: re.Match[str]) -> str:
        name = hole[1]
        return re.escape(known[name]) if name in known else rf"(?P<{name}>.+?)"

    return re.compile(_HOLE.sub(fill, re.escape(template)), re.DOTALL)


@lru_cache(len(LANGUAGES))
def _purposes(words: TabletopPhrases) -> tuple[tuple[RollKind, re.Pattern[str]], ...]:
    """How the recorded words of each kind of roll begin; the more exact ones come first."""
    kinds = {
        RollKind.INITIATIVE: words.initiative,
        RollKind.ATTACK: words.attack,
        RollKind.DEFENCE: words.defence,
        RollKind.FLIGHT: words.flight,
        RollKind.DAMAGE: words.damage,
        RollKind.CHECK: words.check,
    }
    return tuple((kind, _pattern(said + words.colon)) for kind, said in kinds.items())


def _read_roll(text: Json, files: Mapping[str, Json]) -> _Told | None:
    for language, words in LANGUAGES.items():
        for kind, pattern in _purposes(words):
            found = pattern.match(text) if isinstance(text, str) else None
            if found is not None:
                facts = found.groupdict()
                labels = labels_of(files, language)
                return _Told(kind, facts.get("name", ""), facts.get("attack", ""), words, labels)
    return None


def appraise_rolls(recorded: Json, sight: Sight) -> tuple[RollAppraisal, ...]:
    """One appraisal for each roll of a recorded answer of this system; none for anything else."""
    answer = recorded.get("result", recorded) if isinstance(recorded, Mapping) else None
    rolls = answer.get("rolls") if isinstance(answer, Mapping) and "fight" in answer else None
    if not isinstance(answer, Mapping) or not isinstance(rolls, list):
        return ()
    told = [_read_roll(one.get("text"), sight.files) if isinstance(one, Mapping) else None for one in rolls]
    player = _find_player(answer, told)
    # A scene starts a fight with its own words; a model writes them afterwards, knowing the dice.
    by_scene = isinstance(recorded, Mapping) and "tool" not in recorded
    starts = by_scene and any(one and one.kind is RollKind.INITIATIVE for one in told)
    shown = []
    attacker: _Told | None = None
    for one, raw in zip(told, rolls, strict=True):
        if one is not None and one.kind is not RollKind.DAMAGE:
            attacker = one if one.kind is RollKind.ATTACK else None
        actor = attacker if one is not None and one.kind is RollKind.DAMAGE else one
        name = "" if actor is None else actor.name
        if one is None or not player or not name or _is_called(name, player, one.labels):
            shown.append(RollAppraisal(follows=starts))
        else:
            brief = _brief(one, raw if isinstance(raw, Mapping) else {})
            shown.append(RollAppraisal(_stance(one, answer), brief, starts))
    return tuple(shown)


def _is_called(shown: str, name: str, labels: TabletopLabels) -> bool:
    return shown in (name, labels.creature(name, ""))


def _find_player(answer: Mapping[str, Json], told: Sequence[_Told | None]) -> str:
    """The name of the player's character in an answer about a fight."""
    order = answer.get("initiativeOrder")
    for one in order if isinstance(order, list) else ():
        if isinstance(one, Mapping) and one.get("isPlayer") is True:
            return str(one.get("name", ""))
    # A fight that is over has no order; the player acted first, or only stood on guard.
    action = answer.get("action")
    if not isinstance(action, str):
        return ""
    acted = (one.name for one in told if one is not None and one.name and one.kind is not RollKind.DEFENCE)
    # No name has a line break, so nobody who rolled is taken for the player.
    return "\n" if action == DEFEND else next(acted, "")


def _stance(told: _Told, answer: Mapping[str, Json]) -> Stance:
    """Whether an attack was on the player, by the sentence that tells of it."""
    if told.kind is not RollKind.ATTACK:
        return Stance.APART
    message = str(answer.get("message", ""))
    words = told.words
    for wordings in (words.hit, words.critical_hit, words.miss):
        for template in wordings.on_player:
            if _pattern(template, attacker=told.name, attack=told.attack).search(message):
                return Stance.AGAINST
    return Stance.APART


def _brief(told: _Told, raw: Mapping[str, Json]) -> str:
    words, total, needed = told.words, raw.get("total"), raw.get("needed")
    if told.kind is RollKind.DAMAGE:
        return words.damage_brief.format(total=total)
    if told.kind is RollKind.INITIATIVE:
        return words.initiative_brief.format(name=told.name, total=total)
    if told.kind is RollKind.ATTACK and needed is not None:
        hit = raw.get("success") is True
        wording = words.hit_brief if hit else words.miss_brief
        return wording.format(name=told.name, total=total, needed=needed)
    return words.roll_brief.format(name=told.name, total=total)


@lru_cache(len(LANGUAGES))
def _blows(words: TabletopPhrases) -> Mapping[str, tuple[tuple[bool, bool, re.Pattern[str]], ...]]:
    """By kind of event: who is hurt in each of its wordings, and what matches them."""

    def each(*several: BlowWordings, back: bool = False) -> Iterator[tuple[bool, bool, re.Pattern[str]]]:
        for wordings in several:
            # Who strikes back is the target of the attack.
            yield from ((not back, back, _pattern(one)) for one in wordings.by_player)
            yield from ((back, not back, _pattern(one)) for one in wordings.on_player)
        # What is said of others may be said of the player in the same words, with one more.
        for wordings in several:
            yield from ((False, False, _pattern(one)) for one in wordings.of_others)

    return {
        f"{ROOT}:hit": tuple(each(words.hit, words.critical_hit)),
        f"{ROOT}:miss": tuple(each(words.miss)),
        f"{ROOT}:struck_back": tuple(each(words.strikes_back, back=True)),
    }


def _read_blow(event: Event) -> _Blow | None:
    for words in LANGUAGES.values():
        for by_player, on_player, pattern in _blows(words).get(event.type, ()):
            found = pattern.fullmatch(event.text)
            if found is None:
                continue
            damage = found.groupdict().get("damage")
            return _Blow(by_player, on_player, int(damage) if damage and damage.isdecimal() else None, words)
    return None


def appraise_events(
    events: Sequence[Event], rolls: Sequence[Json], sight: Sight
) -> tuple[EventAppraisal, ...]:
    """One appraisal for each event: whether it is good for the player, and how many hit points it took."""
    excess = iter(_find_excess(events, rolls, sight))
    shown = []
    for event in events:
        blow = _read_blow(event)
        over = next(excess, 0) if event.type == f"{ROOT}:hit" else 0
        if blow is None:
            shown.append(EventAppraisal(_favor(event), _lose(event, None, 0)))
            continue
        missed = event.type == f"{ROOT}:miss"
        good = blow.on_player if missed else blow.by_player
        bad = blow.by_player if missed else blow.on_player
        favor = Favor.GOOD if good else Favor.BAD if bad else Favor.NEUTRAL
        shown.append(EventAppraisal(favor, _lose(event, blow, over)))
    return tuple(shown)


def _favor(event: Event) -> Favor:
    for words in LANGUAGES.values():
        if event.type == f"{ROOT}:fallen":
            if event.text == words.falls.player:
                return Favor.BAD
        elif event.type == f"{ROOT}:damage" and _pattern(words.hurt.player).fullmatch(event.text):
            return Favor.BAD
        elif event.type == f"{ROOT}:healing" and _pattern(words.healed.player).fullmatch(event.text):
            return Favor.GOOD
    return _ENDS.get(event.type, Favor.NEUTRAL)


def _lose(event: Event, blow: _Blow | None, excess: int) -> str:
    """The recorded sentence with hit points lost instead of damage; empty to keep it."""
    if blow is None and event.type != f"{ROOT}:damage":
        return ""
    for words in LANGUAGES.values() if blow is None else (blow.words,):
        for said, one, many in words.lost_on_player if blow and blow.on_player else words.lost:
            pattern = re.compile(_HOLE.sub(r"(\\d+)", re.escape(said)))
            found = pattern.search(event.text)
            if found is None:
                continue
            lost = (one if found[1] == "1" else many).format(damage=found[1])
            over = words.overkill.format(excess=excess) if excess else ""
            return event.text[: found.start()] + lost + over + event.text[found.end() :]
    return ""


def _find_excess(events: Sequence[Event], rolls: Sequence[Json], sight: Sight) -> list[int]:
    """How much of each hit's damage was more than the target had left; empty if the dice do not tell."""
    rules = rules_of(sight.files)
    if rules is None or rules.book.check is not CheckRule.D20:
        # Elsewhere armor takes some of the damage away.
        return []
    dealt: list[int] = []
    for recorded in rolls:
        answer = recorded.get("result", recorded) if isinstance(recorded, Mapping) else None
        several = answer.get("rolls") if isinstance(answer, Mapping) else None
        attacked = False
        for one in several if isinstance(several, list) else ():
            told = _read_roll(one.get("text"), sight.files) if isinstance(one, Mapping) else None
            if told is not None and attacked and told.kind is RollKind.DAMAGE:
                total = one.get("total")
                dealt.append(total if isinstance(total, int) else 0)
            attacked = told is not None and told.kind is RollKind.ATTACK
    blows = [_read_blow(event) for event in events if event.type == f"{ROOT}:hit"]
    if len(blows) != len(dealt):
        return []
    return [
        max(0, total - blow.damage) if blow is not None and blow.damage is not None else 0
        for total, blow in zip(dealt, blows, strict=True)
    ]

"""What the recorded rolls and events of a fight mean for the player, read from the recorded words alone."""

import re
from collections.abc import Iterator

import pytest

from talewright.common.json_values import Json
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import EventAppraisal, Favor, RollAppraisal, Sight, Stance
from talewright.systems.tabletop.fight_appraisals import LANGUAGES, appraise_events, appraise_rolls
from talewright.systems.tabletop.words.phrases import BlowWordings, TabletopPhrases
from tests.systems.tabletop.making import GAME, READY, call, granted, sight

FILES = GAME.files["tabletop"]
SIGHT = Sight({}, 0, FILES)
FACTS = {"attacker": "Goblin 1", "target": "Goblin 2", "attack": "Longbow", "damage": 5}


def told(wordings: BlowWordings) -> Iterator[tuple[str, str]]:
    for side in ("by_player", "on_player", "of_others"):
        for template in getattr(wordings, side):
            yield side, template.format(**FACTS)


@pytest.mark.parametrize("words", LANGUAGES.values(), ids=LANGUAGES)
def test_every_blow_is_good_or_bad_for_the_player(words: TabletopPhrases) -> None:
    # Who strikes back is the target: of the player's attack, the enemy.
    good = {"hit": "by_player", "miss": "on_player", "struck_back": "on_player"}
    wordings = {
        "hit": [words.hit, words.critical_hit],
        "miss": [words.miss],
        "struck_back": [words.strikes_back],
    }
    for kind, several in wordings.items():
        for side, text in (pair for one in several for pair in told(one)):
            (shown,) = appraise_events([Event(f"tabletop:{kind}", text, "")], (), SIGHT)
            wanted = Favor.GOOD if side == good[kind] else Favor.BAD
            assert shown.favor is (Favor.NEUTRAL if side == "of_others" else wanted), text
            lost = shown.text or text
            # What was dealt is the hit points lost, whatever the damage could have been.
            assert ("5" in lost) is (kind != "miss")
            assert not re.search("damage|伤害", lost), lost


@pytest.mark.parametrize("words", LANGUAGES.values(), ids=LANGUAGES)
def test_more_damage_than_hit_points_is_said(words: TabletopPhrases) -> None:
    text = words.hit.by_player[0].format(**FACTS)
    attack = words.attack.format(name="Rowan", attack="Longbow") + words.colon
    damage = words.damage.format(attack="Longbow") + words.colon
    rolls: Json = [{"text": f"{attack}1d20 (15) + 5 = 20"}, {"text": f"{damage}1d8 (6) + 3 = 9", "total": 9}]
    recorded: Json = {"kind": "call", "tool": "take_turn", "result": {"fight": "won", "rolls": rolls}}
    (shown,) = appraise_events([Event("tabletop:hit", text, "")], [recorded], SIGHT)
    assert words.overkill.format(excess=4) in shown.text
    # A rulebook whose armor takes damage away leaves it open.
    (shown,) = appraise_events([Event("tabletop:hit", text, "")], [recorded], Sight({}, 0, {}))
    assert words.overkill.format(excess=4) not in shown.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rolls_of_others_in_a_fight_fit_on_one_line(language: str) -> None:
    begun = call("start_fight", {"enemies": [{"template": "Goblin", "count": 1}]}, faces=(20, 1))
    fight = begun.position
    answer = granted(call("take_turn", {"action": "attack"}, position=fight, faces=(2, 20, 3, 4)))
    own, *others = appraise_rolls({"kind": "call", "tool": "take_turn", "result": answer}, SIGHT)
    assert own == RollAppraisal()
    assert [one.stance for one in others] == [Stance.AGAINST, Stance.APART]
    assert all(one.brief for one in others)
    assert others[0].brief == "Goblin 1 hits (24 against 14)"
    # A scene starts a fight in words of its own; a model knows the dice when it writes.
    start = granted(begun)
    assert all(one.follows for one in appraise_rolls({"kind": "trial", **start}, SIGHT))
    assert not any(
        one.follows for one in appraise_rolls({"kind": "call", "tool": "start_fight", "result": start}, SIGHT)
    )


def test_what_is_of_no_fight_stays_as_it_is() -> None:
    assert appraise_rolls({"kind": "roll", "text": "2d6 (3, 4) = 7", "total": 7}, SIGHT) == ()
    assert appraise_rolls(None, SIGHT) == ()
    events = [Event("info", "Goblin 1 hits you (Longbow): 5 damage.", "trigger:x")]
    assert appraise_events(events, (), SIGHT) == (EventAppraisal(),)
    assert sight(READY).files == FILES

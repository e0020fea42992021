"""The solo campaign as a whole: every tool and refusal, what it costs to tell, and how its prompts begin."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import pytest

from talewright.chronicle.records import MAIN
from talewright.systems.spiral.moves.player_sheet import PURPOSES
from talewright.systems.spiral.tool_descriptions import ALL_TOOLS
from talewright.turn.records.commit_body import MODEL, TurnBody
from tests.plays.expectations import list_refusals
from tests.plays.performances import Performance, perform_straight
from tests.plays.refusals import list_sites
from tests.plays.stage import Told
from tests.prompts.counting import find_broken

pytestmark = pytest.mark.slow
"""Whichever test comes first plays both campaigns."""

CAMPAIGN, REFUSALS = "20_solo_three_days", "21_solo_refusals"
TURNS_MIN = 60
ASKS_MEAN_MAX = 2.0

UNMET = {
    "checks.py: roll_check: the card knows {}, {}, {} and {}": (
        "an answer that stands on no card is turned away before the call is judged"
    ),
    "rulebook.py: {} is made from the state; only {} can be changed by hand": (
        "no call: of the pages a person has changed, only those that may be are read"
    ),
    "rulebook.py: {} is empty; the one from before holds": "no call: a person's own hand in prompt.md",
    "rulebook.py: {} has at most {} characters, this one has {}; shorten it": (
        "no call: a person's own hand in prompt.md"
    ),
    **dict.fromkeys(
        (
            "scratchpad.py: {}: `section` is the name of a section, or null for the whole; not {}",
            "spiral_arguments.py: {}: `{}` is a list of tags, not {}",
            "tags.py: {}: a tag is a text of a few words, not {}",
        ),
        "the schema of the tool turns it away first; the rules are tried by themselves in `moves`",
    ),
}
"""Refusals that no call of a play can meet, and why."""


@pytest.fixture(scope="module")
def performed() -> Mapping[str, Performance]:
    return {name: perform_straight(name) for name in (CAMPAIGN, REFUSALS)}


def read_granted(told: Sequence[Told]) -> list[tuple[str, Mapping[str, Any], Mapping[str, Any]]]:
    """Tool, arguments and result of every call that was granted."""
    rulings = [cast(Mapping[str, Any], ruling) for one in told for ruling in one.body.rulings]
    return [
        (ruling["move"]["call"], ruling["move"]["arguments"], ruling.get("result") or {})
        for ruling in rulings
        if ruling["ruling"] == "granted" and "call" in ruling["move"]
    ]


def test_the_campaign_has_three_days_and_everything_in_them(performed: Mapping[str, Performance]) -> None:
    main = performed[CAMPAIGN].main
    assert [told.commit.version for told in main] == list(range(1, len(main) + 1))
    assert sum(told.body.told == MODEL for told in main) >= TURNS_MIN
    granted = read_granted(main)
    assert {tool for tool, _, _ in granted} == {tool.name for tool in ALL_TOOLS}
    passed = [(result["day"], result["segment"]) for tool, _, result in granted if tool == "advance_time"]
    assert passed == [(day, segment) for day in (1, 2, 3) for segment in (1, 2, 3, 4)][1:11]
    filled = [clock["id"] for _, _, result in granted for clock in result.get("filled_clocks", ())]
    assert filled == ["sedge-riders", "voss"]
    assert [said["purpose"] for tool, said, _ in granted if tool == "spend_resist"] == list(PURPOSES)
    flushed = [result["flushed"] for tool, _, result in granted if tool == "flush_glitches"]
    assert flushed == [["post bag soaked"], ["promised them flour"]]


def test_the_campaign_has_every_answer_of_card_and_dice(performed: Mapping[str, Performance]) -> None:
    rolls = [result for tool, _, result in read_granted(performed[CAMPAIGN].main) if tool == "roll_check"]
    assert {roll["highest"] for roll in rolls if "highest" in roll} == {1, 2, 3, 4, 5, 6}
    for member in ("botch", "resist_spent", "contested", "withdrawn"):
        assert any(roll.get(member) for roll in rolls), member


def test_the_campaign_was_undone_and_forked(performed: Mapping[str, Performance]) -> None:
    campaign = performed[CAMPAIGN]
    lost = [told for told in campaign.told if told not in campaign.main]
    assert [(told.commit.branch, told.commit.version) for told in lost] == [
        *((MAIN, version) for version in (50, 51, 52)),
        *(("down-river", version) for version in (35, 36, 37, 38)),
    ]
    days = {one.commit.version: one.body.changes for one in lost if one.commit.branch == MAIN}
    assert any(change.path == "/meta/day" for change in days[50])


def test_every_refusal_is_met_and_told(performed: Mapping[str, Performance]) -> None:
    sites = list_sites()
    assert len({str(site) for site in sites}) == len(sites)
    told = {words for one in performed.values() for turn in one.told for words in list_refusals(turn.body)}
    met: set[str] = set()
    for site in sites:
        said = {words for one in performed.values() for words in one.listener.find(site)}
        assert said <= told, site
        met |= {str(site)} if said else set()
    assert {str(site) for site in sites} - met == set(UNMET)


def count_asks(body: TurnBody) -> int:
    return len(body.exchanges)


def count_needed(body: TurnBody) -> int:
    """One, and one for each reply with a call whose result the storyteller must see; a card shows none."""
    must_see = {tool.name for tool in ALL_TOOLS if tool.must_see}
    replies = cast(Sequence[Mapping[str, Any]], body.exchanges)
    calls = [{call["name"] for call in reply.get("calls", ())} for reply in replies]
    return 1 + sum(bool(made & must_see) for made in (calls[:-1] if body.decisions else calls))


def mean_asks(told: Sequence[Told]) -> float:
    return sum(count_asks(one.body) for one in told) / len(told)


def test_no_turn_asks_more_often_than_it_must(performed: Mapping[str, Performance]) -> None:
    told = [told for told in performed[CAMPAIGN].told if told.body.told == MODEL]
    straight = [told for told in told if not told.turn.expected.errs]
    for one in straight:
        assert count_asks(one.body) == count_needed(one.body), one.turn.given
    assert len(told) - len(straight) == 4
    mean = mean_asks(told)
    print(f"{mean:.2f} asks a turn over {len(told)} turns, {mean_asks(straight):.2f} without those that err")
    assert mean <= ASKS_MEAN_MAX


def test_prompts_begin_as_the_one_before_but_at_declared_cuts(performed: Mapping[str, Performance]) -> None:
    for performance in performed.values():
        known = {told.commit.id: told for told in performance.told}
        compared = 0
        for after in performance.told:
            before = known.get(after.commit.parent)
            if before is None or not before.asked or not after.asked:
                continue
            compared += 1
            broken = find_broken(before.asked, after.asked)
            assert bool(broken) is bool(after.body.cuts), (after.turn.given, broken, after.body.cuts)
        # Not the first turn, which the author's scene tells, nor one beside a turn that is told from outside.
        assert compared >= len(performance.told) - 3
    # Setup goes when play begins, the first day when the third does.
    cut = [told.commit.version for told in performed[CAMPAIGN].main if told.body.cuts]
    assert cut == [6, 53]

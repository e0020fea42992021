"""`talewright cost`: what was spent, in lines and as data, and what may be spent."""

import json

import pytest

from talewright.cli import WRONG_USE
from talewright.cli.campaign.cost_command import tell
from talewright.play.history.campaign_cost import CampaignCost, Cost
from tests.cli.campaigns import Console
from tests.cli.desk import Desk
from tests.cli.oracle import Oracle

OWN = """\
model = "own"

[models.own]
base_url = "{url}"
model = "oracle-1"
prices = {{ input = 1.0, output = 10.0, cached_input = 0.5 }}
"""


def play(desk: Desk, oracle: Oracle, *said: str) -> None:
    desk.write(OWN.format(url=oracle.url))
    typed = "".join(f"{words}\n" for words in said)
    played = desk.run("play", "lantern_road", "--language", "en", "--no-git", typed=typed)
    assert played.code == 0, played


def test_a_campaign_of_scenes(console: Console) -> None:
    told = console.run("cost")
    assert (told.code, told.err) == (0, "")
    assert told.lines == [
        "mist_harbor-1: $0; 0 input tokens, 0 more cached, 0 output",
        "  0 turns with a model, 7 from scenes: $0; 0 input tokens, 0 more cached, 0 output",
    ]


def test_a_campaign_that_a_model_told(desk: Desk, oracle: Oracle) -> None:
    play(desk, oracle, "I hum an old song to myself", "I count the stars twice")
    told = desk.run("cost", "--turns")
    each = "$0.0013; 600 input tokens, 400 more cached, 50 output"
    both = "$0.0026; 1200 input tokens, 800 more cached, 100 output"
    assert told.lines == [
        f"lantern_road-1: {both}",
        f"  2 turns with a model, 1 from scenes: {both}",
        "  1.00 requests per player action (2 requests; 2 actions)",
        f"  model oracle-1: {both}",
        f"  turn 2 (oracle-1, 1 request): {each}",
        f"  turn 3 (oracle-1, 1 request): {each}",
    ]
    facts = json.loads(desk.run("cost", "--json").out)
    assert facts["total"]["dollars"] == pytest.approx(0.0026)
    assert facts["models"]["oracle-1"]["output_tokens"] == 100
    assert [turn["turn"] for turn in facts["turns"]] == [2, 3]
    assert facts["turns"][0]["prefix_broken"] is None
    assert (facts["requests"], facts["actions"], facts["requests_per_action"]) == (2, 2, 1.0)


def test_requests_between_the_turns_count_for_player_actions() -> None:
    costs = CampaignCost("c", (), 1, Cost(), Cost(), Cost(), Cost(), {}, 7, 1, 4)
    assert "  1.75 requests per player action (7 requests, 1 of them between turns; 4 actions)" in list(
        tell(costs, turns=False)
    )
    facts = costs.to_json()
    assert (facts["requests_between_turns"], facts["requests_per_action"]) == (1, 1.75)
    none = CampaignCost("c", (), 1, Cost(), Cost(), Cost(), Cost(), {})
    assert not any("per player action" in line for line in tell(none, turns=False))
    assert none.asks_per_action == 0


def test_what_was_read_ahead_is_counted() -> None:
    told, ahead = Cost(600, 400, 50), Cost(700, 300, 1, 0.0, estimated=True)
    costs = CampaignCost("c", (), 1, told, Cost(), Cost(), ahead, {"home": told + ahead})
    lines = list(tell(costs, turns=False))
    assert lines[0] == "c: about $0; about 1300 input tokens, 700 more cached, 51 output"
    assert "  read ahead: about $0; about 700 input tokens, 300 more cached, 1 output" in lines
    assert costs.to_json()["ahead"] == ahead.to_json()
    assert costs.to_json()["total"] == (told + ahead).to_json()


def test_a_limit_stops_before_the_money_is_spent(desk: Desk, oracle: Oracle) -> None:
    play(desk, oracle, "I hum an old song to myself")
    asked = len(oracle.asked)
    set_limit = desk.run("cost", "limit", "0.002", "-c", "lantern_road-1")
    assert set_limit.out == "Limit for the campaign lantern_road-1: 0.002 dollars.\n"
    played = desk.run("play", "--campaign", "lantern_road-1", "--no-git", typed="I count the stars twice\n")
    assert "The budget does not cover another reply from the storyteller" in played.out
    assert len(oracle.asked) == asked
    failed = desk.run("cost").lines
    assert failed[0] == "lantern_road-1: $0.0013; 600 input tokens, 400 more cached, 50 output"
    assert desk.run("cost", "-c", "lantern_road-1", "limit", "off").out == (
        "No limit in dollars for the campaign lantern_road-1.\n"
    )
    again = desk.run("play", "--campaign", "lantern_road-1", "--no-git", typed="I count the stars twice\n")
    assert "The lamp gutters." in again.out


def test_limits_are_written_down(desk: Desk) -> None:
    assert desk.run("cost", "limit", "5", "--tokens", "900").lines == [
        "Limit for each campaign: 5.0 dollars.",
        "Limit for each campaign: 900 tokens.",
    ]
    assert desk.run("cost", "limit", "--turn-dollars", "0.5", "--turn-tokens", "70", "--game", "g").lines == [
        "Limit for a turn of each campaign of g: 0.5 dollars.",
        "Limit for a turn of each campaign of g: 70 tokens.",
    ]
    assert desk.settings.read_text() == (
        "[budget]\ncampaign_dollars = 5.0\ncampaign_tokens = 900\n\n"
        "[games.g.budget]\nturn_dollars = 0.5\nturn_tokens = 70\n"
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "no limit is given"),
        (("much",), "'much' is not a limit"),
        (("-5",), ""),
        (("inf",), "'inf' is not a limit"),
        (("nan",), "'nan' is not a limit"),
        (("--tokens", "1.5"), "'1.5' is not a limit"),
    ],
)
def test_what_is_no_limit(desk: Desk, words: tuple[str, ...], message: str) -> None:
    told = desk.run("cost", "limit", *words)
    assert told.code == WRONG_USE
    assert message in told.err
    assert not desk.settings.exists()


def test_an_unknown_price_is_told(desk: Desk, oracle: Oracle) -> None:
    desk.write(f'model = "own"\n[models.own]\nbase_url = "{oracle.url}"\nmodel = "oracle-1"\n')
    oracle.status = 500
    desk.run("play", "lantern_road", "--language", "en", "--no-git", typed="I hum an old song\n")
    oracle.status = 200
    desk.run("play", "lantern_road", "--no-git", typed="I hum an old song\n")
    told = desk.run("cost")
    assert told.lines[0].startswith("lantern_road-1: price unknown; ")
    assert told.lines[-1].startswith("If a price is unknown, ")

"""`talewright cost`: shows what a campaign has cost, by turn and by model; `limit` sets a limit.

It adds up what the campaign has recorded. The provider's bill is authoritative.
"""

import argparse
import json
import os
from collections.abc import Iterator

from talewright.bootstrap import open_provider_factory
from talewright.cli.campaign.campaign_access import ProgressTicker, open_archive, run_async
from talewright.cli.command_options import add_campaign_command, add_campaign_option, add_json
from talewright.cli.help.help_texts import Commands, add_command, add_subcommands
from talewright.config.model_settings import money
from talewright.config.settings_file import SettingValue, edit_file
from talewright.errors import TalewrightError
from talewright.play.history.campaign_cost import CampaignCost, Cost, count_costs

OFF = "off"
"""The word that removes a limit."""


def add_cost(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_campaign_command(
        commands,
        "cost",
        "Without a command: show the tokens and the money that a campaign has cost, in total, by model and, "
        "with --turns, by turn; and where a provider's cache was missed.",
        "talewright cost",
        "talewright cost --turns",
        "talewright cost limit 2.50",
    )
    add_campaign_option(parser)
    parser.add_argument("--turns", action="store_true", help="show every turn")
    add_json(parser)
    parser.set_defaults(run=run)
    _add_limit(add_subcommands(parser))


def _add_limit(inner: Commands) -> None:
    parser = add_command(
        inner,
        "limit",
        "Limit how much each campaign may spend. Talewright does not send a request that could exceed a "
        f"limit. `{OFF}` removes a limit.",
        "talewright cost limit 2.50",
        "talewright cost limit 2.50 --turn-dollars 0.05 --campaign mist_harbor-1",
        "talewright cost limit off",
        summary="limit how much may be spent",
    )
    parser.add_argument(
        "dollars", nargs="?", metavar="DOLLARS", help=f"the most dollars for a whole campaign, or {OFF}"
    )
    parser.add_argument(
        "--tokens", metavar="N", help="the most tokens for a whole campaign, input and output together"
    )
    parser.add_argument("--turn-dollars", metavar="DOLLARS", help="the most dollars for one turn")
    parser.add_argument("--turn-tokens", metavar="N", help="the most tokens for one turn")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--game", default="", metavar="GAME", help="only for campaigns of this game (its id)")
    # The argument before `limit` may already have named a campaign.
    only.add_argument(
        "-c", "--campaign", default=argparse.SUPPRESS, metavar="CAMPAIGN", help="only for this campaign"
    )
    parser.set_defaults(run=run_limit)


def run(arguments: argparse.Namespace) -> int:
    """Show what one campaign has cost."""
    return run_async(_run(arguments))


async def _run(arguments: argparse.Namespace) -> int:
    lookup = open_provider_factory(os.environ).loaded.profile_of
    async with open_archive(arguments).past(arguments.campaign, ProgressTicker("reading")) as past:
        costs = count_costs(past.history, lookup)
    if arguments.json:
        print(json.dumps(costs.to_json(), indent=2, ensure_ascii=False))
        return 0
    for line in tell(costs, turns=arguments.turns):
        print(line)
    return 0


def tell(costs: CampaignCost, *, turns: bool) -> Iterator[str]:
    """Costs as lines of text."""
    yield f"{costs.campaign}: {tell_cost(costs.total)}"
    told = f"{len(costs.turns)} turns with a model, {costs.scenes} from scenes"
    yield f"  {told}: {tell_cost(costs.told)}"
    for name, cost in (
        ("failed attempts", costs.failed),
        ("between turns", costs.aside),
        ("read ahead", costs.ahead),
    ):
        if cost != Cost():
            yield f"  {name}: {tell_cost(cost)}"
    if costs.asks:
        background = f", {costs.background_asks} of them between turns" * bool(costs.background_asks)
        counted = f"{_count('request', costs.asks)}{background}; {_count('action', costs.actions)}"
        yield f"  {costs.asks_per_action:.2f} requests per player action ({counted})"
    for model, cost in costs.models.items():
        yield f"  model {model or '(not recorded)'}: {tell_cost(cost)}"
    if turns:
        for turn in costs.turns:
            asked = f"{', '.join(turn.models)}, {_count('request', turn.asks)}"
            yield f"  turn {turn.version} ({asked}): {tell_cost(turn.cost)}"
    for turn in costs.turns:
        if turn.broken is not None:
            broken = turn.broken
            more = "" if broken.dollars is None else f", {money(broken.dollars)} more"
            yield f"  turn {turn.version} read {broken.tokens} tokens again{more}: {broken.why}"
    if costs.total.dollars is None:
        yield "If a price is unknown, add prices = { input = ..., output = ... } to the model's settings."


def _count(noun: str, number: int) -> str:
    return f"{number} {noun}" + "s" * (number != 1)


def tell_cost(cost: Cost) -> str:
    """One cost on one line."""
    about = "about " if cost.estimated else ""
    paid = "price unknown" if cost.dollars is None else about + money(cost.dollars)
    return (
        f"{paid}; {about}{cost.uncached_tokens} input tokens, {cost.cached_tokens} more cached, "
        f"{cost.output_tokens} output"
    )


def run_limit(arguments: argparse.Namespace) -> int:
    """Set a limit."""
    values: dict[str, SettingValue] = {}
    for field, text in (
        ("campaign_dollars", arguments.dollars),
        ("campaign_tokens", arguments.tokens),
        ("turn_dollars", arguments.turn_dollars),
        ("turn_tokens", arguments.turn_tokens),
    ):
        if text is not None:
            values[field] = read_amount(text, whole=field.endswith("tokens"))
    if not values:
        raise TalewrightError("no limit is given", "For example: talewright cost limit 2.50")
    path: tuple[str, ...] = ("budget",)
    where = "each campaign"
    if arguments.campaign:
        path, where = ("campaigns", arguments.campaign, "budget"), f"the campaign {arguments.campaign}"
    elif arguments.game:
        path, where = ("games", arguments.game, "budget"), f"each campaign of {arguments.game}"
    edit_file(open_provider_factory(os.environ).loaded.file, {path: values})
    for field, value in values.items():
        of, unit = field.split("_")
        named = where if of == "campaign" else f"a turn of {where}"
        print(f"No limit in {unit} for {named}." if value is None else f"Limit for {named}: {value} {unit}.")
    return 0


def read_amount(text: str, *, whole: bool) -> int | float | None:
    """Parse a limit; None removes it."""
    if text == OFF:
        return None
    try:
        amount = int(text) if whole else float(text)
    except ValueError:
        amount = -1
    if not 0 <= amount < float("inf"):
        kind = "a whole number" if whole else "a number"
        raise TalewrightError(f"{text!r} is not a limit", f"Write {kind} of 0 or more, or {OFF}.")
    return amount

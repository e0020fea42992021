"""`talewright admin verify`: checks campaigns of a host, as `talewright verify` checks one on this machine.

It reads as the operator: with the secrets of the dice, which it does not show.
"""

import argparse
import json
from typing import Any

from talewright.cli.campaign.campaign_access import ProgressTicker
from talewright.cli.campaign.verify_command import UNPROVEN, VIOLATED
from talewright.cli.command_options import Commands, add_json
from talewright.cli.terminal_text import printable
from talewright.play.verify.turn_proof import TurnStanding


def add_admin_verify(inner: Commands) -> None:
    """Add `admin verify`."""
    parser = inner.add_parser(
        "verify",
        help="replay the campaigns of the host and compare them with the record",
        description="Replay every turn of one campaign, of all campaigns of an owner, or of all on the host. "
        "Needs TALEWRIGHT_SEALING_KEYS. Exit code 0: every turn is proven; 1: something is wrong; 3: nothing "
        "is wrong, but some turns could not be replayed exactly.",
        epilog="example: talewright admin verify mist_harbor-1 --owner 0f3a5c",
    )
    parser.add_argument("campaign", nargs="?", default="", metavar="CAMPAIGN", help="default: all of them")
    parser.add_argument("--owner", default="", metavar="ID", help="only campaigns of this owner")
    add_json(parser)
    parser.set_defaults(work=_verify)


async def _verify(admin: Any, arguments: argparse.Namespace) -> int:
    wrong = unproven = count = 0
    found = []
    ticker = ProgressTicker("verifying")
    async for one in admin.verify(arguments.owner, arguments.campaign, ticker):
        count += 1
        wrong += not one.report.good
        unproven += one.report.good and bool(one.report.folded)
        if arguments.json:
            found.append({"owner": one.owner, **one.report.to_json(one.campaign)})
        else:
            _tell(one)
    if arguments.json:
        print(json.dumps({"campaigns": found, "wrong": wrong, "unproven": unproven}, indent=2))
    else:
        campaigns = "1 campaign" if count == 1 else f"{count} campaigns"
        print(f"{campaigns}: {wrong} with violations, {unproven} not completely proven.")
    if wrong:
        return VIOLATED
    return UNPROVEN if unproven else 0


def _tell(one: Any) -> None:
    place, report = printable(f"{one.owner}/{one.campaign}"), one.report
    for violation in report.violations:
        print(f"{place}: {violation.invariant}: {violation.what}, at {violation.where}")
    print(f"{place}: {report.count(TurnStanding.PROVEN)} of {len(report.turns)} turns are proven")

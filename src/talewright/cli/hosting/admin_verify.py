"""`talewright admin verify`: checks campaigns of a host, as `talewright verify` checks one on this machine.

As the operator, it can read the dice secrets; it does not show them.
"""

import argparse
import json
from typing import Any

from talewright.cli.campaign.campaign_access import ProgressTicker
from talewright.cli.campaign.verify_command import UNPROVEN, VIOLATED
from talewright.cli.command_options import add_json
from talewright.cli.help.help_texts import Commands, add_command
from talewright.cli.terminal_text import printable
from talewright.play.verify.turn_proof import TurnStanding


def add_admin_verify(inner: Commands) -> None:
    """Add `admin verify`."""
    parser = add_command(
        inner,
        "verify",
        "Replay every turn of one campaign, of one owner's campaigns, or of all campaigns on the host, and "
        "compare it with the record. This needs TALEWRIGHT_SEALING_KEYS.\n\n"
        "Exit code 0: every turn is proven; 1: something is wrong; 3: nothing is wrong, but some turns are "
        "not proven.",
        "talewright admin verify",
        "talewright admin verify mist_harbor-1 --owner 0f3a5c",
        summary="replay campaigns and compare them with their records",
    )
    parser.add_argument(
        "campaign", nargs="?", default="", metavar="CAMPAIGN", help="the name of a campaign (default: all)"
    )
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

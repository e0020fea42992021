"""`talewright admin verify`: checks campaigns of a host, as `talewright verify` checks one on this machine.

As the operator, it can read the dice secrets; it does not show them.
"""

import argparse
import json
from datetime import UTC, datetime
from typing import Any

from talewright.cli.campaign.campaign_access import ProgressTicker
from talewright.cli.campaign.verify_command import UNPROVEN, VIOLATED
from talewright.cli.command_options import add_json, read_given
from talewright.cli.help.help_texts import Commands, add_command
from talewright.cli.terminal_text import printable
from talewright.play.verify.turn_proof import TurnStanding


def add_admin_verify(inner: Commands) -> None:
    """Add `admin verify`."""
    parser = add_command(
        inner,
        "verify",
        "Replay every turn of one campaign, of one owner's campaigns, or of all campaigns on the host, and "
        "compare it with the record. A damaged campaign is reported, and the others are verified too. This "
        "uses all processors, or as many as TALEWRIGHT_JOB_PROCESSES says, and needs "
        "TALEWRIGHT_SEALING_KEYS.\n\n"
        "Exit code 0: every turn is proven; 1: something is wrong; 3: nothing is wrong, but some turns are "
        "not proven.",
        "talewright admin verify --since 2026-11-01 --sample 200",
        "talewright admin verify mist_harbor-1 --owner 0f3a5c",
        summary="replay campaigns and compare them with their records",
    )
    parser.add_argument(
        "campaign",
        type=read_given,
        nargs="?",
        metavar="CAMPAIGN",
        help="the name of a campaign (default: all)",
    )
    parser.add_argument(
        "--owner",
        type=read_given,
        metavar="ID",
        help="only campaigns of this owner; the beginning of the id is enough",
    )
    parser.add_argument(
        "--since",
        type=_read_time,
        metavar="TIME",
        help="only campaigns written since then: a date such as 2026-11-01, or with a time (UTC)",
    )
    parser.add_argument(
        "--sample", type=_read_count, metavar="N", help="only N of these campaigns, chosen at random"
    )
    add_json(parser)
    parser.set_defaults(work=_verify)


async def _verify(admin: Any, arguments: argparse.Namespace) -> int:
    chosen = await admin.choose_campaigns(
        arguments.owner, arguments.campaign, arguments.since, arguments.sample
    )
    wrong = unproven = count = 0
    reports: list[dict[str, Any]] = []
    ticker = ProgressTicker("verifying", counted="campaigns")
    async for one in admin.verify(chosen.campaigns):
        report = {"owner": one.owner, **one.report}
        count += 1
        wrong += not report["good"]
        unproven += report["good"] and bool(_count(report, TurnStanding.FOLDED))
        if arguments.json:
            reports.append(report)
        else:
            _tell(report)
        ticker(count, len(chosen.campaigns))
    if arguments.json:
        reports.sort(key=lambda one: (one["owner"], one["campaign"]))
        counts = {"wrong": wrong, "unproven": unproven, "found": chosen.total}
        print(json.dumps({"campaigns": reports, **counts}, indent=2))
    else:
        if chosen.total > len(chosen.campaigns):
            print(f"A sample of {len(chosen.campaigns)} from {chosen.total} campaigns.")
        campaigns = "1 campaign" if count == 1 else f"{count} campaigns"
        print(f"{campaigns}: {wrong} with violations, {unproven} not completely proven.")
    if wrong:
        return VIOLATED
    return UNPROVEN if unproven else 0


def _tell(report: dict[str, Any]) -> None:
    place = printable(f"{report['owner']}/{report['campaign']}")
    for violation in report["violations"]:
        print(f"{place}: {violation['invariant']}: {violation['what']}, at {violation['where']}")
    proven = _count(report, TurnStanding.PROVEN)
    print(f"{place}: {proven} of {len(report['turns'])} turns are proven", flush=True)


def _count(report: dict[str, Any], standing: TurnStanding) -> int:
    return sum(turn["verdict"] == standing.value for turn in report["turns"])


def _read_time(text: str) -> datetime:
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"expected a date such as 2026-11-01 or a time such as 2026-11-01T18:30, not {text!r}"
        ) from None
    return time if time.tzinfo is not None else time.replace(tzinfo=UTC)


def _read_count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"expected a number of campaigns, not {text!r}")
    return int(text)

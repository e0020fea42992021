"""`talewright replay`: rebuilds every state of a campaign from its changes and compares the digests.

It applies no rules and repairs nothing; `verify` replays the turns themselves.
"""

import argparse
import json
from time import perf_counter

from talewright.cli.campaign.campaign_access import ProgressTicker, open_archive, run_async
from talewright.cli.command_options import add_campaign_argument, add_campaign_command, add_json
from talewright.cli.help.help_texts import Commands
from talewright.play.verify.campaign_replay import Replay, replay

MISMATCH = 1
"""The exit code if a state differs from the record."""


def add_replay(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_campaign_command(
        commands,
        "replay",
        "Rebuild every branch from its start, change by change, and compare each state with the digest in "
        "the record. It applies no rules; `talewright verify` does.\n\n"
        "Exit code 0: all are equal; 1: some are not; 2: wrong usage, or the record cannot be read.",
        "talewright replay mist_harbor-1",
    )
    add_campaign_argument(parser)
    add_json(parser)
    parser.set_defaults(run=run_replay)


def run_replay(arguments: argparse.Namespace) -> int:
    """Replay one campaign."""
    return run_async(_run_replay(arguments))


async def _run_replay(arguments: argparse.Namespace) -> int:
    async with open_archive(arguments).book(arguments.campaign) as book:
        start = perf_counter()
        result = await replay(book, ProgressTicker("replaying"))
        seconds = perf_counter() - start
        name = book.campaign
    if arguments.json:
        print(json.dumps(_report_replay(name, result, seconds), indent=2, ensure_ascii=False))
    else:
        _tell_replay(name, result, seconds)
    return MISMATCH if result.mismatches or result.lost else 0


def _report_replay(name: str, result: Replay, seconds: float) -> dict[str, object]:
    return {
        "campaign": name,
        "turns": result.turns,
        "branches": dict(result.branches),
        "turns_per_second": round(result.turns / seconds),
        "mismatches": [
            {"commit": each.commit, "branch": each.branch, "version": each.version, "why": each.why}
            for each in result.mismatches
        ],
        "lost": list(result.lost),
    }


def _tell_replay(name: str, result: Replay, seconds: float) -> None:
    for each in result.mismatches:
        print(f"turn {each.version} on {each.branch} ({each.commit}): {each.why}")
    ends = ", ".join(f"{branch} to turn {version}" for branch, version in result.branches.items())
    print(f"{name}: {ends}")
    for lost in result.lost:
        print(lost)
    verdict = "wrong from here on" if result.mismatches else "all digests equal"
    speed = f"{result.turns / seconds:,.0f} turns per second"
    print(f"{result.turns} states in {seconds:.2f} s ({speed}), {verdict}")
    if result.mismatches or result.lost:
        print(f"Run `talewright verify {name}`, then `talewright saves recover {name}`.")

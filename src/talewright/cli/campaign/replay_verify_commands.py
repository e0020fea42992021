"""`talewright replay` and `talewright verify`: a record made again, its invariants and rolls checked.

The same checks that tests and operators use. They repair nothing.
"""

import argparse
import json
from pathlib import Path
from time import perf_counter

from talewright.cli.campaign.campaign_access import ProgressTicker, open_archive, run_async
from talewright.cli.command_options import Commands, add_campaign_argument, add_command, add_json
from talewright.errors import TalewrightError
from talewright.play.history.campaign_history import CampaignArchive
from talewright.play.verify.campaign_replay import Replay, replay
from talewright.play.verify.dice_and_state_checks import INVARIANTS, VerificationReport, is_finished, verify

MISMATCH = 1
"""The exit code where a turn does not come out as it was recorded."""


def add_replay(commands: Commands) -> None:
    """Teach the parser this command."""
    parser = add_command(
        commands,
        "replay",
        "make a campaign again and compare every state",
        "Fold every branch from the first state, change by change, and compare every digest. Exit code 0: "
        "all are equal; 1: some are not; 2: wrong use, or the record cannot be read.",
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
    return MISMATCH if result.mismatches else 0


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
    }


def _tell_replay(name: str, result: Replay, seconds: float) -> None:
    for each in result.mismatches:
        print(f"turn {each.version} on {each.branch} ({each.commit}): {each.why}")
    ends = ", ".join(f"{branch} to turn {version}" for branch, version in result.branches.items())
    print(f"{name}: {ends}")
    verdict = "wrong from here on" if result.mismatches else "all digests equal"
    print(
        f"{result.turns} states in {seconds:.2f} s ({result.turns / seconds:,.0f} turns a second), {verdict}"
    )
    if result.mismatches:
        print(f"Run `talewright verify {name}`, then `talewright saves recover {name}`.")


VIOLATED = 1
"""The exit code where an invariant is broken."""


def add_verify(commands: Commands) -> None:
    """Teach the parser this command."""
    parser = add_command(
        commands,
        "verify",
        "check that nothing was lost or altered",
        f"Check the invariants {', '.join(INVARIANTS)} of a campaign. Once the game is over its secret may "
        "be known, and every roll ever made is derived again from it; --reveal does so earlier, and shows "
        "whoever looks on what will fall. Exit code 0: all hold; 1: some do not; 2: wrong use.",
        "talewright verify mist_harbor-1 --reveal",
    )
    add_campaign_argument(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--secret", type=_read_secret, metavar="HEX", help="the secret, as it was revealed")
    how.add_argument("--reveal", action="store_true", help="use the campaign's own secret though it goes on")
    parser.add_argument(
        "--seen", type=Path, metavar="FILE", help="ids of commits that players saw, one a line"
    )
    add_json(parser)
    parser.set_defaults(run=run_verify)


def run_verify(arguments: argparse.Namespace) -> int:
    """Verify one campaign."""
    return run_async(_run_verify(arguments))


async def _run_verify(arguments: argparse.Namespace) -> int:
    seen = _read_seen(arguments.seen)
    name, secret, report = await _verify(open_archive(arguments), arguments, seen)
    if arguments.json:
        print(
            json.dumps(_report_verification(name, report, secret is not None), indent=2, ensure_ascii=False)
        )
    else:
        _tell_verification(name, report, secret, arguments.reveal)
    return 0 if report.good else VIOLATED


async def _verify(
    archive: CampaignArchive, arguments: argparse.Namespace, seen: tuple[str, ...]
) -> tuple[str, bytes | None, VerificationReport]:
    async with archive.book(arguments.campaign) as book:
        secret: bytes | None = arguments.secret
        if secret is None and (arguments.reveal or await is_finished(book)):
            secret = await book.secret()
        report = await verify(book, secret=secret, seen=seen, progress=ProgressTicker("verifying"))
        return book.campaign, secret, report


def _report_verification(name: str, report: VerificationReport, derived: bool) -> dict[str, object]:
    return {
        "campaign": name,
        "good": report.good,
        "rolls_derived": derived,
        "checked": dict(report.checked),
        "violations": [
            {"invariant": each.invariant, "what": each.what, "where": each.where}
            for each in report.violations
        ],
    }


def _tell_verification(name: str, report: VerificationReport, secret: bytes | None, revealed: bool) -> None:
    for each in report.violations:
        print(f"{each.invariant}: {each.what}, at {each.where}")
    counts = ", ".join(f"{count} {kind}" for kind, count in report.checked.items())
    print(f"{name}: {counts}")
    if secret is None:
        print("The rolls were not derived again: the game goes on, and its secret is kept. (--reveal)")
    elif revealed:
        print(f"secret: {secret.hex()}")
    if report.good:
        print(f"{', '.join(INVARIANTS)} hold.")
    else:
        count = len(report.violations)
        print(f"{count} {'violation' if count == 1 else 'violations'}. Try: talewright saves recover {name}")


def _read_secret(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"hexadecimal digits in pairs are expected, such as 0f3a, not {text!r}"
        ) from None


def _read_seen(file: Path | None) -> tuple[str, ...]:
    if file is None:
        return ()
    try:
        return tuple(file.read_text("utf-8").split())
    except (OSError, UnicodeDecodeError) as error:
        raise TalewrightError(
            f"{file} cannot be read: {error}", "Name a text file with one id a line."
        ) from error

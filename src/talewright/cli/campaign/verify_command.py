"""`talewright verify`: replays every turn, compares it with the record, and checks the invariants.

Tests and operators use the same checks. It repairs nothing.
"""

import argparse
import json
from pathlib import Path

from talewright.cli.campaign.campaign_access import ProgressTicker, enter_lobby, run_async
from talewright.cli.command_options import add_campaign_argument, add_campaign_command, add_json, read_hex
from talewright.cli.help.help_texts import Commands
from talewright.errors import TalewrightError
from talewright.play.history.campaign_history import CampaignArchive
from talewright.play.verify.campaign_verification import verify
from talewright.play.verify.receipts import CampaignReceipt, ReceiptError, find_secret, parse_receipt
from talewright.play.verify.turn_proof import TurnStanding
from talewright.play.verify.uncovered_parts import name_uncovered
from talewright.play.verify.verification_report import VerificationReport

VIOLATED = 1
"""The exit code if something is wrong."""

UNPROVEN = 3
"""The exit code if nothing is wrong, but some turns are not proven."""

TURNS_TOLD_MAX = 10
"""Unproven turns to list; JSON has all of them."""


_DRAWS = ("draws", "derived draws", "imported draws")
"""Counts of a report."""


def add_verify(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_campaign_command(
        commands,
        "verify",
        "Replay every turn from its recorded input and compare the result with the record. This also checks "
        "that no record is missing or changed, that every input was played at most once, and that the dice "
        "follow from the campaign's secret, if it is available (it is not shown).\n\n"
        "Exit code 0: every turn is proven; 1: something is wrong; 2: wrong usage; 3: nothing is wrong, but "
        "some turns are not proven.",
        "talewright verify",
        "talewright verify mist_harbor-1 --json",
    )
    add_campaign_argument(parser)
    how = parser.add_mutually_exclusive_group()
    how.add_argument(
        "--secret", type=read_hex, metavar="HEX", help="the dice secret, if someone has revealed it to you"
    )
    how.add_argument(
        "--reveal",
        action="store_true",
        help="print the dice secret; anyone who sees it can predict the dice",
    )
    parser.add_argument(
        "--seen",
        type=Path,
        metavar="FILE",
        help="also check that these turns still exist: a file with one id per line",
    )
    parser.add_argument(
        "--receipt",
        type=_read_receipt,
        metavar="LINE",
        help="prove that nothing has changed since this line was printed by `talewright receipt`",
    )
    add_json(parser)
    parser.set_defaults(run=run_verify)


def run_verify(arguments: argparse.Namespace) -> int:
    """Verify one campaign."""
    return run_async(_run_verify(arguments))


async def _run_verify(arguments: argparse.Namespace) -> int:
    seen = _read_seen(arguments.seen)
    lobby = enter_lobby(arguments)
    async with CampaignArchive(lobby.store, lobby.shelf).book(arguments.campaign) as book:
        secret, name = arguments.secret or await find_secret(book), book.campaign
        report = await verify(
            book,
            editions=lobby.shelf,
            secret=secret,
            seen=seen,
            receipt=arguments.receipt,
            progress=ProgressTicker("verifying"),
        )
    if arguments.json:
        length = None if arguments.receipt is None else arguments.receipt.length
        print(json.dumps({**report.to_json(name), "receipt": length}, indent=2, ensure_ascii=False))
    else:
        _tell(name, report, arguments.receipt)
        if arguments.reveal:
            print("The dice secret is not available." if secret is None else f"secret: {secret.hex()}")
    if not report.good:
        return VIOLATED
    return UNPROVEN if report.folded else 0


def _tell(name: str, report: VerificationReport, receipt: CampaignReceipt | None) -> None:
    for violation in report.violations:
        print(f"{violation.invariant}: {violation.what}, at {violation.where}")
    for turn in report.folded[:TURNS_TOLD_MAX]:
        print(f"turn {turn.version} on {turn.branch} ({turn.commit}) is not proven: {turn.verdict.why}")
    if len(report.folded) > TURNS_TOLD_MAX:
        print(f"and {len(report.folded) - TURNS_TOLD_MAX} more (--json lists all of them)")
    counts = ", ".join(f"{count} {kind}" for kind, count in report.checked.items())
    print(f"{name}: {counts}")
    for game in report.games:
        if not game.installed:
            print(f"Played with {game.game} {game.version} ({game.digest}), which is not installed here.")
    if report.imported:
        print("This campaign started from a save game; the turns before that are not proven.")
    drawn, derived, imported = (report.checked.get(kind, 0) for kind in _DRAWS)
    if drawn > derived:
        print(f"{drawn - derived} of {drawn} draws were taken from the record, not derived from the secret.")
    if imported:
        print(
            f"{imported} draws of imported turns were taken from the record, because a save does not "
            "include the secret. If you have it, add --secret."
        )
    _tell_verdict(name, report)
    if report.good and report.uncovered:
        print(f"Only an earlier receipt could cover: {'; '.join(name_uncovered(report.uncovered))}.")
    if report.good and receipt is not None:
        print(f"The first {receipt.length} records match the receipt.")
    elif report.good:
        print("The record is consistent. Only a receipt can prove that it was never replaced.")


def _tell_verdict(name: str, report: VerificationReport) -> None:
    proven = f"{report.count(TurnStanding.PROVEN)} of {len(report.turns)} turns are proven"
    if not report.good:
        count = len(report.violations)
        print(f"{proven}; {count} {'violation' if count == 1 else 'violations'}.")
        print(f"If a file was damaged, try: talewright saves recover {name}")
    elif report.folded:
        print(f"{proven}; the others agree with themselves, and nothing is wrong.")
    else:
        print(f"{proven}: replaying them gives the recorded results.")


def _read_receipt(text: str) -> CampaignReceipt:
    try:
        return parse_receipt(text)
    except ReceiptError as error:
        raise argparse.ArgumentTypeError(f"{error.message}. {error.hint}") from None


def _read_seen(file: Path | None) -> tuple[str, ...]:
    if file is None:
        return ()
    try:
        return tuple(file.read_text("utf-8").split())
    except (OSError, UnicodeDecodeError) as error:
        raise TalewrightError(
            f"{file} cannot be read: {error}", "Give a text file with one id per line."
        ) from error

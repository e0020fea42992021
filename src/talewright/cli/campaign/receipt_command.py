"""`talewright receipt`: prints a line that later proves that no earlier record was changed.

It is computed from the campaign's current records; `verify --receipt` checks it later.
"""

import argparse
import json

from talewright.cli.campaign.campaign_access import open_archive, run_async
from talewright.cli.command_options import add_campaign_argument, add_campaign_command, add_json
from talewright.cli.help.help_texts import Commands
from talewright.play.verify.receipts import make_receipt


def add_receipt(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_campaign_command(
        commands,
        "receipt",
        "Print a line that identifies everything recorded so far, without revealing the story or the dice. "
        "Keep it, or send it to a friend. Later, `talewright verify --receipt LINE` proves that nothing "
        "before it was changed or lost. To check it, a friend needs the campaign and its dice secret "
        "(`talewright verify --reveal`).",
        "talewright receipt mist_harbor-1",
    )
    add_campaign_argument(parser)
    add_json(parser)
    parser.set_defaults(run=run_receipt)


def run_receipt(arguments: argparse.Namespace) -> int:
    """Print the receipt of one campaign."""
    return run_async(_run_receipt(arguments))


async def _run_receipt(arguments: argparse.Namespace) -> int:
    async with open_archive(arguments).book(arguments.campaign) as book:
        receipt, name = await make_receipt(book), book.campaign
    if arguments.json:
        told = {"campaign": name, "records": receipt.length, "receipt": receipt.line}
        print(json.dumps(told, indent=2, ensure_ascii=False))
    else:
        print(receipt.line)
    return 0

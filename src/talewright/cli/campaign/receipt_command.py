"""`talewright receipt`: one line to keep or to send, by which nothing before it can be altered unnoticed.

It is made from what the campaign holds now; `verify --receipt` checks it later.
"""

import argparse
import json

from talewright.cli.campaign.campaign_access import open_archive, run_async
from talewright.cli.command_options import Commands, add_campaign_argument, add_command, add_json
from talewright.play.verify.receipts import make_receipt


def add_receipt(commands: Commands) -> None:
    """Teach the parser this command."""
    parser = add_command(
        commands,
        "receipt",
        "print a line that shows later that nothing was altered",
        "Print one line about everything that was recorded so far. It tells nothing of the story and nothing "
        "of the dice. Keep it, or send it to a friend; later, `talewright verify --receipt LINE` shows that "
        "nothing before it was altered or lost. That needs the campaign's secret, so a friend checks it once "
        "the secret has been revealed.",
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

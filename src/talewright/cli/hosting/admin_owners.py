"""`talewright admin owner` and `admin budgets`: who may play on a host, and what they may spend.

A token is printed once, when it is created; the host stores only its hash.
"""

import argparse
import json
import math
from typing import Any

from talewright.cli.command_options import add_json, read_given
from talewright.cli.help.help_texts import Commands, add_command, add_subcommands
from talewright.cli.hosting.admin_data import OWNER_HELP, add_owner_data
from talewright.cli.terminal_text import printable

UNLIMITED = "none"
"""The word for a limit that is lifted."""

DOLLARS_MAX = 1_000_000_000
TOKEN_DIGITS_MAX = 18
"""More would not fit the database."""

LIMITS = ("dollars", "tokens", "monthly_dollars", "monthly_tokens")
"""What an owner may spend, as in `OwnerLimits`."""


def add_owner(inner: Commands) -> None:
    """Add `admin owner`."""
    parser = add_command(
        inner,
        "owner",
        "Every campaign on a host belongs to an owner, who logs in with a token.",
        'talewright admin owner add "Ann" --dollars 20',
        "talewright admin owner list",
        summary="add, list, change, export and delete owners",
    )
    words = add_subcommands(parser, required=True)
    _add_add_and_list(words)
    _add_changes(words)
    add_owner_data(words)


def _add_add_and_list(words: Commands) -> None:
    add = _add_word(
        words,
        "add",
        "Add an owner, and print the owner's id and token.",
        'add "Ann" --dollars 20',
        summary="add an owner and print the token",
    )
    help_text = "a name for your own use; players do not see it"
    add.add_argument("label", type=_read_label, metavar="LABEL", help=help_text)
    _add_limits(add)
    add.set_defaults(work=_add)
    listing = _add_word(
        words, "list", "List the owners with their ids.", "list --json", summary="list the owners"
    )
    listing.set_defaults(work=_list)


def _add_changes(words: Commands) -> None:
    """Add what needs the id of an owner."""
    token = _add_word(
        words,
        "token",
        "Print a new token for an owner. The old one stops working at once.",
        "token 0f3a5c",
        summary="replace the token of an owner",
    )
    token.set_defaults(work=_renew)
    limits = _add_word(
        words,
        "limits",
        "Change how much an owner may spend. A limit that you do not give stays as it is.",
        "limits 0f3a5c --monthly-dollars 20 --tokens none",
        summary="change how much an owner may spend",
    )
    _add_limits(limits)
    limits.set_defaults(work=_limit)
    remove = _add_word(
        words,
        "remove",
        "Remove an owner and the owner's token. The campaigns stay in the database.",
        "remove 0f3a5c",
        summary="remove an owner",
    )
    remove.set_defaults(work=_remove)
    for one in (token, limits, remove):
        one.add_argument("owner", type=read_given, metavar="ID", help=OWNER_HELP)


def add_budgets(inner: Commands) -> None:
    """Add `admin budgets`."""
    parser = add_command(
        inner,
        "budgets",
        "Show how much each owner has spent, how much is reserved for running requests, and the limits; "
        "also how many campaigns each has, and how many bytes they take.",
        "talewright admin budgets",
        "talewright admin budgets --json",
        summary="show what owners have spent and stored, and their limits",
    )
    add_json(parser)
    parser.set_defaults(work=_show_budgets)


def _add_word(
    words: Commands, name: str, description: str, example: str, *, summary: str
) -> argparse.ArgumentParser:
    parser = add_command(words, name, description, f"talewright admin owner {example}", summary=summary)
    add_json(parser)
    return parser


def _add_limits(parser: argparse.ArgumentParser) -> None:
    for name, kind in (("dollars", _read_dollars), ("tokens", _read_tokens)):
        for option, when in ((name, "in all"), (f"monthly-{name}", "in a calendar month (UTC)")):
            parser.add_argument(
                f"--{option}",
                type=kind,
                default=argparse.SUPPRESS,
                metavar="N",
                help=f"the most {name} that the owner may spend {when} ({UNLIMITED}: no limit)",
            )


def _read_label(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise argparse.ArgumentTypeError("expected a name in UTF-8") from None
    return text


def _read_dollars(text: str) -> float | None:
    try:
        dollars = None if text == UNLIMITED else float(text)
    except ValueError:
        dollars = math.nan
    if dollars is not None and not (text.isascii() and 0 <= dollars <= DOLLARS_MAX):
        raise argparse.ArgumentTypeError(f"expected an amount such as 20 or 2.50, or {UNLIMITED}")
    return dollars


def _read_tokens(text: str) -> int | None:
    if text == UNLIMITED:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > TOKEN_DIGITS_MAX:
        raise argparse.ArgumentTypeError(f"expected a whole number such as 1000000, or {UNLIMITED}")
    return int(text)


def _read_limits(arguments: argparse.Namespace) -> dict[str, Any]:
    """The limits that were given."""
    return {name: getattr(arguments, name) for name in LIMITS if hasattr(arguments, name)}


async def _add(admin: Any, arguments: argparse.Namespace) -> int:
    owner, token = await admin.add_owner(arguments.label, **_read_limits(arguments))
    if arguments.json:
        _print_json({"id": owner, "token": token})
        return 0
    print(f"id: {owner}")
    _print_token(token)
    return 0


async def _renew(admin: Any, arguments: argparse.Namespace) -> int:
    owner = await admin.accounts.resolve(arguments.owner)
    token = await admin.renew_token(owner)
    if arguments.json:
        _print_json({"id": owner, "token": token})
    else:
        _print_token(token)
    return 0


def _print_token(token: str) -> None:
    print(f"token: {token}")
    print("Keep it safe: the host stores only its hash and cannot show it again.")


async def _list(admin: Any, arguments: argparse.Namespace) -> int:
    owners = await admin.list_owners()
    if arguments.json:
        _print_json([{"id": one.id, "label": one.label} for one in owners])
        return 0
    for one in owners:
        print(f"{one.id}  {printable(one.label)}")
    if not owners:
        print("There are no owners yet. Add one: talewright admin owner add LABEL")
    return 0


async def _limit(admin: Any, arguments: argparse.Namespace) -> int:
    owner = await admin.accounts.resolve(arguments.owner)
    limits = await admin.change_limits(owner, **_read_limits(arguments))
    if arguments.json:
        _print_json({"id": owner, **{name: getattr(limits, name) for name in LIMITS}})
        return 0
    for name in LIMITS:
        print(f"{name.replace('_', ' ')}: {_write_limit(getattr(limits, name))}")
    return 0


async def _remove(admin: Any, arguments: argparse.Namespace) -> int:
    owner = await admin.accounts.resolve(arguments.owner)
    await admin.remove_owner(owner)
    if arguments.json:
        _print_json({"id": owner, "removed": True})
    else:
        print("Removed the owner. The campaigns stay in the database.")
    return 0


async def _show_budgets(admin: Any, arguments: argparse.Namespace) -> int:
    owners, stored = await admin.list_owners(), await admin.measure_owners()
    if arguments.json:
        _print_json([_write_budget(one, stored.get(one.id)) for one in owners])
        return 0
    for one in owners:
        print(f"{one.id}  {printable(one.label)}")
        limits = one.limits
        dollars = f"{one.dollars_spent:.4f} spent, {one.dollars_reserved:.4f} reserved"
        print(f"  dollars: {dollars}, limit {_write_limit(limits.dollars)}")
        tokens = f"{one.tokens_spent} spent, {one.tokens_reserved} reserved"
        print(f"  tokens: {tokens}, limit {_write_limit(limits.tokens)}")
        dollars = f"{one.month_dollars_spent:.4f} dollars, limit {_write_limit(limits.monthly_dollars)}"
        tokens = f"{one.month_tokens_spent} tokens, limit {_write_limit(limits.monthly_tokens)}"
        print(f"  this month: {dollars}; {tokens}")
        campaigns, size = _read_stored(stored.get(one.id))
        print(f"  campaigns: {campaigns}, {size} bytes stored")
    if not owners:
        print("There are no owners yet.")
    return 0


def _read_stored(stored: Any) -> tuple[int, int]:
    """Campaigns and bytes of an owner, who may have none."""
    return (0, 0) if stored is None else (stored.campaigns, stored.bytes)


def _write_budget(one: Any, stored: Any) -> dict[str, Any]:
    campaigns, size = _read_stored(stored)
    return {
        "id": one.id,
        "label": one.label,
        "dollars": {
            "spent": one.dollars_spent,
            "reserved": one.dollars_reserved,
            "limit": one.limits.dollars,
        },
        "tokens": {"spent": one.tokens_spent, "reserved": one.tokens_reserved, "limit": one.limits.tokens},
        "monthly_dollars": {"spent": one.month_dollars_spent, "limit": one.limits.monthly_dollars},
        "monthly_tokens": {"spent": one.month_tokens_spent, "limit": one.limits.monthly_tokens},
        "campaigns": campaigns,
        "bytes": size,
    }


def _write_limit(limit: float | None) -> str:
    return UNLIMITED if limit is None else f"{limit:.15g}"


def _print_json(value: object) -> None:
    print(json.dumps(value, indent=2, ensure_ascii=False))

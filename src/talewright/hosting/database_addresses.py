"""Database addresses: one address in the forms that DBOS and asyncpg expect, and the name of a process in it.

Nothing is connected here.
"""

from urllib.parse import parse_qs, urlsplit

DRIVER = "postgresql+psycopg"
"""The driver that DBOS uses."""

NAME = "application_name"
"""The part of an address that PostgreSQL shows in `pg_stat_activity` and in its log."""


def make_database_url(url: str) -> str:
    """The address of a database for DBOS, with the driver in it."""
    scheme, mark, rest = url.partition("://")
    return f"{DRIVER}{mark}{rest}" if scheme in ("postgres", "postgresql") else url


def make_asyncpg_url(url: str) -> str:
    """The same address for asyncpg, without a driver."""
    scheme, mark, rest = url.partition("://")
    return f"postgresql{mark}{rest}" if scheme.startswith("postgres") else url


def name_connections(addresses: str, name: str) -> str:
    """The addresses of databases, separated by spaces, with a name for their connections. An address that has
    one keeps it.
    """
    return " ".join(_name(one, name) for one in addresses.split())


def find_connection_name(url: str) -> str:
    """The name in an address; empty if it has none."""
    return parse_qs(urlsplit(url).query).get(NAME, [""])[0]


def _name(address: str, name: str) -> str:
    if "://" not in address or find_connection_name(address):
        return address
    return f"{address}{'&' if '?' in address else '?'}{NAME}={name}"

"""Database addresses: one address in the forms that DBOS and asyncpg expect.

Nothing is connected here.
"""

DRIVER = "postgresql+psycopg"
"""The driver that DBOS uses."""


def make_database_url(url: str) -> str:
    """The address of a database for DBOS, with the driver in it."""
    scheme, mark, rest = url.partition("://")
    return f"{DRIVER}{mark}{rest}" if scheme in ("postgres", "postgresql") else url


def make_asyncpg_url(url: str) -> str:
    """The same address for asyncpg, without a driver."""
    scheme, mark, rest = url.partition("://")
    return f"postgresql{mark}{rest}" if scheme.startswith("postgres") else url

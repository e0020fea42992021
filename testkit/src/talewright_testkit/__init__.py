"""Servers for testing Talewright and its plug-ins: a fake model provider, PostgreSQL and Redis.

They start on free ports of this machine. Nothing in `talewright` imports this package.
"""

__version__ = "0.3.0.dev0"

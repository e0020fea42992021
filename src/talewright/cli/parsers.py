"""Parsers: the one type that every command's `add` takes.

Nothing of a command stands here.
"""

import argparse
from typing import TypeAlias

Commands: TypeAlias = "argparse._SubParsersAction[argparse.ArgumentParser]"
"""Where a command registers its parser; argparse gives this type no public name."""

"""Asks the player before using a server address from a `.env` in the current folder.

That server would read everything that is played, so the player must agree, once for each address. Without a
player to ask, `config/loaded_settings.py` refuses it.
"""

import os
import sys
from pathlib import Path

from talewright.bootstrap import open_provider_factory
from talewright.cli.terminal_text import printable
from talewright.config.environment import MODEL, NO_MODEL, gather_variables
from talewright.config.settings_file import edit_file
from talewright.config.settings_parser import ALLOWED_ADDRESSES

QUESTION = """The file .env in this folder sends your story to the server at
  {address}
That server would read everything you play. Allow it from now on? [y/N] """

DECLINED = "Playing without a model, from the game's scenes."

YES = frozenset({"y", "yes"})
"""Any other answer means no, and so does the end of the input."""


def settle_address(model: str) -> str:
    """The model to play with, after asking the player if necessary; `none` if they decline."""
    variables = gather_variables(os.environ, Path.cwd())
    if model not in ("", variables.get(MODEL)):
        return model
    loaded = open_provider_factory(os.environ).loaded
    address = loaded.foreign_address
    if not address or not sys.stdin.isatty():
        return model
    print(QUESTION.format(address=printable(address)), end="", flush=True)
    if sys.stdin.readline().strip().lower() not in YES:
        print(DECLINED)
        return NO_MODEL
    edit_file(loaded.file, {(): {ALLOWED_ADDRESSES: (*loaded.settings.allowed_addresses, address)}})
    return model

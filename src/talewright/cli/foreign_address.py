"""The question about a foreign address: a `.env` in the folder wants the story told by a server it names.

Whoever answers there reads everything that is played, so nobody is asked before the player has agreed; once
for each address. Where nobody can be asked, `config/loaded_settings.py` refuses.
"""

import os
import sys
from pathlib import Path

from talewright.bootstrap import open_provider_factory
from talewright.cli.terminal_text import printable
from talewright.config.environment import MODEL, NO_MODEL, gather_variables
from talewright.config.settings_file import edit_file
from talewright.config.settings_parser import ALLOWED_ADDRESSES

QUESTION = """The file .env in this folder wants your story told by the server at
  {address}
It would read all that you play. Allow it from now on? [y/N] """

DECLINED = "Then the scenes of the game tell it, without a model."

YES = frozenset({"y", "yes"})
"""All other answers mean no, as does the end of the input."""


def settle_address(model: str) -> str:
    """The model to play with, after the player was asked where that is due; the scenes where they decline."""
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

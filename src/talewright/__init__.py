"""Talewright: games narrated by a language model that never owns the truth.

`open_lobby` is where a Python program starts; docs/plug/stability.md lists everything else that is public.
Importing the package loads none of it, so that commands start at once.
"""

from typing import TYPE_CHECKING

from talewright.version import __version__

if TYPE_CHECKING:
    from contextlib import AbstractAsyncContextManager
    from os import PathLike

    from talewright.play.lobby import Lobby

__all__ = ["__version__", "open_lobby"]


def open_lobby(
    saves: "str | PathLike[str] | None" = None, *, language: str = "", model: str = ""
) -> "AbstractAsyncContextManager[Lobby]":
    """Open the place where campaigns are started and continued: `async with open_lobby("saves") as lobby`.

    Campaigns are kept in the folder `saves`, by default in the one the `talewright` command uses. The model
    that `talewright setup` has set up narrates, if there is one, or the one named here; the name "none" means
    the author's scenes. An empty language means that of the game or campaign.
    """
    from talewright.bootstrap import open_embedded_lobby

    return open_embedded_lobby(saves, language=language, model=model)

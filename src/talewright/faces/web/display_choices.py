"""Display choices: theme, text size, language and keys of the pages, kept in a cookie of the browser.

They say nothing about the player. Whatever a cookie holds, only known values come out.
"""

from collections.abc import Mapping

from talewright.common.frozen_values import frozen
from talewright.common.language_tags import COMMON_LANGUAGE, pick_language
from talewright.common.word_catalogues import interface_languages, pick_interface_language

DISPLAY_COOKIE = "talewright_display"
DISPLAY_SECONDS = 365 * 24 * 60 * 60
THEMES = ("auto", "light", "dark")
TEXT_SIZES = ("medium", "small", "large")

KEYS_OFF = "off"


@frozen
class DisplayChoices:
    """How pages are shown; the first value of each is the default."""

    theme: str = THEMES[0]
    size: str = TEXT_SIZES[0]
    language: str = COMMON_LANGUAGE
    keys: bool = True
    """Whether digit keys choose."""

    def write_cookie(self) -> str:
        """The Set-Cookie header that saves them."""
        value = f"{self.theme}.{self.size}.{self.language}.{'on' if self.keys else KEYS_OFF}"
        return f"{DISPLAY_COOKIE}={value}; Path=/; Max-Age={DISPLAY_SECONDS}; HttpOnly; SameSite=Strict"


def read_display(cookies: Mapping[str, str], accepted: str) -> DisplayChoices:
    """The choices of a request, from its cookies and its Accept-Language header."""
    kept = cookies.get(DISPLAY_COOKIE, "").split(".")
    # Older cookies do not mention the keys.
    theme, size, language, keys = [*kept, ""][:4] if len(kept) in (3, 4) else ("", "", "", "")
    return check_display(theme, size, language or _first_language(accepted), keys)


def check_display(theme: str, size: str, language: str, keys: str = "") -> DisplayChoices:
    """Choices, with the default in place of whatever is not known."""
    return DisplayChoices(
        theme if theme in THEMES else THEMES[0],
        size if size in TEXT_SIZES else TEXT_SIZES[0],
        pick_interface_language(language),
        keys != KEYS_OFF,
    )


def _first_language(accepted: str) -> str:
    """The first language of Accept-Language that the pages have; browsers list the preferred one first."""
    wanted = (part.partition(";")[0].strip() for part in accepted[:500].split(","))
    return next((tag for tag in wanted if pick_language(tag, interface_languages())), "")

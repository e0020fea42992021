"""Key redaction: the libraries that talk to servers keep no log of it, and no answer may tell a key.

The libraries write down headers and bodies as they come, and a server may send a key back in either. What
matters of it reaches the player as an error, with the key taken out. Nothing of our own is kept from a log.
"""

import logging

from talewright.llm.provider import ProviderError, Trouble

LIBRARIES = frozenset(
    ("httpx", "httpcore", "httpx2", "httpcore2", "h11", "anthropic", "google_genai", "google", "pydantic_ai")
)
"""The first words of the names of their loggers."""

KEY_LENGTH_MIN = 16
"""Characters from which on a key is looked for in answers whatever it looks like."""

SHORT_KEY_LENGTH_MIN = 4
"""Characters from which on it is looked for where it looks like no word and no number."""

STAND_INS = frozenset(
    ("no-key", "no_key", "nokey", "not-needed", "not_needed", "not-required", "lm-studio", "lm_studio")
)
"""What people write where a server on their own machine wants no key. No secret is lost with them."""


def is_telling(key: str) -> bool:
    """Whether a key is looked for in answers.

    Many a server on one's own machine is content with a word such as `none`, which every story may tell. So a
    short key counts only where it is neither a word in one case nor a number, nor a usual stand-in.
    """
    if len(key) >= KEY_LENGTH_MIN:
        return True
    if len(key) < SHORT_KEY_LENGTH_MIN or key.lower() in STAND_INS:
        return False
    is_word = key.isalpha() and (key.islower() or key.isupper() or key.istitle())
    return not is_word and not key.isdecimal()


class KeyWatch:
    """Looks for a key in a text that comes in pieces: what is told is kept, shown and passed on."""

    __slots__ = ("_key", "_tail")

    def __init__(self, key: str) -> None:
        self._key = key if is_telling(key) else ""
        self._tail = ""

    def sees(self, text: str) -> bool:
        """Whether the key stands in the text so far."""
        if not self._key:
            return False
        text = self._tail + text
        self._tail = text[1 - len(self._key) :]
        return self._key in text


def silence_loggers() -> None:
    """Silence the loggers of those libraries that are loaded; so call it after a client has been made.

    A level would not do: whoever wants to see everything sets it. A filter stays, and twice is once.
    """
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in LIBRARIES:
            logging.getLogger(name).addFilter(drop_log_record)


def drop_log_record(record: logging.LogRecord) -> bool:
    """Whether a record is kept: none is."""
    return False


def read_key(key: str) -> str:
    """A key as it is sent; a ProviderError where it cannot be one."""
    key = key.strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ProviderError(
            Trouble.KEY,
            "the key has characters that no key has",
            "Copy it again; a blank or a line of text may have come with it.",
            unpaid=True,
        )
    return key

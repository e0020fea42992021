"""Key redaction: silences the logs of HTTP libraries, and detects API keys in answers.

The libraries log headers and bodies verbatim, and a server may echo a key in either. The player still sees
errors, with the key removed. Our own logs are not affected.
"""

import logging

from talewright.llm.provider import ProviderError, Trouble

LIBRARIES = frozenset(
    ("httpx", "httpcore", "httpx2", "httpcore2", "h11", "anthropic", "google_genai", "google", "pydantic_ai")
)
"""The top-level names of their loggers."""

KEY_LENGTH_MIN = 16
"""Length from which any key is searched for in answers."""

SHORT_KEY_LENGTH_MIN = 4
"""Length from which a key is searched for if it looks like neither a word nor a number."""

STAND_INS = frozenset(
    ("no-key", "no_key", "nokey", "not-needed", "not_needed", "not-required", "lm-studio", "lm_studio")
)
"""Placeholders that people use if a local server needs no key. They are not secrets."""


def is_telling(key: str) -> bool:
    """Whether a key is searched for in answers.

    Many local servers accept a word such as `none`, which any story may contain. So a short key counts only
    if it is neither a word in one case, nor a number, nor a usual placeholder.
    """
    if len(key) >= KEY_LENGTH_MIN:
        return True
    if len(key) < SHORT_KEY_LENGTH_MIN or key.lower() in STAND_INS:
        return False
    is_word = key.isalpha() and (key.islower() or key.isupper() or key.istitle())
    return not is_word and not key.isdecimal()


class KeyWatch:
    """Looks for a key in a text that arrives in pieces, since answers are stored, shown and passed on."""

    __slots__ = ("_key", "_tail")

    def __init__(self, key: str) -> None:
        self._key = key if is_telling(key) else ""
        self._tail = ""

    def sees(self, text: str) -> bool:
        """Whether the key occurs in the text so far."""
        if not self._key:
            return False
        text = self._tail + text
        self._tail = text[1 - len(self._key) :]
        return self._key in text


def silence_loggers() -> None:
    """Silence the loggers of the loaded libraries; call it after a client has been created.

    Setting a level is not enough, since it can be reset; a filter stays. Calling it twice is harmless.
    """
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] in LIBRARIES:
            logging.getLogger(name).addFilter(drop_log_record)


def drop_log_record(record: logging.LogRecord) -> bool:
    """A logging filter that drops every record."""
    return False


def read_key(key: str) -> str:
    """A key as it is sent; raises ProviderError if it cannot be one."""
    key = key.strip()
    if not key.isascii() or not key.isprintable() or " " in key:
        raise ProviderError(
            Trouble.KEY,
            "the key has characters that no key has",
            "Copy it again; a blank or a line break may have been copied with it.",
            unpaid=True,
        )
    return key
